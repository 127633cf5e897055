"""Expand a part's states of a level: what it claims of the owners, counts, events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.kernel import Code
from rmqproof.model.search.spark.arrow import pa
from rmqproof.model.search.spark.claims import EACH as CLAIM_BYTES
from rmqproof.model.search.spark.claims import claims_to_blob
from rmqproof.model.search.spark.incoming import Known
from rmqproof.model.search.spark.kernel import Arguments, Expansion, Kernel, join
from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.report import Event, Expanded, first_events
from rmqproof.model.search.spark.rows import ROWS_EACH, Rows, labels
from rmqproof.model.search.spark.spool import SpoolWriter
from rmqproof.model.search.spark.store import StoreWriter, edges_file
from rmqproof.model.search.statistics import Counters

BLOCK = {True: 4096, False: 256}
"""States expanded together: packed ones, others."""
NEAR = 1 << 17
"""Fingerprints remembered to drop near duplicates: a table of this size stays in a processor's cache."""
BLOB_BYTES = 1 << 20
GATHERED = 10
"""Blobs for each part that PySpark gathers before it hands them on."""
LEAST_BLOB = 1 << 16
"""Of a blob, where there is room for no larger one for each owner."""

EDGES = pa.schema(
    [
        pa.field("source", pa.int64(), nullable=False),
        pa.field("action", pa.dictionary(pa.int16(), pa.string()), nullable=False),
        pa.field("arguments", pa.dictionary(pa.int32(), pa.string())),
        pa.field("ordinal", pa.int32(), nullable=False),
        pa.field("target", pa.int64(), nullable=False),
    ]
)


@dataclass(slots=True)
class _Outgoing:
    """Claims that wait to be sent, by owner: fingerprints and orders."""

    parts: list[list[tuple[NDArray[np.uint64], NDArray[np.uint64]]]]
    counts: list[int]


@dataclass(slots=True)
class _Edges:
    count: int = 0
    sources: list[NDArray[np.uint64]] = field(default_factory=list)
    actions: list[NDArray[np.int16]] = field(default_factory=list)
    arguments: list[Arguments] = field(default_factory=list)
    ordinals: list[NDArray[np.int64]] = field(default_factory=list)
    targets: list[NDArray[np.uint64]] = field(default_factory=list)


