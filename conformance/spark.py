"""Conformance on Spark: the model's graph comes from a store that a Spark search wrote with its edges, and the states
of each level are shared out to the executors, each of which has the implementation.

What is reported is what the local engine reports: the store says which edges there are, and the executors do with each
state what the local engine's processes do.
"""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmqproof.conformance.domains import ActionDomains
from rmqproof.conformance.exploration import Elsewhere, Explored
from rmqproof.conformance.loading import load_adapter
from rmqproof.conformance.performer import Effort, Expansion, Performer
from rmqproof.conformance.subject import ModelSubject, open_model
from rmqproof.conformance.team import Task, portable
from rmqproof.conformance.values import from_itf
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.spark.store import Manifest, Store, StoreError, edges_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Note = tuple[str, tuple[Value, ...]]
_CHUNK = 48
"""States of a task of Spark."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an executor needs to make its performer; it travels there once."""

    specification: str
    texts: tuple[tuple[str, str], ...] = field(repr=False)
    config: str = field(repr=False)
    adapter: str
    effort: Effort
    notes: tuple[Note, ...] = field(repr=False)
    folder: str
    """Where the driver was started: modules beside it are found."""

    def performer(self) -> Performer:
        if self.folder not in sys.path:
            sys.path.insert(0, self.folder)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 6_000))
        subject = self.subject()
        domains = ActionDomains(subject.system, self.effort.most_arguments)
        for action, arguments in self.notes:
            domains.note(action, arguments)
        return Performer(subject, load_adapter(self.adapter)(), domains, self.effort)

    def subject(self) -> ModelSubject:
        with tempfile.TemporaryDirectory(prefix="rmqproof-model-") as name:
            folder = Path(name)
            for source, text in self.texts:
                (folder / Path(source).name).write_text(text, encoding="utf-8")
            (folder / "Model.cfg").write_text(self.config, encoding="utf-8")
            return open_model(folder / f"{self.specification}.tla", folder / "Model.cfg")


def elsewhere_of(
    session: SparkSession, store: Store, model_values: frozenset[str], adapter: str, parallel: int
) -> Elsewhere:
    """The graph in a store, and executors for its states. Raise `StoreError`."""
    manifest = store.load()
    store.verify(manifest)
    explored, notes = graph_of(store, manifest, model_values)

    def sharers(effort: Effort) -> SparkTeam:
        return SparkTeam(session, recipe_of(manifest, notes, adapter, effort), parallel)

    return Elsewhere(explored, notes, sharers, parallel)


def recipe_of(manifest: Manifest, notes: tuple[Note, ...], adapter: str, effort: Effort) -> Recipe:
    model = manifest.model
    return Recipe(
        str(model["specification"]),
        tuple(sorted(model["texts"].items())),
        str(model["config_text"]),
        adapter,
        effort,
        notes,
        str(Path.cwd()),
    )


def graph_of(store: Store, manifest: Manifest, model_values: frozenset[str]) -> tuple[Explored, tuple[Note, ...]]:
    """What a store says of a model: how much there is, and which arguments the actions have.
    Raise `StoreError` for a store without them, or of a search that is not over."""
    import pyarrow.compute as pc

    if not manifest.finished or not manifest.edges:
        why = "its search is not over" if not manifest.finished else "it has no edges (--edges)"
        raise StoreError(f"{store.path('manifest.json')}: this store is of no use for conformance, because {why}.")
    explored = Explored(manifest.distinct, manifest.counters.initial)
    notes: dict[Note, None] = {}
    for level in manifest.levels:
        for owner in range(manifest.partitions):
            table = _edges(store, level.number, owner)
            if not table.num_rows:
                continue
            columns = [table.column(name).combine_chunks().dictionary_decode() for name in ("action", "arguments")]
            counts = pc.value_counts(columns[0])
            for entry in counts.to_pylist():
                name = str(entry["values"])
                explored.edges[name] = explored.edges.get(name, 0) + int(entry["counts"])
            pairs = dict.fromkeys(zip(columns[0].to_pylist(), columns[1].to_pylist(), strict=True))
            for action, text in pairs:
                arguments = tuple(from_itf(item, model_values) for item in json.loads(text or "[]"))
                notes.setdefault((action, arguments))
    return explored, tuple(notes)


def _edges(store: Store, level: int, owner: int) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = edges_file(level, owner)
    try:
        return pq.read_table(pa.BufferReader(store.read(name)), columns=["action", "arguments"])
    except pa.ArrowException as error:
        raise store.refuse(name, f"it is damaged ({str(error).splitlines()[0]})") from None


class SparkTeam:
    """Executors that expand the states of a level; used like `Team`."""

    def __init__(self, session: SparkSession, recipe: Recipe, parallel: int) -> None:
        self._context: Any = session.sparkContext
        self._recipe = self._context.broadcast(pickle.dumps(recipe, protocol=pickle.HIGHEST_PROTOCOL))
        self._parallel = parallel

    def __exit__(self, *_: object) -> None:
        self._recipe.unpersist()

    def run(self, tasks: Sequence[Task], tick: Callable[[], bool]) -> Iterator[Expansion]:
        """The expansion of each task, in order. `tick` is called now and then; stop when it returns True."""
        together = _CHUNK * self._parallel * 4
        for start in range(0, len(tasks), together):
            part = tasks[start : start + together]
            chunks = [
                pickle.dumps(part[at : at + _CHUNK], protocol=pickle.HIGHEST_PROTOCOL)
                for at in range(0, len(part), _CHUNK)
            ]
            expanded = self._context.parallelize(chunks, len(chunks)).mapPartitions(_Expand(self._recipe)).collect()
            stop = tick()
            for text in expanded:
                answer = pickle.loads(text)
                if isinstance(answer, BaseException):
                    raise answer
                yield from answer
            if stop:
                return


@dataclass(frozen=True, slots=True)
class _Expand:
    """What a task of Spark does."""

    recipe: Any

    def __call__(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            try:
                performer = _performer(self.recipe.value)
                answer: Any = [performer.expand(*task) for task in pickle.loads(chunk)]
            except Exception as error:
                answer = portable(error)
            yield pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=1)
def _performer(recipe: bytes) -> Performer:
    """The performer of this process: made once."""
    made: Recipe = pickle.loads(recipe)
    return made.performer()


def package(folder: Path) -> str:
    """The implementation and what drives it as a zip, for executors that do not have them."""
    import rmqproof

    root = Path(rmqproof.__file__).parent
    target = folder / "rmqproof-conformance.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for top in ("__init__.py", "model", "conformance", "impl"):
            for path in sorted((root / top).rglob("*")) if (root / top).is_dir() else [root / top]:
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, f"rmqproof/{path.relative_to(root)}")
    return str(target)
