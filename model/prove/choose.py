"""CHOOSE and SelectSeq: values that Z3 knows by what is true of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import z3

from rmqproof.model.prove.fresh import Maker, flatten, some_element
from rmqproof.model.prove.logic import (
    Number,
    Truth,
    add,
    at_most,
    below,
    choice,
    conjunction,
    implication,
    negation,
    same,
    term,
)
from rmqproof.model.prove.merge import close, merge, quantify, type_of
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.terms import free_variables, has_quantifier, signature
from rmqproof.model.prove.values import NOWHERE, SequenceValue, SetValue, Value
from rmqproof.model.types.domain import Int, Nothing


@dataclass(eq=False)
class Choices:
    """One value for each different question, so that the same question has the same answer.

    `axioms` gets what defines the values. It holds in every model of the rest: there always is such a value.
    """

    axioms: list[Truth]
    bounds: Bounds | None = None
    _known: dict[tuple[str, ...], Value] = field(default_factory=dict)

    def named(self, condition: Truth) -> Truth:
        """A name for a condition with quantifiers, which Z3 handles badly inside of terms; others as they are."""
        if self.bounds is not None or isinstance(condition, bool) or not has_quantifier(condition):
            return condition
        if free_variables(condition):
            return condition
        key = ("named", signature(condition))
        if key not in self._known:
            name = z3.Bool(f"chosen!{len(self._known)}")
            self._known[key] = name
            self.axioms.append(name == condition)
        return self._known[key]

    def chosen(self, domain: SetValue, property_: Callable[[Value], Truth], exists: bool = False) -> Value:
        """CHOOSE x \\in domain : property_(x); where there is none, some value.

        `exists`: there is one unless the domain is empty.
        """
        type_ = domain.element
        if isinstance(type_, Nothing):
            return NOWHERE
        question = some_element(domain, "chosen!", property_)
        around = free_variables(question)
        key = ("chosen", repr(type_), signature(question), *(str(v) for v in around))
        if key not in self._known:
            maker = Maker(self.bounds, self.axioms)
            value = maker.choose(type_, f"chosen!{len(self._known)}", tuple(around))
            self._known[key] = value
            is_one = conjunction([domain.contains(value), property_(value)])
            self._assume(quantify(True, domain, lambda x: is_one if exists else implication(property_(x), is_one)))
            if self.bounds is not None and isinstance(type_, Int) and domain.elements() is not None:
                # Models within bounds are shown to the Python engine, which takes the smallest number, as TLC does.
                self._assume(quantify(True, domain, lambda x: implication(property_(x), at_most(value, x))))
        return self._known[key]

    def selection(self, sequence: Value, keep: Callable[[Value], Truth]) -> SequenceValue:
        """SelectSeq(sequence, keep)"""
        if not isinstance(sequence, SequenceValue):
            raise Untranslatable("SelectSeq of something that is no sequence")
        most = sequence.length if isinstance(sequence.length, int) else sequence.most
        if most is not None:
            return self._counted(sequence, keep, most)
        index = z3.Int("selected!")
        question = term(keep(sequence.at(index)))
        around = free_variables(question, sequence.length)
        # keep may depend on the index only through the item, so the question tells sequences apart where it matters
        items = _leaves(sequence.at(index))
        key = ("selected", signature(question, sequence.length, *items), *(str(v) for v in around))
        if key not in self._known:
            self._known[key] = self._selected(sequence, keep, f"selected!{len(self._known)}", around)
        found = self._known[key]
        assert isinstance(found, SequenceValue)
        return found

    def _counted(self, sequence: SequenceValue, keep: Callable[[Value], Truth], most: int) -> SequenceValue:
        """Every item, and how many are kept up to it."""
        kept: list[tuple[Truth, Number, Value]] = []
        count: Number = 0
        for index in range(1, most + 1):
            item = sequence.at(index)
            here = conjunction([at_most(index, sequence.length), keep(item)])
            count = choice(here, add(count, 1), count)
            kept.append((here, count, item))

        def at(index: Number) -> Value:
            found: Value = NOWHERE
            for here, number, item in reversed(kept):
                found = merge(conjunction([here, same(number, index)]), item, found)
            return found

        return SequenceValue(count, at, most)

    def _selected(
        self, sequence: SequenceValue, keep: Callable[[Value], Truth], name: str, around: list[z3.ExprRef]
    ) -> SequenceValue:
        """`source(k)` is the index of the k-th item that is kept, `place` goes the other way."""
        sorts = [variable.sort() for variable in around]
        integer = z3.IntSort()
        source_, place_ = (z3.Function(f"{name}.{part}", *sorts, integer, integer) for part in ("source", "place"))
        length = z3.Function(f"{name}.length", *sorts, integer)(*around) if around else z3.Int(f"{name}.length")

        def source(k: Number) -> Number:
            return source_(*around, term(k))

        def place(i: Number) -> Number:
            return place_(*around, term(i))

        def kept(i: Number) -> Truth:
            return keep(sequence.at(i))

        def within(i: Number, end: Number) -> Truth:
            return conjunction([at_most(1, i), at_most(i, end)])

        i, j = z3.Int(f"i!{name}.1"), z3.Int(f"i!{name}.2")
        self._assume(conjunction([at_most(0, length), at_most(length, sequence.length)]))
        there = conjunction([within(source(i), sequence.length), kept(source(i)), same(place(source(i)), i)])
        self._assume(z3.ForAll([i], term(implication(within(i, length), there)), patterns=[source(i)]))
        rises = below(source(i), source(j))
        ordered = conjunction([at_most(1, i), below(i, j), at_most(j, length)])
        self._assume(
            z3.ForAll([i, j], term(implication(ordered, rises)), patterns=[z3.MultiPattern(source(i), source(j))])
        )
        found = conjunction([within(place(i), length), same(source(place(i)), i)])
        self._assume(close(True, [i], conjunction([within(i, sequence.length), kept(i)]), found))
        # A consequence that needs induction: where a beginning is kept, it stays where it is.
        beginning = close(
            True,
            [i, j],
            conjunction([at_most(1, i), below(i, j), at_most(j, sequence.length), kept(j)]),
            kept(i),
        )
        stays = z3.ForAll([i], term(implication(within(i, length), same(source(i), i))), patterns=[source(i)])
        first = close(True, [i], within(i, sequence.length), term(kept(i)) == term(at_most(i, length)))
        # Said again of the two items at the end, since nothing else may name them.
        last = implication(at_most(1, length), kept(length))
        after = implication(below(length, sequence.length), negation(kept(add(length, 1))))
        self._assume(implication(beginning, conjunction([stays, first, last, after])))
        return SequenceValue(length, lambda index: sequence.at(source(index)), None)

    def _assume(self, axiom: Truth) -> None:
        if axiom is not True:
            self.axioms.append(close(True, free_variables(axiom), True, axiom))


def _leaves(value: Value) -> list[Truth]:
    return flatten(value, type_of(value))
