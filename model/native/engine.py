"""Search a model in machine code, with the interpreter's result.

The interpreter is at hand throughout: it names the steps of a counterexample, judges every failure of evaluation, and
takes over the run when the compiled program meets what it cannot do. So a fault that only the compiled code sees costs
time, never a verdict.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import pairwise

from rmqproof.model.evaluate.system import InterpretedSystem
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import (
    ActionCoverage,
    Collision,
    Failure,
    PropertyKind,
    Result,
    Step,
    Verdict,
    Violation,
)
from rmqproof.model.search.statistics import OBSERVE_FROM, Counters, findings
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tla.types import TypeReport, infer_types
from rmqproof.model.tla.types.domain import render

from . import build
from .decode import Decoder
from .errors import NotCompilable
from .program import Program, compile_model
from .representation import Capacity
from .symmetry import Permutation

SLICE = 0.25
"""Seconds of search between two looks at the clock, the keyboard and the progress line."""
GROWTHS = 6
NO_PARENT = 0xFFFFFFFF
LAST_ORDINAL = 0xFFFFFF
COUNTS = 12


class Status(IntEnum):
    """What `rmq_run` returns; as in engine.c."""

    RUNNING = 0
    FINISHED = 1
    PAUSED = 2
    VIOLATION = 3
    FAILURE = 4
    OVERFLOWED = 5
    LIMIT = 6
    NO_MEMORY = 7


KINDS = {1: PropertyKind.INVARIANT, 2: PropertyKind.INITIAL, 3: PropertyKind.STEP, 4: PropertyKind.DEADLOCK}


class Disagreement(Exception):
    """The compiled program and the interpreter do not see the same steps: the interpreter is right, and takes over."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the search counted. `key` is where it stopped: parent << 24 | ordinal of the successor."""

    distinct: int
    total: int
    depth: int
    initial: int
    cut: int
    expanded: int
    level: int
    kind: int
    index: int
    key: int
    has_state: int
    bytes: int


@dataclass(slots=True)
class NativeModel:
    """A model compiled under some bounds; the bounds grow when a run shows them too small."""

    model: core.Model
    check_deadlock: bool
    say: Callable[[str], None] = lambda text: None
    flags: tuple[str, ...] = ()
    group: Sequence[Permutation] | None = None
    """The permutations of SYMMETRY (see `permutations_of`)."""
    report: TypeReport = field(init=False)
    program: Program = field(init=False)
    library: ctypes.CDLL = field(init=False)
    _unclaimed: frozenset[core.Variable] = frozenset()
    _capacities: dict[core.Variable, Capacity] = field(default_factory=dict)
    _capacity: Capacity = field(default_factory=Capacity)
    _growths: int = 0

    def compile(self) -> None:
        """Raise `NotCompilable` or `NoCompiler`."""
        self.generate()
        self.library = build.load(self.program.source, self.flags)

    def generate(self) -> None:
        """The C text alone. Raise `NotCompilable`."""
        self.report = infer_types(self.model, self._unclaimed)
        self.program = compile_model(
            self.model,
            self.report,
            self._capacities,
            self._capacity,
            check_deadlock=self.check_deadlock,
            group=self.group,
        )

    def grow(self, index: int) -> None:
        """Compile again with more room for variable `index`, or for what lies between variables (-1)."""
        self._growths += 1
        if self._growths > GROWTHS * (1 + len(self.model.specification.variables)):
            raise NotCompilable(None, "a value that grows without end")
        variables = self.model.specification.variables
        if 0 <= index < len(variables):
            variable = variables[index]
            what = f"variable {variable.name} left {render(self.program.layout.types[index])}"
            if variable in self.report.claims and variable not in self._unclaimed:
                self._unclaimed |= {variable}
            else:
                self._capacities[variable] = self._capacities.get(variable, self._capacity).grown()
        else:
            what = "a value on the way needs more room"
            self._capacity = self._capacity.grown()
        self.say(f"{what}: the layout is widened and the search starts over.")
        self.compile()


def permutations_of(system: InterpretedSystem) -> list[Permutation] | None:
    """The permutations under which the model is symmetric, as the interpreter found them."""
    if system.symmetry is None:
        return None
    return [{a.name: b.name for a, b in permutation.items()} for permutation in system.symmetry.group]


