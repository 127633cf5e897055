"""Sets and functions that are not enumerated unless they have to be.

They answer `in`, iterate in order when they are finite, and turn into a value in normal form by `plain`. They live in
Python locals and arguments only: what is stored in a state, a set or a function is in normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, product
from math import comb, prod
from typing import Any

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.order import current, ordered
from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.values import Function, Value, domain_of, function, kind_of

_LARGEST = 5_000_000
"""A set with more elements than this is not built (TLC: `maxSetSize`, 1,000,000)."""


_SMALL = 1000
_ASKED = 64
"""After so many membership tests a filtered set of at most so many candidates is built."""


@lru_cache(10_000)
def _interval(low: int, high: int) -> frozenset[Value]:
    return frozenset(range(low, high + 1))


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
            raise Fault(f"{self} has {self.size} elements, too many to build", "Use smaller constants.")
        return frozenset(self.elements())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazySet):
            if self.infinite or other.infinite:
                return type(self) is type(other) and self.__dict__ == other.__dict__
            return self.size == other.size and self.frozen == other.frozen
        if isinstance(other, frozenset):
            return self.size == len(other) and all(item in self for item in other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.frozen)

    def __or__(self, other: Any) -> Any:
        return unite(self, other)

    def __ror__(self, other: Any) -> Any:
        return unite(other, self)

    def __and__(self, other: Any) -> Any:
        return intersect(self, other)

    def __rand__(self, other: Any) -> Any:
        return intersect(other, self)

    def __sub__(self, other: Any) -> Any:
        return subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return subtract(other, self)

    def __le__(self, other: Any) -> bool:
        return self == other or all(item in other for item in self)

    def __ge__(self, other: Any) -> bool:
        return all(item in self for item in other)


class Numbers(LazySet):
    """Nat, Int: the integers from `low` (None: all)."""

    def __init__(self, low: int | None) -> None:
        self.low = low

    def __contains__(self, value: Value) -> bool:
        if type(value) is int:
            return self.low is None or value >= self.low
        return _foreign(value, self, "an integer")

    def __str__(self) -> str:
        return "Int" if self.low is None else "Nat"


class Strings(LazySet):
    def __contains__(self, value: Value) -> bool:
        return type(value) is str or _foreign(value, self, "a string")

    def __str__(self) -> str:
        return "STRING"


class AnyValue(LazySet):
    """TLC's `Any`."""

    def __contains__(self, value: Value) -> bool:
        return True

    def __str__(self) -> str:
        return "Any"


class Interval(LazySet):
    """low .. high"""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        self.size = max(0, high - low + 1)

    def __contains__(self, value: Value) -> bool:
        if type(value) is int:
            return self.low <= value <= self.high
        return bool(self.size) and _foreign(value, self, "an integer")

    def elements(self) -> Iterator[Value]:
        return iter(range(self.low, self.high + 1))

    @cached_property
    def frozen(self) -> frozenset[Value]:
        return _interval(self.low, self.high) if self.size and self.size < _SMALL else super().frozen

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


class Sequences(LazySet):
    """Seq(S), or with `bound` the sequences of at most so many elements."""

    def __init__(self, items: Any, bound: int | None = None) -> None:
        self.items, self.bound = items, bound
        if bound is not None:
            self.size = sum(len(items) ** length for length in range(bound + 1))

    def __contains__(self, value: Value) -> bool:
        if type(value) is not tuple:
            value = plain(value)
            if type(value) is not tuple:
                return False if type(value) is Function else _foreign(value, self, "a sequence")
        items = self.items
        return (self.bound is None or len(value) <= self.bound) and all(item in items for item in value)

    def elements(self) -> Iterator[Value]:
        if self.bound is None:
            return super().elements()
        items = in_order(self.items)
        return chain.from_iterable(product(items, repeat=length) for length in range(self.bound + 1))

    def __str__(self) -> str:
        return f"Seq({show(self.items)})" if self.bound is None else f"BoundedSeq({show(self.items)}, {self.bound})"


