"""The tasks of a job, over rows (part that is to get it, kind, payload)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rmqproof.model.search.spark.claims import claims_from_blob, numbers_from_blob, numbers_to_blob
from rmqproof.model.search.spark.plan import Plan, Slice
from rmqproof.model.search.spark.report import Report, to_payload
from rmqproof.model.search.spark.rows import ROWS_EACH, Rows
from rmqproof.model.search.spark.worker import Worker

Row = tuple[int, int, bytes]
CLAIMS, GRANTS, REPORT = 0, 1, 2


def first_task(plan: Plan, part: int, worker: Worker) -> Iterator[Row]:
    """Expand the part's slices of level `plan.first`."""
    yield from _expand(plan, plan.first, part, worker.stored(plan, plan.first, plan.slices[part]), worker)


def grant_task(plan: Plan, level: int, owner: int, rows: Iterable[Row], worker: Worker) -> Iterator[Row]:
    """Take in what was claimed of the owner, and tell each part what is new; pass reports on."""
    incoming = worker.incoming(plan, level, owner)
    for _, kind, payload in rows:
        if kind == REPORT:
            yield owner, REPORT, payload
        else:
            incoming.add(claims_from_blob(payload))
    granted, report = worker.grant(plan, level, owner, incoming)
    del incoming
    for part, orders in enumerate(granted):
        if len(orders):
            blob = numbers_to_blob(orders)
            report.bytes += len(blob)
            yield part, GRANTS, blob
    yield _report(owner, report)


def keep_task(plan: Plan, level: int, part: int, rows: Iterable[Row], worker: Worker) -> Iterator[Row]:
    """Keep what the part was granted, and expand it unless `level` is the last; pass reports on."""
    granted = []
    for _, kind, payload in rows:
        if kind == REPORT:
            yield part, REPORT, payload
        else:
            granted.append(numbers_from_blob(payload))
    new, report = worker.keep(plan, level, part, granted)
    yield _report(part, report)
    if level < plan.first + plan.levels:
        yield from _expand(plan, level, part, new.chunks(ROWS_EACH), worker)


def edges_task(plan: Plan, level: int, part: int, worker: Worker) -> Iterator[Row]:
    """Write the steps that leave the states of a level that a part keeps."""
    yield from _expand(plan, level, part, worker.stored(plan, level, [Slice(part)]), worker)


def _expand(plan: Plan, level: int, part: int, portions: Iterable[Rows], worker: Worker) -> Iterator[Row]:
    expansions = worker.expansions(plan, level, part, portions)
    if plan.ship and plan.before is None:
        with worker.spool.writer(plan.spool, level, part) as spool:
            for owner, blob in expansions.claims(spool):
                yield owner, CLAIMS, blob
    else:
        for _ in expansions.claims(None):
            raise RuntimeError("claims of a task that makes none")
    yield _report(part, expansions.report)


def _report(part: int, report: Report) -> Row:
    return part, REPORT, to_payload(report)
