"""docs/proved.md: a line says what was answered about the texts as they are, and by whom; never more."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tools import proof_runs
from tools.docs.proved import (
    AS_DECLARED,
    COLUMNS,
    NOT_ASKED,
    PAGE,
    certificates_in,
    cvc5_in,
    page,
    rows,
    seconds_of,
    sizes_in,
    verdict_in,
    words,
)
from tools.engine_runs import logged
from tools.proof_runs import (
    ANY,
    CHECKER,
    CONFIGURED,
    CVC5,
    HYPOTHESES,
    LOG,
    NOT_PUT,
    Z3,
    Module,
    Question,
    current,
    is_done,
    is_settled,
    module_of,
    modules,
    questions,
    run_all,
    wrong,
)

SMALL = """---- MODULE Small ----
(***************************************************************************)
(* About numbers,                                                          *)
(* small ones.                                                             *)
(***************************************************************************)
EXTENDS Integers, Base
CONSTANT
  \\* @type: Set(NODE);
  Node

\\* A number that is positive is not zero.
THEOREM NotZero == ASSUME NEW n \\in Int, IsPositive:: Positive(n) PROVE n # 0

\\* Every number is.
\\* EXPECT refuted
THEOREM AllAre == ASSUME NEW n \\in Int PROVE Positive(n)

\\* Two nodes are one.
\\* EXPECT refuted
\\* USES NotZero
THEOREM One == ASSUME NEW a \\in Node, NEW b \\in Node, HasNode:: Node # {} PROVE a = b
====
"""
BASE = "---- MODULE Base ----\nEXTENDS Integers\nPositive(n) == n > 0\n====\n"
CONFIG = "\\* REPLICAS Node\nCONSTANT Node = {n1, n2}\n"


@pytest.fixture
def small(tmp_path: Path) -> Module:
    return written(tmp_path, SMALL, BASE)


def written(folder: Path, text: str, base: str, config: str = CONFIG) -> Module:
    (folder / "Small.tla").write_text(text, encoding="utf-8")
    (folder / "Base.tla").write_text(base, encoding="utf-8")
    (folder / "Small.cfg").write_text(config, encoding="utf-8")
    return replace(module_of(folder / "Small.tla", {"Small": text, "Base": base}), is_quick=True)


def asked(
    module: Module, folder: Path, monkeypatch: pytest.MonkeyPatch, *by: str, **other: Any
) -> dict[Question, dict[str, Any]]:
    now = other.pop("now", module.reads)
    given = {"module": None, "lemma": None, "part": None, "size": None, "by": None, "seconds": 600.0, "timeout": 10.0}
    given |= {
        "whole": False,
        "out": folder / "out",
        "certificates": folder / "certificates",
        "log": folder / "log.jsonl",
        **other,
    }
    with monkeypatch.context() as patch:
        patch.setattr(proof_runs, "digest", lambda path: now)
        return {question: dict(run) for question, run in run_all(argparse.Namespace(**given), [module], by).items()}


def cells(module: Module, runs: dict[Question, dict[str, Any]]) -> list[dict[str, str]]:
    return [dict(zip(COLUMNS, row.cells, strict=True)) for row in rows([module], runs) if not row.is_of_module]


def test_the_table_of_real_runs(small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = asked(small, tmp_path, monkeypatch, Z3)
    assert wrong(runs) == []
    found = [(line["sizes"], line["Z3"], line["cvc5"], line["certificates"]) for line in cells(small, runs)]
    assert found == [
        ("every size", "proved", NOT_ASKED, NOT_ASKED),
        ("every size", AS_DECLARED, NOT_ASKED, NOT_ASKED),
        ("Node of 2", AS_DECLARED, NOT_ASKED, NOT_ASKED),
        ("Node of any number", AS_DECLARED, NOT_ASKED, NOT_ASKED),
    ]
    text = page(rows([small], runs))
    assert "| **Small** About numbers, small ones. |  |  |  |  |  |  |\n" in text
    assert "| `NotZero`: A number that is positive is not zero. | is positive (`Positive(n)`) | every size |" in text
    assert "4 lines: 4 are settled by Z3 as declared; in 0 of them cvc5 agrees on everything; 0 are proved" in text
    assert all(cell for line in cells(small, runs) for cell in line.values()), "no cell is blank"


def test_what_is_answered_is_not_asked_again(small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = asked(small, tmp_path, monkeypatch, Z3, size=[CONFIGURED])
    assert {question.size for question in runs} == {CONFIGURED}
    monkeypatch.setattr(proof_runs, "command", lambda *given: pytest.fail("asked again"))
    assert asked(small, tmp_path, monkeypatch, Z3, size=[CONFIGURED]) == runs
    assert asked(small, tmp_path, monkeypatch, Z3, seconds=-1.0) == runs, "what is left is not begun"


def test_what_another_command_wrote_meanwhile_is_kept(
    small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = asked(small, tmp_path, monkeypatch, Z3, size=[CONFIGURED])
    lines = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    (tmp_path / "log.jsonl").write_text("", encoding="utf-8")
    real = proof_runs.asked

    def meanwhile(*given: Any) -> Iterator[Any]:
        with (tmp_path / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(lines)
        yield from real(*given)

    monkeypatch.setattr(proof_runs, "asked", meanwhile)
    both = asked(small, tmp_path, monkeypatch, Z3, size=[ANY])
    assert {question.size for question in both} == {CONFIGURED, ANY}
    assert {each: both[each] for each in other} == other


IN_PARTS = dict.fromkeys(("NotZero", "AllAre", "One"), (HYPOTHESES, "Up"))


def parts_of(runs: dict[Question, dict[str, Any]]) -> set[str]:
    return {question.part for question in runs if question.by == CVC5}


def in_parts(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if its lemmas were about steps, with an answer to whatever is asked."""
    module.__dict__["parts"] = IN_PARTS
    answer = run(cvc5=opinion(2))
    monkeypatch.setattr(
        proof_runs, "asked", lambda batch, *_: ({**each.line(), "texts": "", **answer} for each in batch)
    )
    monkeypatch.setattr(proof_runs, "current", lambda lines, known: {})


