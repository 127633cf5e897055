"""docs/simulation.md: in how many guided behaviours each bug of `spec/bugs` is found."""

from __future__ import annotations

import re

import pytest

from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model_files import find_models
from tools.docs.simulation import HEAD, MOST, PAGE, ROOT, measured, row

MODELS = {files.config.stem: files for files in find_models([ROOT / "spec" / "bugs"]) if files.config is not None}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_every_bug_has_a_row_with_a_bound() -> None:
    """But for one, which takes more behaviours than are asked for, or longer."""
    page = PAGE.read_text("utf-8")
    assert page.startswith(HEAD)
    expected = {
        name: read_expectation(files.config.read_text("utf-8")) for name, files in MODELS.items() if files.config
    }
    unsafe = {name for name, said in expected.items() if said is not None and said.verdict is Verdict.SAFETY}
    rows = measured(page)
    left = set(re.findall(r"`(\w+)`", page.partition("\nNot measured")[2]))
    assert rows.keys() | left == unsafe and not rows.keys() & left
    found = {name: cells(line)[4] for name, line in rows.items() if "not found" not in line}
    assert unsafe - found.keys() <= {"HeaderEpochRememberedLoss"}
    assert all(re.fullmatch(r"[\d,]+", most) and int(most.replace(",", "")) <= MOST for most in found.values())


@pytest.mark.parametrize("name", ["AnsweredBeforeCopied", "WeakElection"])
def test_a_row_is_what_is_measured(name: str) -> None:
    line = measured(PAGE.read_text("utf-8"))[name]
    assert row(MODELS[name], cells(line)[-1], cells(line)[1].strip("`")) == line
