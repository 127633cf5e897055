"""One run of the compiled search: a handle on the engine in C, and what it can be asked."""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from enum import IntEnum
from pathlib import Path

from rmqproof.model.evaluate.values import Value
from rmqproof.model.records import dataclass

from .decode import Decoder
from .encode import Encoder
from .host import Argument, Host, Written
from .native_model import NativeModel

NO_PARENT = 0xFFFFFFFF
EVERYTHING = 1 << 62
UNJUDGED = 0
"""The `order` of an event before it is known whether its state is new; as in workers.c."""
STATES, PARENTS = "states", "parents"


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

    `idle` has a bit for each property whose antecedent was never true.

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
    idle: int


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
    """A search in the engine, which is a process of its own. Close it, or use it in a `with`.

    Every method raises `Died` when that process is no more.
    """

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

        Raise `MemoryError`, `OSError`, `NoCompiler`, `Died`.
        """
        self.native, self.workers, self.keep_going = native, workers, keep_going
        self._encoder: Encoder | None = None
        files = self._open_files(folder) if memory is not None or folder is not None else []
        try:
            self.host = Host(native.library, files, native.say)
        finally:
            for file in files:
                os.close(file)
        try:
            self._engine = self.host.call("rmq_new", workers, max_states or EVERYTHING, memory or 0)
            if not self._engine or (keep_going and not self._call("rmq_keep_going")):
                raise MemoryError("no memory for a search")
            fingerprints = struct.pack(f"={len(files[2:])}i", *files[2:])
            if files and not self._call("rmq_files", files[0], files[1], fingerprints):
                raise MemoryError("no memory for a search")
        except BaseException:
            self.host.close()
            raise

    def _call(self, name: str, *arguments: Argument) -> int:
        """The result, as a C `int`."""
        return _signed(self.host.call(name, self._engine, *arguments), 32)

    def _open_files(self, folder: Path | None) -> list[int]:
        def temporary() -> int:
            # it has no name: nothing is left of it, however the process ends
            with tempfile.TemporaryFile(dir=folder) as file:
                return os.dup(file.fileno())

        def named(name: str) -> int:
            return os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o644) if folder is not None else temporary()

        files: list[int] = []
        try:
            for place in range(2 + self.workers):
                files.append(named((STATES, PARENTS)[place]) if place < 2 else temporary())
        except BaseException:
            for file in files:
                os.close(file)
            raise
        return files

    def close(self) -> None:
        self.host.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def give(self, states: Sequence[tuple[int, ...]]) -> None:
        """Before it begins: the packed initial states of a program that does not find them."""
        words = _pack([word for state in states for word in state])
        if not _signed(self.host.call("rmq_give", words, len(states)), 32):
            raise MemoryError("no memory for the initial states")

    # --- what it does -------------------------------------------------------------------------------------------

    def go(self, seconds: float) -> Status:
        """Search for about `seconds`; `PAUSED`: call again.

        A signal handler may raise meanwhile, which ends the search inside of a state: nothing but `numbers`, `coverage`
        and `close` may be called then.
        """
        return Status(_signed(self.host.call("rmq_run", self._engine, round(seconds * 1e6), beside=True), 32))

    def save(self) -> None:
        """Bring all states to the files in `folder`. Raise `OSError`."""
        if not self._call("rmq_save"):
            problem = self.numbers().problem
            raise OSError(problem, os.strerror(problem))

    def resume(self, numbers: Numbers, coverage: list[int]) -> Status:
        """Take up a search from the files in `folder`. `RUNNING` when they are what was saved."""
        given = _pack([getattr(numbers, name) for name in numbers.__slots__])
        return Status(self._call("rmq_resume", given, _pack(coverage)))

    # --- what it knows ------------------------------------------------------------------------------------------

    def _asked(self, name: str, count: int) -> list[int]:
        """Numbers that a function writes."""
        out = Written.numbers(count)
        self.host.call(name, self._engine, out)
        return list(_unpack(out.content))

    def numbers(self) -> Numbers:
        return Numbers(*self._asked("rmq_numbers", len(Numbers.__slots__)))

    def coverage(self) -> list[int]:
        """Three numbers for each action: states in which it was enabled, successors, new states."""
        return self._asked("rmq_coverage", 3 * len(self.native.program.actions))

    def violations(self) -> list[Met]:
        """With `keep_going`: the first violation of each property, in the order in which they were met."""
        words = self.native.program.layout.words
        count = self.host.call("rmq_violations", self._engine, 0)
        out = self._asked("rmq_violations", count * (5 + words))
        rows = [out[i : i + 5 + words] for i in range(0, len(out), 5 + words)]
        return [Met(row[0], row[1], row[2], row[3], bool(row[4]), tuple(row[5:])) for row in rows]

    def set_violations(self, met: list[Met]) -> None:
        """Those that a search had met before it is resumed."""
        numbers = [n for m in met for n in (m.kind, m.index, m.key, m.order, int(m.initial), *m.state)]
        self.host.call("rmq_set_violations", self._engine, _pack(numbers), len(met))

    def smallest_distance(self) -> float:
        """Between two fingerprints; 0: not known."""
        bits = self.host.call("rmq_smallest_distance", self._engine) & _FULL
        distance: float = struct.unpack("=d", struct.pack("=Q", bits))[0]
        return distance

    def known(self, states: Sequence[Sequence[Value]], note: Callable[[bytes], None] = lambda _: None) -> list[bool]:
        """Whether the search has met these states, given by the values of their variables; `note` is told which those
        are that the layout has room for, packed. Raise `OSError`."""
        if self._encoder is None:
            self._encoder = Encoder(self.native.program.layout)
        encoder = self._encoder
        known = [False] * len(states)
        packed: dict[int, tuple[int, ...]] = {}
        for number, values in enumerate(states):
            with suppress(ValueError, KeyError, TypeError):  # the layout has no room for what was never met
                packed[number] = encoder.state(values)
        content = _pack([word for state in packed.values() for word in state])
        note(content)
        found = self.met(content)
        for place, number in enumerate(packed):
            known[number] = bool(found[place])
        return known

    def met(self, states: bytes) -> bytearray:
        """For each packed state, as `block` gives them, 1 where the search has met it. Raise `OSError`."""
        count = len(states) // (8 * self.native.program.layout.words)
        found = Written(bytearray(count))
        if not self._call("rmq_known", states, count, found):
            raise OSError("the fingerprints on disk cannot be read")
        return found.content

    def choose(self, alternative: int) -> None:
        """Before it begins: which alternative of the model is searched."""
        self.host.call("rmq_choose", alternative)

    def moves(self, states: bytes) -> bytes:
        """For each packed state two uint64: how many other states it leads to in the alternative, and one that tells
        which; that is 1 for a state that cannot be expanded."""
        count = len(states) // (8 * self.native.program.layout.words)
        found = Written.numbers(2 * count)
        kernel = self.host.call("rmq_kernel_new")
        done = self.host.call("rmq_moves", kernel, states, count, found)
        self.host.call("rmq_kernel_free", kernel)
        if done < count:
            raise MemoryError("no memory for the successors")
        return bytes(found.content)

    def packed(self, first: int, count: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Packed states from `first` on, and their parents. Raise `OSError`."""
        words = self.native.program.layout.words
        states, parents = Written(bytearray(8 * words * count)), Written(bytearray(4 * count))
        if not self._call("rmq_states", first, count, states, parents):
            raise OSError("the states on disk cannot be read")
        numbers, parent = _unpack(states.content), memoryview(parents.content).cast("I")
        for i in range(count):
            yield tuple(numbers[i * words : (i + 1) * words]), parent[i]

    def block(self, first: int, count: int) -> bytearray:
        """Packed states from `first` on, as they lie in memory: uint64 × words. Raise `OSError`."""
        content = bytearray(8 * self.native.program.layout.words * count)
        if count and not self._call("rmq_states", first, count, Written(content), 0):
            raise OSError("the states on disk cannot be read")
        return content

    def trim(self) -> None:
        """Nothing but states and parents is needed any more: let go of the memory of all else."""
        self.host.call("rmq_trim", self._engine)

    def path(self, index: int) -> list[tuple[int, ...]]:
        """The packed states from an initial one to the state `index`."""
        path = []
        while index != NO_PARENT:
            words, index = next(self.packed(index, 1))
            path.append(words)
        return path[::-1]

    def event_state(self) -> tuple[int, ...]:
        """The packed state at which the search stopped."""
        return tuple(self._asked("rmq_event_state", self.native.program.layout.words))

    def decoder(self) -> Decoder:
        return Decoder(self.native.program.layout)


_FULL = (1 << 64) - 1


def _pack(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"={len(numbers)}Q", *(number & _FULL for number in numbers))


def _unpack(content: bytearray) -> memoryview:
    return memoryview(content).cast("Q")


def _signed(number: int, bits: int) -> int:
    """The lower bits of a register in which a narrower number was returned."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number
