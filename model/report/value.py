"""ITF values: what they are, when two are equal, and how they are written in TLA+.

The shapes are those of `model.report.behaviour`. Other tools write some values in another shape than we do (a
sequence as a plain array, every integer as a #bigint), so equality goes through `canonical`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence

from rmqproof.model.report.behaviour import Value
from rmqproof.model.tla.source import visible

_IDENTIFIER = re.compile(r"[A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*")
_INDENT = 2


def integer(value: Value) -> int | None:
    """The integer that `value` is, if it is one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, dict) and "#bigint" in value:
        return int(value["#bigint"])
    return None


def set_elements(value: Value) -> list[Value] | None:
    """The elements, if `value` is a set."""
    return list(value["#set"]) if isinstance(value, dict) and "#set" in value else None


def sequence_elements(value: Value) -> list[Value] | None:
    """The elements, if `value` is a tuple, a sequence, or a function on 1..n with n > 0 in another tool's shape."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    if "#tup" in value:
        return list(value["#tup"])
    pairs = value.get("#map")
    if pairs:
        by_index = {integer(key): item for key, item in pairs}
        if set(by_index) == set(range(1, len(pairs) + 1)):
            return [by_index[index] for index in range(1, len(pairs) + 1)]
    return None


def is_record(value: Value) -> bool:
    """A record, or the record without fields."""
    return isinstance(value, dict) and not any(key.startswith("#") for key in value)


def function_pairs(value: Value) -> list[tuple[Value, Value]] | None:
    """Arguments and results, if `value` is a function or a record but no sequence."""
    if not isinstance(value, dict) or sequence_elements(value) is not None:
        return None
    if "#map" in value:
        return [(key, item) for key, item in value["#map"]]
    return list(value.items()) if is_record(value) else None


def canonical(value: Value) -> Hashable:
    """A hashable form; two values have the same one exactly when TLA+ calls them equal."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, str):
        return ("string", value)
    number = integer(value)
    if number is not None:
        return ("integer", number)
    elements = set_elements(value)
    if elements is not None:
        return ("set", frozenset(map(canonical, elements)))
    items = sequence_elements(value)
    if items:
        return ("sequence", tuple(map(canonical, items)))
    if items is not None:
        return ("function", frozenset())
    pairs = function_pairs(value)
    if pairs is not None:
        return ("function", frozenset((canonical(key), canonical(item)) for key, item in pairs))
    return ("other", str(value.get("#unserializable", value) if isinstance(value, dict) else value))


class Notation:
    """Writes values as TLA+ expressions; strings in `model_values` stand for themselves, without quotes."""

    def __init__(self, model_values: Collection[str] = ()) -> None:
        self._model_values = frozenset(model_values)

    def line(self, value: Value) -> str:
        """`value` in one line, as TLC writes it."""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, str):
            return value if value in self._model_values else _quoted(value)
        number = integer(value)
        if number is not None:
            return str(number)
        parts = self._parts(value)
        if parts is None:
            return str(value.get("#unserializable", value) if isinstance(value, dict) else value)
        opening, items, separator, closing = parts
        return opening + separator.join(head + self.line(item) for head, item in items) + closing

    def lines(self, value: Value, width: int) -> list[str]:
        """`value` in lines of `width` characters, as far as it can be broken, continuation lines indented."""
        whole = self.line(value)
        parts = None if len(whole) <= width else self._parts(value)
        if parts is None or not parts[1]:
            return [whole]
        opening, items, separator, closing = parts
        room = max(width - _INDENT - len(separator), 10)
        result: list[str] = []
        open_line = False
        for number, (head, item) in enumerate(items):
            last = number + 1 == len(items)
            body = self._item(head, item, room)
            body[-1] += "" if last else separator.rstrip()
            fits = open_line and len(body) == 1 and len(result[-1]) + 1 + len(body[0]) <= room
            if fits:
                result[-1] += " " + body[0]
            else:
                result += body
            open_line = len(body) == 1
        pad = " " * _INDENT
        first = opening + " " * (_INDENT - len(opening)) + result[0]
        result = [first, *(pad + line for line in result[1:])]
        if len(result[-1]) + 1 + len(closing) <= width:
            result[-1] += " " + closing
        else:
            result.append(closing)
        return result

    def path(self, path: Sequence[Value | Field]) -> str:
        """`broker[b1].log[2]` of a variable's name, then fields and arguments."""
        text = str(path[0])
        for part in path[1:]:
            text += f".{part.name}" if isinstance(part, Field) else f"[{self.line(part)}]"
        return text

    def _item(self, head: str, item: Value, room: int) -> list[str]:
        if len(head) + len(self.line(item)) <= room or not head:
            body = self.lines(item, room - len(head))
            return [head + body[0], *body[1:]]
        if len(head) > room // 2:
            return [head.rstrip(), *("  " + line for line in self.lines(item, room - 2))]
        pad = " " * len(head)
        body = self.lines(item, room - len(head))
        return [head + body[0], *(pad + line for line in body[1:])]

    def _parts(self, value: Value) -> tuple[str, list[tuple[str, Value]], str, str] | None:
        elements = set_elements(value)
        if elements is not None:
            return "{", [("", item) for item in elements], ", ", "}"
        items = sequence_elements(value)
        if items is not None:
            return "<<", [("", item) for item in items], ", ", ">>"
        pairs = function_pairs(value)
        if pairs is None:
            return None
        if not pairs:
            return "<<", [], ", ", ">>"
        if all(isinstance(key, str) and key not in self._model_values and is_field(key) for key, _ in pairs):
            return "[", [(f"{key} |-> ", item) for key, item in pairs], ", ", "]"
        return "(", [(f"{self.line(key)} :> ", item) for key, item in pairs], " @@ ", ")"


class Field:
    """A record's field in a path (a function's argument stands for itself)."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Field({self.name!r})"


def is_field(name: str) -> bool:
    """Whether `name` can stand after a dot."""
    return _IDENTIFIER.fullmatch(name) is not None


def _quoted(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f"}
    return '"' + visible("".join(escapes.get(character, character) for character in text)) + '"'
