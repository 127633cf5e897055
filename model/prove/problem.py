"""A lemma as problems for Z3: hypotheses and a goal over constants of which nothing else is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3

from rmqproof.model.prove.actions import Step, Steps
from rmqproof.model.prove.defined import Noted, all_of
from rmqproof.model.prove.environment import NO_NAMES, Environment
from rmqproof.model.prove.formulas import conjuncts, gives_values
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, conjunction, negation, term
from rmqproof.model.prove.merge import is_number, is_truth, type_of
from rmqproof.model.prove.open_sets import has_first, open_set
from rmqproof.model.prove.open_types import Configured, opened
from rmqproof.model.prove.pieces import Texts
from rmqproof.model.prove.reads import Path, paths_in, reads_next, same_parts, speaks_of_next
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.state import arbitrary_state, atoms_of, unbounded
from rmqproof.model.prove.theorems import Hypothesis, Lemma
from rmqproof.model.prove.translate import State, Translator
from rmqproof.model.prove.values import Value, distinct
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.types import infer_types
from rmqproof.model.types.domain import Atom, Enum, Set, Type, join_all

_UNBOUNDED = re.compile(r"^[ \t]*\\\*[ \t]*UNBOUNDED[ \t]+(.*)$", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Subject:
    """A model to prove things of. `free` are the constants that may have any value of their kind."""

    model: core.Model
    free: tuple[core.Constant, ...] = ()
    types: Mapping[core.Variable, Type] = field(default_factory=dict)
    open_sets: tuple[core.Constant, ...] = ()
    """Those that are any finite sets of names. Countermodels are looked for with what the configuration gives them."""

    def elements(self, constant: core.Constant) -> frozenset[Atom]:
        """The names that the configuration has in a set."""
        assert constant.value is not None
        return frozenset(a for a in atoms_of(type_of(Translator().value(constant.value))) if isinstance(a, Atom))

    def free_type(self, constant: core.Constant) -> Type:
        """The type of a constant that the configuration leaves open: as its value there, without bounds.

        A model value, or a set of them, may be any that the configuration has.
        """
        assert constant.value is not None
        found = unbounded(type_of(Translator().value(constant.value)))
        every = [type_of(Translator().value(c.value)) for c in self.model.specification.constants if c.value]
        members: list[Type] = [t.element for t in every if isinstance(t, Set) and isinstance(t.element, Enum)]
        if isinstance(found, Enum) and all(atom.is_model for atom in found.atoms):
            alone: list[Type] = [t for t in every if isinstance(t, Enum)]
            return join_all([*members, *alone])
        return Set(join_all(members)) if isinstance(found, Set) else found


def subject_of(model: core.Model, config_text: str = "") -> Subject:
    """The model, and the constants that lines `\\* UNBOUNDED Name …` of its configuration leave open.

    Raise `TlaError` where such a line names something else: it would leave nothing open, and what is proved be less.
    """
    names = {name for line in _UNBOUNDED.findall(config_text) for name in line.split()}
    constants = tuple(c for c in model.specification.constants if c.name in names and c.value is not None)
    unknown = names - {constant.name for constant in constants}
    if unknown:
        raise TlaError(
            f"the line \\* UNBOUNDED names {', '.join(sorted(unknown))}, which the configuration gives no value",
            remedy="It lists constants, and settings that a configuration may give a value.",
            kind="config",
        )
    types: dict[core.Variable, Type] = {}
    if model.specification.variables:
        found = infer_types(model).variables
        types = {variable: found[variable] for variable in model.specification.variables}
    return Subject(model, constants, types)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of a lemma's problems are made.

    `titles`: only the ways to take a step that are called so; None for all. `known`: constants of the state that have
    this value, by name; what is proved so holds in that case only. `dropped`: assumptions' conjuncts that are left out.
    """

    titles: frozenset[str] | None = None
    known: Mapping[str, Atom] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()

    def is_about(self, actions: tuple[str, ...]) -> bool:
        """Whether only these actions are selected, if any are named."""
        return not actions or (self.titles is not None and {t.partition("(")[0] for t in self.titles} <= set(actions))


EVERYTHING = Selection()
NOTHING_OPEN: Configured = {}


@dataclass(frozen=True, eq=False, slots=True)
class Given:
    """A hypothesis, or a conjunct of one. `reads`: the parts of the state it speaks about; None for all."""

    name: str
    truth: Truth
    reads: frozenset[Path] | None = None
    derived: bool = False
    """It follows from the other hypotheses, and may be left out."""
    demands: Noted = field(default_factory=dict)
    """What must hold for it to have a value, by place."""


