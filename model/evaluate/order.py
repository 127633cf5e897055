"""A total order of values, in which sets are enumerated and CHOOSE looks for its witness.

Model values, Booleans, integers, strings, sets, functions; strings and model values by name; sets by their number of
elements, then element by element; functions by the size of the domain, then the domain, then the values. Where TLC
compares two values at all this is its order, except that TLC puts strings and model values in the order in which it
read them first: what CHOOSE gives among them, and so a verdict, can differ (docs/modules.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from rmqproof.model.evaluate.values import Boolean, Domain, Function, ModelValue, Value

Key = tuple[Any, ...]


def order(value: Value) -> Key:
    """The sort key of a value in normal form."""
    kind = type(value)
    if kind is int:
        return (2, value)
    if kind is str:
        return (3, value)
    if kind is ModelValue:
        return (0, value.name)
    if kind is Boolean:
        return (1, value.truth)
    if kind is frozenset:
        return (4, len(value), tuple(sorted(map(order, value))))
    if kind is Function:
        return (5, len(value) - 1, _domain_key(value[0]), tuple(map(order, value[1:])))
    if kind is tuple:
        return (5, len(value), _interval_key(len(value)), tuple(map(order, value)))
    raise TypeError(f"{value!r} is no value in normal form")


@cache
def _domain_key(domain: Domain) -> Key:
    return tuple(map(order, domain.keys))


@cache
def _interval_key(length: int) -> Key:
    return tuple((2, index) for index in range(1, length + 1))


def ordered(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values in order."""
    items = list(values)
    if len(items) < 2:
        return tuple(items)
    kinds = set(map(type, items))
    if kinds == {int} or kinds == {str}:
        return tuple(sorted(items))
    if kinds == {ModelValue}:
        return tuple(sorted(items, key=_name))
    return tuple(sorted(items, key=order))


def _name(value: ModelValue) -> str:
    return value.name
