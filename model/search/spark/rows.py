"""States on the way: columns in memory, blobs in a shuffle, Parquet in the store.

The order of discovery is kept in `order`: a number that is larger for a state that the local engines, which expand
the states of a level in order, would have met later in the same level. The order of a state is its parent's order,
followed by `bits` bits with the state's ordinal among the parent's successors. So two states of a level compare as in
a search by one worker, whatever partition each is in and in whatever sequence partitions are worked on.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.arrow import Column, Table, pa
from rmqproof.model.search.spark.kernel import Arguments, States, join

_HEADER = struct.Struct("<QQQ")
MOST_BITS = 62
"""Of an order: it stays positive as a signed number."""
_EACH = 64
"""Bytes of a row beside its state and its arguments; for a state of varying length, of the object besides."""
ROWS_EACH = 1 << 18
"""States in a row group of a file, and in a blob at most."""


@dataclass(frozen=True, slots=True)
class Rows:
    """States with their fingerprints, order in the level, parent's fingerprint, and the action that led to them with
    its arguments."""

    fingerprints: NDArray[np.uint64]
    orders: NDArray[np.uint64]
    parents: NDArray[np.uint64]
    actions: NDArray[np.int16]
    states: States
    arguments: Arguments

    def __len__(self) -> int:
        return len(self.fingerprints)

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Rows:
        return Rows(
            self.fingerprints[which],
            self.orders[which],
            self.parents[which],
            self.actions[which],
            self.states[which],
            self.arguments[which],
        )


def concatenated(parts: Sequence[Rows], words: int, argument_words: int) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return Rows(
        np.concatenate([np.empty(0, np.uint64), *(part.fingerprints for part in parts)]),
        np.concatenate([np.empty(0, np.uint64), *(part.orders for part in parts)]),
        np.concatenate([np.empty(0, np.uint64), *(part.parents for part in parts)]),
        np.concatenate([np.empty(0, np.int16), *(part.actions for part in parts)]),
        join([part.states for part in parts], words),
        join([part.arguments for part in parts], argument_words),
    )


def bytes_of(rows: Rows) -> int:
    """About what rows take."""
    if rows.states.dtype == object:
        return sum(map(len, rows.states)) + 2 * _EACH * len(rows)
    return rows.states.nbytes + rows.arguments.nbytes + _EACH * len(rows)


def to_blob(rows: Rows) -> bytes:
    columns = (rows.fingerprints, rows.orders, rows.parents, rows.actions)
    return b"".join(
        [
            _HEADER.pack(len(rows), _words_of(rows.states), _words_of(rows.arguments)),
            *(np.ascontiguousarray(c).tobytes() for c in columns),
            _to_bytes(rows.states),
            _to_bytes(rows.arguments),
        ]
    )


def _words_of(column: States) -> int:
    return 0 if column.dtype == object else int(column.shape[1])


def _to_bytes(column: States) -> bytes:
    if column.dtype == object:
        return np.fromiter(map(len, column), np.uint32, len(column)).tobytes() + b"".join(column)
    return np.ascontiguousarray(column).tobytes()


def from_blob(blob: bytes | mmap) -> Rows:
    count, words, argument_words = _HEADER.unpack_from(blob)
    at = _HEADER.size
    columns: list[NDArray[Any]] = []
    for kind in (np.uint64, np.uint64, np.uint64, np.int16):
        columns.append(np.frombuffer(blob, kind, count, at))
        at += columns[-1].nbytes
    states, at = _from_bytes(blob, at, count, words)
    arguments, at = _from_bytes(blob, at, count, argument_words)
    return Rows(columns[0], columns[1], columns[2], columns[3], states, arguments)


def _from_bytes(blob: bytes | mmap, at: int, count: int, words: int) -> tuple[States, int]:
    """The column that begins at a place, and where it ends."""
    if words:
        return np.frombuffer(blob, np.uint64, count * words, at).reshape(count, words), at + 8 * count * words
    lengths = np.frombuffer(blob, np.uint32, count, at)
    at += lengths.nbytes
    column = np.empty(count, object)
    for position, length in enumerate(lengths.tolist()):
        column[position] = blob[at : at + length]
        at += length
    return column, at


# --- Parquet -------------------------------------------------------------------------------------------------------

SCHEMA = pa.schema(
    [
        pa.field("fingerprint", pa.int64(), nullable=False),
        pa.field("state", pa.binary(), nullable=False),
        pa.field("parent", pa.int64()),
        pa.field("action", pa.dictionary(pa.int16(), pa.string())),
        pa.field("arguments", pa.dictionary(pa.int32(), pa.string())),
        pa.field("ordinal", pa.int32(), nullable=False),
        pa.field("order", pa.int64(), nullable=False),
    ]
)
"""Fingerprints are 64 bits, as signed numbers: Spark has no others. `parent`, `action` and `arguments` are null
for initial states. `arguments` is a JSON array: what the action was called with, as values of ITF.

`ordinal`: the number of the step among the parent's successors, from 0; with the parent it names the step.
`order`: see above.
"""


Texts = Callable[[Arguments], list[str | None]]


def to_table(rows: Rows, actions: Sequence[str], texts: Texts, bits: int, initial: bool) -> Table:
    """The columns of the store. `texts`: of encoded arguments."""
    none = np.full(len(rows), initial)
    ordinals = (rows.orders & np.uint64((1 << bits) - 1)).astype(np.int32)
    action = pa.DictionaryArray.from_arrays(pa.array(rows.actions, mask=none), pa.array(list(actions), pa.string()))
    columns = [
        pa.array(rows.fingerprints.view(np.int64)),
        _binary(rows.states),
        pa.array(rows.parents.view(np.int64), mask=none),
        action,
        labels(rows.arguments, texts, initial),
        pa.array(ordinals),
        pa.array(rows.orders.view(np.int64)),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def labels(arguments: Arguments, texts: Texts, missing: bool = False) -> Column:
    """Encoded arguments as texts, each of which is made once; `missing`: there are none."""
    kind = pa.dictionary(pa.int32(), pa.string())
    if missing or not len(arguments):
        return pa.nulls(len(arguments), kind)
    if arguments.dtype == object:
        encoded = pa.array(arguments, pa.binary()).dictionary_encode()
        distinct = as_objects(encoded.dictionary.to_pylist())
    else:
        words = np.ascontiguousarray(arguments)
        width = pa.binary(8 * words.shape[1])
        encoded = pa.Array.from_buffers(width, len(words), [None, pa.py_buffer(words)]).dictionary_encode()
        distinct = np.frombuffer(b"".join(encoded.dictionary.to_pylist()), np.uint64).reshape(-1, words.shape[1])
    found = texts(distinct)
    codes = encoded.indices.to_numpy()
    unknown = np.array([text is None for text in found])
    names = pa.array(["" if text is None else text for text in found], pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32(), mask=unknown[codes]), names)


def as_objects(records: Sequence[bytes]) -> States:
    """A column of records of various lengths."""
    column = np.empty(len(records), object)
    column[:] = records
    return column


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
        return as_objects(column.to_pylist())
    parts = []
    for chunk in column.chunks:
        offsets = np.frombuffer(chunk.buffers()[1], np.int32, len(chunk) + 1, chunk.offset * 4)
        data = chunk.buffers()[2]
        count = (int(offsets[-1]) - int(offsets[0])) // 8
        numbers = np.frombuffer(data, np.uint64, count, int(offsets[0])) if count else np.empty(0, np.uint64)
        parts.append(numbers.reshape(len(chunk), words))
    return join(parts, words)
