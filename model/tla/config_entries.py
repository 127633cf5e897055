"""What TLC configurations (`.cfg`) say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, Source


@dataclass(frozen=True, slots=True)
class Name:
    """A name that the configuration mentions, `I!Op` in one piece."""

    text: str
    at: Location


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name = value`, `name(arguments) = value`, or with `module`: `name = [module] value`."""

    name: Name
    arguments: tuple[core.Expression, ...]
    value: core.Expression
    module: Name | None = None


@dataclass(frozen=True, slots=True)
class Replacement:
    """`name <- by`, or with `module`: `name <- [module] by`."""

    name: Name
    by: Name
    module: Name | None = None


@dataclass(slots=True)
class Config:
    """What a configuration says; nothing is checked against a specification yet.

    `single` maps SPECIFICATION, INIT, NEXT, SYMMETRY, VIEW and ALIAS to a name; `lists` maps INVARIANTS, PROPERTIES,
    CONSTRAINTS, ACTION_CONSTRAINTS, POSTCONDITIONS and _POSSIBLE to names. `model_values`, and the `atoms`: those
    and strings, are in the order of the text.
    `expectation` is the text after `\\* EXPECT`, `description` the first comment without such lines.
    """

    source: Source
    assignments: list[Assignment] = field(default_factory=list)
    replacements: list[Replacement] = field(default_factory=list)
    single: dict[str, Name] = field(default_factory=dict)
    lists: dict[str, list[Name]] = field(default_factory=dict)
    check_deadlock: bool | None = None
    model_values: list[str] = field(default_factory=list)
    atoms: list[str] = field(default_factory=list)
    expectation: str = ""
    description: str = ""

    def names(self, section: str) -> Sequence[Name]:
        return self.lists.get(section, ())
