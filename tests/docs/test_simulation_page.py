"""docs/simulation.md: in how many guided behaviours each bug of `spec/bugs` is found."""

from __future__ import annotations

import re

import pytest

from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model_files import find_models
from tests.at_length import first
from tools.docs.simulation import HEAD, MORE, MOST, PAGE, ROOT, behaviours_to, measured, row
from tools.explored import Explored

MODELS = {files.config.stem: files for files in find_models([ROOT / "spec" / "bugs"]) if files.config is not None}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_every_bug_has_a_row_with_a_bound() -> None:
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
    assert unsafe == found.keys() and found.keys() >= MORE.keys()
    for name, most in found.items():
        assert re.fullmatch(r"[\d,]+", most) and int(most.replace(",", "")) <= MORE.get(name, MOST), name


@pytest.mark.parametrize("name", first(1, ["AnsweredBeforeCopied", "WeakElection"]))
def test_a_row_is_what_is_measured(name: str) -> None:
    line = measured(PAGE.read_text("utf-8"))[name]
    assert row(MODELS[name], cells(line)[-1], cells(line)[1].strip("`")) == line


@pytest.mark.parametrize("name", first(1, ["CleaningResetsEpochs", "WeakElection"]))
def test_behaviours_on_the_graph_are_those_of_the_simulation(name: str) -> None:
    model = MODELS[name].load()
    explored = Explored(system_of(model))
    for seed in (0, 1):
        assert behaviours_to(explored, seed) == behaviours_to(system_of(model), seed)
