"""What kinds of values one may be: a set may have records with different fields, or numbers and a model value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from rmqproof.model.prove.logic import Truth, conjunction, disjunction
from rmqproof.model.prove.merge import Items, equal, is_number, is_truth, tuple_of
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.values import (
    AtomValue,
    FunctionValue,
    MapValue,
    RecordValue,
    SequenceValue,
    SetValue,
    UnionValue,
    Value,
    is_untyped,
)
from rmqproof.model.types.domain import Atom, Bool, Enum, Function, Int, Record, Set, Text, Tuple, Type, Union

_MOST_SHAPES = 64


@dataclass(frozen=True, slots=True)
class Known(Enum):
    """The one string or model value that stands in values of this shape: by it they are told from others at once."""

    @property
    def atom(self) -> Atom:
        return min(self.atoms)


def shapes_of(type_: Type) -> list[Type]:
    """The types without alternatives that a value of the type may have, but for those within its sets and functions.

    Raise `Untranslatable` where there are many.
    """
    shapes = list(islice(_shapes_of(type_), _MOST_SHAPES + 1))
    if len(shapes) > _MOST_SHAPES:
        raise Untranslatable(f"a value that may have more than {_MOST_SHAPES} shapes")
    return [type_] if len(shapes) == 1 else shapes


def _shapes_of(type_: Type) -> Iterator[Type]:
    match type_:
        case Union():
            for member in type_.members:
                yield from _shapes_of(member)
        case Record():
            for row in product(*(_shapes_of(field_type) for _, field_type in type_.fields)):
                yield Record(tuple(zip(type_.names, row, strict=True)))
        case Tuple():
            yield from map(Tuple, product(*map(_shapes_of, type_.items)))
        case Enum() if len(type_.atoms) == 1:
            yield Known(type_.atoms)
        case _:
            yield type_


def shaped(value: Value) -> list[tuple[Truth, Value]]:
    """The values without alternatives that a value may be, and when; those in its sets and functions are left alone."""
    if isinstance(value, UnionValue):
        return [
            (conjunction([guard, here]), each)
            for guard, alternative in value.alternatives
            for here, each in shaped(alternative)
        ]
    if isinstance(value, RecordValue):
        fields = {name: shaped(part) for name, part in value.fields.items()}
        if all(len(parts) == 1 for parts in fields.values()):
            return [(True, value)]
        rows = [(g, dict(zip(fields, row, strict=True))) for g, row in _rows(list(fields.values()))]
        return [(guard, RecordValue(row)) for guard, row in rows]
    if isinstance(value, SequenceValue) and isinstance(value.at, Items) and isinstance(value.length, int):
        items = [shaped(part) for part in value.at.items[: value.length]]
        if any(len(parts) > 1 for parts in items):
            return [(guard, tuple_of(row)) for guard, row in _rows(items)]
    return [(True, value)]


def _rows(parts: list[list[tuple[Truth, Value]]]) -> Iterator[tuple[Truth, tuple[Value, ...]]]:
    for row in product(*parts):
        guard = conjunction(guard for guard, _ in row)
        if guard is not False:
            yield guard, tuple(value for _, value in row)


def places_of(value: Value, shapes: Sequence[Type]) -> list[tuple[Truth, int]]:
    """Which of the shapes a value may have, and when.

    Raise `Untranslatable` where TLA+ does not say whether it has one.
    """
    places = [place for place, shape in enumerate(shapes) if _has_shape(value, shape)]
    if not places and not all(_surely_differs(value, shape) for shape in shapes):
        raise Untranslatable("an element of another kind than the set has")
    return [(_fits(value, shapes[place]), place) for place in places]


def _fits(value: Value, shape: Type) -> Truth:
    """When a value of such a kind is one of the type, as far as that is a matter of its strings and model values."""
    if isinstance(value, AtomValue) and isinstance(shape, Enum):
        is_inside = value.among is not None and value.among <= shape.atoms
        return is_inside or disjunction(equal(value, AtomValue.of(atom)) for atom in sorted(shape.atoms))
    if isinstance(value, RecordValue) and isinstance(shape, Record):
        return conjunction(_fits(value.fields[name], field_type) for name, field_type in shape.fields)
    if isinstance(value, SequenceValue) and isinstance(shape, Tuple):
        return conjunction(_fits(value.at(i), item) for i, item in enumerate(shape.items, 1))
    return True


def _has_shape(value: Value, shape: Type) -> bool:
    """Whether the value may be one of the type, by its kind and by what strings and model values are known."""
    match shape:
        case Bool():
            return is_truth(value)
        case Int():
            return is_number(value)
        case Enum():
            return isinstance(value, AtomValue) and (value.known is None or value.known in shape.atoms)
        case Text():
            return isinstance(value, AtomValue)
        case Record():
            if not isinstance(value, RecordValue) or set(value.fields) != set(shape.names):
                return False
            return all(_has_shape(value.fields[name], field_type) for name, field_type in shape.fields)
        case Tuple():
            if not isinstance(value, SequenceValue) or value.length != len(shape.items):
                return False
            return all(_has_shape(value.at(i), item) for i, item in enumerate(shape.items, 1))
        case Set():
            return isinstance(value, SetValue)
        case Function():
            return isinstance(value, RecordValue | SequenceValue | FunctionValue | MapValue)
    return isinstance(value, SequenceValue | FunctionValue | MapValue)


def _surely_differs(value: Value, shape: Type) -> bool:
    """Whether the value is different from all of the type, as TLA+ or TLC says; of other kinds they do not say."""
    if isinstance(value, RecordValue) and isinstance(shape, Record):
        if set(value.fields) != set(shape.names):
            return True
        return any(_surely_differs(value.fields[name], field_type) for name, field_type in shape.fields)
    if isinstance(value, SequenceValue) and isinstance(shape, Tuple):
        if not isinstance(value.length, int) or value.length != len(shape.items):
            return isinstance(value.length, int)
        return any(_surely_differs(value.at(i), item) for i, item in enumerate(shape.items, 1))
    if isinstance(shape, Enum):
        if isinstance(value, AtomValue):
            return value.known is not None and value.known not in shape.atoms
        return all(map(is_untyped, shape.atoms))
    return isinstance(value, AtomValue) and value.is_model and not isinstance(shape, Text)
