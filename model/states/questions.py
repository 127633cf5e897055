"""The questions, as Spark jobs over the files of a store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.arrow import Batch, pa
from rmqproof.model.states.frames import states
from rmqproof.model.states.reading import Opened, Reader, Reading, reader_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EXACT_UP_TO = 2_000_000
"""States up to which distinct values are counted and not estimated."""


# --- values --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A value of a variable: in how many states, from which level on; `example` is one of them."""

    states: int
    first_level: int
    example: bytes


def values_of(session: SparkSession, opened: Opened, variable: int, most: int) -> tuple[int, list[ValueCount]]:
    """How many values a variable takes, and the most frequent ones."""
    frame = states(session, opened, "state")
    found = frame.mapInArrow(_Values(opened.reading, variable), "value binary, level int, number long, example binary")
    found.createOrReplaceTempView("found")
    counted = session.sql(
        "SELECT value, sum(number) AS states, min(level) AS first, min(example) AS example FROM found GROUP BY value"
    ).cache()
    rows = counted.orderBy("states", "first", "value", ascending=[False, True, True]).limit(most).collect()
    total = counted.count()
    counted.unpersist()
    return total, [ValueCount(row.states, row.first, bytes(row.example)) for row in rows]


class _Values:
    """Counts, in each batch, the values of a variable."""

    def __init__(self, reading: Reading, variable: int) -> None:
        self.reading, self.variable = reading, variable

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        reader = reader_of(self.reading)
        for batch in batches:
            records, levels = batch.column(0).to_pylist(), batch.column(1).to_numpy()
            keys = _keys(reader, records, self.variable)
            found: dict[bytes, list[Any]] = {}
            for key, level, record in zip(keys, levels.tolist(), records, strict=True):
                entry = found.setdefault(key, [level, 0, record])
                entry[0], entry[1] = min(entry[0], level), entry[1] + 1
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array(list(found), pa.binary()),
                    pa.array([entry[0] for entry in found.values()], pa.int32()),
                    pa.array([entry[1] for entry in found.values()], pa.int64()),
                    pa.array([entry[2] for entry in found.values()], pa.binary()),
                ],
                names=["value", "level", "number", "example"],
            )


def _keys(reader: Reader, records: list[bytes], variable: int) -> list[bytes]:
    spans = reader.spans
    if spans is None:
        return [reader.encoded(reader.state(record))[variable] for record in records]
    masked = _words(records) & _mask(spans[variable], len(records[0]) // 8 if records else 1)
    return [row.tobytes() for row in masked]


def _words(records: list[bytes]) -> NDArray[np.uint64]:
    return np.frombuffer(b"".join(records), np.uint64).reshape(len(records), -1)


def _mask(span: tuple[int, int], words: int) -> NDArray[np.uint64]:
    """The bits of a variable in a packed state, 63 to a word."""
    mask = [0] * words
    for bit in range(span[0], span[0] + span[1]):
        mask[bit // 63] |= 1 << (bit % 63)
    return np.array(mask, np.uint64)


@dataclass(frozen=True, slots=True)
class Share:
    """A variable's part in the number of states: its distinct values, and the states that are left without it."""

    variable: str
    values: int
    without: int


def blow_up(session: SparkSession, opened: Opened) -> tuple[bool, list[Share]]:
    """For each variable, its values and how many states there are without it; and whether that is counted exactly."""
    names = opened.manifest.variables
    exact = opened.manifest.distinct <= EXACT_UP_TO
    frame = states(session, opened, "state").select("state")
    frame.mapInArrow(_Hashes(opened.reading, len(names)), "what int, digest long").createOrReplaceTempView("digests")
    count = "count(DISTINCT digest)" if exact else "approx_count_distinct(digest, 0.01)"
    rows = session.sql(f"SELECT what, {count} AS n FROM digests GROUP BY what").collect()
    found = {row.what: row.n for row in rows}
    return exact, [Share(name, found[2 * i], found[2 * i + 1]) for i, name in enumerate(names)]


class _Hashes:
    """For each state and variable i: a digest of the value (2 i), and one of all the other values (2 i + 1)."""

    def __init__(self, reading: Reading, variables: int) -> None:
        self.reading, self.variables = reading, variables

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        reader = reader_of(self.reading)
        for batch in batches:
            records = batch.column(0).to_pylist()
            if not records:
                continue
            columns = [np.unique(c) for pair in _hashes(reader, records, self.variables) for c in pair]
            which = np.repeat(np.arange(len(columns), dtype=np.int32), [len(c) for c in columns])
            digests = pa.array(np.concatenate(columns).view(np.int64))
            yield pa.RecordBatch.from_arrays([pa.array(which), digests], names=["what", "digest"])


def _hashes(
    reader: Reader, records: list[bytes], variables: int
) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
    spans = reader.spans
    if spans is None:
        digests = np.array([[_digest(part) for part in reader.encoded(reader.state(r))] for r in records], np.uint64)
        whole = np.bitwise_xor.reduce(_mixed(digests, np.arange(variables, dtype=np.uint64)), axis=1)
        for i in range(variables):
            yield digests[:, i], whole ^ _mixed(digests[:, i], np.uint64(i))
        return
    words = _words(records)
    for span in spans:
        mask = _mask(span, words.shape[1])
        yield _fold(words & mask), _fold(words & ~mask)


def _digest(value: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(value, digest_size=8).digest(), "little")


def _mixed(numbers: NDArray[np.uint64], salt: Any) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        x = (numbers ^ (salt + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xD6E8FEB86659FD93)
        x ^= x >> np.uint64(32)
        return np.asarray(x * np.uint64(0x9FB21C651E98DF25) ^ x >> np.uint64(29), np.uint64)


def _fold(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    total = np.zeros(len(words), np.uint64)
    for i in range(words.shape[1]):
        total = _mixed(total ^ words[:, i], np.uint64(i))
    return total


# --- two stores ----------------------------------------------------------------------------------------------------


def compared(session: SparkSession, first: Opened, second: Opened) -> DataFrame:
    """Level by level (of the store that has them): states in the first only, in both, in the second only.

    States of stores that pack alike are compared by fingerprint, others by their values.
    """
    alike = bool(first.same_packing) and first.same_packing == second.same_packing
    for name, opened in (("one", first), ("two", second)):
        if alike:
            frame = states(session, opened, "fingerprint", "order")
            named = frame.withColumnRenamed("fingerprint", "name").select("name", "level", "order")
        else:
            frame = states(session, opened, "order", "state")
            named = frame.mapInArrow(_Named(opened.reading), "name long, level int, order long")
        named.createOrReplaceTempView(name)
    return session.sql(
        "SELECT coalesce(one.level, two.level) AS level, one.level AS first, two.level AS second, one.order AS order1, "
        "two.order AS order2 FROM one FULL OUTER JOIN two ON one.name = two.name"
    )


class _Named:
    """A digest of the values of a state."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        reader = reader_of(self.reading)
        for batch in batches:
            names = [_digest(b"".join(reader.encoded(reader.state(record)))) for record in batch.column(1).to_pylist()]
            column = pa.array(np.array(names, np.uint64).view(np.int64))
            yield pa.RecordBatch.from_arrays(
                [column, batch.column(2).cast(pa.int32()), batch.column(0)], names=["name", "level", "order"]
            )