def test_a_lemma_is_asked_in_parts_or_whole(small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_parts(small, monkeypatch)
    assert parts_of(asked(small, tmp_path, monkeypatch, CVC5)) == {HYPOTHESES, "Up"}
    assert parts_of(asked(small, tmp_path, monkeypatch, CVC5, whole=True)) == {""}


def test_what_is_answered_whole_is_not_asked_in_parts(small: Module) -> None:
    small.__dict__["parts"] = IN_PARTS
    whole = Question("Small", "NotZero", CONFIGURED, CVC5)
    part, other = replace(whole, part="Up"), replace(whole, part=HYPOTHESES)
    answer, short = run(), run(verdict="unknown")
    for runs, done in (({whole: answer}, True), ({whole: short}, False), ({other: answer}, False), ({}, False)):
        assert is_done(part, small, runs, 10.0) is done
    for runs, done in (({part: answer}, False), ({part: answer, other: answer}, True)):
        assert is_done(whole, small, runs, 10.0) is done
    assert not is_done(replace(whole, by=Z3), small, {part: answer, other: answer}, 10.0)


def test_an_answer_in_all_parts_is_told_before_that_of_the_whole(small: Module) -> None:
    small.__dict__["parts"] = IN_PARTS
    whole = Question("Small", "NotZero", CONFIGURED, CVC5)
    runs = {whole: run(cvc5=opinion(3, none=2)), replace(whole, part="Up"): run(cvc5=opinion(2))}
    assert cells(small, runs)[0]["cvc5"] == "agrees on 3 of 5, no answer to 2"
    runs[replace(whole, part=HYPOTHESES)] = run(cvc5=opinion(4))
    assert cells(small, runs)[0]["cvc5"] == "agrees on 6 of 6 (all 2 parts)"


def test_what_took_z3_least_is_asked_first(small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"NotZero": 9.0, "AllAre": 1.0}
    z3 = {Question("Small", name, CONFIGURED, Z3): run(seconds=each) for name, each in seconds.items()}
    order: list[str] = []

    def noted(batch: Sequence[Question], *_: object) -> list[dict[str, Any]]:
        order.extend(question.lemma for question in batch)
        return [{**question.line(), **run()} for question in batch]

    monkeypatch.setattr(proof_runs, "current", lambda lines, known: dict(z3))
    monkeypatch.setattr(proof_runs, "asked", noted)
    asked(replace(small, is_quick=False), tmp_path, monkeypatch, CVC5, size=[CONFIGURED])
    assert order == ["AllAre", "NotZero", "One"], "what Z3 was not asked about comes last"


@pytest.mark.parametrize(
    ("text", "base", "config"),
    [
        pytest.param(SMALL.replace("IsPositive::", "Positive::"), BASE, CONFIG, marks=pytest.mark.large),
        pytest.param(SMALL, BASE.replace("n > 0", "n > 1"), CONFIG, marks=pytest.mark.large),
        pytest.param(SMALL, BASE, CONFIG.replace("n2", "n2, n3"), marks=pytest.mark.large),
        (SMALL.replace("\\* EXPECT refuted\nTHEOREM AllAre", "THEOREM AllAre"), BASE, CONFIG),
    ],
    ids=["module", "what it extends", "configuration", "what is expected"],
)
def test_an_answer_about_other_texts_says_nothing(
    small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, base: str, config: str
) -> None:
    asked(small, tmp_path, monkeypatch, Z3)
    lines = logged(tmp_path / "log.jsonl")
    assert len(current(lines, [small])) == len(lines) == 6
    changed = written(tmp_path, text, base, config)
    found = {line["Z3"] for line in cells(changed, current(lines, [changed])) if "AllAre" in line["theorem"]}
    assert found == {NOT_ASKED}


def test_a_comment_is_no_other_text(small: Module, tmp_path: Path) -> None:
    said = SMALL.replace("A number that is positive", "What is positive")
    told = written(tmp_path, said, BASE)
    assert [told.texts(lemma) for lemma in told.lemmas] == [small.texts(lemma) for lemma in small.lemmas]


def test_texts_that_change_while_they_are_read_have_no_answer(
    small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match="changed meanwhile"):
        asked(small, tmp_path, monkeypatch, Z3, size=[CONFIGURED], now="newer")
    assert logged(tmp_path / "log.jsonl") == []


def test_a_command_without_an_answer_is_no_proof(
    small: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof_runs, "command", lambda *given: ["sh", "-c", "echo it cannot be >&2; exit 75"])
    runs = asked(small, tmp_path, monkeypatch, Z3)
    assert {run["verdict"] for run in runs.values()} == {NOT_PUT}
    assert {line["Z3"] for line in cells(small, runs)} == {"unknown: it cannot be"}


def run(**other: Any) -> dict[str, Any]:
    return {"verdict": "proved", "expected": "proved", "sizes": {}, "seconds": 1.25, "timeout": 5.0, **other}


def opinion(agrees: int, none: int = 0, opposite: int = 0) -> dict[str, int]:
    asked = agrees + none + opposite
    return {"asked": asked, "agrees": agrees, "noAnswer": none, "disagrees": opposite}


def test_what_z3_says(small: Module) -> None:
    true, false, _ = small.lemmas
    assert verdict_in(None, true) == NOT_ASKED
    assert verdict_in(run(), true) == "proved"
    assert verdict_in(run(verdict="unknown"), true) == "unknown"
    assert verdict_in(run(verdict="refuted"), true) == "refuted, not as declared"
    assert verdict_in(run(verdict="refuted"), false) == AS_DECLARED
    assert verdict_in(run(), false) == "proved, not as declared"


PARTLY = {"verdict": "unknown", "provedFor": ["Up"]}
CVC5_SAYS: list[tuple[dict[str, dict[str, Any] | None], str]] = [
    ({"": None}, NOT_ASKED),
    ({"": run(cvc5=opinion(3))}, "agrees on 3 of 3"),
    ({"": run(cvc5=opinion(3, none=2))}, "agrees on 3 of 5, no answer to 2"),
    ({"": run(verdict="disputed", cvc5=opinion(3, opposite=1))}, "agrees on 3 of 4, the opposite of 1; open"),
    ({"": run(verdict="unknown", cvc5=opinion(3))}, "agrees on 3 of 3; open"),
    ({"": run()}, "nothing to ask"),
    ({"": run(verdict="unknown", reason="stopped: the time was over")}, "stopped: the time was over; open"),
    ({HYPOTHESES: None, "Up": None}, NOT_ASKED),
    (
        {HYPOTHESES: run(**PARTLY, cvc5=opinion(4)), "Up": run(**PARTLY, cvc5=opinion(2)), "Over": None},
        "agrees on 6 of 6 (2 of 3 parts; not asked: Over)",
    ),
    ({HYPOTHESES: run(**PARTLY, cvc5=opinion(4)), "Up": run(**PARTLY)}, "agrees on 4 of 4 (all 2 parts)"),
    (
        {HYPOTHESES: run(**PARTLY, cvc5=opinion(4)), "Up": run(verdict="unknown", cvc5=opinion(2))},
        "agrees on 6 of 6; open for Up (all 2 parts)",
    ),
]


@pytest.mark.parametrize(("answers", "said"), CVC5_SAYS)
def test_what_cvc5_says(small: Module, answers: dict[str, dict[str, Any] | None], said: str) -> None:
    assert cvc5_in(answers, small.lemmas[0]) == said


def tally(checked: int, holes: int = 0, refused: int = 0) -> dict[str, Any]:
    return {"checked": checked, "withHoles": holes, "refused": [{}] * refused}


CHECKER_SAYS: list[tuple[dict[str, dict[str, Any] | None], str]] = [
    ({"": None}, NOT_ASKED),
    ({"": run(certificates=tally(3))}, "3 accepted"),
    (
        {"": run(verdict="unknown", certificates=tally(3, holes=1, refused=2))},
        "3 accepted, 1 with holes, 2 refused; not enough",
    ),
    ({"": run(verdict="unknown", certificates=tally(0))}, "0 accepted; not enough"),
    ({HYPOTHESES: run(**PARTLY, certificates=tally(3)), "Up": None}, "3 accepted (1 of 2 parts; not asked: Up)"),
]


@pytest.mark.parametrize(("answers", "said"), CHECKER_SAYS)
def test_what_a_checker_says(small: Module, answers: dict[str, dict[str, Any] | None], said: str) -> None:
    assert certificates_in(answers, small.lemmas[0]) == said


def test_a_countermodel_needs_no_certificate(small: Module) -> None:
    refuted = run(verdict="refuted", expected="refuted", certificates=tally(0))
    assert certificates_in({"": refuted}, small.lemmas[1]) == "none needed: a countermodel"
    assert certificates_in({"": {**refuted, "verdict": "unknown"}}, small.lemmas[1]) == "0 accepted; not enough"


def test_sizes_and_seconds() -> None:
    assert sizes_in(run(sizes={"Node": "of 3", "Most": "= 2"}), CONFIGURED) == "Node of 3, Most = 2"
    assert (sizes_in(None, CONFIGURED), sizes_in(None, ANY)) == ("as configured", "any number of brokers")
    assert seconds_of({"a": run(), "b": run(), "c": None}) == "2.5"
    assert seconds_of({"": None}) == "–"


def test_hypotheses_in_words(small: Module) -> None:
    first, without, third = map(words, small.lemmas)
    assert (first, without) == ("is positive (`Positive(n)`)", "none")
    assert third == "has node (`Node # {}`); stands on `NotZero`"


def test_what_was_left_open_is_asked_with_more_time() -> None:
    assert is_settled(run()) and is_settled(run(**PARTLY))
    assert not is_settled(run(verdict="unknown")) and not is_settled(run(cvc5=opinion(3, none=1)))


@pytest.fixture(scope="module")
def known() -> Sequence[Module]:
    return modules()


def test_the_parts_of_a_lemma_are_asked_one_by_one(known: Sequence[Module]) -> None:
    (module,) = [module for module in known if module.name == "InductiveInvariant"]
    found = [question for question in questions(module) if question.lemma == "InvIsInductive"]
    assert [question.part for question in found if question.by == Z3] == ["", ""]
    parts = [question.part for question in found if question.by == CHECKER]
    assert (parts[0], len(parts), len(set(parts))) == (HYPOTHESES, 35, 35)
    assert {question.size for question in found if question.by == CHECKER} == {CONFIGURED}
    assert [question.part for question in found if question.by == CVC5] == parts * 2


def test_the_page_is_that_of_the_log(known: Sequence[Module]) -> None:
    """Where this fails texts were changed: `make prove-all` asks again, `python -m tools.docs.proved` only tells."""
    runs = current(logged(LOG), known)
    told, wanted = PAGE.read_text(encoding="utf-8"), page(rows(known, runs))
    lines = [line for line in wanted.splitlines() if line not in told.splitlines()]
    assert (lines[:3], told == wanted) == ([], True)
    assert wrong(runs) == []
    assert [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()] == logged(LOG)
