"""Expressions and definitions that nest deeply: no limit that a person meets, and past it a word that says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

DEEP = {
    "many additions": "Inv == x" + " + 1" * 300 + " >= 300",
    "a sum of many terms": "Inv == x" + "".join(f" + {i % 7}" for i in range(3000)) + " >= 0",
    "definitions that use each other": (
        "D0 == x\n" + "".join(f"D{i} == D{i - 1} + 1\n" for i in range(1, 1001)) + "Inv == D1000 >= 1000"
    ),
    "operators that apply each other": (
        "D0(a) == a\n" + "".join(f"D{i}(a) == D{i - 1}(a + 1)\n" for i in range(1, 1001)) + "Inv == D1000(x) >= 1000"
    ),
    "sets of sets": "Inv == " + "{" * 200 + "x" + "}" * 200 + " # {}",
    "IF after ELSE": "Inv == " + "".join(f"IF x = {i + 5} THEN FALSE ELSE " for i in range(300)) + "x >= 0",
    "LET in LET": "Inv == " + "".join(f"LET v{i} == x + {i} IN " for i in range(300)) + "v299 >= 0",
    "not not": "Inv == " + "~" * 400 + "(x >= 0)",
    "EXCEPT in EXCEPT": "Inv == " + "[" * 300 + "[a |-> x]" + " EXCEPT !.a = @ + 1]" * 300 + ".a >= 300",
    "an action": "Deep == x' = (x" + " + 1" * 999 + ") % 3\nInv == x < 7",
    "an action by many names": (
        "D0 == x' = (x + 1) % 3\n"
        + "".join(f"D{i} == D{i - 1}\n" for i in range(1, 1001))
        + "Inv == x < 5\nDeep == D1000"
    ),
}


def written(folder: Path, body: str) -> Path:
    spec = folder / "Deep.tla"
    next_ = "Deep" if "Deep ==" in body else "Next"
    head = "---- MODULE Deep ----\nEXTENDS Naturals, Sequences\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n"
    spec.write_text(f"{head}{body}\n====\n".replace("Deep ==", "Step ==").replace("Deep,", "Step,"))
    spec.with_suffix(".cfg").write_text(f"INIT Init\nNEXT {next_.replace('Deep', 'Step')}\nINVARIANT Inv\n")
    return spec


@pytest.mark.parametrize("kind", DEEP)
def test_what_nests_deeply_is_evaluated(tmp_path: Path, kind: str) -> None:
    spec = written(tmp_path, DEEP[kind])
    result = CliRunner().invoke(main, ["check", str(spec)])
    assert result.exit_code == 0, result.output
    assert "3 distinct" in result.output or kind == "an action"


@pytest.mark.parametrize("command", [["types"], ["graph", "-o", "states.dot"]])
@pytest.mark.parametrize("kind", ["a sum of many terms", "definitions that use each other"])
def test_other_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], kind: str) -> None:
    spec = written(tmp_path, DEEP[kind])
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [command[0], str(spec), *command[1:]])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    "body",
    [
        "Inv == x" + " + 1" * 60_000 + " >= 0",
        "RECURSIVE S(_)\nS(n) == IF n < 0 THEN 0 ELSE 1 + S(n + 1)\nInv == S(x) >= 0",
    ],
    ids=["too long", "without an end"],
)
def test_past_the_limit_it_says_so(tmp_path: Path, body: str) -> None:
    result = CliRunner().invoke(main, ["check", str(written(tmp_path, body)), "--engine", "interpreter"])
    assert isinstance(result.exception, SystemExit), result.output
    assert result.exit_code in (75, 76, 150)
    assert "deep" in result.output
