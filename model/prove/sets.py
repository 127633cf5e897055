"""Sets whose elements are symbolic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product

import z3

from rmqproof.model.prove.fresh import FiniteSet, PredicateSet, SymbolicSet, finite
from rmqproof.model.prove.logic import (
    Number,
    Truth,
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    implication,
    negation,
)
from rmqproof.model.prove.merge import (
    all_differ,
    are_all_of,
    as_function,
    as_sequence,
    equal,
    quantify,
    tuple_of,
    type_of,
)
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.values import (
    AtomValue,
    Elements,
    FunctionValue,
    MapValue,
    RecordValue,
    SequenceValue,
    SetValue,
    Value,
    atom_sort,
)
from rmqproof.model.types.domain import (
    Function,
    Int,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    join_all,
)

_ENUMERATED = 64
"""A product or a set of subsets with at most so many elements is enumerated."""


@dataclass(frozen=True, eq=False)
class Integers(SymbolicSet):
    natural: bool

    def has(self, value: Value) -> Truth:
        if is_model_value(value):
            return False
        _number(value)
        return at_most(0, value) if self.natural else True

    @property
    def element(self) -> Type:
        return Int()


@dataclass(frozen=True, eq=False)
class Interval(SymbolicSet):
    """low..high. `listed` are the integers of which it is known that no others are in it."""

    low: Number
    high: Number
    listed: range | None = None

    def has(self, value: Value) -> Truth:
        if is_model_value(value):
            return False
        _number(value)
        return conjunction([at_most(self.low, value), at_most(value, self.high)])

    @property
    def element(self) -> Type:
        return Int()

    @property
    def key(self) -> Type:
        known = isinstance(self.low, int) and isinstance(self.high, int)
        return Int(self.low, self.high) if known else Int()

    @property
    def is_bounded(self) -> bool:
        return True

    def elements(self) -> Elements | None:
        if self.listed is None:
            return None
        found = [(self.contains(number), number) for number in self.listed]
        return [(guard, number) for guard, number in found if guard is not False]


@dataclass(frozen=True, eq=False)
class Strings(SymbolicSet):
    def has(self, value: Value) -> Truth:
        if not isinstance(value, AtomValue):
            raise Untranslatable("the question whether something else than a string is in STRING")
        if value.known is not None:
            return not value.known.is_model
        return z3.Function("is a string", atom_sort(), z3.BoolSort())(value.term)

    @property
    def element(self) -> Type:
        return Text()


@dataclass(frozen=True, eq=False)
class Sequences(SymbolicSet):
    items: SetValue

    def has(self, value: Value) -> Truth:
        if is_model_value(value):
            return False
        sequence = as_sequence(value)
        return conjunction(
            [
                at_most(0, sequence.length),
                quantify(True, sequence, lambda index: self.items.contains(sequence.at(index))),
            ]
        )

    @property
    def element(self) -> Type:
        return Seq(self.items.element)


@dataclass(frozen=True, eq=False)
class Records(SymbolicSet):
    fields: Mapping[str, SetValue]

    def has(self, value: Value) -> Truth:
        if is_model_value(value):
            return False
        if not isinstance(value, RecordValue):
            raise Untranslatable("the question whether something else than a record is in a set of records")
        if set(value.fields) != set(self.fields):
            return False
        return conjunction(items.contains(value.fields[name]) for name, items in self.fields.items())

    @property
    def element(self) -> Type:
        return Record.of({name: items.element for name, items in self.fields.items()})

    def elements(self) -> Elements | None:
        listed = _listed(list(self.fields.values()))
        if listed is None:
            return None
        return [(guard, RecordValue(dict(zip(self.fields, values, strict=True)))) for guard, values in listed]


@dataclass(frozen=True, eq=False)
class Products(SymbolicSet):
    factors: tuple[SetValue, ...]

    def has(self, value: Value) -> Truth:
        if is_model_value(value):
            return False
        sequence = as_sequence(value)
        return conjunction(
            [
                equal(sequence.length, len(self.factors)),
                *(factor.contains(sequence.at(index)) for index, factor in enumerate(self.factors, 1)),
            ]
        )

    @property
    def element(self) -> Type:
        return Tuple(tuple(factor.element for factor in self.factors))

    def elements(self) -> Elements | None:
        listed = _listed(list(self.factors))
        return None if listed is None else [(guard, tuple_of(values)) for guard, values in listed]


@dataclass(frozen=True, eq=False)
class Functions(SymbolicSet):
    domain: SetValue
    range: SetValue

    def has(self, value: Value) -> Truth:
        if is_model_value(value):
            return False
        if isinstance(value, SequenceValue):
            has_domain = Interval(1, value.length).same(self.domain)
            inside = quantify(True, value, lambda index: self.range.contains(value.at(index)))
            return conjunction([has_domain, inside])
        if isinstance(value, RecordValue):
            value = as_function(value)
        if isinstance(value, MapValue):
            inside = quantify(True, self.domain, lambda key: self.range.contains(value.at(key)))
            return conjunction([value.domain.same(self.domain), inside])
        if not isinstance(value, FunctionValue):
            raise Untranslatable("the question whether something else than a function is in a set of functions")
        keys = FiniteSet(tuple((entry.present, entry.key) for entry in value.entries))
        inside = conjunction(implication(e.present, self.range.contains(e.value)) for e in value.entries)
        return conjunction([keys.same(self.domain), inside])

    @property
    def element(self) -> Type:
        if isinstance(self.domain, Interval) and self.domain.low == 1:
            return Seq(self.range.element)
        elements = self.domain.elements()
        is_whole = are_all_of(elements, self.domain.key) if elements is not None else self.domain.is_whole
        return Function(self.domain.key, self.range.element, is_whole)

    def elements(self) -> Elements | None:
        """Sequences of a known length are listed, if they are few."""
        domain = self.domain
        if not (isinstance(domain, Interval) and domain.low == 1 and isinstance(domain.high, int) and domain.listed):
            return [(True, tuple_of(()))] if isinstance(domain, Interval) and _is_empty(domain) else None
        listed = _listed([self.range] * domain.high)
        return None if listed is None else [(guard, tuple_of(values)) for guard, values in listed]


@dataclass(frozen=True, eq=False)
class Subsets(SymbolicSet):
    base: SetValue

    def has(self, value: Value) -> Truth:
        return subset(value, self.base)

    @property
    def element(self) -> Type:
        return Set(self.base.element)

    def elements(self) -> Elements | None:
        base = self.base.elements()
        if base is None or 2 ** len(base) > _ENUMERATED or not all_differ([value for _, value in base]):
            return None
        found: Elements = []
        for number in range(2 ** len(base)):
            inside = [pair for bit, pair in enumerate(base) if number >> bit & 1]
            members = tuple((True, value) for _, value in inside)
            found.append((conjunction(guard for guard, _ in inside), FiniteSet(members)))
        return found


def is_model_value(value: Value) -> bool:
    """Whether it is surely a model value: it is in no set of numbers, records, functions or tuples, as TLC says.

    Whether it is in a SUBSET TLC does not say.
    """
    return isinstance(value, AtomValue) and value.is_model


def _is_empty(interval: Interval) -> bool:
    return interval.low == 1 and interval.high == 0 and interval.listed is not None


def _listed(factors: list[SetValue]) -> list[tuple[Truth, tuple[Value, ...]]] | None:
    lists = []
    size = 1
    for factor in factors:
        elements = factor.elements()
        if elements is None:
            return None
        size *= len(elements)
        lists.append(elements)
    if size > _ENUMERATED:
        return None
    return [
        (conjunction(guard for guard, _ in chosen), tuple(value for _, value in chosen)) for chosen in product(*lists)
    ]


def _number(value: Value) -> None:
    if isinstance(value, bool) or not isinstance(type_of(value), Int):
        raise Untranslatable("the question whether something else than a number is in a set of numbers")


def as_set(value: Value) -> SetValue:
    if isinstance(value, SetValue):
        return value
    raise Untranslatable("a value that is no set where a set is needed")


def subset(a: Value, b: Value) -> Truth:
    return quantify(True, as_set(a), as_set(b).contains)


def cardinality(value: SetValue) -> Number:
    """The number of elements of a set whose elements can be listed."""
    elements = value.elements()
    if elements is None:
        raise Untranslatable("the cardinality of a set whose elements cannot be listed")
    total: Number = 0
    for place, (guard, member) in enumerate(elements):
        earlier = disjunction(conjunction([g, equal(m, member)]) for g, m in elements[:place])
        total = _count(total, conjunction([guard, negation(earlier)]))
    return total


def _count(total: Number, one_more: Truth) -> Number:
    if one_more is True:
        return add(total, 1)
    return total if one_more is False else total + choice(one_more, 1, 0)


def union(a: SetValue, b: SetValue) -> SetValue:
    left, right = a.elements(), b.elements()
    if left is not None and right is not None:
        return finite([*left, *right])
    bounded = a.is_bounded and b.is_bounded
    each = None
    if a.is_finite and b.is_finite:
        bounded = True
        each = partial(_each_of_union, a, b)
    return PredicateSet(
        join_all([a.element, b.element]), lambda x: disjunction([a.contains(x), b.contains(x)]), False, bounded, each
    )


def _each_of_union(a: SetValue, b: SetValue, universal: bool, body: Callable[[Value], Truth]) -> Truth:
    parts = [quantify(universal, a, body), quantify(universal, b, body)]
    return conjunction(parts) if universal else disjunction(parts)


def intersection(a: SetValue, b: SetValue) -> SetValue:
    for one, other in ((a, b), (b, a)):
        listed = one.elements()
        if listed is not None:
            return finite([(conjunction([guard, other.contains(value)]), value) for guard, value in listed])
    bounded = a.is_bounded or b.is_bounded
    return PredicateSet(a.element, lambda x: conjunction([a.contains(x), b.contains(x)]), is_bounded=bounded)


def difference(a: SetValue, b: SetValue) -> SetValue:
    listed = a.elements()
    if listed is not None:
        return finite([(conjunction([guard, negation(b.contains(value))]), value) for guard, value in listed])
    return PredicateSet(
        a.element, lambda x: conjunction([a.contains(x), negation(b.contains(x))]), is_bounded=a.is_bounded
    )


EMPTY = FiniteSet(())
