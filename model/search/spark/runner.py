"""Who carries out a job: this process, or (spark_runner.py) Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Thread
from typing import Protocol

from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.report import Report, from_payload
from rmqproof.model.search.spark.tasks import REPORT, Row, edges_task, first_task, grant_task, keep_task
from rmqproof.model.search.spark.worker import Worker

Part = tuple[int, int]
"""A level, and the number of a file of its states."""


class Cancelled(Exception):
    """The job was given up because `stop` asked for it. Nothing of it counts."""


class Runner(Protocol):
    """`run` carries out a plan and gives the reports of all its tasks, each once.

    `stop` is asked every now and then, and raises nothing. Raise `Cancelled` when it says yes.
    """

    @property
    def chain(self) -> int:
        """How many levels to put into a job while they are small."""
        ...

    @property
    def processes(self) -> int:
        """Python processes that share the memory of an executor."""
        ...

    def run(self, plan: Plan, stop: Callable[[], bool]) -> list[Report]: ...

    def edges(self, plan: Plan, groups: Sequence[Sequence[Part]]) -> list[Report]:
        """Write the edge files of these parts; those of a group are one task's."""
        ...


class Starting:
    """A runner that a thread of its own makes, while this one goes on with something else."""

    def __init__(self, make: Callable[[], Runner]) -> None:
        self._make = make
        self._made: Runner | None = None
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, name="rmqproof-starting")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._made = self._make()
        except Exception as error:
            self._error = error

    @property
    def is_over(self) -> bool:
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Until it is over, whatever came of it."""
        self._thread.join()

    def runner(self) -> Runner:
        """Wait for it. Raise what was raised when it was made."""
        self.wait()
        if self._made is None:
            assert self._error is not None
            raise self._error
        return self._made


class LocalRunner:
    """One part after the other, in this process."""

    chain = 1
    processes = 1

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def run(self, plan: Plan, stop: Callable[[], bool]) -> list[Report]:
        inbox: list[list[Row]] = [[] for _ in range(plan.partitions)]
        for part in range(plan.partitions):
            self._deliver(first_task(plan, part, self._worker), inbox, stop)
        for level in range(plan.first + 1, plan.first + plan.levels + 1):
            for task in (grant_task, keep_task):
                received, inbox = inbox, [[] for _ in range(plan.partitions)]
                for part, rows in enumerate(received):
                    self._deliver(task(plan, level, part, rows, self._worker), inbox, stop)
        return [from_payload(payload) for rows in inbox for _, kind, payload in rows if kind == REPORT]

    def edges(self, plan: Plan, groups: Sequence[Sequence[Part]]) -> list[Report]:
        parts = [part for group in groups for part in group]
        rows = (row for level, part in parts for row in edges_task(plan, level, part, self._worker))
        return [from_payload(payload) for _, _, payload in rows]

    def _deliver(self, rows: Iterable[Row], inbox: list[list[Row]], stop: Callable[[], bool]) -> None:
        for row in rows:
            inbox[row[0]].append(row)
            if stop():
                raise Cancelled
