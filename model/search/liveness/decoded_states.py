"""States that are kept in another form, and decoded when they are asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, overload

from rmqproof.model.search.system import State

_KEPT = 1 << 14
"""States that stay decoded."""


class DecodedStates(Sequence[State]):
    """A sequence of states whose elements `make` gives; the last ones stay in `_decoded`, which each kind brings."""

    __slots__ = ()
    _decoded: dict[int, State]

    @abstractmethod
    def make(self, place: int) -> State:
        """The state at a place that is within the sequence."""

    @overload
    def __getitem__(self, place: int) -> State: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[State]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        state = self._decoded.get(place)
        if state is None:
            if not 0 <= place < len(self):
                raise IndexError(place)
            state = self.make(place)
            if len(self._decoded) >= _KEPT:
                self._decoded.clear()
            self._decoded[place] = state
        return state
