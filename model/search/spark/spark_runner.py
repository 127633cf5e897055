"""Jobs on Spark: a stage for each level, one row for each blob, owners at the partitions of their numbers."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from rmqproof.model.search.spark.arrow import Batch, pa
from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.report import Report, from_payload
from rmqproof.model.search.spark.runner import Cancelled, Part
from rmqproof.model.search.spark.session import local_cores
from rmqproof.model.search.spark.store import StoreError
from rmqproof.model.search.spark.tasks import Row, edges_task, first_task, next_task
from rmqproof.model.search.spark.worker import this_worker

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_COLUMNS = "owner int, kind int, payload binary"
_SCHEMA = pa.schema([("owner", pa.int32()), ("kind", pa.int32()), ("payload", pa.binary())])
CHAIN = 4
BLOBS_TOGETHER = 8
"""Rows that Spark hands to a Python worker at a time: blobs have some megabytes each."""
WAIT = 20.0
"""Seconds for the first executor to come; until one does the driver's machine is taken for an executor's."""
POLL = 0.1
"""Seconds between two looks at the keyboard while a job runs."""

_READING = re.compile(r"error while reading file (\S+?)\.(?:\s|$)")

Batches = Iterator[Batch]


class JobFailed(Exception):
    """Spark gave a job up."""


class SparkRunner:
    """Runs plans in a session."""

    chain = CHAIN

    def __init__(self, session: SparkSession) -> None:
        session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", BLOBS_TOGETHER)
        self._session = session
        self._jobs = 0
        self._processes: int | None = None

    @property
    def processes(self) -> int:
        """The tasks that an executor runs at a time; waits for the first executor of a cluster to be there."""
        if self._processes is None:
            self._processes = _tasks_together(self._session)
        return self._processes or os.cpu_count() or 1

    def run(self, plan: Plan, stop: Callable[[], bool]) -> list[Report]:
        frame = self._frame(plan)
        self._jobs += 1
        tag = f"rmqproof-{plan.run}-{self._jobs}"
        found: list[Any] = []
        failed: list[Exception] = []

        def collect() -> None:
            self._session.addTag(tag)
            try:
                found.extend(frame.collect())
            except Exception as error:
                failed.append(error)

        from pyspark import InheritableThread

        thread = InheritableThread(target=collect, session=self._session)
        thread.start()
        cancelled = False
        while thread.is_alive():
            thread.join(POLL)
            if not cancelled and thread.is_alive() and stop():
                cancelled = True
                self._session.interruptTag(tag)
        if cancelled:
            raise Cancelled
        if failed:
            raise understood(failed[0])
        return [from_payload(bytes(row.payload)) for row in found]

    def edges(self, plan: Plan, groups: Sequence[Sequence[Part]]) -> list[Report]:
        frame = self._session.range(0, len(groups), 1, len(groups)).mapInArrow(_EdgesOf(plan, groups), _COLUMNS)
        try:
            rows = frame.collect()
        except Exception as error:
            raise understood(error) from None
        return [from_payload(bytes(row.payload)) for row in rows]

    def _frame(self, plan: Plan) -> DataFrame:
        session = self._session
        frame = session.range(0, plan.partitions, 1, plan.partitions)
        frame = frame.mapInArrow(_First(plan), _COLUMNS)
        for level in range(plan.first + 1, plan.first + plan.levels + 1):
            frame = frame.repartitionById(plan.partitions, "owner")
            frame = frame.mapInArrow(_Next(plan, level), _COLUMNS)
        return frame


def _tasks_together(session: SparkSession) -> int | None:
    """Of an executor; of the largest, where they differ. None where no executor comes."""
    context = session.sparkContext
    cores = local_cores(context.master or "")
    until = monotonic() + WAIT
    while cores is None:
        executors = context._jsc.sc().statusStore().executorList(True)
        found = [executors.apply(i) for i in range(executors.size())]
        cores = max((int(e.totalCores()) for e in found if e.id() != "driver"), default=None)
        if cores is None:
            if monotonic() > until:
                return None
            sleep(POLL)
    return max(1, cores // int(context.getConf().get("spark.task.cpus", "1")))


class _First:
    """The tasks of the first stage. A class, so that the plan travels with it and nothing else does."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for owner in batch.column(0).to_pylist():
                yield from _batches(first_task(self.plan, owner, this_worker()))


class _EdgesOf:
    """Tasks that write edges, each of a group of parts."""

    def __init__(self, plan: Plan, groups: Sequence[Sequence[Part]]) -> None:
        self.plan, self.groups = plan, groups

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for level, owner in self.groups[number]:
                    yield from _batches(edges_task(self.plan, level, owner, this_worker()))


class _Next:
    """The tasks of a later stage."""

    def __init__(self, plan: Plan, level: int) -> None:
        self.plan, self.level = plan, level

    def __call__(self, batches: Batches) -> Batches:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        owner = context.partitionId()
        yield from _batches(next_task(self.plan, self.level, owner, _received(batches, owner), this_worker()))


def _received(batches: Batches, owner: int) -> Iterator[Row]:
    for batch in batches:
        owners, kinds, payloads = (batch.column(i) for i in range(3))
        for i in range(len(batch)):
            if owners[i].as_py() != owner:
                raise RuntimeError(f"a row for owner {owners[i].as_py()} came to partition {owner}")
            yield owner, kinds[i].as_py(), payloads[i].as_py()


def _batches(rows: Iterable[Row]) -> Batches:
    for owner, kind, payload in rows:
        columns = [pa.array([owner], pa.int32()), pa.array([kind], pa.int32()), pa.array([payload], pa.binary())]
        yield pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)
    _settle()


@lru_cache(maxsize=1)
def _settle() -> None:
    """At the end of this process's first task: after each, Spark collects garbage among all objects that there are.

    Libraries and the kernel are most of them, and that takes longer than a small level.
    """
    gc.collect()
    gc.freeze()


def spark_errors() -> tuple[type[Exception], ...]:
    """What a call of Spark's may raise."""
    from pyspark.errors import PySparkException

    java: type[Exception] = import_module("py4j.protocol").Py4JJavaError
    return PySparkException, java


def understood(error: Exception) -> Exception:
    """What a task raised about its files, else that Spark gave up, with the line that says why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    damaged = _READING.search(str(error))
    if damaged is not None:
        return StoreError(f"{damaged.group(1)}: this store cannot be used, because the file cannot be read.")
    for line in reversed(lines):
        name, _, said = line.partition(": ")
        if name.rpartition(".")[2] == "StoreError":
            return StoreError(said)
    why = next((line for line in reversed(lines) if "Error" in line or "Exception" in line), lines[0] if lines else "")
    return JobFailed(f"Spark gave up a job: {why}")
