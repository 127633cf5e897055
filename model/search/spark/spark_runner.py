"""Jobs on Spark: two stages for each level, one row for each blob, parts at the partitions of their numbers."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from time import monotonic, sleep
from typing import TYPE_CHECKING

from rmqproof.model.search.spark.kernel import Recipe
from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.report import Report, from_payload
from rmqproof.model.search.spark.runner import Cancelled, Part
from rmqproof.model.search.spark.session import is_local, local_cores
from rmqproof.model.search.spark.store import StoreError
from rmqproof.model.search.spark.tasks import Row, edges_task, first_task, grant_task, keep_task
from rmqproof.model.search.spark.worker import this_worker

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import SparkSession

CHAIN = 4
WAIT = 20.0
"""Seconds for the first executor to come; until one does the driver's machine is taken for an executor's."""
POLL = 0.1
"""Seconds between two looks at the keyboard while a job runs."""

_READING = re.compile(r"error while reading file (\S+?)\.(?:\s|$)")

_Row = tuple[int, tuple[int, bytes]]
"""As Spark wants it, by the part that is to get it: kind and payload."""
ANCHOR = -1
"""The kind of a row that says nothing."""


class JobFailed(Exception):
    """Spark gave a job up."""


class SparkRunner:
    """Runs plans in a session."""

    chain = CHAIN

    def __init__(self, session: SparkSession, anchored: bool | None = None) -> None:
        """`anchored`: keep parts where they are, which only a cluster needs; None: if the session is one's."""
        self._session = session
        self._anchored = not is_local(session.sparkContext.master or "") if anchored is None else anchored
        self._anchors: RDD[_Row] | None = None
        self._jobs = 0
        self._processes: int | None = None

    @property
    def processes(self) -> int:
        """The tasks that an executor runs at a time; waits for the first executor of a cluster to be there."""
        if self._processes is None:
            self._processes = _tasks_together(self._session)
        return self._processes or os.cpu_count() or 1

    def warm(self, recipe: Recipe) -> None:
        """Have the processes of this machine start and make the kernel, and Java load what a job needs."""
        numbers = range(self.processes)
        rows = self._session.sparkContext.parallelize(numbers, len(numbers)).mapPartitions(_Warm(recipe))
        try:
            rows.partitionBy(len(numbers), _part).collect()
        except Exception as error:
            raise understood(error) from None

    def run(self, plan: Plan, stop: Callable[[], bool]) -> list[Report]:
        rows = self._rows(plan)
        context = self._session.sparkContext
        self._jobs += 1
        tag = f"rmqproof-{plan.run}-{self._jobs}"
        found: list[_Row] = []
        failed: list[Exception] = []

        def collect() -> None:
            context.addJobTag(tag)
            try:
                found.extend(rows.collect())
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
                context.cancelJobsWithTag(tag)
        if cancelled:
            raise Cancelled
        if failed:
            raise understood(failed[0])
        return [from_payload(payload) for _, (_, payload) in found]

    def edges(self, plan: Plan, groups: Sequence[Sequence[Part]]) -> list[Report]:
        context = self._session.sparkContext
        tasks = context.parallelize(range(len(groups)), max(1, len(groups))).mapPartitions(_EdgesOf(plan, groups))
        try:
            rows = tasks.collect()
        except Exception as error:
            raise understood(error) from None
        return [from_payload(payload) for _, (_, payload) in rows]

    def _rows(self, plan: Plan) -> RDD[_Row]:
        """What the last stage leaves. By RDDs: a job has ten stages and more, and Spark plans data frames for longer
        than a small level takes."""
        anchors = self._anchors_of(plan.partitions)
        rows = anchors.mapPartitions(_First(plan))
        for level in range(plan.first + 1, plan.first + plan.levels + 1):
            for task in (grant_task, keep_task):
                received = rows.partitionBy(plan.partitions, _part)
                if self._anchored:
                    received = anchors.union(received)
                rows = received.mapPartitionsWithIndex(_Next(task, plan, level))
        return rows

    def _anchors_of(self, partitions: int) -> RDD[_Row]:
        """A row for each part. On a cluster Spark keeps it with the executor that was the first to work on the part.

        A task that reads its row besides is sent to where the row is: the part's table is there, and what the part has
        generated. On one machine everything is at hand in any case.
        """
        rows = [(part, (ANCHOR, b"")) for part in range(partitions)]
        if not self._anchored:
            return self._session.sparkContext.parallelize(rows, partitions)
        if self._anchors is None:
            self._anchors = self._session.sparkContext.parallelize(rows, partitions).partitionBy(partitions, _part)
            self._anchors.persist()
        return self._anchors


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


class _Warm:
    """Tasks that find nothing."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    def __call__(self, numbers: Iterable[int]) -> Iterator[_Row]:
        this_worker().kernel(self.recipe)
        yield from _keyed((number, ANCHOR, b"") for number in numbers)


class _First:
    """The tasks of the first stage. A class, so that the plan travels with it and nothing else does."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, anchors: Iterable[_Row]) -> Iterator[_Row]:
        for part, _ in anchors:
            yield from _keyed(first_task(self.plan, part, this_worker()))


class _EdgesOf:
    """Tasks that write edges, each of a group of parts."""

    def __init__(self, plan: Plan, groups: Sequence[Sequence[Part]]) -> None:
        self.plan, self.groups = plan, groups

    def __call__(self, numbers: Iterable[int]) -> Iterator[_Row]:
        for number in numbers:
            for level, part in self.groups[number]:
                yield from _keyed(edges_task(self.plan, level, part, this_worker()))


class _Next:
    """The tasks of a later stage."""

    def __init__(self, task: Callable[..., Iterator[Row]], plan: Plan, level: int) -> None:
        self.task, self.plan, self.level = task, plan, level

    def __call__(self, part: int, rows: Iterable[_Row]) -> Iterator[_Row]:
        yield from _keyed(self.task(self.plan, self.level, part, _received(rows, part), this_worker()))


def _received(rows: Iterable[_Row], part: int) -> Iterator[Row]:
    for target, (kind, payload) in rows:
        if target != part:
            raise RuntimeError(f"a row for part {target} came to partition {part}")
        if kind != ANCHOR:
            yield part, kind, payload


def _part(part: int) -> int:
    """The partition of a part: one function, by which Spark knows that partitions are the same."""
    return part


def _keyed(rows: Iterable[Row]) -> Iterator[_Row]:
    for part, kind, payload in rows:
        yield part, (kind, payload)
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
