"""cvc5's proofs are kept as certificates, and lemmas are proved again by them alone; what is changed is refused."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pytest
import z3
from click.testing import CliRunner, Result

from rmqproof.model.api import proofs
from rmqproof.model.api.errors import ConfigError
from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.answers import Answer, answer
from rmqproof.model.prove.ask import Asked
from rmqproof.model.prove.certificates import Certificate, Certificates, Outline, Refused, Tally, digest_of, outline
from rmqproof.model.prove.decide import PROVED, UNKNOWN
from rmqproof.model.prove.modules import chosen, open_module
from rmqproof.model.prove.pieces import Texts
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.recheck import Checker, rechecked
from rmqproof.model.prove.second_solver import CERTIFIED, NONE, OPPOSITE, SAME, Opinions, SecondSolver, smt_lib
from rmqproof.model.tla.source import TlaError
from tests.prove.changed_certificates import Pair, changes, derivation, refusal

pytest.importorskip("cvc5")
MODULE = """---- MODULE Small ----
EXTENDS Integers, Sequences
Rising(s) == \\A i, j \\in 1..Len(s) : i < j => s[i] < s[j]
THEOREM Grows == ASSUME NEW s \\in Seq(Int), NEW x \\in Int, Rising(s), \\A i \\in 1..Len(s) : s[i] < x
    PROVE Rising(Append(s, x)) /\\ Len(Append(s, x)) > Len(s)
\\* EXPECT refuted
THEOREM Stays == ASSUME NEW s \\in Seq(Int), NEW x \\in Int, Rising(s) PROVE Rising(Append(s, x))
====
"""
x, y = z3.Ints("x y")
IMPOSSIBLE, ALSO, POSSIBLE = [x > 3, x < 2], [y > 3, y < x, x < 2], [x > 3, x < 5]
SIGNATURES = Path(os.environ.get("RMQPROOF_CPC", "nowhere"))
NO_CHECKER = shutil.which("ethos") is None or not (SIGNATURES / "Cpc.eo").is_file()
needs_checker = pytest.mark.skipif(NO_CHECKER, reason="ethos is not on the PATH, or RMQPROOF_CPC has no Cpc.eo")


def cvc5(folder: Path, cache: ProofCache | None = None) -> SecondSolver:
    return SecondSolver.cvc5(5.0, cache or ProofCache(None), Certificates(folder))


def word(second: SecondSolver, *questions: Sequence[z3.BoolRef]) -> Opinions:
    texts = Texts()
    return second.on_contradiction([(question, [texts.of(part) for part in question]) for question in questions])


def digest(question: Sequence[z3.BoolRef]) -> str:
    return digest_of(map(Texts().of, question))


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.xz"))


def pair(folder: Path, question: Sequence[z3.BoolRef]) -> Pair:
    assert word(cvc5(folder), question) == CERTIFIED
    kept = Certificates(folder).read(digest(question))
    assert kept is not None
    return Pair(smt_lib(question), kept.proof)


@dataclass(frozen=True)
class Believing(Checker):
    """A checker that says the same of everything: that a proof is complete, has holes, or is none (None)."""

    says: bool | None = True

    def complete(self, question: str, proof: str) -> bool:
        if self.says is None:
            raise Refused("I do not like it")
        return self.says


def of_small(tmp_path: Path, name: str, certificates: Path, checker: Checker | None) -> Answer:
    """Proved with cvc5 and certificates, or by certificates."""
    spec = tmp_path / "Small.tla"
    spec.write_text(MODULE)
    subject = open_module(spec)
    lemma = chosen(subject, (name,))[0]
    if checker is None:
        return answer(subject, lemma, 10, (), "", Asked(second=cvc5(certificates)))
    return rechecked(Certificates(certificates), checker, subject, lemma, 10, (), "", Asked())


def run(*arguments: str | Path, **environment: str | None) -> Result:
    return CliRunner(env=environment).invoke(command, [str(argument) for argument in arguments])


# keeping


def test_a_proof_is_kept_for_its_question(tmp_path: Path) -> None:
    proof = pair(tmp_path, IMPOSSIBLE).proof
    assert outline(proof).steps > 0 and outline(proof).holes == ()
    assert proof.count("(assume @p") == len(IMPOSSIBLE) and "declare" not in proof
    assert [path.parent.name + path.name.partition(".")[0] for path in files(tmp_path)] == [digest(IMPOSSIBLE)]
    assert Certificates(tmp_path).read(digest(ALSO)) is None


def test_the_proof_of_a_core_is_one_of_the_question(tmp_path: Path) -> None:
    """It assumes less, of what is called as in the question, and stands under the question's name."""
    truth, number = z3.Function("f", z3.IntSort(), z3.BoolSort()), z3.Function("f", z3.IntSort(), z3.IntSort())
    core = [number(x) > 1, number(x) < x - 9, x < 2]
    question = [*core, x > 3, truth(x)]
    texts = Texts()
    kept = [(question, [texts.of(part) for part in question])]
    assert cvc5(tmp_path).on_contradiction(kept, lambda: core) == CERTIFIED
    found = Certificates(tmp_path).read(digest(question))
    assert found is not None and found.proof.count("(assume @p") == len(core)
    assert "f!1!" in found.proof and "f!1!" in smt_lib(question) and "f!1!" not in smt_lib(core)
    if not NO_CHECKER:
        assert Checker.found("ethos", None).complete(smt_lib(question), found.proof)


