"""Formulas of names say what they said before, and Z3 uses them of what it is told to and of nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import z3

from rmqproof.model.prove.ask import Asker
from rmqproof.model.prove.decide import PROVED, REFUTED, decide, prove_parts
from rmqproof.model.prove.grounded import Grounded
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module
from rmqproof.model.prove.named import Named
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.shared import NamedAndShared, Shared
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.prove.values import atom_sort
from rmqproof.model.tla.library import bundled
from tests.at_length import first

BOOL, ATOM, ITEM = z3.BoolSort(), atom_sort(), z3.DeclareSort("Number")
SETS = z3.ArraySort(ATOM, BOOL)
ONE, OTHER = z3.Consts("one other", ATOM)
FIRST, SECOND = z3.Consts("first second", ITEM)
IN, TO, HAS = z3.Function("in", ATOM, BOOL), z3.Function("to", ATOM, ATOM), z3.Function("has", ATOM, ITEM, BOOL)
SET, OF, MEMBERS = z3.Const("set", SETS), z3.Function("of", ITEM, ATOM), z3.Function("members", ITEM, SETS)
FEW = z3.Const("few", SETS)
X, Y, N, M = *z3.Consts("x!1 x!2", ATOM), *z3.Consts("i!1 i!2", ITEM)


def formula(draw: random.Random, depth: int, atoms: list[z3.ExprRef], items: list[z3.ExprRef]) -> z3.BoolRef:
    """A formula about these values, without other free variables."""
    a, b, i, j = draw.choice(atoms), draw.choice(atoms), draw.choice(items), draw.choice(items)
    if depth == 0:
        sets = [MEMBERS(i), MEMBERS(j), SET, z3.Store(SET, a, IN(b))]
        leaves = [IN(a), a == b, TO(a) == b, HAS(a, i), OF(i) == a, z3.Select(MEMBERS(i), a)]
        return draw.choice([*leaves, draw.choice(sets) == draw.choice(sets), MEMBERS(i) == SET])
    if draw.random() < 0.5:
        sorts = draw.choice([[ATOM], [ATOM], [ITEM], [ATOM, ATOM], [ATOM, ITEM]])
        bound = [z3.Const(f"x!{depth}{place}", sort) for place, sort in enumerate(sorts)]
        more = [[v for v in bound if v.sort() == sort] for sort in (ATOM, ITEM)]
        inside = formula(draw, depth - 1, [*atoms, *more[0] * 2], [*items, *more[1] * 3])
        return draw.choice([z3.ForAll, z3.Exists])(bound, draw.choice([inside, z3.Not(inside)]))
    parts = [formula(draw, depth - 1, atoms, items) for _ in range(3)]
    kinds = [z3.And(parts), z3.Or(parts), z3.Not(parts[0]), z3.Implies(*parts[:2]), parts[0] == parts[1], z3.If(*parts)]
    return draw.choice(kinds)


Evaluate = Callable[[tuple[Any, ...]], Any]
VALUES: dict[z3.SortRef, list[Any]] = {
    ATOM: [0, 1],
    ITEM: [0, 1],
    SETS: [frozenset(s) for s in ((), (0,), (1,), (0, 1))],
}


@dataclass
class World:
    """One of two atoms and two items: what functions give for them, by `tables`, and what formulas say of them."""

    tables: dict[str, Callable[..., Any]]
    _known: dict[int, tuple[z3.ExprRef, Evaluate]] = field(default_factory=dict)

    @classmethod
    def at_random(cls, draw: random.Random) -> World:
        def table(values: list[Any], places: int) -> Callable[..., Any]:
            found = {at: draw.choice(values) for at in product((0, 1), repeat=places)}
            return lambda *at: found[at]

        truths, sets = [True, False], VALUES[SETS]
        tables = {"one": lambda: 0, "other": lambda: 1, "in": table(truths, 1), "to": table([0, 1], 1)}
        tables |= {"first": lambda: 0, "second": lambda: 1, "has": table(truths, 2), "of": table([0, 1], 1)}
        known = dict.fromkeys(("is named", "is named early", "is named in time"), lambda name: True)
        return cls(tables | {"set": table(sets, 0), "members": table(sets, 1)} | known)

    def says(self, e: z3.ExprRef | bool, around: tuple[Any, ...] = ()) -> Any:
        return e if isinstance(e, bool) else self._of(e)(around)

    def _of(self, e: z3.ExprRef) -> Evaluate:
        if e.get_id() not in self._known:
            self._known[e.get_id()] = e, self._made(e)
        return self._known[e.get_id()][1]

    def _made(self, e: z3.ExprRef) -> Evaluate:
        if z3.is_var(e):
            index = z3.get_var_index(e)
            return lambda around: around[-1 - index]
        if z3.is_quantifier(e):
            body, whole = self._of(e.body()), all if e.is_forall() else any
            choices = list(product(*(VALUES[e.var_sort(place)] for place in range(e.num_vars()))))
            return lambda around: whole(body((*around, *chosen)) for chosen in choices)
        kind, name, parts = e.decl().kind(), e.decl().name(), [self._of(part) for part in e.children()]
        if kind in MEANINGS:
            return lambda around: MEANINGS[kind](*(part(around) for part in parts))
        return lambda around: self.tables[name](*(part(around) for part in parts))


MEANINGS: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_TRUE: lambda: True,
    z3.Z3_OP_FALSE: lambda: False,
    z3.Z3_OP_AND: lambda *parts: all(parts),
    z3.Z3_OP_OR: lambda *parts: any(parts),
    z3.Z3_OP_NOT: lambda part: not part,
    z3.Z3_OP_IMPLIES: lambda one, other: not one or other,
    z3.Z3_OP_ITE: lambda condition, one, other: one if condition else other,
    z3.Z3_OP_EQ: lambda one, other: one == other,
    z3.Z3_OP_SELECT: lambda members, name: name in members,
    z3.Z3_OP_STORE: lambda members, name, there: members | {name} if there else members - {name},
}


def member(name: z3.ExprRef, item: z3.ExprRef) -> z3.BoolRef:
    return z3.Select(MEMBERS(item), name)


def possible(parts: Sequence[z3.BoolRef | bool]) -> bool:
    """Whether the parts do not contradict each other. Of quantifiers Z3 knows little here."""
    solver = z3.SimpleSolver()
    solver.set("auto_config", False)
    solver.set("mbqi", False)
    solver.set("rlimit", 200_000)
    solver.add(*(z3.BoolVal(part) if isinstance(part, bool) else part for part in parts))
    return solver.check() != z3.unsat


def differs_in_worlds(seed: int, count: int, one: Named | None = None) -> int:
    """Formulas at random in worlds of two at random, where all is named: how many became other formulas."""
    draw, found = random.Random(seed), 0
    for _ in range(count):
        made, tried = one or Named(frozenset()), formula(draw, draw.choice([2, 2, 3]), [ONE, OTHER], [FIRST, SECOND])
        parts = [made.formula(tried, positive) for positive in (True, False, None)]
        found += not all(part.eq(tried) for part in parts)
        for _ in range(3):
            world = World.at_random(draw)
            assert {bool(world.says(part)) for part in parts} == {bool(world.says(tried))}, tried
    return found


def test_formulas_say_what_they_said() -> None:
    assert differs_in_worlds(1, 60) >= 30


@pytest.mark.parametrize("of_goal", [False, True])
def test_formulas_of_few_say_what_they_said(of_goal: bool) -> None:
    made = Named(frozenset(), few=True)
    made.of_goal = of_goal
    assert differs_in_worlds(5, 60, made) >= 30


def shared_in_worlds(seed: int, count: int) -> int:
    """As `differs_in_worlds`, where each predicate is true of what its formula is true of: how many there were."""
    draw, found = random.Random(seed), 0
    for _ in range(count):
        made = NamedAndShared(frozenset())
        tried = [formula(draw, draw.choice([2, 2, 3]), [ONE, OTHER], [FIRST, SECOND]) for _ in range(2)]
        said = made.of([IN(ONE)], tried, frozenset(), frozenset([tried[1].get_id()]))
        found += len(made.shared)
        for _ in range(3):
            world = World.at_random(draw)
            world.tables |= {one.predicate.name(): meaning(world, one) for one in made.shared.values()}
            assert [bool(world.says(part)) for part in said[:2]] == [bool(world.says(part)) for part in tried], tried
            assert all(world.says(part) for part in said[2:]), tried
    return found


def meaning(world: World, one: Shared) -> Callable[..., Any]:
    names = [place.decl().name() for place in one.places]

    def says(*values: Any) -> Any:
        places = {name: lambda value=value: value for name, value in zip(names, values, strict=True)}
        return World(world.tables | places).says(one.formula)

    return says


def test_shared_formulas_say_what_they_said() -> None:
    assert shared_in_worlds(6, 10) >= 10


@pytest.mark.large
def test_shared_formulas_say_what_they_said_at_length() -> None:
    assert shared_in_worlds(7, 300) >= 300


@pytest.mark.large
def test_formulas_say_what_they_said_at_length() -> None:
    assert differs_in_worlds(2, 10_000) >= 5_000


@pytest.mark.large
@pytest.mark.parametrize("of_goal", [False, True])
def test_formulas_of_few_say_what_they_said_at_length(of_goal: bool) -> None:
    made = Named(frozenset(), few=True)
    made.of_goal = of_goal
    assert differs_in_worlds(8, 1_000, made) >= 500


def test_one_within_another() -> None:
    draw, same = random.Random(4), HAS(X, N) == HAS(X, M)
    inner = [z3.ForAll([X], same), z3.Exists([X], z3.Not(same)), z3.Not(z3.Exists([X], same)), MEMBERS(N) == MEMBERS(M)]
    for each in [*inner, *map(z3.Not, inner)]:
        for tried in (z3.ForAll([N], z3.Exists([M], each)), z3.Exists([M], z3.ForAll([N], each))):
            for world in (World.at_random(draw) for _ in range(10)):
                made = Named(frozenset()).of([IN(ONE) == IN(OTHER)], [tried], frozenset())
                assert [world.says(part) for part in made] == [world.says(tried), True, True]


def contradicts(about: list[z3.BoolRef], others: list[z3.BoolRef], known: Iterable[z3.ExprRef] = ()) -> bool:
    made = Named(frozenset(name.get_id() for name in known))
    return not possible(made.of(about, [*others, *about], frozenset()))


EMPTY = z3.K(ATOM, False)
EACH = z3.ForAll([N], z3.Not(MEMBERS(N) == EMPTY))
APART = z3.ForAll([X], z3.Not(z3.And(member(X, FIRST), member(X, SECOND))))


@pytest.mark.parametrize(
    "inside",
    [EACH, z3.ForAll([N], z3.Exists([X], member(X, N))), z3.Not(z3.Exists([N], z3.ForAll([X], z3.Not(member(X, N)))))],
)
def test_what_there_is_for_each_is_not_one_for_all(inside: z3.BoolRef) -> None:
    """Two sets that have nothing in common have an element each: the names of these are not the same."""
    made = Named(frozenset()).of([IN(ONE)], [inside, APART], frozenset())
    assert possible([*made, APART, z3.Not(MEMBERS(FIRST) == MEMBERS(SECOND))])


SOME = z3.Exists([X], HAS(X, FIRST))
NOBODY = z3.ForAll([X], z3.Not(HAS(X, FIRST)))
CONTRADICTIONS = {
    "of one name": ([IN(ONE)], [z3.ForAll([X], z3.Not(IN(X)))]),
    "of two": ([IN(ONE), z3.Not(IN(OTHER))], [z3.ForAll([X, Y], IN(X) == IN(Y))]),
    "of where it leads": ([IN(ONE), z3.Not(IN(TO(TO(ONE))))], [z3.ForAll([X], z3.Implies(IN(X), IN(TO(X))))]),
    "of where it leads, in a set": ([z3.Select(SET, TO(ONE))], [z3.ForAll([X], z3.Not(z3.Select(SET, X)))]),
    "of a witness": ([IN(ONE), z3.Exists([X], z3.Not(IN(X)))], [z3.ForAll([X], IN(X))]),
    "of a witness against all": ([IN(ONE), z3.Not(z3.ForAll([X], IN(X)))], [z3.ForAll([X], IN(X))]),
    "of a witness of a witness": (
        [IN(ONE)],
        [z3.ForAll([X], z3.Implies(IN(X), z3.Exists([N], OF(N) == X))), z3.ForAll([N], z3.Not(OF(N) == ONE))],
    ),
    "of a name beside": (
        [IN(OTHER)],
        [z3.Exists([X, N], HAS(X, N)), z3.ForAll([X], z3.ForAll([N], z3.Not(HAS(X, N))))],
    ),
    "sets that differ": ([z3.Not(MEMBERS(FIRST) == SET)], [z3.ForAll([X], member(X, FIRST) == z3.Select(SET, X))]),
    "sets that are the same": ([FEW == SET, z3.Select(SET, ONE)], [z3.ForAll([X], z3.Not(z3.Select(FEW, X)))]),
    "either": ([z3.Or(IN(ONE), IN(TO(ONE)))], [z3.ForAll([X], z3.Not(IN(X)))]),
    "both sides": ([IN(ONE), z3.Not(IN(TO(ONE)))], [IN(OTHER) == z3.ForAll([X], IN(X)), IN(OTHER)]),
    "both sides, the other": ([IN(ONE)], [IN(OTHER) == z3.Exists([X], IN(X)), z3.Not(IN(OTHER))]),
    "then": ([IN(ONE), z3.Not(IN(OTHER))], [z3.If(IN(ONE), z3.ForAll([X], IN(X)), IN(ONE))]),
    "else": ([IN(ONE), z3.Not(IN(OTHER))], [z3.If(IN(OTHER), IN(ONE), z3.ForAll([X], z3.Not(IN(X))))]),
    "if": ([z3.Not(IN(ONE)), IN(OTHER)], [z3.If(z3.Exists([X], IN(X)), IN(ONE), IN(OTHER))]),
    "inside, and outside": ([IN(ONE)], [z3.ForAll([N], z3.Or(HAS(ONE, N), SOME)), SOME, NOBODY]),
    "if there is one": ([z3.Not(IN(ONE))], [z3.If(SOME, IN(TO(ONE)), IN(ONE)), NOBODY]),
}


@pytest.mark.parametrize("name", list(CONTRADICTIONS))
def test_contradictions_of_names(name: str) -> None:
    assert contradicts(*CONTRADICTIONS[name])


def bounded(about: list[z3.BoolRef], others: list[z3.BoolRef], made: Named) -> bool:
    """Whether they contradict each other with few names; `about` is the goal's negation."""
    goal = frozenset(part.get_id() for part in about)
    return not possible(made.of(about, [*others, *about], frozenset(), goal))


