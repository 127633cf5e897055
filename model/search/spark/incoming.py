"""What comes for an owner in a level: kept in little memory, and in files where it is more, until it is taken in."""

from __future__ import annotations

import mmap
import struct
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.rows import Rows, concatenated, from_blob, to_blob

EACH = 64
"""Bytes of a row beside its state and its arguments; for a state of varying length, of the object besides."""
PORTIONS = 16
_LENGTH = struct.Struct("<Q")
Known = Callable[[NDArray[np.uint64]], NDArray[np.bool_]]


class Incoming:
    """Candidates as they come.

    When they take more than `incoming_bytes`, those are dropped that `known` says the
    owner has, and of several with one fingerprint all but the first in order. Where that does not help, they go to
    files by fingerprint, and are taken in a portion after the other.
    """

    def __init__(self, plan: Plan, known: Known | None = None) -> None:
        self.plan, self.known = plan, known
        self._parts: list[Rows] = []
        self._bytes = 0
        self._files: list[IO[bytes]] = []
        self.dropped = 0

    @property
    def spilled(self) -> bool:
        return bool(self._files)

    def add(self, rows: Rows) -> None:
        self._parts.append(rows)
        self._bytes += bytes_of(rows)
        if self._bytes > self.plan.incoming_bytes:
            self._sift()
            if self._bytes > self.plan.incoming_bytes / 2:
                self._spill()

    def portions(self) -> Iterator[Rows]:
        """All that is left, once; no fingerprint is in two portions."""
        if not self._files:
            yield self._taken()
            return
        self._spill()
        while self._files:
            with self._files.pop() as file:
                yield concatenated(list(_blobs(file)), self.plan.words, self.plan.argument_words)

    def _taken(self) -> Rows:
        parts, self._parts, self._bytes = self._parts, [], 0
        return concatenated(parts, self.plan.words, self.plan.argument_words)

    def _sift(self) -> None:
        everything = self._taken()
        kept = everything if self.known is None else everything.take(~self.known(everything.fingerprints))
        sequence = np.lexsort((kept.orders, kept.fingerprints))
        fingerprints = kept.fingerprints[sequence]
        first = np.ones(len(sequence), np.bool_)
        first[1:] = fingerprints[1:] != fingerprints[:-1]
        kept = kept.take(sequence[first])
        self.dropped += len(everything) - len(kept)
        self._parts, self._bytes = [kept], bytes_of(kept)

    def _spill(self) -> None:
        rows = self._taken()
        if not self._files:
            self._files = [tempfile.TemporaryFile() for _ in range(PORTIONS)]  # noqa: SIM115
        portion = rows.fingerprints >> np.uint64(40) & np.uint64(PORTIONS - 1)
        for number, file in enumerate(self._files):
            blob = to_blob(rows.take(portion == np.uint64(number)))
            file.write(_LENGTH.pack(len(blob)))
            file.write(blob)


def _blobs(file: IO[bytes]) -> Iterator[Rows]:
    file.seek(0)
    while header := file.read(_LENGTH.size):
        yield from_blob(file.read(_LENGTH.unpack(header)[0]))


class Taken:
    """An owner's new states of a level, in order, made of portions each of which is in order."""

    def __init__(self, plan: Plan, in_files: bool) -> None:
        self.plan, self.in_files = plan, in_files
        self._runs: list[Rows] = []

    def __len__(self) -> int:
        return sum(map(len, self._runs))

    def add(self, rows: Rows) -> None:
        if not self.in_files or not len(rows) or rows.states.dtype == object:
            self._runs.append(rows)
            return
        with tempfile.TemporaryFile() as file:
            file.write(to_blob(rows))
            file.flush()
            self._runs.append(from_blob(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))

    def chunks(self, size: int) -> Iterator[Rows]:
        """All of them in order, so many at a time; may be asked for again."""
        if len(self._runs) == 1:
            for start in range(0, len(self), size):
                yield self._runs[0].take(slice(start, start + size))
            return
        orders = np.sort(np.concatenate([np.empty(0, np.uint64), *(run.orders for run in self._runs)]))
        begun = [0] * len(self._runs)
        for start in range(0, len(orders), size):
            last = orders[min(start + size, len(orders)) - 1]
            ends = [int(np.searchsorted(run.orders, last, side="right")) for run in self._runs]
            parts = [run.take(slice(a, b)) for run, a, b in zip(self._runs, begun, ends, strict=True)]
            rows = concatenated(parts, self.plan.words, self.plan.argument_words)
            yield rows.take(np.argsort(rows.orders, kind="stable"))
            begun = ends


def bytes_of(rows: Rows) -> int:
    """About what rows take."""
    if rows.states.dtype == object:
        return sum(map(len, rows.states)) + 2 * EACH * len(rows)
    return rows.states.nbytes + rows.arguments.nbytes + EACH * len(rows)
