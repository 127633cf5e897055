"""Look for a violation within so many steps, with Z3 instead of by exploring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.model.api.behaviour import Behaviour
from rmqproof.model.api.checks import opened
from rmqproof.model.api.errors import RmqproofError, typed, typed_errors
from rmqproof.model.api.models import Model
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import sentence
from rmqproof.model.prove.bounded import Bounded, search_bounded
from rmqproof.model.prove.modules import open_files
from rmqproof.model.report import behaviour as shown
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles


@dataclass(frozen=True)
class BoundedResult:
    """What Z3 says of all behaviours of at most so many steps. True when none of the steps asked for violates anything.

    `found` has all that the command line knows, `model` is the one that was looked at.
    """

    found: Bounded = field(repr=False)
    model: core.Model = field(repr=False)

    @property
    def ok(self) -> bool:
        return not (self.found.violated or self.found.reason or self.found.undefined)

    def __bool__(self) -> bool:
        return self.ok

    @property
    def steps(self) -> int:
        """So many steps were looked at whole."""
        return self.found.steps

    @property
    def violated(self) -> str | None:
        """The name of the invariant or step property."""
        return self.found.violated or None

    @property
    def reason(self) -> str:
        """Why less was looked at than asked for; empty when all was."""
        return self.found.reason

    @property
    def left_out(self) -> Mapping[str, str]:
        """The properties that were not looked at, and what in them has no translation."""
        return self.found.left_out

    @property
    def error(self) -> RmqproofError | None:
        """Why there is no verdict, where an expression has no value in or after the last state of `behaviour`."""
        return typed(self.found.undefined) if self.found.undefined is not None else None

    @property
    def behaviour(self) -> Behaviour | None:
        """What violates the property, or leads to what has no value."""
        return Behaviour(self.shown()) if self.found.path else None

    def shown(self) -> shown.Behaviour:
        """The path as reports have it."""
        model = self.model
        names = tuple(variable.name for variable in model.specification.variables)
        states = tuple(
            shown.Step(
                index,
                action if index else None,
                tuple(map(to_itf, arguments)) if index else (),
                dict(zip(names, map(to_itf, values), strict=True)),
            )
            for index, (action, values, arguments) in enumerate(self.found.path)
        )
        properties = (*model.invariants, *(p.definition for p in model.properties))
        violated = next((d for d in properties if d.name == self.found.violated), None)
        about = (violated.name, sentence(violated)) if violated is not None else ("", "")
        return shown.Behaviour(names, states, None, *about, shown.Origin(model_values=frozenset(model.model_values)))


def bounded(files: ModelFiles, steps: int, timeout: float, tell: Callable[[str], None] | None) -> BoundedResult:
    """As `check_bounded`, of files. Raise `TlaError`."""
    subject = open_files(files)
    return BoundedResult(search_bounded(subject, steps, timeout, tell or (lambda text: None)), subject.model)


def check_bounded(
    model: Model | str | Path, steps: int, *, timeout: float = 1800.0, tell: Callable[[str], None] | None = None
) -> BoundedResult:
    """Look for a violation of invariants and step properties within `steps` steps of an initial state.

    `timeout`: seconds of a processor of its own, for all. `tell` is called with a line for each step looked at.

    Raise as `check`; `EvaluationError` also for what has no translation.
    """
    with typed_errors():
        return bounded(opened(model).files, steps, timeout, tell)
