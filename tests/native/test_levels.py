"""`TLCGet("level")` in constraints of states and in invariants: machine code counts as Python and TLC do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.checking.opening import open_subject
from rmqproof.model.cli import main
from rmqproof.model.tla.model_files import find_models

SPECS = Path(__file__).parents[1] / "specs"
MODULE = """---- MODULE Levels ----
EXTENDS Integers, TLC
VARIABLES x, y
Init == x = 0 /\\ y \\in 0..1
Next == \\/ x' = x + 1 /\\ y' = y
        \\/ x' = x /\\ y' = 1 - y
        \\/ x > 3 /\\ x' = 0 /\\ y' = y
Lim == 6
Short == TLCGet("level") < Lim
Half == TLCGet("level") \\div 2
Shorter == Half + x < 5
Op(n) == \\A i \\in 0..3 : x = i => TLCGet("level") > i + n - n
Far == Op(Lim)
Under == x < 4 => TLCGet("level") <= 5
Early == TLCGet("level") > 3 \\/ x' = x + 1
Numbers == [][x' = x => TLCGet("level") < 9]_<<x, y>>
====
"""
BY_TLC = {
    ("CONSTRAINT Short INVARIANT Far", "success", 24, 10, 5),
    ("CONSTRAINT Shorter INVARIANT Far", "success", 14, 6, 3),
    ("CONSTRAINT Short INVARIANT Shorter", "safety failure", 11, 7, None),
    ("INVARIANT Short", "safety failure", 19, 11, None),
    ("CONSTRAINT Short INVARIANT Under", "safety failure", 21, 10, None),
}
"""What TLC says: generated, distinct, depth."""


def written(folder: Path, asked: str) -> Path:
    (folder / "Levels.tla").write_text(MODULE)
    path = folder / "Levels.cfg"
    path.write_text(f"INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n{asked}\n")
    return path


def checked(path: Path, *options: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, ["check", str(path), "--json", "-", *options])
    assert done.exit_code in (0, 12), done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


NAMES = ("result", "totalStates", "distinctStates", "stateDepth")


@pytest.mark.parametrize(("asked", "result", "generated", "distinct", "depth"), sorted(BY_TLC, key=str))
def test_counts_are_those_of_tlc(
    asked: str, result: str, generated: int, distinct: int, depth: int | None, tmp_path: Path
) -> None:
    path = written(tmp_path, asked)
    found = {engine: checked(path, "--engine", engine) for engine in ("native", "python")}
    for engine, one in found.items():
        assert one["engine"] == engine and one["result"] == result, one
        assert (one["totalStates"], one["distinctStates"]) == (generated, distinct)
        assert depth is None or one["stateDepth"] == depth


@pytest.mark.parametrize("level", [4, 9, 30])
def test_a_larger_model_on_two_workers(level: int, tmp_path: Path) -> None:
    """In rounds of several states, with states in files, and where no level is cut off."""
    (tmp_path / "TwoPhaseCommit.tla").write_text((SPECS / "TwoPhaseCommit.tla").read_text())
    (tmp_path / "Leveled.tla").write_text(f"""---- MODULE Leveled ----
EXTENDS TwoPhaseCommit, Naturals, TLC
Soon == TLCGet("level") < {level}
Counted == TLCGet("level") > Cardinality(heard)
====
""")
    path = tmp_path / "Leveled.cfg"
    path.write_text((SPECS / "TwoPhaseCommit.cfg").read_text() + "\nCONSTRAINT Soon\nINVARIANT Counted\n")
    python = checked(path, "--engine", "python")
    for options in ((), ("--workers", "2"), ("--memory", "1m")):
        native = checked(path, "--engine", "native", *options)
        assert [native[name] for name in NAMES] == [python[name] for name in NAMES]
    assert python["stateDepth"] == level - 1 or level == 30


@pytest.mark.parametrize("asked", ["ACTION_CONSTRAINT Early", "PROPERTY Numbers", "VIEW Half", "NEXT Early"])
def test_elsewhere_the_python_engine_is_asked(asked: str, tmp_path: Path) -> None:
    (files,) = find_models([written(tmp_path, asked.replace("NEXT Early", "CONSTRAINT Short"))])
    assert (open_subject(files).native is None) == (not asked.startswith("NEXT"))
