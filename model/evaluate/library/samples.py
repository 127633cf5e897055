"""What is drawn at random: RandomElement of TLC, and Randomization.

`Draws` says how what is drawn depends on what is asked, so that a search can be repeated.
"""

from __future__ import annotations

import random
from typing import Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazySet, in_order, plain
from rmqproof.model.evaluate.lazy_sets import Functions, Interval, Powerset, Products, Records
from rmqproof.model.evaluate.library.arguments import finite_set, natural
from rmqproof.model.evaluate.library.operator import Operator, Runtime
from rmqproof.model.evaluate.values import Function, Value, function

_LISTED = 100_000
"""A set up to this size is listed to draw from it."""


def random_element(runtime: Runtime, items: Value, place: str = "") -> Value:
    """RandomElement(items)"""
    return plain(_draw(items, runtime.draws.random(f"{place} {_size(items)}")))


def random_subset(runtime: Runtime, k: Value, items: Value, place: str = "") -> frozenset[Value]:
    """k different elements of the set, as TLC all of one that has no more."""
    count = natural(k, "RandomSubset")
    generator = runtime.draws.random(f"{place} {count} {_size(items)}")
    if isinstance(items, LazySet) and items.size is not None and items.size > max(_LISTED, count):
        return _drawn(count, items, generator)
    elements = in_order(finite_set(items, "RandomSubset"))
    return frozenset(generator.sample(elements, min(count, len(elements))))


def _drawn(count: int, items: LazySet, generator: random.Random) -> frozenset[Value]:
    """Elements of a set too large to list, by way of the descriptions that can be sampled."""
    found: set[Value] = set()
    for _ in range(100 * count + 100):
        if len(found) == count:
            break
        found.add(plain(_draw(items, generator)))
    if len(found) < count:
        raise Fault(f"RandomSubset finds no {count} elements of {items}")
    return frozenset(found)


def _draw(items: Value, generator: random.Random) -> Value:
    """An element, the same one however the set is kept, if it can be listed. Raise `Fault` where there is none."""
    size = _size(items)
    if size == 0:
        raise Fault("RandomElement of the empty set")
    if isinstance(items, Interval) and size is not None:
        return items.low + generator.randrange(size)
    if size is not None and size <= _LISTED:
        return in_order(items)[generator.randrange(size)]
    if isinstance(items, Powerset):
        return frozenset(item for item in in_order(items.base) if generator.random() < 0.5)
    if isinstance(items, Functions):
        return function({key: _draw(items.range, generator) for key in in_order(items.domain)})
    if isinstance(items, Products):
        return tuple(_draw(factor, generator) for factor in items.factors)
    if isinstance(items, Records):
        return Function((items.domain, *(_draw(factor, generator) for factor in items.sets)))
    return generator.choice(in_order(items))


def random_set_of_subsets(runtime: Runtime, k: Value, n: Value, items: Value, place: str = "") -> frozenset[Value]:
    """At most k subsets, into which each element goes with the probability n / Cardinality(items)."""
    count, average = natural(k, "RandomSetOfSubsets"), natural(n, "RandomSetOfSubsets")
    elements = in_order(finite_set(items, "RandomSetOfSubsets"))
    if average > len(elements):
        raise Fault(f"RandomSetOfSubsets: subsets of {len(elements)} elements have no {average} on average")
    generator = runtime.draws.random(f"{place} {count} {average} {len(elements)}")
    chance = average / len(elements) if elements else 0.0
    return frozenset(frozenset(item for item in elements if generator.random() < chance) for _ in range(count))


def _size(items: Value) -> int | None:
    """How many elements a set has; None: without end, or it is no set."""
    return items.size if isinstance(items, LazySet) else len(items) if type(items) is frozenset else None


OPERATORS: Final = {
    "TLC!RandomElement": Operator(random_element, lazy=True, runtime=True, placed=True),
    "Randomization!RandomSubset": Operator(random_subset, lazy=True, runtime=True, placed=True),
    "Randomization!RandomSetOfSubsets": Operator(random_set_of_subsets, runtime=True, placed=True),
}
