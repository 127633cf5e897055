"""`rmqproof eval` and `trace show --eval`, as their users call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rmqproof import load
from rmqproof.model.cli import main
from rmqproof.model.explore.evaluation import Evaluation
from rmqproof.model.explore.language import Language

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"
CLOCK = """---- MODULE Clock ----
EXTENDS Naturals
VARIABLE hour
Init == hour \\in 1..3
Next == hour' = (hour % 3) + 1
Spec == Init /\\ [][Next]_hour
====
"""


def run(*words: object) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trace")
    assert run("check", LOCK, "--engine", "python", "--out", folder, "--quiet").exit_code == 12
    return folder / "Lock.itf.json"


def test_a_constant() -> None:
    assert run("eval", "SUBSET {1, 2}").output == "{{}, {1}, {2}, {1, 2}}\n"
    assert run("eval", "-5 % 3").output == "1\n"
    assert run("eval", "-h").output.startswith("Usage:")


def test_what_comes_before_an_expression_without_a_value_is_printed() -> None:
    result = run("eval", "1 + 1", "CHOOSE n \\in {} : TRUE", "2")
    assert result.exit_code == 75
    assert result.stdout == "1 + 1\n2\n" and "expression:1:1: CHOOSE finds no element" in result.stderr


def test_several_expressions_have_their_heads() -> None:
    assert run("eval", "1", "2 + 2").output == "1\n1\n2 + 2\n4\n"


def test_what_speaks_of_a_state_is_evaluated_in_the_initial_ones(tmp_path: Path) -> None:
    assert run("eval", "at", "--spec", LOCK).output == '(w1 :> "idle" @@ w2 :> "idle")\n'
    (tmp_path / "Clock.tla").write_text(CLOCK)
    (tmp_path / "Clock.cfg").write_text("SPECIFICATION Spec\n")
    found = run("eval", "hour * 2", "--spec", tmp_path / "Clock.tla")
    assert found.output == "1. Initial state: 2\n2. Initial state: 4\n3. Initial state: 6\n"


def test_at_each_state_and_each_step_of_a_trace(trace: Path) -> None:
    assert run("eval", "holder", "--trace", trace).output.splitlines() == [
        "1. Initial state: nobody",
        "2. Look(w1): nobody",
        "3. Look(w2): nobody",
        "4. Take(w1): w1",
        "5. Take(w2): w2",
    ]
    steps = run("eval", "holder' # holder", "--trace", trace).output
    assert [line.rpartition(": ")[2] for line in steps.splitlines()] == ["FALSE", "FALSE", "TRUE", "TRUE"]
    assert run("eval", "holder'", "--trace", trace, "--step", 3).output == "w1\n"


def test_a_temporal_formula_is_of_the_whole_trace(trace: Path) -> None:
    """Which stays in its last state for ever."""
    found = run("eval", "<>[](holder = w2)", "[]OneInside", "holder = nobody ~> holder = w1", "--trace", trace)
    assert found.output.splitlines()[1::2] == ["TRUE", "FALSE", "TRUE"]


def test_what_has_no_value_somewhere(trace: Path) -> None:
    found = run("eval", "at[holder]", "--trace", trace)
    assert found.exit_code == 75
    assert found.output.startswith("1. Initial state: no value: a function is applied to nobody")
    assert found.output.splitlines()[-1] == '5. Take(w2): "inside"'


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["1 +"], 150, "expression:1:4: expected an expression after +"),
        (["1 \\div 0"], 75, "expression:1:1: 1 is divided by zero"),
        (["at'", "--spec", LOCK], 75, "expression:1:1: this speaks of a step"),
        (["1", "--step", "2"], 2, "--step goes with --trace"),
        (["holder'", "--trace", "TRACE", "--step", "5"], 75, "no step leads on from state 5"),
        (["holder", "--trace", "TRACE", "--step", "6"], 2, "the trace has 5 states"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(words: list[object], status: int, said: str, trace: Path) -> None:
    found = run("eval", *(trace if word == "TRACE" else word for word in words))
    assert found.exit_code == status
    assert said in found.output


def test_a_trace_without_its_specification(trace: Path, tmp_path: Path) -> None:
    document = json.loads(trace.read_text())
    document["#meta"]["source"] = "Gone.tla"
    alone = tmp_path / "alone.itf.json"
    alone.write_text(json.dumps(document))
    refused = run("eval", "holder", "--trace", alone)
    assert refused.exit_code == 153
    assert "Name it: --spec" in refused.output
    assert run("eval", "holder", "--trace", alone, "--spec", LOCK, "--step", 4).output == "w1\n"


def test_json(trace: Path) -> None:
    (found,) = json.loads(run("eval", "at[holder]", "--trace", trace, "--json", "-").output)
    assert found["expression"] == "at[holder]"
    assert found["values"][-1] == {"state": 5, "text": '"inside"', "value": "inside"}
    assert "not in its domain" in found["values"][0]["error"]


def test_a_trace_is_shown_by_expressions(trace: Path) -> None:
    found = run("trace", "show", trace, "--eval", "holder", "--eval", "moves == holder' # holder")
    assert found.exit_code == 0
    lines = found.output.splitlines()
    assert lines[:3] == ["1. Initial state", "    /\\ holder = nobody", "    /\\ moves = FALSE"]
    assert "    moves: FALSE -> TRUE" in lines
    assert "    moves: TRUE -> (no step after it)" in lines


def test_a_counterexample_is_shown_by_expressions() -> None:
    found = run("check", LOCK, "--engine", "python", "--eval", 'inside == {w \\in Worker : at[w] = "inside"}')
    assert found.exit_code == 12
    assert "    inside: {w1} -> {w1, w2}" in found.output
    assert "holder" not in found.output.partition("1. Initial state")[2]
    wrong = run("check", LOCK, "--eval", "Wrong")
    assert wrong.exit_code == 150
    assert wrong.output.startswith("expression:1:1: Wrong is not known here")


def test_alias_from_the_command_line() -> None:
    alias = "[who |-> holder, then |-> holder']"
    found = run("check", LOCK, "--engine", "python", "--alias", alias).output.partition("1. Initial state")[2]
    assert "    who: nobody -> w1\n    then: w1 -> w2" in found
    several = run("check", LOCK.with_name("LockFixed.cfg"), LOCK, "--alias", alias)
    assert several.exit_code == 2


def test_a_value_that_has_no_room_in_one_line() -> None:
    found = Evaluation.of(Language(load(LOCK).files), "[v, w \\in Worker |-> <<v, w, 1>>]").found()
    assert all('"' not in line for line in found.lines(40)) and len(found.lines(40)) > 1, (
        "model values are none in quotes"
    )


def test_the_level_is_that_of_the_state(trace: Path) -> None:
    said = run("eval", '<<TLCGet("level"), holder>>', "--trace", trace).output
    assert said.splitlines()[0] == "1. Initial state: <<1, nobody>>"
    assert said.splitlines()[-1].endswith("<<5, w2>>")
    said = run("check", LOCK, "--engine", "python", "--alias", '[holder |-> holder, level |-> TLCGet("level")]').output
    assert "    /\\ level = 1" in said and "    level: 4 -> 5" in said
