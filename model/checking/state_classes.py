"""Which states of a graph have equal values in some variables: what reads no others is asked of one of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from rmqproof.model.search.liveness.graph import Key


class StateClasses:
    """Of the Python engine's states: their values in the order of the variables, and a fingerprint."""

    def __init__(self, states: Sequence[tuple[Any, ...]]) -> None:
        self._states = states
        self._numbers: dict[frozenset[int], array[int]] = {}

    def keys(self, variables: frozenset[int] | None) -> Key | None:
        """See `BehaviourGraph.keys`."""
        if not variables or not self._states or len(variables) >= len(self._states[0]) - 1:
            return None
        known = self._numbers.get(variables)
        if known is None:
            part, numbers = itemgetter(*sorted(variables)), dict[Any, int]()
            known = array("I", (numbers.setdefault(part(state), len(numbers)) for state in self._states))
            self._numbers[variables] = known
        return known.__getitem__
