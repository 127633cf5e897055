"""Mutants of a model that is too large for graphs in Python: all compiled with it once, and searched one by one.

What a search in machine code has found is compared with what it found of the specification: which states only one of
the two has, and which lead elsewhere. Where a mutant has no compiled form, or leaves the layout once too often, it is
searched by itself (`searching`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from time import monotonic

from rmqproof.model.audit.alternatives import NONE, with_alternatives
from rmqproof.model.audit.graph import DEADLOCK, NO_VALUE, Space
from rmqproof.model.audit.mutation import Mutant, mutated
from rmqproof.model.audit.scoring import Fate, Trial, silent
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.temporal import fairness_of, temporal_properties
from rmqproof.model.judge.judge import Judge
from rmqproof.model.native.engine import NativeModel, permutations_of
from rmqproof.model.native.errors import Died, NoCompiler, NotCompilable
from rmqproof.model.native.graph_code import graph_code
from rmqproof.model.native.kernel import kernel_of
from rmqproof.model.native.labels import NativeLabels
from rmqproof.model.native.outcome import KINDS, Outcome, difference_of
from rmqproof.model.native.run import Numbers, Run, Status
from rmqproof.model.native.state_reader import StateReader
from rmqproof.model.native.wanted import wanted
from rmqproof.model.report.value import Notation
from rmqproof.model.search.control import Control
from rmqproof.model.search.idle import idle_names
from rmqproof.model.search.kernel import Disagreement, NotEvaluated, TooSmall
from rmqproof.model.search.liveness.check import LivenessCheck, TemporalProperty
from rmqproof.model.search.liveness.formula import TRUE, Formula, Predicate, conjunction, predicates_of
from rmqproof.model.search.liveness.graph import GraphStopped, TooLarge
from rmqproof.model.search.liveness.packed import packed_graph
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.result import Failure, Finding, PropertyKind
from rmqproof.model.search.system import State
from rmqproof.model.search.workers import available_workers
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, TlaError

LONGEST = 20.0
"""Seconds for a specification; of one that takes longer no mutant is tried."""
GROWTHS = 6
"""So often mutants may have a variable of the layout widened: each time all is compiled again."""
_TRIES = 12
"""So often the form of a model is asked for, to find the mutants that have none."""
_HALVES = 16
"""So often where no place is named at which they are."""
_SLICE = 0.5
_BLOCK = 1 << 14
_ALONE = 50_000
"""States up to which one worker is enough."""


class Unsuited(Exception):
    """The compiled form says nothing of this mutant."""


@dataclass(slots=True)
class Compiled:
    """A model with mutants. `violated`: properties that do not hold of it anyway. `numbers` are those of its search.

    `largest`: states of the specification that are explored, `most` of a mutant.
    """

    model: core.Model
    system: PythonSystem
    mutants: list[Mutant]
    """Those that have a compiled form."""
    over: Callable[[], bool]
    largest: int
    workers: int | None = None
    check_deadlock: bool = True
    most: Callable[[int], int] = lambda count: count
    differ: Callable[[Iterable[Finding]], None] = lambda _: None
    """Told where another engine sees something else."""
    growths: list[int] = field(default_factory=list)
    violated: tuple[str, ...] = ()
    whole: bool = False
    """All its states were explored: else there is nothing to compare mutants with."""
    live: tuple[str, ...] = ()
    """Properties of liveness that hold."""
    predicates: list[Predicate] = field(default_factory=list)
    fairness: Formula = TRUE
    temporal: Sequence[TemporalProperty] = ()
    native: NativeModel = field(init=False)
    base: Run = field(init=False)
    numbers: Numbers = field(init=False)
    _moves: list[bytes] = field(default_factory=list)
    _growing: int = GROWTHS

    # --- the specification --------------------------------------------------------------------------------------

    def begin(self) -> bool:
        """Compile, and search the specification; false where that comes to nothing."""
        if any(prop.liveness for prop in self.model.properties) and self.system.plain_fingerprint:
            self.fairness, self.temporal = fairness_of(self.system), temporal_properties(self.system)
            formula = conjunction([self.fairness, *(prop.formula for prop in self.temporal)])
            self.predicates = [p for p in predicates_of(formula) if wanted(p) is not None]
        try:
            if not self._compile() or not self._explore():
                return False
            if DEADLOCK in self.violated:
                self.check_deadlock = False
                self.base.close()
                if not self._compile() or not self._explore():
                    return False
            if self.whole:
                self._ask_liveness()
        except (NoCompiler, NotCompilable, Died, TlaError, OSError, MemoryError):
            return False
        except Disagreement as error:
            self.base.close()
            self.differ([difference_of(error)])
            return False
        return True

    def close(self) -> None:
        self.base.close()

    def _compile(self) -> bool:
        """Leave out mutants that have no compiled form; false where that is so of the model."""
        halved = False
        for _ in range(_TRIES):
            try:
                self.native = self._native(self.mutants, self.growths)
                return True
            except NotCompilable as error:
                wrong = _at_fault(self.mutants, error.at)
                if not wrong and not halved and self._forms(()):
                    halved = True
                    self.mutants = self._fitting(self.mutants, [_HALVES])
                    continue
                if not wrong:
                    return False
                self.mutants = [mutant for mutant in self.mutants if mutant not in wrong]
            if self.over():
                return False
        return False

    def _forms(self, mutants: Sequence[Mutant]) -> bool:
        """Whether the model with these has a form in C."""
        try:
            with with_alternatives(self.model, mutants) as many:
                NativeModel(many, self.check_deadlock, group=permutations_of(self.system)).generate()
        except NotCompilable:
            return False
        return True

    def _fitting(self, mutants: list[Mutant], tries: list[int]) -> list[Mutant]:
        """Those without which the others have a form, looked for by halves, as long as there are `tries`."""
        tries[0] -= 1
        if tries[0] < 0 or self.over():
            return []
        if self._forms(mutants):
            return mutants
        if len(mutants) == 1:
            return []
        half = len(mutants) // 2
        return self._fitting(mutants[:half], tries) + self._fitting(mutants[half:], tries)

    def _native(self, mutants: Sequence[Mutant], growths: Sequence[int]) -> NativeModel:
        with with_alternatives(self.model, mutants) as many:
            labels = [label for label in map(wanted, self.predicates) if label is not None]
            native = NativeModel(many, self.check_deadlock, group=permutations_of(self.system), labels=labels)
            native.widen(growths)
            return native

    def _explore(self) -> bool:
        """Search the specification, with more room where it needs that."""
        while True:
            self.base = run = self._open(NONE, self.largest)
            status = self._search(run, LONGEST)
            self.numbers = n = run.numbers()
            if status is Status.OVERFLOWED:
                run.close()
                self._widen(n.index)
                continue
            found = self._killers(run, status, n)
            if found or status is Status.FAILURE:
                self._agreed(self.model, self.system, run, status)
            self.violated += found
            self.whole = status is Status.FINISHED
            if self.whole or status in (Status.LIMIT, Status.PAUSED) or (status is Status.VIOLATION and self.violated):
                return True
            run.close()
            return False

    def _agreed(self, model: core.Model, system: PythonSystem, run: Run, status: Status) -> Failure | None:
        """What could not be evaluated. Raise `Disagreement` where Python does not see what the run has found."""
        result = Outcome(run, system, Control(), judge=Judge(model, system)).result(status)
        self.differ(result.findings)
        return result.failure

    def _widen(self, index: int) -> None:
        """Raise `NotCompilable`."""
        growths = [*self.growths, index if index < 1 << 32 else -1]
        self.native = self._native(self.mutants, growths)
        self.growths = growths

    def _open(self, alternative: int, most: int) -> Run:
        small = alternative != NONE and self.numbers.distinct <= _ALONE
        run = Run(self.native, 1 if small else self.workers or available_workers(), most, keep_going=True)
        run.choose(alternative)
        return run

    def _search(self, run: Run, longest: float = inf) -> Status:
        """`PAUSED`: the time was over."""
        until = monotonic() + longest
        status = run.go(_SLICE)
        while status is Status.PAUSED and not self.over() and monotonic() < until:
            status = run.go(_SLICE)
        return status

    def _killers(self, run: Run, status: Status, n: Numbers) -> tuple[str, ...]:
        """The properties that are violated, of those that hold of the specification."""
        met = [(each.kind, each.index) for each in run.violations()]
        if status is Status.VIOLATION:
            met.append((n.kind, n.index))
        names = dict.fromkeys(self._name(KINDS[kind], index) for kind, index in met)
        return tuple(name for name in names if name not in self.violated)

    def _name(self, kind: PropertyKind, index: int) -> str:
        system = self.system
        if kind is PropertyKind.DEADLOCK:
            return DEADLOCK
        if kind is PropertyKind.STEP:
            return system.step_properties[index].name
        if kind is PropertyKind.INVARIANT:
            return system.invariants[index].name
        return system.initial_properties[index].name

    def space(self, most: int) -> Space:
        """The states of the specification without its steps, `whole` where there are not more than so many."""
        read, words = StateReader(self.native.program.layout, self.system), self.native.program.layout.words
        actions = self.base.native.program.actions
        taken = dict(zip(actions, self.base.coverage()[1::3], strict=True))
        space = Space(taken=[taken.get(name, 0) for name in self.system.actions], cut=bool(self.numbers.cut))
        space.whole = self.numbers.distinct <= most
        for block in _blocks(self.base) if space.whole else ():
            numbers = memoryview(block).cast("Q")
            for first in range(0, len(numbers), words):
                space.states[len(space.states)] = read(numbers[first : first + words])
        space.violated = dict.fromkeys(self.violated, 0)
        return space

    def idle(self) -> list[str]:
        """Properties that assume what is never true."""
        names = [each.name for each in self.system.idle] + [each.name for each in self.system.idle_steps]
        return [name for name in idle_names(names, ~self.numbers.idle) if name not in self.violated]

    def trials(
        self, mutants: Sequence[Mutant], alone: Callable[[Sequence[Mutant]], Iterator[Trial]]
    ) -> Iterator[Trial]:
        """What becomes of each, until the time is over; of those that are unsuited what `alone` says, at the end."""
        suited, left = set(self.mutants), [mutant for mutant in mutants if mutant not in self.mutants]
        for mutant in mutants:
            if self.over():
                return
            if mutant in suited:
                try:
                    trial = self.tried(mutant)
                except Unsuited:
                    left.append(mutant)
                    continue
                if trial is not None:
                    yield trial
        if left:
            yield from alone(left)

    # --- a mutant -----------------------------------------------------------------------------------------------

    def tried(self, mutant: Mutant) -> Trial | None:
        """What becomes of it; None: the time was over. Raise `Unsuited`."""
        try:
            while True:
                with self._open(mutant.number, self.most(self.numbers.distinct)) as run:
                    status = self._search(run)
                    n = run.numbers()
                    if status is not Status.OVERFLOWED:
                        return self._trial(mutant, run, status, n)
                if not self._growing:
                    raise Unsuited
                self._growing -= 1
                self.base.close()
                self._widen(n.index)
                self._moves = []
                if not self._explore() or not self.whole:
                    raise Unsuited
        except (NoCompiler, NotCompilable, Died, OSError, MemoryError) as error:
            self._growing = 0
            raise Unsuited from error
        except Disagreement as error:
            self.differ([difference_of(error)])
            raise Unsuited from error

    def _trial(self, mutant: Mutant, run: Run, status: Status, n: Numbers) -> Trial | None:
        killers = self._killers(run, status, n)
        if killers:
            return Trial(mutant, Fate.KILLED, killers)
        if status is Status.PAUSED:
            return None
        if status is Status.FAILURE:
            self._confirm(mutant, run)
            return Trial(mutant, Fate.KILLED, (NO_VALUE,))
        if status not in (Status.FINISHED, Status.LIMIT):
            raise Unsuited
        whole = status is Status.FINISHED
        found = self._compared(mutant, run, whole)
        if found.fate is Fate.EQUIVALENT or not self.live or not whole:
            return found
        wrong = self._wrong(mutant.number)
        if wrong:
            return Trial(mutant, Fate.KILLED, wrong)
        return found if wrong is not None else replace(found, fate=Fate.OPEN)

    def _confirm(self, mutant: Mutant, run: Run) -> None:
        """Raise `Unsuited` where the Python engine can evaluate what the compiled program cannot."""
        with mutated(self.model, mutant) as changed:
            try:
                system = system_of(changed, Runtime(output=silent))
                failure = self._agreed(changed, system, run, Status.FAILURE)
            except (TlaError, RecursionError):
                return
        if failure is None or not isinstance(failure.error, TlaError):
            raise Unsuited

    def _compared(self, mutant: Mutant, run: Run, whole: bool) -> Trial:
        """A survivor, and what is different about its graph."""
        more, first = _unknown(run, self.base)
        fewer, lost = _unknown(self.base, run) if whole else (0, 0)
        fate = Fate.SURVIVED if whole else Fate.OPEN
        if more:
            return Trial(mutant, fate, (), more, fewer, 0, 0, *self._way(mutant, run, first))
        if fewer:
            return Trial(mutant, fate, (), 0, fewer, 0, 0, *self._way(mutant, self.base, lost))
        if not whole:
            return Trial(mutant, Fate.OPEN)
        return self._same_states(mutant, run)

    def _same_states(self, mutant: Mutant, run: Run) -> Trial:
        """How many steps there are more and fewer, at least."""
        if not self._moves:
            self._moves = list(_moves(self.base, self.base))
        more = fewer = done = 0
        first: int | None = None
        for was, now in zip(self._moves, _moves(run, self.base), strict=True):
            if was != now:
                old, new = (memoryview(each).cast("Q") for each in (was, now))
                for index in range(0, len(old), 2):
                    if old[index : index + 2] != new[index : index + 2]:
                        first = done + index // 2 if first is None else first
                        more += max(new[index] - old[index], int(old[index] == new[index]))
                        fewer += max(old[index] - new[index], int(old[index] == new[index]))
            done += len(was) // 16
        if first is None:
            return Trial(mutant, Fate.EQUIVALENT)
        witness, path = self._way(mutant, self.base, first)
        return Trial(mutant, Fate.SURVIVED, (), 0, 0, more, fewer, witness, path)

    def _way(self, mutant: Mutant, run: Run, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A state in words, and the actions on the way to it: a step that the specification does not take is one of
        the definition that is changed."""
        read = StateReader(self.native.program.layout, self.system)
        states = [read(words) for words in run.path(number)]
        notation = Notation(self.model.model_values)
        shown = tuple(f"{name} = {notation.line(value)}" for name, value in self.system.to_itf(states[-1]).items())
        return shown, tuple(self._action(mutant, *pair) for pair in pairwise(states))

    def _action(self, mutant: Mutant, before: State, after: State) -> str:
        try:
            found = next((step for step in self.system.successors(before) if step.state == after), None)
        except TlaError:
            found = None
        return self.system.actions[found.action] if found is not None else mutant.where

    # --- liveness -----------------------------------------------------------------------------------------------

    def _ask_liveness(self) -> None:
        names = tuple(dict.fromkeys(prop.name for prop in self.model.properties if prop.liveness))
        if not names or not self.predicates or not all(self.native.program.labels):
            return
        wrong = self._wrong(NONE)
        if wrong is not None:
            self.live = tuple(name for name in names if name not in wrong)
            self.violated += wrong

    def _wrong(self, alternative: int) -> tuple[str, ...] | None:
        """The properties of liveness that are violated, of those that hold of the specification; None where that was
        not found out."""
        try:
            code = graph_code()
            with kernel_of(self.native, alternative) as kernel:
                read = StateReader(kernel.description.layout, self.system)
                stop = self.over
                spans = list(kernel.description.layout.spans)
                graph = packed_graph(kernel, code, read, spans, Storage(None), lambda _: stop())
                graph.labels, graph.code = NativeLabels(self.native, self.predicates, kernel), code
                check = LivenessCheck(graph, self.fairness, stop)
                asked = [prop for prop in self.temporal if alternative == NONE or prop.name in self.live]
                check.evaluation.prepare(conjunction([self.fairness, *(prop.formula for prop in asked)]))
                found = [prop.name for prop in asked if check.counterexample(prop.formula) is not None]
        except (GraphStopped, TooLarge, TooSmall, NotEvaluated, TlaError, RecursionError, NoCompiler):
            return None
        return tuple(dict.fromkeys(found))


