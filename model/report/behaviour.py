"""A behaviour: the steps of one run of a specification, as a counterexample or a simulation gives it.

States are JSON-like dictionaries from variable to value, in the shapes of the Informal Trace Format (ITF):

    number, or {"#bigint": "..."} where a number is 2^53 or larger
    string          a string, or a model value (those are listed in `Origin.model_values`)
    true, false
    {"#set": [...]}
    {"#tup": [...]}, or a plain array (other tools write sequences so)
    {"#map": [[key, value], ...]}     a function
    {"field": value, ...}             a record
    {"#unserializable": "..."}        what has no JSON, as text
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.tla.algorithms import AlgorithmStep

Value = Any
"""An ITF value, one of the shapes above."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a behaviour comes from. All but `model_values` is for the reader only."""

    specification: str = ""
    config: str = ""
    command: str = ""
    """The command line that makes this behaviour again."""
    tool: str = ""
    """Name and version, such as `rmqproof 0.1.0`."""
    model_values: frozenset[str] = frozenset()
    """Strings that are model values: printed without quotes."""


@dataclass(frozen=True, slots=True)
class Step:
    """A state and how it was reached. `action` is None for an initial state and where the name is not known."""

    index: int
    action: str | None
    arguments: tuple[Value, ...]
    state: Mapping[str, Value]
    algorithm: AlgorithmStep | None = None
    """What it is in PlusCal."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Steps 0, 1, ...; `steps[0]` is the initial state, if `initial`.

    `loop` is the index of the step to which the last one returns: the steps from there on repeat for ever.
    `violated` names the property that fails, `sentence` says what that means for a user; both are empty when the
    behaviour violates nothing. A safety property fails in the last step.
    """

    variables: tuple[str, ...]
    steps: tuple[Step, ...]
    loop: int | None = None
    violated: str = ""
    sentence: str = ""
    origin: Origin = field(default_factory=Origin)
    fairness: tuple[str, ...] = ()
    """Why a behaviour that repeats for ever is fair: a line for each fairness condition."""
    initial: bool = True
    """Whether `steps[0]` is an initial state; a countermodel says nothing about reaching it."""
