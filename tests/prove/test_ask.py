"""How Z3 is asked: what it finds does not depend on what else was made or asked."""

from __future__ import annotations

import random

import pytest
import z3

from rmqproof.model.prove import ask
from rmqproof.model.prove.ask import Attempt, Extent, apart, look
from rmqproof.model.prove.fresh import item_sort
from rmqproof.model.prove.pieces import Piece
from rmqproof.model.prove.terms import has_variable, subterms


def question(seed: int) -> list[z3.BoolRef]:
    """The same formulas, made in an order of their own: pigeons in holes, which takes Z3 some work."""
    draw, holes = random.Random(seed), 5
    inside = {(p, h): None for p in range(holes + 1) for h in range(holes)}
    order = list(inside)
    draw.shuffle(order)
    at = {key: z3.Bool(f"in {key[0]} {key[1]}") for key in order}
    pairs = [(h, p, q) for h in range(holes) for p in range(holes + 1) for q in range(p)]
    drawn = pairs.copy()
    draw.shuffle(drawn)
    apart_ = {(h, p, q): z3.Not(z3.And(at[p, h], at[q, h])) for h, p, q in drawn}
    somewhere = [z3.Or([at[p, h] for h in range(holes)]) for p in range(holes + 1)]
    return [*somewhere, *(apart_[pair] for pair in pairs)]


def numbers(parts: list[z3.BoolRef]) -> list[tuple[int, str]]:
    """Of the terms in the formulas, by which Z3 orders them."""
    return [(node.get_id(), str(node.decl())) for node in subterms(parts)]


def test_the_same_formulas_are_the_same_question_whatever_was_made_before() -> None:
    found = []
    for seed in (1, 2):
        kept = [z3.Bool(f"other {seed} {number}") for number in range(50)]
        made = question(seed)
        found.append(numbers(apart(made)[1]))
        assert [str(part) for part in apart(made)[1]] == [str(part) for part in made]
        del made, kept
    assert found[0] == found[1]


def test_truths_are_questions_too() -> None:
    assert [str(part) for part in apart([True, False])[1]] == ["True", "False"]
    assert apart([])[1] == []


def test_values_are_in_the_context_of_the_question() -> None:
    x = z3.Int("x")
    answer, values = look([x > 3, x < 5], Attempt(1, Extent.ALL), 5)
    assert answer == z3.sat
    assert values is not None
    assert values.eval(x + 1).as_long() == 5


def test_so_much_work_is_enough_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least work with which there is a proof is the same after other questions."""
    monkeypatch.setattr(ask, "_PATIENCE", 10_000)

    def least(seed: int) -> int:
        low, high = 0, 1
        while look(question(seed), Attempt(1, Extent.ALL), high / 10_000)[0] != z3.unsat:
            low, high = high, high * 2
        while high - low > 1:
            middle = (low + high) // 2
            found = look(question(seed), Attempt(1, Extent.ALL), middle / 10_000)[0] == z3.unsat
            low, high = (low, middle) if found else (middle, high)
        return high

    first = least(1)
    assert first > 1
    assert [least(seed) for seed in (2, 3)] == [first, first]


def doubled(term: z3.ExprRef, times: int = 100) -> z3.ExprRef:
    """A term in which this one stands in more places than can be visited one by one."""
    double = z3.Function("double", term.sort(), term.sort(), term.sort())
    for _ in range(times):
        term = double(term, term)
    return term


def test_what_stands_in_many_places_is_looked_at_once() -> None:
    """Where a step cuts a log, its new length is such a term."""
    index, item = z3.Int("any!0"), z3.Const("some item", item_sort())
    assert not has_variable(doubled(index)) and not has_variable(doubled(item))
    assert has_variable(doubled(z3.Var(0, z3.IntSort())))
    length = z3.Function("log.length", z3.IntSort(), z3.IntSort())
    at = z3.Function("log.at", z3.IntSort(), z3.IntSort(), item_sort())
    of_all = z3.ForAll([z3.Int("x")], z3.And(z3.Int("x") > 0, doubled(at(index, index)) == item))
    named = Piece((of_all,), doubled(length(doubled(index))) > index).refutation[2:]
    assert at(doubled(index), index).get_id() in {equation.arg(1).get_id() for equation in named}
