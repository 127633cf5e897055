"""The types of the elements of open sets: constants of which nothing is known but that they are finite sets of names.

Under the configuration such a constant has the elements that it gives, and types are inferred from those. What has one
of them there has an element of the set in any other, or another of the names that it has there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rmqproof.model.types.domain import Atom, Enum, Function, Text, Type, rebuilt

Configured = Mapping[str, frozenset[Atom]]
"""The open sets, by the names of the constants: what the configuration has in each. They have nothing in common."""


@dataclass(frozen=True, slots=True)
class SomeElement(Text):
    """An element of one of these open sets, or one of these names. What it is joined with but itself makes it any."""

    sets: frozenset[str]
    others: frozenset[Atom]


@dataclass(frozen=True, slots=True)
class EveryElement(Text):
    """As the keys of a total function: its domain is this open set, and no other set of names."""

    of: str


def opened(type_: Type, sets: Configured) -> Type:
    """The type with any elements of open sets where it has some that the configuration gives.

    What else it has it keeps, and strings even where elements are called so: the module may name those itself.
    """
    match type_:
        case Enum():
            named = frozenset(name for name, atoms in sets.items() if type_.atoms & atoms)
            elements = frozenset[Atom]().union(*(sets[name] for name in named))
            others = frozenset(atom for atom in type_.atoms if atom not in elements or not atom.is_model)
            return SomeElement(named, others) if named else type_
        case Function():
            whole = next((name for name, atoms in sets.items() if type_.key == Enum(atoms)), None)
            key = opened(type_.key, sets) if whole is None else EveryElement(whole)
            return Function(key, opened(type_.value, sets), type_.total)
    return rebuilt(type_, lambda part: opened(part, sets))
