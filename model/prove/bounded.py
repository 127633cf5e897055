"""Bounded checking: a violation within K steps from an initial state, looked for by Z3 instead of by exploring.

Each step is one of the ways to take Next, chosen by Z3, and the state after it is what that way makes of the state
before (`merged_states`). A sequence has as many items as some way makes, a set as many elements, up to a limit: where a
path may leave that, the search says so. A path that it finds is replayed by the Python engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import z3

from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.literals import literal
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.prove.actions import Step, Steps
from rmqproof.model.prove.ask import limit
from rmqproof.model.prove.countermodel import Reader
from rmqproof.model.prove.defined import Noted
from rmqproof.model.prove.effort import Effort, Unmade, effort_of
from rmqproof.model.prove.environment import Closure, State
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, conjunction, disjunction, implication, negation, term
from rmqproof.model.prove.merge import equal
from rmqproof.model.prove.merged_states import Case, MergedStates
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.state import atoms_of
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import distinct
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.types.domain import Type, Union, Unknown, all_parts
from rmqproof.model.types.infer import infer_types
from rmqproof.model.types.narrowing import integer_bounds

_LENGTH, _SIZE = 8, 2
"""A sequence or a set has at most so many items and two for each step; CHOOSE may make a set of so many at least."""

_COMPARING = 300.0
"""Seconds for a question about states that are compared."""


Move = tuple[str, tuple[Any, ...], tuple[Any, ...]]
"""An action, the state after it, and its arguments."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """`steps`: so many steps were looked at whole. `violated`: what the last state or step of `path` falsifies.

    `path` are the actions, with states and arguments of the Python engine. `reason` says why less than asked for was
    looked at. `left_out` are the properties that were not looked at, with what has no translation in them. `undefined`:
    what the Python engine says of an expression that has no value in, or after, the last state of `path`. `doubted` are
    places where Z3 finds no value in a state in which the Python engine finds one.
    """

    steps: int
    violated: str = ""
    path: tuple[Move, ...] = ()
    reason: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    undefined: TlaError | None = None
    doubted: tuple[str, ...] = ()


def search_bounded(
    subject: Subject, steps: int, timeout: float, say: Callable[[str], None] = lambda text: None
) -> Bounded:
    """Look for a violation of the model's invariants and step properties within `steps` steps.

    `timeout` is in seconds of a processor of its own.

    Raise `Untranslatable`, and `TlaError` for a model without initial states or invariants.
    """

    def searched() -> Bounded:
        search = BoundedSearch(subject, steps, timeout)
        found = search.run(lambda depth: say(f"no violation within {depth} steps"))
        return replace(found, left_out=search.left_out, doubted=tuple(search.doubted))

    result: Bounded = deeply(searched)
    return result


def unclaimed_types(subject: Subject) -> Mapping[core.Variable, Type]:
    """The types without what invariants claim of the variables, for it may be wrong; with it where all else is open."""
    found = infer_types(subject.model, frozenset(subject.types)).variables
    return {v: claimed if _is_open(found[v]) else found[v] for v, claimed in subject.types.items()}


def _is_open(type_: Type) -> bool:
    return any(isinstance(part, Unknown | Union) for part in all_parts(type_))


class BoundedSearch:
    """The path, one step longer at a time. Raise `Untranslatable`; `TlaError` where there is nothing to look for."""

    def __init__(self, subject: Subject, steps: int, timeout: float) -> None:
        model = subject.model
        checked = model.invariants or any(p.initial or p.always or p.steps for p in model.properties)
        if model.initial is None or not checked:
            raise TlaError(
                "a bounded check needs initial states, and invariants or step properties: a configuration with them",
                kind="config",
            )
        self.steps, self.end = steps, time.process_time() + timeout
        self.subject = subject = replace(subject, types=unclaimed_types(subject))
        numbers = [n for type_ in subject.types.values() for n in integer_bounds(type_)]
        low, high = min(numbers, default=0) - 1, max(numbers, default=0) + 1
        self.bounds = bounds = Bounds(_LENGTH + 2 * steps, max(_SIZE, steps), low, high, True)
        self.types = tuple(subject.types.values())
        self.maker = Maker(bounds)
        self.translator = Translator(
            bounds=bounds, axioms=self.maker.constraints, demanding=True, effort=Effort(effort_of(timeout))
        )
        self.solver = z3.SimpleSolver()
        self.atoms = frozenset(a for t in subject.types.values() for a in atoms_of(t))
        self.named = frozenset(subject.model.specification.definitions.values())
        self.told = 0
        self.left_out: dict[str, str] = {}
        self.doubted: set[str] = set()
        self.states: list[State] = []
        self.choices: list[tuple[list[Truth], list[Step]]] = []

    def run(self, after: Callable[[int], None] = lambda depth: None) -> Bounded:
        """Look at one step more at a time; `after` is called when there is no violation within so many."""
        for depth in range(self.steps + 1):
            if depth and self.subject.model.next is None:
                break
            try:
                ended = self.extend(depth) or self.look(depth)
            except Unmade as error:
                ended = Bounded(max(0, depth - 1), reason=error.reason)
            if ended is not None:
                return ended
            after(depth)
        return Bounded(self.steps)

    def look(self, depth: int) -> Bounded | None:
        """Ask about the last state; what ends the search there."""
        demands = self.translator.demands
        with demands.apart() as noted:
            violations = [(name, v) for name, v in self.violations(depth) if v is not False]
        lapsed = self.lapse(depth, [(True, noted)])
        if lapsed is not None:
            return lapsed
        inside = self.translator.scope.conditions
        answer = self.ask(conjunction([*inside, disjunction(violation for _, violation in violations)]))
        if answer == z3.sat:
            return self.found(depth, violations)
        if answer != z3.unsat:
            return Bounded(max(0, depth - 1), reason=f"no answer about {depth} steps in the time")
        outside = self.ask(disjunction(negation(c) for c in inside))
        if outside != z3.unsat:
            return Bounded(max(0, depth - 1), reason=f"after {depth} steps there may be values outside of the bounds")
        return None

    def lapse(self, depth: int, demanded: Iterable[tuple[Truth, Noted]]) -> Bounded | None:
        """Where something that is demanded, each under its condition, may be missing after so many steps."""
        while True:
            missing = {
                place: conjunction([condition, negation(conjunction(parts.values()))])
                for condition, noted in demanded
                for place, parts in noted.items()
                if place not in self.doubted
            }
            self.tell()
            answer = self.ask(conjunction([*self.translator.scope.conditions, disjunction(missing.values())]))
            if answer == z3.unsat:
                return None
            if answer != z3.sat:
                return Bounded(max(0, depth - 1), reason=f"no answer about {depth} steps in the time")
            path, reader = self.path()
            error = _undefined(self.subject.model, path)
            if error is not None:
                return Bounded(max(0, depth - 1), path=tuple(path), undefined=error)
            self.doubted |= {place for place, truth in missing.items() if reader.truth(truth)}

    def extend(self, depth: int) -> Bounded | None:
        """One more state, and how it comes about; what ends the search where there may be no value before that."""
        model, demands = self.subject.model, self.translator.demands
        now: State = [None] * len(self.types) if depth == 0 else self.states[-1]
        within: list[Truth] = []
        demanded: list[tuple[Truth, Noted]] = []
        for constraint in model.constraints if depth else ():
            with demands.apart() as noted:
                truth = self.translator.truth(constraint.body, now=now)
            demanded.append((conjunction(within), noted))
            within.append(truth)
        for constraint in model.action_constraints if depth > 1 else ():
            with demands.apart() as noted:
                truth = self.translator.truth(constraint.body, now=self.states[-2], then=now)
            demanded.append((conjunction(within), noted))
            within.append(truth)
        formula = model.next if depth else model.initial
        assert formula is not None
        ways = Steps(self.translator, self.maker, now, self.named, initial=depth == 0, alternatives=True)
        steps = [step for step in ways.of(formula) if all(c is not False for c in step.conditions)]
        demanded += [(conjunction(within), noted) for noted in ways.lost]
        for step in steps:
            taken_so_far = conjunction(step.conditions)
            demanded += [(conjunction(within), noted) for noted in step.demands]
            demanded += [(conjunction([*within, taken_so_far]), noted) for noted in step.valued.values()]
        ended = self.lapse(depth - 1, demanded)
        if ended is not None:
            return ended
        self.solver.add(*(term(truth) for truth in within))
        if len(steps) == 1 and not steps[0].conditions:
            # one initial state, as is usual: it is known, and much of the first step is decided by it
            taken: list[Truth] = [True]
        else:
            taken = [z3.Bool(f"way {number}@{depth}") for number in range(len(steps))]
            self.solver.add(term(disjunction(taken)))
        for way, step in zip(taken, steps, strict=True):
            self.solver.add(term(implication(way, conjunction(step.conditions))))
        merged = MergedStates(taken, f"@{depth}", self.bounds.length, self.maker.constraints, self.translator.scope)
        self.states.append(
            [
                merged.of((Case((way,), step.assigned[index]) for way, step in enumerate(steps)), type_)
                for index, type_ in enumerate(self.types)
            ]
        )
        self.choices.append((taken, steps))
        return None

    def tell(self) -> None:
        """Give the solver what the representations demand and the axioms of CHOOSE, as far as they are new."""
        new = self.maker.constraints[self.told :]
        self.told = len(self.maker.constraints)
        self.solver.add(*(term(part) for part in new))

    def violations(self, depth: int) -> list[tuple[str, Truth]]:
        """What each property says against the last state, and the step that leads to it."""
        model, truth, state = self.subject.model, self.translator.truth, self.states[depth]
        found = [(d.name, negation(truth(d.body, now=state))) for d in model.invariants]
        for property_ in model.properties:
            if property_.name in self.left_out:
                continue
            formulas = (*property_.always, *(property_.initial if depth == 0 else ()))
            steps = property_.steps if depth else ()
            try:
                parts = [truth(formula, now=state) for formula in formulas]
                parts += [truth(step, now=self.states[depth - 1], then=state) for step in steps]
            except Untranslatable as refusal:
                self.left_out[property_.name] = refusal.construct
                continue
            found += [(property_.name, negation(part)) for part in parts]
        return found

    def admits(self, depth: int, values: Sequence[Any]) -> bool:
        """Whether the path can be in this state, of Python values, after so many steps: the last, as yet."""
        return self._exists([self._is(depth, values)])

    def other(self, depth: int, states: Iterable[Sequence[Any]]) -> tuple[Any, ...] | None:
        """A state in which the path can be after so many steps that is none of these; None where there is none."""
        none_of = [negation(self._is(depth, values)) for values in states]
        if not self._exists(none_of):
            return None
        assert self.model is not None
        reader = Reader(self.model, self.atoms | self.translator.atoms)
        return tuple(reader.value(value) for value in self.states[depth])

    def _exists(self, formulas: list[Truth]) -> bool:
        """Ask however long it takes; the time of the search goes on after that."""
        start, self.end = time.process_time(), self.end + _COMPARING
        answer = self.ask(conjunction([*self.translator.scope.conditions, *formulas]))
        self.end += time.process_time() - start - _COMPARING
        if answer == z3.unknown:
            raise TimeoutError("no answer about states to compare")
        return bool(answer == z3.sat)

    def _is(self, depth: int, values: Sequence[Any]) -> Truth:
        at = self.subject.model.specification.variables[0].at
        expected = [self.translator.value(literal(value, at)) for value in values]
        return conjunction(equal(here, value) for here, value in zip(self.states[depth], expected, strict=True))

    def ask(self, formula: Truth) -> z3.CheckSatResult:
        if formula is False:
            return z3.unsat
        left = self.end - time.process_time()
        if left <= 0:
            return z3.unknown
        self.solver.push()
        limit(self.solver, left)
        atoms = self.atoms | self.translator.atoms
        self.solver.add(term(formula), *([distinct(atoms)] if atoms else []))
        answer = self.solver.check()
        self.model = self.solver.model() if answer == z3.sat else None
        self.solver.pop()
        return answer

    def path(self) -> tuple[list[Move], Reader]:
        """The path of the model that was found, as the Python engine's values."""
        assert self.model is not None
        reader = Reader(self.model, self.atoms | self.translator.atoms)
        path: list[Move] = []
        for state, (taken, steps) in zip(self.states, self.choices, strict=True):
            step = next(step for way, step in zip(taken, steps, strict=True) if reader.truth(way))
            arguments = tuple(reader.value(a) for a in step.arguments if not isinstance(a, Closure))
            path.append((step.action, tuple(reader.value(value) for value in state), arguments))
        return path, reader

    def found(self, depth: int, violations: list[tuple[str, Truth]]) -> Bounded:
        path, reader = self.path()
        name = next(name for name, violation in violations if reader.truth(violation))
        doubt = _replayed(self.subject.model, path, name)
        if doubt:
            return Bounded(depth - 1 if depth else 0, reason=doubt)
        return Bounded(depth, name, tuple(path))