@dataclass(frozen=True, eq=False, slots=True)
class Goal:
    """`places`: it says that something has a value, and this is what must hold at each place for that."""

    name: str
    truth: Truth
    reads: frozenset[Path] = frozenset()
    places: Mapping[str, Truth] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """That a hypothesis has a value, which must follow from so many hypotheses, those that stand before it.

    `common`: it is the same for every way to take the step.
    """

    before: int
    goal: Goal
    common: bool


@dataclass(frozen=True, eq=False, slots=True)
class Later:
    """A lemma that is used on the state after the step, once the goals of these names are proved."""

    needs: frozenset[str]
    given: Given


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
    variables: tuple[str, ...] = ()
    later: list[Later] = field(default_factory=list)
    grounds: tuple[Ground, ...] = ()
    texts: Texts = field(default_factory=Texts)
    """What was written down for one question is not written again for the next."""

    def on_grounds(self, common: bool) -> Iterator[Problem]:
        """Whether the hypotheses have values, each as a problem of its own."""
        for ground in self.grounds:
            if ground.common == common:
                before = [h for h in self.hypotheses[: ground.before] if not h.derived]
                yield replace(self, hypotheses=before, goals=[ground.goal], later=[], grounds=())

    def names(self) -> list[Truth]:
        """That strings and model values differ."""
        atoms = self.translator.atoms | self.atoms
        return [distinct(atoms)] if atoms else []

    def axioms(self) -> list[Truth]:
        """What CHOOSE and SelectSeq are, and what the representations of values demand."""
        return [part for part in self.maker.constraints if part is not True]

    def given(self) -> list[Truth]:
        """Everything but the goal."""
        kept = [h.truth for h in self.hypotheses if h.truth is not True]
        return [*self.names(), *self.axioms(), *kept]

    @property
    def title(self) -> str:
        """The action with its arguments, as far as they are known."""
        return (self.step.title if self.step is not None else "") or self.name

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
    selection: Selection = EVERYTHING,
) -> Iterator[Problem]:
    """The lemma's problems: one, or one for each way to take the step that a hypothesis is about.

    Raise `Untranslatable`.
    """
    base, environment = _setting(subject, lemma, bounds, used, selection)
    moving = next((h for h in lemma.hypotheses if gives_values(h.formula)), None)
    first = [h for h in lemma.hypotheses if moving is None or (h is not moving and not speaks_of_next(h.formula))]
    base.hypotheses += [given for h in first for given in _given(base.translator, h, environment, base.now)]
    base.grounds = tuple(_grounds(base.hypotheses, 0, True))
    if moving is not None:
        rest = [h for h in lemma.hypotheses if h is not moving and h not in first]
        yield from _steps(subject, lemma, base, environment, moving, rest, used, selection)
        return
    translator, demands = base.translator, base.translator.demands
    for name, part in conjuncts(lemma.goal):
        with demands.apart() as noted:
            truth = translator.truth(part, environment, base.now)
        reads = paths_in(part)
        base.goals += [Goal(name, truth, reads), *has_value(name or "the goal", noted, reads)]
    yield base


def _setting(
    subject: Subject, lemma: Lemma, bounds: Bounds | None, used: tuple[Lemma, ...], selection: Selection
) -> tuple[Problem, Environment]:
    """What is known before the lemma's own hypotheses, as a problem without goals; what the new symbols mean."""
    maker = Maker(bounds, known=selection.known)
    translator = Translator(bounds=bounds, axioms=maker.constraints)
    some = open_sets(subject, translator, maker) if bounds is None else {}
    free = open_constants(subject, translator, maker, some)
    now: State | None = None
    atoms: frozenset[Atom] = frozenset()
    variables = tuple(variable.name for variable in subject.types)
    if subject.types:
        types = {v: t if bounds and bounds.as_configured else unbounded(t) for v, t in subject.types.items()}
        types = {v: opened(t, some) for v, t in types.items()}
        now = arbitrary_state(types, maker)
        atoms = frozenset(a for t in types.values() for a in atoms_of(t) if isinstance(a, Atom))
    bindings: dict[core.Binding, Value] = {}
    hypotheses: list[Given] = []
    demands = translator.demands
    for assumption in subject.model.specification.assumptions:
        for _, part in conjuncts(assumption.body):
            if id(part) not in selection.dropped:
                with demands.apart() as noted:
                    truth = translator.truth(part)
                hypotheses.append(Given(assumption.name or "an assumption", truth, demands=noted))
    for other in used:
        if not says_more_of(other, lemma) and not speaks_of_goals(other, lemma):
            truth = demands.quietly(translator.truth)(as_formula(other))
            hypotheses.append(Given(other.name, truth))
    for binding, domain in lemma.fresh:
        with demands.apart() as noted:
            where = translator.value(domain, Environment(bindings), now)
        bindings[binding] = maker.make(where.element, binding.name)
        truth = demands.quietly(where.contains)(bindings[binding])
        hypotheses.append(Given(f"{binding.name} \\in", truth, demands=noted))
    for other in used:
        if says_more_of(other, lemma) and selection.is_about(lemma.actions):
            hypotheses += [
                Given(other.name, demands.quietly(translator.truth)(part, NO_NAMES, now), paths_in(part), True)
                for _, part in conjuncts(other.goal)
            ]
    named = {binding.name: value for binding, value in bindings.items()}
    problem = Problem("", translator, maker, named, hypotheses, [], now, None, None, free, atoms, variables)
    return problem, Environment(bindings)


