"""`-dfid`: what TLC says of a search that deepens a level at a time, of a breadth-first search to that depth.

Both look at the states of so many levels. TLC's goes depth first, and through all levels above once more for each
level; the numbers of its messages are those of that, where it meets each state by a shortest way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.search.result import PropertyKind, Result, Verdict
from rmqproof.model.tlc.messages import Code, Printer, now
from rmqproof.model.tlc.visiting import Visit, levels

LIMIT = "DeepestGiven_"
"""The constraint that keeps a search to its depth."""


def deepest(module: str, level: int) -> str:
    """The text of a module `LIMIT` that extends this one, with the constraint."""
    return f'---- MODULE {LIMIT} ----\nEXTENDS {module}, TLC, Naturals\n{LIMIT} == TLCGet("level") <= {level}\n====\n'


@dataclass(frozen=True, slots=True)
class Deepening:
    """`initial`: initial states generated; `levels`: of each level the new states, and their steps. `most`: -dfid."""

    initial: int
    levels: Sequence[tuple[int, int]]
    most: int
    result: Result

    @classmethod
    def of(cls, system: PythonSystem, most: int, result: Result) -> Deepening:
        """`system` without the limit. Raise `TlaError` where the search had an error, too."""
        violation = result.violation
        deepest = min(most, violation.depth) if violation is not None else most
        whole = Result(Verdict.SUCCESS, 0, 0, 0, 0.0, result.engine, 1)
        return cls(*levels(Visit(system, whole, deepest)), most, result)

    @property
    def last(self) -> int:
        """The level that is begun last: there is nothing new in it, something is wrong in it, or it is the deepest."""
        violation = self.result.violation
        depth = sum(new > 0 for new, _ in self.levels)
        if violation is not None:
            depth = violation.depth - (violation.kind is not PropertyKind.DEADLOCK)
        return min(self.most, depth + 1)

    @property
    def whole(self) -> bool:
        """Whether TLC's search has seen that there is nothing deeper."""
        return self.last < self.most

    def generated(self, level: int) -> int:
        """The states that were generated when a level is begun."""
        return self.initial + sum(sum(steps for _, steps in self.levels[: begun - 1]) for begun in range(2, level))

    @property
    def collision(self) -> float:
        """How likely it is that two states had the same number, of 64 bits."""
        total, distinct = self._ended
        return distinct * (total - distinct) / 2**64

    @property
    def _ended(self) -> tuple[int, int]:
        """The states that were generated in all, and those that differ."""
        return self.generated(self.last + 1), sum(new for new, _ in self.levels[: self.last])

    def begun(self, printer: Printer) -> None:
        """The levels, one after the other."""
        if not self.levels or not self.initial:
            return
        first = self.levels[0][0]
        printer.say(
            Code.INITIAL_STATES_DEEPENING,
            f"Finished computing initial states: {self.initial} states generated, with {first} of them distinct.",
        )
        for level in range(2, self.last + 1):
            found = sum(new for new, _ in self.levels[: level - 1])
            printer.say(
                Code.NEXT_LEVEL,
                f"Starting level {level}: {self.generated(level)} states generated, {found} distinct states found.",
            )

    def ended(self, printer: Printer) -> None:
        total, distinct = self._ended
        numbers = f"{total} states generated, {distinct} distinct states found"
        printer.say(Code.PROGRESS_DEEPENING, f"Progress(-1) at {now()}: {numbers}, -1 states left on queue.")
        printer.say(Code.STATISTICS_DEEPENING, f"{numbers}.")
