"""A Java properties file as RocketMQ reads it: names, values as they stand, lines."""

from __future__ import annotations

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


def read_properties(path: Path) -> PropertiesFile:
    """Raise `TlaError` when the file cannot be read or has an escape that Java refuses."""
    try:
        source = Source.read(path)
    except (OSError, UnicodeDecodeError) as error:
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
                entries.append(Entry(element.key, element.value, at))
            line += element.source.count("\n")
    except javaproperties.InvalidUEscapeError as error:
        at = Location(source, line, 1, line, len(source.line(line)) + 1)
        raise TlaError(f"{error}.", at, "Write \\uXXXX with four hexadecimal digits.", "config") from error
    return PropertiesFile(source, tuple(entries))
