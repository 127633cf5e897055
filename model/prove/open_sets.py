"""What is known of a value that has elements of open sets in it.

It is said of every value of the type, so it must hold of some value even where such a set is empty.
"""

from __future__ import annotations

from collections.abc import Mapping

import z3

from rmqproof.model.prove.logic import Truth, conjunction, disjunction, negation
from rmqproof.model.prove.merge import equal, quantify
from rmqproof.model.prove.open_types import SomeElement
from rmqproof.model.prove.sets import ArraySet
from rmqproof.model.prove.values import AtomValue, Value, atom_sort
from rmqproof.model.types.domain import Record, Text, Tuple, Type

OpenSets = Mapping[str, ArraySet]
"""By the names of the constants."""


def open_set(name: str) -> ArraySet:
    """Some finite set of names, as the value of this constant."""
    array = z3.Const(name, z3.ArraySort(atom_sort(), z3.BoolSort()))
    return ArraySet(Text(), array, is_finite=True, whole=name)


def is_typed(value: Value, type_: Type, sets: OpenSets) -> Truth:
    """That the value's parts are elements of open sets, or one of the other names, where they are by its type."""
    match type_:
        case SomeElement():
            others = [equal(value, AtomValue.of(atom)) for atom in sorted(type_.others)]
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
    nobody = conjunction(negation(sets[name].contains(_first(name))) for name in sorted(type_.sets))
    return disjunction([is_typed(value, type_, sets), nobody])


def has_first(name: str, whole: ArraySet) -> Truth:
    """What makes `_first` an element: without it nothing may be said of every value, for there may be none to be it."""
    return quantify(True, whole, lambda x: whole.contains(_first(name)))


def _first(name: str) -> AtomValue:
    """An element of the set if there is any, by `has_first`."""
    return AtomValue(z3.Const(f"some {name}", atom_sort()))
