"""Lines of Python as they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Lines:
    """Lines of Python with their indentation."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = depth

    def add(self, text: str) -> None:
        self.lines.append(" " * self.depth + text)

    def enter(self, clauses: Sequence[str]) -> int:
        """Begin the loops of these clauses (see `binders.loop_clauses`); how many they are."""
        loops = 0
        for clause in clauses:
            is_loop = clause.startswith("for ")
            self.add(f"{clause}:" if is_loop else clause)
            self.depth += is_loop
            loops += is_loop
        return loops

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented block under `head`."""
        self.add(head + ":")
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.add("pass")
        self.depth -= 1
