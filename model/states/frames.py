"""The files of a store as Spark's data frames: read by Spark itself, or by pyarrow where Spark has no code for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rmqproof.model.search.spark.arrow import Batch, pa
from rmqproof.model.search.spark.expanding import EDGES
from rmqproof.model.search.spark.files import BY_JAVA, scheme_of
from rmqproof.model.search.spark.rows import SCHEMA
from rmqproof.model.search.spark.store import Store, edges_file, states_file
from rmqproof.model.states.reading import Opened

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

STATES_TOGETHER = 10_000
LOOK = 200_000
"""States looked through together: whole levels, the shallow ones first; or files, by one task."""


def states(session: SparkSession, opened: Opened, *columns: str) -> DataFrame:
    """The states of the levels that the manifest names: these columns of the store, and `level`; without any all."""
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", STATES_TOGETHER)
    if scheme_of(opened.store.uri) in BY_JAVA:
        frame = session.read.parquet(f"{opened.store.uri.rstrip('/')}/states")
        frame = frame.where((frame.level > 0) & (frame.level <= len(opened.manifest.levels)))
        return frame.select(*columns, "level") if columns else frame
    numbers = [(level.number, level.rows) for level in opened.manifest.levels]
    return _by_arrow(session, opened, states_file, numbers, columns or SCHEMA.names, SCHEMA)


def edges(session: SparkSession, opened: Opened) -> DataFrame:
    """The steps, where the store keeps them: source, action, arguments, ordinal, target, and the source's `level`."""
    expanded = [level for level in opened.manifest.levels if level.edges is not None]
    if scheme_of(opened.store.uri) in BY_JAVA:
        frame = session.read.parquet(f"{opened.store.uri.rstrip('/')}/edges")
        return frame.where(frame.level <= len(expanded))
    numbers = [(level.number, level.edges or []) for level in expanded]
    return _by_arrow(session, opened, edges_file, numbers, EDGES.names, EDGES)


def views(session: SparkSession, opened: Opened) -> None:
    """`states` and `edges` for SQL."""
    states(session, opened).createOrReplaceTempView("states")
    if opened.manifest.edges:
        edges(session, opened).createOrReplaceTempView("edges")


_KINDS = {
    "fingerprint": "long",
    "state": "binary",
    "parent": "long",
    "action": "string",
    "arguments": "string",
    "ordinal": "int",
    "order": "long",
    "source": "long",
    "target": "long",
    "level": "int",
}


def _by_arrow(
    session: SparkSession,
    opened: Opened,
    file: Callable[[int, int], str],
    levels: Sequence[tuple[int, Sequence[int]]],
    columns: Sequence[str],
    schema: Any,
) -> DataFrame:
    """Files of a store read by pyarrow in the tasks. `levels`: each number, and the rows of its files."""
    groups: list[list[tuple[int, str]]] = []
    together = LOOK
    for level, rows in levels:
        for owner, count in enumerate(rows):
            if together >= LOOK:
                groups.append([])
                together = 0
            groups[-1].append((level, file(level, owner)))
            together += count
    kinds = ", ".join(f"`{name}` {_KINDS[name]}" for name in [*columns, "level"])
    tasks = session.range(0, max(1, len(groups)), 1, max(1, len(groups)))
    return tasks.mapInArrow(_Files(opened.store, groups, tuple(columns), schema), kinds)


class _Files:
    """Reads the files of a group."""

    def __init__(
        self, store: Store, groups: list[list[tuple[int, str]]], columns: tuple[str, ...], schema: Any
    ) -> None:
        self.store, self.groups, self.columns, self.schema = store, groups, columns, schema

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for level, name in self.groups[number] if self.groups else ():
                    yield from self._rows(level, name)

    def _rows(self, level: int, name: str) -> Iterator[Batch]:
        for table in self.store.groups(name, list(self.columns), self.schema):
            for part in table.to_batches(max_chunksize=STATES_TOGETHER):
                texts = [c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for c in part.columns]
                levels = pa.array(np.full(len(part), level, np.int32))
                yield pa.RecordBatch.from_arrays([*texts, levels], names=[*self.columns, "level"])
