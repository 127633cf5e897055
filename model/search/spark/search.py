"""The driver: which levels to explore next and by whom, what came of them, when it is over.

What is counted, and where a search stops, is what breadth_first.py says: counts, verdict and counterexample are those
of a search by one worker, for any number of partitions.
"""

from __future__ import annotations

import uuid
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.idle import Idle
from rmqproof.model.search.kernel import Code, TooSmall
from rmqproof.model.search.result import Collision, Failure, PropertyKind, Result, Verdict, Violation
from rmqproof.model.search.spark.ending import Decode, Past, ending
from rmqproof.model.search.spark.estimate import estimate
from rmqproof.model.search.spark.kernel import Kernel, Recipe
from rmqproof.model.search.spark.plan import Plan, balanced
from rmqproof.model.search.spark.ranking import renumber
from rmqproof.model.search.spark.report import Event, Expanded, Granted, Kept, Report, by_level, complete
from rmqproof.model.search.spark.rows import MOST_BITS, Rows, to_table
from rmqproof.model.search.spark.runner import Cancelled, LocalRunner, Runner, Starting
from rmqproof.model.search.spark.setting import LEAST_INCOMING, Measure, Setting
from rmqproof.model.search.spark.store import (
    FOLDERS,
    Level,
    Manifest,
    StoreError,
    fingerprints_file,
    order_file,
    owned_table,
    states_file,
)
from rmqproof.model.search.spark.worker import Worker
from rmqproof.model.search.statistics import Counters, findings
from rmqproof.model.search.system import System

SMALL = 1_000_000
"""States of a level up to which several levels are chained in a job."""
FIRST_BITS = 8
WIDEST_BITS = 24


@dataclass(frozen=True, slots=True)
class _Partial:
    """Of a level in which the search stopped: what it counted, its new states, the depth there.

    `expanded`: states that are not left to expand; the last one met is not, where it was new.
    """

    counters: Counters
    new: int
    expanded: int
    depth: int


