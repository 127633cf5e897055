"""What ALIAS shows of a counterexample; where it has no value in a state, that is shown all the same, as TLC does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

COUNTER = """---- MODULE Counter ----
EXTENDS Naturals, Sequences, TLC
VARIABLE x
Init == x = 0
Next == x < 4 /\\ x' = x + 1
Spec == Init /\\ [][Next]_x
Small == x < 3
Smaller == x < 1
Reached == <>(x = 9)
Loop == [n \\in Nat |-> n]
RECURSIVE Down(_)
Down(n) == 1 + Down(n + 1)
Sometimes == [now |-> x, word |-> <<"one", "two">>[x]]
Never == [now |-> x + "a"]
Asserted == [now |-> Assert(x # 0, "not zero")]
Endless == [now |-> Down(x)]
Written(y) == LET z == y + 1 IN [zed |-> z, now |-> x, m |-> 4 - x] @@ [also |-> 1]
Ordered == IF x = 9 THEN [never |-> 0] ELSE Written(x)
Fields == IF x = 1 THEN [one |-> x] ELSE [other |-> x]
====
"""


def shown(folder: Path, alias: str, wanted: str, engine: str = "python", status: int = 12) -> str:
    (folder / "Counter.tla").write_text(COUNTER)
    (folder / "Counter.cfg").write_text(f"SPECIFICATION Spec\n{wanted}\nALIAS {alias}\nCHECK_DEADLOCK FALSE\n")
    words = ["check", str(folder / "Counter.tla"), "--engine", engine, "--out", str(folder)]
    result = CliRunner().invoke(main, words, env={"COLUMNS": "200"})
    assert result.exit_code == status, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    trace = json.loads((folder / "Counter.itf.json").read_text())
    assert trace["vars"] == ["x"]
    return result.output


@pytest.mark.parametrize("engine", ["python", "auto"])
def test_states_without_an_alias_are_shown_as_they_are(tmp_path: Path, engine: str) -> None:
    output = shown(tmp_path, "Sometimes", "INVARIANT Small", engine)
    first, second, third, fourth = output.split("\n\n")[:4]
    assert first.splitlines()[1] == "    /\\ x = 0"
    assert "_ALIASEvalError" in first and "Counter.tla:13:35: a sequence is applied to 0" in first
    assert "/\\ now = 1" in second and '/\\ word = "one"' in second and "_ALIASEvalError" not in second
    assert "now: 1 -> 2" in third
    assert "/\\ x = 3" in fourth and "applied to 3" in fourth
    assert "note: ALIAS cannot be evaluated, so 2 of the 4 states above are shown without it." in output
    assert '    Sometimes == [now |-> x, word |-> <<"one", "two">>[x]]\n' in output


def test_alias_without_any_value(tmp_path: Path) -> None:
    output = shown(tmp_path, "Never", "INVARIANT Small")
    assert "x: 0 -> 1" in output
    assert "so the states above are shown without it.\n" in output
    assert "needs integers, and is given a string" in output


@pytest.mark.parametrize(("alias", "cause"), [("Asserted", "not zero"), ("Endless", "the recursion does not end")])
def test_other_causes(tmp_path: Path, alias: str, cause: str) -> None:
    assert cause in shown(tmp_path, alias, "INVARIANT Smaller")


def test_lasso(tmp_path: Path) -> None:
    output = shown(tmp_path, "Sometimes", "PROPERTY Reached", status=13)
    assert "_ALIASEvalError" in output
    assert "Reached is violated" in output


def test_other_fields_in_every_state(tmp_path: Path) -> None:
    first, second, third, fourth = shown(tmp_path, "Fields", "INVARIANT Small").split("\n\n")[:4]
    assert "/\\ other = 0" in first and "/\\ one = 1" in second and "/\\ other = 2" in third
    assert "other: 2 -> 3" in fourth


def test_fields_are_shown_in_the_order_in_which_they_are_written(tmp_path: Path) -> None:
    """As by TLC: a record's value has no order."""
    output = shown(tmp_path, "Ordered", "INVARIANT Smaller")
    assert "    /\\ zed = 1\n    /\\ now = 0\n    /\\ m = 4\n    /\\ also = 1\n" in output
    assert "    zed: 1 -> 2\n    now: 0 -> 1\n    m: 4 -> 3\n" in output
