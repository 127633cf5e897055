"""A lemma as problems for Z3: hypotheses and a goal over constants of which nothing else is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import z3

from rmqproof.model.prove.actions import Step, Steps
from rmqproof.model.prove.environment import Environment
from rmqproof.model.prove.formulas import conjuncts, gives_values
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, conjunction, negation, term
from rmqproof.model.prove.merge import is_number, is_truth
from rmqproof.model.prove.reads import Path, paths_in, same_parts, speaks_of_next
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.state import arbitrary_state, atoms_of, unbounded
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.translate import State, Translator
from rmqproof.model.prove.values import AtomValue, Value, distinct
from rmqproof.model.tla import core
from rmqproof.model.tla.types import infer_types
from rmqproof.model.tla.types.domain import Atom, Enum, Set, Type, join_all

_UNBOUNDED = re.compile(r"^[ \t]*\\\*[ \t]*UNBOUNDED[ \t]+(.*)$", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Subject:
    """A model to prove things of. `free` are the constants that may have any value of their kind."""

    model: core.Model
    free: tuple[core.Constant, ...] = ()
    types: Mapping[core.Variable, Type] = field(default_factory=dict)

    def free_type(self, constant: core.Constant) -> Type:
        """The type of a constant that the configuration leaves open: as its value there, without bounds."""
        from rmqproof.model.prove.merge import type_of

        assert constant.value is not None
        found = unbounded(type_of(Translator().value(constant.value)))
        if not isinstance(found, Set):
            return found
        everyone = [type_of(Translator().value(c.value)) for c in self.model.specification.constants if c.value]
        return Set(join_all([t.element for t in everyone if isinstance(t, Set) and isinstance(t.element, Enum)]))


def subject_of(model: core.Model, config_text: str = "") -> Subject:
    """The model, and the constants that lines `\\* UNBOUNDED Name …` of its configuration leave open."""
    names = {name for line in _UNBOUNDED.findall(config_text) for name in line.split()}
    constants = tuple(c for c in model.specification.constants if c.name in names and c.value is not None)
    types: dict[core.Variable, Type] = {}
    if model.specification.variables:
        found = infer_types(model).variables
        types = {variable: found[variable] for variable in model.specification.variables}
    return Subject(model, constants, types)


@dataclass(frozen=True, slots=True)
class Share:
    """Every `of`-th way to take a step, from number `index`: what one process works on."""

    index: int = 0
    of: int = 1

    @property
    def first(self) -> bool:
        return self.index == 0

    def has(self, number: int) -> bool:
        return number % self.of == self.index


WHOLE = Share()


@dataclass(frozen=True, eq=False, slots=True)
class Given:
    """A hypothesis, or a conjunct of one. `reads`: the parts of the state it speaks about; None for all."""

    name: str
    truth: Truth
    reads: frozenset[Path] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Goal:
    name: str
    truth: Truth
    reads: frozenset[Path] = frozenset()


@dataclass(eq=False)
class Problem:
    """Whether the hypotheses imply the goal. `name` says which way of taking a step this is about."""

    name: str
    translator: Translator
    maker: Maker
    bindings: Mapping[str, Value]
    hypotheses: list[Given]
    goals: list[Goal]
    """The conjuncts of the goal, by name where they have one."""
    now: State | None = None
    then: State | None = None
    step: Step | None = None
    free: Mapping[core.Constant, Value] = field(default_factory=dict)
    atoms: frozenset[Atom] = frozenset()

    def given(self, about: frozenset[Path] | None = None) -> list[Truth]:
        """Everything but the goal: hypotheses, axioms of CHOOSE, what the representations of values demand.

        `about`: only the hypotheses that speak about nothing else than this.
        """
        atoms = self.translator.atoms | self.atoms
        names = [distinct(atoms)] if atoms else []
        kept = [h.truth for h in self.hypotheses if about is None or h.reads is None or h.reads <= about]
        return [part for part in (*names, *self.maker.constraints, *kept) if part is not True]

    @property
    def title(self) -> str:
        """The action with its arguments, as far as they are known."""
        if self.step is None or not self.step.action:
            return self.name
        known = [a.known.name if isinstance(a, AtomValue) and a.known else "?" for a in self.step.arguments]
        return f"{self.step.action}({', '.join(known)})" if known else self.step.action

    def within_scope(self) -> list[Truth]:
        """Within bounds: the conditions under which the translation is exact."""
        return [part for part in self.translator.scope.conditions if part is not True]

    @property
    def goal(self) -> Truth:
        return conjunction(goal.truth for goal in self.goals)

    def refutation(self) -> list[Truth]:
        return [*self.given(), negation(self.goal)]


def problems_of(
    subject: Subject,
    lemma: Lemma,
    bounds: Bounds | None,
    used: tuple[Lemma, ...] = (),
    share: Share = WHOLE,
) -> Iterator[Problem]:
    """The lemma's problems: one, or one for each way to take the step that a hypothesis is about.

    Raise `Untranslatable`.
    """
    maker = Maker(bounds)
    translator = Translator(bounds=bounds, axioms=maker.constraints)
    free = open_constants(subject, translator, maker)
    now: State | None = None
    atoms: frozenset[Atom] = frozenset()
    if subject.types:
        types = {v: t if bounds and bounds.as_configured else unbounded(t) for v, t in subject.types.items()}
        now = arbitrary_state(types, maker)
        atoms = frozenset(a for t in types.values() for a in atoms_of(t) if isinstance(a, Atom))
    bindings: dict[core.Binding, Value] = {}
    hypotheses: list[Given] = []
    for assumption in subject.model.specification.assumptions:
        hypotheses.append(Given(assumption.name, translator.truth(assumption.body)))
    for other in used:
        hypotheses.append(Given(other.name, translator.truth(as_formula(other))))
    for binding, domain in lemma.fresh:
        where = translator.value(domain, Environment(bindings), now)
        bindings[binding] = maker.make(where.element, binding.name)
        hypotheses.append(Given(f"{binding.name} \\in", where.contains(bindings[binding])))
    environment = Environment(bindings)
    named = {binding.name: value for binding, value in bindings.items()}
    moving = next((h for h in lemma.hypotheses if gives_values(h.formula)), None)
    if moving is None:
        for hypothesis in lemma.hypotheses:
            hypotheses += [
                Given(name or hypothesis.name, translator.truth(part, environment, now), paths_in(part))
                for name, part in conjuncts(hypothesis.formula)
            ]
        goals = [
            Goal(name, translator.truth(part, environment, now), paths_in(part)) for name, part in conjuncts(lemma.goal)
        ]
        yield Problem("", translator, maker, named, hypotheses, goals, now, None, None, free, atoms)
        return
    assert now is not None
    before = [h for h in lemma.hypotheses if h is not moving and not speaks_of_next(h.formula)]
    for hypothesis in before:
        hypotheses += [
            Given(name or hypothesis.name, translator.truth(part, environment, now), paths_in(part))
            for name, part in conjuncts(hypothesis.formula)
        ]
    kept = unchanged_parts(lemma)
    actions = frozenset(subject.model.specification.definitions.values())
    for number, step in enumerate(Steps(translator, maker, now, actions).of(moving.formula, environment)):
        if not share.has(number):
            continue
        then = [step.assigned[index] for index in range(len(now))]
        own = [*hypotheses, *(Given(moving.name, condition) for condition in step.conditions)]
        for hypothesis in lemma.hypotheses:
            if hypothesis is not moving and hypothesis not in before:
                own.append(Given(hypothesis.name, translator.truth(hypothesis.formula, environment, now, then)))
        goals = []
        for name, part in conjuncts(lemma.goal):
            same = kept.get(part_of(part))
            if same is None or not all(same_parts(now[index], then[index], path) for index, path in same):
                goals.append(Goal(name, translator.truth(part, environment, now, then), paths_in(part)))
            else:
                goals.append(Goal(name, True))
        yield Problem(step.action or moving.name, translator, maker, named, own, goals, now, then, step, free, atoms)


def part_of(goal: core.Expression) -> int:
    """What identifies a conjunct: the node under the prime."""
    inside = goal.arguments[0] if isinstance(goal, core.Builtin) and goal.operator == "'" else goal
    return id(inside)


def unchanged_parts(lemma: Lemma) -> dict[int, frozenset[Path]]:
    """The conjuncts that stand primed in the goal and unprimed among the hypotheses, with what they read.

    A step that leaves that alone keeps the conjunct, and Z3 need not be asked.
    """
    assumed = {id(part) for hypothesis in lemma.hypotheses for _, part in conjuncts(hypothesis.formula)}
    found = {}
    for _, goal in conjuncts(lemma.goal):
        inside = part_of(goal)
        if inside in assumed and isinstance(goal, core.Builtin) and goal.operator == "'":
            found[inside] = paths_in(goal.arguments[0])
    return found


def open_constants(subject: Subject, translator: Translator, maker: Maker) -> dict[core.Constant, Value]:
    """Give each open constant some value of its type."""
    for constant in subject.free:
        translator.constants[constant] = maker.make(subject.free_type(constant), constant.name)
    return {constant: translator.constants[constant] for constant in subject.free}


def as_formula(lemma: Lemma) -> core.Expression:
    """`\\A new symbols : hypotheses => goal`"""
    body = lemma.goal
    if lemma.hypotheses:
        premise = core.Builtin(lemma.at, "/\\", tuple(h.formula for h in lemma.hypotheses))
        body = core.Builtin(lemma.at, "=>", (premise, lemma.goal))
    if not lemma.fresh:
        return body
    return core.Quantified(
        lemma.at, "\\A", tuple(core.Binder((binding,), False, domain) for binding, domain in lemma.fresh), body
    )


def numbers_in(values: list[Value]) -> list[z3.ArithRef]:
    """The integer constants in values, for keeping countermodels small."""
    from rmqproof.model.prove.terms import constants_in

    leaves: list[Value] = []

    def collect(value: Value) -> None:
        from rmqproof.model.prove.sets import FiniteSet
        from rmqproof.model.prove.values import FunctionValue, Items, RecordValue, SequenceValue

        if is_truth(value) or is_number(value):
            leaves.append(term(value))
        elif isinstance(value, RecordValue):
            for item in value.fields.values():
                collect(item)
        elif isinstance(value, SequenceValue):
            leaves.append(term(value.length))
            if isinstance(value.at, Items):
                for item in value.at.items:
                    collect(item)
        elif isinstance(value, FunctionValue):
            for entry in value.entries:
                collect(entry.value)
        elif isinstance(value, FiniteSet):
            for guard, item in value.members:
                leaves.append(term(guard))
                collect(item)

    for value in values:
        collect(value)
    return [c for c in constants_in(*leaves) if z3.is_int(c)]
