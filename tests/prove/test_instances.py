"""What formulas say of some names follows from the formulas, and is enough for what it was made for."""

from __future__ import annotations

import random
from functools import cache

import pytest
import z3

from rmqproof.model.prove.decide import PROVED, UNKNOWN, prove_parts
from rmqproof.model.prove.instances import Instances
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.values import atom_sort
from rmqproof.model.tla.library import bundled

ATOM = atom_sort()
ONE, OTHER = z3.Consts("one other", ATOM)
IN, TO = z3.Function("in", ATOM, z3.BoolSort()), z3.Function("to", ATOM, ATOM)
SET = z3.Const("set", z3.ArraySort(ATOM, z3.BoolSort()))
NUMBER = z3.Function("number", ATOM, z3.IntSort())


def formula(draw: random.Random, depth: int, names: list[z3.ExprRef]) -> z3.BoolRef:
    """A formula about these names, without other free variables."""
    a, b = draw.choice(names), draw.choice(names)
    if depth == 0:
        leaves = [IN(a), a == b, z3.Select(SET, a), TO(a) == b, NUMBER(a) < NUMBER(b), z3.Store(SET, a, IN(b)) == SET]
        return draw.choice(leaves)
    kind = draw.randrange(8)
    if kind >= 4:
        variable = z3.Const(f"x!{depth}", ATOM if kind > 4 else z3.IntSort())
        inside = formula(draw, depth - 1, [*names, variable] if kind > 4 else names)
        if kind == 4:
            inside = z3.Or(inside, NUMBER(a) == variable)
        whole = draw.choice([z3.ForAll, z3.Exists])([variable], draw.choice([inside, z3.Not(inside)]))
        return draw.choice([whole, z3.Not(whole)])
    parts = [formula(draw, depth - 1, names) for _ in range(2)]
    return [z3.And(parts), z3.Not(parts[0]), z3.Implies(*parts), parts[0] == parts[1]][kind]


def check(parts: list[z3.BoolRef]) -> z3.CheckSatResult:
    solver = z3.SimpleSolver()
    solver.set("rlimit", 200_000)
    solver.add(*(z3.BoolVal(part) if isinstance(part, bool) else part for part in parts))
    return solver.check()


def world(draw: random.Random) -> list[z3.BoolRef]:
    """A world of two: whatever there is to know of it."""
    x = z3.Const("x!1", ATOM)
    known = [ONE != OTHER, z3.ForAll([x], z3.Or(x == ONE, x == OTHER))]
    for name in (ONE, OTHER):
        known += [IN(name) == draw.choice([True, False]), TO(name) == draw.choice([ONE, OTHER])]
        known += [z3.Select(SET, name) == draw.choice([True, False]), NUMBER(name) == draw.randrange(3)]
    return known


def test_instances_of_what_is_true_are_true() -> None:
    """Formulas at random, in worlds of two at random."""
    draw, found = random.Random(1), 0
    for _ in range(100):
        known, tried = world(draw), formula(draw, 3, [ONE, OTHER])
        if check([*known, tried]) == z3.sat:
            found += 1
            name = draw.choice([ONE, OTHER])
            about = [z3.Or(IN(name), z3.Not(IN(name)))]
            made = Instances(frozenset()).of(about, [tried], draw.randrange(3))
            assert check([*known, *made]) != z3.unsat, tried
    assert found >= 30


def test_names_that_are_found_on_the_way() -> None:
    """Each is in some set with the one it leads to: of the name in question, of where it leads, and so on."""
    x = z3.Const("x!1", ATOM)
    step = z3.ForAll([x], z3.Implies(IN(x), IN(TO(x))))
    question = [IN(ONE), z3.Not(IN(TO(TO(ONE))))]
    made = Instances(frozenset())
    assert check([*made.of(question, [step], 0)]) == z3.unsat
    apart = [IN(ONE), z3.Exists([x], z3.And(IN(x), z3.Not(IN(TO(x)))))]
    assert check(made.of([apart[0]], [step, apart[1]], 0)) != z3.unsat
    assert check(made.of([apart[0]], [step, apart[1]], 1)) == z3.unsat


def test_known_names_are_left_out() -> None:
    x = z3.Const("x!1", ATOM)
    everywhere = z3.ForAll([x], z3.Not(IN(x)))
    assert check(Instances(frozenset()).of([IN(ONE)], [everywhere], 0)) == z3.unsat
    assert check(Instances(frozenset({ONE.get_id()})).of([IN(ONE)], [everywhere], 0)) == z3.sat


@cache
def invariant() -> Subject:
    return open_module(bundled("InductiveInvariant.tla"), sizes=Sizes(ANY))


@pytest.mark.parametrize("name", ["InvImpliesOneMasterPerEpoch", "InvImpliesLogMatching", "InvImpliesAckedDurability"])
def test_consequences_for_any_number_of_brokers(name: str) -> None:
    (lemma,) = chosen(invariant(), (name,))
    assert {part.verdict for part in prove_parts(invariant(), lemma, 5)} == {PROVED}


def test_nothing_follows_from_nothing() -> None:
    (lemma,) = chosen(invariant(), ("InvImpliesLogMatching",))
    parts = prove_parts(invariant(), lemma.without("Holds"), 1)
    assert {part.verdict for part in parts if part.goal == "LogMatching"} == {UNKNOWN}
