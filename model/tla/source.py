"""Where things stand in a source text, and errors that point there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """One text that was read: a module or a configuration.

    `name` is what messages call it (the path as the user gave it, or a module's name for a shipped module).
    """

    name: str
    text: str = field(repr=False)

    @classmethod
    def read(cls, path: Path) -> Source:
        """Raise `OSError` or `UnicodeDecodeError` as `Path.read_text` does. A byte order mark is left out."""
        return cls(str(path), path.read_text(encoding="utf-8-sig"))

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), empty past the end."""
        lines = self.text.splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Location:
    """A stretch of a source. Lines and columns count from 1; `end_column` is one past the last character."""

    source: Source = field(repr=False, compare=False, hash=False)
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

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
            return "\n".join(part for part in (self.message, self.remedy) if part)
        line = self.at.source.line(self.at.line)
        prefix = line[: self.at.column - 1]
        indent = "".join(c if c == "\t" else " " for c in prefix)
        end = self.at.end_column if self.at.end_line == self.at.line else len(line) + 1
        carets = "^" * max(1, end - self.at.column)
        parts = [f"{self.at}: {self.message}", f"    {line}", f"    {indent}{carets}"]
        if self.remedy:
            parts.append(f"    {self.remedy}")
        return "\n".join(parts)
