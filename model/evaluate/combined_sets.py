"""Unions, intersections and differences of sets of which some are only described."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any

from rmqproof.model.evaluate.comparison import alike, comparable_sets, stranger
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import Filtered, LazyFunction, LazySet, frozen, plain
from rmqproof.model.evaluate.lazy_sets import Interval, Numbers, Powerset, Sequences, Strings
from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import ENDLESS, Value

_COMPARED = 64
"""Described sets of at most so many elements are listed to compare them."""


class Combined(LazySet):
    """The union, intersection or difference of sets of which at least one cannot be enumerated."""

    def __init__(self, operator: str, left: Any, right: Any) -> None:
        self.operator, self.left, self.right = operator, left, right

    def __contains__(self, value: Value) -> bool:
        if self.operator == "\\cup":
            first, second = (self.right, self.left) if type(self.right) is frozenset else (self.left, self.right)
            return _has(first, value) or _has(second, value)  # as in TLC, what is listed is looked at first
        if self.operator == "\\cap":
            return _has(self.left, value) and _has(self.right, value)
        return _has(self.left, value) and not _has(self.right, value)

    def __str__(self) -> str:
        return f"({show(self.left)} {self.operator} {show(self.right)})"


class United(LazySet):
    """A union of sets of which at least one is described and finite: each is asked, in this order, as in TLC."""

    def __init__(self, sets: Sequence[Any]) -> None:
        self.sets = sets

    @property
    def size(self) -> int | None:  # type: ignore[override]
        return len(self.frozen)

    infinite = False

    def __contains__(self, value: Value) -> bool:
        return any(_has(items, value) for items in self.sets)

    @cached_property
    def frozen(self) -> frozenset[Value]:
        return reduce(_joined, map(frozen, self.sets))

    def elements(self) -> Iterator[Value]:
        return iter(ordered(self.frozen))

    def __str__(self) -> str:
        return f"UNION {{{', '.join(map(show, self.sets))}}}"


class Listed(LazySet):
    """The elements of a described set, or those that pass a test: what is not among them is asked of the description,
    which is an error where it is of another kind."""

    infinite = False

    def __init__(self, items: frozenset[Value], described: LazySet) -> None:
        self.items, self.described = items, described

    @property
    def size(self) -> int | None:  # type: ignore[override]
        return len(self.items)

    @property
    def frozen(self) -> frozenset[Value]:
        return self.items

    def __contains__(self, value: Value) -> bool:
        if plain(value) in self.items:
            return True
        _has(self.described, value)  # an error, or one that did not pass
        return False

    def elements(self) -> Iterator[Value]:
        return iter(ordered(self.items))

    def __str__(self) -> str:
        return show(self.items)


class Single(LazySet):
    """{S} of a set S that cannot be enumerated: as in TLC its element is bound as it is described."""

    size = 1

    def __init__(self, item: LazySet) -> None:
        self.item = item

    @cached_property
    def frozen(self) -> frozenset[Value]:
        return frozenset([plain(self.item)])

    def __contains__(self, value: Value) -> bool:
        return plain(value) in self.frozen

    def elements(self) -> Iterator[Value]:
        return iter((self.item,))

    def __str__(self) -> str:
        return f"{{{show(self.item)}}}"


def runs_code(value: object) -> bool:
    """Whether the code of a generator is run when something is asked of the value."""
    if isinstance(value, Filtered | LazyFunction):
        return True
    if isinstance(value, LazySet):
        return any(map(runs_code, vars(value).values()))
    return isinstance(value, tuple | list) and any(map(runs_code, value))


def unite(left: Any, right: Any) -> Any:
    """left \\cup right"""
    if _infinite(left) or _infinite(right):
        return Combined("\\cup", left, right)
    if type(left) is type(right) is frozenset:
        return left | right
    # to ask one may fail for elements that nobody asks for; and TLC asks each before it puts them in order
    if runs_code(left) or runs_code(right) or not comparable_sets(frozen(left), frozen(right)):
        return United((right, left) if type(right) is frozenset else (left, right))
    return frozen(left) | frozen(right)


def _joined(left: frozenset[Value], right: frozenset[Value]) -> frozenset[Value]:
    alike(left, right)
    return left | right


def as_sorted(sets: Sequence[Any]) -> Sequence[Any]:
    """Finite sets in the order in which TLC asks them: it sorts them by their number of elements, then by the elements.

    Large ones of one size stay as they are. Raise `Fault` where TLC compares what cannot be compared.
    """
    if len(sets) < 2:
        return sets
    by_size: dict[int, list[Any]] = {}
    for items in sets:
        by_size.setdefault(len(items), []).append(items)
    for size, same in by_size.items():
        if len(same) > 1 and size <= _COMPARED:
            listed = {frozen(items): items for items in same}
            for a, b in pairwise(listed):
                alike(a, b)
            by_size[size] = [listed[items] for items in ordered(listed)]
    return [items for _, same in sorted(by_size.items()) for items in same]


def endless_in_order(sets: Sequence[Any]) -> None:
    """Of several sets some are infinite. Raise `Fault` where TLC cannot put them in order."""
    for left, right in pairwise(sets):
        _endless_in_order(left, right)


def _endless_in_order(left: Any, right: Any) -> None:
    """TLC compares descriptions of one kind (`Naturals.compareTo`, `Sequences.compareTo`, `SubsetValue.compareTo`, …);
    of others it wants the elements."""
    if not (_infinite(left) or _infinite(right)):
        if len(left) == len(right):
            alike(frozen(left), frozen(right))
    elif isinstance(left, Sequences) and isinstance(right, Sequences) and left.bound is right.bound is None:
        _endless_in_order(left.items, right.items)
    elif isinstance(left, Powerset) and isinstance(right, Powerset):
        _endless_in_order(left.base, right.base)
    elif not (type(left) is type(right) and isinstance(left, Numbers | Strings)):
        raise Fault(
            f"{show(left)} and {show(right)}, which are united, cannot be put in order: {ENDLESS}",
            "Ask each set by itself, as \\E n \\in D : x \\in F(n) does, or bound them.",
        )


def intersect(left: Any, right: Any) -> Any:
    """left \\cap right"""
    if type(left) is frozenset or not (type(right) is frozenset or _infinite(left)):
        if _is_asked(left, right):
            return Filtered(left, lambda item: _has(right, item))
        return frozenset(item for item in left if _has(right, item))
    if type(right) is frozenset or not _infinite(right):
        return frozenset(item for item in right if _has(left, item))
    return Combined("\\cap", left, right)


def subtract(left: Any, right: Any) -> Any:
    """left \\ right"""
    if _infinite(left):
        return Combined("\\", left, right)
    if _is_asked(left, right):
        return Filtered(left, lambda item: not _has(right, item))
    return frozenset(item for item in left if not _has(right, item))


def _is_asked(left: Any, right: Any) -> bool:
    """Whether TLC does not list what comes of a described set: elements that nobody asks for need no value."""
    return isinstance(left, LazySet) and not isinstance(left, Interval) and (runs_code(left) or runs_code(right))


def _has(items: Any, value: Value) -> bool:
    """Whether the value is in the set. Raise `Fault` where it cannot be compared with the elements."""
    return value in items or (type(items) is frozenset and stranger(value, items))


def _infinite(items: Any) -> bool:
    return isinstance(items, LazySet) and items.infinite
