"""Which variables a part of a step has changed, and lists of those that it has not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Changes:
    """How often each variable is assigned, in the order of the variables."""

    def __init__(self, variables: Sequence[str], counts: dict[str, int] | None = None) -> None:
        self.variables = variables
        self.counts = counts or {}

    def copy(self) -> Changes:
        return Changes(self.variables, dict(self.counts))

    def changed(self, variable: str) -> bool:
        return variable in self.counts

    def assign(self, variable: str) -> int:
        """How often it is assigned now."""
        self.counts[variable] = self.counts.get(variable, 0) + 1
        return self.counts[variable]

    def merge(self, other: Changes) -> None:
        for variable, count in other.counts.items():
            self.counts[variable] = max(count, self.counts.get(variable, 0))

    def unchanged(self, beside: Changes | None = None) -> list[str]:
        """The variables that it leaves as they are; with `beside` those of them that this changes."""
        return [v for v in self.variables if v not in self.counts and (beside is None or v in beside.counts)]


def wrapped(names: Iterable[str], width: int) -> list[str]:
    """The names with commas, in lines; a line may be as long as `width`, and longer by a comma."""
    lines: list[str] = []
    text, first = "", True
    for name in names:
        if not first:
            text += ", "
        first = False
        if len(text) + len(name) > width:
            if text:
                lines.append(text)
            text = name
        else:
            text += name
    if text:
        lines.append(text)
    return lines
