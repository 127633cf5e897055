"""What is said of all names said of each of few, so that no quantifier over names is left: for any number of names.

As with a set of three, where a formula about all of its elements is three formulas. The names are those that the goal
and the step speak of, and one for each name that a formula says there is. They bring forth others only so far, as in
`named`; what must be guessed of each name before the search is not guessed in it. So Z3 ends soon, and where it has
found no contradiction it has values for these few names, which show what is missing (`refine`).

Why nothing is proved that does not follow: what is said of all names is said of each name; and a constant that stands
for what a formula says there is may be that, if there is one, and anything if there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

import z3

from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.named import Named, are_sets
from rmqproof.model.prove.pieces import is_of_all
from rmqproof.model.prove.terms import subterms
from rmqproof.model.prove.values import atom_sort

_MOST = 24
"""With more names there are too many formulas."""

_ELEMENT = z3.Const("element", atom_sort())

_Names = dict[int, z3.ExprRef]
"""By their Z3 terms."""


@dataclass(eq=False)
class Grounded(Named):
    """For one question. `number`: of which sort quantifiers stay, which Z3 uses as it likes.

    `least`: a hypothesis that says of a name that there is another is used only of those of what the goal says of all,
    and the goal, where it says that there is a name, of those that hypotheses say there are.
    """

    few: bool = True
    number: z3.SortRef = field(default_factory=z3.IntSort)

    all: _Names = field(default_factory=dict)
    in_time: _Names = field(default_factory=dict)
    early: _Names = field(default_factory=dict)
    rows: dict[tuple[str, ...], list[Sequence[z3.ExprRef]]] = field(default_factory=dict)
    """Values that stand for what is said to be in a set of records, by their sorts."""
    _started: bool = field(default=False, init=False)
    _settled: bool = field(default=False, init=False)
    """Nothing is named any more."""
    _quiet: bool = field(default=False, init=False)
    """What comes up is no name: it would be one for each record that comes up."""
    _grounded: dict[tuple[int, bool, bool, bool, bool, bool], tuple[z3.ExprRef, z3.ExprRef]] = field(
        default_factory=dict, init=False
    )
    _grounded_of: int = field(default=-1, init=False)
    """How many names and rows there were then."""
    _chosen: dict[tuple[int, bool], tuple[Sequence[z3.ExprRef], z3.ExprRef]] = field(default_factory=dict, init=False)
    _bound: _Names = field(default_factory=dict, init=False)
    _alone: dict[int, tuple[z3.ExprRef, bool]] = field(default_factory=dict, init=False)

    @property
    def has_too_many(self) -> bool:
        return len(self.all) > _MOST

    def of(
        self,
        about: Iterable[Truth],
        question: Sequence[Truth],
        plain: frozenset[int],
        goal: frozenset[int] = frozenset(),
    ) -> list[Truth]:
        """As of `Named`. With one question after another the names stay, and others may come."""
        if not self._started:
            self._started = True
            keys = frozenset[str]().union(*(self._seen(part).keys for part in question if not isinstance(part, bool)))
            self.all = {name.get_id(): name for name in self.names(about, keys)}
            self.early = {key: name for key, name in self.all.items() if not self.least or is_of_all(name)}
            self.in_time = {} if self.least else dict(self.all)
        found: list[Truth] = []
        size = -1
        while size != self._size and not self.has_too_many:
            size = self._size
            if size != self._grounded_of:
                self._grounded_of = size
                self._grounded.clear()
            found = self.said_of_names(question, plain, goal)
        return found

    @property
    def _size(self) -> int:
        return len(self.all) + len(self.in_time) + sum(map(len, self.rows.values()))

    def of_these(self, part: z3.ExprRef) -> z3.ExprRef:
        """What a hypothesis says of the names that there are by now."""
        self.of_goal, self._settled = False, True
        try:
            return self.whole(part)
        finally:
            self._settled = False

    def whole(self, part: z3.ExprRef) -> z3.ExprRef:
        return self._ground(part, True, False)

    def _ground(self, e: z3.ExprRef, positive: bool, inside: bool) -> z3.ExprRef:
        """`inside`: within quantifiers that stay."""
        if not self._is_open(e):
            return e
        key = (e.get_id(), positive, inside, self.of_goal, self._quiet, self._settled)
        if key not in self._grounded:
            self._grounded[key] = self._made(e, positive, inside), e
        return self._grounded[key][0]

    def _made(self, e: z3.ExprRef, positive: bool, inside: bool) -> z3.ExprRef:
        if z3.is_quantifier(e):
            if e.is_forall() == positive:
                return self._of_each(e, positive, inside)
            return self._of_one(e, positive, inside)
        kind = e.decl().kind()
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
            make = z3.And if kind == z3.Z3_OP_AND else z3.Or
            return make(*(self._ground(part, positive, inside) for part in e.children()))
        if kind == z3.Z3_OP_NOT:
            return z3.Not(self._ground(e.arg(0), not positive, inside))
        if kind == z3.Z3_OP_IMPLIES:
            return z3.Implies(self._ground(e.arg(0), not positive, inside), self._ground(e.arg(1), positive, inside))
        if are_sets(e):
            each = z3.ForAll([_ELEMENT], z3.Select(e.arg(0), _ELEMENT) == z3.Select(e.arg(1), _ELEMENT))
            said = self._ground(each, positive, inside)  # the same quantifier each time, so that the same is chosen
            return z3.And(e, said) if positive else said
        either = _either(e) or self._by_condition(e)
        return e if either is None else z3.And(*(self._ground(part, positive, inside) for part in either))

    def _by_condition(self, e: z3.ExprRef) -> tuple[z3.BoolRef, z3.BoolRef] | None:
        """As two implications, where it depends on a quantifier which value is meant."""
        for node in subterms([e]):
            if node.decl().kind() == z3.Z3_OP_ITE and self._is_open(node.arg(0)):
                condition, one, other = node.children()
                return (
                    z3.Implies(condition, z3.substitute(e, (node, one))),
                    z3.Or(condition, z3.substitute(e, (node, other))),
                )
        return None

    def _of_each(self, e: z3.QuantifierRef, positive: bool, inside: bool) -> z3.ExprRef:
        """What is said of all: said of names, and of records that came up."""
        sorts = [e.var_sort(i) for i in range(e.num_vars())]
        whole = z3.And if e.is_forall() else z3.Or
        if not self._stays(sorts):
            quiet, self._quiet = self._quiet, True
            rows = self.rows.get(tuple(map(str, sorts)), [])
            parts = [self._ground(z3.substitute_vars(e.body(), *reversed(row)), positive, inside) for row in rows]
            self._quiet = quiet
            return whole(*parts)
        if atom_sort() not in sorts and not self._is_open(e.body()):
            return e
        bound = self._variables(sorts, [e.var_name(i) for i in range(e.num_vars())])
        self._bound |= {one.get_id(): one for one in bound}
        numbers = [one for one in bound if one.sort() != atom_sort()]
        opened = z3.substitute_vars(e.body(), *reversed(bound))
        names = self.all
        if self._says_there_is(opened, positive):
            names = self.in_time if self.of_goal else self.early
        parts = []
        for row in product(list(names.values()), repeat=len(bound) - len(numbers)):
            left = iter(row)
            values = [one if one.sort() != atom_sort() else next(left) for one in bound]
            body = z3.substitute_vars(e.body(), *reversed(values))
            said = self._ground(body, positive, inside or bool(numbers))
            parts.append((z3.ForAll if e.is_forall() else z3.Exists)(numbers, said) if numbers else said)
        return whole(*parts)

    def _of_one(self, e: z3.QuantifierRef, positive: bool, inside: bool) -> z3.ExprRef:
        """What is said of some: said of a constant that stands for it."""
        sorts = [e.var_sort(i) for i in range(e.num_vars())]
        if inside and not self._is_alone(e):
            if atom_sort() in sorts or not self._stays(sorts) or not self._is_open(e.body()):
                return e
            bound = self._variables(sorts, [e.var_name(i) for i in range(e.num_vars())])
            self._bound |= {one.get_id(): one for one in bound}
            said = self._ground(z3.substitute_vars(e.body(), *reversed(bound)), positive, True)
            return (z3.ForAll if e.is_forall() else z3.Exists)(bound, said)
        key = e.get_id(), positive
        if key not in self._chosen:
            self._chosen[key] = self._variables(sorts, [f"some {e.var_name(i)}" for i in range(e.num_vars())]), e
        chosen = self._chosen[key][0]
        if not self._settled:
            self._name(sorts, chosen)
        return self._ground(z3.substitute_vars(e.body(), *reversed(chosen)), positive, False)

    def _name(self, sorts: Sequence[z3.SortRef], chosen: Sequence[z3.ExprRef]) -> None:
        if not self._stays(sorts):
            rows = self.rows.setdefault(tuple(map(str, sorts)), [])
            if not any(row is chosen for row in rows):
                rows.append(chosen)
        elif not self._quiet:
            found = {one.get_id(): one for one in chosen if one.sort() == atom_sort()}
            self.all |= found
            if not self.of_goal:
                self.in_time |= found

    def _stays(self, sorts: Iterable[z3.SortRef]) -> bool:
        """Whether these are names and numbers, and nothing that would have to be a row."""
        return all(sort in (atom_sort(), self.number) for sort in sorts)

    def _is_alone(self, e: z3.ExprRef) -> bool:
        """Whether no variable is in it that a quantifier around it binds."""
        key = e.get_id()
        if key not in self._alone:
            inside = [e.body()] if z3.is_quantifier(e) else e.children()
            self._alone[key] = e, key not in self._bound and all(map(self._is_alone, inside))
        return self._alone[key][1]

    def _is_said(self, e: z3.ExprRef, positive: bool | None) -> bool:
        if z3.is_app(e) and not z3.is_bool(e):
            return any(self._says_there_is(part, None) for part in e.children())
        return super()._is_said(e, positive)


def _either(e: z3.ExprRef) -> tuple[z3.BoolRef, z3.BoolRef] | None:
    """An equation of truth values, or a choice between two, as two implications."""
    kind = e.decl().kind()
    if kind == z3.Z3_OP_EQ and z3.is_bool(e.arg(0)):
        return z3.Implies(e.arg(0), e.arg(1)), z3.Implies(e.arg(1), e.arg(0))
    if kind == z3.Z3_OP_ITE and z3.is_bool(e):
        return z3.Implies(e.arg(0), e.arg(1)), z3.Or(e.arg(0), e.arg(2))
    return None
