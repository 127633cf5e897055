"""Bags: functions from elements to how often each occurs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import in_order, plain
from rmqproof.model.evaluate.library.arguments import integer, mapping
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.shape import INT
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Value, domain_set, function, pairs_of


def _copies(bag: Value, operator: str) -> dict[Value, int]:
    copies = dict(pairs_of(mapping(bag, operator)))
    if not all(type(count) is int and count > 0 for count in copies.values()):
        raise Fault(f"{operator} needs a bag, and is given {shorten(bag)}")
    return copies


def is_a_bag(bag: Value) -> bool:
    bag = plain(bag)
    if not isinstance(bag, tuple):
        return False
    return all(type(count) is int and count > 0 for _, count in pairs_of(bag))


def bag_cardinality(bag: Value) -> int:
    return sum(_copies(bag, "BagCardinality").values())


def bag_in(element: Value, bag: Value) -> bool:
    return copies_in(element, bag) > 0


def copies_in(element: Value, bag: Value) -> int:
    return integer(dict(pairs_of(mapping(bag, "CopiesIn"))).get(plain(element), 0), "CopiesIn")


def bag_plus(a: Value, b: Value) -> Value:
    copies = _copies(a, "(+)")
    for element, count in _copies(b, "(+)").items():
        copies[element] = copies.get(element, 0) + count
    return function(copies)


def bag_minus(a: Value, b: Value) -> Value:
    removed = dict(pairs_of(mapping(b, "(-)")))
    left = {
        element: integer(count, "(-)") - integer(removed.get(element, 0), "(-)")
        for element, count in pairs_of(mapping(a, "(-)"))
    }
    return function({element: count for element, count in left.items() if count > 0})


def bag_within(a: Value, b: Value) -> bool:
    larger = dict(pairs_of(mapping(b, "\\sqsubseteq")))
    return all(count <= larger.get(element, 0) for element, count in pairs_of(mapping(a, "\\sqsubseteq")))


def bag_union(bags: Value) -> Value:
    copies: dict[Value, int] = {}
    for bag in in_order(bags):
        for element, count in _copies(bag, "BagUnion").items():
            copies[element] = copies.get(element, 0) + count
    return function(copies)


def sub_bags(bag: Value) -> frozenset[Value]:
    copies = _copies(bag, "SubBag")
    choices = product(*(range(count + 1) for count in copies.values()))
    return frozenset(
        function({element: count for element, count in zip(copies, counts, strict=True) if count}) for counts in choices
    )


def bag_of_all(f: Callable[[Value], Value], bag: Value) -> Value:
    copies: dict[Value, int] = {}
    for element, count in pairs_of(mapping(bag, "BagOfAll")):
        image = plain(f(element))
        copies[image] = copies.get(image, 0) + integer(count, "BagOfAll")
    return function(copies)


def bag_add(bag: Value, element: Value) -> Value:
    element = plain(element)
    copies = dict(pairs_of(mapping(bag, "BagAdd")))
    copies[element] = integer(copies.get(element, 0), "BagAdd") + 1
    return function(copies)


def bag_remove(bag: Value, element: Value) -> Value:
    element = plain(element)
    bag = mapping(bag, "BagRemove")
    if element not in domain_set(bag):
        return bag
    copies = dict(pairs_of(bag))
    copies[element] = integer(copies[element], "BagRemove") - 1
    if copies[element] == 0:
        del copies[element]
    return function(copies)


OPERATORS: Final = {
    "Bags!IsABag": Operator(is_a_bag, condition=True),
    "Bags!BagCardinality": Operator(bag_cardinality, INT),
    "Bags!BagIn": Operator(bag_in, condition=True),
    "Bags!CopiesIn": Operator(copies_in, INT),
    "Bags!(+)": Operator(bag_plus),
    "Bags!(-)": Operator(bag_minus),
    "Bags!\\sqsubseteq": Operator(bag_within, condition=True),
    "Bags!BagUnion": Operator(bag_union),
    "Bags!SubBag": Operator(sub_bags),
    "Bags!BagOfAll": Operator(bag_of_all),
    "BagsExt!BagAdd": Operator(bag_add),
    "BagsExt!BagRemove": Operator(bag_remove),
}
