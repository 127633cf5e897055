"""What random behaviours have covered, so that the next one goes where none has been.

Of the successors of a state that is taken to which the fewest behaviours have gone, and none from which everything
was seen. Rare steps in a row are tried once, and what can always happen is not tried again and again. A behaviour ends
where nothing new is to be had, and its last state is not gone to again: there are never more behaviours than states, if
no depth cuts them. Source: counts of visits as a bonus are those of Strehl and Littman, *An analysis of model-based
interval estimation*, 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from rmqproof.model.search.system import State, Transition

MOST = 2_000_000
"""So many states are remembered; to any other it counts as if no behaviour had gone."""


class Guide:
    """The states that behaviours have met, by their fingerprints. One behaviour after the other: `start`, `choose` for
    each step, `end`."""

    def __init__(self, fingerprint: Callable[[State], int]) -> None:
        self._fingerprint = fingerprint
        self._visits: dict[int, int] = {}
        self._over: set[int] = set()
        """From these nothing leads to a state that was not met."""
        self._path: list[tuple[int, list[int]]] = []

    def start(self, random: Random, states: Sequence[State]) -> State | None:
        """Where the next behaviour begins; None: everything was seen."""
        self._path = []
        index = self._rarest(random, [self._fingerprint(state) for state in states])
        return states[index] if index is not None else None

    def choose(self, random: Random, state: State, successors: Sequence[Transition]) -> Transition | None:
        """The next step; None: the behaviour is to end, since nothing new is to be had from here."""
        known = self._fingerprint(state)
        found = [self._fingerprint(transition.state) for transition in successors]
        self._path.append((known, [other for other in found if other != known]))
        index = self._rarest(random, found)
        return successors[index] if index is not None else None

    def end(self) -> None:
        for known, found in reversed(self._path):
            if not all(other in self._over for other in found):
                break
            if known in self._visits:
                self._over.add(known)

    def _rarest(self, random: Random, found: Sequence[int]) -> int | None:
        """The index of one that is left, of those with the fewest visits."""
        left = [index for index, known in enumerate(found) if known not in self._over]
        if not left:
            return None
        visits = [self._visits.get(found[index], 0) for index in left]
        fewest = min(visits)
        chosen = random.choice([index for index, count in zip(left, visits, strict=True) if count == fewest])
        if found[chosen] in self._visits or len(self._visits) < MOST:
            self._visits[found[chosen]] = fewest + 1
        return chosen