def _given(
    translator: Translator, hypothesis: Hypothesis, environment: Environment, now: State | None
) -> Iterator[Given]:
    """The conjuncts of a hypothesis that is not about the step."""
    for name, part in conjuncts(hypothesis.formula):
        with translator.demands.apart() as noted:
            truth = translator.truth(part, environment, now)
        yield Given(name or hypothesis.name, truth, paths_in(part), demands=noted)


def has_value(name: str, noted: Noted, reads: frozenset[Path]) -> Iterator[Goal]:
    """What is to be proved besides, if anything is noted."""
    if noted:
        places = {place: conjunction(parts.values()) for place, parts in noted.items()}
        yield Goal(f"{name} has a value", conjunction(places.values()), reads, places)


def _grounds(hypotheses: Sequence[Given], start: int, common: bool) -> Iterator[Ground]:
    for index, given in enumerate(hypotheses[start:], start):
        for goal in has_value(given.name, given.demands, given.reads or frozenset()):
            yield Ground(index, goal, common)


def _steps(
    subject: Subject,
    lemma: Lemma,
    base: Problem,
    environment: Environment,
    moving: Hypothesis,
    rest: Sequence[Hypothesis],
    used: tuple[Lemma, ...],
    selection: Selection,
) -> Iterator[Problem]:
    """A problem for each way to take the step."""
    now, translator = base.now, base.translator
    assert now is not None
    demands = translator.demands
    kept, sound = unchanged_parts(lemma), valued_with(lemma)
    actions = frozenset(subject.model.specification.definitions.values())
    read = {index for h in rest for index, _ in paths_in(h.formula)}
    read |= {index for _, part in conjuncts(lemma.goal) for index, _ in paths_in(part)}
    valued = None if reads_next(moving.formula) else frozenset(read)
    walk = Steps(translator, base.maker, now, actions, wanted=selection.titles, valued=valued)
    known = len(base.hypotheses)
    everything = frozenset((index, ()) for index in range(len(now)))
    for step in walk.of(moving.formula, environment):
        if selection.titles is not None and (step.title or moving.name) not in selection.titles:
            continue
        then = [step.assigned[index] for index in range(len(now))]
        own = [*base.hypotheses, *(Given(moving.name, condition) for condition in step.conditions)]
        taken = len(own)
        for hypothesis in rest:
            with demands.apart() as noted:
                truth = translator.truth(hypothesis.formula, environment, now, then)
            own.append(Given(hypothesis.name, truth, demands=noted))
        goals = []
        asked = False
        read = {index for h in rest for index, _ in paths_in(h.formula)}
        for name, part in conjuncts(lemma.goal):
            same = kept.get(part_of(part))
            if same is not None and all(same_parts(now[index], then[index], path) for index, path in same):
                goals.append(Goal(name, True))
                continue
            with demands.apart() as noted:
                truth = translator.truth(part, environment, now, then)
            goals.append(Goal(name, truth, paths_in(part)))
            asked = True
            read |= {index for index, _ in paths_in(part)}
            if part_of(part) not in sound:
                goals += has_value(name or "the goal", noted, paths_in(part))
        later = [
            Later(
                frozenset(name for h in other.hypotheses for name, _ in conjuncts(h.formula)),
                Given(other.name, demands.quietly(translator.truth)(other.goal, NO_NAMES, then)),
            )
            for other in used
            if speaks_of_goals(other, lemma) and selection.is_about(lemma.actions)
        ]
        # of a step that leaves alone all that the goal reads, nothing is asked
        of_step = has_value("the step", all_of(step.read(sorted(read))) if asked else {}, everything)
        grounds = [*(Ground(known, goal, False) for goal in of_step), *_grounds(own, taken, False)]
        yield replace(
            base,
            name=step.action or moving.name,
            hypotheses=own,
            goals=goals,
            then=then,
            step=step,
            later=later,
            grounds=(*base.grounds, *grounds),
        )
    for goal in has_value("a step that is not taken", all_of(walk.lost), everything):
        yield replace(base, name=moving.name, goals=[goal])


