"""Where things stand in a source text, and errors that point there."""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from rmqproof.model.records import dataclass

_BINARY = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1b")
"""Bytes that no text has."""
LARGEST = 1 << 26
"""Bytes of a file that is read: a device has no end, and would fill the memory."""


def visible(text: str) -> str:
    """The text with its control characters written out: a terminal would obey them."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Source:
    """One text that was read: a module or a configuration.

    `name` is what messages call it (the path as the user gave it, or a module's name for a shipped module).
    """

    name: str
    text: str = field(repr=False)
    lines: tuple[int, ...] = field(default=(), repr=False)
    """Of each line of the text the line of the file that it comes from, where an algorithm was translated."""

    made: tuple[int, int] = (0, 0)
    """The lines of the text that a translation has made: from the first on, up to the second."""

    @property
    def made_lines(self) -> range:
        return range(*self.made)

    def file_line(self, number: int) -> int:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else number

    @classmethod
    def read(cls, path: Path) -> Source:
        """Raise `OSError`, also for what has more than `LARGEST` bytes, or `UnicodeDecodeError` where this is no text.
        A byte order mark is left out.

        Text that is not UTF-8 is ISO-8859-1, in which old specifications have their comments.
        """
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise OSError(errno.EFBIG, f"More than {LARGEST >> 20} MB, which no module or configuration has", str(path))
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            if _BINARY.intersection(content):
                raise
            text = content.decode("iso-8859-1")
        return cls.of(path, text)

    @classmethod
    def of(cls, path: Path, text: str) -> Source:
        """A text that goes by the name of this path. A line ends as it may."""
        return cls(str(path), text.replace("\r\n", "\n").replace("\r", "\n"))

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), empty past the end."""
        lines = self.text.split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Texts:
    """Where the texts of a model come from: `given` ones, by path, stand before the files of the disk."""

    given: tuple[tuple[Path, str], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, given: Mapping[Path, str]) -> Texts:
        return cls(tuple(given.items()))

    def has(self, path: Path) -> bool:
        return any(known == path for known, _ in self.given) or path.is_file()

    def read(self, path: Path) -> Source:
        """Raise as `Source.read`."""
        for known, text in self.given:
            if known == path:
                return Source.of(path, text)
        return Source.read(path)


DISK = Texts()
"""The files of the disk alone."""


@dataclass(frozen=True, slots=True)
class Location:
    """A stretch of a source. Lines and columns count from 1; `end_column` is one past the last character."""

    source: Source = field(repr=False, compare=False, hash=False)
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        line, column, _, _ = self.in_file
        return f"{self.source.name}:{line}:{column}"

    @property
    def short(self) -> str:
        """Line and column in the file without its folders: the same wherever the files lie."""
        line, column, _, _ = self.in_file
        return f"{Path(self.source.name).name}:{line}:{column}"

    @property
    def in_file(self) -> tuple[int, int, int, int]:
        """Line and column of the start and of the end in the file, of a formula that is no text of it: its line."""
        line, end = self.source.file_line(self.line), self.source.file_line(self.end_line)
        if self.line in self.source.made_lines:
            return line, 1, line, 1
        return line, self.column, end, self.end_column

    @property
    def text(self) -> str:
        """What stands there, in one line, without comments; empty where the source has no such lines."""
        lines = self.source.text.split("\n")[self.line - 1 : self.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: self.end_column - 1]
        lines[0] = lines[0][self.column - 1 :]
        return " ".join(" ".join(line.split("\\*")[0].split()) for line in lines).strip()

    def to(self, end: Location) -> Location:
        """The stretch from the start of this to the end of `end`."""
        return Location(self.source, self.line, self.column, end.end_line, end.end_column)


class TlaError(Exception):
    """Something is wrong at a place: what, where, and what to do about it.

    `kind` is the class of error that decides the exit status (see `model.report.outcome`):
    `parse` (150), `config` (151), `evaluation` (75), `assert` (14), `system` (153).
    """

    def __init__(self, message: str, at: Location | None = None, remedy: str = "", kind: str = "parse") -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.remedy = remedy
        self.kind = kind

    def __str__(self) -> str:
        return self.render()

    def render(self) -> str:
        """`file:line:column: what is wrong`, the line, a caret under the place, and what to do."""
        if self.at is None:
            return visible("\n".join(part for part in (self.message, self.remedy) if part))
        line = self.at.source.line(self.at.line)
        prefix = line[: self.at.column - 1]
        indent = "".join(c if c == "\t" else " " for c in prefix)
        end = self.at.end_column if self.at.end_line == self.at.line else len(line) + 1
        carets = "^" * max(1, end - self.at.column)
        parts = [f"{self.at}: {self.message}", f"    {line}", f"    {indent}{carets}"]
        if self.remedy:
            parts.append(f"    {self.remedy}")
        return visible("\n".join(parts))