class Expansions:
    """The expansion of a part's states of `level`, which come in order, some at a time, in `portions`.

    `claims` yields (owner, blob), and puts what is claimed into `spool`; then `report` is complete. `known` says which
    fingerprints some owner has had at this level or before: these need not be claimed.
    """

    def __init__(
        self, kernel: Kernel, plan: Plan, part: int, level: int, portions: Iterable[Rows], known: Known | None
    ) -> None:
        self.kernel, self.plan, self.part, self.level, self.portions = kernel, plan, part, level, portions
        self.known = known
        self.report = Expanded(level, part, Counters.of(len(plan.actions)))
        self._near = kernel.table()
        self._last = -1
        self._edges = _Edges()
        room = plan.table_bytes // 8 // plan.partitions // GATHERED
        self._enough = max(LEAST_BLOB, min(BLOB_BYTES, room)) // CLAIM_BYTES

    def claims(self, spool: SpoolWriter | None) -> Iterator[tuple[int, bytes]]:
        plan = self.plan
        outgoing = _Outgoing([[] for _ in range(plan.partitions)], [0] * plan.partitions)
        writes = plan.edges and plan.before is None
        with ExitStack() as stack:
            name = edges_file(self.level, self.part)
            writer = stack.enter_context(plan.store.writer(name, EDGES)) if writes else None
            for parents in blocks(self.plan, self.portions):
                found = self._expand(parents)
                if spool is not None and len(found) and not self.report.too_many:
                    spool.add(found)
                    for owner in self._file(found, outgoing):
                        yield owner, self._flush(outgoing, owner)
                if writer is not None and self._edges.count >= ROWS_EACH:
                    self._write_edges(writer)
            for owner in range(plan.partitions):
                if outgoing.parts[owner]:
                    yield owner, self._flush(outgoing, owner)
            if writer is not None:
                self._write_edges(writer)
        self.report.spoken = self.kernel.spoken()

    # --- one block ---------------------------------------------------------------------------------------------

    def _expand(self, parents: Rows) -> Rows:
        """Count, and give the successors inside the constraints that are to be claimed."""
        self.report.states += len(parents)
        found = self.kernel.expand(parents.states)
        self._count(len(parents), found)
        rows, kept = successors(parents, found, self.plan.bits)
        self._note(parents, found, rows.orders)
        if self.plan.edges:
            self._edges.count += int(np.count_nonzero(kept))
            self._edges.sources.append(rows.parents[kept])
            self._edges.actions.append(found.actions[kept])
            self._edges.arguments.append(found.arguments[kept])
            self._edges.ordinals.append(found.ordinals[kept])
            self._edges.targets.append(found.fingerprints[kept])
        return rows if not self.plan.ship else self._without_near(rows, kept, parents.orders)

    def _without_near(self, rows: Rows, kept: NDArray[np.bool_], parents: NDArray[np.uint64]) -> Rows:
        """Drop what this task has claimed already with a smaller order, and what is known.

        `parents`: their orders. States of a file are expanded by order, so that what is claimed first is the smaller;
        where the states of another file begin, orders may be smaller than the last one before.
        """
        which = np.flatnonzero(kept)
        if int(parents[0]) < self._last or len(self._near) > NEAR:
            self._near = self.kernel.table()
        self._last = int(parents[-1])
        which = which[self._near.add(rows.fingerprints[which])]
        if self.known is not None:
            which = which[~self.known(rows.fingerprints[which])]
        return rows.take(which)

    def _count(self, parents: int, found: Expansion) -> None:
        counters, count = self.report.counters, len(self.plan.actions)
        generated = np.bincount(found.actions, minlength=count)
        enabled = np.zeros((parents, count), np.bool_)
        enabled[found.parents, found.actions] = True
        for action, (made, states) in enumerate(zip(generated.tolist(), enabled.sum(0).tolist(), strict=True)):
            counters.generated[action] += made
            counters.enabled[action] += states
        counters.cut += int(np.count_nonzero(~found.inside))
        counters.between += found.between

    def _note(self, parents: Rows, found: Expansion, orders: NDArray[np.uint64]) -> None:
        """The events of this block."""
        report, bits = self.report, self.plan.bits
        most = int(found.ordinals.max(initial=-1)) + 1
        report.most = max(report.most, most)
        report.too_many |= most >= 1 << bits
        events = list(report.events)
        for i in np.flatnonzero(found.verdicts).tolist():
            verdict = Code(int(found.verdicts[i]))
            parent = int(parents.fingerprints[found.parents[i]])
            events.append(Event(int(orders[i]), 1, verdict, int(found.properties[i]), parent))
        for i in np.flatnonzero(found.outcomes).tolist():
            successors = int(np.count_nonzero(found.parents == i))
            order = int(parents.orders[i]) << bits | successors
            outcome = Code(int(found.outcomes[i]))
            events.append(Event(order, 1, outcome, -1, int(parents.fingerprints[i])))
        if report.narrow is None and any(event.verdict is Code.TOO_SMALL for event in events):
            report.narrow = self.kernel.narrow()
        if len(events) > len(report.events):
            report.events = list(first_events(events).values())

    # --- claiming ----------------------------------------------------------------------------------------------

    def _file(self, rows: Rows, outgoing: _Outgoing) -> Iterator[int]:
        """Put the claims with their owners', and yield the owners with enough for a blob."""
        owners = (rows.fingerprints % np.uint64(self.plan.partitions)).astype(np.int64)
        sequence = np.argsort(owners, kind="stable")
        fingerprints, orders = rows.fingerprints[sequence], rows.orders[sequence]
        ends = np.searchsorted(owners[sequence], np.arange(self.plan.partitions), side="right")
        start = 0
        for owner, end in enumerate(ends.tolist()):
            if end > start:
                outgoing.parts[owner].append((fingerprints[start:end], orders[start:end]))
                outgoing.counts[owner] += end - start
                start = end
                if outgoing.counts[owner] >= self._enough:
                    yield owner

    def _flush(self, outgoing: _Outgoing, owner: int) -> bytes:
        fingerprints, orders = (np.concatenate(columns) for columns in zip(*outgoing.parts[owner], strict=True))
        outgoing.parts[owner], outgoing.counts[owner] = [], 0
        blob = claims_to_blob(fingerprints, orders, self.part)
        self.report.claims += len(fingerprints)
        self.report.bytes += len(blob)
        return blob

    def _write_edges(self, writer: StoreWriter) -> None:
        edges, self._edges = self._edges, _Edges()
        actions = pa.array(list(self.plan.actions), pa.string())
        none = np.empty(0, np.int64)
        table = pa.Table.from_arrays(
            [
                pa.array(np.concatenate([none.view(np.uint64), *edges.sources]).view(np.int64)),
                pa.DictionaryArray.from_arrays(
                    pa.array(np.concatenate([none.astype(np.int16), *edges.actions])), actions
                ),
                labels(join(edges.arguments, self.plan.argument_words), self.kernel.arguments),
                pa.array(np.concatenate([none, *edges.ordinals]).astype(np.int32)),
                pa.array(np.concatenate([none.view(np.uint64), *edges.targets]).view(np.int64)),
            ],
            schema=EDGES,
        )
        self.report.edges += len(table)
        writer.add(table)


def blocks(plan: Plan, portions: Iterable[Rows]) -> Iterator[Rows]:
    """States to expand together."""
    block = BLOCK[bool(plan.words)]
    for rows in portions:
        for start in range(0, len(rows), block):
            yield rows.take(slice(start, start + block))


def successors(parents: Rows, found: Expansion, bits: int) -> tuple[Rows, NDArray[np.bool_]]:
    """Of a block of states, and which of them are inside the constraints."""
    orders = parents.orders[found.parents] << np.uint64(bits) | found.ordinals.astype(np.uint64)
    sources = parents.fingerprints[found.parents]
    kept = found.inside & (found.verdicts != Code.NOT_EVALUATED)
    return Rows(found.fingerprints, orders, sources, found.actions, found.states, found.arguments), kept
