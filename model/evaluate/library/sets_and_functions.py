"""FiniteSetsExt and Functions, where Python is quicker than the definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rmqproof.model.evaluate.comparison import comparable_set
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import in_order, plain
from rmqproof.model.evaluate.lazy_sets import Functions, Subsets
from rmqproof.model.evaluate.library.arguments import anything, finite_set, integer, mapping, taking, test
from rmqproof.model.evaluate.operations import apply
from rmqproof.model.evaluate.shape import ANY, INT, set_of
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.value_order import current
from rmqproof.model.evaluate.values import Value, function, pairs_of

Test = Callable[[Value], bool]


def numbers(items: Value, operator: str) -> list[int]:
    found = [integer(item, operator) for item in finite_set(items, operator)]
    if not found:
        raise Fault(f"{operator} of the empty set", "Guard it with a test that the set is not empty.")
    return found


def elements(items: Value, operator: str) -> tuple[Value, ...]:
    return in_order(items)


def choose_unique(items: tuple[Value, ...], holds: Test) -> Value:
    found = [item for item in items if holds(item)]
    if len(found) != 1:
        some = "no element" if not found else f"{len(found)} elements"
        raise Fault(f"ChooseUnique: {some} of {shorten(frozenset(items))} satisfy the predicate")
    return found[0]


def anti_function(f: tuple[Value, ...]) -> Value:
    """Where several arguments have the same value, the one that CHOOSE takes: the first in the model's order."""
    inverse: dict[Value, Value] = {}
    for key, value in current().pairs(f):
        inverse.setdefault(value, key)
    comparable_set(frozenset(inverse))  # TLC sorts the arguments
    return function(inverse)


def is_injective(f: tuple[Value, ...]) -> bool:
    values = [value for _, value in pairs_of(f)]
    return len(set(values)) == len(values)


def restricted(f: tuple[Value, ...], holds: Callable[[Value, Value], bool]) -> Value:
    return function({key: value for key, value in pairs_of(f) if holds(key, value)})


OPERATORS: Final = dict(
    [
        taking("FiniteSetsExt!Quantify", lambda items, holds: sum(map(holds, items)), elements, test, shape=INT),
        taking(
            *("FiniteSetsExt!kSubset", lambda k, items: Subsets(items, k), integer, finite_set),
            shape=set_of(ANY, lazy=True),
            lazy=True,
        ),
        taking("FiniteSetsExt!Max", max, numbers, shape=INT),
        taking("FiniteSetsExt!Min", min, numbers, shape=INT),
        taking("FiniteSetsExt!ChooseUnique", choose_unique, elements, test),
        taking("Functions!Range", lambda f: frozenset(value for _, value in pairs_of(f)), mapping),
        taking("Functions!Restrict", lambda f, s: function({x: plain(apply(f, x)) for x in s}), anything, elements),
        taking("Functions!RestrictDomain", lambda f, t: restricted(f, lambda key, _: t(key)), mapping, test),
        taking("Functions!RestrictValues", lambda f, t: restricted(f, lambda _, value: t(value)), mapping, test),
        taking("Functions!AntiFunction", anti_function, mapping),
        taking("Functions!IsInjective", is_injective, mapping, condition=True),
        taking("Functions!Injection", lambda a, b: frozenset(filter(is_injective, Functions(a, b).elements())),
               anything, anything),
        taking("Functions!ExistsInjection", lambda a, b: len(a) <= len(b), finite_set, finite_set, condition=True),
        taking("Functions!ExistsSurjection", lambda a, b: len(a) >= len(b) and (bool(b) or not a),
               finite_set, finite_set, condition=True),
        taking("Functions!ExistsBijection", lambda a, b: len(a) == len(b), finite_set, finite_set, condition=True),
    ]
)  # fmt: skip
