"""What cannot be translated."""

from __future__ import annotations

from rmqproof.model.tla.source import Location, TlaError


class Untranslatable(TlaError):
    """A construct that has no translation to Z3. Where `at` is None, whoever knows the place fills it in."""

    def __init__(self, construct: str, at: Location | None = None, remedy: str = "") -> None:
        super().__init__(f"rmqproof prove cannot translate {construct}", at, remedy, "evaluation")
        self.construct = construct

    def located(self, at: Location) -> Untranslatable:
        """The same with a place, if it has none."""
        return self if self.at is not None else Untranslatable(self.construct, at, self.remedy)
