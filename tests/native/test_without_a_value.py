"""What has no value fails in machine code where the Python engine says that it does."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model import load_model
from tests.native.differential import interpreted, native


def verdicts(folder: Path, name: str, body: str, properties: str = "") -> list[Verdict]:
    """The Python engine's, and that of machine code, of a module with this text after its first line."""
    (folder / f"{name}.tla").write_text(f"---- MODULE {name} ----\nEXTENDS Integers, Sequences\n{body}====\n")
    (folder / f"{name}.cfg").write_text(f"INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n{properties}")
    model = load_model(folder / f"{name}.tla", folder / f"{name}.cfg")
    return [explored.result.verdict for explored in (interpreted(model), native(model))]


def test_a_failure_is_not_remembered_as_a_value(tmp_path: Path) -> None:
    """Where LET names it and nobody needs it, it is noted only (`calls.py` remembers values with a state)."""
    body = (
        "VARIABLES q, x\nFirsts == {Head(q[n]) : n \\in 1..2}\nInit == q = <<<<>>, <<1>>>> /\\ x = 0\n"
        "Next == x < 2 /\\ x' = x + 1 /\\ q' = <<<<x>>, <<x + 1>>>>\n"
        "Asked == (LET f == Firsts IN x >= 0 \\/ f = {0} \\/ f = {1}) /\\ 3 \\notin Firsts\n"
    )
    assert verdicts(tmp_path, "Failing", body, "INVARIANT Asked\n") == [Verdict.ERROR] * 2


def test_what_is_no_function_cannot_be_changed_in_part(tmp_path: Path) -> None:
    """What is one in each state is changed (specs/ChangedIfFunction.tla)."""
    body = (
        "VARIABLES f, n\nInit == f = [i \\in 1..2 |-> [a |-> 0]] /\\ n = 0\n"
        "Next == n < 3 /\\ n' = n + 1 /\\ f' = IF n = 1 THEN [f EXCEPT ![1] = \"none\"] ELSE [f EXCEPT ![1].a = n]\n"
    )
    assert verdicts(tmp_path, "NoFunction", body) == [Verdict.ERROR] * 2


def test_a_constant_function_has_no_value_at_one_argument(tmp_path: Path) -> None:
    """Its table is not used then, and the failure comes where that argument is asked for (`application.py`)."""
    body = (
        "VARIABLE n\nWeight[i \\in 0..3] == CHOOSE w \\in 1..3 : w > i\n"
        "Init == n = 0\nNext == n < LAST /\\ n' = n + 1 /\\ Weight[n] > 0\n"
    )
    assert verdicts(tmp_path, "Asked", body.replace("LAST", "4")) == [Verdict.ERROR] * 2
    assert verdicts(tmp_path, "NotAsked", body.replace("LAST", "3")) == [Verdict.SUCCESS] * 2


def test_what_let_defines_fails_where_it_is_needed(tmp_path: Path) -> None:
    """It is computed behind the conjuncts that do not need it (`Formulas.local`)."""
    body = (
        "VARIABLES q, n\nInit == q = <<1, 2>> /\\ n = 0\n"
        "Next == LET first == Head(q) IN GUARD /\\ n' = n + first * first /\\ q' = Tail(q)\n"
    )
    assert verdicts(tmp_path, "Guarded", body.replace("GUARD", "q # <<>>")) == [Verdict.SUCCESS] * 2
    assert verdicts(tmp_path, "Unguarded", body.replace("GUARD", "n < 7")) == [Verdict.ERROR] * 2


def test_an_argument_of_an_action_fails_where_it_is_needed(tmp_path: Path) -> None:
    """A message without the field is none for this action, whatever is passed for the field."""
    body = (
        "VARIABLES sent, seen\nInit == sent = {} /\\ seen = [n \\in 1..2 |-> 0]\n"
        "Take(n, m) == FIRST /\\ seen[n] = 0 /\\ seen' = [seen EXCEPT ![n] = 1] /\\ sent' = sent\n"
        'Send(n) == sent\' = sent \\cup {[kind |-> "all", by |-> n], [kind |-> "one", to |-> n]} /\\ UNCHANGED seen\n'
        "Next == (\\E n \\in 1..2 : Send(n)) \\/ (\\E m \\in sent : Take(m.to, m))\n"
    )
    guarded = body.replace("FIRST", 'm.kind = "one"')
    named = guarded.replace("Take(m.to, m)", "LET n == m.to IN Take(n, m)")
    assert verdicts(tmp_path, "Guarded", guarded) == [Verdict.SUCCESS] * 2
    assert verdicts(tmp_path, "Named", named) == [Verdict.SUCCESS] * 2
    assert verdicts(tmp_path, "Unguarded", body.replace("FIRST", "TRUE")) == [Verdict.ERROR] * 2
