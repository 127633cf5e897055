"""Of which names what is said of all is used: for proofs about any number of names.

With a set of three a formula about all of its elements is three formulas, and Z3 has nothing to find. Of a set of any
size Z3 must guess of which elements the formulas are to be used, and where they name one element by another (the master
of a broker, the member that holds a deposed master back) its guesses have no end. Here it is told: a predicate,
`is named`, is true of the names that the goal and the step speak of, and of each name that stands for what a formula
says there is, once the search relies on that formula; and what is said of all is used of what is named, and of nothing
else. It is the only pattern of such a quantifier.

Names bring forth names: what a formula says there is for each name is named, and then there is something for that,
too. With `few` that ends: a hypothesis that says of a name that there is another is used of the names at first only,
the goal of these and of those that hypotheses bring forth; what merely says something of names is used of all.

Why nothing is proved that does not follow: let everything be named. Then every formula here says what it said before,
and so a contradiction among these formulas is one among those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import z3

from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.pieces import is_of_all
from rmqproof.model.prove.terms import asked_at, subterms
from rmqproof.model.prove.values import atom_sort

_MOST = 3
"""A name that is named by names through more functions than so many is not looked at."""


@dataclass(eq=False)
class Named:
    """Makes them, and remembers what was made: most of it is the same for the next question.

    `literals`: names that are known, such as strings, by their Z3 terms; what is said of all is not used for them.
    `few`: names bring forth names only so far. `least`: hypotheses those of what the goal says of all, and the goal is
    used, where it says that there is a name, of these alone.
    """

    literals: frozenset[int]
    few: bool = False
    least: bool = False
    made: dict[tuple[int, bool | None, bool], tuple[z3.ExprRef, z3.ExprRef]] = field(default_factory=dict)
    of_goal: bool = field(default=False, init=False)
    """Whether what is made now is part of the goal's negation."""
    _open: dict[int, tuple[z3.ExprRef, bool]] = field(default_factory=dict)
    _says: dict[tuple[int, bool | None], tuple[z3.ExprRef, bool]] = field(default_factory=dict)
    _known: dict[int, _Seen] = field(default_factory=dict)
    _number: int = 0

    def of(
        self,
        about: Iterable[Truth],
        question: Sequence[Truth],
        plain: frozenset[int],
        goal: frozenset[int] = frozenset(),
    ) -> list[Truth]:
        """The question, with what it says of all names said of those in `about` and of those that come up.

        `plain`: formulas, by their Z3 terms, that stay as they are; `goal`: those that are the goal's negation.
        """
        keys = frozenset[str]().union(*(self._seen(part).keys for part in question if not isinstance(part, bool)))
        named = [is_known(name) for name in self.names(about, keys) for is_known in self._known_at_first(name)]
        return [*self.said_of_names(question, plain, goal), *named]

    def said_of_names(self, question: Sequence[Truth], plain: frozenset[int], goal: frozenset[int]) -> list[Truth]:
        """The parts of the question, but for those that stay as they are, with what they say of all said of names."""
        made: list[Truth] = []
        for part in question:
            if isinstance(part, bool) or part.get_id() in plain:
                made.append(part)
            else:
                self.of_goal = part.get_id() in goal
                made.append(self.whole(part))
        return made

    def _known_at_first(self, name: z3.ExprRef) -> Sequence[z3.FuncDeclRef]:
        if self.least:
            return (_IS_NAMED, _IS_EARLY) if is_of_all(name) else (_IS_NAMED,)
        return (_IS_NAMED, _IS_EARLY, _IS_IN_TIME) if self.few else (_IS_NAMED,)

    def whole(self, part: z3.ExprRef) -> z3.ExprRef:
        """A part of the question."""
        return self.formula(part, True)

    def names(self, formulas: Iterable[Truth], keys: frozenset[str]) -> list[z3.ExprRef]:
        """The names in formulas, but not those of bound variables, that stand where elements of sets stand."""
        seen = [self._seen(formula) for formula in formulas if not isinstance(formula, bool)]
        return [
            node
            for key, node in {key: node for each in seen for key, node in each.names.items()}.items()
            if key not in self.literals and (node.num_args() == 0 or node.decl().name() in keys)
        ]

    def _seen(self, formula: z3.ExprRef) -> _Seen:
        key = formula.get_id()
        if key not in self._known:
            self._known[key] = _seen(formula)
        return self._known[key]

    def formula(self, e: z3.ExprRef, positive: bool | None) -> z3.ExprRef:
        """The formula; `positive`: whether it is said, or None where both it and its negation may be."""
        if not self._is_open(e):
            return e
        key = e.get_id(), positive, self.of_goal
        if key not in self.made:
            self.made[key] = self._formula(e, positive), e
        return self.made[key][0]

    def _is_open(self, e: z3.ExprRef) -> bool:
        """Whether there are quantifiers in it, or equations of sets, which are quantifiers, too."""
        key = e.get_id()
        if key not in self._open:
            found = z3.is_quantifier(e) or (z3.is_app(e) and (are_sets(e) or any(map(self._is_open, e.children()))))
            self._open[key] = e, found
        return self._open[key][1]

    def _formula(self, e: z3.ExprRef, positive: bool | None) -> z3.ExprRef:
        if z3.is_quantifier(e):
            return self.quantified(e, positive)
        kind = e.decl().kind()
        other = None if positive is None else not positive
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
            make = z3.And if kind == z3.Z3_OP_AND else z3.Or
            return make(*(self.formula(part, positive) for part in e.children()))
        if kind == z3.Z3_OP_NOT:
            return z3.Not(self.formula(e.arg(0), other))
        if kind == z3.Z3_OP_IMPLIES:
            return z3.Implies(self.formula(e.arg(0), other), self.formula(e.arg(1), positive))
        if kind == z3.Z3_OP_EQ and z3.is_bool(e.arg(0)):
            both = (z3.Implies(e.arg(0), e.arg(1)), z3.Implies(e.arg(1), e.arg(0)))
            return z3.And(*(self.formula(part, positive) for part in both))
        if kind == z3.Z3_OP_ITE and z3.is_bool(e):
            either = (z3.Implies(e.arg(0), e.arg(1)), z3.Or(e.arg(0), e.arg(2)))
            return z3.And(*(self.formula(part, positive) for part in either))
        if are_sets(e) and positive is not None:
            (element,) = self._variables([atom_sort()], ["element"])
            same = z3.Select(e.arg(0), element) == z3.Select(e.arg(1), element)
            each = _used_of([element], z3.Implies(self._guard([element], False, positive), same))
            return z3.And(e, each) if positive else each
        return e

    def quantified(self, e: z3.QuantifierRef, positive: bool | None) -> z3.ExprRef:
        """What a quantifier says, said of what is named."""
        sorts = [e.var_sort(i) for i in range(e.num_vars())]
        if atom_sort() not in sorts and not self._is_open(e.body()):
            return e
        bound = self._variables(sorts, [e.var_name(i) for i in range(e.num_vars())])
        inside = z3.substitute_vars(e.body(), *reversed(bound))
        body = self.formula(inside, positive)
        make, join = (z3.ForAll, z3.Implies) if e.is_forall() else (z3.Exists, z3.And)
        known = self._known_in(body)
        names = [one for one in bound if one.sort() == atom_sort() and one.get_id() not in known]
        of_all = None if positive is None else e.is_forall() == positive
        if len(names) == len(bound) or (names and of_all is False):
            body = join(self._guard(names, self.few and self._says_there_is(inside, positive), of_all), body)
        return _used_of(bound, body, make) if len(names) == len(bound) else make(bound, body)

    def _guard(self, names: Sequence[z3.ExprRef], brings_forth: bool, of_all: bool | None) -> z3.BoolRef:
        """That the names are known, as a formula about them is used of; of those of which one says that they are there.

        `of_all`: whether something is said of all; None where both it and its negation may be.
        """
        known: tuple[z3.FuncDeclRef, ...] = (_IS_NAMED,)
        if self.few and of_all is False and not self.of_goal:
            known = (_IS_NAMED, _IS_IN_TIME)
        elif of_all and brings_forth:
            known = (_IS_IN_TIME,) if self.of_goal else (_IS_EARLY,)
        return z3.And(*(is_known(name) for name in names for is_known in known))

    def _says_there_is(self, e: z3.ExprRef, positive: bool | None) -> bool:
        """Whether it says, where it is true or false as `positive` has it, that there is a name."""
        if not self._is_open(e):
            return False
        key = e.get_id(), positive
        if key not in self._says:
            self._says[key] = e, self._is_said(e, positive)
        return self._says[key][1]

    def _is_said(self, e: z3.ExprRef, positive: bool | None) -> bool:
        says = self._says_there_is
        if z3.is_quantifier(e):
            sorts = [e.var_sort(i) for i in range(e.num_vars())]
            return (e.is_forall() != positive and atom_sort() in sorts) or says(e.body(), positive)
        kind, parts = e.decl().kind(), e.children()
        other = None if positive is None else not positive
        if kind == z3.Z3_OP_NOT:
            return says(parts[0], other)
        if kind == z3.Z3_OP_IMPLIES:
            return says(parts[0], other) or says(parts[1], positive)
        if kind == z3.Z3_OP_ITE and z3.is_bool(e):
            return says(parts[0], None) or says(parts[1], positive) or says(parts[2], positive)
        if kind == z3.Z3_OP_EQ:
            return not positive if are_sets(e) else any(says(part, None) for part in parts)
        return any(says(part, positive) for part in parts)

    def _known_in(self, body: z3.ExprRef) -> set[int]:
        """What is said somewhere to be a literal, such as the type of a record."""
        equations = [node for node in subterms([body]) if node.decl().kind() == z3.Z3_OP_EQ]
        both = [(node.arg(0).get_id(), node.arg(1).get_id()) for node in equations]
        pairs = [pair for one, other in both for pair in ((one, other), (other, one))]
        return {one for one, other in pairs if other in self.literals}

    def _variables(self, sorts: Sequence[z3.SortRef], names: Sequence[str]) -> list[z3.ExprRef]:
        self._number += 1
        return [z3.Const(f"{name} {self._number}", sort) for name, sort in zip(names, sorts, strict=True)]


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
        if _is_given(node) and node.sort() == sort and _depth(node) <= _MOST:
            names[node.get_id()] = node
        keys |= {of.decl().name() for of in asked_at(node) if z3.is_app(of) and of.sort() == sort and _is_given(of)}
    return _Seen(formula, names, frozenset(keys))