class SparkSearch:
    """One search. `spark` makes the runner that takes over, when it is first needed; None: this process does it all."""

    def __init__(
        self,
        system: System,
        recipe: Recipe,
        kernel: Kernel,
        decode: Decode,
        setting: Setting,
        *,
        control: Control | None = None,
        spark: Callable[[], Runner] | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.system, self.recipe, self.kernel, self.setting = system, recipe, kernel, setting
        self.control = control if control is not None else Control()
        self.say = say
        self.measure = Measure()
        self._worker = Worker()
        self._local: Runner = LocalRunner(self._worker)
        self._spark = spark
        self._remote: Runner | None = None
        self._starting: Starting | None = None
        self._past = Past(setting.store, setting.partitions, system, decode)
        self._run = uuid.uuid4().hex
        self._bits = FIRST_BITS
        self._ranked = False
        self._largest = 0
        self._violation: Violation | None = None
        self._failure: Failure | None = None
        self._partial: _Partial | None = None
        self._over = False
        self._said = 0.0
        self.manifest = self._new_manifest()

    def run(self) -> Result:
        """Explore to the end, to a violation or failure, or to a stop that `control` asks for.

        Raise `StoreError`; `TooSmall` when the kernel has to be made anew; `Disagreement`.
        """
        self.control.start()
        result = self._resume() if self.setting.resume else self._start()
        if result is not None:
            return result
        try:
            while not self._over and not self._should_stop():
                self._advance()
        except Cancelled:
            pass
        finally:
            if self._starting is not None:
                self._starting.wait()
        if self.control.stopped is None or self._over:
            self.manifest.verdict = str(self.result().verdict)
        self._save()
        return self.result()

    # --- the start ---------------------------------------------------------------------------------------------

    def _new_manifest(self) -> Manifest:
        setting = self.setting
        return Manifest(
            identity=setting.identity,
            description=setting.description,
            kernel=self.recipe.key,
            engine=setting.engine,
            partitions=setting.partitions,
            words=self.kernel.words,
            tool=setting.tool,
            actions=list(self.kernel.actions),
            variables=list(self.system.variables),
            model=dict(setting.model),
            counters=self._no_counts(),
            edges=setting.edges,
        )

    def _no_counts(self) -> Counters:
        """By the kernel's actions, which need not stand in the order of the system's."""
        return Counters.of(len(self.kernel.actions))

    def _start(self) -> Result | None:
        """Take in the initial states. A result where a local search ends with them."""
        setting, manifest = self.setting, self.manifest
        if setting.store.exists("manifest.json"):
            raise StoreError(
                f"{setting.store.path('manifest.json')}: there is a store here already. "
                "Continue it with --resume, remove it, or name another folder with --store."
            )
        for folder in FOLDERS:
            setting.store.remove(folder)
        found = self.kernel.initial()
        count = len(found.fingerprints)
        inside = np.flatnonzero(found.inside)
        _, first = np.unique(found.fingerprints[inside], return_index=True)
        new = inside[np.sort(first)]
        verdicts, _ = self.kernel.check(found.states[new], True)
        ends = found.verdicts.any() or found.outcomes.any() or verdicts.any()
        if Code.TOO_SMALL in (*found.verdicts.tolist(), *found.outcomes.tolist(), *verdicts.tolist()):
            raise TooSmall(self.kernel.narrow())
        if ends or not len(new) or not self.system.actions:
            return BreadthFirst(self.system, control=self.control, workers=1).run()
        manifest.spoken = self.kernel.spoken()
        manifest.counters.initial = count
        manifest.counters.cut = count - len(inside)
        none = np.zeros(len(new), np.uint64)
        rows = Rows(
            found.fingerprints[new],
            new.astype(np.uint64),
            none,
            np.zeros(len(new), np.int16),
            found.states[new],
            found.arguments[new],
        )
        owners = rows.fingerprints % np.uint64(setting.partitions)
        level = Level(1, [], [], [], [], 0)
        for owner in range(setting.partitions):
            mine = rows.take(owners == np.uint64(owner))
            table = to_table(mine, self.kernel.actions, self.kernel.arguments, MOST_BITS, True)
            level.rows.append(len(mine))
            level.bytes.append(setting.store.write(states_file(1, owner), table))
            owned = owned_table(mine.fingerprints, np.full(len(mine), owner, np.int32))
            level.owned.append(len(mine))
            level.owned_bytes.append(setting.store.write(fingerprints_file(1, owner), owned))
        manifest.levels.append(level)
        self._largest = count
        self._save()
        return None

    def _resume(self) -> Result | None:
        setting, fresh = self.setting, self.manifest
        manifest = setting.store.load()
        if manifest.identity != fresh.identity:
            raise setting.store.refuse(
                "manifest.json",
                f"it belongs to another model ({manifest.description}): the specification, the configuration or an "
                "option has changed since",
            )
        if (manifest.kernel, manifest.words) != (fresh.kernel, fresh.words):
            raise setting.store.refuse(
                "manifest.json", f"its states are packed in another way (by the {manifest.engine} kernel of that time)"
            )
        for name, found, asked in (
            ("--partitions", manifest.partitions, fresh.partitions),
            ("--edges", manifest.edges, fresh.edges),
        ):
            if found != asked:
                raise StoreError(
                    f"{setting.store.path('manifest.json')}: this store was begun with {name} {found}; "
                    "continue it with the same."
                )
        setting.store.verify(manifest)
        self.manifest = manifest
        if manifest.finished:
            self._over = True
            return None
        setting.store.remove_after(manifest.levels[-1].number)
        renumber(setting.store, manifest.levels[-1].number, setting.partitions)
        self._ranked, self._largest = True, manifest.levels[-1].states
        self.say(
            f"Resumed at level {manifest.levels[-1].number}: {manifest.distinct:,} distinct states, "
            f"{manifest.levels[-1].states:,} of them to expand."
        )
        return None

    # --- a stretch of levels -----------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Explore one or several levels more."""
        started = monotonic()
        frontier = self.manifest.levels[-1]
        runner = self._runner(frontier)
        levels = runner.chain if frontier.states <= SMALL else min(2, runner.chain)
        if self._largest.bit_length() + levels * self._bits > MOST_BITS:
            renumber(self.setting.store, frontier.number, self.setting.partitions)
            self._ranked, self._largest = True, frontier.states
            levels = max(1, min(levels, (MOST_BITS - self._largest.bit_length()) // self._bits))
        plan = self._plan(frontier.number, levels)
        reports = runner.run(plan, self._should_stop_now)
        if self._recover(reports):
            return
        self._commit(plan, reports, runner)
        last = self.manifest.levels[-1]
        found = sum(level.states for level in self.manifest.levels if level.number > plan.first)
        self.measure.levels.append((last.number, found, monotonic() - started))
        if plan.ranked:
            self.setting.store.remove(order_file(plan.first, 0).rpartition("/")[0])
        self._save()
        self._tell(last, found, monotonic() - started, runner)

    def _plan(self, first: int, levels: int) -> Plan:
        setting, manifest = self.setting, self.manifest
        processes = (self._remote or self._local).processes
        frontier = manifest.levels[first - 1]
        known = [sum(level.owned[owner] for level in manifest.levels) for owner in range(setting.partitions)]
        tables = setting.table_bytes if setting.memory is None else setting.memory.tables(processes)
        incoming = setting.incoming_bytes
        return Plan(
            recipe=self.recipe,
            store=setting.store,
            run=self._run,
            partitions=setting.partitions,
            words=self.kernel.words,
            argument_words=self.kernel.argument_words,
            actions=tuple(self.kernel.actions),
            first=first,
            levels=levels,
            bits=self._bits,
            ranked=self._ranked,
            known=tuple(known),
            table_bytes=tables,
            incoming_bytes=incoming if incoming is not None else max(LEAST_INCOMING, tables // 4),
            slices=balanced(frontier.rows),
            edges=setting.edges,
        )

    def _runner(self, frontier: Level) -> Runner:
        if self._remote is not None:
            return self._remote
        if self._spark is None or frontier.states < self.setting.hand_over:
            return self._local
        if not self.setting.beside:
            self._remote = self._spark()
        else:
            if self._starting is None:
                self._starting = Starting(self._spark)
            if not self._starting.is_over:
                return self._local
            self._remote = self._starting.runner()
        seconds = self.control.seconds()
        self.say(
            f"Level {frontier.number} has {frontier.states:,} states: Spark takes over, with "
            f"{self.setting.partitions} partitions, after {seconds:.1f} s and {self.manifest.distinct:,} distinct "
            "states."
        )
        self.measure.handed_over = frontier.number
        self._worker = Worker()
        self._local = LocalRunner(self._worker)  # the tables of the old one are not needed any more
        return self._remote

    def _recover(self, reports: Sequence[Report]) -> bool:
        """Whether the job has to be done again. Raise `TooSmall`."""
        expanded = [report for report in reports if isinstance(report, Expanded)]
        for report in reports:
            if not isinstance(report, Granted) and report.narrow is not None:
                raise TooSmall(report.narrow)
        if not any(report.too_many for report in expanded):
            return False
        most = max(report.most for report in expanded)
        if most.bit_length() > WIDEST_BITS:
            raise StoreError(f"A state has {most:,} successors: the Spark engine numbers at most {1 << WIDEST_BITS:,}.")
        self._bits = max(most.bit_length() + 2, self._bits)
        return True

    def _commit(self, plan: Plan, reports: Sequence[Report], runner: Runner) -> None:
        """Take in the levels of a job, up to the first that ends the search."""
        expanded, granted, kept = by_level(reports, Expanded), by_level(reports, Granted), by_level(reports, Kept)
        self._weigh(reports)
        manifest = self.manifest
        for number in range(plan.first, plan.first + plan.levels):
            old, owners, new = expanded[number], granted[number + 1], kept[number + 1]
            complete(old, owners, new, plan.partitions)
            level = Level(
                number + 1,
                [r.rows for r in new],
                [r.file_bytes for r in new],
                [r.rows for r in owners],
                [r.file_bytes for r in owners],
                plan.bits,
            )
            events = [event for a in old for event in a.events] + [event for b in new for event in b.events]
            stop = min(events, default=None)
            if stop is not None:
                self._end(plan, number, stop, level, runner)
                return
            if plan.edges:
                manifest.levels[-1].edges = [r.edges for r in old]
            for report in old:
                manifest.counters.add(report.counters)
                manifest.spoken |= report.spoken
            for taken in new:
                manifest.spoken |= taken.spoken
                for action, count in enumerate(taken.distinct):
                    manifest.counters.distinct[action] += count
            if not level.states:
                manifest.finished = self._over = True
                return
            manifest.levels.append(level)
            self._largest = max(r.largest for r in new)
            self._ranked = False

    def _weigh(self, reports: Sequence[Report]) -> None:
        measure = self.measure
        for report in reports:
            if isinstance(report, Expanded):
                measure.claims += report.claims
                measure.shuffled += report.bytes
            elif isinstance(report, Granted):
                measure.shuffled += report.bytes
                measure.file_bytes += report.file_bytes
                measure.rebuilt += report.rebuilt
                measure.dropped += report.dropped
                measure.spilled += report.spilled
                measure.table_bytes = max(measure.table_bytes, report.table_bytes)
            else:
                measure.file_bytes += report.file_bytes
                measure.again += report.again

    # --- the end -----------------------------------------------------------------------------------------------

    def _end(self, plan: Plan, number: int, stop: Event, level: Level, runner: Runner) -> None:
        """The search stops in the expansion of level `number`, at `stop`."""
        bits, store = plan.bits, self.setting.store
        partial = self._plan(number, 0)
        before = stop.order >> bits
        ranked = plan.ranked and number == plan.first
        counting = _replaced(partial, before, ranked, bits)
        counters, expanded = self._no_counts(), 1
        for report in runner.run(counting, self._should_stop_now):
            assert isinstance(report, Expanded)
            counters.add(report.counters)
            expanded += report.states
        new = 0
        names = self.kernel.actions
        for owner in range(plan.partitions):
            table = store.columns(states_file(level.number, owner), ["order", "action"])
            kept = table.slice(0, int(np.searchsorted(table.column("order").to_numpy(), stop.order, side="right")))
            new += len(kept)
            for name, count in Tally(kept.column("action").to_pylist()).items():
                counters.distinct[names.index(name)] += count
        ordinal = stop.order & ((1 << bits) - 1)
        found = self._new_of(stop, bits, level)
        end = ending(self.system, self._past, number, stop, ordinal, found)
        counters.add(end.counters.rearranged(self.system.actions, self.kernel.actions))
        self._violation, self._failure = end.violation, end.failure
        self._partial = _Partial(counters, new, expanded + (ordinal in found), level.number if new else number)
        self._over = True

    def _new_of(self, event: Event, bits: int, level: Level) -> frozenset[int]:
        """The numbers of the successors of the event's parent that were new."""
        first = event.order >> bits << bits
        found: set[int] = set()
        for owner in range(self.setting.partitions):
            column = self.setting.store.columns(states_file(level.number, owner), ["order"]).column("order")
            orders = column.to_numpy()
            start, end = np.searchsorted(orders, [first, first + (1 << bits)])
            found.update((orders[start:end] - first).tolist())
        return frozenset(found)

    # --- what is known -----------------------------------------------------------------------------------------

    def _counts(self) -> tuple[int, int, int]:
        """Distinct, total, depth."""
        manifest = self.manifest
        distinct, total, depth = manifest.distinct, manifest.counters.total, len(manifest.levels)
        if self._partial is not None:
            partial = self._partial
            distinct, total, depth = distinct + partial.new, total + partial.counters.total, partial.depth
        return distinct, total, depth

    def _should_stop(self) -> bool:
        distinct, total, depth = self._counts()
        queue = self.manifest.levels[-1].states
        return self.control.should_stop(total, distinct, queue, depth)

    def _should_stop_now(self) -> bool:
        """In the middle of a job: not because of the number of states, which is looked at between jobs."""
        return self._should_stop()

    def _save(self) -> None:
        self.manifest.seconds = round(self.control.seconds(), 3)
        self.setting.store.save(self.manifest)

    def _tell(self, last: Level, found: int, seconds: float, runner: Runner) -> None:
        now = monotonic()
        if runner is self._local or now - self._said < 1.0 or self._over:
            return
        self._said = now
        left = estimate([level.states for level in self.manifest.levels])
        self.say(
            f"Level {last.number}: {last.states:,} states; {self.manifest.distinct:,} distinct, "
            f"{found / max(seconds, 1e-6):,.0f} new a second; "
            + (f"about {left:,} more by the shape of the levels so far." if left is not None else "levels still grow.")
        )

    def _queue(self, distinct: int, exhaustive: bool) -> int:
        """States known and not expanded."""
        if exhaustive or not self.manifest.levels:
            return 0
        last = self.manifest.levels[-1].states
        if self._partial is None:
            return last
        return distinct - (self.manifest.distinct - last) - self._partial.expanded

    def result(self) -> Result:
        distinct, total, depth = self._counts()
        counters = self._no_counts()
        counters.add(self.manifest.counters)
        if self._partial is not None:
            counters.add(self._partial.counters)
        counters = counters.rearranged(self.kernel.actions, self.system.actions)
        violations = (self._violation,) if self._violation is not None else ()
        ended = self._partial is not None
        exhaustive = self._over and not ended and self._failure is None
        stopped = self.control.stopped if not violations and self._failure is None and not exhaustive else None
        verdict = Verdict.SUCCESS if exhaustive else Verdict.ERROR
        if violations:
            verdict = violations[0].kind.verdict
        queue = self._queue(distinct, exhaustive)
        idle = Idle(self.system, self.manifest.spoken).names
        return Result(
            verdict=verdict,
            distinct=distinct,
            total=total,
            depth=depth,
            seconds=self.control.seconds(),
            engine="spark",
            workers=self.setting.partitions,
            message=_message(violations, self._failure, stopped, queue),
            exhaustive=exhaustive,
            queue=queue,
            initial=counters.initial,
            cut=counters.cut,
            violations=violations,
            failure=self._failure,
            stopped=stopped,
            coverage=counters.coverage(self.system.actions),
            collision=Collision(distinct * ((total - distinct) / 2.0**64)),
            findings=findings(self.system, counters, distinct, idle) if exhaustive else (),
        )


def _message(violations: Sequence[Violation], failure: Failure | None, stopped: object, queue: int) -> str:
    """As `BreadthFirst` says it."""
    if violations:
        first = violations[0]
        if first.kind is PropertyKind.DEADLOCK:
            return f"Deadlock: the last state of a behaviour of {first.depth} states has no successor."
        where = "an initial state" if first.depth == 1 else f"a behaviour of {first.depth} states"
        return f"{first.kind.capitalize()} {first.name} is violated by {where}."
    if failure is not None:
        return str(failure.error)
    if stopped is not None:
        return f"Stopped ({stopped}) with {queue} states left to expand: nothing is proved."
    return ""


def _replaced(plan: Plan, before: int, ranked: bool, bits: int) -> Plan:
    return replace(plan, before=before, ranked=ranked, bits=bits, edges=False)
