"""A lemma that is used, said of the names that a step asks about: for proofs about any number of names.

With a set of three a lemma about all of its elements is a formula for each, and what it takes by CHOOSE for two of them
is what the step takes for these two. About a set of any size it says of a function of names what the step says of a
constant, and that these are the same is not known: there are two questions. So the lemma is translated for the names
of the step, too, as it is for three; where it then asks what the step asks, it is used so.

Nothing is assumed that does not follow: what is said of all elements is said of each that is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import z3

from rmqproof.model.prove.environment import Environment, State
from rmqproof.model.prove.logic import Truth, conjunction, implication
from rmqproof.model.prove.pieces import Texts
from rmqproof.model.prove.terms import asked_at, has_variable, subterms
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import AtomValue, atom_sort
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Atom

_MOST = 9
"""So many rows of names; a step asks about few, and a lemma is about one or two."""


@dataclass(frozen=True, eq=False, slots=True)
class Spoken:
    """What a step and the goals after it speak of: its conditions name its names."""

    conditions: Sequence[Truth]
    goals: Sequence[Truth]
    texts: Texts

    @property
    def choices(self) -> frozenset[int]:
        return frozenset[int]().union(*(self.texts.of(part).choices for part in (*self.conditions, *self.goals)))


def instances(
    lemma: core.Expression, translator: Translator, sets: Collection[core.Constant], now: State, spoken: Spoken
) -> list[Truth]:
    """What a lemma about all elements of `sets` says of the names of a step, where it asks what is asked there."""
    about, choices = _of_all(lemma, sets), spoken.choices
    names = _names(spoken.conditions, translator.atoms) if choices and about is not None else []
    if about is None or not names or len(names) ** _places(about) > _MOST:
        return []
    said = list(_said(about, translator, now, names))
    asked = [spoken.texts.of(part).choices for part in said]
    return [part for part, own in zip(said, asked, strict=True) if own and own <= choices]


def _of_all(formula: core.Expression, sets: Collection[core.Constant]) -> core.Quantified | None:
    """The lemma, through definitions without parameters, if it says something of all elements."""
    while isinstance(formula, core.Label) or (isinstance(formula, core.Call) and not formula.arguments):
        formula = formula.body if isinstance(formula, core.Label) else formula.definition.body
    if not isinstance(formula, core.Quantified) or formula.kind != "\\A":
        return None
    for binder in formula.binders:
        domain = binder.domain
        if binder.is_tuple or not isinstance(domain, core.ConstantReference) or domain.constant not in sets:
            return None
    return formula


def _places(about: core.Quantified) -> int:
    return sum(len(binder.bindings) for binder in about.binders)


def _said(about: core.Quantified, translator: Translator, now: State, names: Sequence[z3.ExprRef]) -> Iterator[Truth]:
    pairs = [(binding, binder.domain) for binder in about.binders for binding in binder.bindings]
    for row in product(names, repeat=len(pairs)):
        values = {binding: AtomValue(name) for (binding, _), name in zip(pairs, row, strict=True)}
        inside = [
            translator.value(domain, Environment({}), now).contains(values[binding])
            for binding, domain in pairs
            if domain is not None
        ]
        yield implication(conjunction(inside), translator.truth(about.body, Environment(values), now))


def _names(conditions: Sequence[Truth], known: Iterable[Atom]) -> list[z3.ExprRef]:
    """The names, but those that are known, of which something is asked: given to a function, or looked for in a set."""
    literals = {AtomValue.of(atom).term.get_id() for atom in known}
    found: dict[int, z3.ExprRef] = {}
    for node in subterms(part for part in conditions if not isinstance(part, bool)):
        for name in asked_at(node):
            if name.sort() == atom_sort() and name.get_id() not in literals and not has_variable(name):
                found[name.get_id()] = name
    return list(found.values())
