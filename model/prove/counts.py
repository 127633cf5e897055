"""How many elements a finite set has that cannot be listed: numbers of which Z3 knows how they go with inclusion.

That a part has no more elements than the whole, and fewer where something is missing, needs induction, which Z3 does
not do; so the translation states these facts, about the sets of whose size is spoken.

Where a bound variable is in a set, its size is no number that Z3 could be told about. But that a finite set has none,
one or more elements is as much as that it is empty, that any two of its elements are the same, or that they are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

import z3

from rmqproof.model.prove.fresh import some_element
from rmqproof.model.prove.logic import Number, Truth, at_most, conjunction, implication, negation, same
from rmqproof.model.prove.merge import equal, quantify
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sets import cardinality, difference, intersection, subset
from rmqproof.model.prove.terms import free_variables, signature
from rmqproof.model.prove.values import SetValue


@dataclass(eq=False)
class Counts:
    """One number for each set. `axioms` gets what is true of the numbers."""

    axioms: list[Truth]
    _known: dict[str, tuple[SetValue, Number]] = field(default_factory=dict)

    def of(self, counted: SetValue) -> Number:
        """The number of elements. Raise `Untranslatable`."""
        if counted.elements() is not None or not counted.is_finite:
            return cardinality(counted)
        member = _member(counted)
        if free_variables(member):
            raise Untranslatable("the cardinality of a set that depends on a bound variable and cannot be listed")
        key = signature(member)
        if key not in self._known:
            number = z3.Int(f"count!{len(self._known)}")
            others = list(self._known.values())
            self._known[key] = counted, number
            self._alone(counted, number)
            for other, size in others:
                self._axiom(_part(counted, number, other, size))
                self._axiom(_part(other, size, counted, number))
            for one, another in combinations(self._known.values(), 2):
                for whole in self._known.values():
                    if whole is not one and whole is not another and counted in (one[0], another[0], whole[0]):
                        self._axiom(_apart(one, another, whole))
        return self._known[key][1]

    def compared(self, operator: str, counted: SetValue, number: int) -> Truth | None:
        """Whether a set has none, one or more elements, where how many has no name, since a bound variable is in it.

        None where it has one, or where that is not the question.
        """
        few = _FEW.get((operator, number))
        if few is None or counted.elements() is not None or not counted.is_finite:
            return None
        return few(counted) if free_variables(_member(counted)) else None

    def _alone(self, counted: SetValue, number: Number) -> None:
        nobody = _none(counted)
        self._axiom(at_most(0, number))
        self._axiom(implication(nobody, same(number, 0)))
        self._axiom(implication(same(number, 0), nobody))
        self._axiom(implication(at_most(number, 1), _all_same(counted)))
        self._axiom(implication(_all_same(counted), at_most(number, 1)))

    def _axiom(self, axiom: Truth) -> None:
        if axiom is not True:
            self.axioms.append(axiom)


def _member(counted: SetValue) -> Truth:
    return some_element(counted, "counted!")


def _none(members: SetValue) -> Truth:
    return quantify(True, members, lambda x: False)


def _all_same(members: SetValue) -> Truth:
    return quantify(True, members, lambda x: quantify(True, members, lambda y: equal(x, y)))


def _part(part: SetValue, size: Number, whole: SetValue, number: Number) -> Truth:
    """A part has at most as many elements; as many only if it is the whole; one less just where one is missing."""
    missing = difference(whole, part)
    facts = [
        at_most(size, number),
        implication(at_most(number, size), subset(whole, part)),
        implication(at_most(number, size + 1), _all_same(missing)),
        implication(_all_same(missing), at_most(number, size + 1)),
    ]
    return implication(subset(part, whole), conjunction(facts))


def _apart(one: tuple[SetValue, Number], another: tuple[SetValue, Number], whole: tuple[SetValue, Number]) -> Truth:
    """Two parts of a whole that have nothing in common have together at most as many elements as the whole."""

    parts = [subset(one[0], whole[0]), subset(another[0], whole[0])]
    disjoint = _none(intersection(one[0], another[0]))
    return implication(conjunction([*parts, disjoint]), at_most(one[1] + another[1], whole[1]))


def _not(test: Callable[[SetValue], Truth]) -> Callable[[SetValue], Truth]:
    return lambda members: negation(test(members))


_FEW: dict[tuple[str, int], Callable[[SetValue], Truth]] = {
    **dict.fromkeys((("=", 0), ("<=", 0), ("<", 1)), _none),
    **dict.fromkeys((("#", 0), (">", 0), (">=", 1)), _not(_none)),
    **dict.fromkeys((("<=", 1), ("<", 2)), _all_same),
    **dict.fromkeys(((">", 1), (">=", 2)), _not(_all_same)),
    ("=", 1): lambda members: conjunction([negation(_none(members)), _all_same(members)]),
}
