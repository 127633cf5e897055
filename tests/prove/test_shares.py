"""A lemma about steps is asked in parts: what is the same for all actions once, and each action by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.api.proofs import shares_of
from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.answers import Answer, together
from rmqproof.model.prove.decide import NO_WAY, PROVED, UNKNOWN
from rmqproof.model.prove.modules import chosen, open_module
from rmqproof.model.prove.ways import HYPOTHESES

NUMBERS = range(1, 10)
DEFINED = "".join(f"P{number} == x >= -{number}\n" for number in NUMBERS)
PARTS = " /\\ ".join(f"P{number}" for number in NUMBERS)
MODULE = f"""---- MODULE Steps ----
EXTENDS Integers, Sequences
VARIABLES
  \\* @type: Int;
  x,
  \\* @type: Seq(Int);
  s
Init == x = 0 /\\ s = <<1>>
Up(n) == x' = x + n /\\ UNCHANGED s
Put == s' = Append(s, x) /\\ UNCHANGED x
Next == Put \\/ Up(1) \\/ Up(2)
{DEFINED}Some == Len(s) > 0
First == s[1] = 1
Inv == {PARTS} /\\ Some /\\ First
THEOREM Stays == ASSUME Before:: Inv, Next PROVE Inv'
THEOREM Grows == ASSUME Put PROVE Len(s') > Len(s)
====
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "Steps.tla").write_text(MODULE, encoding="utf-8")
    (tmp_path / "Steps.cfg").write_text("INIT Init NEXT Next\n", encoding="utf-8")
    return tmp_path / "Steps.tla"


def asked(module: Path, *options: str) -> tuple[Result, dict[str, Any]]:
    out = module.with_suffix(".json")
    given = [str(module), "--workers", "1", "--timeout", "10", "--json", str(out), *options]
    result = CliRunner().invoke(command, given)
    lemmas = json.loads(out.read_text())["lemmas"] if out.exists() else []
    return result, {lemma["lemma"]: lemma for lemma in lemmas}


def goals(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return sorted((part["step"], part["goal"]) for part in answer["parts"] if part["goal"])


def test_the_parts_are_the_whole(module: Path) -> None:
    """What the hypotheses need is asked once, and belongs to no action."""
    result, found = asked(module)
    whole = found["Stays"]
    assert (result.exit_code, whole["verdict"], whole["hypothesesSatisfiable"]) == (0, PROVED, True)
    assert ("", "First has a value") in goals(whole)
    parts = [asked(module, "--lemma", "Stays", "--action", name)[1]["Stays"] for name in (HYPOTHESES, "Put", "Up")]
    assert sorted(goal for part in parts for goal in goals(part)) == goals(whole)
    assert [part["verdict"] for part in parts] == [UNKNOWN] * 3, "none of them is the lemma"
    assert [part["provedFor"] for part in parts] == [[HYPOTHESES], ["Put"], ["Up"]]
    assert {step for step, _ in goals(parts[0])} == {""}
    assert "provedFor" not in whole


def test_what_the_hypotheses_need_is_told_as_theirs(module: Path) -> None:
    module.write_text(MODULE.replace(" /\\ Some", ""), encoding="utf-8")
    result, found = asked(module, "--lemma", "Stays", "--action", HYPOTHESES)
    assert result.exit_code == 1
    assert found["Stays"]["reason"].startswith("First has a value (")
    assert "provedFor" not in found["Stays"]


def test_an_action_that_is_none_is_refused(module: Path) -> None:
    result, found = asked(module, "--lemma", "Stays", "--action", "Down")
    assert result.exit_code == 75 and not found
    assert "Stays is not about an action Down" in result.output and "hypotheses, Put, Up" in result.output


def test_what_is_asked_at_once_is_proved_whichever_action_is_named(module: Path) -> None:
    _, found = asked(module, "--lemma", "Grows", "--action", "Put")
    assert found["Grows"]["verdict"] == PROVED


def test_shares(module: Path) -> None:
    subject = open_module(module)
    stays, grows = chosen(subject, ())
    assert shares_of(subject, grows) == [None]
    assert shares_of(subject, stays)[0] == NO_WAY
    assert [[way.title for way in share or ()] for share in shares_of(subject, stays, ("Up",))] == [["Up(?)"]]


@pytest.mark.parametrize(("first", "other", "whole"), [(True, None, True), (None, True, True), (None, None, None)])
def test_hypotheses_are_satisfiable_if_some_share_says_so(
    first: bool | None, other: bool | None, whole: bool | None
) -> None:
    """They come in any order, and all but one are not asked."""
    shares = [Answer("M", "L", "", PROVED, PROVED, 0.0, satisfiable) for satisfiable in (first, other)]
    assert together(shares).satisfiable is whole
