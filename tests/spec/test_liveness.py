"""The liveness models come out as they say, and docs/liveness.md has what came out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.tla.config import read_config
from rmqproof.model.tla.library import bundled
from tests.at_length import every
from tools.docs.liveness import BEGIN, END, HEAD, rows, table, with_table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "liveness.md"


def asks_about_the_end(files: ModelFiles) -> bool:
    if files.config is None or "Eventually" not in files.config_text:  # to read them all takes seconds
        return False
    return any(name.text.startswith("Eventually") for name in read_config(files.config).names("PROPERTIES"))


MODELS = [m for m in find_models([ROOT / "spec"]) if m.group == "liveness" or asks_about_the_end(m)]


def _name(files: ModelFiles) -> str:
    assert files.config is not None
    return files.config.stem


def test_there_are_models() -> None:
    assert len(MODELS) > 20


LONG = 300
"""Distinct states from which on `make check-large` alone checks a model: the whole graph is searched for cycles."""


def _marked(files: ModelFiles) -> object:
    expectation = read_expectation(files.config_text)
    long = expectation is not None and dict(expectation.counts).get("distinct", 0) >= LONG
    return pytest.param(files, marks=[pytest.mark.large] if long else [])


@pytest.mark.parametrize("files", every(6, map(_marked, MODELS)), ids=_name)
def test_a_model_comes_out_as_expected_and_as_documented(files: ModelFiles) -> None:
    assert files.config is not None
    expectation = read_expectation(files.config.read_text(encoding="utf-8"))
    options = Options("python", workers=1)
    outcome = check(files, options, expectation=expectation)
    assert outcome.difference == "", outcome.result.message
    page = PAGE.read_text(encoding="utf-8")
    for _, row in rows(outcome.json(), ROOT):
        assert row in page, "write the page anew with `make models`"
    for violation in outcome.result.violations:
        if violation.loop is not None:
            assert violation.fairness
            assert not any("never taken" in line for line in violation.fairness), "a counterexample that is not fair"


def test_the_page_names_no_model_that_is_gone() -> None:
    text = PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    stems = {_name(model) for model in MODELS}
    listed = {line.split("[`")[1].split("`]")[0] for line in text.removeprefix(HEAD).splitlines()}
    assert listed <= stems


def test_table_is_put_between_its_marks() -> None:
    model: dict[str, Any] = {
        "config": str(bundled("Progress.cfg")),
        "violated": "Late",
        "properties": [
            {"name": "Late", "kind": "liveness", "verdict": "violated"},
            {"name": "Early", "kind": "liveness", "verdict": "holds"},
            {"name": "TypeOK", "kind": "invariant", "verdict": "holds"},
        ],
        "behaviourLength": 7,
        "loop": 4,
        "distinctStates": 1234,
    }
    text = table([model], ROOT)
    assert [line.split(" | ")[0] for line in text.splitlines()[2:]] == ["| `Early`", "| `Late`"]
    assert "| **violated** | 4 | 3 | 1,234 |" in text
    assert with_table(f"a\n{BEGIN}old{END}b\n", text) == f"a\n{BEGIN}{text}{END}b\n"
