"""Json: values as JSON text and files.

Records and other functions are objects (a function on 1..n an array), sequences and sets arrays, in the order of their
elements. Reading, objects become records, arrays sequences; of a number with a fraction, such as a time, what is before
the point is read, as by TLC. Null is an error.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import plain
from rmqproof.model.evaluate.library.arguments import mapping, sequence, string
from rmqproof.model.evaluate.library.operator import Operator, Runtime
from rmqproof.model.evaluate.shape import BOOL, STR
from rmqproof.model.evaluate.show import shorten, show
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import TRUE, Boolean, Function, ModelValue, Value, boolean, function, pairs_of

_LARGE = 1e300


def to_json(value: Value) -> str:
    return _text(_document(plain(value)))


def to_json_array(value: Value) -> str:
    value = plain(value)
    if not isinstance(value, (tuple, frozenset)):
        raise Fault(f"ToJsonArray needs a sequence or a set, and is given {shorten(value)}")
    return _text(_document(value))


def to_json_object(value: Value) -> str:
    """A sequence becomes an object with the keys "0", "1", … as TLC has it."""
    value = mapping(value, "ToJsonObject")
    if type(value) is tuple:
        return _text({str(index): _document(item) for index, item in enumerate(value)})
    return _text(_document(value))


def json_serialize(path: Value, value: Value) -> Boolean:
    _write(path, "JsonSerialize", to_json(mapping(value, "JsonSerialize")))
    return TRUE


def nd_json_serialize(path: Value, values: Value) -> Boolean:
    lines = [to_json(value) + "\n" for value in sequence(values, "ndJsonSerialize")]
    _write(path, "ndJsonSerialize", "".join(lines))
    return TRUE


def json_deserialize(runtime: Runtime, path: Value) -> Value:
    return _value(_load(_read(runtime, path, "JsonDeserialize"), f"JsonDeserialize: {path}"))


def nd_json_deserialize(runtime: Runtime, path: Value) -> tuple[Value, ...]:
    lines = enumerate(_read(runtime, path, "ndJsonDeserialize").splitlines(), 1)
    return tuple(_value(_load(line, f"ndJsonDeserialize: {path}:{number}")) for number, line in lines if line.strip())


def _text(document: Any) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _document(value: Value) -> Any:
    kind = type(value)
    if kind is Boolean:
        return value.truth
    if kind is ModelValue:
        return value.name
    if kind is tuple:
        return [_document(item) for item in value]
    if kind is frozenset:
        return [_document(item) for item in ordered(value)]
    if kind is Function:
        return {key if type(key) is str else show(key): _document(item) for key, item in pairs_of(value)}
    return value


def _value(document: Any) -> Value:
    if isinstance(document, bool):
        return boolean(document)
    if isinstance(document, dict):
        return function({key: _value(item) for key, item in document.items()})
    if isinstance(document, list):
        return tuple(_value(item) for item in document)
    if isinstance(document, (int, str)):
        return document
    raise Fault(f"the JSON value {json.dumps(document)} has no counterpart in TLA+")


def _load(text: str, place: str) -> Any:
    try:
        return json.loads(text, parse_float=_number)
    except ValueError as error:
        raise Fault(f"{place}: this is not JSON: {error}") from None


def _number(text: str) -> int | float:
    """`JsonPrimitive.getAsInt`: towards zero. What is too large for any use stays what it is."""
    number = float(text)
    return int(Decimal(text)) if abs(number) < _LARGE else number


def _read(runtime: Runtime, path: Value, operator: str) -> str:
    try:
        return runtime.read(string(path, operator))
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(f"{operator} cannot read {show(path)}: {error}") from None


def _write(path: Value, operator: str, text: str) -> None:
    try:
        file = Path(string(path, operator))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Fault(f"{operator} cannot write {show(path)}: {error}") from None


OPERATORS: Final = {
    "Json!ToJson": Operator(to_json, STR),
    "Json!ToJsonArray": Operator(to_json_array, STR),
    "Json!ToJsonObject": Operator(to_json_object, STR),
    "Json!JsonSerialize": Operator(json_serialize, BOOL),
    "Json!JsonDeserialize": Operator(json_deserialize, runtime=True),
    "Json!ndJsonSerialize": Operator(nd_json_serialize, BOOL),
    "Json!ndJsonDeserialize": Operator(nd_json_deserialize, runtime=True),
}
