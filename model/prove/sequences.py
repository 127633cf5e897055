"""Operations on sequences, and the intervals that bounds make finite."""

from __future__ import annotations

from dataclasses import dataclass, field

from rmqproof.model.prove.logic import (
    Number,
    Truth,
    add,
    at_most,
    below,
    choice,
    conjunction,
    disjunction,
    same,
    subtract,
)
from rmqproof.model.prove.merge import Items, merge, tuple_of
from rmqproof.model.prove.ranges import Ranges
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.sets import Interval
from rmqproof.model.prove.terms import free_variables
from rmqproof.model.prove.values import SequenceValue, SetValue, Value

_SMALL, _LISTED = 16, 64
"""An interval is listed that is smaller than this: with known ends, and within bounds with ends in known ranges."""


@dataclass(eq=False)
class Scope:
    """Which integers a quantifier over an interval goes through, and the conditions under which those are all."""

    bounds: Bounds | None
    conditions: list[Truth] = field(default_factory=list)
    ranges: Ranges = field(default_factory=Ranges)
    """What is known of the numbers in a state, in a search of bounded depth."""

    def listed(self, domain: SetValue) -> SetValue:
        """The set, its elements listed where bounds or known ends allow that."""
        if not isinstance(domain, Interval) or domain.listed is not None:
            return domain
        low, high = domain.low, domain.high
        if isinstance(low, int) and isinstance(high, int):
            return Interval(low, high, range(low, high + 1)) if high - low < _SMALL or self.bounds else domain
        bounds = self.bounds
        if bounds is None or free_variables(low, high):
            return domain
        lowest, highest = self.ranges.of(low), self.ranges.of(high)
        if lowest is not None and highest is not None and highest[1] - lowest[0] < _LISTED:
            return Interval(low, high, range(lowest[0], highest[1] + 1))
        first = low if isinstance(low, int) else bounds.low
        last = high if isinstance(high, int) else bounds.high
        inside = conjunction([at_most(first, low), at_most(high, last)])
        self.conditions.append(disjunction([below(high, low), inside]))
        return Interval(low, high, range(first, last + 1))


def append(sequence: SequenceValue, item: Value) -> SequenceValue:
    if isinstance(sequence.at, Items) and isinstance(sequence.length, int):
        return tuple_of((*sequence.at.items, item))
    end = add(sequence.length, 1)
    most = None if sequence.most is None else sequence.most + 1
    return SequenceValue(end, lambda index: merge(same(index, end), item, sequence.at(index)), most)


def concatenation(a: SequenceValue, b: SequenceValue) -> SequenceValue:
    if isinstance(a.at, Items) and isinstance(b.at, Items) and isinstance(a.length, int) and isinstance(b.length, int):
        return tuple_of((*a.at.items, *b.at.items))
    if a.most == 0:
        return b
    if b.most == 0:
        return a
    most = None if a.most is None or b.most is None else a.most + b.most

    def at(index: Number) -> Value:
        return merge(at_most(index, a.length), a.at(index), b.at(subtract(index, a.length)))

    return SequenceValue(add(a.length, b.length), at, most)


def subsequence(sequence: SequenceValue, first: Number, last: Number) -> SequenceValue:
    length = add(subtract(last, first), 1)
    length = choice(at_most(0, length), length, 0)
    shift = subtract(first, 1)
    if isinstance(length, int) and isinstance(shift, int):
        return tuple_of([sequence.at(index + shift) for index in range(1, length + 1)])
    return SequenceValue(length, lambda index: sequence.at(add(index, shift)), sequence.most)


def replaced(sequence: SequenceValue, place: Number, item: Value) -> SequenceValue:
    if isinstance(place, int) and isinstance(sequence.at, Items) and isinstance(sequence.length, int):
        items = list(sequence.at.items)
        if 1 <= place <= len(items):
            items[place - 1] = item
        return tuple_of(items)
    return SequenceValue(
        sequence.length, lambda index: merge(same(index, place), item, sequence.at(index)), sequence.most
    )
