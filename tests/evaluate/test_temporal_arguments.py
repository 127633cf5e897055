"""Temporal formulas as arguments of operators, and instances of modules in the same file. The verdicts are TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

DECOY = """(*
====
---- MODULE Decoy ----
*)
"""
SWITCH = f"""---- MODULE Switch ----
VARIABLE on
{DECOY}Turn == on' = ~on
Start == on = FALSE
Live == Start /\\ [][Turn]_on /\\ WF_on(Turn)
Never == Start /\\ [][Turn]_on /\\ <>[](on = TRUE)
====
"""
WORK = """---- MODULE Work ----
EXTENDS Naturals
VARIABLES step, n
vars == <<step, n>>
Init == step = "idle" /\\ n = 0
Begin == step = "idle" /\\ step' = "busy" /\\ n' = n
More == step = "busy" /\\ n < 2 /\\ n' = n + 1 /\\ UNCHANGED step
Done == step = "busy" /\\ n = 2 /\\ step' = "idle" /\\ n' = 0
Next == Begin \\/ More \\/ Done
Spec == Init /\\ [][Next]_vars /\\ WF_vars(Next)
INNER
On == step = "busy"
S == INSTANCE Switch WITH on <- On
T(o) == INSTANCE Switch WITH on <- o
same(f) == f
both(f, g) == f /\\ g
each(Op(_), a) == Op(a)
twice(Op(_), Other(_), a) == Other(Op(a))
soon(a) == <>a
inside(a) == LET g == a /\\ <>(n = 2) IN g
P == GIVEN
====
"""
PLACES = ("beside", "behind", "inner")


def run(folder: Path, given: str, place: str = "beside", engine: str = "python") -> tuple[int, str]:
    text = WORK.replace("GIVEN", given).replace("INNER", SWITCH if place == "inner" else "")
    if place == "beside":
        (folder / "Switch.tla").write_text(SWITCH)
    elif place == "behind":
        text += SWITCH.replace(DECOY, "")  # TLC takes a module behind another to end at the first ====
    (folder / "Work.tla").write_text(text)
    (folder / "Work.cfg").write_text("SPECIFICATION Spec\nPROPERTY P\n")
    result = CliRunner().invoke(main, ["check", str(folder / "Work.tla"), "--engine", engine], env={"COLUMNS": "200"})
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("given", "status"), [("S!Live", 0), ("T(On)!Live", 0), ("same(S!Live)", 0), ("S!Never", 13), ("T(On)!Never", 13)]
)
def test_instance_wherever_its_module_stands(tmp_path: Path, place: str, given: str, status: int) -> None:
    """Its WF asks whether `on` can change, which stands for an expression that no assignment makes TRUE."""
    assert run(tmp_path, given, place)[0] == status


@pytest.mark.parametrize("engine", ["python", "auto"])
@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("both(S!Live, <>(n = 2))", 0),
        ("both(S!Live, <>(n = 7))", 13),
        ("same(T(On)!Live)", 0),
        ("each(same, S!Live)", 0),
        ("each(LAMBDA f : f, S!Live)", 0),
        ("each(LAMBDA f : f, <>[](n = 2))", 13),
        ("each(LAMBDA f : f, [](n < 2))", 12),
        ("each(LAMBDA f : [](f), n < 2)", 12),
        ("each(LAMBDA f : [][f]_vars, n' # 2)", 13),
        ("LET g == S!Live IN same(g)", 0),
        ("inside(S!Live)", 0),
        ("inside(same(<>(n = 7)))", 13),
        ("LET k(f) == f /\\ [](n < 3) IN k(S!Live)", 0),
        ("twice(soon, same, n = 2)", 0),
        ("twice(soon, same, n = 7)", 13),
    ],
)
def test_formulas_as_arguments(tmp_path: Path, given: str, status: int, engine: str) -> None:
    found, output = run(tmp_path, given, engine=engine)
    assert found == status, output


OUTER = """---- MODULE Outer ----
EXTENDS Naturals
VARIABLE v
vars == <<v>>
PASS
Next == In!Turn
Live == [][Next]_vars /\\ WF_vars(Next)
====
"""


@pytest.mark.parametrize(
    ("passed", "given", "status"),
    [
        ("In == INSTANCE Switch WITH on <- v", "On", 0),
        ("In == INSTANCE Switch WITH on <- v", "onward", 0),
        ("In == INSTANCE Switch WITH on <- (v = 1)", "IF On THEN 1 ELSE 0", 77),  # nothing gives v' a value
        ("on == v\nIn == INSTANCE Switch", "On", 0),
    ],
)
def test_variable_that_an_instance_passes_on_to_another(tmp_path: Path, passed: str, given: str, status: int) -> None:
    """Outer's WF asks whether its own variable can change, which the inner instance calls `on`."""
    (tmp_path / "Outer.tla").write_text(OUTER.replace("PASS", passed))
    body = f'On == step = "busy"\nO == INSTANCE Outer WITH v <- {given}\nP == O!Live'
    text = WORK.replace("INNER\n", "").replace("VARIABLES step, n", "VARIABLES step, n, onward")
    for old, new in (
        ("/\\ n = 0\n", "/\\ n = 0 /\\ onward = FALSE\n"),
        ("Next == Begin", "Move == Begin"),
        ("Spec ==", "Next == Move /\\ onward' = (step' = \"busy\")\nSpec =="),
        ("<<step, n>>", "<<step, n, onward>>"),
    ):
        text = text.replace(old, new, 1)
    text = text[: text.index("On == step")] + body + "\n====\n"
    (tmp_path / "Switch.tla").write_text(SWITCH)
    (tmp_path / "Work.tla").write_text(text)
    (tmp_path / "Work.cfg").write_text("SPECIFICATION Spec\nPROPERTY P\n")
    result = CliRunner().invoke(main, ["check", str(tmp_path / "Work.tla")], env={"COLUMNS": "200"})
    assert result.exit_code == status, result.output
    assert isinstance(result.exception, SystemExit | None)