class Powerset(LazySet):
    """SUBSET S"""

    def __init__(self, base: Any) -> None:
        if not isinstance(base, (frozenset, LazySet)):
            raise Fault(f"SUBSET needs a set, and is given {kind_of(base)}: {show(base)}")
        self.base = base
        count = base.size if isinstance(base, LazySet) else len(base)
        if count is not None:
            self.size = 1 << count if count < 4096 else 1 << 4096

    def __contains__(self, value: Value) -> bool:
        if type(value) is frozenset:
            base = self.base
            return value <= base if type(base) is frozenset else all(item in base for item in value)
        if isinstance(value, LazySet):
            return value <= self.base
        return _foreign(value, self, "a set")

    def elements(self) -> Iterator[Value]:
        items = in_order(self.base)
        return (frozenset(some) for count in range(len(items) + 1) for some in combinations(items, count))

    def of_size(self, count: int) -> Iterator[Value]:
        return map(frozenset, combinations(in_order(self.base), count))

    def __str__(self) -> str:
        return f"SUBSET {show(self.base)}"


class Subsets(LazySet):
    """The subsets of S with `count` elements."""

    def __init__(self, base: Any, count: int) -> None:
        self.base, self.count = base, count
        self.size = comb(len(base), count) if count >= 0 else 0

    def __contains__(self, value: Value) -> bool:
        value = plain(value)
        return type(value) is frozenset and len(value) == self.count and value in Powerset(self.base)

    def elements(self) -> Iterator[Value]:
        return map(frozenset, combinations(in_order(self.base), self.count)) if self.size else iter(())

    def __str__(self) -> str:
        return f"kSubset({self.count}, {show(self.base)})"


class Functions(LazySet):
    """[domain -> range]"""

    def __init__(self, domain: Any, range_: Any) -> None:
        self.domain, self.range = domain, range_
        count = domain.size if isinstance(domain, LazySet) else len(domain)
        values = range_.size if isinstance(range_, LazySet) else len(range_)
        if count is not None and values is not None:
            self.size = values**count if values < 2 or count < 4096 else 1 << 4096
        elif count == 0:
            self.size = 1

    @cached_property
    def keys(self) -> frozenset[Value]:
        return frozen(self.domain)

    def __contains__(self, value: Value) -> bool:
        value = plain(value)
        if not isinstance(value, tuple):
            return _foreign(value, self, "a function")
        if type(value) is Function:
            if value[0].set != self.keys:
                return False
            items = value[1:]
        else:
            if len(value) != len(self.keys) or (value and domain_of(self.keys).keys != tuple(range(1, len(value) + 1))):
                return False
            items = value
        range_ = self.range
        return all(item in range_ for item in items)

    def elements(self) -> Iterator[Value]:
        keys = in_order(self.domain)
        if keys == tuple(range(1, len(keys) + 1)):
            return product(in_order(self.range), repeat=len(keys))
        domain = domain_of(self.keys)
        found = product(in_order(self.range), repeat=len(keys))
        if keys == domain.keys:
            return (Function((domain, *values)) for values in found)
        places = [keys.index(key) for key in domain.keys]
        return (Function((domain, *[values[place] for place in places])) for values in found)

    def __str__(self) -> str:
        return f"[{show(self.domain)} -> {show(self.range)}]"


class Records(LazySet):
    """[name: S, …], given in any order."""

    def __init__(self, names: Sequence[str], sets: Sequence[Any]) -> None:
        fields = dict(zip(names, sets, strict=True))
        self.domain = domain_of(frozenset(names))
        self.sets = tuple(fields[name] for name in self.domain.keys)
        self.size = _product_size(self.sets)

    def __contains__(self, value: Value) -> bool:
        value = plain(value)
        if type(value) is not Function:
            return _foreign(value, self, "a record") if not isinstance(value, tuple) else False
        return value[0] is self.domain and all(item in items for item, items in zip(value[1:], self.sets, strict=True))

    def elements(self) -> Iterator[Value]:
        domain = self.domain
        order = current().places(domain)
        found = product(*[in_order(self.sets[place - 1]) for place in order])
        if order == tuple(range(1, len(order) + 1)):
            return (Function((domain, *values)) for values in found)
        places = [order.index(place) for place in range(1, len(order) + 1)]
        return (Function((domain, *[values[place] for place in places])) for values in found)

    def __str__(self) -> str:
        pairs = zip(self.domain.keys, self.sets, strict=True)
        return "[" + ", ".join(f"{name}: {show(items)}" for name, items in pairs) + "]"


