"""States of which nothing is known but the types of the variables."""

from __future__ import annotations

from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.open_types import SomeElement
from rmqproof.model.prove.values import Value
from rmqproof.model.tla import core
from rmqproof.model.types.domain import (
    Enum,
    Function,
    Int,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    join_all,
    members_of,
)


def unbounded(type_: Type) -> Type:
    """The type without the bounds on numbers and lengths that a configuration brings."""
    match type_:
        case Int():
            return Int()
        case Set():
            return Set(unbounded(type_.element))
        case Seq():
            return Seq(unbounded(type_.element))
        case Record():
            return Record(tuple((name, unbounded(field)) for name, field in type_.fields))
        case Tuple():
            return Tuple(tuple(unbounded(item) for item in type_.items))
        case Function():
            return Function(_key(type_.key), unbounded(type_.value), type_.total)
        case Union():
            return join_all([unbounded(member) for member in type_.members])
    return type_


def _key(type_: Type) -> Type:
    return type_ if isinstance(type_, Enum) else unbounded(type_)


def arbitrary_state(types: dict[core.Variable, Type], maker: Maker, suffix: str = "") -> list[Value]:
    """A state in which every variable has some value of its type. Raise `Untranslatable`."""
    return [maker.make(type_, variable.name + suffix) for variable, type_ in types.items()]


def atoms_of(type_: Type) -> frozenset[object]:
    """The strings and model values in the type."""
    match type_:
        case Enum():
            return frozenset(type_.atoms)
        case SomeElement():
            return frozenset(type_.others)
        case Set() | Seq():
            return atoms_of(type_.element)
        case Record():
            return frozenset().union(*(atoms_of(field) for _, field in type_.fields))
        case Tuple():
            return frozenset().union(*(atoms_of(item) for item in type_.items))
        case Function():
            return atoms_of(type_.key) | atoms_of(type_.value)
        case Union():
            return frozenset().union(*(atoms_of(member) for member in members_of(type_)))
    return frozenset()
