"""How much work may go into making a question, before a solver has one."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.model.tla.source import Location, TlaError

_WORK = 30_000
"""Expressions that are translated in a second, about."""
_GRACE = 20.0
"""Making a question may take so many seconds more than its answer: a small one is no matter of time."""


class Unmade(TlaError):
    """A question takes too much work to make, whatever a solver would say of it."""

    @property
    def reason(self) -> str:
        """The message with its place, on one line."""
        return f"{self.at.short}: {self.message}" if self.at is not None else self.message


@dataclass(slots=True)
class Effort:
    """Counts the expressions that are translated. `most`: so many for one question; None: any number.

    Work is counted, not time, so that it does not depend on what else the machine does whether a question is made.
    """

    most: int | None = None
    spent: int = 0

    def spend(self, at: Location) -> None:
        """One more, at this place. Raise `Unmade`."""
        self.spent += 1
        if self.most is not None and self.spent > self.most:
            raise Unmade(
                f"the question was not made, there are more than {self.most:,} expressions to translate",
                at,
                "Give it more time with --timeout, or what is translated fewer values.",
                "evaluation",
            )

    def renew(self) -> None:
        """The next question begins."""
        self.spent = 0


def effort_of(seconds: float) -> int:
    """So many expressions may be translated for a question that a solver has so many seconds for."""
    return int((seconds + _GRACE) * _WORK)
