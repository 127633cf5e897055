"""The states of a store for who looks at some of them again: those that are drawn, and whether it has others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.sample import sampled
from rmqproof.model.search.spark.store import Manifest, Store, states_file

MOST = 20_000_000
"""States whose fingerprints are brought together here, at most: 160 MB."""


class KnownStates:
    """Of a search that has ended."""

    def __init__(self, store: Store, manifest: Manifest) -> None:
        self.store, self.manifest = store, manifest

    def drawn(self) -> Iterator[bytes]:
        """Some encoded states, the same ones in every run. Raise `StoreError`."""
        wanted, first = sorted(sampled(self.manifest.distinct)), 0
        for level in self.manifest.levels:
            for part, rows in enumerate(level.rows):
                here = [number - first for number in wanted if first <= number < first + rows]
                if here:
                    yield from self._states(level.number, part, here)
                first += rows

    def _states(self, level: int, part: int, rows: Sequence[int]) -> Iterator[bytes]:
        first = 0
        for table in self.store.groups(states_file(level, part), ["state"]):
            column = table.column("state")
            yield from (column[row - first].as_py() for row in rows if first <= row < first + len(column))
            first += len(column)

    @property
    def few(self) -> bool:
        """Whether it can be asked which states are known."""
        return self.manifest.distinct <= MOST

    def knows(self, fingerprint: int) -> bool:
        place = int(np.searchsorted(self._fingerprints, np.uint64(fingerprint)))
        return place < len(self._fingerprints) and int(self._fingerprints[place]) == fingerprint

    @cached_property
    def _fingerprints(self) -> NDArray[np.uint64]:
        """All, sorted."""
        parts = [np.empty(0, np.uint64)]
        for level in self.manifest.levels:
            for owner, rows in enumerate(level.owned):
                if rows:
                    parts += self.store.fingerprints(level.number, owner)
        found = np.concatenate(parts)
        found.sort()
        return found
