"""What comes for an owner in a level: kept in little memory until it is taken in."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.rows import Rows, concatenated

EACH = 64
"""Bytes of a row beside its state and its arguments; for a state of varying length, of the object besides."""
LEAST = 64 << 20
"""Bytes below which nothing is gained."""
Known = Callable[[NDArray[np.uint64]], NDArray[np.bool_]]


class Incoming:
    """Candidates as they come. When they take more than a part of the memory that the tables may have, those are
    dropped that `known` says the owner has, and of several with one fingerprint all but the first in order."""

    def __init__(self, plan: Plan, known: Known | None = None) -> None:
        self.plan, self.known = plan, known
        self.limit = max(LEAST, plan.table_bytes // 4)
        self._parts: list[Rows] = []
        self._bytes = 0
        self._sifted = 0
        """Bytes that were left after the last time."""
        self.dropped = 0
        self.peak = 0

    def add(self, rows: Rows) -> None:
        self._parts.append(rows)
        self._bytes += bytes_of(rows)
        self.peak = max(self.peak, self._bytes)
        if self._bytes > self.limit + 2 * self._sifted:
            self._sift()

    def rows(self) -> Rows:
        """All that is left, once."""
        parts, self._parts = self._parts, []
        return concatenated(parts, self.plan.words, self.plan.argument_words)

    def _sift(self) -> None:
        everything = self.rows()
        if self.known is not None:
            everything = everything.take(~self.known(everything.fingerprints))
        sequence = np.lexsort((everything.orders, everything.fingerprints))
        fingerprints = everything.fingerprints[sequence]
        first = np.ones(len(sequence), np.bool_)
        first[1:] = fingerprints[1:] != fingerprints[:-1]
        kept = everything.take(sequence[first])
        self.dropped += len(everything) - len(kept)
        self._parts = [kept]
        self._bytes = self._sifted = bytes_of(kept)


def bytes_of(rows: Rows) -> int:
    """About what rows take."""
    if rows.states.dtype == object:
        return sum(map(len, rows.states)) + 2 * EACH * len(rows)
    return rows.states.nbytes + rows.arguments.nbytes + EACH * len(rows)