def _is_given(e: z3.ExprRef) -> bool:
    """Whether it is an uninterpreted constant, or a value of an uninterpreted function."""
    return bool(e.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def _depth(e: z3.ExprRef) -> int:
    """Through how many functions a name is named; too many where a variable that is bound is in it."""
    if z3.is_var(e):
        return _MOST + 1
    return max((_depth(part) + 1 for part in e.children()), default=0)


def are_sets(e: z3.ExprRef) -> bool:
    """Whether it is an equation of sets of names."""
    return bool(e.decl().kind() == z3.Z3_OP_EQ and e.arg(0).sort() == z3.ArraySort(atom_sort(), z3.BoolSort()))


def _used_of(
    bound: Sequence[z3.ExprRef], body: z3.ExprRef, make: Callable[..., z3.QuantifierRef] = z3.ForAll
) -> z3.ExprRef:
    """With what makes the bound names known, the first part of the body, as the only pattern."""
    guard = body.arg(0)
    patterns = guard.children() if z3.is_and(guard) else [guard]
    return make(bound, body, patterns=[z3.MultiPattern(*patterns)])


_IS_NAMED = z3.Function("is named", atom_sort(), z3.BoolSort())
_IS_EARLY = z3.Function("is named early", atom_sort(), z3.BoolSort())
"""By the goal and the step."""
_IS_IN_TIME = z3.Function("is named in time", atom_sort(), z3.BoolSort())
"""By these, or by what a hypothesis says of them."""
