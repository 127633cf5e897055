"""What is not looked at need not have a value: arguments of operators, of operators that are passed, and LETs.

Each of these is TRUE for TLC, which passes arguments as `LazyValue`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command

MODULE = """---- MODULE Lazy ----
EXTENDS Naturals, Sequences, FiniteSets
VARIABLE x
Ignore(a) == TRUE
First(a, b) == a
OfPassed(g(_)) == g(<<>>[x])
OfPassed2(g(_, _)) == g(TRUE, <<>>[x])
OfBoth(g(_, _), h(_)) == g(h(<<>>[x]), CHOOSE i \\in {} : TRUE)
Again(g(_)) == OfPassed(g)
RECURSIVE Countdown(_, _)
Countdown(n, a) == IF n = 0 THEN TRUE ELSE Countdown(n - 1, <<>>[x])
Init == x = 0
Step(a, b) == x' = (x + 1) % 4
Stepping(g(_, _)) == g(<<>>[x], <<>>[x])
Next == Stepping(Step)
====
"""
TRUE_FOR_TLC = (
    "OfPassed(Ignore)",
    "OfPassed(LAMBDA a : TRUE)",
    "OfPassed2(First)",
    "OfPassed2(LAMBDA a, b : a)",
    "OfPassed2(\\/)",
    "OfBoth(LAMBDA a, b : a, LAMBDA q : TRUE)",
    "Again(Ignore)",
    "Again(LAMBDA a : x = x)",
    "Again(LAMBDA a : IF x = 99 THEN a ELSE TRUE)",
    "Countdown(3, <<>>[x])",
    "Ignore(<<>>[x])",
    "LET bad == <<>>[x] IN TRUE",
    "LET bad == <<>>[x]  f(a) == TRUE IN f(bad) /\\ OfPassed(f)",
    "LET bad == <<>>[x] IN IF x > 100 THEN bad = 1 /\\ bad = 2 ELSE TRUE",
    "LET g(a, h(_)) == h(a) IN g(<<>>[x], Ignore)",
    "LET f(a) == IF x = 0 THEN TRUE ELSE x > 0 \\/ a = 3 IN OfPassed(f)",
    "LET k(g(_), a) == g(a) IN k(LAMBDA a : TRUE, Cardinality({<<>>[x]} \\cup {1}))",
    "\\A i \\in 1..2 : OfPassed(LAMBDA a : i > 0)",
    "LET h(g(_)) == g(<<1, 2>>[x + 10] + <<2>>[x + 9] * Len(<<>>[x])) IN "
    "h(Ignore) /\\ h(LAMBDA b : LET c == b IN TRUE)",
)


@pytest.mark.parametrize("engine", ["python", "auto"])
def test_what_is_not_looked_at_needs_no_value(tmp_path: Path, engine: str) -> None:
    invariants = "".join(f"I{n} == {text}\n" for n, text in enumerate(TRUE_FOR_TLC))
    spec = tmp_path / "Lazy.tla"
    spec.write_text(MODULE.replace("====\n", invariants + "====\n"))
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANTS " + _all("I"))
    answer = _checked(spec, engine)
    assert (answer["exitStatus"], answer["distinctStates"], answer["totalStates"]) == (0, 4, 5), answer["message"]


@pytest.mark.parametrize("used", ["g(a) = 1", "(IF x = 0 THEN TRUE ELSE g(a) = 1)"])
def test_what_is_looked_at_needs_one(tmp_path: Path, used: str) -> None:
    """The other side: it is not enough never to evaluate."""
    spec = tmp_path / "Lazy.tla"
    text = f"I == LET k(g(_), a) == {used} IN k(LAMBDA a : a, <<>>[x])\n"
    spec.write_text(MODULE.replace("====\n", text + "====\n"))
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANT I\n")
    assert _checked(spec, "python")["exitStatus"] in (75, 76)


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("kind", ["CONSTRAINT", "ACTION_CONSTRAINT"])
@pytest.mark.parametrize("value", ["<<>>[x]", "7"])
def test_a_constraint_without_a_value_is_no_invariant(tmp_path: Path, engine: str, kind: str, value: str) -> None:
    spec = tmp_path / "Lazy.tla"
    spec.write_text(MODULE.replace("====\n", f"Cut == IF x = 3 THEN {value} ELSE TRUE\nInv == x < 9\n====\n"))
    spec.with_suffix(".cfg").write_text(f"INIT Init\nNEXT Next\nINVARIANT Inv\n{kind} Cut\n")
    answer = _checked(spec, engine)
    assert answer["exitStatus"] == 75
    assert "In constraint" in answer["message"] and "Cut ==" in answer["message"]


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("at", [0, 3])
def test_a_view_without_a_value_is_no_difference_of_engines(tmp_path: Path, engine: str, at: int) -> None:
    spec = tmp_path / "Lazy.tla"
    spec.write_text(MODULE.replace("====\n", f"Seen == IF x = {at} THEN <<>>[x] ELSE x\nInv == x < 9\n====\n"))
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\nVIEW Seen\n")
    answer = _checked(spec, engine)
    assert answer["exitStatus"] == 75
    assert "Seen ==" in answer["message"] or "<<>>[x]" in answer["message"], answer["message"]
    assert not [finding for finding in answer["findings"] if "engines" in finding["kind"]]


def _all(prefix: str) -> str:
    return " ".join(f"{prefix}{n}" for n in range(len(TRUE_FOR_TLC))) + "\n"


def _checked(spec: Path, engine: str) -> dict:
    to = spec.with_suffix(".json")
    result = CliRunner().invoke(command, [str(spec), "--engine", engine, "--json", str(to)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return json.loads(to.read_text())
