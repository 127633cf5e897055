"""What formulas say of some names, in the place of what they say of all: for proofs about any number of names.

With a set of three a formula about all of its elements is three formulas, and Z3 has nothing to find. Of a set of any
size Z3 must guess of which elements the formulas are to be used, and where they name one element by another (the master
of a broker, the member that holds a deposed master back) it has no end of guesses. Here the names are those that the
goal and the step speak of: a formula that a hypothesis says of all follows for each of them, so that a contradiction
among what follows is a contradiction. The other direction does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

import z3

from rmqproof.model.prove.logic import Truth, conjunction, disjunction, implication, negation
from rmqproof.model.prove.terms import has_quantifier, subterms
from rmqproof.model.prove.values import atom_sort

_MOST = 3
"""A name that is named by names through more functions than so many is not looked at."""


@dataclass(eq=False)
class Instances:
    """Makes them, and remembers what was made: most of it is the same for the next question.

    `literals`: names that are known, such as strings, by their Z3 terms; what is said of all is not used for them.
    """

    literals: frozenset[int]
    _witnesses: dict[int, tuple[z3.ExprRef, list[z3.ExprRef]]] = field(default_factory=dict)
    _made: dict[tuple[int, tuple[int, ...]], tuple[z3.ExprRef, list[z3.ExprRef], Truth]] = field(default_factory=dict)

    def of(self, about: Sequence[Truth], others: Sequence[Truth], rounds: int) -> list[Truth]:
        """What all these formulas say of the names in `about`, and, with more `rounds`, of those in what they say then.

        All of it holds where the formulas do, but that names were given to what they say there is.
        """
        formulas = [part for part in (*others, *about) if not isinstance(part, bool)]
        keys = keys_of(formulas)
        names = self._names(about, keys)
        found: list[Truth] = []
        for left in range(rounds, -1, -1):
            found = self._all(formulas, names)
            more = self._names([*about, *found], keys)
            if not left or len(more) == len(names):
                break
            names = more
        known = [part for part in (*others, *about) if isinstance(part, bool)]
        return [*known, *found]

    def _names(self, formulas: Iterable[Truth], keys: frozenset[str]) -> list[z3.ExprRef]:
        """The names in formulas, but not those of bound variables, that stand where elements of sets stand."""
        found = {
            node.get_id(): node
            for node in subterms(f for f in formulas if not isinstance(f, bool))
            if node.sort() == atom_sort()
            and node.decl().kind() == z3.Z3_OP_UNINTERPRETED
            and (node.num_args() == 0 or node.decl().name() in keys)
            and node.get_id() not in self.literals
            and _depth(node) <= _MOST
        }
        return [found[key] for key in sorted(found, key=lambda key: (_depth(found[key]), str(found[key])))]

    def _all(self, formulas: Sequence[z3.ExprRef], names: list[z3.ExprRef]) -> list[Truth]:
        which = tuple(name.get_id() for name in names)
        found = []
        for formula in formulas:
            key = (formula.get_id(), which)
            if key not in self._made:
                self._made[key] = formula, names, _Walk(self, names).of(formula, True, False)
            found.append(self._made[key][2])
        return found

    def witnesses(self, quantifier: z3.QuantifierRef) -> list[z3.ExprRef]:
        """Names for what a formula without bound variables around says there is: the same each time."""
        return self._witnessed(quantifier, [quantifier.var_sort(i) for i in range(quantifier.num_vars())])

    def difference(self, equation: z3.ExprRef) -> z3.ExprRef:
        """A name for an element that only one of two sets has, if they are not equal."""
        return self._witnessed(equation, [atom_sort()])[0]

    def _witnessed(self, formula: z3.ExprRef, sorts: Sequence[z3.SortRef]) -> list[z3.ExprRef]:
        key = formula.get_id()
        if key not in self._witnesses:
            number = len(self._witnesses)
            made = [z3.Const(f"witness!{number}!{place}", sort) for place, sort in enumerate(sorts)]
            self._witnesses[key] = formula, made
        return self._witnesses[key][1]


@dataclass(eq=False)
class _Walk:
    """Goes through a formula. `number`: bound variables that stay bound get constants of this number while inside."""

    instances: Instances
    names: list[z3.ExprRef]
    _number: int = 0

    def of(self, e: z3.ExprRef, positive: bool, inside: bool) -> Truth:
        """What follows from the formula; with `positive` False what it follows from. `inside` a quantifier that stays."""
        if z3.is_and(e):
            return conjunction(self.of(part, positive, inside) for part in e.children())
        if z3.is_or(e):
            return disjunction(self.of(part, positive, inside) for part in e.children())
        if z3.is_not(e):
            return negation(self.of(e.arg(0), not positive, inside))
        if z3.is_implies(e):
            return implication(self.of(e.arg(0), not positive, inside), self.of(e.arg(1), positive, inside))
        if z3.is_true(e) or z3.is_false(e):
            return bool(z3.is_true(e))
        if z3.is_quantifier(e) and not e.is_lambda():
            return self._quantified(e, positive, inside)
        if z3.is_eq(e) and has_quantifier(e) and z3.is_bool(e.arg(0)):
            both = [z3.Implies(e.arg(0), e.arg(1)), z3.Implies(e.arg(1), e.arg(0))]
            return conjunction(self.of(part, positive, inside) for part in both)
        if z3.is_eq(e) and not positive and not inside and _is_set(e.arg(0)):
            other = self.instances.difference(e)
            return z3.Select(e.arg(0), other) == z3.Select(e.arg(1), other)
        if z3.is_app_of(e, z3.Z3_OP_ITE) and has_quantifier(e):
            either = [z3.Implies(e.arg(0), e.arg(1)), z3.Or(e.arg(0), e.arg(2))]
            return conjunction(self.of(part, positive, inside) for part in either)
        return e

    def _quantified(self, e: z3.QuantifierRef, positive: bool, inside: bool) -> Truth:
        sorts = [e.var_sort(i) for i in range(e.num_vars())]
        if e.is_forall() != positive and not inside:
            return self.of(z3.substitute_vars(e.body(), *reversed(self.instances.witnesses(e))), positive, inside)
        if e.is_forall() == positive and all(sort == atom_sort() for sort in sorts):
            each = (z3.substitute_vars(e.body(), *reversed(chosen)) for chosen in product(self.names, repeat=len(sorts)))
            parts = (self.of(part, positive, inside) for part in each)
            return conjunction(parts) if e.is_forall() else disjunction(parts)
        if not has_quantifier(e.body()):
            return e
        self._number += 1
        bound = [z3.Const(f"bound!{self._number}!{place}", sort) for place, sort in enumerate(sorts)]
        body = self.of(z3.substitute_vars(e.body(), *reversed(bound)), positive, True)
        self._number -= 1
        if isinstance(body, bool):
            return body
        return z3.ForAll(bound, body) if e.is_forall() else z3.Exists(bound, body)


def keys_of(formulas: Iterable[z3.ExprRef]) -> frozenset[str]:
    """The functions whose values are keys of functions or are asked for in sets."""
    found = set()
    for node in subterms(formulas):
        kind = node.decl().kind()
        places = node.children() if kind == z3.Z3_OP_UNINTERPRETED else []
        places = [node.arg(1)] if kind == z3.Z3_OP_SELECT else places
        found |= {
            place.decl().name()
            for place in places
            if z3.is_app(place) and place.sort() == atom_sort() and place.decl().kind() == z3.Z3_OP_UNINTERPRETED
        }
    return frozenset(found)


def _depth(e: z3.ExprRef) -> int:
    """Through how many functions a name is named; too many where a variable that is bound is in it."""
    if z3.is_var(e) or (z3.is_const(e) and e.decl().name().startswith("bound!")):
        return _MOST + 1
    return max((_depth(part) + 1 for part in e.children()), default=0)


def _is_set(e: z3.ExprRef) -> bool:
    return e.sort() == z3.ArraySort(atom_sort(), z3.BoolSort())

