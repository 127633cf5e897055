"""The engines agree on random specifications among themselves, with renamed copies, and with TLC where it is there.

`make fuzz` does the same to more of them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.evaluate import maps
from tests.evaluate.asked import verdict
from tools.fuzz.campaign import Plan, Tally, TooLong, asked, examine
from tools.fuzz.generate import generate
from tools.fuzz.specification import Role
from tools.fuzz.tlc import Tlc, classpath
from tools.fuzz.verdict import Report

PLAN = Plan(("python", "reference", "resumed"), (("resumed", 0.3),))
SEEDS = range(900_000, 900_030)


def test_engines_and_renamed_copies(tmp_path: Path) -> None:
    tally = Tally()
    for seed in SEEDS:
        outcome = examine(generate(seed), PLAN, None, tmp_path / str(seed))
        assert not outcome.different, f"seed {seed}: { ({name: str(r) for name, r in outcome.reports.items()}) }"
        tally.add(outcome)
    assert tally.compared["reference"] >= 10
    assert tally.compared["renamed"] >= 5
    assert tally.states > 60


def test_a_function_with_its_values_in_another_order_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The defect by which `[n \\in Node |-> n]` was not the identity."""
    real = maps.binder_targets

    def reversed_keys(g: Any, binder: Any, element: Any, keys: str, env: Any) -> Any:
        return real(g, binder, element, f"{keys}[::-1]", env)

    monkeypatch.setattr(maps, "binder_targets", reversed_keys)
    plan = Plan(("python", "reference"), (("renamed", 0.0),))
    assert any(examine(generate(seed), plan, None, tmp_path / str(seed)).different for seed in SEEDS)


@pytest.mark.parametrize(
    ("invariant", "said"),
    [("1 = 2", "error"), ("1 = 1", "success"), ("x = 0 \\/ 1 = 2", "safety failure")],
)
def test_a_constant_that_is_false_is_an_error(invariant: str, said: str, tmp_path: Path) -> None:
    definitions = f"Init == x = 0\nNext == x' = 1\nPart == {invariant}\nWhole == Part"
    text = f"---- MODULE K ----\nVARIABLE x\n{definitions}\n====\n"
    config = "INIT Init\nNEXT Next\nINVARIANT Whole\n"
    assert {verdict(engine, text, config, tmp_path) for engine in ("python", "reference")} == {said}


class Told:
    """A TLC that says something else of each kind of configuration, and remembers what it was asked."""

    def __init__(self) -> None:
        self.configs: list[str] = []

    def check(self, spec: Path) -> Report:
        self.configs.append(spec.with_suffix(".cfg").read_text())
        return Report("success", 7, 9, 2) if "SYMMETRY" in self.configs[-1] else Report("liveness failure")


def test_liveness_beside_symmetry_is_asked_without_it(tmp_path: Path) -> None:
    """TLC is unsound there, and says so: what it says of liveness is what it says of all states."""
    specs = (spec for spec in map(generate, range(3_000, 3_400)) if spec.with_role(Role.SYMMETRY))
    spec = next(spec for spec in specs if "WF_" in "".join(spec.files().values()))
    tlc = Told()
    report = asked(spec, tlc, spec.write(tmp_path / "spec"), tmp_path)  # type: ignore[arg-type]
    assert report.verdict == "liveness failure"
    reduced, whole = tlc.configs
    assert "SYMMETRY" in reduced
    assert "SYMMETRY" not in whole and "VIEW" not in whole and "INVARIANT" not in whole
    assert "PROPERTY" in whole and "CHECK_DEADLOCK FALSE" in whole


def test_what_takes_too_long_is_no_finding_of_an_engine() -> None:
    assert not issubclass(TooLong, Exception)


@pytest.mark.skipif(classpath() is None, reason="TLC_CLASSPATH is not set")
def test_tlc(tmp_path: Path) -> None:
    tlc = Tlc(classpath() or "")
    try:
        for seed in range(910_000, 910_020):
            outcome = examine(generate(seed), Plan(classpath=classpath()), tlc, tmp_path / str(seed))
            assert not outcome.different, f"seed {seed}: { ({name: str(r) for name, r in outcome.reports.items()}) }"
    finally:
        tlc.close()


@pytest.mark.parametrize(("engine", "says"), [("interpreter", "1 specifications"), ("interpreters", "There is no")])
def test_an_old_name_of_an_engine_is_still_taken(engine: str, says: str, tmp_path: Path) -> None:
    arguments = ["--count", "1", "--seed", "900000", "--tlc", "", "--engine", engine, "--out", str(tmp_path)]
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-m", "tools.fuzz", *arguments], cwd=root, capture_output=True, text=True)
    assert says in run.stdout + run.stderr
    assert (run.returncode == 0) == (engine == "interpreter")
