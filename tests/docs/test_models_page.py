"""docs/models.md has a row for every model, with the counts that its EXPECT line says, which `test_models` checks."""

from __future__ import annotations

import re
from pathlib import Path

from rmqproof.model.checking.expectation import read_expectation

ROOT = Path(__file__).parents[2]
COUNTS = {"distinct": 4, "total": 5, "depth": 6}
"""The columns."""


def rows(page: str) -> dict[str, list[str]]:
    """The cells of a row, by the path of its model."""
    found: dict[str, list[str]] = {}
    for line in page.splitlines():
        if path := re.match(r"\| \[`\w+`\]\(\.\./(spec/[\w/]+\.cfg)\) \|", line):
            found[path[1]] = [cell.strip() for cell in line.split("|")]
    return found


def stale(page: str) -> list[str]:
    """What a row says otherwise than its model's EXPECT line."""
    found = rows(page)
    wrong: list[str] = []
    for path in sorted(ROOT.glob("spec/**/*.cfg")):
        name = str(path.relative_to(ROOT))
        expectation = read_expectation(path.read_text(encoding="utf-8"))
        if name not in found:
            wrong.append(f"{name}: no row")
        elif expectation is not None:
            said = {key: found[name][column].replace(",", "") for key, column in COUNTS.items()}
            wrong += [f"{name}: {key} {said[key]}" for key, n in expectation.counts if said.get(key, str(n)) != str(n)]
    return wrong


def test_no_row_is_stale() -> None:
    assert not stale((ROOT / "docs" / "models.md").read_text(encoding="utf-8"))


def test_a_stale_row_is_found() -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    assert stale(page.replace("| 41,089 |", "| 41,088 |")) == ["spec/models/TwoBrokers.cfg: distinct 41088"]
    assert "spec/models/TwoBrokers.cfg: no row" in stale(page.replace("[`TwoBrokers`]", "TwoBrokers"))
