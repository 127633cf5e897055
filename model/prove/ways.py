"""The ways to take a step: which are alike but for names, and into which cases one falls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import z3

from rmqproof.model.prove.formulas import conjuncts, gives_values
from rmqproof.model.prove.lemma_obligations import steps_of
from rmqproof.model.prove.logic import term
from rmqproof.model.prove.merge import is_number, is_truth
from rmqproof.model.prove.obligation import Obligation, Selection
from rmqproof.model.prove.pieces import Axioms, Texts, names_in
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.terms import subterms
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.values import AtomValue, FunctionValue, RecordValue, SequenceValue, Value
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import reached
from rmqproof.model.types.domain import Atom

_MOST_CASES = 30
_KEY = re.compile(r"\[(\w+)\]")


@dataclass(frozen=True, slots=True)
class Way:
    """An action with its arguments, and the titles of those that differ only in which name is which."""

    title: str
    alike: tuple[str, ...] = ()

    @property
    def action(self) -> str:
        return self.title.partition("(")[0]


HYPOTHESES = "hypotheses"
"""In the place of an action: what is the same for all of them, that the hypotheses have values."""


@dataclass(frozen=True, eq=False, slots=True)
class Likeness:
    """Names that may change places everywhere. `partial`: assumptions that name one of them, and are not used."""

    names: tuple[str, ...] = ()
    partial: frozenset[int] = frozenset()


def likeness(subject: Subject, lemma: Lemma) -> Likeness:
    """The model values of a set constant of which the lemma names none: whoever renames them renames a proof."""
    constants = subject.model.specification.constants
    free = set(subject.free)
    for constant in constants:
        members = _members(constant.value)
        if len(members) < 2 or constant in free:
            continue
        partial_ = {c for c in constants if c is not constant and c not in free and _names_one(c.value, members)}

        def names_one(
            e: core.Expression, members: frozenset[str] = members, others: set[core.Constant] = partial_
        ) -> bool:
            return any(
                (isinstance(node, core.ConstantReference) and node.constant in others)
                or (isinstance(node, core.ModelValueLiteral) and node.name in members)
                for node in reached(e)
            )

        if any(names_one(h.formula) for h in lemma.hypotheses) or names_one(lemma.goal) or lemma.fresh:
            continue
        dropped = frozenset(
            id(part)
            for assumption in subject.model.specification.assumptions
            for _, part in conjuncts(assumption.body)
            if names_one(part)
        )
        return Likeness(tuple(sorted(members)), dropped)
    return Likeness()


def _members(value: core.Expression | None) -> frozenset[str]:
    if isinstance(value, core.SetEnumeration) and all(isinstance(item, core.ModelValueLiteral) for item in value.items):
        return frozenset(item.name for item in value.items if isinstance(item, core.ModelValueLiteral))
    return frozenset()


def _names_one(value: core.Expression | None, members: frozenset[str]) -> bool:
    return value is not None and any(
        isinstance(node, core.ModelValueLiteral) and node.name in members for node in reached(value)
    )


def ways_of(subject: Subject, lemma: Lemma, like: Likeness) -> list[Way]:
    """The ways to take the lemma's step, one for all that are alike. Raise `Untranslatable`."""
    groups: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for signature in dict.fromkeys(_signatures(subject, lemma)):
        groups.setdefault(min(_renamed(signature, like.names)), []).append(signature)
    return [Way(_title(group[0]), tuple(map(_title, group[1:]))) for group in groups.values()]


def apart(subject: Subject, lemma: Lemma, actions: Sequence[str] = ()) -> list[Way | None]:
    """What can be asked by itself about a lemma's step: each way to take it, and None, what is the same for all ways.

    `actions`: only the ways of these; `HYPOTHESES` among them stands for None. Raise `TlaError`.
    """
    found = [None, *ways_of(subject, lemma, likeness(subject, lemma))]
    names = [HYPOTHESES if way is None else way.action for way in found]
    if missing := {*actions} - {*names}:
        raise TlaError(
            f"{lemma.name} is not about an action {' or '.join(sorted(missing))}",
            lemma.at,
            f"Ask for one of these: {', '.join(dict.fromkeys(names))}.",
            "evaluation",
        )
    return [way for way, name in zip(found, names, strict=True) if not actions or name in actions]


