"""docs/coverage.md: no cell is empty, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.docs.bugs import seen_on

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
COLUMNS = 6
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("|") and not re.match(r"\| mechanism |\|---", line)
]
MODULES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "spec").rglob("*.tla")}
CONFIGS = {path.stem for path in (ROOT / "spec").rglob("*.cfg")}
LEMMAS = {
    name
    for path in (ROOT / "spec" / "lemmas").glob("*.tla")
    for name in re.findall(r"^THEOREM (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_no_cell_is_empty() -> None:
    assert len(ROWS) > 80
    assert not [row for row in ROWS if len(row) != COLUMNS or not all(row)]


def test_a_cell_without_a_place_says_why() -> None:
    assert not [cell for row in ROWS for cell in row if cell == "–"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_a_row_names_exists(row: list[str]) -> None:
    assert not [name for cell in row for name in re.findall(r"`([^`]+)`", cell) if not exists(name)]


def test_what_was_seen_is_a_schedule() -> None:
    ids = {part.strip() for row in ROWS if not row[5].startswith("–") for part in row[5].split(",")}
    assert ids <= seen_on().keys()


def test_what_does_not_exist_is_found() -> None:
    assert exists("Roles!BecomeMaster")
    assert not [name for name in ("Roles!BecomeSlaves", "NoModel", "impl/gone.py", "Gone!Next") if exists(name)]


def exists(name: str) -> bool:
    """Is it a definition of a module, a module, a model, a lemma, a file, or a command?"""
    if "!" in name:
        module, definition = name.split("!")
        return defined(definition, MODULES.get(module, ""))
    if "/" in name:
        return (ROOT / name).is_file()
    if name.startswith("rmqproof "):
        return (ROOT / "rocketmq" / "commands" / f"{name.split()[1]}.py").is_file()
    known = name in MODULES or name in CONFIGS or name in LEMMAS
    return known or any(defined(name, text) for text in MODULES.values())


def defined(name: str, text: str) -> bool:
    return re.search(rf"^{name}(\([^)]*\))? *==", text, re.MULTILINE) is not None
