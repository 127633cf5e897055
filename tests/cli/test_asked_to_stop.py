"""TLCSet("exit", TRUE) ends a search, and TLCGet says where it is: the counts are TLC's with one worker.

TLC calls a search that was ended so a success. It explored a part only, so here it is none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

STOPPED = 152
GRID = """---- MODULE Grid ----
EXTENDS Naturals, TLC
VARIABLES x, y
vars == <<x, y>>
Init == x \\in 0..2 /\\ y = 0
Next == \\/ x < 10 /\\ x' = x + 1 /\\ y' = y
        \\/ y < 10 /\\ y' = y + 1 /\\ x' = x
        \\/ x > 2 /\\ x' = 0 /\\ y' = y
Spec == Init /\\ [][Next]_vars
Distinct == TLCSet("exit", TLCGet("distinct") > 20)
Implied == TLCGet("distinct") > 20 => TLCSet("exit", TRUE)
Level == TLCSet("exit", TLCGet("level") > 4)
Generated == TLCSet("exit", TLCGet("generated") > 20)
Last == TLCSet("exit", TLCGet("generated") = 311)
Never == x = 99 => TLCSet("exit", TRUE)
Constant == TLCSet("exit", TRUE)
Number == x >= 0 /\\ TLCSet("exit", 3)
Small == x + y < 6
Late == x + y < 19
Action == TLCSet("exit", x' = 5)
Step == [][Action]_vars
Stopping == Next /\\ TLCSet("exit", x = 4)
AtOnce == Init /\\ TLCSet("exit", TRUE)
Many == TLCGet("distinct") > 1000
Few == TLCGet("distinct") < 1000
Live == <>(x = 11)
====
"""


def run(folder: Path, config: str, *more: str) -> tuple[int, dict[str, Any]]:
    (folder / "Grid.tla").write_text(GRID)
    (folder / "Grid.cfg").write_text(f"{config}\nCHECK_DEADLOCK FALSE\n")
    to = folder / "result.json"
    words = ["check", str(folder / "Grid.tla"), "--json", str(to), *more]
    result = CliRunner().invoke(main, words)
    assert to.exists(), result.output
    found: dict[str, Any] = json.loads(to.read_text())
    return result.exit_code, found


def counts(found: dict[str, Any]) -> tuple[int, int, int, int]:
    return found["totalStates"], found["distinctStates"], found["queue"], found["stateDepth"]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("SPECIFICATION Spec\nINVARIANT Distinct", (37, 22, 7, 5)),
        ("SPECIFICATION Spec\nINVARIANT Implied", (37, 22, 7, 5)),
        ("SPECIFICATION Spec\nINVARIANT Level", (32, 19, 6, 5)),
        ("SPECIFICATION Spec\nINVARIANT Generated", (22, 14, 5, 4)),
        ("SPECIFICATION Spec\nCONSTRAINT Distinct", (37, 22, 7, 5)),
        ("SPECIFICATION Spec\nINVARIANT Implied\nCONSTRAINT Small", (47, 21, 2, 6)),
        ("SPECIFICATION Spec\nACTION_CONSTRAINT Action", (25, 16, 6, 4)),
        ("SPECIFICATION Spec\nPROPERTY Step", (25, 16, 6, 4)),
        ("INIT Init NEXT Stopping", (25, 16, 6, 4)),
        ("INIT AtOnce NEXT Next", (3, 3, 3, 1)),
        ("SPECIFICATION Spec\nINVARIANT Distinct\nPROPERTY Live", (37, 22, 7, 5)),
        ("SPECIFICATION Spec\nINVARIANT Distinct\nPOSTCONDITION Few", (37, 22, 7, 5)),
    ],
)
@pytest.mark.parametrize("engine", ["python", "auto"])
def test_stopped_where_tlc_stops(tmp_path: Path, config: str, expected: tuple[int, int, int, int], engine: str) -> None:
    status, found = run(tmp_path, config, "--engine", engine, "--workers", "2")
    assert (status, counts(found)) == (STOPPED, expected)
    assert found["result"] == "error" and not found["exhaustive"]
    assert 'TLCSet("exit", TRUE)' in found["message"] and "nothing is proved" in found["message"]
    assert all(prop["verdict"] in ("not decided", "not checked") for prop in found["properties"])


@pytest.mark.parametrize("name", ["Never", "Number", "Constant"])
def test_nothing_asked(tmp_path: Path, name: str) -> None:
    """What is not TRUE does not stop it, nor what is a constant: TLC evaluates that before there is a search."""
    status, found = run(tmp_path, f"SPECIFICATION Spec\nINVARIANT {name}")
    assert (status, counts(found), found["exhaustive"]) == (0, (311, 121, 0, 19), True)


def test_asked_at_the_very_end(tmp_path: Path) -> None:
    """While the last state is expanded everything is explored."""
    status, found = run(tmp_path, "SPECIFICATION Spec\nCONSTRAINT Last")
    assert (status, found["distinctStates"]) == (0, 121)


def test_a_violation_that_was_found_stays_one(tmp_path: Path) -> None:
    status, found = run(tmp_path, "SPECIFICATION Spec\nINVARIANT Distinct Small")
    assert (status, found["violated"], counts(found)) == (12, "Small", (35, 21, 5, 5))
    status, found = run(tmp_path, "SPECIFICATION Spec\nINVARIANT Distinct Late")
    assert (status, counts(found)) == (STOPPED, (37, 22, 7, 5))


def test_postcondition_of_a_search_that_was_stopped(tmp_path: Path) -> None:
    status, found = run(tmp_path, "SPECIFICATION Spec\nINVARIANT Distinct\nPOSTCONDITION Many")
    assert (status, counts(found)) == (10, (37, 22, 7, 5))


def test_random_behaviours(tmp_path: Path) -> None:
    status, found = run(tmp_path, "SPECIFICATION Spec\nINVARIANT Level", "--simulate", "50", "--seed", "3")
    assert (status, found["behaviours"], found["stateDepth"]) == (STOPPED, 1, 5)


SHOWN = """---- MODULE Shown ----
EXTENDS Naturals, TLC
VARIABLES x, y
Init == x \\in {0, 2} /\\ y = 0
Next == \\/ x < 2 /\\ x' = x + 1 /\\ y' = y
        \\/ y < 1 /\\ y' = y + 1 /\\ x' = x
        \\/ x > 1 /\\ x' = 0 /\\ y' = y
Spec == Init /\\ [][Next]_<<x, y>>
Where == <<TLCGet("distinct"), TLCGet("generated"), TLCGet("queue"), TLCGet("level"), TLCGet("diameter")>>
Show(what) == PrintT(<<what, x, y>> \\o Where)
Within == Show("constraint")
Allowed == Show("action constraint") /\\ x' >= 0
Holds == Show("invariant")
Step == [][Show("step") /\\ x' >= 0]_<<x, y>>
====
"""
FIRST = """<<"constraint", 0, 0, 0, 1, 0, 1, 1>>
<<"invariant", 0, 0, 1, 1, 1, 1, 1>>
<<"constraint", 2, 0, 1, 2, 1, 1, 1>>
<<"invariant", 2, 0, 2, 2, 2, 1, 1>>
<<"constraint", 1, 0, 2, 3, 1, 2, 1>>
<<"action constraint", 0, 0, 2, 3, 1, 1, 1>>
<<"invariant", 1, 0, 3, 3, 1, 2, 2>>
<<"step", 0, 0, 3, 3, 1, 1, 2>>
<<"constraint", 0, 1, 3, 4, 2, 2, 2>>
<<"action constraint", 0, 0, 3, 4, 2, 1, 2>>
<<"invariant", 0, 1, 4, 4, 2, 2, 2>>
<<"step", 0, 0, 4, 4, 2, 1, 2>>
<<"constraint", 2, 1, 4, 5, 2, 2, 2>>
<<"action constraint", 2, 0, 4, 5, 2, 1, 2>>
<<"invariant", 2, 1, 5, 5, 2, 2, 2>>
<<"step", 2, 0, 5, 5, 2, 1, 2>>
<<"constraint", 0, 0, 5, 6, 3, 2, 2>>
<<"action constraint", 2, 0, 5, 6, 3, 1, 2>>
<<"step", 2, 0, 5, 6, 3, 1, 2>>
<<"constraint", 2, 0, 5, 7, 2, 3, 2>>"""


def test_where_the_search_is(tmp_path: Path) -> None:
    """What TLC prints, in its order."""
    (tmp_path / "Shown.tla").write_text(SHOWN.replace("Naturals, TLC", "Naturals, Sequences, TLC"))
    (tmp_path / "Shown.cfg").write_text(
        "SPECIFICATION Spec\nINVARIANT Holds\nCONSTRAINT Within\nACTION_CONSTRAINT Allowed\nPROPERTY Step\n"
        "CHECK_DEADLOCK FALSE\n"
    )
    result = CliRunner().invoke(main, ["check", str(tmp_path / "Shown.tla")])
    assert result.exit_code == 0
    printed = [line for line in result.output.splitlines() if line.startswith("<<")]
    assert printed[: FIRST.count("\n") + 1] == FIRST.splitlines()
    assert (len(printed), printed[-1]) == (35, '<<"step", 1, 1, 6, 11, 0, 3, 3>>')


def test_named_registers(tmp_path: Path) -> None:
    (tmp_path / "Facts.tla").write_text(
        '---- MODULE Facts ----\nEXTENDS TLC\nASSUME TLCSet("s:word", "one") /\\ TLCGet("s:word") = "one"\n====\n'
    )
    assert CliRunner().invoke(main, ["check", str(tmp_path / "Facts.tla")]).exit_code == 0
    (tmp_path / "Facts.tla").write_text('---- MODULE Facts ----\nEXTENDS TLC\nASSUME TLCSet("word", "one")\n====\n')
    assert "must be a number" in CliRunner().invoke(main, ["check", str(tmp_path / "Facts.tla")]).output


def test_the_engine_that_was_asked_for_says_why_it_does_not_run(tmp_path: Path) -> None:
    (tmp_path / "Grid.tla").write_text(GRID)
    (tmp_path / "Grid.cfg").write_text("SPECIFICATION Spec\nCONSTRAINT Distinct\nCHECK_DEADLOCK FALSE\n")
    result = CliRunner().invoke(main, ["check", str(tmp_path / "Grid.tla"), "--engine", "native"])
    told = " ".join(result.output.split())
    assert "does not cover formulas that ask where the search is (TLCGet, TLCSet); the Python engine runs" in told
