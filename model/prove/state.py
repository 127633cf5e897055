"""States of which nothing is known but the types of the variables."""

from __future__ import annotations

from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.open_types import SomeElement
from rmqproof.model.prove.values import Value
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Atom, Enum, Int, Type, all_parts, rebuilt


def unbounded(type_: Type) -> Type:
    """The type without the bounds on numbers and lengths that a configuration brings."""
    return Int() if isinstance(type_, Int) else rebuilt(type_, unbounded)


def arbitrary_state(types: dict[core.Variable, Type], maker: Maker) -> list[Value]:
    """A state in which every variable has some value of its type. Raise `Untranslatable`."""
    return [maker.make(type_, variable.name) for variable, type_ in types.items()]


def atoms_of(type_: Type) -> frozenset[Atom]:
    """The strings and model values in the type."""
    named = [part.atoms for part in all_parts(type_) if isinstance(part, Enum)]
    return frozenset().union(*named, *(part.others for part in all_parts(type_) if isinstance(part, SomeElement)))
