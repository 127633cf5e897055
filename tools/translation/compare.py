"""What Z3 makes of a lemma's formulas, and what the reference evaluator says of them, in one world after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import z3

from rmqproof.model.evaluate.literals import literal
from rmqproof.model.judge.values import reference_state, reference_value
from rmqproof.model.prove.environment import State
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.logic import Truth, conjunction, negation, term
from rmqproof.model.prove.merge import equal
from rmqproof.model.prove.obligation import Obligation
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.values import Value
from rmqproof.model.reference import EvaluationError, Reference
from rmqproof.model.reference.values import Truth as Holds
from rmqproof.model.tla import core
from tools.translation.worlds import Values, World, Worlds

_WORK = 2_000_000
"""Z3's units of work for a formula: half a second, about."""


@dataclass(eq=False)
class Found:
    """What was compared. `counts`: how often a formula was `true`, `false` or had no `value`; where Z3 was `undecided`,
    or admitted both, as where CHOOSE may take one or another; `differ`: what Z3 denies, or grants a value.
    """

    counts: Counter[str] = field(default_factory=Counter)
    differ: list[str] = field(default_factory=list)

    @property
    def comparisons(self) -> int:
        return self.counts["true"] + self.counts["false"] + self.counts["no value"]


@dataclass(frozen=True, eq=False, slots=True)
class Formula:
    """A part of a question: what is put to Z3, from which expression, and what must hold for that to have a value."""

    name: str
    truth: Truth
    source: core.Expression
    demands: Truth


def formulas_of(obligation: Obligation) -> Iterator[Formula]:
    """The hypotheses and goals that come from an expression of the specification."""
    for given in obligation.hypotheses:
        if given.formula is not None:
            demands = conjunction(part for parts in given.demands.values() for part in parts.values())
            yield Formula(given.name, given.truth, given.formula, demands)
    for goal, after in zip_longest(obligation.goals, obligation.goals[1:]):
        if goal.formula is not None:
            # after a step a part may have a value for the reason that it had one before; then nothing is demanded
            otherwise = obligation.step is None
            yield Formula(goal.name, goal.truth, goal.formula, after.truth if after and after.places else otherwise)


@dataclass(eq=False)
class Comparison:
    """A lemma. Worlds are told to Z3 as equations, beside all axioms; the reference evaluator has the source."""

    subject: Subject
    lemma: Lemma
    found: Found = field(default_factory=Found)

    def __post_init__(self) -> None:
        obligations = list(obligations_of(self.subject, self.lemma, None))
        if self.lemma.is_about_steps:
            obligations = [o for o in obligations if o.step is not None]
        self.ways = [(obligation, list(formulas_of(obligation))) for obligation in obligations]
        self.obligation = obligations[0]
        self.solver = z3.SimpleSolver()
        self.solver.set("rlimit", _WORK)
        self.solver.add(*map(term, self.obligation.axioms()))

    def of(self, world: World) -> bool:
        """Compare every formula; whether Z3 admits the world, a step if one of the ways to take it does."""
        admitted = False
        reference = Reference(self.subject.model)
        with self._told(self._given(world)), given(world.constants):
            for obligation, formulas in self.ways:
                with self._told(obligation.step.conditions if obligation.step is not None else ()):
                    if self.solver.check() == z3.unsat:
                        continue
                    with self._told(self._equations(obligation.then, world.then)):
                        if self.solver.check() != z3.unsat:
                            admitted = True
                            for formula in formulas:
                                self._compare(formula, reference, world)
        return admitted

    @contextmanager
    def _told(self, parts: Iterable[Truth]) -> Iterator[None]:
        self.solver.push()
        try:
            self.solver.add(*map(term, parts))
            yield
        finally:
            self.solver.pop()

    def _given(self, world: World) -> Iterator[Truth]:
        """What is known before a step, as equations."""
        obligation, at = self.obligation, self.lemma.at
        for constant, value in obligation.free.items():
            yield self._equation(value, literal(world.constants[constant], at))
        for name, value in obligation.bindings.items():
            yield self._equation(value, literal(world.bindings[name], at))
        yield from self._equations(obligation.now, world.now)
        yield from obligation.names()

    def _equations(self, state: State | None, values: Values | None) -> Iterator[Truth]:
        if state is not None and values is not None:
            for value, other in zip(state, values, strict=True):
                yield self._equation(value, literal(other, self.lemma.at))

    def _equation(self, value: Value, e: core.Expression) -> Truth:
        translator = self.obligation.translator
        return equal(value, translator.demands.quietly(translator.value)(e))

    def _compare(self, formula: Formula, reference: Reference, world: World) -> None:
        counts = self.found.counts
        try:
            right = holds(reference, formula.source, self.lemma, world)
        except EvaluationError as error:
            counts["no value"] += 1
            if self._follows(formula.demands):
                self.found.differ.append(f"{formula.name} has no value ({error}), and Z3 says it has: {world}")
            return
        counts["true" if right else "false"] += 1
        said, opposite = formula.truth, negation(formula.truth)
        if not right:
            said, opposite = opposite, said
        if self._follows(opposite):
            self.found.differ.append(f"{formula.name} is {right}, and Z3 denies it: {world}")
        elif not self._follows(said):
            counts["undecided"] += 1

    def _follows(self, truth: Truth) -> bool:
        if isinstance(truth, bool):
            return truth
        with self._told([negation(truth)]):
            return bool(self.solver.check() == z3.unsat)


@contextmanager
def given(constants: Mapping[core.Constant, Any]) -> Iterator[None]:
    """The constants have these values within."""
    before = {constant: constant.value for constant in constants}
    try:
        for constant, value in constants.items():
            constant.value = literal(value, constant.at)
        yield
    finally:
        for constant, kept in before.items():
            constant.value = kept


def holds(reference: Reference, e: core.Expression, lemma: Lemma, world: World) -> bool:
    """The truth of a formula in a world, or of a step. Raise `EvaluationError`."""
    now = None if world.now is None else reference_state(world.now)
    then = None if world.then is None else reference_state(world.then)
    env = {binding: reference_value(world.bindings[binding.name]) for binding, _ in lemma.fresh}
    return bool(reference.evaluate(e, env, now, then) is Holds.TRUE)


def compared(comparison: Comparison, worlds: Worlds, number: int) -> None:
    """Compare the formulas of a lemma that is about no step, in so many worlds."""
    for world in worlds.of_state(number):
        if not comparison.of(world):
            comparison.found.differ.append(f"Z3 does not admit {world}")


def compared_steps(comparison: Comparison, worlds: Worlds, number: int) -> None:
    """Compare the ways to take a step, and what is to hold after it, from so many states."""
    found, lemma = comparison.found, comparison.lemma
    action = next(h.formula for h in lemma.hypotheses if gives_values(h.formula))
    for world in worlds.of_step(number):
        admitted = comparison.of(world)
        try:
            step = holds(worlds.reference, action, lemma, world)
        except EvaluationError:
            continue
        found.counts["a step" if step else "no step"] += 1
        if step is not admitted:
            found.differ.append(f"{'a' if step else 'no'} step, and Z3 says otherwise: {world}")
