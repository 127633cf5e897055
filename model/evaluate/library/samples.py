"""Randomization: pseudo-random subsets, the same in every run.

The generator is seeded by the arguments, so that a choice depends on nothing but what is asked.
"""

from __future__ import annotations

import random
from typing import Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazySet, in_order
from rmqproof.model.evaluate.lazy_sets import Functions, Interval, Powerset, Products, Records
from rmqproof.model.evaluate.library.arguments import finite_set, natural
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.values import Function, Value, function

_LISTED = 100_000
"""A set up to this size is listed to draw from it."""


def random_subset(k: Value, items: Value) -> frozenset[Value]:
    """k different elements of the set, as TLC all of one that has no more."""
    count = natural(k, "RandomSubset")
    if isinstance(items, LazySet) and items.size is not None and items.size > max(_LISTED, count):
        return _drawn(count, items)
    elements = in_order(finite_set(items, "RandomSubset"))
    return frozenset(random.Random(f"{count} {len(elements)}").sample(elements, min(count, len(elements))))


def _drawn(count: int, items: LazySet) -> frozenset[Value]:
    """Elements of a set too large to list, by way of the descriptions that can be sampled."""
    generator = random.Random(f"{count} {items}")
    found: set[Value] = set()
    for _ in range(100 * count + 100):
        if len(found) == count:
            break
        found.add(_draw(items, generator))
    if len(found) < count:
        raise Fault(f"RandomSubset finds no {count} elements of {items}")
    return frozenset(found)


def _draw(items: Value, generator: random.Random) -> Value:
    if isinstance(items, Interval):
        return generator.randint(items.low, items.high)
    if isinstance(items, Powerset):
        return frozenset(item for item in in_order(items.base) if generator.random() < 0.5)
    if isinstance(items, Functions):
        return function({key: _draw(items.range, generator) for key in in_order(items.domain)})
    if isinstance(items, Products):
        return tuple(_draw(factor, generator) for factor in items.factors)
    if isinstance(items, Records):
        return Function((items.domain, *(_draw(factor, generator) for factor in items.sets)))
    return generator.choice(in_order(items))


def random_set_of_subsets(k: Value, n: Value, items: Value) -> frozenset[Value]:
    """At most k subsets, into which each element goes with the probability n / Cardinality(items)."""
    count, average = natural(k, "RandomSetOfSubsets"), natural(n, "RandomSetOfSubsets")
    elements = in_order(finite_set(items, "RandomSetOfSubsets"))
    if average > len(elements):
        raise Fault(f"RandomSetOfSubsets: subsets of {len(elements)} elements have no {average} on average")
    generator = random.Random(f"{count} {average} {len(elements)}")
    chance = average / len(elements) if elements else 0.0
    return frozenset(frozenset(item for item in elements if generator.random() < chance) for _ in range(count))


OPERATORS: Final = {
    "Randomization!RandomSubset": Operator(random_subset, lazy=True),
    "Randomization!RandomSetOfSubsets": Operator(random_set_of_subsets),
}
