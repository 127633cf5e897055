"""Sets and functions that are not enumerated unless they have to be.

They answer `in`, iterate in order when they are finite, and turn into a value in normal form by `plain`. They live in
Python locals and arguments only: what is stored in a set or a function is in normal form, but for infinite sets that
TLC compares as they are described (`Nat`, `SUBSET Nat`), which no state can hold. Those that the language and its
modules describe (`Nat`, `SUBSET S`, `[S -> T]`, ...) are in `lazy_sets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.memory import watched
from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import Value, function, kind_of

_LARGEST = 5_000_000
"""A set with more elements than this is not built or listed (TLC: `maxSetSize`, 1,000,000)."""
_TOLD = 10**15
"""A size up to which it is told."""
_ASKED = 64
"""After so many membership tests a filtered set of at most so many candidates is built."""


class LazySet:
    """A set given by its members' description. `size` None: infinite."""

    size: int | None = None

    @property
    def infinite(self) -> bool:
        """Whether it cannot be enumerated."""
        return self.size is None

    def __contains__(self, value: Value) -> bool:
        raise NotImplementedError

    def elements(self) -> Iterator[Value]:
        """In the order of `order`, or in one that is equally deterministic."""
        raise Fault(
            f"{self} is not enumerable",
            "Bound it to a finite set, or replace it in the configuration by one.",
        )

    def one_by_one(self) -> Iterator[Value]:
        """The same, where nothing is asked of an element before it comes."""
        return self.elements()

    def __iter__(self) -> Iterator[Value]:
        return self.elements()

    def __len__(self) -> int:
        if self.size is None:
            raise Fault(f"{self} is not a finite set")
        return self.size

    def __bool__(self) -> bool:
        return self.size is None or self.size > 0

    @cached_property
    def frozen(self) -> frozenset[Value]:
        """The same set in normal form."""
        if self.size is not None and self.size > _LARGEST:
            raise self.too_large()
        return frozenset(self.elements())

    def too_large(self) -> Fault:
        """What to raise where its elements are too many to be kept."""
        size = "more than 10^15" if self.size is None or self.size > _TOLD else f"{self.size:,}"
        return Fault(f"{self} has {size} elements, too many to build", "Use smaller constants.")

    def identity(self) -> Any:
        """What an infinite set has in common with those that are equal to it; None where TLC would list it to compare
        it."""
        return None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazySet):
            if self.infinite or other.infinite:
                mine = self.identity() if self.infinite and other.infinite else None
                return mine is not None and bool(mine == other.identity())
            return self.size == other.size and self.frozen == other.frozen
        if isinstance(other, frozenset):
            if self.infinite:
                raise Fault(f"{self} and {show(other)} cannot be compared: one cannot be enumerated")
            return self.size == len(other) and self.frozen == other
        return NotImplemented

    def __hash__(self) -> int:
        mine = self.identity() if self.infinite else None
        return hash(self.frozen if mine is None else mine)


class Filtered(LazySet):
    """{x \\in S : P(x)} of a set S that is not enumerated itself: neither is this one, unless it has to be.

    As in TLC a membership test looks at one value, and a loop tests all elements of S before its first turn
    (`EnumerableValue.elements`). Of millions that would take too long: they are tested one after the other.
    """

    def __init__(self, base: LazySet, test: Callable[[Value], bool]) -> None:
        self.base, self.test = base, test
        self._asked = 0

    @property
    def infinite(self) -> bool:
        return bool(self.base.infinite)

    @property
    def size(self) -> int | None:  # type: ignore[override]
        return None if self.infinite else len(self.frozen)

    @cached_property
    def candidates(self) -> int | None:
        """How many values are tested, None where they are infinite."""
        return self.base.candidates if isinstance(self.base, Filtered) else self.base.size

    def __contains__(self, value: Value) -> bool:
        if value not in self.base:
            return False
        if "frozen" not in self.__dict__:
            self._asked += 1
            if self._asked < _ASKED or self.candidates is None or self.candidates > _ASKED:
                endless = isinstance(value, LazySet) and value.infinite
                return self.test(value if endless else plain(value))  # it was written for elements
        return plain(value) in self.frozen

    def __bool__(self) -> bool:
        return self.infinite or any(True for _ in self.elements())

    @cached_property
    def frozen(self) -> frozenset[Value]:
        return frozenset(self.elements())

    @cached_property
    def _found(self) -> tuple[Value, ...]:
        return tuple(self.one_by_one())

    def elements(self) -> Iterator[Value]:
        if self.infinite or (self.candidates or 0) > _LARGEST:
            return self.one_by_one()
        return iter(self._found)

    def one_by_one(self) -> Iterator[Value]:
        return super().elements() if self.infinite else filter(self.test, watched(self.base.elements()))

    def __str__(self) -> str:
        return f"{{x \\in {show(self.base)} : …}}"


class LazyFunction:
    """[x \\in S |-> e] evaluated argument by argument, each at most once.

    `rule(self, argument)`: the function itself is an argument because a recursive definition applies it.
    """

    __slots__ = ("domain", "known", "rule")

    def __init__(self, domain: Any, rule: Callable[[LazyFunction, Value], Value]) -> None:
        self.domain, self.rule = domain, rule
        self.known: dict[Value, Value] = {}

    def apply(self, argument: Value) -> Value:
        """The result, which may be lazy itself."""
        argument = plain(argument)
        if argument in self.known:
            return self.known[argument]
        if argument not in self.domain:
            raise Fault(f"the function is applied to {show(argument)}, which is not in its domain {show(self.domain)}")
        result = self.known[argument] = self.rule(self, argument)
        return result

    def frozen(self) -> Value:
        """The same function in normal form."""
        return function({argument: plain(self.apply(argument)) for argument in in_order(self.domain)})

    def __eq__(self, other: object) -> bool:
        return bool(self.frozen() == plain(other))

    def __hash__(self) -> int:
        return hash(self.frozen())

    def __str__(self) -> str:
        return f"[x \\in {show(self.domain)} |-> …]"


def plain(value: Value) -> Value:
    """The value in normal form; an infinite set that is compared as it is described is itself."""
    if isinstance(value, LazySet):
        return value if value.infinite and value.identity() is not None else value.frozen
    if type(value) is LazyFunction:
        return value.frozen()
    return value


def identity_of(items: Any) -> Any:
    """What sets in the description of a set have in common with those that are equal to them; None as in
    `LazySet.identity`."""
    return items.identity() if isinstance(items, LazySet) and items.infinite else plain(items)


def frozen(value: Value) -> frozenset[Value]:
    """The set in normal form."""
    if type(value) is frozenset:
        return value
    if isinstance(value, LazySet):
        return value.frozen
    raise Fault(f"a set is needed here, and this is {kind_of(value)}: {show(value)}")


def in_order(items: Any) -> tuple[Value, ...]:
    """The elements of a set in order."""
    if type(items) is frozenset:
        return ordered(items)
    if isinstance(items, LazySet):
        if items.size is not None and items.size > _LARGEST:
            raise items.too_large()
        return tuple(items.elements())
    raise Fault(f"a set is needed here, and this is {kind_of(items)}: {show(items)}")