def test_what_is_kept_is_not_asked_again(tmp_path: Path) -> None:
    assert word(cvc5(tmp_path), IMPOSSIBLE) == CERTIFIED
    mute = replace(cvc5(tmp_path), prove=lambda *_: None, check=lambda *_: None)
    assert word(mute, IMPOSSIBLE) == CERTIFIED and word(mute, ALSO) == NONE


def test_a_kept_answer_is_no_certificate(tmp_path: Path) -> None:
    """What cvc5 answered before certificates were wanted is asked again for the proof."""
    cache = ProofCache(tmp_path / "answers")
    assert word(replace(cvc5(tmp_path, cache), certificates=None), IMPOSSIBLE) == SAME
    assert word(cvc5(tmp_path / "certificates", cache), IMPOSSIBLE) == CERTIFIED
    assert len(files(tmp_path / "certificates")) == 1


def test_what_has_no_proof_is_asked_without(tmp_path: Path) -> None:
    asked: list[str] = []

    def prove(text: str, options: dict[str, str], seconds: float) -> None:
        asked.append(text)

    second = replace(cvc5(tmp_path, ProofCache(tmp_path / "answers")), prove=prove)
    assert word(second, IMPOSSIBLE) == SAME and not files(tmp_path)
    tried = len(asked)
    assert word(second, IMPOSSIBLE) == SAME and len(asked) == tried > 0
    assert word(second, POSSIBLE) == OPPOSITE


def test_a_question_that_has_values_is_asked_once(tmp_path: Path) -> None:
    few, enough = smt_lib(POSSIBLE[:1]), smt_lib(IMPOSSIBLE)
    asked: list[str] = []

    def prove(text: str, options: dict[str, str], seconds: float) -> Literal[False] | None:
        asked.append(text)
        return False if text == few else None

    assert word(replace(cvc5(tmp_path), prove=prove), POSSIBLE[:1], IMPOSSIBLE) == SAME
    assert asked.count(few) == 1 and asked.count(enough) > 1


def test_one_of_several_questions_is_enough(tmp_path: Path) -> None:
    assert word(cvc5(tmp_path), POSSIBLE[:1], IMPOSSIBLE) == CERTIFIED
    assert Certificates(tmp_path).has(digest(IMPOSSIBLE)) and len(files(tmp_path)) == 1


def test_names_that_count_make_another_question() -> None:
    """The proof names them, so it is no proof of the question with another name."""
    one, other = z3.Int("chosen!1"), z3.Int("chosen!2")
    cache, texts = ProofCache(None), Texts()
    assert cache.key([texts.of(one > 0)]) == cache.key([texts.of(other > 0)])
    assert digest([one > 0]) != digest([other > 0])


