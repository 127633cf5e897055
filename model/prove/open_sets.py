"""What is known of a value that has elements of open sets in it.

It is said of every value of the type, so it must hold of some value even where such a set is empty.
"""

from __future__ import annotations

from collections.abc import Mapping

import z3

from rmqproof.model.prove.logic import Truth, conjunction, disjunction, negation
from rmqproof.model.prove.open_types import SomeElement
from rmqproof.model.prove.values import AtomValue, SetValue, Value, atom_sort, same_atom
from rmqproof.model.types.domain import Record, Tuple, Type

OpenSets = Mapping[str, SetValue]
"""By the names of the constants."""


def is_typed(value: Value, type_: Type, sets: OpenSets) -> Truth:
    """That the value's parts are elements of open sets, or one of the other names, where they are by its type."""
    match type_:
        case SomeElement():
            others = [same_atom(value, AtomValue.of(atom)) for atom in sorted(type_.others)]
            return disjunction([*(sets[name].contains(value) for name in sorted(type_.sets)), *others])
        case Record():
            return conjunction(is_typed(value.fields[name], t, sets) for name, t in type_.fields)
        case Tuple():
            return conjunction(is_typed(value.at(i), t, sets) for i, t in enumerate(type_.items, 1))
    return True


def is_one(value: AtomValue, type_: SomeElement, sets: OpenSets) -> Truth:
    """The same of a value that there must be: where its sets are empty and it has no other names, any will do."""
    if type_.others:
        return is_typed(value, type_, sets)
    nobody = conjunction(negation(sets[name].contains(first(name))) for name in sorted(type_.sets))
    return disjunction([is_typed(value, type_, sets), nobody])


def first(name: str) -> AtomValue:
    """An element of the set if there is any, by `subject.has_first`."""
    return AtomValue(z3.Const(f"some {name}", atom_sort()))
