"""Whether a value fits into one whose sequences and sets have room for so much only."""

from __future__ import annotations

from rmqproof.model.prove.fresh import constants_of, one_of
from rmqproof.model.prove.logic import Truth, at_most, conjunction, disjunction, implication
from rmqproof.model.prove.merge import equal
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sets import FiniteSet, SetValue, cardinality
from rmqproof.model.prove.values import (
    AtomValue,
    Entry,
    FunctionValue,
    Items,
    RecordValue,
    SequenceValue,
    Value,
)
from rmqproof.model.tla.types.domain import Function, Int, Record, Seq, Set, Tuple, Type


def longest_in(value: Value) -> int:
    """How long a sequence in the value may be. Raise `Untranslatable` where that is not known."""
    match value:
        case SequenceValue():
            most = value.length if isinstance(value.length, int) else value.most
            if most is None:
                raise Untranslatable("a sequence that may have any length, in a search of bounded depth")
            return max([most, *(longest_in(value.at(index)) for index in range(1, most + 1))])
        case RecordValue():
            return max((longest_in(field) for field in value.fields.values()), default=0)
        case FunctionValue():
            return max((longest_in(entry.value) for entry in value.entries), default=0)
        case SetValue():
            return max((longest_in(member) for _, member in _elements(value)), default=0)
    return 0


def fitting(room: Value, value: Value, type_: Type) -> Truth:
    """That what `room`, a value of constants that was made for the type, may be includes `value`."""
    match room, value, type_:
        case AtomValue(), AtomValue(), _:
            return one_of(value, type_)
        case SequenceValue(), SequenceValue(), _:
            return _fitting_sequence(room, value, type_)
        case RecordValue(), RecordValue(), Record():
            if set(room.fields) != set(value.fields):
                return False
            return conjunction(fitting(room.fields[name], value.fields[name], field) for name, field in type_.fields)
        case FunctionValue(), FunctionValue(), Function():
            return conjunction(
                implication(entry.present, _fitting_entry(room, entry, type_.value)) for entry in value.entries
            )
        case FiniteSet(), SetValue(), Set():
            return _fitting_set(room, value, type_.element)
    return True


def _fitting_sequence(room: SequenceValue, value: SequenceValue, type_: Type) -> Truth:
    most = room.length if isinstance(room.length, int) else room.most
    assert most is not None
    known = room.at.items if isinstance(room.at, Items) else ()
    parts = []
    for index, item in enumerate(known, 1):
        if value.most is None or index <= value.most:
            element = type_.items[index - 1] if isinstance(type_, Tuple) else _element_of(type_)
            parts.append(implication(at_most(index, value.length), fitting(item, value.at(index), element)))
    return conjunction([at_most(value.length, most), *parts])


def _element_of(type_: Type) -> Type:
    assert isinstance(type_, Seq)
    return type_.element


def _fitting_entry(room: FunctionValue, entry: Entry, type_: Type) -> Truth:
    return disjunction(
        conjunction([equal(place.key, entry.key), fitting(place.value, entry.value, type_)]) for place in room.entries
    )


def _fitting_set(room: FiniteSet, value: SetValue, type_: Type) -> Truth:
    """The members of the room are either all values that there are, or constants that may be any of their type."""
    places = [member for _, member in room.members]
    elements = _elements(value)
    if isinstance(type_, Int) or constants_of(type_) is not None:
        return conjunction(
            implication(guard, disjunction(equal(place, member) for place in places)) for guard, member in elements
        )
    each = [implication(guard, fitting(places[0], member, type_)) for guard, member in elements]
    number = cardinality(value) if len(elements) > len(places) else len(elements)
    return conjunction([at_most(number, len(places)), *each])


def _elements(value: SetValue) -> list[tuple[Truth, Value]]:
    elements = value.elements()
    if elements is None:
        raise Untranslatable("a set whose elements cannot be listed, in a search of bounded depth")
    return elements
