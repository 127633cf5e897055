"""Files of values as TLC writes and reads them (`IOSerialize`; the .bin file beside a specification of a trace).

Format: `tlc2.value.ValueInputStream` and `ValueOutputStream`. A value begins with a byte for its kind; numbers have the
most significant byte first. Strings, and what has parts, are numbered as they begin, and what was there before is its
number. A model value is a number in a table of the process that wrote it, which nobody else has.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import plain
from rmqproof.model.evaluate.library.arguments import boolean_of, string
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.show import shorten, show
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import FALSE, TRUE, Boolean, Function, Value, function, kind_of
from rmqproof.model.records import dataclass

_BOOLEAN, _INTEGER, _STRING, _RECORD, _SET, _TUPLE, _FUNCTION = 0, 1, 3, 4, 5, 7, 9
_MODEL_VALUE, _INTERVAL, _AGAIN = 21, 23, 26
_NUMBERED = (_STRING, _RECORD, _SET, _TUPLE, _FUNCTION)
_ON_AN_INTERVAL, _IN_NO_ORDER = 0, 2
"""How the domain of a function is written."""
_LARGEST = 5_000_000
"""Elements of an interval, as of any set that is listed."""


def io_deserialize(runtime: Runtime, path: Value, compressed: Value) -> Value:
    """IODeserialize(path, compressed)"""
    name = string(path, "IODeserialize")
    try:
        content = runtime.read_bytes(name)
        if boolean_of(compressed, "IODeserialize"):
            content = gzip.decompress(content)
        return _Reader(content).value()
    except (OSError, EOFError, zlib.error) as error:
        raise Fault(f"IODeserialize cannot read {show(name)}: {error}") from None
    except _Damaged as error:
        raise Fault(f"IODeserialize cannot read {show(name)}: {error}") from None
    except RecursionError:
        raise Fault(f"IODeserialize cannot read {show(name)}: values lie too deep in each other") from None


def io_serialize(value: Value, path: Value, compressed: Value) -> Boolean:
    """IOSerialize(value, path, compressed)"""
    name = string(path, "IOSerialize")
    content = b"".join(_written(plain(value)))
    try:
        Path(name).write_bytes(gzip.compress(content) if boolean_of(compressed, "IOSerialize") else content)
    except (OSError, ValueError) as error:
        raise Fault(f"IOSerialize cannot write {show(name)}: {error}") from None
    return TRUE


def _written(value: Value) -> Iterator[bytes]:
    """No value by its number: it is as right to write it again."""
    if type(value) is Boolean:
        yield bytes([_BOOLEAN, value.truth])
    elif type(value) is int:
        yield _byte(_INTEGER) + _four(value)
    elif type(value) is str:
        yield _byte(_STRING) + _text(value)
    elif type(value) is frozenset:
        yield _byte(_SET) + _four(-len(value))  # whoever reads it sorts it
        for item in ordered(value):
            yield from _written(plain(item))
    elif type(value) is tuple:
        yield _byte(_TUPLE) + _natural(len(value))
        for item in value:
            yield from _written(plain(item))
    elif type(value) is Function:
        fields = all(type(key) is str for key, _ in value.items())
        yield _byte(_RECORD) + _four(-len(value[0].keys)) if fields else _function(len(value[0].keys))
        for key, item in value.items():
            yield from _written(plain(key))
            yield from _written(plain(item))
    else:
        raise Fault(f"IOSerialize does not write {shorten(value)}, which is {kind_of(value)}")


def _byte(kind: int) -> bytes:
    return bytes([kind])


def _four(number: int) -> bytes:
    try:
        return number.to_bytes(4, "big", signed=True)
    except OverflowError:
        raise Fault(f"IOSerialize writes integers of 32 bits, and {number} is larger") from None


def _natural(number: int) -> bytes:
    return number.to_bytes(2, "big") if number <= 0x7FFF else _four(-number)


def _function(length: int) -> bytes:
    return _byte(_FUNCTION) + _natural(length) + _byte(_IN_NO_ORDER)


def _text(text: str) -> bytes:
    try:
        content = text.encode("latin-1")
    except UnicodeEncodeError:
        raise Fault(f"IOSerialize writes characters of 8 bits, as TLC does, and {shorten(text)} has others") from None
    return _four(0) + _four(0) + _four(len(content)) + content


class _Damaged(Exception):
    """What is read is no value."""


@dataclass(slots=True)
class _Reader:
    content: bytes
    at: int = 0
    known: list[Value | None] = field(default_factory=list)

    def value(self) -> Value:
        """The value that begins here. Raise `_Damaged`."""
        kind = self.number(1)
        if kind in _NUMBERED:
            return self.numbered(kind)
        if kind == _AGAIN:
            return self.again()
        if kind == _BOOLEAN:
            return TRUE if self.number(1) else FALSE
        if kind == _INTEGER:
            return self.number(4)
        if kind == _INTERVAL:
            low, high = self.number(4), self.number(4)
            if high - low >= _LARGEST:
                raise _Damaged(f"it holds {low}..{high}, which is too large")
            return frozenset(range(low, high + 1))
        if kind == _MODEL_VALUE:
            raise _Damaged("it holds a model value, whose name only the process that wrote it knows")
        raise _Damaged(f"at byte {self.at - 1} there is no value")

    def numbered(self, kind: int) -> Value:
        place = len(self.known)
        self.known.append(None)
        found = self.of_kind(kind)
        self.known[place] = found
        return found

    def of_kind(self, kind: int) -> Value:
        if kind == _STRING:
            return self.text()
        if kind == _RECORD:
            return function({self.name(): self.value() for _ in range(self.length(abs(self.number(4))))})
        if kind == _SET:
            return frozenset([self.value() for _ in range(self.length(abs(self.number(4))))])
        length = self.length(self.natural())
        if kind == _TUPLE:
            return tuple([self.value() for _ in range(length)])
        if self.number(1) == _ON_AN_INTERVAL:
            low, high = self.number(4), self.number(4)
            if high - low + 1 != length:
                raise _Damaged(f"at byte {self.at} there is a function on {low}..{high} with {length} values")
            return function({low + i: self.value() for i in range(length)})
        return function({self.value(): self.value() for _ in range(length)})

    def name(self) -> Value:
        """A field's: a string, or the number of one."""
        kind = self.number(1)
        if kind == _AGAIN:
            return self.again()
        if kind != _STRING:
            raise _Damaged(f"at byte {self.at - 1} there is no name of a field")
        return self.numbered(_STRING)

    def again(self) -> Value:
        place = self.natural()
        found = self.known[place] if place < len(self.known) else None
        if found is None:
            raise _Damaged(f"before byte {self.at} there is no value number {place}")
        return found

    def text(self) -> str:
        self.number(4), self.number(4)  # the numbers of the string in the process that wrote it
        return self.bytes(self.length(self.number(4))).decode("latin-1")

    def natural(self) -> int:
        """Of two bytes, or minus one of four."""
        found = self.number(2)
        if found >= 0:
            return found
        self.at -= 2
        return -self.number(4)

    def length(self, number: int) -> int:
        if not 0 <= number <= len(self.content) - self.at:
            raise _Damaged(f"at byte {self.at} it ends, and {number} parts are to come")
        return number

    def number(self, size: int) -> int:
        return int.from_bytes(self.bytes(size), "big", signed=True)

    def bytes(self, count: int) -> bytes:
        found = self.content[self.at : self.at + count]
        if len(found) < count:
            raise _Damaged(f"it ends at byte {len(self.content)}, in the middle of a value")
        self.at += count
        return found
