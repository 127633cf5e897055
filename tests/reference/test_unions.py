"""The elements of a union of described sets come in TLC's order, and no more of them are listed than are asked for."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from rmqproof.model.reference.sets import Combined, Described, Functions, Interval, Powerset, United
from rmqproof.model.reference.values import Order, Value, sequence
from tools.fuzz.reference import reference

ORDER = Order(())
KNOWN_FUNCTIONS = Path(__file__).parents[1] / "native" / "specs" / "KnownFunctions.tla"


def rows(longest: int, most: int) -> list[Described]:
    """[1 .. n -> 1 .. most] for each n up to `longest`."""
    return [Functions(ORDER, Interval(ORDER, 1, n), Interval(ORDER, 1, most)) for n in range(1, longest + 1)]


def listed(parts: list[Described]) -> list[Value]:
    return list(ORDER.sorted({item: None for part in parts for item in part.elements()}))


def test_a_union_of_many_elements_comes_in_order_each_once() -> None:
    parts = [*rows(5, 4), *rows(4, 5)]
    assert list(United(ORDER, parts).elements()) == listed(parts)
    sets: list[Described] = [Powerset(ORDER, Interval(ORDER, low, low + 9)) for low in (1, 3)]
    assert list(Combined(ORDER, "\\cup", *sets).elements()) == listed(sets)


def test_a_union_of_few_elements_comes_in_order_each_once() -> None:
    parts = [*rows(2, 3), *rows(3, 2)]
    assert list(United(ORDER, parts).elements()) == listed(parts)


def test_only_what_is_asked_for_is_listed() -> None:
    """There are more than 10^20 elements."""
    first = list(islice(United(ORDER, list(reversed(rows(20, 10)))).elements(), 11))
    assert first == [sequence([number]) for number in range(1, 11)] + [sequence([1, 1])]


def test_a_union_with_an_interval_is_described() -> None:
    """So a function on it, which TLC does not compute beforehand, is followed into what it stands for."""
    assert reference(KNOWN_FUNCTIONS).total == 25
