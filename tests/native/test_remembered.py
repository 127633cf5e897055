"""Values of operators that are remembered with a state (`calls.py`); what they are is in specs/Remembered.tla."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model import load_model
from tests.native.differential import interpreted, native


def test_a_failure_is_not_remembered_as_a_value(tmp_path: Path) -> None:
    """It is noted where LET names it and nobody needs it; who needs it then is told."""
    (tmp_path / "Failing.tla").write_text(
        "---- MODULE Failing ----\nEXTENDS Integers, Sequences\nVARIABLES q, x\n"
        "Firsts == {Head(q[n]) : n \\in 1..2}\n"
        "Init == q = <<<<>>, <<1>>>> /\\ x = 0\nNext == x < 2 /\\ x' = x + 1 /\\ q' = <<<<x>>, <<x + 1>>>>\n"
        "Spec == Init /\\ [][Next]_<<q, x>>\n"
        "Asked == (LET f == Firsts IN x >= 0 \\/ f = {0} \\/ f = {1}) /\\ 3 \\notin Firsts\n====\n"
    )
    (tmp_path / "Failing.cfg").write_text("SPECIFICATION Spec\nINVARIANT Asked\nCHECK_DEADLOCK FALSE\n")
    model = load_model(tmp_path / "Failing.tla", tmp_path / "Failing.cfg")
    verdicts = [explored.result.verdict for explored in (interpreted(model), native(model))]
    assert verdicts == [Verdict.ERROR] * 2
