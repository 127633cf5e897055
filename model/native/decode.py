"""Packed states back to the Python engine's values."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.evaluate.values import Value, boolean, function, model_value
from rmqproof.model.types.domain import (
    Atom,
    Bool,
    Enum,
    Function,
    Int,
    Nothing,
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

from .arguments import NUMBER_BITS, Signature
from .layout import WORD_BITS, Layout
from .packing import bits_of, length_bits
from .representation import PairTypes, Structures, domain_size, is_map
from .routines import Routines

MOST_KNOWN = 1 << 16
"""Values of a type that are kept before all are forgotten."""


class Decoder:
    """Reads the states of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.atoms = list(layout.atoms.numbers)
        self.routines = Routines(Structures(layout.universe), layout.atoms)
        self._tables: dict[int, tuple[Type, int, dict[int, Value]]] = {}
        """Of each type its bits, and the values that were met: states have most of their parts in common."""
        self._pair_types = PairTypes()

    def state(self, words: Sequence[int]) -> tuple[Value, ...]:
        """The values of the variables, in their order."""
        bits = 0
        for i, word in enumerate(words):
            bits |= word << (WORD_BITS * i)
        return tuple([self.variable(place, bits >> at) for place, (at, _) in enumerate(self.layout.spans)])

    def variable(self, place: int, bits: int) -> Value:
        """The value of the variable at this place of the layout, which begins with the lowest bit."""
        return self._read(self.layout.types[place], bits)[0]

    def arguments(self, words: Sequence[int], signatures: Sequence[Signature]) -> tuple[Value, ...] | None:
        """The values of an action's arguments; None where they have no packed form."""
        bits = 0
        for i, word in enumerate(words):
            bits |= word << (WORD_BITS * i)
        signature = signatures[bits & ((1 << NUMBER_BITS) - 1)]
        return tuple(self._row(signature, bits >> NUMBER_BITS)) if signature is not None else None

    def _read(self, type_: Type, bits: int) -> tuple[Value, int]:
        """The value in the lowest bits, and how many bits it takes; the same bits give the same object."""
        table = self._tables.get(id(type_))
        if table is None:  # which keeps the type, so that its id stays its own
            table = self._tables[id(type_)] = (type_, bits_of(self.routines, type_), {})
        _, width, known = table
        low = bits & ((1 << width) - 1)
        value = known.get(low, known)
        if value is known:
            if len(known) >= MOST_KNOWN:
                known.clear()
            value = known[low] = self._value(type_, low, width)
        return value, width

    def _value(self, type_: Type, low: int, width: int) -> Value:
        match type_:
            case Int() | Bool() | Enum():
                return self.unrank(type_, low)
            case Text():
                return _atom(self.atoms[low])
            case Set() if self.routines.structures.universe_size(type_.element) is not None:
                return frozenset(self.unrank(type_.element, i) for i in range(width) if low >> i & 1)
            case Set() | Seq():
                least = type_.least if isinstance(type_, Seq) else 0
                at = length_bits(least, type_.most or 0)
                count = least + (low & ((1 << at) - 1))
                items = []
                listed = self.routines.structures.listed_size(type_.element) if isinstance(type_, Set) else None
                for _ in range(count):
                    if listed is not None:
                        size = (listed - 1).bit_length()
                        item = self.unrank(type_.element, low >> at & (1 << size) - 1)
                    else:
                        item, size = self._read(type_.element, low >> at)
                    items.append(item)
                    at += size
                return tuple(items) if isinstance(type_, Seq) else frozenset(items)
            case Tuple():
                return tuple(self._row(type_.items, low))
            case Record():
                values = self._row(tuple(t for _, t in type_.fields), low)
                return function(dict(zip(type_.names, values, strict=True)))
            case Function() if is_map(type_):
                return function(dict(self._read(self._pair_types.of(type_), low)[0]))
            case Function():
                size, at, pairs = domain_size(type_), 0, {}
                present = (1 << size) - 1
                if not type_.total:
                    present, at = low & present, size
                for i in range(size):
                    value, taken = self._read(type_.value, low >> at)
                    at += taken
                    if present >> i & 1:
                        pairs[self.unrank(type_.key, i)] = value
                return function(pairs)
            case Union():
                at = length_bits(0, len(type_.members) - 1)
                return self._read(type_.members[low & ((1 << at) - 1)], low >> at)[0]
        raise TypeError(type_)

    def _row(self, items: tuple[Type, ...], bits: int) -> list[Value]:
        values = []
        for item in items:
            value, size = self._read(item, bits)
            bits >>= size
            values.append(value)
        return values

    def unrank(self, type_: Type, rank: int) -> Value:
        """The value at this place of its universe."""
        match type_:
            case Int():
                return rank + (type_.low or 0)
            case Bool():
                return boolean(bool(rank))
            case Enum():
                inside = sorted(type_.atoms, key=lambda atom: self.layout.atoms.numbers[atom])
                return _atom(inside[rank]) if rank < len(inside) else None
            case Set():
                size = cardinality(type_.element) or 0
                return frozenset(self.unrank(type_.element, i) for i in range(size) if rank >> i & 1)
            case Tuple():
                return tuple(self._digits(type_, rank))
            case Record():
                values = self._digits(type_, rank)
                return function(dict(zip(type_.names, values, strict=True)))
            case Function():
                value, pairs = cardinality(type_.value) or 0, {}
                for i in reversed(range(domain_size(type_))):
                    if type_.total:
                        pairs[self.unrank(type_.key, i)] = self.unrank(type_.value, rank % value)
                        rank //= value
                    else:
                        digit = rank % (value + 1)
                        rank //= value + 1
                        if digit:
                            pairs[self.unrank(type_.key, i)] = self.unrank(type_.value, digit - 1)
                return function(pairs)
            case Seq():
                size, length = cardinality(type_.element) or 0, type_.least
                while rank >= size**length:
                    rank -= size**length
                    length += 1
                items: list[Value] = []
                for _ in range(length):
                    items.append(self.unrank(type_.element, rank % size))
                    rank //= size
                return tuple(reversed(items))
            case Union():
                for i in self.layout.atoms.member_order(type_):
                    size = cardinality(type_.members[i]) or 0
                    if rank < size:
                        return self.unrank(type_.members[i], rank)
                    rank -= size
            case Nothing():
                return None
        raise TypeError(type_)

    def _digits(self, type_: Tuple | Record, rank: int) -> list[Value]:
        items = parts_of(type_)
        values: list[Value] = [None] * len(items)
        for i in reversed(self.layout.atoms.part_order(type_)):
            size = cardinality(items[i]) or 1
            values[i] = self.unrank(items[i], rank % size)
            rank //= size
        return values


def _atom(atom: Atom) -> Value:
    return model_value(atom.name) if atom.is_model else atom.name
