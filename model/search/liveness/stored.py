"""The behaviour graph from the files of a search on Spark: states as they lie there, steps from the stored edges.

Where a level has no edges they are derived once more, by the kernel that the search had.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.kernel import Code
from rmqproof.model.search.liveness.decoded_states import DecodedStates
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped, Stop
from rmqproof.model.search.liveness.packed import PackedStates
from rmqproof.model.search.liveness.storage import Column, Numbers, Storage
from rmqproof.model.search.spark.arrow import Table, pa, pq
from rmqproof.model.search.spark.kernel import Kernel, States
from rmqproof.model.search.spark.rows import states_of
from rmqproof.model.search.spark.store import Level, Manifest, Store, edges_file, states_file
from rmqproof.model.search.system import State

BLOCK = 4096
"""States expanded together."""

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Decoding:
    """How stored states become the system's: `of_words` where they are packed (`spans`: bit and bits of each
    variable), else `of_record`."""

    of_words: Callable[[Sequence[int]], State] | None
    of_record: Callable[[bytes], State]
    spans: Sequence[tuple[int, int]] | None


@dataclass(slots=True)
class _Records(DecodedStates):
    """States of different lengths: state n lies in `content` from `ends[n - 1]` to `ends[n]`."""

    content: Numbers
    ends: Numbers
    decode: Callable[[bytes], State]
    _decoded: dict[int, State] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ends)

    def make(self, index: int) -> State:
        start = self.ends[index - 1] if index else 0
        return self.decode(bytes(self.content[start : self.ends[index]]))


def stored_graph(
    store: Store, manifest: Manifest, kernel: Kernel, decoding: Decoding, storage: Storage, stop: Stop
) -> BehaviourGraph:
    """The graph of a search that has ended. Raise `StoreError`, `GraphStopped` when `stop` says so."""
    reading = _Reading(store, manifest, kernel, storage, stop)
    reading.read_states()
    reading.read_steps()
    initial = list(range(manifest.levels[0].states)) if manifest.levels else []
    first, heads = reading.first.finished(), reading.heads.finished()
    content = reading.content.finished()
    if decoding.of_words is not None:
        packed = PackedStates(content, kernel.words, decoding.of_words, decoding.spans)
        return BehaviourGraph(packed, initial, first, heads, packed.keys, storage)
    records = _Records(content, reading.ends.finished(), decoding.of_record)
    return BehaviourGraph(records, initial, first, heads, None, storage)


class _Reading:
    """24 bytes for each state are held in memory."""

    def __init__(self, store: Store, manifest: Manifest, kernel: Kernel, storage: Storage, stop: Stop) -> None:
        self.store, self.manifest, self.kernel, self.storage, self.stop = store, manifest, kernel, storage, stop
        self.words = kernel.words
        self.content = storage.column("Q" if self.words else "B")
        self.ends: Column = storage.column("Q")
        self.first, self.heads = storage.column("Q"), storage.column("I")
        self.first.append(0)
        self._starts: list[int] = []
        """The first state of each level."""
        self._fingerprints = np.empty(0, np.uint64)
        self._numbers = np.empty(0, np.uint32)

    # --- states --------------------------------------------------------------------------------------------------

    def read_states(self) -> None:
        fingerprints = []
        count = 0
        for level in self.manifest.levels:
            self._starts.append(count)
            parts = [self._level_part(level, owner) for owner in range(self.manifest.partitions)]
            order = np.argsort(np.concatenate([part[0] for part in parts]), kind="stable")
            fingerprints.append(np.concatenate([part[1] for part in parts])[order])
            self._keep(np.concatenate([part[2] for part in parts])[order])
            count += len(order)
            self._ask(count)
        everything = np.concatenate([np.empty(0, np.uint64), *fingerprints])
        self._numbers = np.argsort(everything, kind="stable").astype(np.uint32)
        self._fingerprints = everything[self._numbers]

    def _level_part(self, level: Level, owner: int) -> tuple[Words, Words, States]:
        table = self.store.columns(states_file(level.number, owner), ["fingerprint", "state", "order"])
        return (
            table.column("order").to_numpy().view(np.uint64),
            table.column("fingerprint").to_numpy().view(np.uint64),
            states_of(table.column("state"), self.words),
        )

    def _keep(self, states: States) -> None:
        if self.words:
            self.content.extend_bytes(np.ascontiguousarray(states).tobytes())
            return
        end = len(self.content)
        for record in states:
            self.content.extend_bytes(record)
            end += len(record)
            self.ends.append(end)

    def _ask(self, states: int) -> None:
        if self.stop(states):
            raise GraphStopped

    # --- steps ---------------------------------------------------------------------------------------------------

    def read_steps(self) -> None:
        for level, start in zip(self.manifest.levels, self._starts, strict=True):
            if level.edges is not None:
                self._close(start, level.states, *self._stored_steps(level, start))
            else:
                for block in range(start, start + level.states, BLOCK):
                    count = min(BLOCK, start + level.states - block)
                    self._close(block, count, *self._derived_steps(block, count))
            self._ask(start)

    def _stored_steps(self, level: Level, start: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of a level: for each step, in order, the number of its state in the level and the number it leads to."""
        sources, ordinals, targets = [], [], []
        for owner in range(self.manifest.partitions):
            table = self._edges(edges_file(level.number, owner))
            sources.append(table.column("source").to_numpy().view(np.uint64))
            ordinals.append(table.column("ordinal").to_numpy())
            targets.append(table.column("target").to_numpy().view(np.uint64))
        rows = self._number(np.concatenate(sources), edges_file(level.number, 0)) - start
        order = np.lexsort((np.concatenate(ordinals), rows))
        heads = self._number(np.concatenate(targets), edges_file(level.number, 0))
        return rows[order], heads[order]

    def _edges(self, name: str) -> Table:
        try:
            return pq.read_table(pa.BufferReader(self.store.read(name)), columns=["source", "ordinal", "target"])
        except pa.ArrowException as error:
            raise self.store.refuse(name, f"it is damaged ({str(error).splitlines()[0]})") from None

    def _derived_steps(self, first: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same, of a block of states."""
        found = self.kernel.expand(self._states(first, count))
        kept = found.inside & (found.verdicts != Code.NOT_EVALUATED)
        return found.parents[kept], self._number(found.fingerprints[kept], "states")

    def _states(self, first: int, count: int) -> States:
        if self.words:
            content = self.content.read(first * self.words, (first + count) * self.words)
            return np.frombuffer(content, np.uint64).reshape(count, self.words)
        ends = np.frombuffer(self.ends.read(max(0, first - 1), first + count), np.uint64).tolist()
        if first == 0:
            ends = [0, *ends]
        states = np.empty(count, object)
        states[:] = [self.content.read(a, b) for a, b in pairwise(ends)]
        return states

    def _number(self, fingerprints: Words, name: str) -> NDArray[np.int64]:
        found = np.searchsorted(self._fingerprints, fingerprints)
        found[found == len(self._fingerprints)] = 0
        if len(fingerprints) and not np.array_equal(self._fingerprints[found], fingerprints):
            raise self.store.refuse(name, "a step leads to a state that is not there")
        return self._numbers[found].astype(np.int64)

    def _close(self, first: int, count: int, rows: NDArray[np.int64], heads: NDArray[np.int64]) -> None:
        """The steps of `count` states from number `first` on, stuttering ones added and each once."""
        own = np.arange(count, dtype=np.int64)
        rows, heads = np.concatenate([rows, own]), np.concatenate([heads, own + first])
        order = np.argsort(rows, kind="stable")
        rows, heads = rows[order], heads[order]
        pairs = rows.astype(np.uint64) << np.uint64(32) | heads.astype(np.uint64)
        kept = np.sort(np.unique(pairs, return_index=True)[1])
        before = len(self.heads)
        self.heads.extend_bytes(heads[kept].astype(np.uint32).tobytes())
        ends = np.cumsum(np.bincount(rows[kept], minlength=count)) + before
        self.first.extend_bytes(ends.astype(np.uint64).tobytes())
