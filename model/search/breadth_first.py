"""Breadth-first search: every reachable state, the shortest counterexample, TLC's counts.

States are numbered in the order of discovery and expanded in that order, so the index of the state that is expanded
next is the number of states expanded so far, and the queue holds the states from there to the last one. The order, and
with it every count and the counterexample, is the same for any number of workers and after any resume.

What is counted, and when a search stops, follows TLC with one worker (its `Worker.addElement`):

- every successor counts as generated, also a repeated one and one that the constraints cut;
- a state that the constraints cut is not new, is never expanded, and has its invariants checked each time it is met;
- a state that satisfies them is counted as distinct before its invariants are checked, and they are checked once;
- step properties are checked on every step, also to a state seen before or cut;
- a state is a deadlock when it has no successor at all, cut ones included;
- a violation stops the search at once, in the middle of a state's successors;
- the depth is the number of states on the longest of the shortest paths to a distinct state, and at least 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import NoReturn

from rmqproof.model.records import dataclass
from rmqproof.model.search.collector import quiet_collector
from rmqproof.model.search.control import Control, Halted
from rmqproof.model.search.fingerprint_set import INITIAL, FingerprintSet
from rmqproof.model.search.idle import Idle
from rmqproof.model.search.liveness.recorder import Recorder
from rmqproof.model.search.result import Failure, PropertyKind, Result, Step, Stopped, Verdict, Violation
from rmqproof.model.search.sample import Sample
from rmqproof.model.search.state_queue import StateQueue
from rmqproof.model.search.statistics import Counters, collision, findings
from rmqproof.model.search.system import Observing, State, System, Transition, intermediate_of
from rmqproof.model.search.trace import TraceError, behaviour_to
from rmqproof.model.search.workers import Batch, Team, available_workers

LOOK_AFTER = 1024
"""So many successors of one state, or initial states, are met before the search looks whether it is to stop."""

WITHOUT_NEXT = "There are initial states but no next-state relation."


@dataclass(slots=True)
class Search:
    """The whole state of a search: what a checkpoint saves and a resume continues."""

    seen: FingerprintSet = field(default_factory=FingerprintSet)
    queue: StateQueue = field(default_factory=StateQueue)
    counters: Counters = field(default_factory=Counters)
    expanded: int = 0
    """States expanded so far: the index of the first state of `queue`."""
    level: int = 1
    """The depth of the states that are being expanded."""
    level_end: int = 0
    """The index one past the last state of this level."""
    depth: int = 0
    violations: dict[str, Violation] = field(default_factory=dict)
    """The first of each property."""
    spoken: int = 0
    """Which properties had something to say: see `Idle`."""
    seconds: float = 0.0
    """Spent before a resume."""


class _Stop(Exception):  # control flow, not an error
    """A violation or failure was recorded: leave the search at once."""


class BreadthFirst:
    """One search of one system. `run` may be called once.

    `workers` None: as many as there are processors, used where a level is large enough to gain by it. `keep_going`:
    do not stop at a violated invariant or step property (TLC's `-continue`); a deadlock always stops. `block`: with
    more than one worker, expand so many states together (None: as many as measurements suggest). `recorder` is told of
    every state and step inside the constraints, which takes one worker and no resume. `sample` meets every state.
    `watch` is asked between two states, with the number of states that are known, whether the search may end there.
    """

    def __init__(
        self,
        system: System,
        *,
        control: Control | None = None,
        workers: int | None = None,
        keep_going: bool = False,
        resume: Search | None = None,
        engine: str = "python",
        block: int | None = None,
        recorder: Recorder | None = None,
        sample: Sample | None = None,
        watch: Callable[[int], bool] | None = None,
    ) -> None:
        self.system = system
        self.control = control if control is not None else Control()
        self.observing = system if isinstance(system, Observing) else None
        self.intermediate = intermediate_of(system)
        self._between = 0
        """How many states inside of compositions are counted."""
        self.recorder = recorder
        self.sample = sample if sample is not None else Sample()
        self.watch = watch
        if self.observing is not None or recorder is not None:
            workers = 1
        self.workers = available_workers() if workers is None else workers
        self.keep_going = keep_going
        self.engine = engine
        self.block = block
        self.search = resume if resume is not None else Search()
        self.resumed = resume is not None
        self.idle = Idle(system, self.search.spoken)
        self.violations = self.search.violations
        self.failure: Failure | None = None
        self.whole = True
        """False when the search ended in the middle of a state: it cannot be saved then."""
        if not self.resumed:
            self.search.counters = Counters.of(len(system.actions))

    def run(self) -> Result:
        """Explore until the end, a violation, a failure or a stop that `control` asks for.

        Errors of the system end up in `Result.failure`. `KeyboardInterrupt` is not caught here: a first Ctrl-C is
        `control.interrupt()`.
        """
        self.control.start()
        self.control.met = self.sample
        inside = self.control.inside
        try:
            with quiet_collector():
                inside[0] = True
                self._start()
                self._explore()
        except _Stop:
            pass
        except Halted:
            self.whole = False
            self.control.must_stop(len(self.search.seen))  # say why
        finally:
            inside[0] = False
        return self.result()

    # --- the start ---------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Take in the initial states."""
        if self.resumed:
            return
        search = self.search
        self._tell(0)
        for number, state in enumerate(self._initial_states(), 1):
            self._meet_initial(state)
            if not number % LOOK_AFTER:
                self._look()
        search.depth = 1 if search.counters.initial else 0
        search.level_end = len(search.seen)
        if self.control.on_initial is not None:
            self.control.on_initial(search.counters.initial, len(search.seen))
        if search.queue and not self.system.actions:
            self._no_actions(search.queue.first(1)[0])

    def _no_actions(self, state: State) -> None:
        """There are states and no way to step: what is wrong is what the system says, or that it says nothing."""
        try:
            for _ in self.system.successors(state):
                return
        except Exception as error:
            self._fail_at(error, "successors", 0, None)
        self._fail(ValueError(WITHOUT_NEXT), "successors", ())

    def _initial_states(self) -> Iterator[State]:
        try:
            yield from self.system.initial_states()
        except Exception as error:
            self._fail(error, "initial states", ())

    def _meet_initial(self, state: State) -> None:
        search, system = self.search, self.system
        search.counters.initial += 1
        search.depth = 1
        during = "constraint"
        try:
            self._tell(0)
            inside = system.within(state)
            during = "fingerprint"
            new = not inside or search.seen.add(system.fingerprint(state), INITIAL)
            if inside and new:
                search.queue.append(state)
                self.sample.meet(state)
                if self.recorder is not None:
                    self.recorder.start(system.fingerprint(state), state)
            elif not inside:
                search.counters.cut += 1
            if not new:
                return
            self._tell(0)
            for kind, properties in (
                (PropertyKind.INVARIANT, system.invariants),
                (PropertyKind.INITIAL, system.initial_properties),
            ):
                for prop in properties:
                    during = f"{kind} {prop.name}"
                    if not prop.holds(state):
                        self._violate(kind, prop.name, prop.sentence, (Step(None, (), state),))
            self.idle.meet(state)
        except _Stop:
            raise
        except Exception as error:
            self._fail(error, during, (Step(None, (), state),))

    # --- the exploration ---------------------------------------------------------------------------------------

    def _explore(self) -> None:
        search, control, system = self.search, self.control, self.system
        team = Team(system, self.workers, search.seen, self.block)
        queue, counters, inside = search.queue, search.counters, control.inside
        while queue:
            inside[0] = False
            if search.expanded == search.level_end:
                search.level += 1
                search.level_end = len(search.seen)
            if self.observing is not None and self.observing.stops():
                control.stopped = control.stopped or Stopped.ASKED
            search.spoken = self.idle.spoken
            if control.should_stop(counters.total, len(search.seen), len(queue), search.depth):
                return
            if self.watch is not None and self.watch(len(search.seen)):
                return
            inside[0] = True
            block = 1 if control.alone else team.block(search.expanded, search.level_end - search.expanded)
            if block > 1:
                self._expand_block(team, queue.first(block))
            else:
                self._expand(queue.popleft())
        inside[0] = False

    def _expand(self, parent: State) -> None:
        """Take in every successor of the first state of the queue, which `parent` was."""
        search, system = self.search, self.system
        seen, counters, index = search.seen, search.counters, search.expanded
        search.expanded = index + 1
        generated, distinct, fingerprint = counters.generated, counters.distinct, system.fingerprint
        constrained, within, allowed = system.has_constraints, system.within, system.allowed
        each_step = bool(system.step_properties or self.idle.steps)
        recorder, observed, meet, during = self.recorder, self.observing is not None, self.sample.meet, "successors"
        self._tell(search.level)
        enabled: set[int] = set()
        transition: Transition | None = None
        self._between = self.intermediate[0]
        try:
            for met, transition in enumerate(system.successors(parent), 1):
                if not met % LOOK_AFTER:
                    self._look()
                action, _, state = transition
                try:
                    generated[action] += 1
                except IndexError:
                    counters.reserve(len(system.actions))
                    generated[action] += 1
                enabled.add(action)
                if observed:
                    self._tell(search.level)
                during = "constraint"
                inside = not constrained or (within(state) and allowed(parent, state))
                new = True
                if inside:
                    during = "fingerprint"
                    name = fingerprint(state)
                    new = seen.add(name, index)
                    if new:
                        distinct[action] += 1
                        search.depth = search.level + 1
                        if observed:
                            self._tell(search.level)
                    if recorder is not None:
                        recorder.step(name, state)
                else:
                    counters.cut += 1
                if new or each_step:
                    self._properties(parent, transition, new)
                if inside and new:
                    search.queue.append(state)
                    meet(state)
                during = "successors"
                transition = None
        except _Stop:
            raise
        except Exception as error:
            self._fail_at(error, during, index, transition)
        self._count_between()
        if recorder is not None:
            recorder.close(counters.total)
        for action in enabled:
            counters.enabled[action] += 1
        if not enabled and system.check_deadlock:
            self._deadlock(index)

    def _properties(self, parent: State, transition: Transition, new: bool) -> None:
        """Ask every property about a step, and about the state that it leads to where that is `new`."""
        system, idle, state = self.system, self.idle, transition.state
        during = "invariant"
        try:
            if new:
                for invariant in system.invariants:
                    if not invariant.holds(state):
                        self._violate_step(PropertyKind.INVARIANT, invariant.name, invariant.sentence, transition)
                if idle.states:
                    idle.meet(state)
            during = "step property"
            for step in system.step_properties:
                if not step.holds(parent, state):
                    self._violate_step(PropertyKind.STEP, step.name, step.sentence, transition)
            if idle.steps:
                idle.step(parent, state)
        except _Stop:
            raise
        except Exception as error:
            self._fail_at(error, during, self.search.expanded - 1, transition)

    def _count_between(self) -> None:
        """Count the states that were found inside of compositions since the last time."""
        self.search.counters.between += self.intermediate[0] - self._between
        self._between = self.intermediate[0]

    def _deadlock(self, index: int) -> NoReturn:
        try:
            behaviour = behaviour_to(self.system, self.search.seen, index)
        except TraceError as error:
            self._fail(error, "the counterexample", ())
        self._violate(PropertyKind.DEADLOCK, "deadlock", "", behaviour)
        raise _Stop

    def _look(self) -> None:
        """In the middle of a state that has very many successors: report, and stop when that was asked for."""
        search, control = self.search, self.control
        if control.must_stop(len(search.seen)):
            control.halt()
        control.tell(search.counters.total, len(search.seen), len(search.queue), search.depth)

    def _tell(self, level: int) -> None:
        if self.observing is not None:
            search = self.search
            self.observing.now(level, search.counters.total, len(search.seen), len(search.queue), search.depth)

    def _expand_block(self, team: Team, parents: list[State]) -> None:
        """Expand many states with all workers, with the effect of `_expand` on each in turn."""
        search = self.search
        for batch in team.expand(parents, self.idle):
            room = self.control.max_states
            if room is not None and len(search.seen) + len(batch.candidates) >= room:
                batch = replace(batch, counters=None)
            self._merge(batch, parents[batch.start : batch.end])
            if self.control.stopped is not None:
                return

    def _merge(self, batch: Batch, parents: list[State]) -> None:
        """Take in what a worker found for `parents`, and expand here what it left out."""
        search = self.search
        done = 0
        if batch.counters is not None:
            base, seen, queue = search.expanded, search.seen, search.queue
            distinct, done = search.counters.distinct, batch.done
            for _ in range(done):
                queue.popleft()
            for offset, action, fingerprint, state in batch.candidates:
                if seen.add(fingerprint, base + offset):
                    distinct[action] += 1
                    search.depth = search.level + 1
                    queue.append(state)
                    self.sample.meet(state)
            search.expanded = base + done
            search.counters.add(batch.counters)
            self.idle.take(batch.spoken)
            search.spoken = self.idle.spoken
        for parent in parents[done:]:
            counters = search.counters
            if self.control.should_stop(counters.total, len(search.seen), len(search.queue), search.depth):
                return
            search.queue.popleft()
            self._expand(parent)

    # --- what stops it -----------------------------------------------------------------------------------------

    def _violate(self, kind: PropertyKind, name: str, sentence: str, behaviour: tuple[Step, ...]) -> None:
        self.control.inside[0] = False
        self.violations.setdefault(name, Violation(kind, name, sentence, behaviour))
        if not self.keep_going:
            raise _Stop

    def _violate_step(self, kind: PropertyKind, name: str, sentence: str, last: Transition) -> None:
        self._count_between()
        if name not in self.violations:
            self.control.inside[0] = False  # what was found is not to be lost
            self._violate(kind, name, sentence, self._behaviour(self.search.expanded - 1, last))
        self._between = self.intermediate[0]  # the way there is not the search's

    def _behaviour(self, index: int, last: Transition | None) -> tuple[Step, ...]:
        path = behaviour_to(self.system, self.search.seen, index)
        if last is None:
            return path
        return (*path, Step(self.system.actions[last.action], last.arguments, last.state))

    def _fail_at(self, error: Exception, during: str, index: int, last: Transition | None) -> None:
        self.control.inside[0] = False
        if isinstance(error, TraceError):
            self._fail(error, "the counterexample", ())
        if last is not None and during in ("invariant", "step property"):
            during = self._culprit(during, self._behaviour(index, None)[-1].state, last.state)
        self._fail(error, during, self._behaviour(index, last))

    def _culprit(self, during: str, before: State, after: State) -> str:
        """`during` with the name of the property that cannot be evaluated."""
        if during == "invariant":
            for invariant in self.system.invariants:
                if _raises(lambda invariant=invariant: invariant.holds(after)):
                    return f"{during} {invariant.name}"
        for step in self.system.step_properties:
            if _raises(lambda step=step: step.holds(before, after)):
                return f"{during} {step.name}"
        return during

    def _fail(self, error: Exception, during: str, behaviour: tuple[Step, ...]) -> NoReturn:
        self.failure = Failure(error, during, behaviour)
        raise _Stop from error

    # --- the outcome -------------------------------------------------------------------------------------------

    def result(self) -> Result:
        """What is known now; also after a `KeyboardInterrupt`."""
        search, counters = self.search, self.search.counters
        stopped = self.control.stopped if not self.violations and self.failure is None else None
        ended = self.whole and not search.queue and stopped is None
        exhaustive = ended and self.failure is None and not self._stopped_early()
        violations = tuple(self.violations.values())
        idle = [name for name in self.idle.names if name not in self.violations]
        if violations:
            verdict = violations[0].kind.verdict
        elif exhaustive:
            verdict = Verdict.SUCCESS
        else:
            verdict = Verdict.ERROR
        return Result(
            verdict=verdict,
            distinct=len(search.seen),
            total=counters.total,
            depth=search.depth,
            seconds=search.seconds + self.control.seconds(),
            engine=self.engine,
            workers=1 if self.control.alone else self.workers,
            message=self._message(violations, stopped),
            exhaustive=exhaustive,
            queue=len(search.queue),
            initial=counters.initial,
            cut=counters.cut,
            violations=violations,
            failure=self.failure,
            stopped=stopped,
            coverage=counters.coverage(self.system.actions),
            collision=collision(search.seen, counters.total),
            findings=findings(self.system, counters, len(search.seen), idle) if exhaustive else (),
        )

    def _stopped_early(self) -> bool:
        """A violation ended the search."""
        return bool(self.violations) and (
            not self.keep_going or any(v.kind is PropertyKind.DEADLOCK for v in self.violations.values())
        )

    def _message(self, violations: tuple[Violation, ...], stopped: object) -> str:
        if violations:
            first = violations[0]
            if first.kind is PropertyKind.DEADLOCK:
                return f"Deadlock: the last state of a behaviour of {first.depth} states has no successor."
            where = "an initial state" if first.depth == 1 else f"a behaviour of {first.depth} states"
            return f"{first.kind.capitalize()} {first.name} is violated by {where}."
        if self.failure is not None:
            return str(self.failure.error)
        if stopped is not None:
            where = "" if self.whole else " in the middle of a state"
            left = f"{len(self.search.queue)} states left to expand"
            return f"Stopped ({stopped}){where} with {left}: nothing is proved."
        return ""


def _raises(evaluate: object) -> bool:
    try:
        evaluate()  # type: ignore[operator]
    except Exception:
        return True
    return False
