"""Sets that are described rather than listed, and functions given by a rule (*Specifying Systems* 16.1.6, 16.1.7).

TLC keeps them as they are written and asks them for members (`tlc2.value.impl`: `SubsetValue`, `SetOfFcnsValue`,
`SetOfRcdsValue`, `SetOfTuplesValue`, `SetPredValue`, `UserValue`, `FcnLambdaValue`). `plain` lists them, where a value
has to be stored or compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cmp_to_key
from heapq import merge
from itertools import chain, combinations, groupby, islice, pairwise, product
from typing import Any

from .problems import EvaluationError, NotInReference
from .values import Atom, Fun, Order, Truth, Value, alike, equal, items_of, kind, show

_FEW = 1000
"""Sets of at most so many elements are listed to sort them."""
LARGEST = 200_000
"""A set with more elements is not listed."""


class Described:
    """A set given by its members' description. `name` says which, for equality and messages."""

    def __init__(self, order: Order, name: str) -> None:
        self.order, self.name = order, name

    def contains(self, value: Value) -> bool:
        raise NotImplementedError

    def elements(self) -> Iterator[Value]:
        """In TLC's order. Raise `EvaluationError` where the set is infinite."""
        raise EvaluationError(f"{self.name} cannot be enumerated")

    def is_finite(self) -> bool:
        return False

    def key(self) -> Any:
        """Of an infinite set that TLC compares with others as it is described: what is the same of equal ones. Else
        None."""
        return None

    def __eq__(self, other: object) -> bool:
        key = self.key()
        return self is other or (isinstance(other, Described) and key is not None and bool(key == other.key()))

    def __hash__(self) -> int:
        key = self.key()
        return id(self) if key is None else hash(key)

    def __repr__(self) -> str:
        return self.name


def _key_of(items: Any, order: Order) -> Any:
    """The same of a set in a description."""
    return items.key() if isinstance(items, Described) and not items.is_finite() else plain(items, order)


class Named(Described):
    """Nat, Int, Real, STRING, Any. `wanted` is the kind of the members; a model value is in none of them."""

    def __init__(self, order: Order, name: str, wanted: str, test: Callable[[Value], bool]) -> None:
        super().__init__(order, name)
        self.wanted, self.test = wanted, test

    def contains(self, value: Value) -> bool:
        if self.wanted and kind(value) != self.wanted:
            return foreign(value, self)
        return self.test(value)

    def key(self) -> Any:
        return self.name


class Interval(Described):
    """a .. b"""

    def __init__(self, order: Order, low: int, high: int) -> None:
        super().__init__(order, f"{low} .. {high}")
        self.low, self.high = low, high

    def contains(self, value: Value) -> bool:
        if type(value) is not int:
            return foreign(value, self) if self.low <= self.high else False
        return self.low <= value <= self.high

    def elements(self) -> Iterator[Value]:
        return iter(range(self.low, self.high + 1))

    def is_finite(self) -> bool:
        return True


class Powerset(Described):
    """SUBSET base, in the order of `SubsetValue.elementsNormalized`: the smaller sets first."""

    def __init__(self, order: Order, base: Any) -> None:
        super().__init__(order, "SUBSET")
        self.base = base

    def contains(self, value: Value) -> bool:
        if type(value) is not frozenset:
            _set_needed(self.base, "SUBSET S")
            raise unasked(value, self)  # of a model value, too (`SubsetValue.member`)
        return all(member(item, self.base, self.order) for item in self.order.sorted(value))

    def elements(self) -> Iterator[Value]:
        items = every_element(self.base, self.order)
        return (frozenset(some) for count in range(len(items) + 1) for some in combinations(items, count))

    def is_finite(self) -> bool:
        _set_needed(self.base, "SUBSET S")
        return is_finite(self.base)

    def key(self) -> Any:
        base = None if self.is_finite() else _key_of(self.base, self.order)
        return None if base is None else (self.name, base)


class Functions(Described):
    """[domain -> range]: the last argument's value changes fastest (`SetOfFcnsValue.Enumerator`)."""

    def __init__(self, order: Order, domain: Any, range_: Any) -> None:
        super().__init__(order, "[S -> T]")
        for items in (domain, range_):
            _set_needed(items, "[S -> T]")
        self.domain, self.range = domain, range_

    def contains(self, value: Value) -> bool:
        if type(value) is not Fun:
            return foreign(value, self)
        keys = plain(self.domain, self.order)
        if not equal(frozenset(value.graph), keys, self.order):
            return False
        return all(member(value.graph[key], self.range, self.order) for key in self.order.sorted(keys))

    def elements(self) -> Iterator[Value]:
        keys = every_element(self.domain, self.order)
        values = every_element(self.range, self.order) if keys or isinstance(self.range, Named | Sequences) else []
        return (Fun(dict(zip(keys, row, strict=True))) for row in product(values, repeat=len(keys)))

    def is_finite(self) -> bool:
        return is_finite(self.domain) and is_finite(self.range)


