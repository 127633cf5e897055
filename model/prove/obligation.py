"""Whether hypotheses imply a goal, over constants of which nothing else is known: what is put to Z3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import z3

from rmqproof.model.prove.actions import Step
from rmqproof.model.prove.defined import Noted
from rmqproof.model.prove.environment import State
from rmqproof.model.prove.fresh import FiniteSet, Maker
from rmqproof.model.prove.logic import Truth, conjunction, negation, term
from rmqproof.model.prove.merge import Items, is_number, is_truth
from rmqproof.model.prove.pieces import Texts
from rmqproof.model.prove.reads import Path
from rmqproof.model.prove.terms import constants_in
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import FunctionValue, RecordValue, SequenceValue, UnionValue, Value, distinct
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Atom


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of a lemma's obligations are made.

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
    formula: core.Expression | None = None
    """What it is a translation of, if that is one expression."""


@dataclass(frozen=True, eq=False, slots=True)
class Goal:
    """`places`: it says that something has a value, and this is what must hold at each place for that."""

    name: str
    truth: Truth
    reads: frozenset[Path] = frozenset()
    places: Mapping[str, Truth] = field(default_factory=dict)
    formula: core.Expression | None = None
    """What it is a translation of; None where it says that something has a value."""


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
class Obligation:
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

    def on_grounds(self, common: bool) -> Iterator[Obligation]:
        """Whether the hypotheses have values, each as a obligation of its own."""
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


def has_value(name: str, noted: Noted, reads: frozenset[Path]) -> Iterator[Goal]:
    """What is to be proved besides, if anything is noted."""
    if noted:
        places = {place: conjunction(parts.values()) for place, parts in noted.items()}
        yield Goal(f"{name} has a value", conjunction(places.values()), reads, places)


def numbers_in(values: list[Value]) -> list[z3.ArithRef]:
    """The integer constants in values, for keeping countermodels small."""
    leaves: list[Value] = []

    def collect(value: Value) -> None:
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
        elif isinstance(value, FiniteSet | UnionValue):
            for guard, item in value.members if isinstance(value, FiniteSet) else value.alternatives:
                leaves.append(term(guard))
                collect(item)

    for value in values:
        collect(value)
    return [c for c in constants_in(*leaves) if z3.is_int(c)]
