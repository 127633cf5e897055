"""The states that wait to be expanded: first in, first out, the middle of a long queue on disk.

Chunks go to files without a name (in the folder for temporary files, see TMPDIR), so that nothing stays behind whatever
happens to the process.
"""

from __future__ import annotations

import pickle
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO

from rmqproof.model.search.system import State

IN_MEMORY = 1_000_000
"""States at each end of the queue that stay in memory."""
CHUNK = 50_000


class StateQueue:
    """A queue of states. `in_memory`: states at its head, at most, before others go to disk in chunks of `chunk`."""

    __slots__ = ("_chunk", "_head", "_in_memory", "_length", "_on_disk", "_tail")

    def __init__(self, states: Iterable[State] = (), in_memory: int = IN_MEMORY, chunk: int = CHUNK) -> None:
        self._in_memory, self._chunk = in_memory, chunk
        self._head: deque[State] = deque()
        self._on_disk: deque[IO[bytes]] = deque()
        self._tail: list[State] = []
        self._length = 0
        for state in states:
            self.append(state)

    def __len__(self) -> int:
        return self._length

    def append(self, state: State) -> None:
        self._length += 1
        if not self._tail and not self._on_disk and len(self._head) < self._in_memory:
            self._head.append(state)
            return
        self._tail.append(state)
        if len(self._tail) >= self._chunk:
            self._on_disk.append(_written(self._tail))
            self._tail = []

    def popleft(self) -> State:
        """The first state. Raise `IndexError` when there is none."""
        if not self._head:
            self._refill()
        state = self._head.popleft()
        self._length -= 1
        return state

    def first(self, count: int) -> list[State]:
        """The first `count` states, which stay in the queue."""
        while len(self._head) < count and (self._on_disk or self._tail):
            self._refill()
        return list(islice(self._head, count))

    def __iter__(self) -> Iterator[State]:
        yield from self._head
        for file in self._on_disk:
            yield from _read(file)
        yield from self._tail

    @property
    def spilled(self) -> int:
        """Chunks that are on disk now."""
        return len(self._on_disk)

    def _refill(self) -> None:
        if self._on_disk:
            with self._on_disk.popleft() as file:
                self._head.extend(_read(file))
        else:
            self._head.extend(self._tail)
            self._tail = []


def _written(states: list[State]) -> IO[bytes]:
    file = tempfile.TemporaryFile(prefix="rmqproof-queue-")  # noqa: SIM115  # closed when the chunk is read back
    pickle.dump(states, file, protocol=pickle.HIGHEST_PROTOCOL)
    file.flush()
    return file


def _read(file: IO[bytes]) -> list[State]:
    file.seek(0)
    states: list[State] = pickle.load(file)
    return states
