"""Errors of one run, collected so that a user sees several at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.tla.source import Location, TlaError

SHOWN = 10


@dataclass(slots=True)
class Problems:
    found: list[TlaError] = field(default_factory=list)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def add(self, message: str, at: Location | None, remedy: str = "", kind: str = "parse") -> None:
        """Remember one error; the same one from another instance of a module counts once."""
        key = (message, str(at))
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(TlaError(message, at, remedy, kind))

    def raise_any(self) -> None:
        """Raise the first, the others named in its remedy."""
        if not self.found:
            return
        first, *others = self.found
        if not others:
            raise first
        lines = [first.remedy] if first.remedy else []
        lines.append(f"{len(others)} more:")
        lines += [f"  {f'{error.at}: ' if error.at else ''}{error.message}" for error in others[: SHOWN - 1]]
        if len(others) >= SHOWN:
            lines.append("  ...")
        raise TlaError(first.message, first.at, "\n    ".join(lines), first.kind)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence that names what `name` may have been meant to be, or nothing."""
    import difflib  # only for a message

    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=3)
    if not near:
        folded = {candidate.lower(): candidate for candidate in names}
        near = [folded[name.lower()]] if name.lower() in folded else []
    return f"Did you mean {' or '.join(near)}?" if near else ""
