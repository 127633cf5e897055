"""One run of the compiled search: a handle on the engine in C, and what it can be asked."""

from __future__ import annotations

import ctypes
import os
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from .decode import Decoder
from .native_model import NativeModel

NO_PARENT = 0xFFFFFFFF
EVERYTHING = 1 << 62
UNJUDGED = 0
"""The `order` of an event before it is known whether its state is new; as in workers.c."""
STATES, PARENTS = "states", "parents"
LEAVING = 5.0
"""Seconds for a search to leave a state; one that does not is left with its memory."""


class Status(IntEnum):
    """What `rmq_run` returns; as in workers.c. `HALTED`: it was left in the middle of a state."""

    RUNNING = 0
    FINISHED = 1
    PAUSED = 2
    VIOLATION = 3
    FAILURE = 4
    OVERFLOWED = 5
    LIMIT = 6
    NO_MEMORY = 7
    NO_DISK = 8
    HALTED = 9


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the search counted. `key` is where it stopped: parent << 24 | ordinal of the successor.

    `bytes` is the memory in use and `peak` the most so far; `saved` states are in files, of which `spilled` are nowhere
    else; `filed` fingerprints are in sorted files; `problem` is the errno of a file.
    """

    distinct: int
    total: int
    depth: int
    initial: int
    cut: int
    expanded: int
    level: int
    level_end: int
    kind: int
    index: int
    key: int
    order: int
    has_state: int
    bytes: int
    peak: int
    saved: int
    checksum: int
    spilled: int
    filed: int
    problem: int


@dataclass(frozen=True, slots=True)
class Met:
    """A violation after which the search went on. `key`: where; of an initial state its number. `state`: its words."""

    kind: int
    index: int
    key: int
    order: int
    initial: bool
    state: tuple[int, ...]


class Run:
    """A search in the engine. Close it, or use it in a `with`."""

    def __init__(
        self,
        native: NativeModel,
        workers: int,
        max_states: int | None = None,
        memory: int | None = None,
        folder: Path | None = None,
        keep_going: bool = False,
    ) -> None:
        """`memory` in bytes; `folder` keeps states and parents; `keep_going`: after a violation.

        Raise `MemoryError`, `OSError`.
        """
        self.native, self.library, self.workers, self.keep_going = native, native.library, workers, keep_going
        self._idle = threading.Event()
        self._idle.set()
        self._engine: int | None = self.library.rmq_new(workers, max_states or EVERYTHING, memory or 0)
        if not self._engine or (keep_going and not self.library.rmq_keep_going(self._engine)):
            raise MemoryError("no memory for a search")
        if memory is not None or folder is not None:
            self._open_files(folder)

    def _open_files(self, folder: Path | None) -> None:
        def temporary() -> int:
            # it has no name: nothing is left of it, however the process ends
            with tempfile.TemporaryFile(dir=folder) as file:
                return os.dup(file.fileno())

        def named(name: str) -> int:
            return os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o644) if folder is not None else temporary()

        files = [named(STATES), named(PARENTS), *(temporary() for _ in range(self.workers))]
        fingerprints = (ctypes.c_int * self.workers)(*files[2:])
        if not self.library.rmq_files(self._engine, files[0], files[1], fingerprints):
            raise MemoryError("no memory for a search")

    def close(self) -> None:
        if self._engine is None:
            return
        if not self._idle.is_set():
            self.library.rmq_leave(self._engine)
        if self._idle.wait(LEAVING):
            self.library.rmq_free(self._engine)
        self._engine = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what it does -------------------------------------------------------------------------------------------

    def go(self, seconds: float) -> Status:
        """Search for about `seconds`; `PAUSED`: call again.

        In a thread, since signals are only handled between calls: what a handler raises ends the search inside of a
        state, and nothing but `numbers`, `coverage` and `close` may be called then.
        """
        status = [Status.PAUSED]

        def search() -> None:
            try:
                status[0] = Status(self.library.rmq_run(self._engine, seconds))
            finally:
                self._idle.set()

        self._idle.clear()
        threading.Thread(target=search, name="search", daemon=True).start()
        self._idle.wait()
        return status[0]

    def save(self) -> None:
        """Bring all states to the files in `folder`. Raise `OSError`."""
        if not self.library.rmq_save(self._engine):
            problem = self.numbers().problem
            raise OSError(problem, os.strerror(problem))

    def resume(self, numbers: Numbers, coverage: list[int]) -> Status:
        """Take up a search from the files in `folder`. `RUNNING` when they are what was saved."""
        given = (ctypes.c_uint64 * len(numbers.__slots__))(*(getattr(numbers, name) for name in numbers.__slots__))
        actions = (ctypes.c_uint64 * max(1, len(coverage)))(*coverage)
        return Status(self.library.rmq_resume(self._engine, given, actions))

    # --- what it knows ------------------------------------------------------------------------------------------

    def numbers(self) -> Numbers:
        out = (ctypes.c_uint64 * len(Numbers.__slots__))()
        self.library.rmq_numbers(self._engine, ctypes.byref(out))
        return Numbers(*out)

    def coverage(self) -> list[int]:
        """Three numbers for each action: states in which it was enabled, successors, new states."""
        size = 3 * len(self.native.program.actions)
        out = (ctypes.c_uint64 * max(1, size))()
        self.library.rmq_coverage(self._engine, ctypes.byref(out))
        return list(out[:size])

    def violations(self) -> list[Met]:
        """With `keep_going`: the first violation of each property, in the order in which they were met."""
        words = self.native.program.layout.words
        count = int(self.library.rmq_violations(self._engine, None))
        out = (ctypes.c_uint64 * (count * (5 + words)))()
        self.library.rmq_violations(self._engine, out)
        rows = [list(out[i : i + 5 + words]) for i in range(0, len(out), 5 + words)]
        return [Met(row[0], row[1], row[2], row[3], bool(row[4]), tuple(row[5:])) for row in rows]

    def set_violations(self, met: list[Met]) -> None:
        """Those that a search had met before it is resumed."""
        numbers = [n for m in met for n in (m.kind, m.index, m.key, m.order, int(m.initial), *m.state)]
        self.library.rmq_set_violations(self._engine, (ctypes.c_uint64 * max(1, len(numbers)))(*numbers), len(met))

    def smallest_distance(self) -> int:
        """Between two fingerprints; 0: not known."""
        return int(self.library.rmq_smallest_distance(self._engine))

    def packed(self, first: int, count: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Packed states from `first` on, and their parents. Raise `OSError`."""
        words = self.native.program.layout.words
        states = (ctypes.c_uint64 * (words * count))()
        parents = (ctypes.c_uint32 * count)()
        if not self.library.rmq_states(self._engine, first, count, ctypes.byref(states), ctypes.byref(parents)):
            raise OSError("the states on disk cannot be read")
        for i in range(count):
            yield tuple(states[i * words : (i + 1) * words]), parents[i]

    def block(self, first: int, count: int) -> bytearray:
        """Packed states from `first` on, as they lie in memory: uint64 × words. Raise `OSError`."""
        content = bytearray(8 * self.native.program.layout.words * count)
        if count:
            buffer = (ctypes.c_char * len(content)).from_buffer(content)
            if not self.library.rmq_states(self._engine, first, count, buffer, None):
                raise OSError("the states on disk cannot be read")
        return content

    def trim(self) -> None:
        """Nothing but states and parents is needed any more: let go of the memory of all else."""
        self.library.rmq_trim(self._engine)

    def path(self, index: int) -> list[tuple[int, ...]]:
        """The packed states from an initial one to the state `index`."""
        path = []
        while index != NO_PARENT:
            words, index = next(self.packed(index, 1))
            path.append(words)
        return path[::-1]

    def event_state(self) -> tuple[int, ...]:
        """The packed state at which the search stopped."""
        out = (ctypes.c_uint64 * self.native.program.layout.words)()
        self.library.rmq_event_state(self._engine, ctypes.byref(out))
        return tuple(out)

    def decoder(self) -> Decoder:
        return Decoder(self.native.program.layout)
