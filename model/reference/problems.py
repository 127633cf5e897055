"""What keeps the reference evaluator from an answer."""

from __future__ import annotations

from rmqproof.model.tla.source import Location


class EvaluationError(Exception):
    """The expression has no value: TLC, too, ends with an error here."""

    def __init__(self, message: str, at: Location | None = None) -> None:
        super().__init__(message)
        self.message, self.at = message, at

    def __str__(self) -> str:
        return f"{self.at}: {self.message}" if self.at is not None else self.message


class NotInReference(Exception):
    """The expression is one that the reference evaluator does not cover."""

    def __init__(self, construct: str, at: Location | None = None) -> None:
        super().__init__(construct)
        self.construct, self.at = construct, at

    def __str__(self) -> str:
        return f"{self.at}: {self.construct}" if self.at is not None else self.construct


class OutOfWork(Exception):
    """The answer takes more steps of evaluation than were allowed."""
