"""What formulas say of some names, in the place of what they say of all: for proofs about any number of names.

With a set of three a formula about all of its elements is three formulas, and Z3 has nothing to find. Of a set of any
size Z3 must guess of which elements the formulas are to be used, and where they name one element by another (the master
of a broker, the member that holds a deposed master back) it has no end of guesses. Here the names are those that the
goal and the step speak of: what a hypothesis says of all follows for each of them.

Why a contradiction among what is made is one among the formulas. Where there is anything of which a formula is true, or
false if it speaks of all, let its witness be such a one, and where two sets differ the witness of the equation an
element of one of them alone; else anything. Then, by induction, whatever a formula is made into where it stands
positively follows from it, and where it stands negatively (`positive` False) it follows from what it is made into:

- "for all" that stands positively becomes what it says of some names, "there is" that stands negatively the same: fewer
  conjuncts, fewer alternatives;
- where it is the other way round it is said of the witness, which is as much, and so is an equation of sets that stands
  negatively. A witness is one for all values of a variable that is bound around, so this is not done inside of a
  quantifier that stays;
- <=> and IF are cut into implications, of which each part stands as it does; all else stays.

No goal gets weaker, for the goal is one of the formulas, negated; and no hypothesis gets stronger, whichever names are
taken. The other direction does not hold: what is made may be possible where the formulas are not, so that only a
contradiction is an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import z3

from rmqproof.model.prove.logic import Truth, conjunction, disjunction, implication, negation
from rmqproof.model.prove.terms import subterms
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
    made: dict[tuple[int, bool, bool, tuple[int, ...]], tuple[Truth, ...]] = field(default_factory=dict)
    _one: dict[tuple[int, ...], tuple[z3.ExprRef, ...]] = field(default_factory=dict)
    _open: dict[int, tuple[z3.ExprRef, bool]] = field(default_factory=dict)
    _known: dict[int, _Seen] = field(default_factory=dict)

    def of(self, about: Sequence[Truth], others: Sequence[Truth], rounds: int) -> list[Truth]:
        """What all these formulas say of the names in `about`, and, with more `rounds`, of those in what they say then.

        All of it holds where the formulas do, but that names were given to what they say there is.
        """
        formulas = [part for part in (*others, *about) if not isinstance(part, bool)]
        keys = frozenset[str]().union(*(self._seen(formula).keys for formula in formulas))
        names = self._names(about, keys)
        found: list[Truth] = []
        for left in range(rounds, -1, -1):
            walk = _Walk(self, names)
            found = [walk.of(formula, True, False) for formula in formulas]
            if not left:
                break
            more = self._names([*about, *found], keys)
            if len(more) == len(names):
                break
            names = more
        return [*(part for part in (*others, *about) if isinstance(part, bool)), *found]

    def _names(self, formulas: Iterable[Truth], keys: frozenset[str]) -> list[z3.ExprRef]:
        """The names in formulas, but not those of bound variables, that stand where elements of sets stand."""
        seen = [self._seen(formula) for formula in formulas if not isinstance(formula, bool)]
        found = {
            key: node
            for each in seen
            for key, node in each.names.items()
            if key not in self.literals and (node.num_args() == 0 or node.decl().name() in keys)
        }
        return [found[key] for key in sorted(found, key=lambda key: (_depth(found[key]), str(found[key])))]

    def _seen(self, formula: z3.ExprRef) -> _Seen:
        key = formula.get_id()
        if key not in self._known:
            self._known[key] = _seen(formula)
        return self._known[key]

    def witnesses(self, formula: z3.ExprRef, sorts: Sequence[z3.SortRef]) -> list[z3.ExprRef]:
        """Names for what a formula without bound variables around says there is: the same each time."""
        key = formula.get_id()
        if key not in self._witnesses:
            number = len(self._witnesses)
            made = [z3.Const(f"witness!{number}!{place}", sort) for place, sort in enumerate(sorts)]
            self._witnesses[key] = formula, made
        return self._witnesses[key][1]

    def is_open(self, e: z3.ExprRef) -> bool:
        """Whether there are quantifiers in it, or equations of sets, which are quantifiers, too."""
        key = e.get_id()
        if key not in self._open:
            is_set = e.decl().kind() == z3.Z3_OP_EQ and _is_set(e.arg(0)) if z3.is_app(e) else False
            found = is_set or z3.is_quantifier(e) or any(map(self.is_open, e.children()))
            self._open[key] = e, found
        return self._open[key][1]

    def instance(self, e: z3.QuantifierRef, chosen: Sequence[z3.ExprRef]) -> z3.ExprRef:
        """The inside of a quantifier with these in the place of its variables."""
        key = (e.get_id(), *(name.get_id() for name in chosen))
        if key not in self._one:
            self._one[key] = z3.substitute_vars(e.body(), *reversed(chosen)), e, *chosen
        return self._one[key][0]


@dataclass(eq=False)
class _Walk:
    """Goes through formulas. `number`: so many quantifiers that stay are around; the variables are constants inside."""

    instances: Instances
    names: list[z3.ExprRef]
    _number: int = 0

    def __post_init__(self) -> None:
        self._which = tuple(name.get_id() for name in self.names)

    def of(self, e: z3.ExprRef, positive: bool, inside: bool) -> Truth:
        """What follows from the formula; with `positive` False what it follows from. `inside`: within a quantifier."""
        if not self.instances.is_open(e):
            return e
        key = (e.get_id(), positive, inside, self._which)
        made = self.instances.made
        if key not in made:
            made[key] = self._of(e, positive, inside), e, *self.names
        return made[key][0]

    def _of(self, e: z3.ExprRef, positive: bool, inside: bool) -> Truth:
        if z3.is_quantifier(e):
            return self._quantified(e, positive, inside)
        kind = e.decl().kind()
        if kind == z3.Z3_OP_AND:
            return conjunction(self.of(part, positive, inside) for part in e.children())
        if kind == z3.Z3_OP_OR:
            return disjunction(self.of(part, positive, inside) for part in e.children())
        if kind == z3.Z3_OP_NOT:
            return negation(self.of(e.arg(0), not positive, inside))
        if kind == z3.Z3_OP_IMPLIES:
            return implication(self.of(e.arg(0), not positive, inside), self.of(e.arg(1), positive, inside))
        if kind == z3.Z3_OP_EQ and z3.is_bool(e.arg(0)):
            both = [z3.Implies(e.arg(0), e.arg(1)), z3.Implies(e.arg(1), e.arg(0))]
            return conjunction(self.of(part, positive, inside) for part in both)
        if kind == z3.Z3_OP_ITE and z3.is_bool(e):
            either = [z3.Implies(e.arg(0), e.arg(1)), z3.Or(e.arg(0), e.arg(2))]
            return conjunction(self.of(part, positive, inside) for part in either)
        if kind == z3.Z3_OP_EQ and _is_set(e.arg(0)) and not positive and not inside:
            (only,) = self.instances.witnesses(e, [atom_sort()])  # an element that one of them has, if they differ
            return z3.Select(e.arg(0), only) == z3.Select(e.arg(1), only)
        return e

    def _quantified(self, e: z3.QuantifierRef, positive: bool, inside: bool) -> Truth:
        sorts = [e.var_sort(i) for i in range(e.num_vars())]
        if e.is_forall() != positive and not inside:
            return self.of(self.instances.instance(e, self.instances.witnesses(e, sorts)), positive, inside)
        if e.is_forall() == positive and all(sort == atom_sort() for sort in sorts):
            each = (self.instances.instance(e, chosen) for chosen in product(self.names, repeat=len(sorts)))
            parts = (self.of(part, positive, inside) for part in each)
            return conjunction(parts) if e.is_forall() else disjunction(parts)
        if not self.instances.is_open(e.body()):
            return e
        bound = [z3.Const(f"bound!{self._number}!{place}", sort) for place, sort in enumerate(sorts)]
        self._number += 1
        body = self.of(self.instances.instance(e, bound), positive, True)
        self._number -= 1
        if isinstance(body, bool):
            return body
        return z3.ForAll(bound, body) if e.is_forall() else z3.Exists(bound, body)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is in a formula: names that are not bound, and functions whose values are keys or are asked for in sets."""

    formula: z3.ExprRef
    names: Mapping[int, z3.ExprRef]
    keys: frozenset[str]


def _seen(formula: z3.ExprRef) -> _Seen:
    sort = atom_sort()
    names: dict[int, z3.ExprRef] = {}
    keys: set[str] = set()
    for node in subterms([formula]):
        kind = node.decl().kind()
        if kind == z3.Z3_OP_UNINTERPRETED:
            places = node.children()
            if node.sort() == sort and _depth(node) <= _MOST:
                names[node.get_id()] = node
        else:
            places = [node.arg(1)] if kind == z3.Z3_OP_SELECT else []
        keys |= {
            place.decl().name()
            for place in places
            if z3.is_app(place) and place.sort() == sort and place.decl().kind() == z3.Z3_OP_UNINTERPRETED
        }
    return _Seen(formula, names, frozenset(keys))


def _depth(e: z3.ExprRef) -> int:
    """Through how many functions a name is named; too many where a variable that is bound is in it."""
    if z3.is_var(e):
        return _MOST + 1
    return max((_depth(part) + 1 for part in e.children()), default=0)


def _is_set(e: z3.ExprRef) -> bool:
    return bool(e.sort() == z3.ArraySort(atom_sort(), z3.BoolSort()))
