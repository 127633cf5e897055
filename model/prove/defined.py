"""Where expressions have a value: what must hold of the operands, noted by place while an expression is translated.

An application outside of the domain, the Head of an empty sequence, a CHOOSE without a witness and a CASE without a
true arm have no value that TLA+ says anything of. The translation gives them some term all the same, so a sentence is
proved only with what is noted here: in no model does its truth depend on such a term. What stands to the left decides
whether an operand is looked at, as in TLC: `i \\in DOMAIN s => s[i] > 0` demands nothing of other i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, ParamSpec, TypeVar

import z3

from rmqproof.model.prove.logic import Truth, at_most, below, conjunction, disjunction, identity, implication, negation
from rmqproof.model.prove.merge import alternatives_of, as_function, as_sequence, equal, is_number, merge, quantify
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sets import as_set
from rmqproof.model.prove.shapes import shapes_of
from rmqproof.model.prove.values import (
    NOWHERE,
    AtomValue,
    FunctionValue,
    MapValue,
    RecordValue,
    SequenceValue,
    SetValue,
    Value,
)
from rmqproof.model.tla.source import Location

Noted = dict[str, dict[int, Truth]]
"""What must hold, by the place of the expression that demands it: conjuncts, by what identifies them."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(eq=False)
class Demands:
    """Collects what must hold. Nothing is collected where `wanted` is false: the Python engine judges there."""

    wanted: bool
    noted: Noted = field(default_factory=dict)
    _parts: dict[int, tuple[Truth, dict[int, Truth]]] = field(default_factory=dict)

    @contextmanager
    def asked(self, wanted: bool) -> Iterator[None]:
        """Nothing is noted within, unless it is wanted."""
        before, self.wanted = self.wanted, self.wanted and wanted
        try:
            yield
        finally:
            self.wanted = before

    def parts_of(self, truth: Truth) -> dict[int, Truth]:
        """The conjuncts of a formula, by what identifies them."""
        if isinstance(truth, bool):
            return {} if truth else {0: False}
        key = identity(truth)
        if key not in self._parts:
            self._parts[key] = (truth, _parts_of(truth))
        return self._parts[key][1]

    def note(self, truth: Truth, at: Location) -> None:
        if self.wanted and truth is not True:
            self.add({str(at): self.parts_of(truth)})

    def add(self, noted: Mapping[str, dict[int, Truth]], premise: Truth = True) -> None:
        """Note these too, for where the premise holds."""
        if not noted:
            return
        said = self.parts_of(premise)
        if False in said.values():
            return
        for place, parts in noted.items():
            here = self.noted.setdefault(place, {})
            for key, truth in parts.items():
                if key not in here and key not in said:
                    here.update(self.parts_of(implication(premise, truth)))
            if not here:
                del self.noted[place]

    def either(self, condition: Truth, then: Noted, otherwise: Noted) -> None:
        """Note what one of two values demands, under the condition or its negation; and what both demand."""
        both = {
            place: {k: t for k, t in parts.items() if k in otherwise.get(place, {})} for place, parts in then.items()
        }
        self.add(both)
        self.add(then, condition)
        self.add(otherwise, negation(condition))

    @contextmanager
    def apart(self) -> Iterator[Noted]:
        """What is noted within goes into what is given here, and nowhere else."""
        outer, self.noted = self.noted, {}
        try:
            yield self.noted
        finally:
            self.noted = outer

    def quietly(self, look: Callable[P, T]) -> Callable[P, T]:
        """The function, for looking again at what was noted before."""

        def looked(*args: P.args, **kwargs: P.kwargs) -> T:
            with self.apart():
                return look(*args, **kwargs)

        return looked

    def every(self, universal: bool, over: SequenceValue | SetValue, body: Callable[[Value], Truth]) -> Truth:
        """The quantified formula; what its body demands is noted for every element."""
        if not self.wanted:
            return quantify(universal, over, body)
        seen: list[Noted] = []

        def looked(x: Value) -> Truth:
            with self.apart() as noted:
                truth = body(x)
            seen.append(noted)
            return truth

        found = quantify(universal, over, looked)
        for place in {place: None for noted in seen for place in noted}:
            # the elements come in the same order again; where one of them decided, no more were looked at
            again = iter([conjunction(noted.get(place, {}).values()) for noted in seen])
            self.add({place: self.parts_of(quantify(True, over, partial(_next, again)))})
        return found


