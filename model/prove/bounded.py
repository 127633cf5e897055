"""Bounded checking: a violation within K steps from an initial state, looked for by Z3 instead of by exploring.

The states of the path are constants; each step is one of the ways to take Next, chosen by Z3. A sequence in a state is
as long as the step before can make it, a set of larger things has at most so many elements: where a path may leave
that, the search says so. A path that it finds is replayed by the interpreter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import z3

from rmqproof.model.evaluate.system import InterpretedSystem, system_of
from rmqproof.model.prove.actions import Step, Steps
from rmqproof.model.prove.countermodel import Reader
from rmqproof.model.prove.fit import fitting, longest_in
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, conjunction, disjunction, implication, negation, term
from rmqproof.model.prove.merge import equal
from rmqproof.model.prove.problem import Subject
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.state import arbitrary_state, atoms_of
from rmqproof.model.prove.translate import State, Translator
from rmqproof.model.prove.values import distinct
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.types import infer_types
from rmqproof.model.tla.types.domain import Atom, Function, Record, Seq, Set, Tuple, Type, Union, Unknown
from rmqproof.model.tla.types.narrowing import integer_bounds

_LENGTH, _SIZE = 8, 2
"""A sequence has at most so many items and two for each step, a set at least room for so many elements."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """`steps`: so many steps were looked at whole. `violated`: an invariant that the last state of `path` falsifies.

    `path` are the actions with their states, the interpreter's. `reason` says why less than asked for was looked at.
    """

    steps: int
    violated: str = ""
    path: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    reason: str = ""


def search_bounded(
    subject: Subject, steps: int, timeout: float, say: Callable[[str], None] = lambda text: None
) -> Bounded:
    """Look for a violation of the model's invariants within `steps` steps, `timeout` seconds.

    Raise `Untranslatable`, and `TlaError` for a model without initial states or invariants.
    """
    model = subject.model
    if model.initial is None or not model.invariants:
        raise TlaError(
            "a bounded check needs initial states and invariants: a configuration that names them", kind="config"
        )
    subject = replace(subject, types=unclaimed_types(subject))
    numbers = [n for type_ in subject.types.values() for n in integer_bounds(type_)]
    bounds = Bounds(
        _LENGTH + 2 * steps, max(_SIZE, steps), min(numbers, default=0) - 1, max(numbers, default=0) + 1, True
    )
    return _Search(subject, bounds, time.monotonic() + timeout, say).run(steps)


def unclaimed_types(subject: Subject) -> Mapping[core.Variable, Type]:
    """The types without what invariants claim of the variables, for it may be wrong; with it where all else is open."""
    found = infer_types(subject.model, frozenset(subject.types)).variables
    return {v: claimed if _is_open(found[v]) else found[v] for v, claimed in subject.types.items()}


def _is_open(type_: Type) -> bool:
    match type_:
        case Set() | Seq():
            return _is_open(type_.element)
        case Record():
            return any(_is_open(field) for _, field in type_.fields)
        case Tuple():
            return any(_is_open(item) for item in type_.items)
        case Function():
            return _is_open(type_.key) or _is_open(type_.value)
    return isinstance(type_, Unknown | Union)


class _Search:
    def __init__(self, subject: Subject, bounds: Bounds, end: float, say: Callable[[str], None]) -> None:
        self.subject, self.bounds, self.end, self.say = subject, bounds, end, say
        self.types = tuple(subject.types.values())
        self.maker = Maker(bounds)
        self.translator = Translator(bounds=bounds, axioms=self.maker.constraints)
        self.solver = z3.SimpleSolver()
        self.atoms = frozenset(a for t in subject.types.values() for a in atoms_of(t) if isinstance(a, Atom))
        self.told = 0
        self.states: list[State] = []
        self.choices: list[tuple[Any, list[Step]]] = []

    def run(self, steps: int) -> Bounded:
        for depth in range(steps + 1):
            self.extend(depth)
            self.tell()
            violations = self.violations(depth)
            self.tell()
            inside = self.translator.scope.conditions
            answer = self.ask(conjunction([*inside, disjunction(violation for _, violation in violations)]))
            if answer == z3.sat:
                return self.found(depth, violations)
            if answer != z3.unsat:
                return Bounded(max(0, depth - 1), reason=f"no answer about {depth} steps in the time")
            outside = self.ask(disjunction(negation(c) for c in inside))
            if outside != z3.unsat:
                return Bounded(
                    max(0, depth - 1), reason=f"after {depth} steps there may be values outside of the bounds"
                )
            self.say(f"no violation within {depth} steps")
        return Bounded(steps)

    def extend(self, depth: int) -> None:
        """One more state, and how it comes about."""
        model = self.subject.model
        if depth == 0:
            now: State = [None] * len(self.subject.types)
            formula = model.initial
        else:
            now = self.states[-1]
            formula = model.next
            for constraint in model.constraints:
                self.solver.add(term(self.translator.truth(constraint.body, now=now)))
        named = frozenset(model.specification.definitions.values())
        ways = Steps(self.translator, self.maker, now, named, initial=depth == 0)
        assert formula is not None
        taken = [step for step in ways.of(formula) if all(c is not False for c in step.conditions)]
        if len(taken) == 1 and not taken[0].conditions:
            # one initial state, as is usual: it is known, and much of the first step is decided by it
            self.states.append([taken[0].assigned[index] for index in range(len(now))])
            self.choices.append((z3.IntVal(0), taken))
            return
        longest = max((longest_in(value) for step in taken for value in step.assigned.values()), default=0)
        self.maker.bounds = replace(self.bounds, length=min(longest, self.bounds.length))
        state = arbitrary_state(dict(self.subject.types), self.maker, f"@{depth}")
        self.maker.bounds = self.bounds
        choice = z3.Int(f"step@{depth}")
        self.solver.add(choice >= 0, choice < len(taken))
        for number, step in enumerate(taken):
            self.solver.add(z3.Implies(choice == number, term(conjunction(step.conditions))))
            # A value that does not fit leaves the next state open and its condition false: the path ends there.
            fits = conjunction(
                fitting(state[index], step.assigned[index], type_) for index, type_ in enumerate(self.types)
            )
            same = conjunction(equal(state[index], step.assigned[index]) for index in range(len(state)))
            self.solver.add(term(implication(conjunction([choice == number, fits]), same)))
            if fits is not True:
                self.translator.scope.conditions.append(implication(choice == number, fits))
        self.states.append(state)
        self.choices.append((choice, taken))

    def tell(self) -> None:
        """Give the solver what the representations demand and the axioms of CHOOSE, as far as they are new."""
        new = self.maker.constraints[self.told :]
        self.told = len(self.maker.constraints)
        self.solver.add(*(term(part) for part in new))

    def violations(self, depth: int) -> list[tuple[core.Definition, Truth]]:
        state = self.states[depth]
        return [(d, negation(self.translator.truth(d.body, now=state))) for d in self.subject.model.invariants]

    def ask(self, formula: Truth) -> z3.CheckSatResult:
        if formula is False:
            return z3.unsat
        left = self.end - time.monotonic()
        if left <= 0:
            return z3.unknown
        self.solver.push()
        self.solver.set("timeout", max(1, int(left * 1000)))
        atoms = self.atoms | self.translator.atoms
        self.solver.add(term(formula), *([distinct(atoms)] if atoms else []))
        answer = self.solver.check()
        self.model = self.solver.model() if answer == z3.sat else None
        self.solver.pop()
        return answer

    def found(self, depth: int, violations: list[tuple[core.Definition, Truth]]) -> Bounded:
        assert self.model is not None
        reader = Reader(self.model, self.atoms | self.translator.atoms)
        path = []
        for state, (choice, taken) in zip(self.states, self.choices, strict=True):
            step = taken[reader.number(choice)]
            path.append((step.action, tuple(reader.value(value) for value in state)))
        name = next(d.name for d, violation in violations if reader.truth(violation))
        doubt = _replayed(self.subject.model, path, name)
        if doubt:
            return Bounded(depth - 1 if depth else 0, reason=doubt)
        return Bounded(depth, name, tuple(path))


def _replayed(model: core.Model, path: list[tuple[str, tuple[Any, ...]]], violated: str) -> str:
    """Why the path is none of the interpreter's; empty when it is one."""
    system: InterpretedSystem = system_of(replace(model, view=None, symmetry=None))
    reached = [s for s in system.initial_states() if system.values(s) == path[0][1]]
    for number, (_, values) in enumerate(path[1:], 1):
        if not reached:
            return f"the interpreter does not reach state {number} of the path that Z3 found"
        reached = [t.state for t in system.successors(reached[0]) if system.values(t.state) == values]
    if not reached:
        return f"the interpreter does not reach state {len(path)} of the path that Z3 found"
    holds = next(p.holds for p in system.invariants if p.name == violated)
    return "" if not holds(reached[0]) else f"the interpreter finds {violated} true in the last state"
