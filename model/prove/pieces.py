"""A goal cut into pieces that are asked one by one, and the hypotheses that have to do with a piece."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import z3

from rmqproof.model.prove.fresh import item_sort
from rmqproof.model.prove.logic import Truth, negation, term
from rmqproof.model.prove.terms import has_variable, subterms

_KEY = re.compile(r"\[(\w+)\]")
_OF_ALL = "any!"
_CHOICE = re.compile(r"(?:chosen|selected)!(\d+)")
_SIZE = re.compile(r"\bcount!\d+")


@dataclass(frozen=True, eq=False)
class Piece:
    """`premises` imply `conclusion`. Constants stand for what the goal said of all values."""

    premises: tuple[Truth, ...]
    conclusion: Truth

    @cached_property
    def refutation(self) -> list[Truth]:
        parts = [*self.premises, negation(self.conclusion)]
        return [*parts, *named_items(parts)]


def pieces(goal: Truth, premises: tuple[Truth, ...] = (), depth: int = 0) -> Iterator[Piece]:
    """The pieces which together are the goal: conjuncts, also those under implications and universal quantifiers."""
    if isinstance(goal, bool):
        yield Piece(premises, goal)
    elif z3.is_and(goal):
        for part in goal.children():
            yield from pieces(part, premises, depth)
    elif z3.is_implies(goal):
        yield from pieces(goal.arg(1), (*premises, goal.arg(0)), depth)
    elif z3.is_quantifier(goal) and goal.is_forall():
        count = goal.num_vars()
        constants = [z3.Const(f"{_OF_ALL}{depth + i}", goal.var_sort(i)) for i in range(count)]
        yield from pieces(z3.substitute_vars(goal.body(), *reversed(constants)), premises, depth + count)
    elif z3.is_not(goal) and z3.is_or(goal.arg(0)):
        for part in goal.arg(0).children():
            yield from pieces(negation(part), premises, depth)
    else:
        yield Piece(premises, goal)


def is_of_all(term: z3.ExprRef) -> bool:
    """Whether it is a constant that stands for what the goal said of all values."""
    return bool(term.num_args() == 0 and term.decl().name().startswith(_OF_ALL))


def named_items(parts: Sequence[Truth]) -> list[Truth]:
    """Equations that say nothing, but name the items of sequences which only the inside of quantifiers names.

    Z3 uses what is said of all items for those that it knows, and the inside of a quantifier it does not know.
    """
    found: dict[int, z3.ExprRef] = {}
    seen: set[tuple[int, bool]] = set()
    stack: list[tuple[z3.ExprRef, bool]] = [(part, False) for part in parts if not isinstance(part, bool)]
    while stack:
        node, inside = stack.pop()
        if (node.get_id(), inside) in seen:
            continue
        seen.add((node.get_id(), inside))
        if z3.is_quantifier(node):
            stack.append((node.body(), True))
        elif z3.is_app(node):
            if inside and node.sort() == item_sort() and node.num_args() > 0 and not has_variable(node):
                found[node.get_id()] = node
            stack.extend((child, inside) for child in node.children())
    for item in _items_at_indices(parts):
        found[item.get_id()] = item
    return [z3.Const(f"item!{number}", item_sort()) == item for number, item in enumerate(found.values())]


def _items_at_indices(parts: Sequence[Truth]) -> list[z3.ExprRef]:
    """The items at the places that a goal is about, where it names nothing but the lengths of the sequences."""
    found = []
    for part in parts:
        nodes = [] if isinstance(part, bool) else [n for n in subterms([part]) if z3.is_int(n)]
        named = [(n, n.decl().name()) for n in nodes if n.decl().kind() == z3.Z3_OP_UNINTERPRETED]
        lengths = [
            (n, name.removesuffix(".length")) for n, name in named if name.endswith(".length") and not has_variable(n)
        ]
        for index in (n for n, name in named if name.startswith(_OF_ALL)):
            for length, name in lengths:
                places = [*length.children(), index]
                at = z3.Function(f"{name}.at", *(place.sort() for place in places), item_sort())
                found.append(at(*places))
    return found


def conjuncts_of(truth: Truth) -> list[Truth]:
    """The conjuncts of a hypothesis, so that each can be taken or left."""
    if isinstance(truth, bool):
        return [] if truth else [truth]
    if z3.is_and(truth):
        return [part for child in truth.children() for part in conjuncts_of(child)]
    if z3.is_implies(truth) and z3.is_and(truth.arg(1)):
        return [z3.Implies(truth.arg(0), part) for child in truth.arg(1).children() for part in conjuncts_of(child)]
    return [truth]


@dataclass(frozen=True, slots=True)
class Written:
    """A formula as text. `choices`: which CHOOSE and SelectSeq it names, by their numbers; `sizes`: which numbers of
    elements."""

    text: str
    choices: frozenset[int]
    sizes: frozenset[str]
    counted: bool
    """Whether names in it merely count."""
    digest: bytes
    keys: frozenset[str]
    """The keys of functions whose values it speaks about."""


class Texts:
    """Formulas as texts, each written once."""

    def __init__(self) -> None:
        self._known: dict[int, Written] = {}
        self._kept: list[z3.ExprRef] = []

    def of(self, truth: Truth) -> Written:
        if isinstance(truth, bool):
            return _written(str(truth))
        key = truth.get_id()
        if key not in self._known:
            self._known[key] = _written(str(truth.sexpr()))
            self._kept.append(truth)  # or its id would be given to another term
        return self._known[key]


def _written(text: str) -> Written:
    choices = frozenset(map(int, _CHOICE.findall(text)))
    counted = bool(choices) or "nowhere!" in text
    sizes = frozenset(_SIZE.findall(text))
    return Written(text, choices, sizes, counted, hashlib.sha256(text.encode()).digest(), frozenset(_KEY.findall(text)))


def names_in(truth: Truth) -> Iterator[str]:
    """The names of constants and functions in a term."""
    for node in subterms([term(truth)]):
        if node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield node.decl().name()


class Axioms:
    """What CHOOSE and SelectSeq are, how many elements sets have, and the demands of representations; only those that a
    question needs.

    An axiom belongs to the choice made last among those it names: it says what that one is. One that says how numbers
    of elements go together belongs to all of these. `always`: of no choice, and of no number of elements.
    """

    def __init__(self, axioms: Sequence[Truth], texts: Texts) -> None:
        self._texts = texts
        self.always: list[Truth] = []
        self._of: dict[int, list[Truth]] = {}
        self._of_sizes: list[Truth] = []
        for axiom in axioms:
            written = texts.of(axiom)
            if written.sizes:
                self._of_sizes.append(axiom)
            elif written.choices:
                self._of.setdefault(max(written.choices), []).append(axiom)
            else:
                self.always.append(axiom)

    def needed(self, formulas: Iterable[Truth]) -> list[Truth]:
        """The axioms but for those of choices, and of numbers of elements, that neither the formulas nor other needed
        axioms speak about."""
        return [*self.always, *self.of_choices(formulas)]

    def of_choices(self, formulas: Iterable[Truth]) -> list[Truth]:
        """Those of them that belong to choices and to numbers of elements."""
        if not self._of and not self._of_sizes:
            return []
        written = list(map(self._texts.of, formulas))
        waiting = {number for formula in written for number in formula.choices}
        sizes = {size for formula in written for size in formula.sizes}
        found: dict[int, list[Truth]] = {}
        sized: list[Truth] = []
        while True:
            while waiting:
                number = waiting.pop()
                found[number] = self._of.get(number, [])
                for axiom in map(self._texts.of, found[number]):
                    waiting |= axiom.choices - set(found)
                    sizes |= axiom.sizes
            sized = [axiom for axiom in self._of_sizes if self._texts.of(axiom).sizes <= sizes]
            waiting = {number for axiom in sized for number in self._texts.of(axiom).choices} - set(found)
            if not waiting:
                return [*(axiom for number in sorted(found) for axiom in found[number]), *sized]