class Products(LazySet):
    """S \\X T \\X …"""

    def __init__(self, factors: Sequence[Any]) -> None:
        self.factors = tuple(factors)
        self.size = _product_size(self.factors)

    def __contains__(self, value: Value) -> bool:
        value = plain(value)
        if not isinstance(value, tuple):
            return _foreign(value, self, "a tuple")
        return (
            type(value) is tuple
            and len(value) == len(self.factors)
            and all(item in items for item, items in zip(value, self.factors, strict=True))
        )

    def elements(self) -> Iterator[Value]:
        return product(*map(in_order, self.factors))

    def __str__(self) -> str:
        return " \\X ".join(map(show, self.factors))


class Combined(LazySet):
    """The union, intersection or difference of sets of which at least one cannot be enumerated."""

    def __init__(self, operator: str, left: Any, right: Any) -> None:
        self.operator, self.left, self.right = operator, left, right

    def __contains__(self, value: Value) -> bool:
        if self.operator == "\\cup":
            return value in self.left or value in self.right
        if self.operator == "\\cap":
            return value in self.left and value in self.right
        return value in self.left and value not in self.right

    def __str__(self) -> str:
        return f"({show(self.left)} {self.operator} {show(self.right)})"


class Filtered(LazySet):
    """{x \\in S : P(x)} of a set S that is not enumerated itself: neither is this one, unless it has to be.

    As in TLC a loop over it tests the elements of S one after the other and may end early, and a membership test
    looks at one value. What was found once is kept.
    """

    def __init__(self, base: LazySet, test: Callable[[Value], bool]) -> None:
        self.base, self.test = base, test
        self._found: list[Value] = []
        self._rest: Iterator[Value] | None = None
        self._asked = 0

    @property
    def infinite(self) -> bool:
        return bool(self.base.infinite)

    @property
    def size(self) -> int | None:  # type: ignore[override]
        return None if self.infinite else len(self.frozen)

    def __contains__(self, value: Value) -> bool:
        if value not in self.base:
            return False
        if "frozen" not in self.__dict__:
            self._asked += 1
            if self._asked < _ASKED or self.base.size is None or self.base.size > _ASKED:
                return self.test(value)
        return plain(value) in self.frozen

    def __bool__(self) -> bool:
        return self.infinite or any(True for _ in self.elements())

    @cached_property
    def frozen(self) -> frozenset[Value]:
        return frozenset(self.elements())

    def elements(self) -> Iterator[Value]:
        return super().elements() if self.infinite else self._elements()

    def _elements(self) -> Iterator[Value]:
        found, place = self._found, 0
        while True:
            while place < len(found):
                yield found[place]
                place += 1
            if self._rest is None:
                self._rest = filter(self.test, self.base.elements())
            try:
                found.append(next(self._rest))
            except StopIteration:
                return
            except BaseException:
                # the test of an element failed: whoever asks again is to meet it again
                self._found, self._rest = [], None
                raise

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
    """The value in normal form."""
    if isinstance(value, LazySet):
        return value.frozen
    if type(value) is LazyFunction:
        return value.frozen()
    return value


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
        return tuple(items.elements())
    raise Fault(f"a set is needed here, and this is {kind_of(items)}: {show(items)}")


def unite(left: Any, right: Any) -> Any:
    """left \\cup right"""
    if _infinite(left) or _infinite(right):
        return Combined("\\cup", left, right)
    return frozen(left) | frozen(right)


def intersect(left: Any, right: Any) -> Any:
    """left \\cap right"""
    if type(left) is frozenset:
        return frozenset(item for item in left if item in right)
    if type(right) is frozenset:
        return frozenset(item for item in right if item in left)
    if _infinite(left):
        if _infinite(right):
            return Combined("\\cap", left, right)
        return frozenset(item for item in right if item in left)
    return frozenset(item for item in left if item in right)


def subtract(left: Any, right: Any) -> Any:
    """left \\ right"""
    if _infinite(left):
        return Combined("\\", left, right)
    return frozenset(item for item in left if item not in right)


def _infinite(items: Any) -> bool:
    return isinstance(items, LazySet) and items.infinite


def _product_size(sets: Sequence[Any]) -> int | None:
    sizes = [items.size if isinstance(items, LazySet) else len(items) for items in sets]
    if 0 in sizes:
        return 0
    return None if None in sizes else prod(size for size in sizes if size is not None)


def _foreign(value: Value, items: LazySet, expected: str) -> bool:
    """False for a model value, which is in no such set; an error for a value of another kind."""
    from rmqproof.model.evaluate.values import ModelValue

    if type(value) is ModelValue:
        return False
    raise Fault(f"{show(value)} is {kind_of(value)}; whether it is in {items} can be asked of {expected} only")