WAYS = [
    lambda: Named(frozenset(), few=True),
    lambda: NamedAndShared(frozenset()),
    lambda: Grounded(frozenset(), number=ITEM),
]
LEAST = [
    lambda: Named(frozenset(), few=True, least=True),
    lambda: NamedAndShared(frozenset(), least=True),
    lambda: Grounded(frozenset(), least=True),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", list(CONTRADICTIONS))
def test_contradictions_of_few_names(name: str, way: Callable[[], Named]) -> None:
    assert bounded(*CONTRADICTIONS[name], way())


LEADS = z3.Function("leads", ATOM, ATOM, BOOL)
ON = z3.ForAll([X], z3.Exists([Y], LEADS(X, Y)))
NOWHERE = z3.ForAll([X], z3.Not(z3.ForAll([Y], z3.Implies(LEADS(X, Y), IN(Y)))))
END = z3.ForAll([X], z3.ForAll([Y], z3.Implies(LEADS(X, Y), IN(Y))))


@pytest.mark.parametrize("way", WAYS)
def test_names_bring_forth_names_only_so_far(way: Callable[[], Named]) -> None:
    """One by a hypothesis, and one more by the goal; with all names there would be no end."""
    far = z3.ForAll([X, Y], z3.Implies(LEADS(X, Y), z3.And(IN(X), IN(Y))))
    assert bounded([z3.Not(IN(ONE))], [ON, far], way())
    assert bounded([HAS(ONE, FIRST), NOWHERE], [ON, END], way())
    for many in (False, True):
        steps = z3.ForAll([X, Y], z3.Implies(LEADS(X, Y), LEADS(Y, OTHER) if many else HAS(Y, FIRST)))
        assert not bounded([HAS(ONE, FIRST)], [ON, steps], way())


@pytest.mark.parametrize("way", LEAST)
def test_the_least_names(way: Callable[[], Named]) -> None:
    """Hypotheses bring forth names for what the goal says of all only, and the goal is used of these."""
    anything = z3.Const("any!0", ATOM)
    assert bounded([HAS(anything, FIRST), NOWHERE], [ON, END], way())
    assert not bounded([HAS(ONE, FIRST), NOWHERE], [ON, END], way())


def test_what_differs_in_its_terms_is_shared() -> None:
    """Both ask whether all are in a set: once that is said, and of two sets that are the same it is the same."""
    every = [z3.ForAll([X], z3.Select(some, X)) for some in (SET, FEW)]
    made = NamedAndShared(frozenset())
    said = made.of([IN(ONE)], [z3.Or(IN(ONE), every[0]), z3.Or(IN(ONE), z3.Not(every[1]))], frozenset())
    (one,) = made.shared.values()
    assert said[0].eq(z3.Or(IN(ONE), one.predicate(SET))) and said[1].eq(z3.Or(IN(ONE), z3.Not(one.predicate(FEW))))
    assert not possible([*said[:2], SET == FEW, z3.Not(IN(ONE))]) and possible([*said, z3.Not(IN(ONE))])


def test_what_is_of_another_sort_is_another_formula() -> None:
    each = [z3.ForAll([X], z3.Implies(IN(X), one == other)) for one, other in ((ONE, OTHER), (FIRST, SECOND))]
    made = NamedAndShared(frozenset())
    made.of([IN(ONE)], [z3.Or(IN(ONE), part) for part in each], frozenset())
    assert len(made.shared) == 2


def test_known_names_are_left_out() -> None:
    assert not contradicts(*CONTRADICTIONS["of one name"], known=[ONE])


def test_what_is_said_to_be_known_is_not_named() -> None:
    """Such as the type of a record, of which nothing that is said of brokers has to be said."""
    some = z3.Exists([X, N], z3.And(X == ONE, HAS(X, N)))
    nobody = z3.ForAll([X], z3.ForAll([N], z3.Not(HAS(X, N))))
    assert contradicts([IN(OTHER)], [some, nobody])
    assert not contradicts([IN(OTHER)], [some, nobody], known=[ONE])


def test_what_is_said_of_no_name() -> None:
    """False stays false; and nothing is used of what is no element of a set or key of a function anywhere."""
    assert False in Named(frozenset()).of([IN(ONE)], [False], frozenset())
    said = Named(frozenset()).of([TO(ONE) == OTHER], [z3.ForAll([X], z3.Select(SET, X))], frozenset())
    assert {str(part) for part in said[1:]} == {"is named(one)", "is named(other)"}


def test_what_stays() -> None:
    """What has no names in it stays what it is, and so does what is to stay."""
    alone, everywhere = z3.ForAll([N], OF(N) == ONE), z3.ForAll([X], IN(X))
    assert Named(frozenset()).of([], [alone], frozenset())[0].eq(alone)
    assert Named(frozenset()).of([], [everywhere], frozenset([everywhere.get_id()]))[0].eq(everywhere)
    assert possible(Named(frozenset()).of([], [everywhere, z3.Not(IN(ONE))], frozenset()))


def test_no_name_through_more_than_three_functions() -> None:
    far, everywhere = TO(TO(TO(ONE))), z3.ForAll([X], z3.Select(SET, X))
    assert contradicts([IN(TO(ONE)), z3.Not(z3.Select(SET, far))], [everywhere])
    assert not contradicts([IN(TO(ONE)), z3.Not(z3.Select(SET, TO(far)))], [everywhere])


def test_the_same_question_again() -> None:
    """What was made for the other side of an implication, or another question, is not taken for it."""
    made, everywhere = Named(frozenset()), z3.ForAll([X], IN(X))
    for name in (ONE, OTHER):
        assert not possible(made.of([z3.Not(IN(name))], [everywhere, z3.Not(IN(name))], frozenset()))
    assert possible(made.of([IN(ONE)], [z3.Not(everywhere)], frozenset()))
    assert differs_in_worlds(3, 50, made) >= 20


HEAD = """---- MODULE Sentences ----
EXTENDS Integers, FiniteSets, Sequences
CONSTANT Broker
"""
NEW = (
    "NEW x \\in Broker, NEW a \\in SUBSET Broker, NEW b \\in SUBSET Broker, NEW m \\in [Broker -> Broker], "
    "NEW f \\in [Broker -> SUBSET Broker], NEW o \\in Seq(SUBSET Broker)"
)
FALSE = (
    "(\\A y \\in Broker : y \\in a) \\/ (\\A y \\in Broker : y \\notin a)",
    "(\\A y \\in Broker : y \\in a) <=> (\\E y \\in Broker : y \\in a)",
    "(\\A y \\in Broker : \\E z \\in Broker : z \\in f[y]) => (\\E z \\in Broker : \\A y \\in Broker : z \\in f[y])",
    "(\\A y \\in Broker : f[y] # a) => \\E z \\in Broker : \\A y \\in Broker : (z \\in f[y]) # (z \\in a)",
    "\\A i, j \\in DOMAIN o : o[i] = o[j]",
    "(\\A i \\in DOMAIN o : o[i] # {}) => \\E y \\in Broker : \\A i \\in DOMAIN o : y \\in o[i]",
    "(\\A i \\in DOMAIN o : \\E y \\in Broker : y \\in o[i]) => \\E y \\in Broker : \\A i \\in DOMAIN o : y \\in o[i]",
    "(\\A i \\in DOMAIN o : o[i] # a) => \\E y \\in Broker : \\A i \\in DOMAIN o : (y \\in o[i]) # (y \\in a)",
    "(\\A i \\in DOMAIN o : o[i] # a) /\\ o # <<>> => \\E y \\in Broker : \\A i \\in DOMAIN o : y \\in o[i]",
    "\\A i \\in DOMAIN o : Cardinality(o[i]) <= 1",
    "(\\A i \\in DOMAIN o : Cardinality(o[i]) <= 1) => \\A i, j \\in DOMAIN o : o[i] = o[j]",
    "(\\A i \\in DOMAIN o : Cardinality(o[i]) >= 1) => \\A i \\in DOMAIN o : Cardinality(o[i]) = 1",
    "(\\A y \\in Broker : Cardinality(f[y]) > 0) => \\E z \\in Broker : \\A y \\in Broker : z \\in f[y]",
    "(\\A y \\in Broker : Cardinality(f[y]) # 0) => \\A y \\in Broker : f[y] = Broker",
    "a = {} <=> b = {}",
    "a = Broker",
    "a # {} /\\ b # {} => (CHOOSE y \\in a : TRUE) = (CHOOSE y \\in b : TRUE)",
    "\\A y \\in Broker : f[y] # {} => (CHOOSE z \\in f[y] : TRUE) = y",
    "\\A y \\in Broker : m[m[y]] = y",
    "(\\A y \\in Broker : m[y] # y) => \\E y \\in Broker : m[m[y]] = y",
    "(\\A y \\in a : y \\in b) => a = b",
    "a \\cap b = {} \\/ a \\subseteq b",
    "(\\A y \\in Broker : IF y \\in a THEN \\E z \\in Broker : z \\in f[y] ELSE b # {}) => b = Broker",
)
FALSE_TOO = (
    "(\\A y \\in Broker : Cardinality(f[y]) = 1) => \\A y, z \\in Broker : f[y] = f[z]",
    "\\A y, z \\in Broker : f[y] # {} /\\ f[z] # {} => (CHOOSE w \\in f[y] : TRUE) = (CHOOSE w \\in f[z] : TRUE)",
    "\\A y \\in Broker : \\E z \\in Broker : m[z] = y",
    "(\\A y \\in Broker : Cardinality(f[y]) < 2) => \\A y \\in Broker : Cardinality(f[y]) < 1",
    "a # {} => (CHOOSE y \\in a : TRUE) \\in b",
    "m[x] = x => \\A y \\in Broker : m[y] = y",
    "\\E y \\in Broker : m[y] = y",
    "(\\A y \\in Broker : y \\in f[m[y]]) => \\A y \\in Broker : y \\in f[y]",
    "\\A y \\in Broker : f[y] = f[m[y]]",
    "(\\A y, z \\in Broker : y \\in f[z] => z \\in f[y]) => \\A y \\in Broker : y \\in f[y]",
    "a # {} => \\A y \\in a : a = {y}",
    "(\\A y \\in Broker : y \\in a <=> \\A z \\in Broker : z \\in f[y]) => a # {}",
    "(\\A y \\in Broker : y \\in a <=> \\E z \\in Broker : z \\in f[y]) => a = Broker",
)
OPEN = (
    # false of one broker
    "Cardinality(Broker) > 1",
    "\\E y \\in Broker : y # x",
    # no value where there is nothing to choose, and where a set is not finite
    "(CHOOSE y \\in a : TRUE) \\in a",
    "(CHOOSE y \\in Broker : y # x) # x",
    "\\A y \\in Broker : Cardinality({n \\in Nat : y \\in a => n > 0}) >= 1",
    "\\A y \\in Broker : Cardinality({n \\in Nat : y \\in a => n > 0}) # 0",
    "\\A y \\in Broker : Cardinality(Nat) > 0",
)
TRUE = (
    "(\\A i \\in DOMAIN o : o[i] = a) /\\ a # {} => \\A i \\in DOMAIN o : \\E y \\in Broker : y \\in o[i]",
    "(\\A i \\in DOMAIN o : o[i] # {}) /\\ o # <<>> => \\E y \\in Broker : \\E i \\in DOMAIN o : y \\in o[i]",
    "(\\A y, z \\in Broker : f[y] = f[z]) /\\ y0(x) => \\A y \\in Broker : x \\in f[y]",
    "(\\A y \\in Broker : m[y] = x) => \\A y \\in Broker : m[m[y]] = x",
    "(\\A i \\in DOMAIN o : Cardinality(o[i]) = 1) => \\A i \\in DOMAIN o : o[i] # {}",
    "a # {} => (CHOOSE y \\in a : TRUE) \\in a",
    "a # b => \\E y \\in Broker : (y \\in a) # (y \\in b)",
)


def sentences(folder: Path, said: Sequence[str]) -> Subject:
    path = folder / "Sentences.tla"
    theorems = [f"THEOREM T{number} == ASSUME {NEW} PROVE {text}\n" for number, text in enumerate(said)]
    path.write_text(HEAD + "".join(theorems).replace("y0(x)", "x \\in f[x]") + "====\n")
    path.with_suffix(".cfg").write_text("CONSTANT Broker = {b1, b2, b3}")
    return open_module(path, path.with_suffix(".cfg"), Sizes(any=("Broker",)))


def proved(folder: Path, said: Sequence[str], seconds: float) -> list[str]:
    subject, found = sentences(folder, said), []
    for text, lemma in zip(said, lemmas_of(subject.model.specification), strict=True):
        try:
            if all(part.verdict == PROVED for part in prove_parts(subject, lemma, seconds)):
                found.append(text)
        except Untranslatable:
            continue
    return found


def test_nothing_false_is_proved_for_any_number(tmp_path: Path) -> None:
    assert proved(tmp_path, FALSE + OPEN, 0.02) == []


@pytest.mark.large
def test_nothing_false_is_proved_for_any_number_with_time(tmp_path: Path) -> None:
    """And they are false: with three brokers there is a countermodel to each."""
    every = FALSE + FALSE_TOO
    assert proved(tmp_path, every + OPEN, 1) == []
    subject = sentences(tmp_path, every)
    for text, lemma in zip(every, lemmas_of(subject.model.specification), strict=True):
        assert decide(subject, lemma, 1).verdict == REFUTED, text


def test_what_is_true_is_proved_for_any_number(tmp_path: Path) -> None:
    assert proved(tmp_path, TRUE, 1) == list(TRUE)


@cache
def invariant() -> Subject:
    return open_module(bundled("InductiveInvariant.tla"), sizes=Sizes(ANY))


CONSEQUENCES = ["InvImpliesOneMasterPerEpoch", "InvImpliesLogMatching", "InvImpliesAckedDurability"]


@pytest.mark.parametrize("name", first(1, CONSEQUENCES))
def test_consequences_for_any_number_of_brokers(name: str) -> None:
    (lemma,) = chosen(invariant(), (name,))
    (obligation,) = obligations_of(invariant(), lemma, None)
    asker = Asker(obligation, 5)
    assert all(asker.follows(goal) for goal in obligation.goals)
    assert not Asker(obligation, 0.2).impossible()


@pytest.mark.large
@pytest.mark.parametrize("name", CONSEQUENCES)
def test_consequences_have_values_for_any_number_of_brokers(name: str) -> None:
    (lemma,) = chosen(invariant(), (name,))
    assert {part.verdict for part in prove_parts(invariant(), lemma, 5)} == {PROVED}


def test_nothing_follows_from_nothing() -> None:
    (lemma,) = chosen(invariant(), ("InvImpliesLogMatching",))
    (obligation,) = obligations_of(invariant(), lemma.without("Holds"), None)
    assert not Asker(obligation, 0.5).follows(obligation.goals[0])
