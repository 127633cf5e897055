"""Conformance on Spark: the model's graph is the one in a store that a Spark search wrote with its edges, and the
states of each level are shared out to the executors, each of which has the implementation.

What is reported is what the local engine reports. The steps that the implementation is held to are the stored edges
(stored_graph.py). The Python engine is asked for what is not in the store only: steps that the constraints cut, what
comes after a step in probes and whole paths, and which arguments are worth asking for where nothing is allowed.
"""

from __future__ import annotations

import pickle
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from rmqproof.conformance.domains import ActionDomains
from rmqproof.conformance.exploration import Elsewhere
from rmqproof.conformance.loading import load_adapter
from rmqproof.conformance.performer import Effort, Expansion, Performer, Task
from rmqproof.conformance.stored_graph import Decoder, Note, StoredGraph, stored_graph
from rmqproof.conformance.subject import ModelSubject, open_files
from rmqproof.conformance.team import portable
from rmqproof.model.search.spark.arrow import Batch, Table, pa, pc
from rmqproof.model.search.spark.store import Manifest, Store, StoreError
from rmqproof.model.states.reading import Opened, Reading

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FIRST, _MOST = 256, 4_096
"""States of a job of Spark: at first, and at most."""
_LONG = 4.0
"""Seconds that a job should take: between two of them Ctrl-C is heard."""
_ANSWER = "number long, answer binary"
_ANSWERS = pa.schema([pa.field("number", pa.int64()), pa.field("answer", pa.binary())])


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an executor needs to make its performer; it travels there once."""

    reading: Reading = field(repr=False)
    layout: str | None = field(repr=False)
    adapter: str
    effort: Effort
    notes: tuple[Note, ...] = field(repr=False)
    folder: str
    """Where the driver was started: modules beside it are found."""
    run: str = field(default_factory=lambda: uuid4().hex)
    """A worker of Spark lives longer than a run, and its performer must not."""

    def performer(self) -> Performer:
        if self.folder not in sys.path:
            sys.path.insert(0, self.folder)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 6_000))
        subject = self.subject()
        domains = ActionDomains(subject.system, self.effort.most_arguments)
        for action, arguments in self.notes:
            domains.note(action, arguments)
        return Performer(subject, load_adapter(self.adapter), domains, self.effort)

    def subject(self) -> ModelSubject:
        return open_files(self.reading.files())


def elsewhere_of(session: SparkSession, store: Store, subject: ModelSubject, adapter: str, parallel: int) -> Elsewhere:
    """The graph in a store, and executors for its states. Raise `StoreError`."""
    opened = Opened.at(store.uri)
    manifest = opened.manifest
    decoder = Decoder(subject.system, subject.origin.model_values, manifest.model["layout"])
    graph = stored_graph(session, opened, decoder, 2 * parallel)

    def sharers(effort: Effort) -> SparkTeam:
        return SparkTeam(session, graph, recipe_of(manifest, graph.notes, adapter, effort))

    return Elsewhere(graph.explored, graph.initial, graph.notes, sharers, parallel)


def recipe_of(manifest: Manifest, notes: tuple[Note, ...], adapter: str, effort: Effort) -> Recipe:
    return Recipe(
        Reading.of(manifest),
        manifest.model["layout"],
        adapter,
        effort,
        notes,
        str(Path.cwd()),
    )


class SparkTeam:
    """Executors that expand the states of a level; used like `Team`."""

    def __init__(self, session: SparkSession, graph: StoredGraph, recipe: Recipe) -> None:
        self._session, self._graph = session, graph
        content = pickle.dumps(recipe, protocol=pickle.HIGHEST_PROTOCOL)
        self._recipe: Any = session.sparkContext.broadcast(content)
        self._together = _FIRST

    def __exit__(self, *_: object) -> None:
        self._recipe.unpersist()
        self._graph.frame.unpersist()

    def run(self, tasks: Sequence[Task], tick: Callable[[], bool]) -> Iterator[Expansion]:
        """The expansion of each task, in order. `tick` is called now and then; stop when it returns True."""
        start = 0
        while start < len(tasks):
            part = tasks[start : start + self._together]
            start += len(part)
            began = monotonic()
            found = self._expanded(part)
            if monotonic() - began < _LONG / 2:
                self._together = min(2 * self._together, _MOST)
            elif monotonic() - began > _LONG:
                self._together = max(self._together // 2, _FIRST)
            stop = tick()
            for task in part:
                content = found.pop(task.number, None)
                if content is None:
                    raise StoreError(f"{self._graph.where}: a state that was reached is not in this store.")
                answer = pickle.loads(content)
                if isinstance(answer, BaseException):
                    raise answer
                yield answer
            if stop:
                return

    def _expanded(self, part: Sequence[Task]) -> dict[int, bytes]:
        """The pickled answers, by the states' numbers."""
        asked = {task.key[1]: (task.number, task.snapshot) for task in part if task.key is not None}
        levels = {task.key[0] for task in part if task.key is not None}
        stored = self._graph.frame
        stored = stored.where((stored.level >= min(levels)) & (stored.level <= max(levels)))
        content: Any = self._session.sparkContext.broadcast(asked)
        try:
            expand = _Expand(self._recipe, content)
            answers: Table = stored.select("fingerprint", "state", "ways").mapInArrow(expand, _ANSWER).toArrow()
        finally:
            content.destroy()
        found = zip(answers.column("number").to_pylist(), answers.column("answer").to_pylist(), strict=True)
        return dict(found)


@dataclass(frozen=True, slots=True)
class _Expand:
    """What a task of Spark does. `asked`: number and snapshot by the fingerprint in the store."""

    recipe: Any
    asked: Any

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        asked: dict[int, tuple[int, bytes]] = self.asked.value
        wanted = pa.array(list(asked), pa.int64())
        for batch in batches:
            for row in batch.filter(pc.is_in(batch.column("fingerprint"), wanted)).to_pylist():
                number, snapshot = asked[row["fingerprint"]]
                content = pickle.dumps(self._answer(row, number, snapshot), protocol=pickle.HIGHEST_PROTOCOL)
                yield pa.RecordBatch.from_pydict({"number": [number], "answer": [content]}, schema=_ANSWERS)

    def _answer(self, row: Mapping[str, Any], number: int, snapshot: bytes) -> Expansion | BaseException:
        try:
            performer, decoder = _made(self.recipe.value)
            task = Task(number, decoder.state(row["state"]), snapshot)
            ways = decoder.ways(task.state, row["ways"] or ())
            return performer.expand(task, chain(ways, performer.cut(task.state)))
        except Exception as error:
            return portable(error)


@lru_cache(maxsize=1)
def _made(recipe: bytes) -> tuple[Performer, Decoder]:
    """The performer of this process, and what reads the stored states: made once."""
    found: Recipe = pickle.loads(recipe)
    performer = found.performer()
    subject = performer.subject
    return performer, Decoder(subject.system, subject.origin.model_values, found.layout)


def package(folder: Path) -> str:
    """The implementation and what drives it as a zip, for executors that do not have them."""
    from rmqproof.parts import files_of

    target = folder / "rmqproof-conformance.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for name, path in files_of(["model", "conformance", "impl"]):
            archive.write(path, f"rmqproof/{name}")
    return str(target)
