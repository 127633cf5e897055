"""What could make a liveness verdict worthless is avoided or said: SYMMETRY, a CONSTRAINT, unsatisfiable fairness."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.model.tla.library import bundled
from tests.at_length import first

SWAP = """---- MODULE Swap ----
EXTENDS TLC, Naturals, FiniteSets
CONSTANT Process
VARIABLES holder, n
vars == <<holder, n>>
Symmetric == Permutations(Process)
Init == holder \\in Process /\\ n = 0
Swap == holder' \\in Process \\ {holder} /\\ UNCHANGED n
Count == n' = n + 1 /\\ UNCHANGED holder
Exchanging == Init /\\ [][Swap]_vars /\\ WF_vars(Swap)
Counting == Init /\\ [][Count]_vars /\\ WF_vars(Count)
Loose == Init /\\ [][Count]_vars
Small == n < 3
EachInTurn == \\A p \\in Process : []<>(holder = p)
ReachesNine == <>(n = 9)
====
"""

Run = Callable[[str], dict[str, Any]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "Swap.tla").write_text(SWAP)

    def check(config: str) -> dict[str, Any]:
        (tmp_path / "Swap.cfg").write_text(f"CONSTANT Process = {{p, q}}\n{config}\nCHECK_DEADLOCK FALSE\n")
        words = ["check", str(tmp_path / "Swap.tla"), "--json", "-", "--quiet"]
        found: dict[str, Any] = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).stdout)
        return found

    return check


def _said(found: dict[str, Any]) -> str:
    return " ".join(finding["sentence"] for finding in found["findings"])


def test_symmetry_would_make_a_swap_look_like_standing_still(run: Run) -> None:
    found = run("SPECIFICATION Exchanging\nPROPERTY EachInTurn\nSYMMETRY Symmetric")
    assert (found["result"], found["distinctStates"]) == ("success", 1)
    assert "Liveness was checked without SYMMETRY, on 2 states" in _said(found)


def test_verdict_without_symmetry_is_the_same(run: Run) -> None:
    found = run("SPECIFICATION Exchanging\nPROPERTY EachInTurn")
    assert (found["result"], found["distinctStates"]) == ("success", 2)
    assert "SYMMETRY" not in _said(found)


def test_a_constraint_that_leaves_no_fair_behaviour_is_told(run: Run) -> None:
    """Nine is never reached below three: the property holds only because every fair behaviour was cut off."""
    found = run("SPECIFICATION Counting\nPROPERTY ReachesNine\nCONSTRAINT Small")
    assert found["result"] == "success"
    assert "a liveness property may hold for that reason only" in _said(found)
    assert "No behaviour satisfies the fairness conditions" in _said(found)


def test_without_fairness_the_constraint_hides_nothing(run: Run) -> None:
    found = run("SPECIFICATION Loose\nPROPERTY ReachesNine\nCONSTRAINT Small")
    assert (found["result"], found["violated"]) == ("liveness failure", "ReachesNine")


@pytest.mark.parametrize("most", first(1, [5, 9]))
def test_elections_without_a_reason_use_up_any_number_of_epochs(tmp_path: Path, most: int) -> None:
    """What EpochsSuffice is worth: the liveness properties of Progress excuse nothing, since elections end."""
    rule = "NobodyIsFoundAgain == controller.master \\notin controller.alive"
    (tmp_path / "ElectedAgain.tla").write_text(f"---- MODULE ElectedAgain ----\nEXTENDS Progress\n{rule}\n====\n")
    config = bundled("Issue4450Fixed.cfg").read_text().replace("MaxEpoch = 5", f"MaxEpoch = {most}")
    for replaced, violated in (("", None), ("CONSTANT InactiveMasterIsFound <- NobodyIsFoundAgain", "EpochsSuffice")):
        (tmp_path / "ElectedAgain.cfg").write_text(f"{config}\n{replaced}\n")
        words = ["check", str(tmp_path / "ElectedAgain.tla"), "--json", "-", "--quiet", "--engine", "python"]
        words += ["--library", "rmqproof:"]
        found = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).stdout)
        assert (found["result"] == "success", found["violated"]) == (violated is None, violated)
