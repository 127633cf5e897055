"""Values as JSON of the Informal Trace Format, as `model.report.behaviour` describes it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.values import BY_NAME, Boolean, Function, ModelValue, Value, boolean, function, model_value

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


def from_itf(value: Any, model_values: Collection[str]) -> Value:
    """The model's value for an ITF value; a string in `model_values` is that model value.

    A plain object is a record, or a function when its keys are model values. Raise `ValueError` for what is no ITF.
    """
    kind = type(value)
    if kind is str:
        return model_value(value) if value in model_values else value
    if kind is bool:
        return boolean(value)
    if kind is int:
        return value
    if kind is list or kind is tuple:
        return tuple(from_itf(item, model_values) for item in value)
    if kind is dict:
        return _of_object(value, model_values)
    raise ValueError(f"{value!r} is a {kind.__name__}, which is no value of ITF")


def _of_object(value: dict[Any, Any], model_values: Collection[str]) -> Value:
    if len(value) == 1:
        (tag, content), *_ = value.items()
        if tag == "#set":
            return frozenset(from_itf(item, model_values) for item in content)
        if tag == "#tup":
            return tuple(from_itf(item, model_values) for item in content)
        if tag == "#map":
            return function({from_itf(key, model_values): from_itf(item, model_values) for key, item in content})
        if tag == "#bigint":
            return int(content)
    for key in value:
        if type(key) is not str or key.startswith("#"):
            raise ValueError(f"{key!r} is no name of a field in {value!r}")
    if value and all(key in model_values for key in value):
        return function({model_value(key): from_itf(item, model_values) for key, item in value.items()})
    return function({key: from_itf(item, model_values) for key, item in value.items()})
