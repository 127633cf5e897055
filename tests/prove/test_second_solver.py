"""cvc5 is asked about each of Z3's answers: it agrees, and where one of the two is wrong that is seen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import z3
from click.testing import CliRunner

from rmqproof.model.api import proofs
from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.answers import Answer, answer
from rmqproof.model.prove.ask import Asked, Attempt, Extent, core_of
from rmqproof.model.prove.decide import DISPUTED, PROVED, REFUTED
from rmqproof.model.prove.modules import ANY, CONFIGURED, Sizes, chosen, open_module
from rmqproof.model.prove.pieces import Texts
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.second_solver import (
    NONE,
    OPPOSITE,
    SAME,
    Core,
    Opinions,
    Question,
    SecondSolver,
    smt_lib,
)
from rmqproof.model.tla.source import TlaError

MODULE = """---- MODULE Small ----
EXTENDS Integers, Sequences
Rising(s) == \\A i, j \\in 1..Len(s) : i < j => s[i] < s[j]
THEOREM Grows == ASSUME NEW s \\in Seq(Int), NEW x \\in Int, Rising(s), \\A i \\in 1..Len(s) : s[i] < x
    PROVE Rising(Append(s, x)) /\\ Len(Append(s, x)) > Len(s)
\\* EXPECT refuted
THEOREM Stays == ASSUME NEW s \\in Seq(Int), NEW x \\in Int, Rising(s) PROVE Rising(Append(s, x))
====
"""
LEMMAS = Path(__file__).parents[2] / "spec" / "lemmas"
x, y = z3.Ints("x y")
IMPOSSIBLE, POSSIBLE = [x > 3, x < 2], [x > 3, x < 5]


def cvc5(cache: ProofCache | None = None) -> SecondSolver:
    return SecondSolver.cvc5(5.0, cache or ProofCache(None))


def word(second: SecondSolver, *questions: list[z3.BoolRef]) -> object:
    texts = Texts()
    return second.on_contradiction([(question, [texts.of(part) for part in question]) for question in questions])


def test_its_word_on_a_question() -> None:
    assert word(cvc5(), IMPOSSIBLE) == SAME
    assert word(cvc5(), POSSIBLE) == OPPOSITE
    assert cvc5().on_model(POSSIBLE) == SAME
    assert cvc5().on_model(IMPOSSIBLE) == OPPOSITE
    assert cvc5().on_model([True]) == SAME


def test_values_for_fewer_hypotheses_are_no_contradiction() -> None:
    assert word(cvc5(), [x > 3], IMPOSSIBLE) == SAME
    assert word(cvc5(), [x > 3], POSSIBLE) == OPPOSITE


def test_a_question_that_has_values_is_not_asked_again() -> None:
    """The last has all hypotheses: what is spared with fewer is left for it."""
    few, enough = smt_lib([x > 3]), smt_lib(IMPOSSIBLE)
    asked: list[tuple[str, float]] = []

    def check(text: str, options: dict[str, str], seconds: float) -> bool | None:
        asked.append((text, seconds))
        return False if text == few else True if len(asked) > 2 else None

    assert word(replace(cvc5(), check=check), [x > 3], IMPOSSIBLE) == SAME
    assert [text for text, _ in asked] == [few, enough, enough]


def test_no_time_is_no_answer() -> None:
    n = z3.Ints("a b c d")
    hard = [sum(v * v * v for v in n[:3]) == n[3] * n[3] * n[3] + 114, n[3] == 0]
    assert word(replace(cvc5(), seconds=0.05), hard) == NONE


def test_what_it_proved_is_remembered_and_not_taken_for_what_z3_proved(tmp_path: Path) -> None:
    cache = ProofCache(tmp_path)
    asked: list[str] = []

    def check(text: str, options: dict[str, str], seconds: float) -> bool:
        asked.append(text)
        return True

    second = replace(cvc5(cache), check=check)
    assert [word(second, IMPOSSIBLE), word(second, IMPOSSIBLE)] == [SAME, SAME]
    assert asked == [smt_lib(IMPOSSIBLE)]
    texts = Texts()
    assert not cache.proved(cache.key(map(texts.of, IMPOSSIBLE)))


def of_core(second: SecondSolver, core: list[z3.BoolRef] | None, *questions: list[z3.BoolRef]) -> object:
    texts = Texts()
    return second.on_contradiction([(q, [texts.of(part) for part in q]) for q in questions], lambda: core)


def test_a_core_is_asked_about_first(tmp_path: Path) -> None:
    """And what it proves is kept for the first question that has all of it."""
    asked: list[str] = []

    def check(text: str, options: dict[str, str], seconds: float) -> bool:
        asked.append(text)
        return True

    second = replace(cvc5(ProofCache(tmp_path)), check=check)
    other, more = [x > 3, y == 1], [*IMPOSSIBLE, y == 1]
    assert of_core(second, IMPOSSIBLE, other, more) == SAME
    assert asked == [smt_lib(IMPOSSIBLE)]
    assert word(second, more) == SAME and len(asked) == 1
    assert word(second, other) == SAME and asked[1:] == [smt_lib(other)]


def test_values_for_a_core_are_the_opposite() -> None:
    """Z3 has said that it has none, whatever else the question says."""
    assert of_core(cvc5(), POSSIBLE, [x > 3], [*POSSIBLE, x < 2]) == OPPOSITE


def test_a_core_with_what_is_in_no_question_is_not_asked_about() -> None:
    assert of_core(cvc5(), IMPOSSIBLE, [x > 3], POSSIBLE) == OPPOSITE
    assert of_core(cvc5(), [x < 2, x > 2], [x > 3], IMPOSSIBLE) == SAME


def test_no_core_leaves_the_questions() -> None:
    assert of_core(cvc5(), None, [x > 3], IMPOSSIBLE) == SAME


def test_what_was_tried_in_vain_needs_no_core(tmp_path: Path) -> None:
    """To find one costs Z3 some work."""
    calls: list[None] = []
    second = replace(cvc5(ProofCache(tmp_path)), check=lambda text, options, seconds: None)
    texts = Texts()
    written = [(IMPOSSIBLE, [texts.of(part) for part in IMPOSSIBLE])]
    assert [second.on_contradiction(written, lambda: calls.append(None)) for _ in range(2)] == [NONE, NONE]
    assert len(calls) == 1


def test_the_core_has_what_is_needed_and_little_else() -> None:
    f = z3.Function("f", z3.IntSort(), z3.IntSort())
    rises = z3.ForAll([x], f(x) > x)
    parts = [y > 0, rises, f(y) > 2, f(y) < y, f(x) == 3]
    assert core_of(parts, Attempt(1, Extent.ALL), 5.0) == [1, 3]
    assert core_of(parts[:3], Attempt(1, Extent.ALL), 5.0) is None


class Hearing(SecondSolver):
    """Asks for a core each time, which has to be some of a question, and says whether cvc5 refutes it too."""

    def on_contradiction(self, questions: Sequence[Question], core: Core = lambda: None) -> Opinions:
        few = core()
        if few is None:
            return NONE
        assert any(all(any(one is part for part in question) for one in few) for question, _ in questions)
        return SAME if len(few) < max(len(q) for q, _ in questions) and self.check(smt_lib(few), {}, 5.0) else OPPOSITE


@pytest.mark.parametrize("sizes", [CONFIGURED, Sizes(replicas=ANY)])
def test_a_core_of_what_is_said_of_names_is_one_of_the_question(sizes: Sizes) -> None:
    """Of sets of any size Z3 is told what is said of all, of names only."""
    subject = open_module(LEMMAS / "AckPolicyLemmas.tla", sizes=sizes)
    lemma = chosen(subject, ("AllAckHoldsEverywhere",))[0]
    plain = cvc5()
    heard = answer(
        subject, lemma, 10, (), "", Asked(second=Hearing(plain.seconds, plain.cache, plain.check, plain.prove))
    )
    assert heard.second.same == heard.second.asked > 0


def found(tmp_path: Path, name: str, second: SecondSolver) -> Answer:
    spec = tmp_path / "Small.tla"
    spec.write_text(MODULE)
    subject = open_module(spec)
    return answer(subject, chosen(subject, (name,))[0], 10, (), "", Asked(second=second))


@pytest.mark.parametrize(("name", "verdict"), [("Grows", PROVED), ("Stays", REFUTED)])
def test_both_agree_on_a_lemma(name: str, verdict: str, tmp_path: Path) -> None:
    both = found(tmp_path, name, cvc5())
    assert both.verdict == verdict and both.as_expected
    assert both.second.same == both.second.asked > 0


@pytest.mark.parametrize(("name", "lie"), [("Grows", False), ("Stays", True)])
def test_the_opposite_is_no_proof_and_no_refutation(name: str, lie: bool, tmp_path: Path) -> None:
    wrong = found(tmp_path, name, replace(cvc5(), check=lambda text, options, seconds: lie))
    assert wrong.verdict == DISPUTED and not wrong.as_expected
    assert "say the opposite" in wrong.reason


def test_no_answer_is_told_and_leaves_the_verdict(tmp_path: Path) -> None:
    silent = found(tmp_path, "Grows", replace(cvc5(), check=lambda text, options, seconds: None))
    assert silent.verdict == PROVED and silent.second.none == silent.second.asked > 0


def test_the_command_tells_what_it_said(tmp_path: Path) -> None:
    spec = tmp_path / "Small.tla"
    spec.write_text(MODULE)
    result = CliRunner().invoke(command, [str(spec), "--solver", "z3,cvc5", "--json", str(tmp_path / "answers.json")])
    assert result.exit_code == 0, result.output
    assert "cvc5: agrees on" in result.output
    assert '"noAnswer": 0' in (tmp_path / "answers.json").read_text()


def test_a_question_that_it_does_not_take_is_an_error_of_ours() -> None:
    second = cvc5()
    with pytest.raises(TlaError, match="cvc5 does not take a question"):
        second.check("(assert (= 1 unknown))", {}, 1.0)


def test_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(TlaError, match="cvc5 is not installed"):
        proofs.asked_of(proofs.SOLVERS, 1.0)


def test_other_solvers_are_refused() -> None:
    with pytest.raises(TlaError, match="no such solvers: cvc5"):
        proofs.asked_of(("cvc5",), 1.0)


def test_functions_of_one_name_are_told_apart() -> None:
    """Z3 tells them apart by their sorts, SMT-LIB does not."""
    number, truth = z3.Function("f", z3.IntSort(), z3.IntSort()), z3.Function("f", z3.IntSort(), z3.BoolSort())
    within = z3.ForAll([x], z3.And(number(x) > x, truth(x)))
    assert word(cvc5(), [within, z3.Or(number(x) < x, z3.Not(truth(x)))]) == SAME