class Rows(Described):
    """[name: S, ...] where there are names, else S \\X T \\X ... (`SetOfRcdsValue`, `SetOfTuplesValue`)."""

    def __init__(self, order: Order, names: Sequence[str] | None, parts: Sequence[Any]) -> None:
        super().__init__(order, "S \\X T" if names is None else "[name: S]")
        self.record = names is not None
        keys: Sequence[Value] = range(1, len(parts) + 1) if names is None else names
        for part in parts:
            _set_needed(part, self.name)
        by_key = dict(zip(keys, parts, strict=True))
        self.keys = order.sorted(by_key)
        self.parts = [by_key[key] for key in self.keys]

    def contains(self, value: Value) -> bool:
        if type(value) is not Fun:
            return foreign(value, self)
        if set(value.graph) != set(self.keys):
            wanted = str if self.record else int
            fits = all(type(key) is wanted for key in value.graph)
            return False if fits else foreign(value, self)
        return all(member(value.graph[key], part, self.order) for key, part in zip(self.keys, self.parts, strict=True))

    def elements(self) -> Iterator[Value]:
        columns = [every_element(part, self.order) for part in self.parts]
        return (Fun(dict(zip(self.keys, row, strict=True))) for row in product(*columns))

    def is_finite(self) -> bool:
        return all(is_finite(part) for part in self.parts)


class Sequences(Described):
    """Seq(base)"""

    def __init__(self, order: Order, base: Any) -> None:
        super().__init__(order, "Seq(S)")
        _set_needed(base, self.name)
        self.base = base

    def contains(self, value: Value) -> bool:
        items = items_of(value)
        if items is None:
            return foreign(value, self) if type(value) is not Fun or value.graph else False
        return all(member(item, self.base, self.order) for item in items)

    def key(self) -> Any:
        base = _key_of(self.base, self.order)
        return None if base is None else (self.name, base)


class Filtered(Described):
    """{x \\in base : test(x)} of a set that is described itself."""

    def __init__(self, order: Order, base: Any, test: Callable[[Value], bool]) -> None:
        super().__init__(order, "{x \\in S : P(x)}")
        self.base, self.test = base, test

    def contains(self, value: Value) -> bool:
        return member(value, self.base, self.order) and self.test(value)

    def elements(self) -> Iterator[Value]:
        return filter(self.test, elements(self.base, self.order))

    def is_finite(self) -> bool:
        return is_finite(self.base)


class Combined(Described):
    """A union of sets of which one is described, an intersection of described ones, or the difference of one: as in TLC
    each is asked for itself whether it has a value."""

    def __init__(self, order: Order, operator: str, left: Any, right: Any) -> None:
        super().__init__(order, operator)
        self.left, self.right = left, right

    def contains(self, value: Value) -> bool:
        if self.name == "\\cup":  # TLC asks a listed set first (`OPCODE_cup`)
            swapped = _is_listed(self.right) and not _is_listed(self.left)
            first, second = (self.right, self.left) if swapped else (self.left, self.right)
            return member(value, first, self.order) or member(value, second, self.order)
        return member(value, self.left, self.order) and member(value, self.right, self.order) == (self.name == "\\cap")

    def elements(self) -> Iterator[Value]:
        if not self.is_finite():
            return super().elements()
        if self.name == "\\cup":
            return together(list(self._united()), self.order)
        return filter(self.contains, elements(self.left if is_finite(self.left) else self.right, self.order))

    def _united(self) -> Iterator[Any]:
        for part in (self.left, self.right):
            if isinstance(part, Combined) and part.name == "\\cup":
                yield from part._united()
            else:
                yield part

    def is_finite(self) -> bool:
        if self.name == "\\cup":
            return is_finite(self.left) and is_finite(self.right)
        return is_finite(self.left) or (self.name == "\\cap" and is_finite(self.right))


class United(Described):
    """UNION of sets of which one is described: each is asked for itself, in this order.

    Raise `EvaluationError` where one is no set.
    """

    def __init__(self, order: Order, parts: Sequence[Any]) -> None:
        super().__init__(order, "UNION")
        for items in parts:
            _set_needed(items, "UNION")
        self.parts = parts

    def contains(self, value: Value) -> bool:
        return any(member(value, items, self.order) for items in self.parts)

    def elements(self) -> Iterator[Value]:
        if not self.is_finite():
            return super().elements()
        return together(self.parts, self.order)

    def is_finite(self) -> bool:
        return all(map(is_finite, self.parts))


