"""Patterns that are named for cvc5: where it finds none itself, and nowhere else; the formula says the same."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from rmqproof.model.prove.certificates import Certificates
from rmqproof.model.prove.patterns import patterned
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.recheck import Checker
from rmqproof.model.prove.second_solver import CERTIFIED, NONE, SAME, SecondSolver, smt_lib
from tests.prove.test_certificates import SIGNATURES, digest, needs_checker, word

i, k, n, c = z3.Ints("i k n c")
f, g, h = (z3.Function(name, z3.IntSort(), z3.IntSort()) for name in "fgh")
some = z3.Array("some", z3.IntSort(), z3.BoolSort())


def labelled(at: z3.ArithRef) -> z3.BoolRef:
    """As `LabelsOf` says it of one place: some entry of a file begins before it, none later, and has its epoch."""
    later = z3.ForAll([n], z3.Implies(z3.And(n >= 1, n <= h(0), n > k), g(n) >= at))
    return z3.Exists([k], z3.And(k >= 1, k <= h(0), g(k) < at, later, f(at) == h(k)))


EVERY = z3.ForAll([i], z3.Implies(z3.And(i >= 1, i <= 9), labelled(i)))
QUESTION = [EVERY, c >= 1, c <= 9, f(c) > n, z3.Not(labelled(c))]
"""That every place is labelled contradicts that one is not."""


def cvc5(certificates: Path | None = None) -> SecondSolver:
    pytest.importorskip("cvc5")
    return SecondSolver.cvc5(2.0, ProofCache(None), None if certificates is None else Certificates(certificates))


def patterns(formula: z3.ExprRef) -> list[str]:
    assert z3.is_quantifier(formula)
    return [str(formula.pattern(number).arg(0)) for number in range(formula.num_patterns())]


def test_what_only_an_inner_quantifier_applies_is_a_pattern() -> None:
    told = patterned(EVERY)
    assert patterns(told) == ["f(Var(0))"]
    assert told.var_name(0) == EVERY.var_name(0) and told.body().eq(EVERY.body())
    outer = patterned(z3.Implies(c > 3, EVERY))
    assert outer.decl().kind() == z3.Z3_OP_IMPLIES and outer.arg(1).eq(told)


@pytest.mark.parametrize(
    "formula",
    [
        z3.ForAll([i], z3.Exists([k], f(i + 1) == g(k))),
        z3.ForAll([i], z3.And(f(i) > 0, z3.Exists([k], g(i) == g(k)))),
        z3.ForAll([i], z3.Implies(z3.Select(some, i), z3.Exists([k], f(i) == g(k)))),
        z3.ForAll([i], z3.Exists([k], z3.And(i > k, g(k) > 0))),
        z3.ForAll([i, k], z3.Exists([n], f(i) + g(k) == h(n))),
        z3.ForAll([i], z3.Exists([k], f(i) == g(k)), patterns=[h(i)]),
        z3.Lambda([i], z3.If(z3.Exists([k], f(i) == g(k)), 1, 2)),
        z3.And(c > 3, n < 2),
    ],
    ids=["sum", "outside", "in a set", "none", "two", "named", "lambda", "no quantifier"],
)
def test_what_has_others_is_left_alone(formula: z3.ExprRef) -> None:
    assert patterned(formula) is formula


def test_a_term_that_an_inner_quantifier_binds_is_none() -> None:
    both = z3.Function("both", z3.IntSort(), z3.IntSort(), z3.IntSort())
    told = patterned(z3.ForAll([i], z3.Exists([k], z3.And(both(i, k) > 0, both(c, i) > 0, f(k) > 1))))
    assert patterns(told) == ["both(c, Var(0))"]


def test_each_pattern_is_enough_and_named_once() -> None:
    told = patterned(z3.ForAll([i], z3.Exists([k], z3.And(f(i) == g(k), z3.Select(some, i), f(i) > h(k)))))
    assert sorted(patterns(told)) == ["f(Var(0))", "some[Var(0)]"]
    for _ in range(200):  # what a quantifier refers to is kept as long as it is made
        assert patterned(z3.Not(EVERY)).arg(0).body().eq(EVERY.body())


def test_inner_quantifiers_have_some_too() -> None:
    told = patterned(z3.ForAll([n], z3.And(f(n) > 0, z3.ForAll([i], z3.Exists([k], g(i) == h(k))))))
    assert patterns(told) == []
    assert patterns(told.body().arg(1)) == ["g(Var(0))"]


def test_the_text_without_them_is_that_of_the_question() -> None:
    told = smt_lib(list(map(patterned, QUESTION)))
    assert told.count(":pattern") == 1
    context = z3.Solver()
    context.add(z3.parse_smt2_string(told)[0] != z3.parse_smt2_string(smt_lib(QUESTION))[0])
    assert context.check() == z3.unsat


def test_cvc5_finds_what_it_did_not_find(monkeypatch: pytest.MonkeyPatch) -> None:
    assert word(cvc5(), QUESTION) == SAME
    monkeypatch.setattr("rmqproof.model.prove.second_solver.patterned", lambda part: part)
    assert word(cvc5(), QUESTION) == NONE


@needs_checker
def test_its_proof_is_one_of_the_question(tmp_path: Path) -> None:
    """That a checker reads without patterns."""
    assert word(cvc5(tmp_path), QUESTION) == CERTIFIED
    certificate = Certificates(tmp_path).read(digest(QUESTION))
    assert certificate is not None
    assert Checker.found("ethos", SIGNATURES).complete(smt_lib(QUESTION), certificate.proof)
