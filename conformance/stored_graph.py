"""The graph that a Spark search wrote: each state with the steps that leave it, as the edge data set has them.

The edges are joined with the states that they lead to and grouped by the state that they leave. So the implementation
is held to what was stored; nothing of it is computed again. A step is an action, its arguments, and a state; `ordinal`
gives its position among the steps of its source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rmqproof.conformance.exploration import Explored
from rmqproof.conformance.performer import ModelStep, StoreKey
from rmqproof.model.evaluate.itf import from_itf
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Value
from rmqproof.model.native.description import description_of
from rmqproof.model.native.state_reader import StateReader
from rmqproof.model.search.spark.store import StoreError
from rmqproof.model.search.spark.system_kernel import decode as unpickled
from rmqproof.model.search.system import State
from rmqproof.model.states import frames
from rmqproof.model.states.reading import Opened

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Note = tuple[str, tuple[Value, ...]]
_KEPT = 20_000
"""States that are kept decoded: most are reached by several edges."""
_WAY = ("ordinal", "action", "arguments", "target", "target_level", "target_state")


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """The graph of a store. `frame` has a row for each state: level, order, fingerprint, state, ways.

    `notes`: the arguments that each action has, in the order in which a search by one worker meets them.
    """

    where: str
    frame: DataFrame
    explored: Explored
    notes: tuple[Note, ...]
    initial: Mapping[State, StoreKey]


@dataclass(slots=True)
class Decoder:
    """Reads a store's states and arguments as values of this process's system. `layout`: of packed states."""

    system: PythonSystem
    model_values: frozenset[str]
    layout: str | None = field(repr=False)
    _read: StateReader | None = None
    _states: dict[bytes, State] = field(default_factory=dict)
    _arguments: dict[str, tuple[Value, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.layout is not None:
            self._read = StateReader(description_of(json.loads(self.layout), Path("kernel.json")).layout, self.system)

    def state(self, record: bytes) -> State:
        found = self._states.get(record)
        if found is None:
            if len(self._states) >= _KEPT:
                self._states.clear()
            words = np.frombuffer(record, np.uint64).tolist() if self._read is not None else ()
            found = self._states[record] = self._read(words) if self._read is not None else unpickled(record)
        return found

    def arguments(self, text: str) -> tuple[Value, ...]:
        found = self._arguments.get(text)
        if found is None:
            found = tuple(from_itf(item, self.model_values) for item in json.loads(text))
            self._arguments[text] = found
        return found

    def ways(self, state: State, stored: Sequence[Mapping[str, Any]]) -> Iterator[ModelStep]:
        """The steps from a state; one to a state that is not in the store is left out."""
        for item in stored:
            if item["target_state"] is None:
                continue
            text = item["arguments"]
            arguments = self.arguments(text) if text is not None else self._unwritten(state, item["ordinal"])
            target = self.state(item["target_state"])
            yield ModelStep(item["action"], arguments, target, (item["target_level"], item["target"]))

    def _unwritten(self, state: State, ordinal: int) -> tuple[Value, ...]:
        """The arguments of a step whose arguments have no packed form: only the Python engine knows them."""
        found = [transition.arguments for transition in self.system.successors(state)]
        return found[ordinal] if ordinal < len(found) else ()


def stored_graph(session: SparkSession, opened: Opened, decoder: Decoder, parts: int) -> StoredGraph:
    """The graph, in `parts` partitions of Spark's. Raise `StoreError` for a store that has it not as a whole."""
    manifest, store = opened.manifest, opened.store
    if not manifest.finished or not manifest.edges:
        why = "its search is not over" if not manifest.finished else "it has no edges (--edges)"
        raise StoreError(f"{store.path('manifest.json')}: this store is of no use for conformance, because {why}.")
    frame = _joined(session, opened, parts)
    states, edges, lost = _counted(frame)
    by_action, notes = _noted(frame, decoder)
    generated = dict(zip(manifest.actions, manifest.counters.generated, strict=True))
    if manifest.counters.cut:  # those are steps of the model that are not in the store
        by_action = {name: count for name, count in generated.items() if count}
    explored = Explored(manifest.distinct, manifest.counters.initial, by_action)
    written = sum(sum(level.edges or ()) for level in manifest.levels)
    if (states, edges, lost) != (manifest.distinct, written, 0):
        explored.problem = (
            f"{store.path('edges')}: {edges:,} edges leave {states:,} states, {lost:,} of them to states that are not "
            f"there; the search wrote {written:,} edges of {manifest.distinct:,} states."
        )
    return StoredGraph(store.name, frame, explored, notes, _initial(frame, decoder))


def _joined(session: SparkSession, opened: Opened, parts: int) -> DataFrame:
    from pyspark import StorageLevel
    from pyspark.sql import functions as f

    states = frames.states(session, opened, "fingerprint", "state", "order")
    targets = states.select(
        f.col("fingerprint").alias("target"), f.col("level").alias("target_level"), f.col("state").alias("target_state")
    )
    ways = (
        frames.edges(session, opened)
        .drop("level")
        .join(targets, "target", "left")
        .groupBy("source")
        .agg(f.sort_array(f.collect_list(f.struct(*_WAY))).alias("ways"))
    )
    whole = states.join(ways, states.fingerprint == ways.source, "left").drop("source")
    # by level, so that the batches of other levels are passed over
    return whole.repartition(parts, "fingerprint").sortWithinPartitions("level").persist(StorageLevel.MEMORY_AND_DISK)


def _counted(frame: DataFrame) -> tuple[int, int, int]:
    """States, edges, edges whose target is no state."""
    from pyspark.sql import functions as f

    lost = f.size(f.filter("ways", lambda way: way.target_state.isNull()))
    (row,) = frame.agg(
        f.count("*"),
        f.sum(f.when(f.col("ways").isNull(), 0).otherwise(f.size("ways"))),
        f.sum(f.when(f.col("ways").isNull(), 0).otherwise(lost)),
    ).collect()
    return int(row[0]), int(row[1] or 0), int(row[2] or 0)


def _noted(frame: DataFrame, decoder: Decoder) -> tuple[dict[str, int], tuple[Note, ...]]:
    """How many edges each action has, and its arguments, each in the order in which they are met first."""
    from pyspark.sql import functions as f

    each = frame.select("level", "order", f.explode("ways").alias("way"))
    rows = (
        each.groupBy("way.action", "way.arguments")
        .agg(f.count("*").alias("count"), f.min(f.struct("level", "order", "way.ordinal")).alias("first"))
        .collect()
    )
    counts: dict[str, int] = {}
    notes: list[Note] = []
    for row in sorted(rows, key=lambda row: tuple(row["first"])):
        counts[row["action"]] = counts.get(row["action"], 0) + int(row["count"])
        if row["arguments"] is not None:
            notes.append((row["action"], decoder.arguments(row["arguments"])))
    return counts, tuple(notes)


def _initial(frame: DataFrame, decoder: Decoder) -> dict[State, StoreKey]:
    rows = frame.where(frame.level == 1).orderBy("order").select("state", "level", "fingerprint").collect()
    return {decoder.state(bytes(row["state"])): (row["level"], row["fingerprint"]) for row in rows}