class Single(Described):
    """{S} of a set S that cannot be listed: TLC compares the one element of a `SetEnumValue` with nothing, and binds it
    as it is.
    """

    def __init__(self, order: Order, item: Described) -> None:
        super().__init__(order, f"{{{item.name}}}")
        self.item = item

    def contains(self, value: Value) -> bool:
        return equal(value, plain(self.item, self.order), self.order)

    def elements(self) -> Iterator[Any]:
        return iter([self.item])

    def is_finite(self) -> bool:
        return True


def has_condition(value: Any) -> bool:
    """Whether a finite set is only described, and by what has to be evaluated for each element."""
    if isinstance(value, Described):
        return value.is_finite() and (
            isinstance(value, Filtered | Combined | United) or any(map(has_condition, vars(value).values()))
        )
    return isinstance(value, tuple | list) and any(map(has_condition, value))


class Rule:
    """A function whose values are computed when they are asked for."""

    def __init__(self, domain: Any, value_at: Callable[[Value], Value], order: Order) -> None:
        self.domain, self.value_at, self.order = domain, value_at, order
        self.known: dict[Value, Value] = {}
        self.listed = False
        """Whether TLC computes all values at once, where the function is not applied as it is written (`OPCODE_fc`)."""
        self.body_at: Callable[[Value], tuple[Any, Any]] | None = None
        """The expression that gives the value at an argument, with its names: where an action is a function's value."""

    def apply(self, argument: Value) -> Value:
        if argument not in self.known:
            if not member(argument, self.domain, self.order):
                raise EvaluationError(f"a function is applied to {show(argument)}, which is not in its domain")
            self.known[argument] = self.value_at(argument)
        return self.known[argument]


# --- what is asked of any set ------------------------------------------------------------------------------


def _set_needed(items: Any, what: str) -> None:
    if not isinstance(items, (Described, frozenset)):
        raise EvaluationError(f"{what} is given {show(items)}, which is no set")


def foreign(value: Value, items: Described) -> bool:
    """A value of another kind than the members: FALSE of an untyped model value, an error of all else."""
    if type(value) is Atom and not value.type:
        return False
    raise unasked(value, items)


def unasked(value: Value, items: Described) -> EvaluationError:
    return EvaluationError(f"whether {show(value)} is in {items.name} cannot be said")


def member(value: Value, items: Any, order: Order) -> bool:
    """value \\in items"""
    if isinstance(items, Described):
        return items.contains(value)
    if type(items) is not frozenset:
        raise EvaluationError(f"{show(items)} is no set")
    if value in items:
        return True
    some = next(iter(items), None)
    if some is None or (type(value) is type(some) and type(value) in (int, str, Truth)):
        return False
    return any(equal(item, value, order) for item in items)


def elements(items: Any, order: Order) -> Iterator[Value]:
    """The elements in TLC's order."""
    if isinstance(items, Described):
        return items.elements()
    if type(items) is not frozenset:
        raise EvaluationError(f"{show(items)} is no set")
    return iter(order.sorted(items))


def together(sets: Sequence[Any], order: Order) -> Iterator[Value]:
    """The elements of several finite sets, each once, in TLC's order; where they are many, listed as they are asked
    for."""
    found = list(islice(chain.from_iterable(elements(items, order) for items in sets), _FEW + 1))
    if len(found) <= _FEW:
        return iter(order.sorted(dict.fromkeys(found)))
    in_order = merge(*(elements(items, order) for items in sets), key=cmp_to_key(order.compare))
    return (item for item, _ in groupby(in_order))


def every_element(items: Any, order: Order) -> list[Value]:
    """All elements in TLC's order. Raise `NotInReference` where there are more than are listed."""
    found = list(islice(elements(items, order), LARGEST + 1))
    if len(found) > LARGEST:
        name = items.name if isinstance(items, Described) else "{…}"
        raise NotInReference(f"a set ({name}) of more than {LARGEST} elements")
    return found


def is_finite(items: Any) -> bool:
    return items.is_finite() if isinstance(items, Described) else True


