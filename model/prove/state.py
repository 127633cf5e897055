"""States of which nothing is known but the types of the variables."""

from __future__ import annotations

from rmqproof.model.prove.fresh import Maker, constants_of
from rmqproof.model.prove.open_types import SomeElement
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.values import Value
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Atom, Enum, Function, Int, Type, all_parts, rebuilt


def unbounded(type_: Type, is_fixed: bool = False) -> Type:
    """The type without the bounds on numbers and lengths that a configuration brings.

    `is_fixed`: the configuration leaves nothing open, so a function that has the same arguments in all states has them.
    """
    if is_fixed and isinstance(type_, Function) and type_.total and constants_of(type_.key) is not None:
        return Function(type_.key, unbounded(type_.value, True), True)
    return Int() if isinstance(type_, Int) else rebuilt(type_, lambda part: unbounded(part, is_fixed))


def arbitrary_state(types: dict[core.Variable, Type], maker: Maker) -> list[Value]:
    """A state in which every variable has some value of its type. Raise `Untranslatable`, with the variable's place."""
    values = []
    for variable, type_ in types.items():
        try:
            values.append(maker.make(type_, variable.name))
        except Untranslatable as refusal:
            on_numbers = any(isinstance(p, Function) and isinstance(p.key, Int) for p in all_parts(type_))
            remedy = "A function on numbers is translated where the configuration leaves no constant open."
            located = refusal.located(variable.at)
            raise Untranslatable(located.construct, located.at, remedy if on_numbers else located.remedy) from None
    return values


def atoms_of(type_: Type) -> frozenset[Atom]:
    """The strings and model values in the type."""
    named = [part.atoms for part in all_parts(type_) if isinstance(part, Enum)]
    return frozenset().union(*named, *(part.others for part in all_parts(type_) if isinstance(part, SomeElement)))
