"""The obligations of a lemma: one, or one for each way to take the step that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rmqproof.model.prove.actions import Step, Steps
from rmqproof.model.prove.defined import all_of
from rmqproof.model.prove.effort import Effort
from rmqproof.model.prove.enabled import enabled
from rmqproof.model.prove.environment import NO_NAMES, Environment, State
from rmqproof.model.prove.formulas import conjuncts, gives_values
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.instances import Spoken, instances
from rmqproof.model.prove.lemma_parts import (
    as_formula,
    named_conjuncts,
    part_of,
    says_more_of,
    speaks_of_goals,
    unchanged_parts,
    valued_with,
)
from rmqproof.model.prove.obligation import EVERYTHING, Given, Goal, Ground, Later, Obligation, Selection, has_value
from rmqproof.model.prove.open_types import opened
from rmqproof.model.prove.reads import Path, paths_in, reads_next, same_parts, speaks_of_next
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.state import arbitrary_state, atoms_of
from rmqproof.model.prove.subject import Subject, open_constants, open_sets
from rmqproof.model.prove.theorems import Hypothesis, Lemma
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import Value
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Atom


def obligations_of(
    subject: Subject,
    lemma: Lemma,
    bounds: Bounds | None,
    used: tuple[Lemma, ...] = (),
    selection: Selection = EVERYTHING,
) -> Iterator[Obligation]:
    """The lemma's obligations: one, or one for each way to take the step that a hypothesis is about.

    Raise `Untranslatable`, and `Unmade` where one takes too much work.
    """
    base, environment = _setting(subject, lemma, bounds, used, selection)
    moving = next((h for h in lemma.hypotheses if gives_values(h.formula)), None)
    first = [h for h in lemma.hypotheses if moving is None or (h is not moving and not speaks_of_next(h.formula))]
    base.hypotheses += [given for h in first for given in _given(base.translator, h, environment, base.now)]
    base.grounds = tuple(_grounds(base.hypotheses, 0, True))
    if moving is not None:
        rest = tuple(h for h in lemma.hypotheses if h is not moving and h not in first)
        after = tuple(o for o in used if speaks_of_goals(o, lemma) and selection.is_about(lemma.actions_for(o.name)))
        places = [index for index, h in enumerate(base.hypotheses) if h.derived]
        derived = dict(zip(places, (part for _, part in _derived(used, lemma, selection)), strict=True))
        about = _AboutSteps(
            lemma, base, environment, moving, rest, after, derived, subject.open_sets if bounds is None else ()
        )
        yield from _steps(about, subject, selection)
        return
    translator, demands = base.translator, base.translator.demands
    for name, part in named_conjuncts(lemma.goal):
        with demands.apart() as noted:
            truth = translator.truth(part, environment, base.now)
        reads = paths_in(part)
        base.goals += [Goal(name, truth, reads, formula=part), *has_value(name, noted, reads)]
    yield base


def _setting(
    subject: Subject, lemma: Lemma, bounds: Bounds | None, used: tuple[Lemma, ...], selection: Selection
) -> tuple[Obligation, Environment]:
    """What is known before the lemma's own hypotheses, as a obligation without goals; what the new symbols mean."""
    maker = Maker(bounds, known=selection.known)
    translator = Translator(bounds=bounds, axioms=maker.constraints, possible=enabled, effort=Effort(subject.most))
    some = open_sets(subject, translator, maker) if bounds is None else {}
    free = open_constants(subject, translator, maker, some)
    now: State | None = None
    atoms: frozenset[Atom] = frozenset()
    variables = tuple(variable.name for variable in subject.types)
    if subject.types:
        types = subject.types if bounds and bounds.as_configured else subject.shapes
        types = {v: opened(t, some) for v, t in types.items()}
        now = arbitrary_state(types, maker)
        atoms = frozenset(a for t in types.values() for a in atoms_of(t))
    bindings: dict[core.Binding, Value] = {}
    hypotheses: list[Given] = []
    demands = translator.demands
    for assumption in subject.model.specification.assumptions:
        for _, part in conjuncts(assumption.body):
            if id(part) not in selection.dropped:
                with demands.apart() as noted:
                    truth = translator.truth(part)
                hypotheses.append(Given(assumption.name or "an assumption", truth, demands=noted, formula=part))
    for other in used:
        if not says_more_of(other, lemma) and not speaks_of_goals(other, lemma):
            truth = demands.quietly(translator.truth)(as_formula(other))
            hypotheses.append(Given(other.name, truth))
    for binding, domain in lemma.fresh:
        with demands.apart() as noted:
            where = translator.value(domain, Environment(bindings), now)
        bindings[binding] = maker.make(where.element, binding.name)
        try:
            truth = demands.quietly(where.contains)(bindings[binding])
        except Untranslatable as refusal:
            raise refusal.located(domain.at) from None
        member = core.Builtin(domain.at, "\\in", (core.Reference(domain.at, binding), domain))
        hypotheses.append(Given(f"{binding.name} \\in", truth, demands=noted, formula=member))
    hypotheses += [
        Given(name, demands.quietly(translator.truth)(part, NO_NAMES, now), paths_in(part), True)
        for name, part in _derived(used, lemma, selection)
    ]
    named = {binding.name: value for binding, value in bindings.items()}
    obligation = Obligation("", translator, maker, named, hypotheses, [], now, None, None, free, atoms, variables)
    return obligation, Environment(bindings)