def plain(value: Any, order: Order) -> Value:
    """The value with all its parts listed, but for infinite sets that are compared as they are described."""
    if isinstance(value, Described):
        if not value.is_finite() and value.key() is not None:
            return value
        found = set()
        for item in value.elements():
            found.add(plain(item, order))
            if len(found) > LARGEST:
                raise NotInReference(f"a set ({value.name}) of more than {LARGEST} elements")
        return frozenset(found)
    if isinstance(value, Rule):
        return Fun({key: plain(value.apply(key), order) for key in elements(value.domain, order)})
    return value


def stored(value: Any, order: Order) -> Value:
    """The value as a state holds it. Raise `EvaluationError` for a set in it that cannot be enumerated."""
    value = plain(value, order)
    _listed_parts(value)
    return value


def _listed_parts(value: Value) -> None:
    if isinstance(value, Described):
        value.elements()
    elif type(value) is Fun:
        for key, item in value.graph.items():
            _listed_parts(key)
            _listed_parts(item)
    elif type(value) is frozenset:
        for item in value:
            _listed_parts(item)


def as_sorted(sets: Sequence[Any], order: Order) -> list[Any]:
    """The sets in the order of a set of them: by their number of elements, then by the elements. Finite ones with more
    than a few are the last of them, and stay as they are; so do infinite ones. Raise `EvaluationError` where TLC cannot
    put them in order."""
    if not all(map(is_finite, sets)):
        for a, b in pairwise(sets):
            _compare_endless(a, b, order)
        return list(sets)
    few: dict[Value, Any] = {}
    many: list[Any] = []
    for items in sets:
        if len(some := list(islice(elements(items, order), _FEW + 1))) <= _FEW:
            few.setdefault(frozenset(some), items)
        else:
            many.append(items)
    return [few[items] for items in order.sorted(few)] + many


def _compare_endless(a: Any, b: Any, order: Order) -> None:
    """TLC compares descriptions of one kind (`Naturals.compareTo`, `Sequences.compareTo`, `SubsetValue.compareTo`, …);
    of others it wants the elements."""
    if is_finite(a) and is_finite(b):
        order.compare(plain(a, order), plain(b, order))
    elif isinstance(a, Sequences | Powerset) and isinstance(b, Sequences | Powerset) and type(a) is type(b):
        _compare_endless(a.base, b.base, order)
    elif not (isinstance(a, Named) and isinstance(b, Named) and a.wanted == b.wanted != ""):
        raise EvaluationError(f"{show(a)} and {show(b)} cannot be put in order: one cannot be enumerated")


def subset(a: Any, b: Any, order: Order) -> bool:
    """a \\subseteq b"""
    if isinstance(a, Powerset) and isinstance(b, Powerset):
        return subset(a.base, b.base, order)
    known = isinstance(a, frozenset | Described) and not isinstance(a, Combined | United)
    if a is b and known and is_finite(a):  # the elements of the others may not be comparable
        return True
    return all(member(item, b, order) for item in elements(a, order))


def _is_empty(items: Any, order: Order) -> bool:
    if not isinstance(items, (Described, frozenset)) or not is_finite(items):
        return False
    return next(iter(elements(items, order)), None) is None


def _is_listed(items: Any) -> bool:
    """What TLC asks others for each element of (`Reducible`)."""
    return isinstance(items, (frozenset, Interval))


def combine(operator: str, a: Any, b: Any, order: Order) -> Any:
    """a \\cup b, a \\cap b, a \\ b"""
    a, b = (plain(items, order) if isinstance(items, Single) else items for items in (a, b))
    if operator == "\\" and _is_listed(a) and _is_empty(a, order):
        return frozenset()
    if operator == "\\cap" and any(_is_listed(items) and _is_empty(items, order) for items in (a, b)):
        return frozenset()  # TLC asks one for each element of the other
    for items in (a,) if operator == "\\cup" else (a, b):  # what is in a is in its union with whatever
        if not isinstance(items, (Described, frozenset)):
            raise EvaluationError(f"{operator} is applied to {show(items)}, which is no set")
    if operator == "\\cup" and all(isinstance(items, (frozenset, Interval)) for items in (a, b)):
        both: Value = plain(a, order) | plain(b, order)
        if len(both) > 1 and any(isinstance(item, Described) for item in both):
            order.sorted(both)  # as TLC does
        elif not alike(both):  # TLC asks the first whether it has what is in the second (`SetEnumValue.cup`)
            for item in elements(b, order):
                member(item, a, order)
        return both
    if operator == "\\cap" and _is_listed(b) and not _is_listed(a):
        a, b = b, a
    if operator != "\\cup" and _is_listed(a):
        return frozenset(item for item in elements(a, order) if member(item, b, order) == (operator == "\\cap"))
    return Combined(order, operator, a, b)
