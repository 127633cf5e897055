"""Equality, alternatives and types of symbolic values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from rmqproof.model.prove.logic import (
    Number,
    Truth,
    at_most,
    choice,
    conjunction,
    disjunction,
    equivalence,
    identity,
    implication,
    negation,
    same,
    term,
)
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.values import (
    NOWHERE,
    AtomValue,
    Elements,
    Entry,
    FunctionValue,
    MapValue,
    RecordValue,
    SequenceValue,
    SetValue,
    UnionValue,
    Value,
    atom_sort,
    one_of_kinds,
    same_atom,
)
from rmqproof.model.types.domain import (
    BOOL,
    EMPTY_SEQUENCE,
    NOTHING,
    Atom,
    Enum,
    Function,
    Int,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    cardinality,
    join_all,
)

_depth: ContextVar[int] = ContextVar("depth", default=0)
"""How many quantifiers are around. A bound variable is named by it: no two in one scope have the same name, and equal
formulas become one term, so that Z3 sees at once that what a step does not change is unchanged."""


@contextmanager
def deeper() -> Iterator[int]:
    token = _depth.set(_depth.get() + 1)
    try:
        yield _depth.get()
    finally:
        _depth.reset(token)


def is_truth(value: Value) -> bool:
    return isinstance(value, bool | z3.BoolRef)


def is_number(value: Value) -> bool:
    return isinstance(value, z3.ArithRef) or (isinstance(value, int) and not isinstance(value, bool))


def some_truth() -> Truth:
    """Any truth value: what a formula is worth that speaks about a value that does not exist."""
    return z3.FreshBool("nowhere")


def kind(value: Value) -> str:
    if is_truth(value):
        return "a Boolean"
    if is_number(value):
        return "a number"
    if isinstance(value, AtomValue):
        return "a string or a model value"
    if isinstance(value, RecordValue):
        return "a record"
    if isinstance(value, SequenceValue):
        return "a sequence"
    if isinstance(value, FunctionValue | MapValue):
        return "a function"
    if isinstance(value, SetValue):
        return "a set"
    if isinstance(value, UnionValue):
        return " or ".join(sorted({kind(alternative) for _, alternative in value.alternatives}))
    return "a value outside of a function's domain" if value is NOWHERE else f"{type(value).__name__}"


def equal(a: Value, b: Value) -> Truth:
    """Whether two values are the same. Raise `Untranslatable` for values of different kinds: TLA+ does not say."""
    if a is b:
        return True
    if is_truth(a) and is_truth(b):
        return equivalence(a, b)
    if is_number(a) and is_number(b):
        return same(a, b)
    if isinstance(a, AtomValue) and isinstance(b, AtomValue):
        return same_atom(a, b)
    if isinstance(a, RecordValue) and isinstance(b, RecordValue):
        if set(a.fields) != set(b.fields):
            return False
        return _all_equal((value, b.fields[name]) for name, value in a.fields.items())
    if isinstance(a, SequenceValue) and isinstance(b, SequenceValue):
        if isinstance(a.at, Items) and isinstance(b.at, Items) and isinstance(a.length, int) and a.length == b.length:
            return _all_equal((a.at(index), b.at(index)) for index in range(1, a.length + 1))
        shorter = a if b.most is None or (a.most is not None and a.most <= b.most) else b
        return conjunction(
            [same(a.length, b.length), quantify(True, shorter, lambda index: equal(a.at(index), b.at(index)))]
        )
    if isinstance(a, FunctionValue) and isinstance(b, FunctionValue):
        return _same_function(a, b)
    if isinstance(a, MapValue) and isinstance(b, MapValue):
        everywhere = quantify(True, a.domain, lambda key: equal(a.at(key), b.at(key)))
        return conjunction([equal(a.domain, b.domain), everywhere])
    if isinstance(a, SetValue) and isinstance(b, SetValue):
        return a.same(b)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, UnionValue):
            return one_of_kinds(one, partial(equal, other))
    for one, other in ((a, b), (b, a)):
        if isinstance(one, AtomValue) and one.is_model and other is not NOWHERE:
            return False
        if isinstance(one, SequenceValue) and isinstance(other, FunctionValue) and not other.entries:
            return same(one.length, 0)
        if isinstance(other, FunctionValue) and (isinstance(one, RecordValue) or _is_listed(one)):
            return _same_function(as_function(one), other)
    if a is NOWHERE or b is NOWHERE:
        return some_truth()
    raise Untranslatable(f"a comparison of {kind(a)} with {kind(b)}")


def surely_equal(a: Value, b: Value) -> bool:
    """Whether two values are known to be the same; of those that cannot be compared it is not known."""
    try:
        return equal(a, b) is True
    except Untranslatable:
        return False


def surely_differ(a: Value, b: Value) -> bool:
    """Whether two values are known to be different."""
    try:
        return equal(a, b) is False
    except Untranslatable:
        return False


def _all_equal(pairs: Iterable[tuple[Value, Value]]) -> Truth:
    """Whether all are the same; where two surely differ, nothing is asked of the others, such as what is tagged."""
    parts: list[Truth] = []
    refused: Untranslatable | None = None
    for a, b in pairs:
        try:
            parts.append(equal(a, b))
        except Untranslatable as refusal:
            refused = refused or refusal
        else:
            if parts[-1] is False:
                return False
    if refused is not None:
        raise refused
    return conjunction(parts)


def as_function(value: RecordValue | SequenceValue) -> FunctionValue:
    """A record as the function of strings that it is, a sequence of known length as one of numbers."""
    if isinstance(value, SequenceValue):
        return FunctionValue(tuple(Entry(True, index, value.at(index)) for index in range(1, value.length + 1)))
    names = sorted(value.fields)
    return FunctionValue(tuple(Entry(True, AtomValue.of(Atom(name)), value.fields[name]) for name in names))


def _is_listed(value: Value) -> bool:
    return isinstance(value, SequenceValue) and isinstance(value.length, int)


def _same_function(a: FunctionValue, b: FunctionValue) -> Truth:
    parts: list[Truth] = []
    for one, other in ((a, b), (b, a)):
        for entry in one.entries:
            there = disjunction(
                conjunction([e.present, equal(e.key, entry.key), equal(e.value, entry.value)]) for e in other.entries
            )
            parts.append(implication(entry.present, there))
    return conjunction(parts)


def merge(condition: Truth, a: Value, b: Value) -> Value:
    """`IF condition THEN a ELSE b`."""
    if isinstance(condition, bool):
        return a if condition else b
    if a is b or b is NOWHERE:
        return a
    if a is NOWHERE:
        return b
    if (is_truth(a) and is_truth(b)) or (is_number(a) and is_number(b)):
        return choice(condition, a, b)
    if isinstance(a, AtomValue) and isinstance(b, AtomValue):
        if identity(a.term) == identity(b.term):
            return a
        return AtomValue(choice(condition, a.term, b.term), among=one_among([a, b]))
    if isinstance(a, RecordValue) and isinstance(b, RecordValue) and set(a.fields) == set(b.fields):
        return RecordValue(_Merged(condition, a.fields, b.fields))
    if isinstance(a, SequenceValue) and isinstance(b, SequenceValue):
        most = None if a.most is None or b.most is None else max(a.most, b.most)
        return SequenceValue(
            choice(condition, a.length, b.length), lambda index: merge(condition, a.at(index), b.at(index)), most
        )
    if isinstance(a, FunctionValue) and isinstance(b, FunctionValue):
        return _merged_functions(condition, a, b)
    if isinstance(a, RecordValue) and isinstance(b, FunctionValue):
        return _merged_functions(condition, as_function(a), b)
    if isinstance(a, FunctionValue) and isinstance(b, RecordValue):
        return _merged_functions(condition, a, as_function(b))
    if isinstance(a, MapValue) and isinstance(b, MapValue):
        domain = merge(condition, a.domain, b.domain)
        return MapValue(domain, lambda key: merge(condition, a.at(key), b.at(key)))
    if isinstance(a, SetValue) and isinstance(b, SetValue):
        return a.merged(condition, b)
    return _union_of(condition, a, b)


def one_among(values: Sequence[AtomValue]) -> frozenset[Atom] | None:
    """The strings and model values that one of these may be; None where that is not known."""
    known = [value.among for value in values if value.among is not None]
    return frozenset().union(*known) if len(known) == len(values) else None


def _union_of(condition: Truth, a: Value, b: Value) -> UnionValue:
    """One or the other, which may be of one kind or another themselves: what is of one kind becomes one value."""
    found: list[tuple[Truth, Value]] = []
    for under, value in ((condition, a), (negation(condition), b)):
        for guard, alternative in alternatives_of(value):
            here = conjunction([under, guard])
            place = next((i for i, (_, other) in enumerate(found) if form(other) == form(alternative)), None)
            if place is None:
                found.append((here, alternative))
            else:
                there, other = found[place]
                found[place] = disjunction([there, here]), merge(there, other, alternative)
    return UnionValue(tuple(found))


def alternatives_of(value: Value) -> tuple[tuple[Truth, Value], ...]:
    """What a value may be, and when it is that."""
    return value.alternatives if isinstance(value, UnionValue) else ((True, value),)


def form(value: Value) -> object:
    """Values of one form can be merged into one; else they are alternatives."""
    return frozenset(value.fields) if isinstance(value, RecordValue) else kind(value)


class _Merged(Mapping[str, Value]):
    """The fields of one record or the other, made when they are asked for."""

    def __init__(self, condition: Truth, a: Mapping[str, Value], b: Mapping[str, Value]) -> None:
        self._condition, self._a, self._b = condition, a, b
        self._made: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._made:
            self._made[name] = merge(self._condition, self._a[name], self._b[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._a)

    def __len__(self) -> int:
        return len(self._a)


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """What stands in a tuple, by its index."""

    items: tuple[Value, ...]

    def __call__(self, index: Number) -> Value:
        if isinstance(index, int):
            return self.items[index - 1] if 1 <= index <= len(self.items) else NOWHERE
        found: Value = NOWHERE
        for place in range(len(self.items), 0, -1):
            found = merge(index == place, self.items[place - 1], found)
        return found


def tuple_of(items: Iterable[Value]) -> SequenceValue:
    """The sequence of these items."""
    known = tuple(items)
    return SequenceValue(len(known), Items(known), len(known))


def as_sequence(value: Value) -> SequenceValue:
    if isinstance(value, SequenceValue):
        return value
    if isinstance(value, FunctionValue) and not value.entries:
        return tuple_of(())
    raise Untranslatable("a function that stands where a sequence is needed")


def _merged_functions(condition: Truth, a: FunctionValue, b: FunctionValue) -> FunctionValue:
    rest = list(b.entries)
    entries = []
    for entry in a.entries:
        twin = next((e for e in rest if equal(e.key, entry.key) is True), None)
        if twin is None:
            entries.append(Entry(conjunction([condition, entry.present]), entry.key, entry.value))
        else:
            rest.remove(twin)
            present = choice(condition, entry.present, twin.present)
            entries.append(Entry(present, entry.key, merge(condition, entry.value, twin.value)))
    negated = z3.Not(condition)
    entries += [Entry(conjunction([negated, e.present]), e.key, e.value) for e in rest]
    return FunctionValue(tuple(entries))


def type_of(value: Value) -> Type:
    """The type of a value, numbers without bounds."""
    if is_truth(value):
        return BOOL
    if is_number(value):
        return Int()
    if isinstance(value, AtomValue):
        return Text() if value.among is None else Enum(value.among)
    if isinstance(value, RecordValue):
        return Record.of({name: type_of(field) for name, field in value.fields.items()})
    if isinstance(value, SequenceValue):
        if value.most == 0:
            return EMPTY_SEQUENCE
        if isinstance(value.length, int) and isinstance(value.at, Items):
            return Tuple(tuple(type_of(item) for item in value.at.items))
        return Seq(type_of(value.at(z3.Int("any!index"))), 0, value.most)
    if isinstance(value, FunctionValue):
        keys = join_all([type_of(entry.key) for entry in value.entries])
        total = are_all_of([(entry.present, entry.key) for entry in value.entries], keys)
        return Function(keys, join_all([type_of(entry.value) for entry in value.entries]), total)
    if isinstance(value, MapValue):
        sample = AtomValue(z3.Const("any!key", atom_sort()))
        return Function(value.domain.key, type_of(value.at(sample)), value.domain.is_whole)
    if isinstance(value, SetValue):
        return Set(value.element)
    if isinstance(value, UnionValue):
        return join_all([type_of(alternative) for _, alternative in value.alternatives])
    return NOTHING


def are_all_of(elements: Elements, type_: Type) -> bool:
    """Whether these are surely all values of the type, each once."""
    values = [value for guard, value in elements if guard is True]
    if len(values) < len(elements) or len(values) != cardinality(type_):
        return False
    return all_differ(values)


def all_differ(values: Sequence[Value]) -> bool:
    """Whether the values surely differ from one another."""
    return all(surely_differ(a, b) for number, a in enumerate(values) for b in values[:number])


# --- quantifiers ---------------------------------------------------------------------------------------------------


def quantify(universal: bool, over: SequenceValue | SetValue, body: Callable[[Any], Truth]) -> Truth:
    """`\\A x \\in over : body(x)`, or `\\E`. Over a sequence, x is an index."""
    if isinstance(over, SequenceValue):
        sequence = over
        if isinstance(sequence.length, int):
            whole = [body(index) for index in range(1, sequence.length + 1)]
            return conjunction(whole) if universal else disjunction(whole)
        if sequence.most is not None:
            pairs = [(at_most(index, sequence.length), index) for index in range(1, sequence.most + 1)]
            return _listed(universal, pairs, body)
        with deeper() as depth:
            index = z3.Int(f"i!{depth}")
            guard = conjunction([at_most(1, index), at_most(index, sequence.length)])
            return close(universal, [index], guard, body(index))
    elements = over.elements()
    if elements is not None:
        return _listed(universal, elements, body)
    return over.quantify(universal, body)


def _listed(universal: bool, elements: Any, body: Callable[[Any], Truth]) -> Truth:
    if universal:
        return conjunction(implication(guard, body(value)) for guard, value in elements if guard is not False)
    return disjunction(conjunction([guard, body(value)]) for guard, value in elements if guard is not False)


def close(universal: bool, variables: list[Any], guard: Truth, body: Truth) -> Truth:
    """Quantify over these Z3 constants."""
    inside = implication(guard, body) if universal else conjunction([guard, body])
    if isinstance(inside, bool) or not variables:
        return inside
    return z3.ForAll(variables, term(inside)) if universal else z3.Exists(variables, term(inside))