def _derived(used: tuple[Lemma, ...], lemma: Lemma, selection: Selection) -> Iterator[tuple[str, core.Expression]]:
    """What lemmas say that follows from the hypotheses, by their names."""
    for other in used:
        if says_more_of(other, lemma) and selection.is_about(lemma.actions_for(other.name)):
            yield from ((other.name, part) for _, part in conjuncts(other.goal))


def _given(
    translator: Translator, hypothesis: Hypothesis, environment: Environment, now: State | None
) -> Iterator[Given]:
    """The conjuncts of a hypothesis that is not about the step."""
    for name, part in conjuncts(hypothesis.formula):
        with translator.demands.apart() as noted:
            truth = translator.truth(part, environment, now)
        yield Given(name or hypothesis.name, truth, paths_in(part), demands=noted, formula=part)


def _grounds(hypotheses: Sequence[Given], start: int, common: bool) -> Iterator[Ground]:
    for index, given in enumerate(hypotheses[start:], start):
        for goal in has_value(given.name, given.demands, given.reads or frozenset()):
            yield Ground(index, goal, common)


def _steps(about: _AboutSteps, subject: Subject, selection: Selection) -> Iterator[Obligation]:
    """An obligation for each way to take the step."""
    base, moving = about.base, about.moving
    assert base.now is not None
    actions = frozenset(subject.model.specification.definitions.values())
    read = {index for h in about.rest for index, _ in paths_in(h.formula)}
    read |= {index for _, part in conjuncts(about.lemma.goal) for index, _ in paths_in(part)}
    valued = None if reads_next(moving.formula) else frozenset(read)
    walk = Steps(base.translator, base.maker, base.now, actions, wanted=selection.titles, valued=valued)
    for step in walk.of(moving.formula, about.environment):
        if selection.titles is None or (step.title or moving.name) in selection.titles:
            yield about.obligation(step)
            base.translator.effort.renew()
    for goal in has_value("a step that is not taken", all_of(walk.lost), about.everything):
        yield replace(base, name=moving.name, goals=[goal])


