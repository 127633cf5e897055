"""docs/hazards.md: every hazard has a row, every model that it names exists and comes out as the row says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.search.result import Verdict

ROOT = Path(__file__).parents[2]
CONFIGS = {path.stem: path for path in (ROOT / "spec").rglob("*.cfg")}
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "docs" / "hazards.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| [FZ]-?\d", line)
]
HAZARDS = [row for row in ROWS if row[0].startswith("F")]


def _models(row: list[str]) -> list[str]:
    return [name for name in re.findall(r"`(\w+)`", row[3]) if name in CONFIGS]


def _fails(name: str) -> bool:
    expectation = read_expectation(CONFIGS[name].read_text(encoding="utf-8"))
    return expectation is not None and expectation.verdict is not Verdict.SUCCESS


def test_every_hazard_has_a_row() -> None:
    assert [row[0] for row in HAZARDS] == [f"F-{number}" for number in range(1, 80)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_says_what_its_models_say(row: list[str]) -> None:
    status = row[4] if row[0].startswith("Z") else row[2]
    assert status in ("confirmed", "refuted", "outside", "open")
    if row[0].startswith("F") and status == "confirmed":
        assert _fails(_models(row)[0])
    if row[0].startswith("F") and status == "refuted":
        assert any(not _fails(name) for name in _models(row))


def test_every_module_of_the_bugs_that_is_a_hazard_is_in_the_table() -> None:
    text = " ".join(row[3] for row in HAZARDS)
    modules = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "spec" / "bugs").glob("*.tla")}
    hazards = {name for name, text in modules.items() if re.search(r"^\(\* Hazards? F-", text, re.MULTILINE)}
    assert len(hazards) > 25
    assert {name for name in hazards if name not in text} == set()
    # what is in RocketMQ by no report, under whatever heading, has a number, too
    unreported = {name for name, text in modules.items() if "(* REPORT read from the code" in text}
    assert len(unreported) > 40
    assert {name for name in unreported if not re.search(rf"`{name}`", text)} == set()


def test_a_module_says_the_number_of_its_row() -> None:
    rows = {row[0]: row[3] for row in HAZARDS}
    for path in (ROOT / "spec" / "bugs").glob("*.tla"):
        head = path.read_text(encoding="utf-8").split("\n", 1)[1].split(":")[0]
        if head.startswith(("(* Hazard F-", "(* Hazards F-")):
            assert any(path.stem in rows[number] for number in re.findall(r"F-\d+", head)), path.stem
