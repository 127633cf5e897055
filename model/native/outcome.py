"""What a search in machine code found, as the Python engine would have said it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.judge.judge import REPORT, Judge, Refuted, Undecided
from rmqproof.model.search.control import Control
from rmqproof.model.search.idle import idle_names
from rmqproof.model.search.kernel import Disagreement
from rmqproof.model.search.result import (
    ActionCoverage,
    Collision,
    Failure,
    Finding,
    FindingKind,
    PropertyKind,
    Result,
    Step,
    Verdict,
    Violation,
)
from rmqproof.model.search.statistics import OBSERVE_FROM, Counters, findings
from rmqproof.model.search.system import State, StateProperty, StepProperty
from rmqproof.model.tla.asking import asks_only_levels
from rmqproof.model.tla.source import TlaError

from .effects import unsaid
from .errors import NotCompilable
from .run import UNJUDGED, Numbers, Run, Status

Answer = TypeVar("Answer")
UNCOVERED = 5
"""The kind of a failure where an invariant has come to what has no form in C; as in prelude.c."""
KINDS = {1: PropertyKind.INVARIANT, 2: PropertyKind.INITIAL, 3: PropertyKind.STEP, 4: PropertyKind.DEADLOCK}


class _NoStep(Exception):
    """What Python, and TLC, meet before the step that is told has no value."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure.error))
        self.failure = failure


