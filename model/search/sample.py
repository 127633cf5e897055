"""Some of the states of a search, from all of it: what is looked at once more when it has found nothing wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from random import Random
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.system import State

MOST = 50
"""States that are looked at, at most."""
_SEED = 7

Known = Callable[[Sequence[Sequence[Any]]], Sequence[bool]]
"""Of states, given by the values of their variables: whether the search has met each of them."""


@dataclass(slots=True)
class Sample:
    """Every n-th state that is met, n growing with their number; the same ones in every run."""

    states: list[State] = field(default_factory=list)
    met: int = 0
    due: int = 0
    stride: int = 1

    def meet(self, state: State) -> None:
        if self.met == self.due:
            self.states.append(state)
            if len(self.states) == 2 * MOST:
                del self.states[1::2]
                self.stride *= 2
            self.due = len(self.states) * self.stride
        self.met += 1

    def drawn(self) -> list[State]:
        """As many as are looked at, in an order that mixes early and late ones."""
        some = list(self.states)
        Random(_SEED).shuffle(some)
        return some[:MOST]


def sampled(count: int) -> list[int]:
    """The numbers of the states to look at, of `count` that are numbered from 0 on."""
    return Random(_SEED).sample(range(count), min(count, MOST))
