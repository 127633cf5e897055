"""Values as TLA+ text, as TLC writes them."""

from __future__ import annotations

import re

from rmqproof.model.evaluate.value_order import current
from rmqproof.model.evaluate.values import Boolean, Function, ModelValue, Value
from rmqproof.model.tla.source import visible

_FIELD = re.compile(r"[A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f"}
SHORT = 200


def show(value: Value) -> str:
    """The whole value in one line."""
    kind = type(value)
    if kind is int:
        return str(value)
    if kind is str:
        return '"' + visible("".join(_ESCAPES.get(character, character) for character in value)) + '"'
    if kind is Boolean or kind is ModelValue:
        return str(value.name)
    if kind is frozenset:
        return "{" + ", ".join(map(show, current().ordered(value))) + "}"
    if kind is tuple:
        return "<<" + ", ".join(map(show, value)) + ">>"
    if kind is Function:
        keys = value[0].keys
        if all(type(key) is str and _FIELD.fullmatch(key) for key in keys):
            return "[" + ", ".join(f"{key} |-> {show(item)}" for key, item in current().pairs(value)) + "]"
        return "(" + " @@ ".join(f"{show(key)} :> {show(item)}" for key, item in current().pairs(value)) + ")"
    return str(value)  # a lazy set knows its own notation


def shorten(value: Value, limit: int = SHORT) -> str:
    """The value for a message: cut in the middle when it is long."""
    text = show(value)
    if len(text) <= limit:
        return text
    half = (limit - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"
