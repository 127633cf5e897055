"""Explore one broker set once, for all questions: the shortest way to each yes, or every state without one.

Which states there are, and which questions a state answers, is `Steps`' business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Generic, Protocol, TypeVar

S = TypeVar("S")

BLOCK = 4096
"""States that are expanded together."""


class Steps(Protocol[S]):
    """The states of one broker set."""

    def first(self) -> S: ...

    def fingerprint(self, state: S) -> int: ...

    def answers(self, state: S) -> int:
        """Which questions the state answers yes: bit i for the i-th."""
        ...

    def fresh(self, states: Sequence[S], seen: set[int]) -> list[tuple[int, S]]:
        """The successors whose fingerprints are not in `seen`, which takes them in; each with the place of its
        predecessor in `states`, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class Explored(Generic[S]):
    """`paths`: by question a shortest behaviour to a state that answers it. `whole`: every state was seen, so the other
    questions are answered no; else they are open. `distinct`: states seen."""

    paths: dict[int, tuple[S, ...]]
    distinct: int
    whole: bool


def explore(steps: Steps[S], questions: Sequence[int], max_seconds: float | None = None) -> Explored[S]:
    """Search breadth-first until every question is answered yes, all is seen, or the time is over.

    States count as equal when their fingerprints are: with a million of 64 bits, two different ones coincide once in
    37 million runs.
    """
    end = None if max_seconds is None else monotonic() + max_seconds
    first = steps.first()
    states, parents = [first], [-1]
    seen = {steps.fingerprint(first)}
    found: dict[int, int] = {}
    left = sum(1 << question for question in set(questions))

    def look(index: int) -> None:
        nonlocal left
        hit = steps.answers(states[index]) & left
        left &= ~hit
        while hit:
            found[hit.bit_length() - 1] = index
            hit &= ~(1 << (hit.bit_length() - 1))

    look(0)
    expanded = 0
    late = False
    while left and expanded < len(states) and not late:
        block = states[expanded : expanded + BLOCK]
        for row, state in steps.fresh(block, seen):
            states.append(state)
            parents.append(expanded + row)
            look(len(states) - 1)
            if not left:
                break
        expanded += len(block)
        late = end is not None and monotonic() > end
    whole = not left or expanded >= len(states)
    return Explored(
        {question: tuple(_path(states, parents, index)) for question, index in found.items()}, len(states), whole
    )


def _path(states: Sequence[S], parents: Sequence[int], index: int) -> list[S]:
    path = []
    while index >= 0:
        path.append(states[index])
        index = parents[index]
    return path[::-1]