class Outcome:
    """The result of a run that has ended. `seconds`: what was spent before this process took the search up.

    Where the Python engine does not see what the run has found, `judge` says which of the two is right. `differences`:
    where it was the run. `initial`: the initial states that the run was given.
    """

    def __init__(
        self,
        run: Run,
        system: PythonSystem,
        control: Control,
        seconds: float = 0.0,
        judge: Judge | None = None,
        initial: Sequence[State] | None = None,
    ) -> None:
        self.run, self.system, self.control, self.seconds = run, system, control, seconds
        self.judge = judge
        self.initial = initial
        self.differences: list[str] = []

    def result(self, status: Status) -> Result:
        n = self.run.numbers()
        violations, failure = self._violations(status, n)
        verdict = Verdict.ERROR
        message = str(failure.error) if failure is not None else ""
        if status is Status.FINISHED and failure is None:
            verdict = Verdict.SUCCESS
        elif status is Status.FAILURE and n.kind == UNCOVERED:
            violations = (self._uncovered(n),)
        elif status is Status.FAILURE:
            failure = self._failure(n)
            message = str(failure.error)
        elif status is Status.NO_MEMORY:
            failure = Failure(MemoryError("out of memory"), "search", ())
            message = "Out of memory."
        elif status is Status.NO_DISK:
            problem = OSError(n.problem, os.strerror(n.problem))
            failure = Failure(problem, "search", ())
            message = f"The files of the search cannot be written or read: {problem.strerror}."
        elif self.control.stopped is not None:
            left = f"{n.distinct - n.expanded} states left to expand"
            where = " in the middle of a state" if status is Status.HALTED else ""
            message = f"Stopped ({self.control.stopped}){where} with {left}: nothing is proved."
        if violations:
            verdict, message = violations[0].kind.verdict, _describe(violations[0])
        exhaustive = status is Status.FINISHED
        coverage, counters = self._coverage(n)
        result = Result(
            verdict=verdict,
            distinct=n.distinct,
            total=n.total,
            depth=n.depth,
            seconds=self.seconds + self.control.seconds(),
            engine="native",
            workers=self.run.workers,
            message=message,
            exhaustive=exhaustive,
            queue=n.distinct - n.expanded - self._met_last(status, n),
            initial=n.initial,
            cut=n.cut,
            violations=violations,
            failure=failure,
            stopped=self.control.stopped if not violations and failure is None else None,
            coverage=coverage,
            collision=self._collision(n),
        )
        if exhaustive:
            names = [prop.name for prop in self.system.idle] + [step.name for step in self.system.idle_steps]
            violated = {violation.name for violation in violations}
            idle = [name for name in idle_names(names, ~n.idle) if name not in violated]
            result = replace(result, findings=findings(self.system, counters, n.distinct, idle))
        return result.with_findings(*(difference("Python engine", text) for text in self.differences))

    def _collision(self, n: Numbers) -> Collision:
        optimistic = n.distinct * ((n.total - n.distinct) / 2.0**self.run.native.fingerprint_bits)
        if optimistic < OBSERVE_FROM or n.distinct < 2:
            return Collision(optimistic)
        distance = self.run.smallest_distance()
        return Collision(optimistic, 1.0 / distance if distance else None)

    def _coverage(self, n: Numbers) -> tuple[tuple[ActionCoverage, ...], Counters]:
        out = self.run.coverage()
        by_name = {name: out[3 * i : 3 * i + 3] for i, name in enumerate(self.run.native.program.actions)}
        counters = Counters.of(len(self.system.actions))
        for i, name in enumerate(self.system.actions):
            counters.enabled[i], counters.generated[i], counters.distinct[i] = by_name.get(name, (0, 0, 0))
        counters.initial, counters.cut = n.initial, n.cut
        return counters.coverage(self.system.actions), counters

    def _state(self, words: tuple[int, ...]) -> State:
        """Raise `NotCompilable` where it has a set that Python cannot have, of elements that cannot be compared."""
        try:
            return self.system.state(self.run.decoder().state(words))
        except Fault as fault:
            raise NotCompilable(None, f"elements of a set that cannot be compared: {fault}") from fault

    def _path(self, index: int) -> list[State]:
        """The states from an initial one to the state `index`."""
        return [self._state(words) for words in self.run.path(index)]

    def _event_state(self) -> State:
        return self._state(self.run.event_state())

    def _steps(self, states: list[State]) -> tuple[Step, ...]:
        """The behaviour through these states, with the actions as the Python engine names them. Raise `_NoStep` where
        a step before one of these has no value."""
        steps = [Step(None, (), states[0])]
        for before, after in pairwise(states):
            try:
                found = next((t for t in self.system.successors(before) if t.state == after), None)
            except TlaError as error:
                raise _NoStep(Failure(error, "successors", tuple(steps))) from error
            steps.append(
                self._step(before, after)
                if found is None
                else Step(self.system.actions[found.action], tuple(found.arguments), found.state)
            )
        return tuple(steps)

    def _step(self, before: State, after: State) -> Step:
        """A step that the Python engine does not take. Raise `Disagreement` unless the reference evaluator does."""
        told = f"from {self._told(before)} to {self._told(after)}"
        text = f"The compiled model takes a step that the Python engine does not, {told}"
        taken = self._judged(text, lambda judge: judge.step(before, after))
        if taken is None:
            raise Disagreement(text, refuted=True)
        self.differences.append(f"{text}, which is a step of {taken[0]}")
        return Step(taken[0], taken[1], after)

    def _told(self, state: State) -> str:
        values = zip(self.system.variables, self.system.values(state), strict=True)
        return "[" + ", ".join(f"{name} = {shorten(value)}" for name, value in values) + "]"

    def _judged(self, text: str, question: Callable[[Judge], Answer]) -> Answer:
        """What the reference evaluator says. Raise `Disagreement` where it has no answer."""
        if self.judge is None:
            raise Disagreement(text)
        try:
            return question(self.judge)
        except (Refuted, Undecided) as error:
            raise Disagreement(f"{text} ({error})") from error

    def _confirmed(self, violation: Violation, text: str) -> Violation:
        """A violation that the Python engine does not see. Raise `Disagreement` unless the reference evaluator does."""
        if not self._judged(text, lambda judge: judge.violated(violation)):
            raise Disagreement(text, refuted=True)
        self.differences.append(text)
        return violation

    def _met_last(self, status: Status, n: Numbers) -> int:
        """Whether the search stopped at a state that is known and that it had no time to put into the queue."""
        judged = status in (Status.VIOLATION, Status.FAILURE) and n.order > UNJUDGED
        if not judged or not n.distinct or not n.expanded or not n.has_state:
            return 0
        words, parent = next(self.run.packed(n.distinct - 1, 1))
        return int(parent == n.key >> 24 and words == self.run.event_state())

    def _violations(self, status: Status, n: Numbers) -> tuple[tuple[Violation, ...], Failure | None]:
        """What is violated, or what has no value before the step to that, as Python and TLC go through the steps."""
        try:
            violations = self._met() if self.run.keep_going else ()
            if status is not Status.VIOLATION:
                return violations, None
            violation = self._violation(n)
        except _NoStep as error:
            return (), error.failure
        if violation.name not in {known.name for known in violations}:
            violations = (*violations, violation)
        return violations, None

    def _violation(self, n: Numbers) -> Violation:
        """What ended the search."""
        kind = KINDS[n.kind]
        if kind is not PropertyKind.DEADLOCK:
            return self._broken(kind, n.index, n.key, not n.expanded, self._event_state())
        steps = self._steps(self._path(n.key >> 24))
        violation = Violation(kind, "deadlock", "", steps)
        if next(iter(self.system.successors(steps[-1].state)), None) is not None:
            state = self._told(steps[-1].state)
            return self._confirmed(
                violation, f"The compiled model finds a deadlock that the Python engine does not, in the state {state}"
            )
        return violation

    def _met(self) -> tuple[Violation, ...]:
        """What the search went on after: the first of each name."""
        found: dict[str, Violation] = {}
        for met in self.run.violations():
            kind = KINDS[met.kind]
            if self._property(kind, met.index).name not in found:
                violation = self._broken(kind, met.index, met.key, met.initial, self._state(met.state))
                found[violation.name] = violation
        return tuple(found.values())

    def _property(self, kind: PropertyKind, index: int) -> StateProperty | StepProperty:
        system = self.system
        if kind is PropertyKind.STEP:
            return system.step_properties[index]
        return (system.invariants if kind is PropertyKind.INVARIANT else system.initial_properties)[index]

    def _broken(self, kind: PropertyKind, index: int, key: int, initial: bool, state: State) -> Violation:
        """The property that `state`, or the step to it, breaks; `key` says where it was met."""
        steps = self._steps([*([] if initial else self._path(key >> 24)), state])
        prop = self._property(kind, index)
        self.system.runtime.level = len(steps)
        violation = Violation(kind, prop.name, prop.sentence, steps)
        try:
            holds = prop.holds(steps[-2].state, state) if isinstance(prop, StepProperty) else prop.holds(state)
        except TlaError as error:
            text = f"The compiled model finds {prop.name} violated where the Python engine finds no value for it"
            raise Disagreement(f"{text}: {error}") from error
        if not holds:
            return violation
        return self._confirmed(
            violation,
            f"The compiled model finds {prop.name} violated where the Python engine does not, "
            f"in the state {self._told(state)}",
        )

    def _initial_failure(self) -> Failure:
        """What the Python engine says of the initial states. Raise `Disagreement` when it says nothing."""
        during, behaviour = "initial states", tuple[Step, ...]()
        self.system.runtime.level = 1
        try:
            for state in self.system.initial_states() if self.initial is None else self.initial:
                during, behaviour = "constraint", (Step(None, (), state),)
                if self.system.within(state):
                    during = "initial states"
                    self.system.fingerprint(state)  # a VIEW may have no value
                for prop in (*self.system.invariants, *self.system.initial_properties):
                    during = f"invariant {prop.name}"
                    self._comes_first(prop.holds(state), prop.name)
                during, behaviour = "initial states", ()
        except NotCompilable:
            raise
        except Exception as error:
            return Failure(error, during, behaviour)
        raise Disagreement("The compiled model cannot evaluate the initial states")

    def _failure(self, n: Numbers) -> Failure:
        """What the Python engine says where the compiled program failed. Raise `Disagreement` when it says nothing."""
        if not n.expanded:
            return self._initial_failure()
        states = self._path(n.key >> 24)
        try:
            steps = self._steps(states)
        except _NoStep as error:
            return error.failure
        during, last = "successors", tuple[Step, ...]()
        self.system.runtime.level = len(states) + 1  # Next does not ask where machine code searches
        try:
            for transition in self.system.successors(states[-1]):
                action = self.system.actions[transition.action]
                during, last = "constraint", (Step(action, tuple(transition.arguments), transition.state),)
                inside = self.system.within(transition.state) and self.system.allowed(states[-1], transition.state)
                if inside:
                    during = "fingerprint"
                    self.system.fingerprint(transition.state)
                for invariant in self.system.invariants:
                    during = f"invariant {invariant.name}"
                    self._comes_first(invariant.holds(transition.state) or not inside, invariant.name)
                for step in self.system.step_properties:
                    during = f"step property {step.name}"
                    self._comes_first(step.holds(states[-1], transition.state), step.name)
                during, last = "successors", ()
        except NotCompilable:
            raise
        except Exception as error:
            return Failure(error, during, (*steps, *last))
        text = "The compiled model fails to evaluate what the Python engine can"
        problem = self._judged(text, lambda judge: judge.fails(states[-1]))
        if not problem:
            raise Disagreement(text, refuted=True)
        self.differences.append(text)
        return Failure(TlaError(problem, kind="evaluation"), during, steps)

    def _uncovered(self, n: Numbers) -> Violation:
        """The invariant that the Python engine finds violated where machine code cannot tell.

        Raise `NotCompilable` where there is none, or it has no value: the Python engine searches from the start.
        """
        asked = [invariant.body for invariant in self.run.native.model.invariants]
        broken = None
        if not self.run.keep_going and asks_only_levels(asked):
            state = self._event_state()
            steps = self._steps([*(self._path(n.key >> 24) if n.expanded else []), state])
            self.system.runtime.level = len(steps)
            with unsaid(self.system.runtime) as lines, suppress(TlaError):
                broken = next((each for each in self.system.invariants if not each.holds(state)), None)
            if broken is not None:
                for line in lines:
                    self.system.runtime.output(line)
                return Violation(PropertyKind.INVARIANT, broken.name, broken.sentence, steps)
        raise NotCompilable(None, "an invariant has come to what it asks of some states only")

    def _comes_first(self, holds: bool, name: str) -> None:
        """Raise `NotCompilable` where a property is violated: the search ends there, and not with what fails later."""
        if not holds and not self.run.keep_going:
            raise NotCompilable(None, f"{name} is violated before something else has no value")


def difference(refuted: str, text: str) -> Finding:
    """What is said where two engines differ. `refuted`: which of them is wrong; empty where that is not known."""
    who = (
        f"the {refuted} is wrong, says the reference evaluator"
        if refuted
        else "the reference evaluator was not asked, or has no answer"
    )
    return Finding(FindingKind.ENGINES_DIFFER, refuted, f"The engines differ, and {who}: {text}. {REPORT}")


def difference_of(error: Disagreement) -> Finding:
    """What is said where the compiled model has no further part in the search."""
    return difference("native engine" if error.refuted else "", str(error))


def _describe(violation: Violation) -> str:
    """As `BreadthFirst` says it."""
    if violation.kind is PropertyKind.DEADLOCK:
        return f"Deadlock: the last state of a behaviour of {violation.depth} states has no successor."
    where = "an initial state" if violation.depth == 1 else f"a behaviour of {violation.depth} states"
    return f"{violation.kind.capitalize()} {violation.name} is violated by {where}."
