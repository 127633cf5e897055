"""States on the way: columns in memory, blobs in a shuffle, Parquet in the store.

The order of discovery is kept in `order`: a number that is larger for a state that the local engines, which expand
the states of a level in order, would have met later in the same level. The order of a state is its parent's order,
followed by `bits` bits with the state's ordinal among the parent's successors. So two states of a level compare as in
a search by one worker, whatever partition each is in and in whatever sequence partitions are worked on.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.arrow import Column, Table, pa
from rmqproof.model.search.spark.kernel import States, join

_HEADER = struct.Struct("<QQ")
MOST_BITS = 62
"""Of an order: it stays positive as a signed number."""
ROWS_EACH = 1 << 18
"""States in a row group of a file, and in a blob at most."""


@dataclass(frozen=True, slots=True)
class Rows:
    """States with their fingerprints, order in the level, parent's fingerprint and the action that led to them."""

    fingerprints: NDArray[np.uint64]
    orders: NDArray[np.uint64]
    parents: NDArray[np.uint64]
    actions: NDArray[np.int16]
    states: States

    def __len__(self) -> int:
        return len(self.fingerprints)

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Rows:
        return Rows(
            self.fingerprints[which], self.orders[which], self.parents[which], self.actions[which], self.states[which]
        )


def concatenated(parts: Sequence[Rows], words: int) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return Rows(
        np.concatenate([np.empty(0, np.uint64), *(part.fingerprints for part in parts)]),
        np.concatenate([np.empty(0, np.uint64), *(part.orders for part in parts)]),
        np.concatenate([np.empty(0, np.uint64), *(part.parents for part in parts)]),
        np.concatenate([np.empty(0, np.int16), *(part.actions for part in parts)]),
        join([part.states for part in parts], words),
    )


def to_blob(rows: Rows) -> bytes:
    if rows.states.dtype == object:
        lengths = np.fromiter(map(len, rows.states), np.uint32, len(rows))
        states = lengths.tobytes() + b"".join(rows.states)
        words = 0
    else:
        states, words = np.ascontiguousarray(rows.states).tobytes(), rows.states.shape[1]
    columns = (rows.fingerprints, rows.orders, rows.parents, rows.actions)
    return b"".join([_HEADER.pack(len(rows), words), *(np.ascontiguousarray(c).tobytes() for c in columns), states])


def from_blob(blob: bytes) -> Rows:
    count, words = _HEADER.unpack_from(blob)
    at = _HEADER.size
    columns: list[NDArray[Any]] = []
    for kind in (np.uint64, np.uint64, np.uint64, np.int16):
        columns.append(np.frombuffer(blob, kind, count, at))
        at += columns[-1].nbytes
    states: States
    if words:
        states = np.frombuffer(blob, np.uint64, count * words, at).reshape(count, words)
    else:
        lengths = np.frombuffer(blob, np.uint32, count, at)
        states = _cut(memoryview(blob)[at + lengths.nbytes :], np.cumsum(lengths, dtype=np.int64))
    return Rows(columns[0], columns[1], columns[2], columns[3], states)


def _cut(data: memoryview, ends: NDArray[np.int64]) -> States:
    states = np.empty(len(ends), object)
    start = 0
    for position, end in enumerate(ends.tolist()):
        states[position] = bytes(data[start:end])
        start = end
    return states


# --- Parquet -------------------------------------------------------------------------------------------------------

SCHEMA = pa.schema(
    [
        pa.field("fingerprint", pa.int64(), nullable=False),
        pa.field("state", pa.binary(), nullable=False),
        pa.field("parent", pa.int64()),
        pa.field("action", pa.dictionary(pa.int16(), pa.string())),
        pa.field("ordinal", pa.int32(), nullable=False),
        pa.field("order", pa.int64(), nullable=False),
    ]
)
"""Fingerprints are 64 bits, as signed numbers: Spark has no others. `parent` and `action` are null for initial states.

`ordinal`: the number of the step among the parent's successors, from 0; with the parent it names the step, whose
arguments the specification then gives. `order`: see above.
"""


def to_table(rows: Rows, actions: Sequence[str], bits: int, initial: bool) -> Table:
    """The columns of the store."""
    none = np.full(len(rows), initial)
    ordinals = (rows.orders & np.uint64((1 << bits) - 1)).astype(np.int32)
    action = pa.DictionaryArray.from_arrays(pa.array(rows.actions, mask=none), pa.array(list(actions), pa.string()))
    columns = [
        pa.array(rows.fingerprints.view(np.int64)),
        _binary(rows.states),
        pa.array(rows.parents.view(np.int64), mask=none),
        action,
        pa.array(ordinals),
        pa.array(rows.orders.view(np.int64)),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _binary(states: States) -> Column:
    """Without a copy where the length is fixed; in chunks, since offsets have 32 bits."""
    if states.dtype == object:
        return pa.chunked_array([pa.array(states, pa.binary())], pa.binary())
    width = states.shape[1] * 8
    chunks = []
    for start in range(0, len(states), ROWS_EACH):
        part = np.ascontiguousarray(states[start : start + ROWS_EACH])
        offsets = np.arange(0, (len(part) + 1) * width, width, dtype=np.int32)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(part)]
        chunks.append(pa.Array.from_buffers(pa.binary(), len(part), buffers))
    return pa.chunked_array(chunks, pa.binary())


def states_of(column: Column, words: int) -> States:
    """The states in a column of a store."""
    if not words:
        states = np.empty(len(column), object)
        states[:] = column.to_pylist()
        return states
    parts = []
    for chunk in column.chunks:
        offsets = np.frombuffer(chunk.buffers()[1], np.int32, len(chunk) + 1, chunk.offset * 4)
        data = chunk.buffers()[2]
        count = (int(offsets[-1]) - int(offsets[0])) // 8
        numbers = np.frombuffer(data, np.uint64, count, int(offsets[0])) if count else np.empty(0, np.uint64)
        parts.append(numbers.reshape(len(chunk), words))
    return join(parts, words)
