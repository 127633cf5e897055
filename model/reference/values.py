"""TLA+ values, by extension.

    integer, string     Python's int and str
    TRUE, FALSE         the two `Truth`s (Python's True equals 1)
    model value         `Atom`
    finite set          frozenset of values
    function            `Fun`; a tuple, a sequence and a record are functions (*Specifying Systems* 16.1.7, 16.1.9)

Two values are equal when they have the same parts. Where TLC refuses to compare, `equal` raises (`tlc2.value.impl`: the
methods `equals`). `Order` is TLC's order of values (the methods `compareTo`), which CHOOSE and \\E go by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cmp_to_key
from itertools import combinations, count
from typing import Any

from .problems import EvaluationError, NotInReference

Value = Any


class Truth(Enum):
    """TRUE and FALSE."""

    FALSE = 0
    TRUE = 1

    def __repr__(self) -> str:
        return self.name


def truth(holds: bool) -> Truth:
    return Truth.TRUE if holds else Truth.FALSE


@dataclass(frozen=True, slots=True)
class Atom:
    """A model value: equal to itself only. `A_1` has the type `A`, and compares with its type only."""

    name: str

    @property
    def type(self) -> str:
        name = self.name
        return name[0] if len(name) > 2 and name[1] == "_" and name[0].isalpha() else ""

    def __repr__(self) -> str:
        return self.name


class Fun:
    """A function, given by its graph."""

    __slots__ = ("_hash", "_shape", "graph")

    def __init__(self, graph: Mapping[Value, Value]) -> None:
        self.graph = graph
        self._hash: int | None = None
        self._shape: Any = ...

    @property
    def shape(self) -> Any:
        """See `_shape`."""
        if self._shape is ...:
            shapes = {key: _shape(value) for key, value in self.graph.items()}
            self._shape = None if None in shapes.values() else (Fun, frozenset(shapes.items()))
        return self._shape

    def __eq__(self, other: object) -> bool:
        return type(other) is Fun and self.graph == other.graph

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.graph.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Fun({dict(self.graph)!r})"


def sequence(items: Iterable[Value]) -> Fun:
    """The tuple or sequence with these items: a function on 1..n."""
    return Fun(dict(enumerate(items, 1)))


def items_of(value: Value) -> list[Value] | None:
    """The items of a sequence; None where the value is none."""
    if type(value) is not Fun:
        return None
    count = len(value.graph)
    if any(type(key) is not int or not 1 <= key <= count for key in value.graph):
        return None
    return [value.graph[index] for index in range(1, count + 1)]


_KINDS = {
    Truth: "Boolean",
    int: "integer",
    str: "string",
    Atom: "model value",
    frozenset: "set",
    Fun: "function",
}


def kind(value: Value) -> str:
    return _KINDS.get(type(value), "set")


def is_record(value: Value) -> bool:
    return type(value) is Fun and bool(value.graph) and all(type(key) is str for key in value.graph)


def show(value: Value) -> str:
    """For messages."""
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "..."


_REMEMBERED = 10_000
"""Sets of which an `Order` knows in which order their elements are."""
_LOOKS = 10_000
"""Values that are looked at to find out whether two can be compared in any order."""


# --- equality ----------------------------------------------------------------------------------------------


def equal(a: Value, b: Value, order: Order) -> bool:
    """a = b. Raise `EvaluationError` where the two cannot be compared."""
    if type(a) is Atom or type(b) is Atom:
        _typed(a, b)
        _typed(b, a)
        return bool(a == b)
    if kind(a) != kind(b):
        raise EvaluationError(f"{show(a)} and {show(b)} cannot be compared")
    if a == b:
        return True
    if _simple(a, b):
        return False
    if kind(a) == "set" and not (type(a) is type(b) is frozenset):
        raise EvaluationError(f"{show(a)} and {show(b)} cannot be compared: one cannot be enumerated")
    if type(a) is frozenset:  # both are sorted first (`SetEnumValue.equals`)
        left, right = order.sorted(a), order.sorted(b)
        return len(left) == len(right) and _same(left, right, order)
    if type(a) is Fun and len(a.graph) == len(b.graph):
        keys = order.sorted(a.graph)
        return _same(keys, order.sorted(b.graph), order) and _same(
            [a.graph[key] for key in keys], [b.graph[key] for key in keys], order
        )
    if type(a) is Fun and (is_record(a) and b.graph and not is_record(b)):
        # TLC has an error if it was written as a record (`RecordValue.equals`), else FALSE (`FcnRcdValue.equals`)
        raise NotInReference(f"whether the record or function {show(a)} is {show(b)}")
    return False


def _simple(a: Value, b: Value) -> bool:
    """Whether all that is in the two is of one kind, place by place, so that no order of comparing them is an error.
    False, too, where that takes long to find out."""
    shape = _shape(a)
    if shape is not None and shape == _shape(b):
        return True
    left = count(_LOOKS, -1)

    def simple(a: Value, b: Value) -> bool:
        if type(a) is not type(b) or next(left) < 0:
            return False
        if type(a) is Atom:
            return not a.type and not b.type
        if type(a) is Fun:
            return a.graph.keys() == b.graph.keys() and all(simple(a.graph[key], b.graph[key]) for key in a.graph)
        if type(a) is frozenset:
            some = next(iter(a or b), None)
            return all(simple(some, item) for items in (a, b) for item in items)
        return type(a) in (int, str, Truth)

    return simple(a, b)


def alike(items: frozenset[Value]) -> bool:
    """Whether it is known that the elements are of one shape, so that no comparison of two of them is an error."""
    return not items or _shape(items) is not None


def _shape(value: Value) -> Any:
    """Values of one shape have parts of one kind, place by place, each set elements of one shape. None: it has none."""
    if type(value) is Fun:
        return value.shape
    if type(value) is frozenset:
        shapes = {_shape(item) for item in value}
        return None if len(shapes) > 1 or None in shapes else (frozenset, *shapes)
    if type(value) is Atom:
        return None if value.type else Atom
    return type(value) if type(value) in (int, str, Truth) else None


def _same(a: Sequence[Value], b: Sequence[Value], order: Order) -> bool:
    """Whether these are equal one by one, up to the first two that are not."""
    return all(equal(x, y, order) for x, y in zip(a, b, strict=True))


def _typed(a: Value, b: Value) -> None:
    """`ModelValue.equals`: a typed model value compares with its own type and with untyped ones."""
    if type(a) is Atom and a.type and not (type(b) is Atom and b.type in ("", a.type)):
        raise EvaluationError(f"the typed model value {a} cannot be compared with {show(b)}")


# --- order -------------------------------------------------------------------------------------------------


class Order:
    """TLC's order. Strings and model values come in the order of `words`, others after them by name.

    Source: `UniqueString.compareTo`; for the rest the methods `compareTo` of `tlc2.value.impl`: sets by their number of
    elements and then one by one, functions by their number of arguments, then the arguments, then the values.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._places = {word: place for place, word in enumerate(words)}
        self._sorted: dict[frozenset[Value], list[Value]] = {}

    def sorted(self, values: Iterable[Value]) -> Sequence[Value]:
        """Raise `EvaluationError` where two of the values cannot be compared. What sets were last is remembered."""
        if type(values) is not frozenset:
            return self._in_order(list(values))
        if values not in self._sorted:
            if len(self._sorted) >= _REMEMBERED:
                self._sorted.clear()
            self._sorted[values] = self._in_order(list(values))
        return self._sorted[values]

    def _in_order(self, items: list[Value]) -> list[Value]:
        if all(type(item) is int for item in items):
            return sorted(items)
        if all(type(item) is str for item in items):
            return sorted(items, key=self._place)
        if all(type(item) is Atom and not item.type for item in items):
            return sorted(items, key=lambda atom: self._place(atom.name))
        if any(type(item) is Atom and item.type for item in items):
            for a, b in combinations(items, 2):  # there may be one between two that cannot be compared
                self.compare(a, b)
        return sorted(items, key=cmp_to_key(self.compare))

    def put_in_order(self, value: Value) -> None:
        """What TLC does to a value of a state before it looks it up (`fingerPrint`, `deepNormalize`): the elements of
        each set in it, and the arguments of each function, are sorted. Raise `EvaluationError` where two cannot be."""
        if type(value) is frozenset:
            for item in self.sorted(value):
                self.put_in_order(item)
        elif type(value) is Fun:
            for key in self.sorted(value.graph):
                self.put_in_order(key)
                self.put_in_order(value.graph[key])

    def compare(self, a: Value, b: Value) -> int:
        """Negative, zero or positive."""
        if type(a) is Atom or type(b) is Atom:
            _typed(a, b)
            _typed(b, a)
            if type(a) is Atom and type(b) is Atom:
                return _sign(self._place(a.name), self._place(b.name))
            return -1 if type(a) is Atom else 1
        if kind(a) != kind(b):
            raise EvaluationError(f"{show(a)} and {show(b)} cannot be compared")
        if isinstance(a, Truth):
            return _sign(a.value, b.value)
        if type(a) is str:
            return _sign(self._place(a), self._place(b))
        if kind(a) == "set" and not (type(a) is type(b) is frozenset):
            if a == b:
                return 0
            raise EvaluationError(f"{show(a)} and {show(b)} cannot be put in order: one cannot be enumerated")
        if type(a) is frozenset:
            return self._one_by_one(self.sorted(a), self.sorted(b)) if len(a) == len(b) else _sign(len(a), len(b))
        if type(a) is Fun:
            if len(a.graph) != len(b.graph):
                return _sign(len(a.graph), len(b.graph))
            one, two = self.sorted(a.graph), self.sorted(b.graph)
            return self._one_by_one(one, two) or self._one_by_one(
                [a.graph[key] for key in one], [b.graph[key] for key in two]
            )
        return _sign(a, b)

    def _one_by_one(self, a: Sequence[Value], b: Sequence[Value]) -> int:
        return next((sign for x, y in zip(a, b, strict=True) if (sign := self.compare(x, y))), 0)

    def _place(self, text: str) -> tuple[int, str]:
        return self._places.get(text, len(self._places)), text


def _sign(a: Any, b: Any) -> int:
    return int(a > b) - int(a < b)
