"""Atoms that the specification itself writes: its Boolean subexpressions, with names of candidates for its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.infer.dimensions import Dimensions
from rmqproof.model.infer.grammar import Atom, Name, are_same, inner_name
from rmqproof.model.infer.sorts import Sort
from rmqproof.model.infer.writing import Unwritten, text_of
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import with_definitions

_CONNECTIVES = ("/\\", "\\/", "~", "=>", "<=>")
_BOOLEAN = ("=", "#", "\\in", "\\notin", "\\subseteq", "Naturals!<", "Naturals!<=", "Naturals!>", "Naturals!>=")
_LONGEST = 400
_LONG, _DEAREST = 160, 8
"""What the specification writes out at length is a thought of its author: it costs no more than this."""
_COST = 2
_MOST_PARAMETERS = 3
_MOST_NAMES = 3


def harvested(
    model: core.Model,
    formulas: Collection[core.Expression],
    names: Sequence[Name],
    domains: Mapping[str, str],
    dimensions: Dimensions,
) -> list[Atom]:
    """The atoms in these formulas and in the definitions that they use.

    `domains`: the text of every constant set to that of the sort which has the same elements.
    """
    found: dict[str, Atom] = {}
    walk = _Walk(model, names, domains, dimensions)
    for formula in formulas:
        for atom in walk.atoms(formula, {}):
            found.setdefault(atom.text, atom)
    for atom in walk.operators():
        found.setdefault(atom.text, atom)
    return list(found.values())


def wrapped(
    model: core.Model,
    formulas: Collection[core.Expression],
    names: Sequence[Name],
    sorts: Sequence[Sort],
    domains: Mapping[str, str],
    dimensions: Dimensions,
) -> list[Atom]:
    """For each of the atoms, that there is an element of a sort of which it is true, and that it is of all."""
    found: dict[str, Atom] = {}
    for sort in sorts:
        inner = inner_name(sort, names)
        for atom in harvested(model, formulas, [*names, inner], domains, dimensions):
            if inner in atom.uses and len(atom.uses) <= _MOST_NAMES:
                for kind in ("\\E", "\\A"):
                    text = f"{kind} {inner.text} \\in {sort.text} : {atom.text}"
                    found.setdefault(text, Atom(text, atom.uses - {inner}, atom.cost + 3, 1))
    return list(found.values())


class _Walk:
    def __init__(
        self, model: core.Model, names: Sequence[Name], domains: Mapping[str, str], dimensions: Dimensions
    ) -> None:
        self.known = model.specification.definitions
        self.names, self.domains, self.dimensions = names, domains, dimensions
        self.taken = frozenset(name.text for name in names)
        self.facts = Analysis()
        self.seen: set[tuple[int, tuple[tuple[int, str], ...]]] = set()

    def atoms(self, e: core.Expression, of: Mapping[core.Binding, str]) -> Iterator[Atom]:
        """`of`: from which sort each name comes, by the sort's text."""
        key = (id(e), tuple(sorted((id(b), s) for b, s in of.items())))
        if key in self.seen:
            return
        self.seen.add(key)
        if _is_boolean(e):
            yield from self._written(e, of)
        if isinstance(e, core.Call):
            of = {**of, **dict(self._arguments(e, of))}
            yield from self.atoms(e.definition.body, of)
        elif isinstance(e, core.Quantified):
            of = {**of, **dict(self._bound(e.binders, of))}
        elif isinstance(e, core.SetFilter | core.Choose):
            of = {**of, **dict(self._bound((e.binder,), of))}
        for part in with_definitions(e):
            yield from self.atoms(part, of)

    def operators(self) -> Iterator[Atom]:
        """What the specification's own operators say of names: those that are formulas about states or constants."""
        for name, definition in sorted(self.known.items()):
            count = len(definition.parameters)
            if not 1 <= count <= _MOST_PARAMETERS or definition.level > core.STATE or definition.recursive:
                continue
            if "!" in name or any(p.arity for p in definition.parameters) or not _truth(definition.body, 0):
                continue
            given = self.dimensions.of_arguments(definition) or (frozenset(),) * count
            fitting = [[name for name in self.names if are_same(name.sort.dimensions, of)] for of in given]
            for chosen in product(*fitting):
                if len(set(chosen)) == count and (count < _MOST_PARAMETERS or len({n.sort for n in chosen}) == 1):
                    text = f"{name}({', '.join(n.text for n in chosen)})"
                    yield Atom(text, frozenset(chosen), _COST + count)

    def _arguments(self, e: core.Call, of: Mapping[core.Binding, str]) -> Iterator[tuple[core.Binding, str]]:
        for parameter, argument in zip(e.definition.parameters, e.arguments, strict=True):
            if isinstance(argument, core.Reference) and argument.binding in of:
                yield parameter, of[argument.binding]

    def _bound(
        self, binders: Sequence[core.Binder], of: Mapping[core.Binding, str]
    ) -> Iterator[tuple[core.Binding, str]]:
        for binder in binders:
            if binder.domain is None or binder.is_tuple:
                continue
            try:
                text = text_of(binder.domain, {}, self.known)
            except Unwritten:
                continue
            if text in self.domains:
                yield binder.bindings[0], self.domains[text]

    def _written(self, e: core.Expression, of: Mapping[core.Binding, str]) -> Iterator[Atom]:
        facts = self.facts.of(e)
        if facts.primed or facts.impure or not facts.reads or not facts.free <= of.keys():
            return
        free = sorted(facts.free, key=lambda binding: (binding.at.line, binding.at.column, binding.name))
        for chosen in product(*([n for n in self.names if n.sort.text == of[b]] for b in free)):
            try:
                text = text_of(e, dict(zip(free, (name.text for name in chosen), strict=True)), self.known, self.taken)
            except Unwritten:
                return
            if text.startswith("(") and text.endswith(")") and _matched(text):
                text = text[1:-1]
            if len(text) <= _LONGEST:
                cost = _COST + text.count("[") + text.count("(")
                yield Atom(text, frozenset(chosen), min(cost, _DEAREST) if len(text) > _LONG else cost)


def _matched(text: str) -> bool:
    """Whether the first parenthesis closes at the end."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def _is_boolean(e: core.Expression) -> bool:
    if isinstance(e, core.Builtin):
        return e.operator in _BOOLEAN
    if isinstance(e, core.Quantified):
        return True
    return isinstance(e, core.Call) and e.definition.level == core.STATE and _truth(e.definition.body, 0)


def _truth(e: core.Expression, depth: int) -> bool:
    """Whether a definition is a formula, as far as its form shows it."""
    if isinstance(e, core.Call) and depth < 8:
        return _truth(e.definition.body, depth + 1)
    if isinstance(e, core.Let | core.Label):
        return _truth(e.body, depth)
    return isinstance(e, core.Quantified) or (isinstance(e, core.Builtin) and e.operator in (*_BOOLEAN, *_CONNECTIVES))
