"""What comes in a level: claims for their owner, and states that a part keeps, in little memory."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.claims import EACH as CLAIM_BYTES
from rmqproof.model.search.spark.claims import Claims, together
from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.rows import ROWS_EACH, Rows, concatenated, from_blob, to_blob

PORTIONS = 16
_CLAIM = np.dtype([("fingerprint", np.uint64), ("order", np.uint64), ("part", np.int32)])
Known = Callable[[NDArray[np.uint64]], NDArray[np.bool_]]


class Incoming:
    """Claims as they come.

    When they take more than `incoming_bytes`, those are dropped that `known` says the
    owner has, and of several with one fingerprint all but the first in order. Where that does not help, they go to
    files by fingerprint, and are taken in a portion after the other.
    """

    def __init__(self, plan: Plan, known: Known | None = None) -> None:
        self.plan, self.known = plan, known
        self._parts: list[Claims] = []
        self._bytes = 0
        self._files: list[IO[bytes]] = []
        self.dropped = 0

    @property
    def spilled(self) -> bool:
        return bool(self._files)

    def add(self, claims: Claims) -> None:
        self._parts.append(claims)
        self._bytes += CLAIM_BYTES * len(claims)
        if self._bytes > self.plan.incoming_bytes:
            self._sift()
            if self._bytes > self.plan.incoming_bytes / 2:
                self._spill()

    def portions(self) -> Iterator[Claims]:
        """All that is left, once; no fingerprint is in two portions."""
        if not self._files:
            yield self._taken()
            return
        self._spill()
        while self._files:
            with self._files.pop() as file:
                file.seek(0)
                found = np.frombuffer(file.read(), _CLAIM)
                columns = (np.ascontiguousarray(found[name]) for name in ("fingerprint", "order", "part"))
                yield Claims(*columns)

    def _taken(self) -> Claims:
        parts, self._parts, self._bytes = self._parts, [], 0
        return together(parts)

    def _sift(self) -> None:
        everything = self._taken()
        kept = everything if self.known is None else everything.take(~self.known(everything.fingerprints))
        sequence = np.lexsort((kept.orders, kept.fingerprints))
        fingerprints = kept.fingerprints[sequence]
        first = np.ones(len(sequence), np.bool_)
        first[1:] = fingerprints[1:] != fingerprints[:-1]
        kept = kept.take(sequence[first])
        self.dropped += len(everything) - len(kept)
        self._parts, self._bytes = [kept], CLAIM_BYTES * len(kept)

    def _spill(self) -> None:
        claims = self._taken()
        if not self._files:
            self._files = [tempfile.TemporaryFile() for _ in range(PORTIONS)]  # noqa: SIM115
        rows = np.empty(len(claims), _CLAIM)
        rows["fingerprint"], rows["order"], rows["part"] = claims.fingerprints, claims.orders, claims.parts
        portion = claims.fingerprints >> np.uint64(40) & np.uint64(PORTIONS - 1)
        for number, file in enumerate(self._files):
            file.write(rows[portion == np.uint64(number)].tobytes())


class Taken:
    """The new states of a level that a part keeps, in order, made of runs each of which is in order."""

    def __init__(self, plan: Plan, in_files: bool) -> None:
        self.plan, self.in_files = plan, in_files
        self._runs: list[list[Rows]] = []
        self._loose: list[Rows] = []
        self._last = -1

    def __len__(self) -> int:
        return sum(len(rows) for rows in self._loose) + sum(len(rows) for run in self._runs for rows in run)

    def add(self, rows: Rows) -> None:
        """Rows that are in order, and mostly follow those before."""
        if not len(rows):
            return
        if int(rows.orders[0]) < self._last:
            self._settle()
            self._runs.append([])
        self._last = int(rows.orders[-1])
        self._loose.append(rows)
        if sum(map(len, self._loose)) >= ROWS_EACH:
            self._settle()

    def _settle(self) -> None:
        """Put what came into its run."""
        if not self._runs:
            self._runs.append([])
        if self._loose:
            rows = concatenated(self._loose, self.plan.words, self.plan.argument_words)
            self._runs[-1].append(_in_file(rows) if self.in_files and rows.states.dtype != object else rows)
            self._loose = []

    def chunks(self, size: int) -> Iterator[Rows]:
        """All of them in order, about so many at a time; may be asked for again."""
        self._settle()
        orders = np.sort(np.concatenate([np.empty(0, np.uint64), *(r.orders for run in self._runs for r in run)]))
        begun = [(0, 0)] * len(self._runs)
        for start in range(0, len(orders), size):
            last = orders[min(start + size, len(orders)) - 1]
            parts: list[Rows] = []
            for number, run in enumerate(self._runs):
                parts += self._up_to(run, begun, number, last)
            rows = concatenated(parts, self.plan.words, self.plan.argument_words)
            yield rows if len(self._runs) == 1 else rows.take(np.argsort(rows.orders, kind="stable"))

    def _up_to(self, run: list[Rows], begun: list[tuple[int, int]], number: int, last: np.uint64) -> Iterator[Rows]:
        """The next rows of a run whose orders are at most `last`. `begun`: where each run goes on."""
        piece, row = begun[number]
        while piece < len(run):
            end = int(np.searchsorted(run[piece].orders, last, side="right"))
            if end > row:
                yield run[piece].take(slice(row, end))
            if end < len(run[piece]):
                row = end
                break
            piece, row = piece + 1, 0
        begun[number] = (piece, row)


def _in_file(rows: Rows) -> Rows:
    with tempfile.TemporaryFile() as file:
        file.write(to_blob(rows))
        file.flush()
        return from_blob(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
