"""Places in the words of TLC's messages."""

from __future__ import annotations

from rmqproof.model.tla.source import Location


def place(at: Location, module: str) -> str:
    """`line 4, col 3 to line 5, col 20 of module M`: the last column is that of the last character."""
    line, column, end_line, end_column = span(at)
    return f"line {line}, col {column} to line {end_line}, col {end_column} of module {module}"


def long_place(at: Location, module: str) -> str:
    """As errors of evaluation say it."""
    line, column, end_line, end_column = span(at)
    return f"Line {line}, column {column} to line {end_line}, column {end_column} in {module}"


def span(at: Location) -> tuple[int, int, int, int]:
    """Line and column of the first and of the last character."""
    line, column, end_line, end_column = at.in_file
    return line, column, end_line, max(1, end_column - 1)
