"""Invariants that speak of some variables only: what held of their values is not asked again.

Most steps change few variables, so that an invariant meets the same values of those it reads in many states.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import itemgetter
from typing import Any

State = Any
_MOST = 50_000
"""As many values are remembered."""
_WINDOW = 10_000
"""After so many questions it is seen whether half of them could be answered; if not, nothing is remembered any more."""


def memoised_test(
    test: Callable[[State], bool], places: Collection[int], most: int = _MOST, window: int = _WINDOW
) -> Callable[[State], bool]:
    """The test of a state, of which only the values at these places matter; they are not none."""
    part = itemgetter(*sorted(places))
    held: set[Any] = set()
    asked = answered = 0
    pays = True

    def holds(state: State) -> bool:
        nonlocal asked, answered, pays
        if not pays:
            return test(state)
        asked += 1
        key = part(state)
        if key in held:
            answered += 1
            return True
        if asked >= window:
            pays = answered * 2 >= asked
            asked = answered = 0
        if not test(state):
            return False
        if len(held) >= most or not pays:
            held.clear()
        if pays:
            held.add(key)
        return True

    return holds
