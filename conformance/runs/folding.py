"""Keeping the states small that a long run is compared with.

The logs of a run of hours hold everything that was ever stored, and each step of the model would copy, hash and search
them. But hardly any step looks at more than their ends. A `Folding` says for one specification how a common prefix of
the logs can be taken out of a state, and put back: `fold(state, kept)` is a state of the same specification, in which
every offset is smaller by `kept.base`, or in which no offset is another one; then what lies between can be taken out,
too.

Folding loses nothing as long as steps and lines look at what is there: the folded states behave as the whole ones do.
So before an event that looks at what was taken out the state is made whole again, and what is tried is what none of the
events around looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rmqproof.conformance.runs.folded_prefix import Kept
from rmqproof.conformance.runs.pattern import Bindings
from rmqproof.model.search.system import State

NO_OFFSET = 1 << 62
"""Of an event that looks at none; the end of what is looked at to the end of the log."""
_MUCH = 1024
"""So many times the gain are folded at once."""


class Folding(Protocol):
    """How states of one specification are folded; `None` or the same state where they cannot be."""

    def fold(self, state: State, bindings: Bindings, kept: Kept) -> tuple[State, Bindings]:
        """Take out the longest prefix of at most `kept.base` entries that can be, and what else is not kept; a state
        that is folded already is folded further."""
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

    def plan(self, ranges: Sequence[tuple[int, int]]) -> Sequence[Kept]:
        """For each number of explained events what stays; of `base` 0 everything does. `ranges`: by event, what it
        looks at, from one offset to another; from `NO_OFFSET` where at nothing."""
        count, every = len(ranges), self.every
        # those of blocks are enough
        blocks = [_joined(ranges[start : start + every]) for start in range(0, count + 1, every)]
        ahead = self.ahead // every + 1
        planned: list[Kept | None] = []
        for block in range(len(blocks)):
            looked = _joined([each for near in blocks[block : block + ahead] for each in near])
            planned.append(Kept(max(0, looked[0][0] - 1), tuple(looked)) if looked else None)
        # where nothing is looked at for long: the longer of the prefixes that are out before that and afterwards
        idle = [0] * len(blocks)
        for row in (range(len(blocks)), reversed(range(len(blocks)))):
            last = 0
            for block in row:
                kept = planned[block]
                last = idle[block] = max(idle[block], last) if kept is None else kept.base
        return [kept or Kept(base) for kept, base in zip(planned, idle, strict=True) for _ in range(every)][: count + 1]

    def pays(self, number: int, base: int, wanted: int, again: bool = False) -> bool:
        """Whether to fold after this number of events up to `wanted`, where what lies up to `base` is folded. `again`:
        the state was folded further, and is whole for the moment: each step of it costs as much as folding."""
        gained = wanted - base
        return gained >= self.gain and (again or number % self.every == 0 or gained >= _MUCH * self.gain)


def _joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """In their order, with those that meet as one."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if low >= NO_OFFSET:
            break
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found
