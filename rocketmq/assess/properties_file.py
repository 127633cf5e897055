"""A Java properties file as RocketMQ reads it: names, values as they stand, lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import javaproperties

from rmqproof.model.tla.source import Location, Source, TlaError


@dataclass(frozen=True, slots=True)
class Entry:
    """`name = value` at a place. `value` keeps blanks at its end, as `java.util.Properties` does."""

    name: str
    value: str
    at: Location
    assigned: bool = True
    """Whether the name is followed by `=`; Java takes a colon or a blank as well, and so reads prose as settings."""


@dataclass(frozen=True, slots=True)
class PropertiesFile:
    """`entries` in the order of the file; of a name that is set twice, Java takes the last."""

    source: Source
    entries: tuple[Entry, ...]

    @property
    def effective(self) -> dict[str, Entry]:
        return {entry.name: entry for entry in self.entries}

    @property
    def overridden(self) -> Iterator[tuple[Entry, Entry]]:
        """Entries that a later one of the same name replaces, each with the one that counts."""
        last = self.effective
        return ((entry, last[entry.name]) for entry in self.entries if last[entry.name] is not entry)


_ASSIGNED = re.compile(r"\s*(?:[^\s:=\\]|\\.)+\s*=")
BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf"
"""U+FEFF in UTF-8, as Java reads it: three characters of the first name."""


def read_properties(path: Path) -> PropertiesFile:
    """Raise `TlaError` when the file cannot be read or has an escape that Java refuses."""
    try:
        # as Properties.load(InputStream): bytes are characters of ISO 8859-1, whatever their author meant by them
        source = Source(str(path), path.read_bytes().decode("latin-1").replace("\r\n", "\n").replace("\r", "\n"))
    except OSError as error:
        raise TlaError(
            f"{path}: this file cannot be read: {error}.", None, "Give a broker.conf or a controller.conf.", "config"
        ) from error
    return parse_properties(source)


def parse_properties(source: Source) -> PropertiesFile:
    """Raise `TlaError` for an escape that Java refuses."""
    entries = []
    line = 1
    try:
        for element in javaproperties.parse(source.text):
            if isinstance(element, javaproperties.KeyValue):
                first = element.source.splitlines()[0]
                column = len(first) - len(first.lstrip()) + 1
                at = Location(source, line, column, line, len(first.rstrip("\r\n")) + 1)
                assigned = _ASSIGNED.match(first) is not None
                entries.append(Entry(element.key, element.value, at, assigned))
            line += element.source.count("\n")
    except javaproperties.InvalidUEscapeError as error:
        at = Location(source, line, 1, line, len(source.line(line)) + 1)
        raise TlaError(f"{error}.", at, "Write \\uXXXX with four hexadecimal digits.", "config") from error
    return PropertiesFile(source, tuple(entries))
