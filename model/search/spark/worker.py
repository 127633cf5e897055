"""What a process holds between tasks, and the thirds of a level: expand states, grant what is new of it, keep that.

A task may run in any process, twice, or be killed at any moment. What it leaves is a file whose content does not depend
on who wrote it, and a table in this process. The table is marked as unfit before it takes anything in, and as fit for
the level once the file has its name; an unfit one is made anew from the files, one that is behind takes in the files
that it lacks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.kernel import Code
from rmqproof.model.search.spark.expanding import BLOCK, Expansions, blocks, successors
from rmqproof.model.search.spark.incoming import Incoming, Known, Taken
from rmqproof.model.search.spark.kernel import Kernel, Recipe
from rmqproof.model.search.spark.plan import Plan, Slice
from rmqproof.model.search.spark.report import Event, Granted, Kept, first_events
from rmqproof.model.search.spark.rows import ROWS_EACH, SCHEMA, Rows, bytes_of, states_of, to_table
from rmqproof.model.search.spark.spool import Spool, spool_of_executor
from rmqproof.model.search.spark.store import OWNED, fingerprints_file, order_file, owned_table, states_file
from rmqproof.model.search.spark.table import FingerprintTable

UNFIT = -1
Orders = NDArray[np.uint64]


@dataclass(slots=True)
class _Held:
    """A table that has the owner's fingerprints up to `level`."""

    table: FingerprintTable
    level: int


