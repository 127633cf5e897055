"""What a report for a CI system says: a case for each model, with its checks, and the problems with their places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from rmqproof.model.tla.source import Location


class Came(StrEnum):
    """What came of a check."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


class Level(StrEnum):
    """How much a problem weighs, in the words of SARIF."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Check:
    """A property of a model, or the model as a whole: `message` says why it did not pass, `cause` what led to that."""

    name: str
    came: Came
    message: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What somebody should look at. `rule` names its kind, in lower case with dashes; `related` are other places."""

    rule: str
    level: Level
    message: str
    at: Location | None = None
    related: tuple[tuple[str, Location], ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One model. `verdict` is what the search says, `good` whether that is what was wanted; `seconds` of the search.

    `file` is its configuration, else its specification. `text` is the counterexample as text, empty where none is.
    """

    name: str
    file: str
    verdict: str
    good: bool
    seconds: float = 0.0
    distinct: int = 0
    total: int = 0
    depth: int = 0
    checks: tuple[Check, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    text: str = ""

    def count(self, came: Came) -> int:
        """How many of its checks came to this."""
        return sum(check.came is came for check in self.checks)


Format = Callable[[Sequence[Case]], str]
"""The text of a report on these models."""


def path_of(name: str) -> str:
    """A file as a report names it: from the present folder on where it lies in it, with `/`."""
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()