def _signatures(subject: Subject, lemma: Lemma) -> Iterator[tuple[str, ...]]:
    name = next(h.name for h in lemma.hypotheses if gives_values(h.formula))
    for step in steps_of(subject, lemma):
        if not step.action:
            yield (name,)
            continue
        known = [a.known.name if isinstance(a, AtomValue) and a.known else "?" for a in step.arguments]
        yield (step.action, *known)


def _title(signature: Sequence[str]) -> str:
    return f"{signature[0]}({', '.join(signature[1:])})" if len(signature) > 1 else signature[0]


def _renamed(signature: tuple[str, ...], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for order in permutations(names):
        other = dict(zip(names, order, strict=True))
        yield (signature[0], *(other.get(argument, argument) for argument in signature[1:]))


def cases_of(obligations: Sequence[Obligation], selection: Selection, names: Sequence[str] = ()) -> list[Selection]:
    """The selection, cut up by the values of the names on which it depends what a sequence becomes.

    Of these there are few, and what remains speaks about one log instead of several. Of cases that are alike
    but for `names`, which may change places, there is one.
    """
    choices: dict[str, tuple[Atom, ...]] = {}
    for obligation in obligations:
        if obligation.step is None:
            continue
        for name in sorted(_deciding(obligation)):
            choices[name] = tuple(sorted(obligation.maker.atoms[name].atoms))
    count = 1
    for atoms in choices.values():
        count *= len(atoms)
    if not choices or count > _MOST_CASES:
        return [selection]
    titles = " ".join(selection.titles or ())
    fixed = [name for name in names if re.search(rf"\b{re.escape(name)}\b", titles)]
    orders = [order for order in permutations(names) if all(order[names.index(name)] == name for name in fixed)]
    cases: dict[tuple[tuple[str, str], ...], Selection] = {}
    for row in product(*choices.values()):
        known = dict(zip(choices, row, strict=True))
        form = min(_exchanged(known, dict(zip(names, order, strict=True))) for order in orders)
        cases.setdefault(form, Selection(selection.titles, {**selection.known, **known}, selection.dropped))
    return list(cases.values())


def _exchanged(known: Mapping[str, Atom], other: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        sorted(
            (_KEY.sub(lambda key: f"[{other.get(key[1], key[1])}]", name), other.get(atom.name, atom.name))
            for name, atom in known.items()
        )
    )


def _deciding(obligation: Obligation) -> set[str]:
    """The constants for atoms in the conditions on which it depends what a sequence becomes."""
    assert obligation.now is not None and obligation.then is not None
    leaves: list[z3.ExprRef] = []
    for now, then in zip(obligation.now, obligation.then, strict=True):
        if now is not then:
            _in_sequences(then, False, leaves)
    chosen = Axioms(obligation.axioms(), Texts()).of_choices(leaves)
    return {name for name in _conditions([*leaves, *chosen]) if name in obligation.maker.atoms}


def _in_sequences(value: Value, inside: bool, found: list[z3.ExprRef]) -> None:
    if isinstance(value, RecordValue):
        for item in value.fields.values():
            _in_sequences(item, inside, found)
    elif isinstance(value, FunctionValue):
        for entry in value.entries:
            _in_sequences(entry.value, inside, found)
    elif isinstance(value, SequenceValue):
        found.append(term(value.length))
        _in_sequences(value.at(z3.Int("probe!")), True, found)
    elif inside and (is_truth(value) or is_number(value)):
        found.append(term(value))


def _conditions(terms: Sequence[z3.ExprRef]) -> set[str]:
    found: set[str] = set()
    for node in subterms(terms):
        if node.decl().kind() == z3.Z3_OP_ITE:
            found.update(names_in(node.arg(0)))
    return found
