"""Values that may be any of several: the state after a step that can be taken in several ways.

A part of the state that all ways leave the same stays as it is. For another there is a constant, of which it is said
which value it has for each way that is taken. Sequences and sets have places for as many items as some way makes, up to
a limit; for a way that makes more, `MergedStates.scope` gets what must hold for nothing to be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import z3

from rmqproof.model.prove.fresh import FiniteSet, constants_of, finite
from rmqproof.model.prove.logic import (
    Truth,
    at_most,
    conjunction,
    disjunction,
    equivalence,
    identity,
    implication,
    negation,
    same,
)
from rmqproof.model.prove.merge import (
    Items,
    alternatives_of,
    as_function,
    equal,
    form,
    is_number,
    is_truth,
    merge,
    one_among,
    tuple_of,
)
from rmqproof.model.prove.ranges import joined
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sequences import Scope
from rmqproof.model.prove.values import (
    NOWHERE,
    AtomValue,
    Entry,
    FunctionValue,
    RecordValue,
    SequenceValue,
    SetValue,
    UnionValue,
    Value,
    atom_sort,
)
from rmqproof.model.types.domain import Function, Record, Seq, Set, Tuple, Type


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """The value of a part for these ways, by their numbers."""

    ways: tuple[int, ...]
    value: Value


@dataclass(eq=False)
class MergedStates:
    """Makes the values. `taken[w]` says that way w is taken; at least one is.

    `constraints` gets what the constants are; `limit` is for items of a sequence and for elements of a set.
    """

    taken: Sequence[Truth]
    name: str
    limit: int
    constraints: list[Truth]
    scope: Scope
    _guards: dict[tuple[int, ...], Truth] = field(default_factory=dict)
    _numbers: Any = field(default_factory=count)

    def of(self, cases: Iterable[Case], type_: Type | None = None) -> Value:
        """The value for whichever way is taken. Raise `Untranslatable`."""
        distinct = _grouped(cases)
        if not distinct:
            return NOWHERE
        if len(distinct) == 1:
            return distinct[0].value
        values = [case.value for case in distinct]
        if all(is_truth(value) for value in values):
            return self._leaf(distinct, z3.BoolSort())
        if all(is_number(value) for value in values):
            return self._leaf(distinct, z3.IntSort())
        if all(isinstance(value, AtomValue) for value in values):
            made = self._leaf([Case(case.ways, case.value.term) for case in distinct], atom_sort())
            return AtomValue(made, among=one_among(values))
        if all(isinstance(value, SetValue) for value in values):
            return self._set(distinct, type_)
        if all(isinstance(value, RecordValue) for value in values):
            same_names = len({form(value) for value in values}) == 1
            return self._record(distinct, type_) if same_names else self._union(distinct)
        if all(isinstance(value, SequenceValue) or _is_empty_function(value) for value in values):
            return self._sequence(distinct, type_)
        if all(isinstance(value, FunctionValue | RecordValue) or _is_empty_sequence(value) for value in values):
            return self._function(distinct, type_)
        return self._union(distinct)

    def _union(self, cases: Sequence[Case]) -> UnionValue:
        """One value for each form that there is, and of which form it is."""
        alternatives = [
            (form(value), guard, value, case.ways) for case in cases for guard, value in alternatives_of(case.value)
        ]
        found = []
        for wanted in dict.fromkeys(of for of, *_ in alternatives):
            here = [
                Case(c.ways, disjunction(g for of, g, _, ways in alternatives if of == wanted and ways is c.ways))
                for c in cases
            ]
            values = [Case(ways, value) for of, _, value, ways in alternatives if of == wanted]
            found.append((self.of(here), self.of(values)))
        return UnionValue(tuple(found))

    def _guard(self, ways: tuple[int, ...]) -> Truth:
        if ways not in self._guards:
            self._guards[ways] = True if len(ways) == len(self.taken) else disjunction(self.taken[w] for w in ways)
        return self._guards[ways]

    def _leaf(self, cases: Sequence[Case], sort: Any) -> Any:
        name = f"{self.name}.{next(self._numbers)}"
        made = z3.Const(name, sort)
        if sort == z3.IntSort():
            range_ = joined([self.scope.ranges.of(case.value) for case in cases])
            if range_ is not None:
                self.scope.ranges.known[name] = range_
        for case in cases:
            is_it = equivalence(made, case.value) if is_truth(case.value) else same(made, case.value)
            self.constraints.append(implication(self._guard(case.ways), is_it))
        return made

    def _record(self, cases: Sequence[Case], type_: Type | None) -> Value:
        names = list(cases[0].value.fields)
        types = dict(type_.fields) if isinstance(type_, Record) else {}
        return RecordValue(
            {
                name: self.of((Case(case.ways, case.value.fields[name]) for case in cases), types.get(name))
                for name in names
            }
        )

    def _sequence(self, cases: Sequence[Case], type_: Type | None) -> Value:
        sequences = [Case(case.ways, _as_sequence(case.value)) for case in cases]
        longest = max(_most(case.value) for case in sequences)
        for case in sequences:
            if _most(case.value) > self.limit:
                self._demand(case, at_most(case.value.length, self.limit))
        items = []
        for index in range(1, min(longest, self.limit) + 1):
            element = _item_type(type_, index)
            here = [Case(case.ways, case.value.at(index)) for case in sequences if _most(case.value) >= index]
            items.append(self.of(here, element))
        length = self.of(Case(case.ways, case.value.length) for case in sequences)
        return SequenceValue(length, Items(tuple(items)), len(items))

    def _set(self, cases: Sequence[Case], type_: Type | None) -> Value:
        element = type_.element if isinstance(type_, Set) else None
        listed = constants_of(element) if element is not None else None
        if listed is not None:
            return self._listed_set(cases, listed)
        places: dict[tuple[Any, int], list[tuple[tuple[int, ...], Truth, Value]]] = {}
        for case in cases:
            used: dict[Any, int] = {}
            for guard, member in _elements(case.value):
                of = form(member)
                number = used[of] = used.get(of, -1) + 1
                if number < self.limit:
                    places.setdefault((of, number), []).append((case.ways, guard, member))
                else:
                    self._demand(case, negation(guard))
        members = []
        for found in places.values():
            there = {ways for ways, _, _ in found}
            guards = [Case(ways, guard) for ways, guard, _ in found]
            guards += [Case(case.ways, False) for case in cases if case.ways not in there]
            members.append((self.of(guards), self.of((Case(ways, member) for ways, _, member in found), element)))
        return FiniteSet(tuple(members))

    def _listed_set(self, cases: Sequence[Case], listed: list[Value]) -> Value:
        for case in cases:
            for guard, member in _elements(case.value):
                among = disjunction(equal(item, member) for item in listed)
                if among is not True:
                    self._demand(case, implication(guard, among))
        return FiniteSet(
            tuple((self.of(Case(case.ways, case.value.contains(item)) for case in cases), item) for item in listed)
        )

    def _function(self, cases: Sequence[Case], type_: Type | None) -> Value:
        functions = [Case(case.ways, _as_function(case.value)) for case in cases]
        keys = self._keys([case.value for case in functions], type_)
        element = type_.value if isinstance(type_, Function) else None
        entries = []
        for place, key in enumerate(keys):
            there, values = [], []
            for case in functions:
                present, value = _at_key(case.value, key, place)
                there.append(Case(case.ways, present))
                if present is not False:
                    values.append(Case(case.ways, value))
            entries.append(Entry(self.of(there), key, self.of(values, element)))
        return FunctionValue(tuple(entries))

    def _keys(self, functions: Sequence[FunctionValue], type_: Type | None) -> list[Value]:
        """The keys that some function may have; they differ from one another."""
        known = finite([(True, entry.key) for function in functions for entry in function.entries])
        keys = [key for _, key in known.members]
        if all(equal(a, b) is False for number, a in enumerate(keys) for b in keys[:number]):
            return keys
        listed = constants_of(type_.key) if isinstance(type_, Function) else None
        if listed is None:
            raise Untranslatable("a function whose domain cannot be listed, in a search of bounded depth")
        return listed

    def _demand(self, case: Case, condition: Truth) -> None:
        if condition is not True:
            self.scope.conditions.append(implication(self._guard(case.ways), condition))


def _grouped(cases: Iterable[Case]) -> list[Case]:
    """One case for each value; without those in which there is none."""
    found: dict[Any, Case] = {}
    for case in cases:
        if case.value is NOWHERE:
            continue
        key = _key(case.value)
        other = found.get(key)
        found[key] = case if other is None else Case((*other.ways, *case.ways), other.value)
    return [Case(tuple(sorted(case.ways)), case.value) for case in found.values()]


def _key(value: Value) -> Any:
    """What values have in common that are known to be the same."""
    if isinstance(value, bool | int):
        return type(value), value
    if isinstance(value, z3.ExprRef):
        return "term", identity(value)
    if isinstance(value, AtomValue):
        return "term", identity(value.term)
    return "object", id(value)


def _most(sequence: SequenceValue) -> int:
    most = sequence.length if isinstance(sequence.length, int) else sequence.most
    if most is None:
        raise Untranslatable("a sequence that may have any length, in a search of bounded depth")
    return most


def _item_type(type_: Type | None, index: int) -> Type | None:
    if isinstance(type_, Seq):
        return type_.element
    return type_.items[index - 1] if isinstance(type_, Tuple) and index <= len(type_.items) else None


def _elements(value: SetValue) -> list[tuple[Truth, Value]]:
    elements = value.elements()
    if elements is None:
        raise Untranslatable("a set whose elements cannot be listed, in a search of bounded depth")
    return elements


def _is_empty_function(value: Value) -> bool:
    return isinstance(value, FunctionValue) and not value.entries


def _is_empty_sequence(value: Value) -> bool:
    return isinstance(value, SequenceValue) and _most(value) == 0


def _as_sequence(value: Value) -> SequenceValue:
    return value if isinstance(value, SequenceValue) else tuple_of(())


def _as_function(value: Value) -> FunctionValue:
    if isinstance(value, FunctionValue):
        return value
    return as_function(value) if isinstance(value, RecordValue) else FunctionValue(())


def _at_key(function: FunctionValue, key: Value, place: int) -> tuple[Truth, Value]:
    """Whether the key is in the domain, and its value there."""
    entries = function.entries
    if place < len(entries) and equal(entries[place].key, key) is True:
        return entries[place].present, entries[place].value
    present: list[Truth] = []
    value: Value = NOWHERE
    for entry in reversed(entries):
        hit = conjunction([entry.present, equal(entry.key, key)])
        present.append(hit)
        value = merge(hit, entry.value, value)
    return disjunction(present), value
