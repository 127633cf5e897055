"""Counterexamples to induction: steps from a state that satisfies an invariant to one that does not, asked of Z3.

The state before is any of the variables' types, within bounds of the lengths of sequences and the sizes of sets; every
way to take Next is a solver of its own, to which formulas are told once, each under a name that a question assumes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import z3

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.infer.vocabulary import plain
from rmqproof.model.prove.actions import Step, Steps
from rmqproof.model.prove.ask import limit
from rmqproof.model.prove.countermodel import Reader
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, negation, term
from rmqproof.model.prove.obligation import numbers_in
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.state import arbitrary_state, atoms_of, unbounded
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import distinct
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import reached
from rmqproof.model.types.infer import infer_types

_AT_LEAST = 0.01
"""Seconds: to Z3 a limit of none is no limit."""
_SMALL = (2, 4)
"""States are wanted with numbers as small as these, if there are any."""


class OutOfTime(Exception):
    """The time is over before a question was answered: nothing follows from there being no counterexample so far."""


@dataclass(frozen=True, eq=False, slots=True)
class Breach:
    """A step from a state in which all that is assumed holds to one in which the goal does not. Python values."""

    goal: core.Expression
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    action: str
    arguments: tuple[Any, ...]


@dataclass(eq=False, slots=True)
class _Way:
    step: Step
    solver: z3.SimpleSolver
    told: set[int] = field(default_factory=set)
    goals: dict[int, Truth] = field(default_factory=dict)
    cores: dict[int, list[frozenset[int]]] = field(default_factory=dict)
    """Of each goal what was enough to be kept: if it is assumed again, nobody is asked."""
    settled: int = 0
    """So many of the demands of representations, and of the conditions of the bounds, were told."""
    bounded: int = 0


class Induction:
    """The questions about one model. `questions`: so many were put to Z3, which worked for `seconds`.

    Each of them takes `timeout` seconds at most; after the time `end` (of `time.monotonic`) they raise `OutOfTime`.
    """

    def __init__(self, model: core.Model, bounds: Bounds, timeout: float, end: float = math.inf) -> None:
        """Raise `Untranslatable` for steps that have no translation, `TlaError` for a model without steps."""
        if model.next is None:
            raise TlaError("there is nothing to prove: the configuration names no steps", kind="config")
        self.model, self.timeout, self.end = model, timeout, end
        self.questions, self.seconds = 0, 0.0
        self.unanswered = 0
        self._maker = Maker(bounds)
        self._translator = Translator(bounds=bounds, axioms=self._maker.constraints)
        self._python = PythonSystem(plain(model))
        found = infer_types(model).variables
        types = {variable: found[variable] for variable in model.specification.variables}
        if not bounds.as_inferred:
            types = {variable: unbounded(type_, True) for variable, type_ in types.items()}
        self._atoms = frozenset(atom for type_ in types.values() for atom in atoms_of(type_))
        self._now = arbitrary_state(types, self._maker)
        self._assumed: dict[int, tuple[core.Expression, Truth, z3.BoolRef]] = {}
        self._background: list[Truth] = []
        for assumption in model.specification.assumptions:
            with suppress(Untranslatable):
                self._background.append(self._translator.truth(assumption.body))
        actions = frozenset(model.specification.definitions.values())
        steps = Steps(self._translator, self._maker, self._now, actions).of(model.next)
        self._ways = [_Way(step, z3.SimpleSolver()) for step in steps if False not in step.conditions]
        self._order = list(range(len(self._ways)))
        """The ways, such as broke a goal lately first: to translate a goal for each takes longest."""
        small = {z3.Bool(f"small!{most}"): self._with_numbers_to(most) for most in _SMALL}
        self._wanted: list[z3.BoolRef | None] = [*(name for name, numbers in small.items() if numbers), None]
        for way in self._ways:
            way.solver.add(*(term(c) for c in (*self._background, *way.step.conditions)))
            way.solver.add(*(z3.Implies(name, z3.And(*numbers)) for name, numbers in small.items() if numbers))

    @property
    def ways(self) -> int:
        """How many ways there are to take a step."""
        return len(self._ways)

    def breaches(
        self, assumed: Sequence[core.Expression], goals: Sequence[core.Expression], seeds: Sequence[int] = (0,)
    ) -> Iterator[Breach]:
        """Steps that keep not one of the goals, though all that is assumed holds before: a different one a seed.

        First one for each goal and way to take a step, then others of those.
        """
        asked = [(goal, number) for goal in goals for number in range(len(self._ways))]
        seen: set[tuple[int, int, tuple[Any, ...]]] = set()
        for seed in seeds:
            broken = []
            for goal, number in asked:
                found = self._ask(number, assumed, goal, seed)
                if found is None:
                    continue
                broken.append((goal, number))
                key = (id(goal), number, found.before)
                if key not in seen:
                    seen.add(key)
                    yield found
            asked = broken

    def keeps(self, assumed: Sequence[core.Expression], goal: core.Expression) -> bool:
        """Whether no step breaks the goal, as far as Z3 answers."""
        for place, number in enumerate(self._order):
            if self._ask(number, assumed, goal, 0) is not None:
                self._order.insert(0, self._order.pop(place))
                return False
        return True

    def _ask(self, number: int, assumed: Sequence[core.Expression], goal: core.Expression, seed: int) -> Breach | None:
        way = self._ways[number]
        after = self._after(way, goal)
        if after is True or (any(goal is each for each in assumed) and not self._is_changed(way.step, goal)):
            return None
        known = {id(formula) for formula in assumed}
        if any(core <= known for core in way.cores.get(id(goal), ())):
            return None
        if self._left() <= 0:
            raise OutOfTime
        names = {self._told(way, formula): id(formula) for formula in assumed}
        self._settle(way)
        start = time.process_time()
        self.questions += 1
        solver = way.solver
        solver.push()
        try:
            solver.add(term(negation(after)), distinct(self._atoms | self._translator.atoms))
            return self._model(way, goal, names, seed)
        finally:
            solver.pop()
            self.seconds += time.process_time() - start

    def _model(self, way: _Way, goal: core.Expression, names: Mapping[z3.BoolRef, int], seed: int) -> Breach | None:
        """`names`: under which the solver knows the formulas that are assumed, and these."""
        solver = way.solver
        solver.set("random_seed", seed)
        solver.set("phase_selection", 5 if seed else 3)
        for wanted in self._wanted:
            limit(solver, min(self.timeout, max(self._left(), _AT_LEAST)))
            answer = solver.check(*names, *([] if wanted is None else [wanted]))
            if answer == z3.sat:
                return self._read(way, goal, solver.model())
            if answer == z3.unknown and self._left() <= 0:
                raise OutOfTime
            if answer == z3.unknown:
                self.unanswered += 1
                continue
            enough = solver.unsat_core()
            if all(name in names for name in enough):
                way.cores.setdefault(id(goal), []).append(frozenset(names[name] for name in enough))
                break
        return None

    def _with_numbers_to(self, most: int) -> list[z3.BoolRef]:
        """That the state before has no larger numbers."""
        return [z3.And(n <= most, n >= -1) for n in numbers_in(list(self._now))]

    def _left(self) -> float:
        """So many seconds there are until the end."""
        return self.end - time.monotonic()

    def _read(self, way: _Way, goal: core.Expression, model: z3.ModelRef) -> Breach:
        reader = Reader(model, self._atoms | frozenset(self._translator.atoms))
        step = way.step
        return Breach(
            goal,
            tuple(reader.value(value) for value in self._now),
            tuple(reader.value(step.assigned[index]) for index in range(len(self._now))),
            step.action,
            tuple(reader.value(a) for a in step.arguments if not callable(a)),
        )

    def _after(self, way: _Way, goal: core.Expression) -> Truth:
        if id(goal) not in way.goals:
            then = [way.step.assigned[index] for index in range(len(self._now))]
            way.goals[id(goal)] = self._translator.truth(goal, now=then)
        return way.goals[id(goal)]

    def _is_changed(self, step: Step, goal: core.Expression) -> bool:
        """Whether the step changes a variable that the goal reads."""
        read = {node.variable.index for node in reached(goal) if isinstance(node, core.VariableReference)}
        return any(step.assigned[index] is not self._now[index] for index in read)

    def _told(self, way: _Way, formula: core.Expression) -> z3.BoolRef:
        """The name under which the solver of a way knows that a formula holds before the step."""
        key = id(formula)
        if key not in self._assumed:
            truth = self._translator.truth(formula, now=self._now)
            self._assumed[key] = (formula, truth, z3.Bool(f"assumed!{len(self._assumed)}"))
        _, truth, name = self._assumed[key]
        if key not in way.told:
            way.told.add(key)
            way.solver.add(z3.Implies(name, term(truth)))
        return name

    def _settle(self, way: _Way) -> None:
        """Tell the solver of a way what has come up since: what values demand, and where the translation is exact."""
        demanded, exact = self._maker.constraints, self._translator.scope.conditions
        way.solver.add(*(term(part) for part in demanded[way.settled :]))
        way.solver.add(*(term(part) for part in exact[way.bounded :]))
        way.settled, way.bounded = len(demanded), len(exact)
