"""The report as workflow commands of GitHub Actions, which shows them at the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rmqproof.model.report.cases import Case, Diagnostic, Level, path_of
from rmqproof.model.tla.source import Location

_COMMAND = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def github(cases: Sequence[Case]) -> str:
    """A line for each problem, and one for each place that is related to an error."""
    return "".join(line for case in cases for problem in case.problems for line in _lines(case, problem))


def _lines(case: Case, problem: Diagnostic) -> Iterator[str]:
    text = f"{problem.message}\n\n{case.text}" if problem.level is Level.ERROR and case.text else problem.message
    yield _line(_COMMAND[problem.level], case, problem.at, text)
    for what, at in problem.related:
        yield _line(_COMMAND[problem.level], case, at, what)


def _line(command: str, case: Case, at: Location | None, text: str) -> str:
    words = {"file": path_of(at.source.name if at is not None else case.file)}
    if at is not None:
        line, column, end, end_column = at.in_file
        words |= {"line": str(line), "endLine": str(end)}
        if line == end:  # GitHub takes columns within one line only
            words |= {"col": str(column), "endColumn": str(end_column)}
    words["title"] = case.name
    properties = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in words.items())
    return f"::{command} {properties}::{_escaped(text)}\n"


def _escaped(text: str, also: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + also else c for c in text)