def test_where_they_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TlaError, match="a certificate cannot be written"):
        Certificates(tmp_path / "file").keep(Certificate("ab" * 32, "cvc5", ""))


# damage


def damaged(content: bytes) -> list[bytes]:
    middle = len(content) // 2
    return [
        b"", content[:middle], content[:-1], content + b"x", content + content, b"no certificate",
        *(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in range(0, len(content), 7)),
    ]  # fmt: skip


def test_a_damaged_file_is_refused_and_made_anew(tmp_path: Path) -> None:
    pair(tmp_path, IMPOSSIBLE)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    for content in damaged(whole):
        path.write_bytes(content)
        with pytest.raises(Refused):
            Certificates(tmp_path).read(digest(IMPOSSIBLE))
    assert word(cvc5(tmp_path), IMPOSSIBLE) == CERTIFIED
    assert path.read_bytes() == whole


def test_the_file_of_another_question_is_refused(tmp_path: Path) -> None:
    pair(tmp_path, IMPOSSIBLE)
    (path,) = files(tmp_path)
    other = tmp_path / digest(ALSO)[:2] / f"{digest(ALSO)[2:]}.cpc.xz"
    other.parent.mkdir(exist_ok=True)
    shutil.copy(path, other)
    with pytest.raises(Refused, match="another question"):
        Certificates(tmp_path).read(digest(ALSO))


