"""The tasks of a job, over rows (owner that is to get it, kind, payload)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.report import Report, to_payload
from rmqproof.model.search.spark.rows import ROWS_EACH, Rows, from_blob
from rmqproof.model.search.spark.worker import Worker

Row = tuple[int, int, bytes]
CANDIDATES, REPORT = 0, 1


def first_task(plan: Plan, owner: int, worker: Worker) -> Iterator[Row]:
    """Expand the owner's states of level `plan.first`."""
    yield from _expand(plan, plan.first, owner, worker.stored(plan, plan.first, owner), worker)


def next_task(plan: Plan, level: int, owner: int, rows: Iterable[Row], worker: Worker) -> Iterator[Row]:
    """Take in what was found for the owner, and expand it unless `level` is the last; pass reports on."""
    incoming = worker.incoming(plan, level, owner)
    for _, kind, payload in rows:
        if kind == REPORT:
            yield owner, REPORT, payload
        else:
            incoming.add(from_blob(payload))
    new, report = worker.absorb(plan, level, owner, incoming)
    del incoming
    yield _report(owner, report)
    if level < plan.first + plan.levels:
        yield from _expand(plan, level, owner, new.chunks(ROWS_EACH), worker)


def edges_task(plan: Plan, level: int, owner: int, worker: Worker) -> Iterator[Row]:
    """Write the steps that leave the owner's states of a level."""
    yield from _expand(plan, level, owner, worker.stored(plan, level, owner), worker)


def _expand(plan: Plan, level: int, owner: int, portions: Iterable[Rows], worker: Worker) -> Iterator[Row]:
    expansions = worker.expansions(plan, level, owner, portions)
    for target, blob in expansions.blobs():
        yield target, CANDIDATES, blob
    yield _report(owner, expansions.report)


def _report(owner: int, report: Report) -> Row:
    return owner, REPORT, to_payload(report)