def steps_of(subject: Subject, lemma: Lemma) -> Iterator[Step]:
    """The ways to take the step that a hypothesis is about, with nothing else translated. Raise `Untranslatable`."""
    maker = Maker()
    translator = Translator(axioms=maker.constraints)
    some = open_sets(subject, translator, maker)
    open_constants(subject, translator, maker, some)
    bindings = {b: maker.make(translator.value(domain).element, b.name) for b, domain in lemma.fresh}
    now = arbitrary_state({v: opened(unbounded(t), some) for v, t in subject.types.items()}, maker)
    actions = frozenset(subject.model.specification.definitions.values())
    moving = next(h for h in lemma.hypotheses if gives_values(h.formula))
    yield from Steps(translator, maker, now, actions).of(moving.formula, Environment(bindings))


def part_of(goal: core.Expression) -> int:
    """What identifies a conjunct: the node under the prime."""
    inside = goal.arguments[0] if isinstance(goal, core.Builtin) and is_primed(goal) else goal
    return id(inside)


def valued_with(lemma: Lemma) -> frozenset[int]:
    """The conjuncts that have a value after the step if they have one before it.

    They stand unprimed among the hypotheses, and so does, and is kept, whatever stands before them there and speaks of
    the state: why they have a value before the step is why they have one after it.
    """
    kept = {part_of(goal) for _, goal in conjuncts(lemma.goal) if is_primed(goal)}
    found: set[int] = set()
    if any(paths_in(domain) for _, domain in lemma.fresh):
        return frozenset()
    for hypothesis in lemma.hypotheses:
        for _, part in conjuncts(hypothesis.formula):
            if id(part) in kept:
                found.add(id(part))
            elif gives_values(hypothesis.formula) or paths_in(part):
                return frozenset(found)
    return frozenset(found)


def is_primed(goal: core.Expression) -> bool:
    return isinstance(goal, core.Builtin) and goal.operator == "'"


def unchanged_parts(lemma: Lemma) -> dict[int, frozenset[Path]]:
    """The conjuncts that stand primed in the goal and unprimed among the hypotheses, with what they read.

    A step that leaves that alone keeps the conjunct, and Z3 need not be asked.
    """
    assumed = {id(part) for hypothesis in lemma.hypotheses for _, part in conjuncts(hypothesis.formula)}
    found = {}
    for _, goal in conjuncts(lemma.goal):
        inside = part_of(goal)
        if inside in assumed and isinstance(goal, core.Builtin) and is_primed(goal):
            found[inside] = paths_in(goal.arguments[0])
    return found


def open_sets(subject: Subject, translator: Translator, maker: Maker) -> Configured:
    """Let open sets be any finite sets; what the configuration has in them."""
    found: dict[str, frozenset[Atom]] = {}
    for constant in subject.open_sets:
        whole = open_set(constant.name)
        maker.open_sets = {**maker.open_sets, constant.name: whole}
        maker.constraints.append(has_first(constant.name, whole))
        translator.constants[constant] = whole
        translator.has_open_sets = True
        found[constant.name] = subject.elements(constant)
    return found


def open_constants(
    subject: Subject, translator: Translator, maker: Maker, some: Configured = NOTHING_OPEN
) -> dict[core.Constant, Value]:
    """Give each open constant some value of its type."""
    for constant in subject.free:
        translator.constants[constant] = maker.make(opened(subject.free_type(constant), some), constant.name)
    return {constant: translator.constants[constant] for constant in subject.free}


def says_more_of(used: Lemma, lemma: Lemma) -> bool:
    """Whether the lemma that is used needs nothing but hypotheses of this one, so that its goal holds here too."""

    def called(formula: core.Expression) -> core.Definition | None:
        while isinstance(formula, core.Label):
            formula = formula.body
        return formula.definition if isinstance(formula, core.Call) and not formula.arguments else None

    here = {called(h.formula) for h in lemma.hypotheses} - {None}
    return not used.fresh and bool(used.hypotheses) and all(called(h.formula) in here for h in used.hypotheses)


def speaks_of_goals(used: Lemma, lemma: Lemma) -> bool:
    """Whether the lemma that is used needs nothing but what this one is to show of the state after the step."""
    goals = {name for name, _ in conjuncts(lemma.goal)}
    return (
        lemma.is_about_steps
        and not used.fresh
        and bool(used.hypotheses)
        and all({name for name, _ in conjuncts(h.formula)} <= goals - {""} for h in used.hypotheses)
        and not says_more_of(used, lemma)
    )


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