class NativeSearch:
    """One search. `system` is the interpreter's view of the same model."""

    def __init__(
        self,
        native: NativeModel,
        system: InterpretedSystem,
        *,
        control: Control | None = None,
        workers: int | None = None,
    ) -> None:
        self.native = native
        self.system = system
        self.control = control if control is not None else Control()
        self.workers = build_workers() if workers is None else workers
        self._engine: int | None = None

    def run(self) -> Result:
        """Explore until the end, a violation, a failure or a stop that `control` asks for."""
        self.control.start()
        try:
            while True:
                status = self._search()
                if status is not Status.OVERFLOWED:
                    return self._result(status)
                index = self.numbers().index
                self._close()
                try:
                    self.native.grow(index if index < 1 << 32 else -1)
                except NotCompilable as error:
                    return self._interpret(str(error))
        except Disagreement as error:
            return self._interpret(str(error))
        finally:
            self._close()

    def _interpret(self, why: str) -> Result:
        self._close()
        self.native.say(f"{why}; the interpreter takes over.")
        return BreadthFirst(self.system, control=self.control, workers=self.workers).run()

    def _close(self) -> None:
        if self._engine is not None:
            self.native.library.rmq_free(self._engine)
            self._engine = None

    def _search(self) -> Status:
        library, control = self.native.library, self.control
        most = control.max_states if control.max_states is not None else 1 << 62
        self._engine = library.rmq_new(self.workers, most)
        if not self._engine:
            return Status.NO_MEMORY
        status = Status.PAUSED
        pause = 0.05
        while status is Status.PAUSED:
            status = Status(library.rmq_run(self._engine, pause))
            pause = SLICE
            if status is Status.PAUSED:
                n = self.numbers()
                if control.should_stop(n.total, n.distinct, n.distinct - n.expanded, n.depth):
                    return Status.LIMIT
        if status is Status.LIMIT:
            n = self.numbers()
            control.should_stop(n.total, n.distinct, n.distinct - n.expanded, n.depth)
        return status

    # --- what the engine knows ----------------------------------------------------------------------------------

    def numbers(self) -> Numbers:
        out = (ctypes.c_uint64 * COUNTS)()
        self.native.library.rmq_numbers(self._engine, ctypes.byref(out))
        return Numbers(*out)

    def packed(self, first: int, count: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Packed states from `first` on, and their parents."""
        words = self.native.program.layout.words
        states = (ctypes.c_uint64 * (words * count))()
        parents = (ctypes.c_uint32 * count)()
        self.native.library.rmq_states(self._engine, first, count, ctypes.byref(states), ctypes.byref(parents))
        for i in range(count):
            yield tuple(states[i * words : (i + 1) * words]), parents[i]

    def states(self) -> Iterator[State]:
        """Every distinct state, in the order of discovery; while the engine is open (see `explored`)."""
        decoder = Decoder(self.native.program.layout)
        total, step = self.numbers().distinct, 4096
        for first in range(0, total, step):
            for words, _ in self.packed(first, min(step, total - first)):
                yield self.system.state(decoder.state(words))

    def explored(self) -> tuple[Result, list[State]]:
        """The result and all distinct states, for tests."""
        self.control.start()
        while True:
            status = self._search()
            if status is Status.OVERFLOWED:
                index = self.numbers().index
                self._close()
                self.native.grow(index if index < 1 << 32 else -1)
                continue
            result, states = self._result(status), list(self.states())
            self._close()
            return result, states

    # --- the outcome ----------------------------------------------------------------------------------------------

    def _result(self, status: Status) -> Result:
        n = self.numbers()
        violations: tuple[Violation, ...] = ()
        failure: Failure | None = None
        verdict = Verdict.ERROR
        message = ""
        if status is Status.FINISHED:
            verdict = Verdict.SUCCESS
        elif status is Status.VIOLATION:
            violation = self._violation(n)
            violations, verdict = (violation,), violation.kind.verdict
            message = _describe(violation)
        elif status is Status.FAILURE:
            failure = self._failure(n)
            message = str(failure.error)
        elif status is Status.NO_MEMORY:
            failure = Failure(MemoryError("out of memory"), "search", ())
            message = "Out of memory."
        elif self.control.stopped is not None:
            left = n.distinct - n.expanded
            message = f"Stopped ({self.control.stopped}) with {left} states left to expand: nothing is proved."
        exhaustive = status is Status.FINISHED
        coverage, counters = self._coverage(n)
        result = Result(
            verdict=verdict,
            distinct=n.distinct,
            total=n.total,
            depth=n.depth,
            seconds=self.control.seconds(),
            engine="native",
            workers=self.workers,
            message=message,
            exhaustive=exhaustive,
            queue=n.distinct - n.expanded,
            initial=n.initial,
            cut=n.cut,
            violations=violations,
            failure=failure,
            stopped=self.control.stopped if not violations and failure is None else None,
            coverage=coverage,
            collision=self._collision(n),
        )
        return replace(result, findings=findings(self.system, counters, n.distinct)) if exhaustive else result

    def _collision(self, n: Numbers) -> Collision:
        optimistic = n.distinct * ((n.total - n.distinct) / 2.0**64)
        if optimistic < OBSERVE_FROM or n.distinct < 2:
            return Collision(optimistic)
        distance = self.native.library.rmq_smallest_distance(self._engine)
        return Collision(optimistic, 1.0 / distance if distance else None)

    def _coverage(self, n: Numbers) -> tuple[tuple[ActionCoverage, ...], Counters]:
        actions = self.native.program.actions
        out = (ctypes.c_uint64 * max(1, 3 * len(actions)))()
        self.native.library.rmq_coverage(self._engine, ctypes.byref(out))
        by_name = {name: tuple(out[3 * i : 3 * i + 3]) for i, name in enumerate(actions)}
        counters = Counters.of(len(self.system.actions))
        for i, name in enumerate(self.system.actions):
            counters.enabled[i], counters.generated[i], counters.distinct[i] = by_name.get(name, (0, 0, 0))
        counters.initial, counters.cut = n.initial, n.cut
        return counters.coverage(self.system.actions), counters

    def _path(self, index: int) -> list[State]:
        """The states from an initial one to the state `index`."""
        decoder, path = Decoder(self.native.program.layout), []
        while index != NO_PARENT:
            words, parent = next(self.packed(index, 1))
            path.append(self.system.state(decoder.state(words)))
            index = parent
        return path[::-1]

    def _event_state(self) -> State:
        words = self.native.program.layout.words
        out = (ctypes.c_uint64 * words)()
        self.native.library.rmq_event_state(self._engine, ctypes.byref(out))
        return self.system.state(Decoder(self.native.program.layout).state(tuple(out)))

    def _steps(self, states: list[State]) -> tuple[Step, ...]:
        """The behaviour through these states, with the actions as the interpreter names them."""
        steps = [Step(None, (), states[0])]
        for before, after in pairwise(states):
            found = next((t for t in self.system.successors(before) if t.state == after), None)
            if found is None:
                raise Disagreement("The compiled model takes a step that the interpreter does not")
            steps.append(Step(self.system.actions[found.action], tuple(found.arguments), found.state))
        return tuple(steps)

    def _violation(self, n: Numbers) -> Violation:
        kind = KINDS[n.kind]
        parent = n.key >> 24
        states = self._path(parent) if n.distinct and (n.level > 1 or n.expanded) else []
        if kind is not PropertyKind.DEADLOCK:
            if n.expanded == 0 and n.level <= 1:
                states = []
            states.append(self._event_state())
        steps = self._steps(states)
        system = self.system
        if kind is PropertyKind.DEADLOCK:
            if next(iter(system.successors(states[-1])), None) is not None:
                raise Disagreement("The compiled model finds a deadlock that the interpreter does not")
            return Violation(kind, "deadlock", "", steps)
        if kind is PropertyKind.STEP:
            step = system.step_properties[n.index]
            if step.holds(states[-2], states[-1]):
                raise Disagreement(f"The compiled model finds {step.name} violated where the interpreter does not")
            return Violation(kind, step.name, step.sentence, steps)
        prop = (system.invariants if kind is PropertyKind.INVARIANT else system.initial_properties)[n.index]
        if prop.holds(states[-1]):
            raise Disagreement(f"The compiled model finds {prop.name} violated where the interpreter does not")
        return Violation(kind, prop.name, prop.sentence, steps)

    def _failure(self, n: Numbers) -> Failure:
        """What the interpreter says where the compiled program failed. Raise `Disagreement` when it says nothing."""
        if not n.expanded:
            raise Disagreement("The compiled model cannot evaluate the initial states")
        states = self._path(n.key >> 24)
        steps = self._steps(states)
        during = "successors"
        try:
            for transition in self.system.successors(states[-1]):
                during = "invariant"
                inside = self.system.within(transition.state) and self.system.allowed(states[-1], transition.state)
                for invariant in self.system.invariants:
                    during = f"invariant {invariant.name}"
                    invariant.holds(transition.state)
                for step in self.system.step_properties:
                    during = f"step property {step.name}"
                    step.holds(states[-1], transition.state)
                during = "successors"
                del inside
        except Exception as error:
            return Failure(error, during, steps)
        raise Disagreement("The compiled model fails to evaluate what the interpreter can")


def _describe(violation: Violation) -> str:
    """As `BreadthFirst` says it."""
    if violation.kind is PropertyKind.DEADLOCK:
        return f"Deadlock: the last state of a behaviour of {violation.depth} states has no successor."
    where = "an initial state" if violation.depth == 1 else f"a behaviour of {violation.depth} states"
    return f"{violation.kind.capitalize()} {violation.name} is violated by {where}."


def build_workers() -> int:
    """Threads to use: as many as there are processors, four at most."""
    import os

    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(4, available))
