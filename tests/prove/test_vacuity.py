"""What lemmas need: each hypothesis dropped in turn, and whether steps can be taken at all."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main, progress_line
from rmqproof.model.cli.vacuity import print_vacuities, use_of
from rmqproof.model.prove import vacuity
from rmqproof.model.prove.ask import Z3_ALONE, Asking
from rmqproof.model.prove.decide import PROVED, REFUTED, decide
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.prove.vacuity import Need, Vacuity, vacuities
from rmqproof.model.report.console import open_console
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, Source

MODULE = """---- MODULE Pair ----
EXTENDS Integers, Sequences
VARIABLES x, y, z, s
Init == x = 0 /\\ y = 0 /\\ z = 0 /\\ s = <<>>
Up == x' = x + 1 /\\ y' = y + 1 /\\ UNCHANGED <<z, s>>
Over == x > y /\\ x' = y /\\ UNCHANGED <<y, z, s>>
Other == z' = z + 2 /\\ UNCHANGED <<x, y, s>>
Take == Head(s) > 0 /\\ s' = Tail(s) /\\ UNCHANGED <<x, y, z>>
Next == Up \\/ Over \\/ Other
Moves == Other \\/ Take
Same == x = y
Positive == x >= 0
Even == z >= 0
Full == Len(s) > 9
Inv == Same /\\ Positive /\\ Even
Filled == Even /\\ Full
\\* It stays.
THEOREM Stays == ASSUME Inv, Next PROVE Inv'
\\* Both are.
THEOREM Both == ASSUME Holds:: Inv PROVE y >= 0
\\* By the lemma above.
\\* USES Both
THEOREM ByBoth == ASSUME Holds:: Inv PROVE y > -1
\\* The first item must be there.
THEOREM HasValue == ASSUME Filled, Moves PROVE Even'
Some == Len(s) > 0
Sound == Head(s) > 0
\\* The second has a value by the first.
THEOREM Ordered == ASSUME Filled:: Some, Sound:: Sound, Other PROVE z' > z
\\* Not every one is.
\\* EXPECT refuted
THEOREM NotKnown == ASSUME Inv PROVE x > 0
THEOREM Wrong == ASSUME Even PROVE z > 0
====
"""


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pair") / "Pair.tla"
    path.write_text(MODULE)
    path.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\n")
    return path


@pytest.fixture(scope="module")
def subject(pair: Path) -> Subject:
    return open_module(pair)


@pytest.fixture(scope="module")
def found(subject: Subject) -> dict[str, Vacuity]:
    answers = vacuities(subject, ["Stays", "ByBoth", "HasValue"], 5, 1, Z3_ALONE)
    return {one.lemma.name: one for one in answers if isinstance(one, Vacuity)}


def test_what_each_part_of_an_invariant_is_needed_for(found: dict[str, Vacuity]) -> None:
    needs = {need.part: need for need in found["Stays"].needs}
    assert list(needs) == ["Same", "Positive", "Even"]
    same = needs["Same"]
    assert same.needed is True and (same.step, same.goal) == ("Over", "Positive")
    assert same.countermodel is not None and same.countermodel.confirmed
    assert [needs[name].needed for name in ("Positive", "Even")] == [False, False], "each is kept by itself"


def test_which_steps_can_be_taken(found: dict[str, Vacuity]) -> None:
    assert found["Stays"].actions == {"Up": True, "Over": False, "Other": True}


def test_what_a_lemma_needs_that_is_used_is_needed(found: dict[str, Vacuity]) -> None:
    """ByBoth follows from what Both says, and that from two parts."""
    assert list(found) == ["Stays", "Both", "ByBoth", "HasValue"], "what is used is asked about first"
    for name in ("Both", "ByBoth"):
        assert {need.part: need.needed for need in found[name].needs} == {"Same": True, "Positive": True, "Even": False}


def test_a_part_that_only_gives_a_value_is_needed(found: dict[str, Vacuity]) -> None:
    (full,) = (need for need in found["HasValue"].needs if need.part == "Full")
    assert full.needed is True and full.step == "Take"


def test_the_answers_are_those_of_the_lemmas_without_the_parts(subject: Subject, found: dict[str, Vacuity]) -> None:
    """By the way that does not know of cores."""
    lemmas = {lemma.name: lemma for lemma in lemmas_of(subject.model.specification)}
    for name in ("Stays", "Both"):
        for need in found[name].needs:
            verdict = decide(subject, lemmas[name].without(need.part), 5).verdict
            assert verdict == (REFUTED if need.needed else PROVED), (name, need)


def asked(path: Path, *options: str) -> Any:
    return CliRunner().invoke(main, ["prove", str(path), "--vacuity", "--timeout", "5", "--workers", "1", *options])


def test_the_command(pair: Path, tmp_path: Path) -> None:
    done = asked(pair, "--lemma", "Both", "--json", str(tmp_path / "needs.json"))
    assert done.exit_code == 0, done.output
    assert "Both: Same: the goal (values show it)" in done.output
    assert "3 hypotheses, 2 of them needed. Needed for nothing but themselves: Even." in done.output
    (told,) = json.loads((tmp_path / "needs.json").read_text())["lemmas"]
    assert told["needs"][0] == {"hypothesis": "Same", "needed": True, "step": "", "goal": "the goal", "values": True}


def test_only_some_hypotheses(pair: Path) -> None:
    done = asked(pair, "--lemma", "ByBoth", "--hypothesis", "Even", "--hypothesis", "Same")
    assert done.exit_code == 0, done.output
    assert "ByBoth: Same: the goal (values show it)" in done.output and "Positive" not in done.output
    assert "2 hypotheses, 1 of them needed. Needed for nothing but themselves: Even." in done.output
    done = asked(pair, "--lemma", "ByBoth", "--hypothesis", "Odd")
    assert done.exit_code == 75 and "there is no hypothesis Odd in Both, ByBoth" in done.output
    done = CliRunner().invoke(main, ["prove", str(pair), "--hypothesis", "Even"])
    assert done.exit_code == 2 and "--hypothesis says what --vacuity drops" in done.output


def test_only_some_actions(pair: Path) -> None:
    done = asked(pair, "--lemma", "Stays", "--action", "Up", "--action", "Other", "--hypothesis", "Same")
    assert done.exit_code == 0, done.output
    assert "Stays: Same: nothing at Up, Other: everything else is proved without it" in done.output
    assert "1 hypotheses, 0 of them needed. Needed for nothing but themselves at Up, Other: Same." in done.output
    assert "Over" not in done.output
    done = asked(pair, "--lemma", "Stays", "--action", "Down")
    assert done.exit_code == 75 and "Stays is not about an action Down" in done.output


def test_what_is_the_same_for_all_actions(pair: Path) -> None:
    """A hypothesis that has a value only by another."""
    done = asked(pair, "--lemma", "Ordered", "--action", "hypotheses")
    assert done.exit_code == 0, done.output
    (some,) = (line for line in done.output.splitlines() if line.startswith("Ordered: Some: "))
    assert "Sound has a value" in some and some.endswith("(no proof without it in the time)")
    assert "Ordered: Sound: nothing at hypotheses" in done.output


def test_it_says_what_it_asks_about(pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `prove` does without the option, with what is dropped."""
    monkeypatch.setattr(progress_line, "PLAIN_SECONDS", 0.0)
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    told = asked(pair, "--lemma", "Stays").stderr
    for part in ("Up: Positive", "Up: what is enough for Positive", "without Same: Over: Positive"):
        assert f"Stays: {part}, " in told
    assert "Stays: without Same: Over: values that falsify it, " in told
    assert asked(pair, "--lemma", "Stays", "--quiet").stderr == ""


