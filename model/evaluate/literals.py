"""Values of the Python engine as expressions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rmqproof.model.evaluate.values import FALSE, TRUE, Function, ModelValue
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location


def literal(value: Any, at: Location) -> core.Expression:
    """An expression that has this value: numbers, strings, model values, and sets, sequences and functions of them."""
    if value is TRUE or value is FALSE:
        return core.Literal(at, value is TRUE)
    if isinstance(value, ModelValue):
        return core.ModelValueLiteral(at, value.name)
    if isinstance(value, int | str):
        return core.Literal(at, value)
    if isinstance(value, frozenset):
        return _set(value, at)
    if isinstance(value, Function):
        pairs = list(value.items())
        keys = [key for key, _ in pairs]
        items = [literal(item, at) for _, item in pairs]
        if all(isinstance(key, str) for key in keys):
            return core.Record(at, tuple(zip(map(str, keys), items, strict=True)))
        return _function(keys, items, at)
    if isinstance(value, tuple):
        return core.TupleExpression(at, tuple(literal(item, at) for item in value))
    raise TypeError(f"no expression for {value!r}")


def _set(items: Iterable[Any], at: Location) -> core.Expression:
    return core.SetEnumeration(at, tuple(literal(item, at) for item in sorted(items, key=repr)))


def _function(keys: list[Any], items: list[core.Expression], at: Location) -> core.Expression:
    binding = core.Binding("key", at)
    reference = core.Reference(at, binding)
    arms = tuple(
        (core.Builtin(at, "=", (reference, literal(key, at))), item) for key, item in zip(keys, items, strict=True)
    )
    return core.FunctionConstructor(at, (core.Binder((binding,), False, _set(keys, at)),), core.Case(at, arms, None))
