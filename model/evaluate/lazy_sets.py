"""The sets that the language and its modules describe without enumerating them: `Nat`, `SUBSET S`, `[S -> T]`, ...

Whether a value is in one of them is asked part by part; where TLC cannot compare a part, it is an error here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, product
from math import comb, prod
from typing import Any

from rmqproof.model.evaluate.comparison import differ, is_record, outsider, stranger
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazySet, frozen, identity_of, in_order, plain
from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.value_order import current, ordered
from rmqproof.model.evaluate.values import Function, ModelValue, Value, domain_of, domain_set, kind_of

_FEW = 256
"""Elements up to which a set that is often asked is listed."""
_PATIENCE = 64
_SMALL = 1000


@lru_cache(10_000)
def _interval(low: int, high: int) -> frozenset[Value]:
    return frozenset(range(low, high + 1))


class Numbers(LazySet):
    """Nat, Int: the integers from `low` (None: all)."""

    def __init__(self, low: int | None) -> None:
        self.low = low

    def __contains__(self, value: Value) -> bool:
        if type(value) is int:
            return self.low is None or value >= self.low
        return _foreign(value, self, "an integer")

    def identity(self) -> Any:
        return "Int" if self.low is None else "Nat", self.low

    def __str__(self) -> str:
        return "Int" if self.low is None else "Nat"


class Strings(LazySet):
    def __contains__(self, value: Value) -> bool:
        return type(value) is str or _foreign(value, self, "a string")

    def identity(self) -> Any:
        return ("STRING",)

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
                return _foreign(value, self, "a sequence")
        return (self.bound is None or len(value) <= self.bound) and all(_in(self.items, value))

    def elements(self) -> Iterator[Value]:
        if self.bound is None:
            return super().elements()
        items = in_order(self.items)
        return chain.from_iterable(product(items, repeat=length) for length in range(self.bound + 1))

    def identity(self) -> Any:
        items = identity_of(self.items)
        return None if items is None else ("Seq", items)

    def __str__(self) -> str:
        return f"Seq({show(self.items)})" if self.bound is None else f"BoundedSeq({show(self.items)}, {self.bound})"


class Powerset(LazySet):
    """SUBSET S"""

    def __init__(self, base: Any) -> None:
        self.base = base

    @cached_property
    def size(self) -> int | None:  # type: ignore[override]
        """Raise `Fault` where the base is no set, which is noticed when elements are asked for, as in TLC."""
        base = self.base
        _sets_needed("SUBSET", (base,))
        count = base.size if isinstance(base, LazySet) else len(base)
        return None if count is None else 1 << min(count, 4096)

    def __contains__(self, value: Value) -> bool:
        if isinstance(value, (frozenset, LazySet)) and not value:
            return True
        base = self.base
        _sets_needed("SUBSET", (base,))
        if type(value) is frozenset:
            return value <= base or outsider(value, base) if type(base) is frozenset else all(_in(base, ordered(value)))
        if isinstance(value, LazySet):
            if value.infinite:
                raise Fault(f"{value} is not enumerable; whether it is in {self} cannot be asked")
            return value == base or all(_in(base, value))
        raise _unasked(value, self, "a set")

    def elements(self) -> Iterator[Value]:
        items = in_order(self.base)
        return (frozenset(some) for count in range(len(items) + 1) for some in combinations(items, count))

    def identity(self) -> Any:
        base = identity_of(self.base)
        return None if base is None else ("SUBSET", base)

    def __str__(self) -> str:
        return f"SUBSET {show(self.base)}"


class Subsets(LazySet):
    """The subsets of S with `count` elements."""

    def __init__(self, base: Any, count: int) -> None:
        self.base, self.count = base, count
        self.size = comb(len(base), count) if count >= 0 else 0

    def __contains__(self, value: Value) -> bool:
        """TLC asks any value for its size first, which functions have, too (`KSubsetValue.member`)."""
        value = plain(value)
        sized = domain_set(value) if isinstance(value, tuple) else value
        if isinstance(sized, frozenset) and len(sized) != self.count:
            return False
        return value in Powerset(self.base)

    def elements(self) -> Iterator[Value]:
        return map(frozenset, combinations(in_order(self.base), self.count)) if self.size else iter(())

    def __str__(self) -> str:
        return f"kSubset({self.count}, {show(self.base)})"


_ENDLESS = (Numbers, Strings, AnyValue, Sequences)


class Functions(LazySet):
    """[domain -> range]"""

    def __init__(self, domain: Any, range_: Any) -> None:
        self.domain, self.range = domain, range_
        count = domain.size if isinstance(domain, LazySet) else len(domain)
        if count == 0:
            self.size = 1
            return
        values = range_.size if isinstance(range_, LazySet) else len(range_)
        if count is not None and values is not None:
            self.size = values**count if values < 2 or count < 4096 else 1 << 4096

    @cached_property
    def keys(self) -> frozenset[Value]:
        return frozen(self.domain)

    def __contains__(self, value: Value) -> bool:
        value = plain(value)
        if not isinstance(value, tuple):
            return _foreign(value, self, "a function")
        keys = domain_set(value)
        if keys != self.keys:
            return differ(keys, self.keys)
        if type(value) is Function:
            value = tuple([value[position] for position in current().positions(value[0])])
        return all(_in(self.range, value))

    def elements(self) -> Iterator[Value]:
        keys = in_order(self.domain)
        if not keys:  # as in TLC nothing is asked of the range but whether it could be listed
            is_endless = isinstance(self.range, _ENDLESS) and self.range.infinite
            return self.range.elements() if is_endless else iter([()])
        if keys == tuple(range(1, len(keys) + 1)):
            return product(in_order(self.range), repeat=len(keys))
        domain = domain_of(self.keys)
        found = product(in_order(self.range), repeat=len(keys))
        if keys == domain.keys:
            return (Function((domain, *values)) for values in found)
        positions = [keys.index(key) for key in domain.keys]
        return (Function((domain, *[values[position] for position in positions])) for values in found)

    def __str__(self) -> str:
        return f"[{show(self.domain)} -> {show(self.range)}]"


class Records(LazySet):
    """[name: S, …], given in any order."""

    def __init__(self, names: Sequence[str], sets: Sequence[Any]) -> None:
        _sets_needed("[name : S]", sets)
        fields = dict(zip(names, sets, strict=True))
        self.domain = domain_of(frozenset(names))
        self.sets = tuple(fields[name] for name in self.domain.keys)
        self.size = _product_size(self.sets)
        have_values = all(type(items) in (frozenset, Interval) for items in self.sets)
        self._patience = _PATIENCE if have_values and self.size is not None and self.size <= _FEW else None
        """How often it is asked before its few elements are listed; None: they never are."""

    def __contains__(self, value: Value) -> bool:
        value = plain(value)
        if self._patience:
            self._patience -= 1
        elif self._patience == 0 and value in self.frozen:
            return True
        if type(value) is not Function or not is_record(value):
            return bool(value != () and _foreign(value, self, "a record"))
        # in the order of TLC: one may be false where another cannot be compared
        return value[0] is self.domain and all(
            any(_in(self.sets[position - 1], (value[position],))) for position in current().positions(self.domain)
        )

    def elements(self) -> Iterator[Value]:
        domain = self.domain
        order = current().positions(domain)
        found = product(*[in_order(self.sets[position - 1]) for position in order])
        if order == tuple(range(1, len(order) + 1)):
            return (Function((domain, *values)) for values in found)
        positions = [order.index(position) for position in range(1, len(order) + 1)]
        return (Function((domain, *[values[position] for position in positions])) for values in found)

    def __str__(self) -> str:
        pairs = zip(self.domain.keys, self.sets, strict=True)
        return "[" + ", ".join(f"{name}: {show(items)}" for name, items in pairs) + "]"


class Products(LazySet):
    """S \\X T \\X …"""

    def __init__(self, factors: Sequence[Any]) -> None:
        _sets_needed("\\X", factors)
        self.factors = tuple(factors)
        self.size = _product_size(self.factors)

    def __contains__(self, value: Value) -> bool:
        value = plain(value)
        if type(value) is Function and all(type(argument) is int for argument in value[0].keys):
            return False  # as in TLC, though not of sequences: `FcnRcdValue.toTuple`
        if type(value) is not tuple:
            return _foreign(value, self, "a tuple")
        return len(value) == len(self.factors) and all(
            any(_in(items, (item,))) for item, items in zip(value, self.factors, strict=True)
        )

    def elements(self) -> Iterator[Value]:
        return product(*map(in_order, self.factors))

    def __str__(self) -> str:
        return " \\X ".join(map(show, self.factors))


def _product_size(sets: Sequence[Any]) -> int | None:
    sizes = [items.size if isinstance(items, LazySet) else len(items) for items in sets]
    if 0 in sizes:
        return 0
    return None if None in sizes else prod(size for size in sizes if size is not None)


def _in(items: Any, values: Iterable[Value]) -> Iterator[bool]:
    """Whether each of the values is in the set, one after the other; an error where it cannot be compared."""
    if type(items) is frozenset:
        return (value in items or stranger(value, items) for value in values)
    return (value in items for value in values)


def _sets_needed(operator: str, sets: Sequence[Any]) -> None:
    for items in sets:
        if not isinstance(items, (frozenset, LazySet)):
            raise Fault(f"{operator} needs sets, and is given {kind_of(items)}: {show(items)}")


def _foreign(value: Value, items: LazySet, expected: str) -> bool:
    """False for an untyped model value, which is in no such set; an error for a value of another kind."""
    if type(value) is ModelValue and not value.letter:
        return False
    raise _unasked(value, items, expected)


def _unasked(value: Value, items: LazySet, expected: str) -> Fault:
    """Of SUBSET S for a model value, too: TLC lets it tell the other sets only (`ModelValue.modelValueMember`)."""
    return Fault(f"{show(value)} is {kind_of(value)}; whether it is in {items} can be asked of {expected} only")