def test_what_was_stopped_says_at_which_part(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacuity, "_PATIENCE", 0)
    monkeypatch.setattr(vacuity, "_GRACE", 3.0)

    def endless(*given: Any) -> Need:
        given[-1](Asking("Up", "First"))
        signal.pause()
        raise AssertionError("there is no signal")

    monkeypatch.setattr(vacuity, "need", endless)
    found = list(vacuities(subject, ["Both"], 5, 1, Z3_ALONE, hypotheses=["Even"]))
    (need,) = (one for one in found if isinstance(one, Need))
    assert need.needed is None and need.why.startswith("stopped: the time was over at Up: First, asked about for ")
    assert use_of(need) == f"not known ({need.why})"


def test_a_step_that_cannot_be_taken_is_no_success(pair: Path) -> None:
    done = asked(pair, "--lemma", "Stays", "--quiet")
    assert (
        done.exit_code == 1 and "Over    never: the hypotheses and its conditions contradict each other" in done.output
    )


def test_of_a_lemma_without_a_proof_nothing_is_said(pair: Path) -> None:
    done = asked(pair, "--lemma", "Wrong")
    assert done.exit_code == 1 and "Wrong: no proof of the goal. What it needs is not known." in done.output
    done = asked(pair, "--lemma", "NotKnown")
    assert done.exit_code == 75 and "NotKnown is known to be false" in done.output


@pytest.mark.parametrize("options", [("--any", "Name"), ("--reach", "1"), ("--solver", "z3,cvc5"), ("--out", "x")])
def test_what_does_not_go_with_it(pair: Path, options: tuple[str, ...]) -> None:
    done = asked(pair, *options)
    assert done.exit_code == 2 and f"--vacuity does not go with {options[0]}" in done.output


def test_a_proof_that_was_not_found_is_said_to_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Without values it is not known that the part is needed."""
    lemma = Lemma(
        "L",
        "",
        Location(Source("L", ""), 1, 1, 1, 1),
        (),
        (),
        core.Literal(Location(Source("L", ""), 1, 1, 1, 1), True),
    )
    print_vacuities([Vacuity(lemma, (), (Need("L", "P", True, "A", "G"), Need("L", "Q", False)))], open_console())
    said = " ".join(capsys.readouterr().out.split())
    assert "P A: G (no proof without it in the time)" in said
    assert "2 hypotheses, 1 of them needed, 1 as far as no proof was found in the time." in said
