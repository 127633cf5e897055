"""Keeping the states small that a long run is compared with.

The logs of a run of hours hold everything that was ever stored, and each step of the model would copy, hash and search
them. But hardly any step looks at more than their ends. A `Folding` says for one specification how a common prefix of
the logs can be taken out of a state, and put back: `fold(state, k)` is a state of the same specification, in which
every offset is smaller by k.

Folding loses nothing as long as steps and lines look at offsets above k only: the folded states behave as the whole
ones do. So before an event whose `lowest` offset is not above the base the state is made whole again, and the base
that is tried is below everything that the events around look at.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rmqproof.conformance.runs.pattern import Bindings
from rmqproof.model.search.system import State

NO_OFFSET = 1 << 62
"""Of an event that looks at none."""


class Folding(Protocol):
    """How states of one specification are folded; `None` or the same state where they cannot be."""

    def fold(self, state: State, bindings: Bindings, base: int) -> tuple[State, Bindings]:
        """Take out the longest prefix of at most `base` entries that can be; a state that is folded already is
        folded further."""
        ...

    def bare(self, state: State) -> State:
        """The state without what only counts, so that ways which differ in nothing else end in one state."""
        ...

    def unfold(self, state: State, bindings: Bindings) -> tuple[State, Bindings]:
        """The whole state."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """When states are folded. Whole states of a long run cost a hundred times as much as folded ones, so they are
    folded as soon as can be.

    `ahead`: so many events after one have to look at higher offsets for a prefix to be folded at it. `gain`: messages
    that folding has to save. `every`: events between two tries.
    """

    ahead: int = 64
    gain: int = 64
    every: int = 64

    def plan(self, lowest: Sequence[int]) -> Sequence[int]:
        """For each number of explained events: how long a prefix may be folded, 0 for none. `lowest`: by event, the
        lowest offset that it looks at, or `NO_OFFSET`."""
        count, every, high, floors = len(lowest), self.every, NO_OFFSET, lowest
        # the minimum over blocks is enough
        blocks = [min(floors[start : start + every], default=high) for start in range(0, count, every)]
        found = array("q")
        for number in range(count + 1):
            if number % every == 0:
                block = number // every
                least = min(blocks[block : block + self.ahead // every + 1], default=high)
                base = 0 if least >= high else max(0, least - 1)
            found.append(base)
        return found

    def pays(self, number: int, base: int, wanted: int, again: bool = False) -> bool:
        """Whether to fold after this number of events up to `wanted`, where what lies up to `base` is folded. `again`:
        the state was folded further, and is whole for the moment: each step of it costs as much as folding."""
        return (again or number % self.every == 0) and wanted - base >= self.gain
