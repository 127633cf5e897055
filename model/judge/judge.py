"""The judge: replays counterexamples, looks at states of a success again, says which of two engines is right.

It asks the reference evaluator, within a number of steps of evaluation (never of seconds, so that what is done does
not depend on the machine).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any, TypeVar

from rmqproof.model.evaluate.comparison import is_about_kinds
from rmqproof.model.evaluate.deep_stack import in_deep_stack
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.judge.values import engine_value, reference_state, reference_value
from rmqproof.model.records import dataclass
from rmqproof.model.reference import EvaluationError, NotInReference, OutOfWork, Reference, Successor
from rmqproof.model.reference.moment import State
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Failure, Judged, PropertyKind, Result, Step, Verdict, Violation
from rmqproof.model.search.sample import Known
from rmqproof.model.search.system import State as EngineState
from rmqproof.model.tla import core

REPLAY_WORK = 1_000_000
"""Expressions that are evaluated to replay counterexamples."""
SAMPLE_WORK = 40_000
"""Expressions that are evaluated to look at states again."""
_MOST_INITIAL = 200
REPORT = "This is an error of rmqproof, not of the specification: please report it, with the specification."

Answer = TypeVar("Answer")


class Refuted(Exception):
    """A result that is not so."""


class Undecided(Exception):
    """The reference evaluator has no answer."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Of results about one model."""

    model: core.Model
    system: PythonSystem

    # --- counterexamples ---------------------------------------------------------------------------------------

    def replay(self, violations: Sequence[Violation]) -> Judged:
        """Whether these are behaviours of the model that violate what they are said to."""
        reference = Reference(self.model, REPLAY_WORK)
        try:
            for violation in violations:
                self._asked(lambda violation=violation: self._replay(reference, violation))  # type: ignore[misc]
        except Refuted as error:
            return Judged(refuted=f"{violation.name}: the reference evaluator does not confirm it: {error}")
        except Undecided as error:
            return Judged(left_out=f"The counterexample was not replayed by the reference evaluator: {error}.")
        return Judged(replayed=True)

    def _replay(self, reference: Reference, violation: Violation) -> None:
        steps = violation.behaviour
        states = [reference_state(self.system.values(step.state)) for step in steps]
        if not reference.is_initial(states[0]):
            raise Refuted("its first state does not satisfy the initial predicate")
        for number, (before, after) in enumerate(pairwise(states), 2):
            self._replay_step(reference, before, after, steps[number - 1], number)
        if violation.loop is not None and states[-1] != states[violation.loop]:
            closing = self._closing(reference, states, violation.loop)
            if states[violation.loop] not in closing:
                self._replay_seen(reference, violation, states, closing)
                return
        if not self._violated(reference, violation, states):
            raise Refuted(f"{violation.name} is not violated by it")

    def _closing(self, reference: Reference, states: list[State], loop: int) -> list[State]:
        """The state at `loop`, if the last one leads to it; else those to which it leads that the VIEW takes for it."""
        try:
            self._step_of(reference, states[-1], states[loop], f"the step back to {loop + 1}")
        except Refuted:
            view = self.model.view
            if view is None:
                raise
            if self.model.symmetry is not None:
                raise Undecided("a VIEW beside SYMMETRY takes the state after its last for another") from None
            wanted = reference.evaluate(view.body, state=states[loop])
            reached = dict.fromkeys(successor.state for successor in reference.successors(states[-1]))
            seen = [after for after in reached if reference.evaluate(view.body, state=after) == wanted]
            if not seen:
                raise
            return seen
        return [states[loop]]

    def _replay_seen(
        self, reference: Reference, violation: Violation, states: list[State], closing: Sequence[State]
    ) -> None:
        """Ask whether a behaviour that comes back to what the VIEW shows of a state violates the property."""
        for back in closing:
            try:
                if self._lasso_violates(reference, violation, states, back):
                    return
            except Refuted:
                continue
        raise Undecided("only the VIEW takes the state after its last for one before")

    def _replay_step(self, reference: Reference, before: State, after: State, step: Step, number: int) -> None:
        if before == after and step.action is None:
            return  # nothing happens
        ways = self._step_of(reference, before, after, f"step {number} ({step.action})")
        if step.action is None:
            return
        named = [way for way in ways if step.action in self._actions(way)]
        called_so = [name for way in ways for name in self._actions(way)]
        if called_so and not named:
            others = " or ".join(dict.fromkeys(called_so))
            raise Refuted(f"step {number} is not one of {step.action}, but of {others}")
        claimed = tuple(map(reference_value, step.arguments))
        called = [arguments for way in named for arguments in reference.arguments(way, step.action)]
        comparable = [arguments for arguments in called if len(arguments) == len(claimed)]
        if comparable and claimed not in comparable:
            raise Refuted(f"step {number} is not one of {step.action} with these arguments")

    def _step_of(self, reference: Reference, before: State, after: State, what: str) -> list[Successor]:
        """The ways that TLC's order comes to, until one fails: a search that ends at this step does not get there."""
        ways: list[Successor] = []
        try:
            for way in reference.steps(before, after):
                ways.append(way)
        except EvaluationError:
            if not ways:
                raise
        if not ways:
            raise Refuted(f"{what} is no step of the next-state action")
        return ways

    def _violated(self, reference: Reference, violation: Violation, states: list[State]) -> bool:
        name, kind, last = violation.name, violation.kind, states[-1]
        parts = [prop for prop in self.model.properties if prop.name == name]
        if kind is PropertyKind.DEADLOCK:
            return next(reference.successors(last), None) is None
        if kind is PropertyKind.LIVENESS:
            return self._lasso_violates(reference, violation, states)
        if kind is PropertyKind.STEP:
            formulas = [step for part in parts for step in part.steps]
            return any(not reference.holds(formula, states[-2], last) for formula in formulas)
        if kind is PropertyKind.INITIAL:
            return any(not reference.holds(formula, last) for part in parts for formula in part.initial)
        bodies = [d.body for d in self.model.invariants if d.name == name]
        bodies += [formula for part in parts for formula in part.always]
        return any(not reference.holds(body, last) for body in bodies)

    def _lasso_violates(
        self, reference: Reference, violation: Violation, states: list[State], back: State | None = None
    ) -> bool:
        loop = violation.loop if violation.loop is not None else len(states) - 1
        for condition in self.model.fairness:
            if not reference.lasso_holds(condition, states, loop, back):
                raise Refuted(f"the fairness condition at {condition.at} does not hold of it")
        parts = [formula for prop in self.model.properties if prop.name == violation.name for formula in prop.liveness]
        return any(not reference.lasso_holds(formula, states, loop, back) for formula in parts)

    # --- states of a success -----------------------------------------------------------------------------------

    def examine(self, states: Iterable[EngineState], known: Known | None, control: Control) -> Judged:
        """Whether states that a search passed are right, and the states that they lead to known to it.

        An interruption that `control` hears of ends this; the result of the search stays as it is.
        """
        left_out = "No states were looked at again by the reference evaluator: it was interrupted."
        return control.unless_interrupted(lambda: self._sampled(states, known), lambda: Judged(left_out=left_out))

    def _sampled(self, states: Iterable[EngineState], known: Known | None) -> Judged:
        reference = Reference(self.model, SAMPLE_WORK)
        count = steps = 0
        left_out = "" if known is not None else "Whether their successors were all met was not asked."
        try:
            self._asked(lambda: self._examine_start(reference, known))
            for state in states:
                values = self.system.values(state)
                steps += self._asked(lambda values=values: self._examine(reference, values, known))  # type: ignore[misc]
                count += 1
        except Refuted as error:
            return Judged(examined=count, steps=steps, refuted=f"The reference evaluator does not confirm it: {error}")
        except Undecided as error:
            if not isinstance(error.__cause__, OutOfWork) or not count:
                which = "No more states were" if count else "No states were"
                left_out = f"{which} looked at again by the reference evaluator: {error}. {left_out}".strip()
        return Judged(examined=count, steps=steps, left_out=left_out)

    def examined(self, result: Result, search: BreadthFirst) -> Result:
        """The result of the Python engine's search, some states of which are looked at again if nothing was wrong."""
        if result.verdict is not Verdict.SUCCESS or not result.exhaustive:
            return result
        seen, system = search.search.seen, self.system

        def met(values: Sequence[Any]) -> bool:
            try:
                return system.fingerprint(system.state(values)) in seen
            except ValueError:  # a value that no step of it gives a variable
                return False

        judged = self.examine(search.sample.drawn(), lambda states: [met(values) for values in states], search.control)
        if search.resumed:
            judged = replace(
                judged, left_out=f"Those met before the search was resumed were not drawn. {judged.left_out}".strip()
            )
        return replace(result, judged=judged)

    def _examine_start(self, reference: Reference, known: Known | None) -> None:
        for assumption in self.model.specification.assumptions:
            if not assumption.axiom and not reference.holds(assumption.body):
                raise Refuted(f"the assumption at {assumption.at} is false")
        initial = [state for state in islice(reference.initial_states(), _MOST_INITIAL) if reference.within(state)]
        for prop in self.model.properties:
            if not all(reference.holds(formula, state) for state in initial for formula in prop.initial):
                raise Refuted(f"{prop.name} is false of an initial state")
        self._look_up(initial, known, lambda state: f"the initial state {_told(self.model, state)}")

    def _examine(self, reference: Reference, values: Sequence[object], known: Known | None) -> int:
        state = reference_state(values)
        reference.put_in_order(state)

        def where() -> str:
            return _told(self.model, state)

        always = [(p.name, formula) for p in self.model.properties for formula in p.always]
        for name, body in [*((d.name, d.body) for d in self.model.invariants), *always]:
            if not reference.holds(body, state):
                raise Refuted(f"{name} is false in the state {where()}")
        if not reference.within(state):
            raise Refuted(f"the constraints exclude the state {where()}")
        inside: dict[State, Successor] = {}
        count = 0
        for successor in reference.successors(state):
            count += 1
            for prop in self.model.properties:
                if not all(reference.holds(step, state, successor.state) for step in prop.steps):
                    raise Refuted(f"{prop.name} is false of a step of {_name(successor)} from the state {where()}")
            if reference.within(successor.state) and reference.allowed(state, successor.state):
                reference.put_in_order(successor.state)
                inside.setdefault(successor.state, successor)
        if not count and self.model.check_deadlock:
            raise Refuted(f"there is no step from the state {where()}")
        self._look_up(
            list(inside),
            known,
            lambda after: f"the state {_told(self.model, after)}, to which {_name(inside[after])} leads from {where()}",
        )
        return count

    def _look_up(self, states: list[State], known: Known | None, what: Callable[[State], str]) -> None:
        if known is None:
            return
        met = known([tuple(map(engine_value, state)) for state in states])
        for state, is_known in zip(states, met, strict=True):
            if not is_known:
                raise Refuted(f"the search has not met {what(state)}")

    # --- constants ---------------------------------------------------------------------------------------------

    def constants(self, message: str) -> Judged:
        """Whether an assumption, or a constant that has to be TRUE, is indeed not, as `message` says."""
        reference = Reference(self.model, REPLAY_WORK)
        formulas = [a.body for a in self.model.specification.assumptions if not a.axiom]
        formulas += [decided.expression for decided in self.model.decided]
        try:
            if all(self._asked(lambda formula=formula: reference.holds(formula)) for formula in formulas):  # type: ignore[misc]
                return self._has_value(message, "The reference evaluator finds every such constant to be TRUE.")
        except Refuted:
            return Judged(replayed=True)
        except Undecided as error:
            return Judged(left_out=f"The constants were not evaluated by the reference evaluator: {error}.")
        return Judged(replayed=True)

    # --- errors of evaluation ------------------------------------------------------------------------------------

    def failed(self, failure: Failure) -> Judged:
        """Whether something indeed has no value where an engine says so: at the end of the behaviour, or next to it."""
        reference = Reference(self.model, REPLAY_WORK)
        states = [reference_state(self.system.values(step.state)) for step in failure.behaviour]
        try:
            self._asked(lambda: self._evaluate_around(reference, states))
        except Refuted:
            return Judged()
        except Undecided as error:
            return Judged(left_out=f"The reference evaluator was not asked about the error: {error}.")
        if self.model.possible or any(prop.liveness for prop in self.model.properties):
            return Judged(left_out="The reference evaluator was not asked: the error may be of a liveness formula.")
        found = "The reference evaluator finds a value for all that is evaluated there."
        return self._has_value(str(failure.error), found)

    @staticmethod
    def _has_value(message: str, found: str) -> Judged:
        """What an engine says by `message` is wrong where the reference evaluator has a value, as `found` says."""
        if is_about_kinds(message):
            # an engine puts a set of them in order, where the reference evaluator, and TLC, only look something up
            return Judged(left_out="The reference evaluator finds a value: it need not compare these values.")
        return Judged(refuted=f"{found} {message}")

    def _evaluate_around(self, reference: Reference, states: list[State]) -> None:
        """The states that are next, and what is asked of each; without states the initial ones."""
        if not states:
            for state in reference.initial_states():
                self._evaluate(reference, None, state)
            return
        self._evaluate(reference, states[-2] if len(states) > 1 else None, states[-1])
        for successor in reference.successors(states[-1]):
            self._evaluate(reference, states[-1], successor.state)

    def _evaluate(self, reference: Reference, before: State | None, state: State) -> None:
        """All that a search asks of a state and of the step to it."""
        if reference.within(state):
            reference.put_in_order(state)
        if self.model.view is not None:
            reference.evaluate(self.model.view.body, state=state)
        for definition in self.model.invariants:
            reference.holds(definition.body, state)
        for prop in self.model.properties:
            for formula in (*prop.always, *(prop.initial if before is None else ())):
                reference.holds(formula, state)
            for step in prop.steps if before is not None else ():
                reference.holds(step, before, state)
        if before is not None:
            reference.allowed(before, state)

    # --- where two engines differ --------------------------------------------------------------------------------

    def step(self, before: EngineState, after: EngineState) -> tuple[str, tuple[object, ...]] | None:
        """The action and its arguments that lead from one state to the other; None where none does.

        Raise `Undecided`.
        """
        reference = Reference(self.model, REPLAY_WORK)
        states = [reference_state(self.system.values(state)) for state in (before, after)]
        ways = self._asked(lambda: list(reference.steps(*states)))
        if not ways:
            return None
        name = next(reversed(self._actions(ways[0])), "")
        arguments = next(iter(reference.arguments(ways[0], name)), ())
        return name, tuple(map(engine_value, arguments))

    def _actions(self, way: Successor) -> Sequence[str]:
        """The definitions of the specification's own among those that make the step: engines name it by no others."""
        return [name for name in way.names if name in self.model.specification.definitions]

    def violated(self, violation: Violation) -> bool:
        """Whether the last states of the behaviour violate what they are said to. Raise `Undecided`."""
        reference = Reference(self.model, REPLAY_WORK)
        states = [reference_state(self.system.values(step.state)) for step in violation.behaviour]
        return self._asked(lambda: self._violated(reference, violation, states))

    def fails(self, state: EngineState) -> str:
        """What has no value in a state or in a step from it; empty where all has one. Raise `Undecided`."""
        reference, values = Reference(self.model, REPLAY_WORK), reference_state(self.system.values(state))

        def evaluate() -> None:
            for successor in reference.successors(values):
                self._evaluate(reference, values, successor.state)

        try:
            self._asked(evaluate)
        except Refuted as error:
            return str(error)
        return ""

    def _asked(self, question: Callable[[], Answer]) -> Answer:
        """The answer. Raise `Refuted` where something has no value, `Undecided` where there is no answer."""
        try:
            try:
                return question()
            except RecursionError:
                answer: Answer = in_deep_stack(question)
                return answer
        except EvaluationError as error:
            raise Refuted(f"this has no value: {error}") from error
        except NotInReference as error:
            raise Undecided(f"it does not cover {error.construct}") from error
        except OutOfWork as error:
            raise Undecided("it takes too many steps of evaluation") from error
        except (RecursionError, MemoryError) as error:
            raise Undecided("the evaluation is too deep") from error


def _told(model: core.Model, state: State) -> str:
    """A state in a message."""
    variables = model.specification.variables
    parts = (f"{v.name} = {shorten(engine_value(value))}" for v, value in zip(variables, state, strict=True))
    return "[" + ", ".join(parts) + "]"


def _name(successor: Successor) -> str:
    return successor.names[-1] if successor.names else "a step"