@dataclass(frozen=True, eq=False)
class _AboutSteps:
    """A lemma about steps. `base` has what is the same for all; `rest` are the hypotheses that speak of the state after
    one; `later` are the lemmas that are used there."""

    lemma: Lemma
    base: Obligation
    environment: Environment
    moving: Hypothesis
    rest: tuple[Hypothesis, ...]
    later: tuple[Lemma, ...]
    derived: Mapping[int, core.Expression]
    """Lemmas that hold before the step, by where they stand among the hypotheses of `base`."""
    sets: tuple[core.Constant, ...]
    """Those of any number of elements."""

    @cached_property
    def everything(self) -> frozenset[Path]:
        return frozenset((index, ()) for index in range(len(self.base.now or ())))

    @cached_property
    def _kept(self) -> dict[int, frozenset[Path]]:
        return unchanged_parts(self.lemma)

    @cached_property
    def _sound(self) -> frozenset[int]:
        return valued_with(self.lemma)

    def obligation(self, step: Step) -> Obligation:
        base, translator = self.base, self.base.translator
        demands = translator.demands
        then = [step.assigned[index] for index in range(len(self.everything))]
        own = [*base.hypotheses, *(Given(self.moving.name, condition) for condition in step.conditions)]
        taken = len(own)
        for hypothesis in self.rest:
            with demands.apart() as noted:
                truth = translator.truth(hypothesis.formula, self.environment, base.now, then)
            own.append(Given(hypothesis.name, truth, demands=noted, formula=hypothesis.formula))
        goals, read = self._goals(then)
        later = [
            Later(
                frozenset(name for h in other.hypotheses for name, _ in conjuncts(h.formula)),
                Given(f"{other.name}'", demands.quietly(translator.truth)(other.goal, NO_NAMES, then)),
            )
            for other in self.later
        ]
        # of a step that leaves alone all that the goal reads, nothing is asked
        of_step = has_value("the step", {} if read is None else all_of(step.read(sorted(read))), self.everything)
        grounds = [*(Ground(len(base.hypotheses), goal, False) for goal in of_step), *_grounds(own, taken, False)]
        name = step.action or self.moving.name
        before, said = self._said_of_names(step, goals)
        own[: len(before)] = before
        return replace(
            base, name=name, hypotheses=[*own, *said], goals=goals, then=then, step=step, later=later,
            grounds=(*base.grounds, *grounds),
        )  # fmt: skip

    def _said_of_names(self, step: Step, goals: Sequence[Goal]) -> tuple[list[Given], list[Given]]:
        """The hypotheses before the step, without lemmas that are said of the step's names; and what they say there."""
        before, said = list(self.base.hypotheses), []
        for index, formula in self.derived.items() if self.sets else ():
            given, translator = before[index], self.base.translator
            assert self.base.now is not None
            spoken = Spoken(step.conditions, [goal.truth for goal in goals], self.base.texts)
            found = translator.demands.quietly(instances)(formula, translator, self.sets, self.base.now, spoken)
            said += [replace(given, truth=truth) for truth in found]
            if found:
                before[index] = replace(given, truth=True)  # the others keep their places
        return before, said

    def _goals(self, then: State) -> tuple[list[Goal], set[int] | None]:
        """The conjuncts of the goal, and the variables that they and the hypotheses read; None where none is open."""
        now, goals, asked = self.base.now, [], False
        assert now is not None
        read = {index for h in self.rest for index, _ in paths_in(h.formula)}
        for name, part in named_conjuncts(self.lemma.goal):
            same = self._kept.get(part_of(part))
            if same is not None and all(same_parts(now[index], then[index], path) for index, path in same):
                goals.append(Goal(name, True))  # as before the step
                continue
            with self.base.translator.demands.apart() as noted:
                truth = self.base.translator.truth(part, self.environment, now, then)
            goals.append(Goal(name, truth, paths_in(part), formula=part))
            asked = True
            read |= {index for index, _ in paths_in(part)}
            if part_of(part) not in self._sound:
                goals += has_value(name, noted, paths_in(part))
        return goals, read if asked else None


def steps_of(subject: Subject, lemma: Lemma) -> Iterator[Step]:
    """The ways to take the step that a hypothesis is about, with nothing else translated.

    Raise `Untranslatable`, and `Unmade` where all together take too much work.
    """
    maker = Maker()
    translator = Translator(axioms=maker.constraints, effort=Effort(subject.most))
    some = open_sets(subject, translator, maker)
    open_constants(subject, translator, maker, some)
    now = arbitrary_state({v: opened(t, some) for v, t in subject.shapes.items()}, maker)
    bindings: dict[core.Binding, Value] = {}
    for binding, domain in lemma.fresh:  # which may speak of those before it
        where = translator.value(domain, Environment(bindings), now)
        bindings[binding] = maker.make(where.element, binding.name)
    actions = frozenset(subject.model.specification.definitions.values())
    moving = next(h for h in lemma.hypotheses if gives_values(h.formula))
    yield from Steps(translator, maker, now, actions).of(moving.formula, Environment(bindings))
