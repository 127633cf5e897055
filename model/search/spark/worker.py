"""What a process holds between tasks, and the two halves of a task: take in a level, expand a level.

A task may run in any process, twice, or be killed at any moment. What it leaves is a file whose content does not depend
on who wrote it, and a table in this process. The table is marked as unfit before it takes anything in, and as fit for
the level once the file has its name; an unfit one is made anew from the files, one that is behind takes in the files
that it lacks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.kernel import Code
from rmqproof.model.search.spark.expanding import BLOCK, Expansions
from rmqproof.model.search.spark.incoming import Incoming, Taken
from rmqproof.model.search.spark.kernel import Kernel
from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.report import Absorbed, Event, first_events
from rmqproof.model.search.spark.rows import ROWS_EACH, SCHEMA, Rows, states_of, to_table
from rmqproof.model.search.spark.store import order_file, states_file
from rmqproof.model.search.spark.table import FingerprintTable

UNFIT = -1


@dataclass(slots=True)
class _Held:
    """A table that has the owner's states up to `level`."""

    table: FingerprintTable
    level: int


class Worker:
    """Kernels and tables of one process."""

    def __init__(self) -> None:
        self._kernels: OrderedDict[str, Kernel] = OrderedDict()
        self._tables: OrderedDict[tuple[str, int], _Held] = OrderedDict()

    def kernel(self, plan: Plan) -> Kernel:
        key = plan.recipe.key
        if key not in self._kernels:
            while len(self._kernels) > 3:
                self._kernels.popitem(last=False)
            self._kernels[key] = plan.recipe.kernel()
        return self._kernels[key]

    # --- expanding ---------------------------------------------------------------------------------------------

    def stored(self, plan: Plan, level: int, owner: int) -> Iterator[Rows]:
        """The owner's states of a level, from the files; those below `plan.before` where that is given."""
        name, start = states_file(level, owner), 0
        ranks = np.frombuffer(plan.store.read(order_file(level, owner)), np.uint64) if plan.ranked else None
        for table in plan.store.groups(name, ["fingerprint", "order", "state"]):
            fingerprints = table.column("fingerprint").to_numpy().view(np.uint64)
            orders = table.column("order").to_numpy().view(np.uint64)
            if ranks is not None:
                orders = ranks[start : start + len(orders)]
            start += len(orders)
            states = states_of(table.column("state"), plan.words)
            nothing = np.empty((len(orders), 0), np.uint64)
            rows = Rows(fingerprints, orders, fingerprints, np.zeros(len(orders), np.int16), states, nothing)
            if plan.before is not None:
                rows = rows.take(slice(0, int(np.searchsorted(orders, np.uint64(plan.before)))))
            yield rows

    def expansions(self, plan: Plan, level: int, owner: int, portions: Iterable[Rows]) -> Expansions:
        """Of the owner's states of a level, which come in order, some at a time."""
        held = self._tables.get((plan.run, owner))
        visited = held.table if held is not None and held.level == level else None
        return Expansions(self.kernel(plan), plan, owner, level, portions, visited)

    # --- taking in ---------------------------------------------------------------------------------------------

    def incoming(self, plan: Plan, level: int, owner: int) -> Incoming:
        """For what comes for the owner in a level."""
        held = self._tables.get((plan.run, owner))
        is_fit = held is not None and 0 <= held.level < level
        return Incoming(plan, held.table.has if held is not None and is_fit else None)

    def absorb(self, plan: Plan, level: int, owner: int, incoming: Incoming) -> tuple[Taken, Absorbed]:
        """Which candidates are new: of several with one fingerprint the first in order. Writes the level's file."""
        held, rebuilt = self._table(plan, level, owner)
        if held is not None:
            held.level = UNFIT
        taken = Taken(plan, incoming.spilled)
        report = Absorbed(level, owner, 0, 0, 0, [0] * len(plan.actions))
        report.dropped, report.spilled = incoming.dropped, incoming.spilled
        events: list[Event] = []
        for portion in incoming.portions():
            rows = portion.take(np.argsort(portion.orders, kind="stable"))
            if held is not None:
                fresh = held.table.add(rows.fingerprints)
            else:
                fresh, read = _unseen(plan, level, owner, rows.fingerprints)
                rebuilt += read
            rows = rows.take(fresh)
            for action, count in enumerate(np.bincount(rows.actions, minlength=len(plan.actions)).tolist()):
                report.distinct[action] += count
            events += self.check(plan, rows, False)
            report.largest = max(report.largest, int(rows.orders[-1]) if len(rows) else 0)
            taken.add(rows)
        report.rows, report.rebuilt = len(taken), rebuilt
        report.table_bytes = sum(h.table.bytes for h in self._tables.values())
        report.events = list(first_events(events).values())
        report.spoken = self.kernel(plan).spoken()
        if any(event.verdict is Code.TOO_SMALL for event in report.events):
            report.narrow = self.kernel(plan).narrow()
        with plan.store.writer(states_file(level, owner), SCHEMA) as writer:
            for rows in taken.chunks(ROWS_EACH):
                writer.add(to_table(rows, plan.actions, self.kernel(plan).arguments, plan.bits, False))
        report.file_bytes = writer.size
        if held is not None:
            held.level = level
        return taken, report

    def check(self, plan: Plan, rows: Rows, initial: bool) -> list[Event]:
        """The invariants of new states."""
        kernel, events = self.kernel(plan), []
        step = 16 * BLOCK[bool(plan.words)]
        for start in range(0, len(rows), step):
            verdicts, properties = kernel.check(rows.states[start : start + step], initial)
            for i in np.flatnonzero(verdicts).tolist():
                verdict, at = Code(int(verdicts[i])), start + i
                events.append(Event(int(rows.orders[at]), 0, verdict, int(properties[i]), int(rows.parents[at])))
        return list(first_events(events).values())

    def _table(self, plan: Plan, level: int, owner: int) -> tuple[_Held | None, int]:
        """The owner's table with all levels below `level`, and how many states were read for that. None: no room."""
        key = (plan.run, owner)
        held = self._tables.get(key)
        if held is not None and not 0 <= held.level < level:
            del self._tables[key]
            held = None
        if _table_bytes(plan.known[owner]) > plan.table_bytes:
            self._tables.pop(key, None)
            return None, 0
        if held is None:
            held = self._tables[key] = _Held(self.kernel(plan).table(), 0)
        self._tables.move_to_end(key)
        while len(self._tables) > 1 and sum(h.table.bytes for h in self._tables.values()) > plan.table_bytes:
            self._tables.popitem(last=False)
        read = 0
        for missing in range(held.level + 1, level):
            held.level = UNFIT
            for fingerprints in plan.store.fingerprints(missing, owner):
                held.table.add(fingerprints)
                read += len(fingerprints)
            held.level = missing
        return held, read


def _table_bytes(states: int) -> int:
    """Bytes of a table with so many fingerprints, while it grows."""
    size = 4096
    while states > size - size // 5:
        size *= 2
    return size * 8


def _unseen(plan: Plan, level: int, owner: int, fingerprints: NDArray[np.uint64]) -> tuple[NDArray[np.bool_], int]:
    """Without a table: the first of each fingerprint that is in no file of an earlier level."""
    distinct, first = np.unique(fingerprints, return_index=True)
    known, read = np.zeros(len(distinct), np.bool_), 0
    for before in range(1, level):
        for part in plan.store.fingerprints(before, owner):
            found = np.minimum(np.searchsorted(distinct, part), max(0, len(distinct) - 1))
            if len(distinct):
                known[found[distinct[found] == part]] = True
            read += len(part)
    fresh = np.zeros(len(fingerprints), np.bool_)
    fresh[first[~known]] = True
    return fresh, read


@lru_cache(maxsize=1)
def this_worker() -> Worker:
    """The one of this process: a Spark worker keeps it from task to task."""
    return Worker()
