"""`conform --engine spark` reports what the local engine reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.model.tla.library import PROTOCOL
from tests.conformance.examples import broken

EXAMPLES = Path(__file__).parent / "examples"
TWO_PHASE = (str(EXAMPLES / "TwoPhase.tla"), "--adapter")
RIGHT = "tests.conformance.examples.adapter:TwoPhaseAdapter"
WRONG = "tests.conformance.test_conform_spark:Forgetful"
DIFFERENT_ANYWAY = ("seconds", "edgesPerSecond", "workers")


Forgetful = broken.with_parts(broken.ForgetfulCoordinator)


def outcome(tmp_path: Path, *words: str) -> tuple[int, dict[str, Any]]:
    file = tmp_path / "out.json"
    done = CliRunner().invoke(main, ["conform", *words, "--json", str(file)])
    assert file.exists(), done.output
    document = json.loads(file.read_text(encoding="utf-8"))
    file.unlink()
    return done.exit_code, {key: value for key, value in document.items() if key not in DIFFERENT_ANYWAY}


def test_a_master_without_spark_is_refused() -> None:
    done = CliRunner().invoke(main, ["conform", TWO_PHASE[0], "--master", "local[2]"])
    assert done.exit_code == 2 and "--engine spark" in done.output


@pytest.mark.large
def test_the_report_is_that_of_the_local_engine(tmp_path: Path) -> None:
    store = ("--engine", "spark", "--master", "local[2]", "--store", str(tmp_path / "store"))
    mine = outcome(tmp_path, *TWO_PHASE, RIGHT, "--workers", "1")
    assert outcome(tmp_path, *TWO_PHASE, RIGHT, *store) == mine
    assert mine[0] == 0
    # the store is there now, and is used for a wrong implementation
    mine = outcome(tmp_path, *TWO_PHASE, WRONG, "--workers", "1")
    assert outcome(tmp_path, *TWO_PHASE, WRONG, *store) == mine
    assert mine[0] == 1
    other = CliRunner().invoke(main, ["conform", str(PROTOCOL / "TwoBrokersCleaned.cfg"), *store])
    assert other.exit_code == 153 and "another specification" in other.output


@pytest.mark.large
def test_the_reference_implementation_on_spark(tmp_path: Path) -> None:
    model = str(PROTOCOL / "TwoBrokersCleaned.cfg")
    mine = outcome(tmp_path, model, "--workers", "1")
    assert outcome(tmp_path, model, "--engine", "spark", "--master", "local[2]") == mine
    assert mine[0] == 0