def _undefined(model: core.Model, path: Sequence[Move]) -> TlaError | None:
    """What the Python engine says where the last state of the path, or a step from it, asks for what has no value."""
    system: PythonSystem = system_of(replace(model, view=None, symmetry=None))
    try:
        reached = list(system.initial_states())
        for _, values, _ in path:
            reached = [state for state in reached if system.values(state) == values]
            if not reached:
                return None
            last = reached[0]
            for of_state in (*system.invariants, *system.initial_properties):
                of_state.holds(last)
            reached = [t.state for t in system.successors(last)]
            for of_step in system.step_properties:
                for state in reached:
                    of_step.holds(last, state)
    except TlaError as error:
        return error
    return None


def _replayed(model: core.Model, path: Sequence[Move], violated: str) -> str:
    """Why the path is none of the Python engine's; empty when it is one."""
    system: PythonSystem = system_of(replace(model, view=None, symmetry=None))
    reached = [s for s in system.initial_states() if system.values(s) == path[0][1]][:1]
    before = reached
    for number, (_, values, _) in enumerate(path[1:], 1):
        if not reached:
            return f"the Python engine does not reach state {number} of the path that Z3 found"
        before = reached
        reached = [t.state for t in system.successors(before[0]) if system.values(t.state) == values][:1]
    if not reached:
        return f"the Python engine does not reach state {len(path)} of the path that Z3 found"
    of_states = [*system.invariants, *(system.initial_properties if len(path) == 1 else ())]
    holds = [p.holds(reached[0]) for p in of_states if p.name == violated]
    if len(path) > 1:
        holds += [p.holds(before[0], reached[0]) for p in system.step_properties if p.name == violated]
    return f"the Python engine finds {violated} true in the last state" if all(holds) else ""
