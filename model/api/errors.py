"""What goes wrong, as exceptions with place, cause and remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rmqproof.model.tla.source import TlaError


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a text; lines and columns count from 1. `file` is the path as it was given, or the name of a text."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class RmqproofError(Exception):
    """`cause`: what is wrong, `place`: where (None where it has none), `remedy`: what to do, or empty.

    As a string: all of it with the line and a caret, as the command line prints it.
    """

    def __init__(self, cause: str, place: Place | None = None, remedy: str = "", shown: str = "") -> None:
        super().__init__(shown or "\n".join(part for part in (f"{place}: {cause}" if place else cause, remedy) if part))
        self.cause = cause
        self.place = place
        self.remedy = remedy


class ParseError(RmqproofError):
    """The specification is no TLA+, or uses what it does not define."""


class ConfigError(RmqproofError):
    """The configuration, or what was given in its place, does not fit the specification."""


class AdapterError(ConfigError):
    """The implementation cannot be compared: there is none of that name, it does not account for the model, or died."""


class RunUnreadable(ConfigError):
    """A recorded run that is empty, or that nothing can be read from."""


class EvaluationError(RmqproofError):
    """An expression has no value, or an assertion failed."""


class SystemFailure(RmqproofError):
    """A file cannot be read, memory is short, an engine or a compiler is not there."""


_OF_KIND: dict[str, type[RmqproofError]] = {
    "parse": ParseError,
    "config": ConfigError,
    "evaluation": EvaluationError,
    "assert": EvaluationError,
    "property": EvaluationError,
    "system": SystemFailure,
}


def typed(error: BaseException) -> RmqproofError:
    """The same as an exception of this module."""
    if isinstance(error, RmqproofError):
        return error
    if isinstance(error, TlaError):
        at = error.at
        place = Place(at.source.name, *at.in_file[:2]) if at is not None else None
        return _OF_KIND.get(error.kind, SystemFailure)(error.message, place, error.remedy, error.render())
    if isinstance(error, RecursionError):
        return EvaluationError("The evaluation does not end: an operator or function calls itself too deeply.")
    if isinstance(error, MemoryError):
        return SystemFailure("Out of memory.")
    return SystemFailure(str(error))


@contextmanager
def typed_errors() -> Iterator[None]:
    """Errors of the checker leave as exceptions of this module."""
    try:
        yield
    except (TlaError, RecursionError, OSError) as error:
        raise typed(error) from error