@dataclass(eq=False)
class Ordered:
    """Notes what one part after the other demands, each under what is true when it is looked at.

    That grows from part to part, so that what one has demanded no later one demands again.
    """

    demands: Demands
    _before: Noted = field(default_factory=dict)

    def add(self, noted: Noted, premise: Truth) -> None:
        new = without(noted, self._before)
        self.demands.add(new, premise)
        for place, parts in new.items():
            self._before.setdefault(place, {}).update(parts)


def _next(truths: Iterator[Truth], x: Value) -> Truth:
    return next(truths, True)


def _parts_of(truth: Any) -> dict[int, Truth]:
    if z3.is_and(truth):
        return {key: part for child in truth.children() for key, part in _parts_of(child).items()}
    return {identity(truth): truth}


def without(noted: Noted, before: Noted) -> Noted:
    """What is noted and was not before."""
    left = {place: {k: t for k, t in parts.items() if k not in before.get(place, {})} for place, parts in noted.items()}
    return {place: parts for place, parts in left.items() if parts}


def all_of(parts: Iterable[Noted]) -> Noted:
    """What all of these say must hold."""
    found: Noted = {}
    for noted in parts:
        for place, truths in noted.items():
            found.setdefault(place, {}).update(truths)
    return found


def by_kinds(values: Sequence[Value], look: Callable[[list[Value]], Value], demands: Demands, at: Location) -> Value:
    """What `look` makes of values of one kind or another; for kinds for which it raises, there is no value."""
    result: Value = NOWHERE
    known: list[Truth] = []
    refused: Untranslatable | None = None
    for row in product(*map(alternatives_of, values)):
        guard = conjunction(guard for guard, _ in row)
        if guard is False:
            continue
        try:
            with demands.apart() as noted:
                found = look([value for _, value in row])
        except Untranslatable as refusal:
            refused = refused or refusal
            continue
        demands.add(noted, guard)
        known.append(guard)
        result = merge(guard, found, result)
    if refused is not None:
        if not known:
            raise refused
        demands.note(disjunction(known), at)
    return result


@dataclass(eq=False)
class EachKind:
    """Looks at elements that may be of several kinds. Where that is refused for some, there is no value for these."""

    demands: Demands
    at: Location
    is_one: bool
    """All are of one kind: what is refused is refused."""
    _looked: bool = False
    _refused: Untranslatable | None = None

    @classmethod
    def of(cls, domains: Iterable[SetValue], demands: Demands, at: Location) -> EachKind:
        """For what is said at a place of the elements of these sets."""
        return cls(demands, at, all(len(shapes_of(domain.element)) == 1 for domain in domains))

    def look(self, of: Callable[[], Value]) -> Value:
        if self.is_one:
            return of()
        try:
            found = of()
        except Untranslatable as refusal:
            self._refused = self._refused or refusal
            self.demands.note(False, self.at)
            return NOWHERE
        self._looked = True
        return found

    def settle(self) -> None:
        """Raise what was raised, if it was for all of them."""
        if self._refused is not None and not self._looked:
            raise self._refused


def has_value_at(function: Value, argument: Value) -> Truth:
    """Whether the argument is in the domain."""
    if function is NOWHERE or argument is NOWHERE:
        return False
    if isinstance(function, SequenceValue):
        if not is_number(argument):
            return False
        return conjunction([at_most(1, argument), at_most(argument, function.length)])
    if isinstance(function, RecordValue) and isinstance(argument, AtomValue) and argument.known is None:
        function = as_function(function)
    if isinstance(function, FunctionValue):
        return disjunction(conjunction([e.present, equal(e.key, argument)]) for e in function.entries)
    if isinstance(function, MapValue):
        return as_set(function.domain).contains(argument)
    return True  # a record has the field, or the translation is refused


def operands_have_value(operator: str, arguments: Sequence[Value]) -> Truth:
    """Whether an operator of a standard module has a value for these arguments."""
    if any(argument is NOWHERE for argument in arguments):
        return False
    match operator.rpartition("!")[2]:
        case "Head" | "Tail":
            return at_most(1, as_sequence(arguments[0]).length)
        case "SubSeq":
            sequence, first, last = as_sequence(arguments[0]), arguments[1], arguments[2]
            if not (is_number(first) and is_number(last)):
                return False  # and the translation is refused
            inside = conjunction([at_most(1, first), at_most(last, sequence.length)])
            return disjunction([below(last, first), inside])
        case "^":
            return arguments != [0, 0]  # other powers of what is not known are refused
    return True
