"""The Python engine's values to packed states: the inverse of `decode`, bit by bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rmqproof.model.evaluate.values import Boolean, ModelValue, Value, pairs_of
from rmqproof.model.types.domain import (
    Atom,
    Bool,
    Enum,
    Function,
    Int,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    cardinality,
    parts_of,
)

from .layout import FULL, WORD_BITS, Layout
from .packing import bits_of, length_bits
from .representation import PairTypes, Structures, domain_size, is_map
from .routines import Routines

REMEMBERED = 10_000
"""Values of variables of which the bits are remembered."""


class DoesNotFit(ValueError):
    """A value lies outside the bounds of a layout."""

    def __init__(self, value: object) -> None:
        super().__init__(f"the layout has no room for {value!r}")


class Encoder:
    """Writes states in one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.atoms = layout.atoms
        self.numbers = layout.atoms.numbers
        self.routines = Routines(Structures(layout.universe), layout.atoms)
        self._written: dict[tuple[int, Value], int] = {}
        """The bits of a variable's values: states that follow one another have most of them in common."""
        self._places: dict[Enum, dict[int, int]] = {}
        self._widths: dict[int, int] = {}
        """Bits by the identity of a type, all of which belong to the layout, or to `_pair_types`."""
        self._pair_types = PairTypes()

    def state(self, values: Sequence[Value]) -> tuple[int, ...]:
        """The packed words of these values of the variables. Raise `DoesNotFit`."""
        bits = 0
        layout = self.layout
        for number, (value, type_, (at, _)) in enumerate(zip(values, layout.types, layout.spans, strict=True)):
            written = self._written.get((number, value))
            if written is None:
                if len(self._written) >= REMEMBERED:
                    self._written.clear()
                written = self._written[number, value] = self._write(type_, value)
            bits |= written << at
        return tuple(bits >> WORD_BITS * i & FULL for i in range(layout.words))

    def misfit(self, values: Sequence[Value]) -> int:
        """The number of the variable of which the value, among these, the layout has no room for; -1: of none."""
        for number, (value, type_) in enumerate(zip(values, self.layout.types, strict=True)):
            try:
                self._write(type_, value)
            except (ValueError, KeyError, TypeError):
                return number
        return -1

    def _write(self, type_: Type, value: Value) -> int:
        """The bits of the value, from the lowest on."""
        match type_:
            case Int() | Bool() | Enum():
                return self.rank(type_, value)
            case Text():
                return self._atom(value)
            case Set() if self.routines.structures.universe_size(type_.element) is not None:
                return sum(1 << self.rank(type_.element, item) for item in _elements(value))
            case Set() | Seq():
                items, least = self._row_of(type_, value), type_.least if isinstance(type_, Seq) else 0
                if not least <= len(items) <= (type_.most or 0):
                    raise DoesNotFit(value)
                at, listed = length_bits(least, type_.most or 0), self.routines.structures.listed_size(type_.element)
                if isinstance(type_, Set) and listed is not None:
                    width = (listed - 1).bit_length()
                    bits = sum(self.rank(type_.element, item) << at + i * width for i, item in enumerate(items))
                else:
                    bits = self._row([(type_.element, item) for item in items], at)
                return bits | (len(items) - least)
            case Tuple() | Record():
                return self._row(list(zip(parts_of(type_), self._fields(type_, value), strict=True)), 0)
            case Function() if is_map(type_):
                row = sorted(_mapping(value).items(), key=lambda pair: self.atoms.order.key(pair[0]))
                return self._write(self._pair_types.of(type_), tuple(row))
            case Function():
                size, pairs = domain_size(type_), self._pairs(type_, value)
                at = 0 if type_.total else size
                bits = 0 if type_.total else sum(1 << rank for rank in pairs)
                if type_.total and len(pairs) != size:
                    raise DoesNotFit(value)
                width = self._width(type_.value)
                for rank, item in pairs.items():
                    bits |= self._write(type_.value, item) << at + rank * width
                return bits
            case Union():
                tag, inner = self._member(type_, value, self._write)
                return tag | int(inner) << length_bits(0, len(type_.members) - 1)
        raise DoesNotFit(value)

    def _row(self, items: list[tuple[Type, Value]], at: int) -> int:
        bits = 0
        for type_, item in items:
            bits |= self._write(type_, item) << at
            at += self._width(type_)
        return bits

    def _width(self, type_: Type) -> int:
        width = self._widths.get(id(type_))
        if width is None:
            width = self._widths[id(type_)] = bits_of(self.routines, type_)
        return width

    # --- the parts of values ------------------------------------------------------------------------------------

    def _atom(self, value: Value) -> int:
        atom = Atom(value.name, True) if isinstance(value, ModelValue) else Atom(value)
        if not isinstance(value, str | ModelValue) or atom not in self.numbers:
            raise DoesNotFit(value)
        return self.numbers[atom]

    def _places_of(self, type_: Enum) -> dict[int, int]:
        """By the number of an atom, which of the type's it is."""
        if type_ not in self._places:
            inside = sorted(self.numbers[atom] for atom in type_.atoms)
            self._places[type_] = {number: place for place, number in enumerate(inside)}
        return self._places[type_]

    def _row_of(self, type_: Set | Seq, value: Value) -> Sequence[Value]:
        """The elements in the order in which they are packed."""
        if isinstance(type_, Set):
            return sorted(_elements(value), key=self.atoms.order.key)
        if not _is_tuple(value):
            raise DoesNotFit(value)
        return value  # type: ignore[no-any-return]

    def _fields(self, type_: Tuple | Record, value: Value) -> list[Value]:
        if isinstance(type_, Tuple):
            if not _is_tuple(value) or len(value) != len(type_.items):
                raise DoesNotFit(value)
            return list(value)
        pairs = _mapping(value)
        if tuple(sorted(pairs, key=str)) != tuple(sorted(type_.names)):
            raise DoesNotFit(value)
        return [pairs[name] for name in type_.names]

    def _pairs(self, type_: Function, value: Value) -> dict[int, Value]:
        """The values by the rank of their keys, in that order."""
        return dict(sorted((self.rank(type_.key, key), item) for key, item in _mapping(value).items()))

    def _member(self, type_: Union, value: Value, write: Any) -> tuple[int, Any]:
        """The member of the union that takes the value, and what `write` makes of it there."""
        for tag, member in enumerate(type_.members):
            try:
                return tag, write(member, value)
            except DoesNotFit:
                continue
        raise DoesNotFit(value)

    # --- universes ----------------------------------------------------------------------------------------------

    def rank(self, type_: Type, value: Value) -> int:
        """The place of the value in its universe."""
        match type_:
            case Int() if type(value) is int:
                if (type_.low is None or value >= type_.low) and (type_.high is None or value <= type_.high):
                    return value - (type_.low or 0)
            case Bool() if isinstance(value, Boolean):
                return int(bool(value))
            case Enum():
                place = self._places_of(type_).get(self._atom(value))
                if place is not None:
                    return place
            case Set():
                return sum(1 << self.rank(type_.element, item) for item in _elements(value))
            case Tuple() | Record():
                rank = 0
                items, fields = parts_of(type_), self._fields(type_, value)
                for i in self.atoms.part_order(type_):
                    rank = rank * (cardinality(items[i]) or 1) + self.rank(items[i], fields[i])
                return rank
            case Function():
                return self._rank_of_function(type_, value)
            case Seq() if _is_tuple(value) and type_.least <= len(value) <= (type_.most or 0):
                size = cardinality(type_.element) or 0
                rank = 0
                for item in value:
                    rank = rank * size + self.rank(type_.element, item)
                return sum(int(size**n) for n in range(type_.least, len(value))) + rank
            case Union():
                tag, rank = self._member(type_, value, self.rank)
                order = self.atoms.member_order(type_)
                before = order[: order.index(tag)]
                return sum(cardinality(type_.members[i]) or 0 for i in before) + int(rank)
        raise DoesNotFit(value)

    def _rank_of_function(self, type_: Function, value: Value) -> int:
        pairs, size, values = self._pairs(type_, value), domain_size(type_), cardinality(type_.value) or 0
        if type_.total and len(pairs) != size:
            raise DoesNotFit(value)
        rank = 0
        for key in range(size):
            if type_.total:
                rank = rank * values + self.rank(type_.value, pairs[key])
            else:
                rank = rank * (values + 1) + (1 + self.rank(type_.value, pairs[key]) if key in pairs else 0)
        return rank


def _is_tuple(value: Value) -> bool:
    return type(value) is tuple


def _elements(value: Value) -> frozenset[Value]:
    if not isinstance(value, frozenset):
        raise DoesNotFit(value)
    return value


def _mapping(value: Value) -> dict[Value, Value]:
    if not isinstance(value, tuple):
        raise DoesNotFit(value)
    return dict(pairs_of(value))
