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
    def make(self, index: int) -> State:
        """The state at an index that is within the sequence."""

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[State]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        state = self._decoded.get(index)
        if state is None:
            if not 0 <= index < len(self):
                raise IndexError(index)
            state = self.make(index)
            if len(self._decoded) >= _KEPT:
                self._decoded.clear()
            self._decoded[index] = state
        return state
