"""Bags: functions from elements to how often each occurs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final

from rmqproof.model.evaluate.comparison import met, stranger
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import in_order, plain
from rmqproof.model.evaluate.library.arguments import anything, integer, mapping, taking, value_of
from rmqproof.model.evaluate.shape import INT
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Function, Value, function, pairs_of, with_argument

Copies = dict[Value, Any]


def copies(value: Value, operator: str) -> Copies:
    """A function with whatever values."""
    return dict(pairs_of(mapping(value, operator)))


def bag(value: Value, operator: str) -> Copies:
    """A function with positive numbers as values."""
    return dict(pairs_of(bag_function(value, operator)))


def bag_function(value: Value, operator: str) -> tuple[Value, ...]:
    """The same, as it is stored."""
    found = mapping(value, operator)
    if not _is_positive(found):
        raise Fault(f"{operator} needs a bag, and is given {shorten(value)}")
    return found


def _is_positive(found: tuple[Value, ...]) -> bool:
    return all(type(count) is int and count > 0 for count in (found[1:] if type(found) is Function else found))


def copies_in(element: Value, found: Copies) -> int:
    return integer(found[element], "CopiesIn") if met(element, found) else 0


def together(a: tuple[Value, ...], b: tuple[Value, ...]) -> Value:
    """a (+) b"""
    if type(a) is Function and type(b) is Function and len(b) == 2:
        (element,) = b.domain.keys
        if element not in a.domain.at and not stranger(element, a.domain.set):
            return with_argument(a, element, b[1])
    return added_up(dict(pairs_of(a)), dict(pairs_of(b)))


def added_up(a: Copies, b: Copies) -> Value:
    return function(
        {
            **a,
            **{
                element: integer(a[element], "(+)") + integer(count, "(+)") if met(element, a) else count
                for element, count in b.items()
            },
        }
    )


def is_part(a: Copies, b: Copies) -> bool:
    return all(
        integer(count, "\\sqsubseteq") <= (integer(b[element], "\\sqsubseteq") if met(element, b) else 0)
        for element, count in a.items()
    )


def less(a: Copies, b: Copies) -> Value:
    left = {
        element: integer(count, "(-)") - (integer(b[element], "(-)") if met(element, b) else 0)
        for element, count in a.items()
    }
    return function({element: count for element, count in left.items() if count > 0})


def bag_union(bags: Value) -> Value:
    """Of whatever functions, as in TLC: whether they are bags is not asked."""
    found: dict[Value, Value] = {}
    for one in in_order(bags):
        for element, count in copies(one, "BagUnion").items():
            both = met(element, found)
            found[element] = integer(found[element], "BagUnion") + integer(count, "BagUnion") if both else count
    return function(found)


def sub_bags(found: Copies) -> frozenset[Value]:
    choices = product(*(range(count + 1) for count in found.values()))
    return frozenset(
        function({element: count for element, count in zip(found, counts, strict=True) if count}) for counts in choices
    )


def bag_of_all(f: Callable[[Value], Value], found: Copies) -> Value:
    """TLC adds the copies of elements with one image, and looks at no others."""
    images: dict[Value, Value] = {}
    for element, count in found.items():
        image = plain(f(element))
        both = met(image, images)
        images[image] = integer(images[image], "BagOfAll") + integer(count, "BagOfAll") if both else count
    return function(images)


def added(found: Copies, element: Value) -> Value:
    return function({**found, element: integer(found[element], "BagAdd") + 1 if met(element, found) else 1})


def removed(found: Copies, element: Value) -> Value:
    if not met(element, found):
        return function(found)
    found[element] = integer(found[element], "BagRemove") - 1
    return function({other: count for other, count in found.items() if other != element or count})


OPERATORS: Final = dict(
    [
        taking("Bags!IsABag", lambda b: isinstance(b, tuple) and _is_positive(b), value_of, condition=True),
        taking("Bags!BagCardinality", lambda b: sum(b.values()), bag, shape=INT),
        taking("Bags!BagIn", lambda e, b: copies_in(e, b) > 0, value_of, copies, condition=True),
        taking("Bags!CopiesIn", copies_in, value_of, copies, shape=INT),
        taking("Bags!(+)", together, bag_function, bag_function),
        taking("Bags!(-)", less, copies, copies),
        taking("Bags!\\sqsubseteq", is_part, copies, copies, condition=True),
        taking("Bags!BagUnion", bag_union, anything),
        taking("Bags!SubBag", sub_bags, bag),
        taking("Bags!BagOfAll", bag_of_all, anything, copies),
        taking("BagsExt!BagAdd", added, copies, value_of),
        taking("BagsExt!BagRemove", removed, copies, value_of),
    ]
)
