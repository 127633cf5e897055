"""Values as JSON of the Informal Trace Format, as `model.report.behaviour` describes it."""

from __future__ import annotations

from typing import Any

from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.values import BY_NAME, Boolean, Function, ModelValue, Value

_EXACT = 2**53


def to_itf(value: Value) -> Any:
    """A JSON value. A set that was never enumerated becomes `{"#unserializable": its TLA+ text}`."""
    kind = type(value)
    if kind is int:
        return value if -_EXACT < value < _EXACT else {"#bigint": str(value)}
    if kind is str:
        return value
    if kind is Boolean:
        return value.truth
    if kind is ModelValue:
        return value.name
    if kind is frozenset:
        return {"#set": [to_itf(item) for item in BY_NAME.ordered(value)]}
    if kind is tuple:
        return {"#tup": [to_itf(item) for item in value]}
    if kind is Function:
        if all(type(key) is str and not key.startswith("#") for key in value[0].keys):
            return {key: to_itf(item) for key, item in value.items()}
        return {"#map": [[to_itf(key), to_itf(item)] for key, item in value.items()]}
    return {"#unserializable": show(value)}