class Worker:
    """Kernels, tables and the spool of one process."""

    def __init__(self, spool: Spool | None = None) -> None:
        self.spool = spool if spool is not None else Spool()
        self._kernels: OrderedDict[str, Kernel] = OrderedDict()
        self._tables: OrderedDict[tuple[str, int], _Held] = OrderedDict()

    def kernel(self, recipe: Recipe) -> Kernel:
        key = recipe.key
        if key not in self._kernels:
            while len(self._kernels) > 3:
                self._kernels.popitem(last=False)
            self._kernels[key] = recipe.kernel()
        return self._kernels[key]

    # --- expanding ---------------------------------------------------------------------------------------------

    def stored(self, plan: Plan, level: int, slices: Iterable[Slice]) -> Iterator[Rows]:
        """States of a level, from the files; those below `plan.before` where that is given."""
        for piece in slices:
            ranks = np.frombuffer(plan.store.read(order_file(level, piece.file)), np.uint64) if plan.ranked else None
            columns = ["fingerprint", "order", "state"]
            for start, table in plan.store.rows(states_file(level, piece.file), columns, piece.start, piece.stop):
                fingerprints = table.column("fingerprint").to_numpy().view(np.uint64)
                orders = table.column("order").to_numpy().view(np.uint64)
                if ranks is not None:
                    orders = ranks[start : start + len(orders)]
                states = states_of(table.column("state"), plan.words)
                nothing = np.empty((len(orders), 0), np.uint64)
                rows = Rows(fingerprints, orders, fingerprints, np.zeros(len(orders), np.int16), states, nothing)
                if plan.before is not None:
                    rows = rows.take(slice(0, int(np.searchsorted(orders, np.uint64(plan.before)))))
                yield rows

    def expansions(self, plan: Plan, level: int, part: int, portions: Iterable[Rows]) -> Expansions:
        """Of a part's states of a level, which come in order, some at a time."""
        return Expansions(self.kernel(plan.recipe), plan, part, level, portions, self._known(plan, level))

    def _known(self, plan: Plan, level: int) -> Known | None:
        """What owners whose tables are at hand had up to a level: a table that is further is of no use."""
        tables = {
            owner: held.table
            for (run, owner), held in self._tables.items()
            if run == plan.run and 0 <= held.level <= level
        }
        if not tables:
            return None

        def known(fingerprints: Orders) -> NDArray[np.bool_]:
            owners = fingerprints % np.uint64(plan.partitions)
            found = np.zeros(len(fingerprints), np.bool_)
            for owner, table in tables.items():
                mine = np.flatnonzero(owners == np.uint64(owner))
                found[mine] = table.has(fingerprints[mine])
            return found

        return known

    # --- granting ----------------------------------------------------------------------------------------------

    def incoming(self, plan: Plan, level: int, owner: int) -> Incoming:
        """For what is claimed of the owner in a level."""
        held = self._tables.get((plan.run, owner))
        is_fit = held is not None and 0 <= held.level < level
        return Incoming(plan, held.table.has if held is not None and is_fit else None)

    def grant(self, plan: Plan, level: int, owner: int, incoming: Incoming) -> tuple[list[Orders], Granted]:
        """For each part the orders of what it claimed first, and what nobody had before.

        Of several claims of one fingerprint the first in order counts. Writes the owner's file of fingerprints.
        """
        held, rebuilt = self._table(plan, level, owner)
        if held is not None:
            held.level = UNFIT
        report = Granted(level, owner, dropped=incoming.dropped, spilled=incoming.spilled)
        orders: list[list[Orders]] = [[] for _ in range(plan.partitions)]
        with plan.store.writer(fingerprints_file(level, owner), OWNED) as writer:
            for portion in incoming.portions():
                claims = portion.take(np.argsort(portion.orders, kind="stable"))
                if held is not None:
                    fresh = held.table.add(claims.fingerprints)
                else:
                    fresh, read = _unseen(plan, level, owner, claims.fingerprints)
                    rebuilt += read
                claims = claims.take(fresh)
                report.rows += len(claims)
                writer.add(owned_table(claims.fingerprints, claims.parts))
                for part in range(plan.partitions):
                    orders[part].append(claims.orders[claims.parts == part])
        report.file_bytes, report.rebuilt = writer.size, rebuilt
        report.table_bytes = sum(h.table.bytes for h in self._tables.values())
        if held is not None:
            held.level = level
        return [np.sort(np.concatenate(some)) for some in orders], report

    # --- keeping -----------------------------------------------------------------------------------------------

    def keep(self, plan: Plan, level: int, part: int, granted: Sequence[Orders]) -> tuple[Taken, Kept]:
        """Write the states with these orders, which the part has generated: from the spool, else computed again."""
        orders = np.sort(np.concatenate([np.empty(0, np.uint64), *granted]))
        report = Kept(level, part, len(orders), distinct=[0] * len(plan.actions))
        waiting = self.spool.rows(plan.spool, level - 1, part) if len(orders) else iter(())
        taken = _chosen(plan, waiting, orders) if waiting is not None else None
        if taken is None or len(taken) != len(orders):
            taken, report.again = _chosen(plan, self._generated(plan, level - 1, part, orders), orders), True
        if len(taken) != len(orders):
            raise RuntimeError(f"level {level}: part {part} has {len(taken)} of {len(orders)} states that it claimed")
        events: list[Event] = []
        with plan.store.writer(states_file(level, part), SCHEMA) as writer:
            for rows in taken.chunks(ROWS_EACH):
                for action, count in enumerate(np.bincount(rows.actions, minlength=len(plan.actions)).tolist()):
                    report.distinct[action] += count
                events += self.check(plan, rows, False)
                writer.add(to_table(rows, plan.actions, self.kernel(plan.recipe).arguments, plan.bits, False))
        report.largest = int(orders[-1]) if len(orders) else 0
        report.file_bytes = writer.size
        report.events = list(first_events(events).values())
        report.spoken = self.kernel(plan.recipe).spoken()
        if any(event.verdict is Code.TOO_SMALL for event in report.events):
            report.narrow = self.kernel(plan.recipe).narrow()
        self.spool.remove(plan.spool, level - 1, part)
        return taken, report

    def _generated(self, plan: Plan, level: int, part: int, orders: Orders) -> Iterator[Rows]:
        """The successors of a part's states of a level, of those parents of whom some successor has one of `orders`."""
        first = level == plan.first
        stored = self.stored(plan if first else plan.unranked(), level, plan.slices[part] if first else [Slice(part)])
        wanted = np.unique(orders >> np.uint64(plan.bits))
        for parents in blocks(plan, stored):
            needed = parents.take(np.isin(parents.orders, wanted))
            if len(needed):
                rows, kept = successors(needed, self.kernel(plan.recipe).expand(needed.states), plan.bits)
                yield rows.take(kept)

    def check(self, plan: Plan, rows: Rows, initial: bool) -> list[Event]:
        """The invariants of new states."""
        kernel, events = self.kernel(plan.recipe), []
        step = 16 * BLOCK[bool(plan.words)]
        for start in range(0, len(rows), step):
            verdicts, properties = kernel.check(rows.states[start : start + step], initial)
            for i in np.flatnonzero(verdicts).tolist():
                verdict, at = Code(int(verdicts[i])), start + i
                events.append(Event(int(rows.orders[at]), 0, verdict, int(properties[i]), int(rows.parents[at])))
        return list(first_events(events).values())

    def _table(self, plan: Plan, level: int, owner: int) -> tuple[_Held | None, int]:
        """The owner's table with all levels below `level`, and how much was read for that. None: no room."""
        key = (plan.run, owner)
        held = self._tables.get(key)
        if held is not None and not 0 <= held.level < level:
            del self._tables[key]
            held = None
        if _table_bytes(plan.known[owner]) > plan.table_bytes:
            self._tables.pop(key, None)
            return None, 0
        if held is None:
            held = self._tables[key] = _Held(self.kernel(plan.recipe).table(), 0)
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


def _chosen(plan: Plan, rows: Iterable[Rows], orders: Orders) -> Taken:
    """Those with one of these orders, which rise."""
    taken: Taken | None = None
    for some in rows:
        place = np.minimum(np.searchsorted(orders, some.orders), max(0, len(orders) - 1))
        chosen = some.take(orders[place] == some.orders)
        if taken is None:
            each = bytes_of(some) / max(1, len(some))
            taken = Taken(plan, each * len(orders) > plan.incoming_bytes)
        taken.add(chosen)
    return taken if taken is not None else Taken(plan, False)


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
    return Worker(spool_of_executor())