def compiled_model(
    model: core.Model,
    system: PythonSystem,
    mutants: Sequence[Mutant],
    over: Callable[[], bool],
    largest: int,
    most: Callable[[int], int],
    workers: int | None = None,
    differ: Callable[[Iterable[Finding]], None] = lambda _: None,
) -> Compiled | None:
    """None where the model has no compiled form, or its search does not end in time."""
    found = Compiled(model, system, list(mutants), over, largest, workers, system.check_deadlock, most, differ)
    return found if found.begin() else None


def _at_fault(mutants: Sequence[Mutant], at: Location | None) -> list[Mutant]:
    """The mutants with the smallest change around a place, or in it."""
    if at is None:
        return []

    def index(mutant: Mutant) -> tuple[tuple[int, int], tuple[int, int]]:
        there = mutant.at
        return (there.line, there.column), (there.end_line, there.end_column)

    begin, end = (at.line, at.column), (at.end_line, at.end_column)
    near = [
        mutant
        for mutant in mutants
        if mutant.at.source.name == at.source.name and index(mutant)[0] < end and begin < index(mutant)[1]
    ]
    if not near:
        return []
    least = min(len(mutant.at.text) for mutant in near)
    return [mutant for mutant in near if len(mutant.at.text) == least]


def _blocks(run: Run) -> Iterator[bytes]:
    count = run.numbers().distinct
    for first in range(0, count, _BLOCK):
        yield bytes(run.block(first, min(_BLOCK, count - first)))


def _unknown(run: Run, other: Run) -> tuple[int, int]:
    """How many states of a search the other one has not met, and the number of the first."""
    unknown, first, done = 0, 0, 0
    for block in _blocks(run):
        met = other.met(block)
        if 0 in met:
            first = first if unknown else done + met.index(0)
            unknown += met.count(0)
        done += len(met)
    return unknown, first


def _moves(run: Run, of: Run) -> Iterator[bytes]:
    """What `Run.moves` says of the states of another, block by block."""
    return map(run.moves, _blocks(of))