# what a proof may say


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("(declare-rule lie () :conclusion false)", "no command declare-rule"),
        ("(declare-const @t1 Bool)", "no command declare-const"),
        ('(include "lies.eo")', "no command include"),
        ('(reference "lies.smt2")', "no command reference"),
        ("(program lie () :signature (Bool) Bool ())", "no command program"),
        ("(define x () true)", "it gives a meaning to x"),
        ("(define false () true)", "it gives a meaning to false"),
        ("(define |@t1| () true)", "it gives a meaning to"),
        ("(define @t1 ((P Bool)) P)", "with parameters"),
        ("(step @p1 false :rule refl", "within a command"),
        ("(assume @p1 x))", "parentheses"),
        ("(assume @p1 x)) (declare-rule lie ()", "parentheses"),
        ("(assume @p1 |a)", "text that is none"),
        ("assume", "parentheses"),
        ("()", "no command"),
        ("(step)", "meaning to nothing"),
    ],
)
def test_a_proof_says_nothing_else(said: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        outline(said)


def test_parentheses_within_names_are_none() -> None:
    assert outline('(assume @p1 |a) (include|) ; (include)\n(step @p2 ")(" :rule refl)\n') == Outline(1)


def test_holes_are_named() -> None:
    trusted = "; WARNING: add trust step for MACRO_X\n; trust MACRO_X\n(step @p1 :rule trust :args (x))\n"
    assert outline(trusted) == Outline(1, (("MACRO_X", 1),))
    assert outline("(step @p1 :rule trust)(step @p2 :rule\ntrust)") == Outline(2, (("unnamed", 2),))


# proving again, whatever the checker


def test_certificates_stand_in_the_place_of_the_solver(tmp_path: Path) -> None:
    first = of_small(tmp_path, "Grows", tmp_path, None)
    assert first.verdict == PROVED and first.second.certified == first.second.same > 0
    again = of_small(tmp_path, "Grows", tmp_path, Believing("", tmp_path))
    assert again.verdict == PROVED and again.as_expected and again.checked is not None
    assert again.checked.checked == len(files(tmp_path)) and not again.checked.refused


def test_refuted_lemmas_need_none(tmp_path: Path) -> None:
    found = of_small(tmp_path, "Stays", tmp_path, Believing("", tmp_path))
    assert found.as_expected and found.checked == Tally()


@pytest.mark.parametrize("says", [False, None])
def test_what_the_checker_does_not_accept_is_no_proof(says: bool | None, tmp_path: Path) -> None:
    of_small(tmp_path, "Grows", tmp_path, None)
    found = of_small(tmp_path, "Grows", tmp_path, Believing("", tmp_path, says))
    assert found.verdict == UNKNOWN and "no certificate that the checker accepts" in found.reason
    assert found.checked is not None and found.checked.checked == 0
    assert (found.checked.with_holes if says is False else len(found.checked.refused)) > 0


def test_without_certificates_nothing_is_proved(tmp_path: Path) -> None:
    found = of_small(tmp_path, "Grows", tmp_path, Believing("", tmp_path))
    assert found.verdict == UNKNOWN and found.checked == Tally()


def test_each_certificate_is_needed(tmp_path: Path) -> None:
    of_small(tmp_path, "Grows", tmp_path, None)
    for path in files(tmp_path):
        content = path.read_bytes()
        path.unlink()
        assert of_small(tmp_path, "Grows", tmp_path, Believing("", tmp_path)).verdict == UNKNOWN
        path.write_bytes(content)


# the command


def test_a_checker_that_is_missing_is_said(tmp_path: Path) -> None:
    spec = tmp_path / "Small.tla"
    spec.write_text(MODULE)
    asked = spec, "--recheck", "--certificates", tmp_path
    result = run(*asked, "--checker", "no-such-checker")
    assert result.exit_code == 151 and "no-such-checker is not there" in result.output
    assert "https://github.com/cvc5/ethos" in result.output and "--checker" in result.output
    result = run(*asked, "--checker", shutil.which("env") or "env", RMQPROOF_CPC=None)
    assert result.exit_code == 151 and "Cpc.eo" in result.output and "--signatures" in result.output


def test_the_folder_is_there_also_where_nothing_is_asked(tmp_path: Path) -> None:
    """A step that leaves alone all that a lemma reads needs no proof, and can be checked again."""
    proofs.asked_of(proofs.SOLVERS, 1.0, False, tmp_path / "new" / "one")
    assert list((tmp_path / "new" / "one").iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(TlaError, match="cannot be written"):
        proofs.asked_of(proofs.SOLVERS, 1.0, False, tmp_path / "file" / "one")


def test_there_have_to_be_certificates(tmp_path: Path) -> None:
    with pytest.raises(TlaError, match="there are no certificates"):
        proofs.by_certificates(tmp_path / "none", "ethos", None)


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for ethos")
@pytest.mark.parametrize(
    ("says", "of"), [("echo correct", "a proof with a hole"), ("echo incomplete", "a proof"), ("exit 1", "a proof")]
)
def test_a_checker_has_to_know_right_from_wrong(says: str, of: str, tmp_path: Path) -> None:
    script = tmp_path / "checker"
    script.write_text(f"#!/bin/sh\n{says}\n")
    script.chmod(0o755)
    (tmp_path / "Cpc.eo").write_text("")
    with pytest.raises(TlaError, match=f"does not say of {of} what it should"):
        Checker.found(str(script), tmp_path)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--certificates", "DIR"), "add --solver z3,cvc5"),
        (("--recheck",), "--recheck needs --certificates"),
        (("--recheck", "--certificates", "DIR", "--solver", "z3,cvc5"), "--recheck does not go with --solver"),
        (("--bounded", "3", "--recheck"), "--bounded does not go with --recheck"),
        (("--vacuity", "--certificates", "DIR"), "--vacuity does not go with --certificates"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    spec = tmp_path / "Small.tla"
    spec.write_text(MODULE)
    result = run(spec, *(str(tmp_path) if argument == "DIR" else argument for argument in arguments))
    assert result.exit_code == 2 and says in result.output


def test_from_python(tmp_path: Path) -> None:
    spec, kept = tmp_path / "Small.tla", tmp_path / "kept"
    spec.write_text(MODULE)
    with pytest.raises(ValueError, match="ask solvers="):
        proofs.prove(spec, certificates=kept)
    with pytest.raises(ValueError, match="needs the folder"):
        proofs.prove(spec, recheck=True)
    asked = proofs.prove(spec, ["Grows"], certificates=kept, solvers=proofs.SOLVERS, remember=False, workers=1)
    assert asked["Grows"] and len(files(kept)) == asked["Grows"].json()["cvc5"]["certificates"]
    with pytest.raises(ConfigError, match="no-such-checker"):
        proofs.prove(spec, certificates=kept, recheck=True, checker="no-such-checker")


def test_none_for_sets_of_any_size(tmp_path: Path) -> None:
    arguments = "--replicas", "any", "--lemma", "MajoritiesIntersect", "--solver", "z3,cvc5", "--certificates", tmp_path
    result = run(*arguments)
    assert result.exit_code == 151 and "any number of elements of Broker" in result.output


# with ethos


@needs_checker
def test_ethos_accepts_what_cvc5_proves(tmp_path: Path) -> None:
    spec, kept = tmp_path / "Small.tla", tmp_path / "kept"
    spec.write_text(MODULE)
    result = run(spec, "--solver", "z3,cvc5", "--certificates", kept)
    assert result.exit_code == 0 and "with a certificate" in result.output, result.output
    result = run(spec, "--recheck", "--certificates", kept, "--json", tmp_path / "answers.json")
    assert result.exit_code == 0 and f"certificates: {len(files(kept))} accepted" in result.output, result.output
    assert '"withHoles": 0' in (tmp_path / "answers.json").read_text()


@needs_checker
def test_a_certificate_is_bound_to_its_question(tmp_path: Path) -> None:
    """What it assumes has to be asserted by our text of the question."""
    checker = Checker.found("ethos", SIGNATURES)
    one, other = pair(tmp_path, IMPOSSIBLE), pair(tmp_path, ALSO)
    assert checker.complete(one.question, one.proof) and checker.complete(other.question, other.proof)
    for question, proof in ((one.question, other.proof), (other.question, one.proof)):
        with pytest.raises(Refused):
            checker.complete(question, proof)
    for number in range(len(ALSO)):
        with pytest.raises(Refused):
            checker.complete(smt_lib([*ALSO[:number], x != 7, *ALSO[number + 1 :]]), other.proof)
    assert checker.complete(smt_lib([*IMPOSSIBLE, y > 0]), one.proof)  # more is known, and it contradicts as well


@needs_checker
def test_holes_are_found_by_ethos_too(tmp_path: Path) -> None:
    trusted = "(step @p1 false :rule trust :premises () :args (false))\n"
    assert not Checker.found("ethos", SIGNATURES).complete(smt_lib(POSSIBLE), trusted)


@needs_checker
@pytest.mark.parametrize("proof", ["", "(assume @p1 (> x 3))\n", "(step @p1 :rule refl :args (x))\n"])
def test_a_proof_of_something_else_is_none(proof: str) -> None:
    with pytest.raises(Refused):
        Checker.found("ethos", SIGNATURES).complete(smt_lib(POSSIBLE), proof)


@needs_checker
def test_changed_certificates_are_refused(tmp_path: Path) -> None:
    """The bar is 99 % of the changes that matter; see `python -m tests.prove.changed_certificates` for many."""
    pairs = [pair(tmp_path, question) for question in (IMPOSSIBLE, ALSO)]
    spec = tmp_path / "Small.tla"
    spec.write_text(MODULE)
    checker = Checker.found("ethos", SIGNATURES)
    made = [change for change in changes(pairs, 220, 1) if change.matters]
    accepted = [change for change in made if refusal(change, checker) is None]
    assert len(made) > 100 and len(accepted) * 100 <= len(made), accepted


def test_which_changes_matter() -> None:
    proof = "(define @t1 () x)\n(assume @p1 @t1)\n(assume @p2 y)\n(step @p3 false :rule r :premises (@p1))\n"
    for same in (proof.replace("@p2", "@p7"), proof.replace("(assume @p2 y)\n", ""), proof.replace("@p1 @t1", "@p1 x")):
        assert derivation(same) == derivation(proof)
    for other in (proof.replace("() x", "() y"), proof.replace("(@p1)", "(@p2)"), proof.replace("rule r", "rule s")):
        assert derivation(other) != derivation(proof)
