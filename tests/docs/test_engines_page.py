"""docs/engines.md: which engines have explored each configuration of `spec/`, and that they agree."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import find_models
from tools.docs.engines import ENGINES, PAGE, ROOT, current, differences, page, ran, texts_of


def run(**other: Any) -> dict[str, Any]:
    said = {"result": "success", "violated": None, "distinctStates": 3, "totalStates": 5, "stateDepth": 2}
    return {**said, "taken": {"Step": 4}, "engine": "python", **other}


def test_every_configuration_is_on_the_page_once() -> None:
    text = PAGE.read_text(encoding="utf-8")
    lists = text.partition("\n## What an engine left to another")[0].split("\n## ")[1:]
    named = [name for part in lists for name in re.findall(r"`(\w+)`", part)]
    assert sorted(named) == sorted(files.name for files in find_models([ROOT / "spec"]))


@pytest.mark.parametrize(
    "other",
    [
        {"result": "safety failure", "violated": "TypeOK"},
        {"distinctStates": 4},
        {"totalStates": 6},
        {"stateDepth": 3},
        {"taken": {"Step": 3}},
    ],
)
def test_a_difference_is_found(other: dict[str, Any]) -> None:
    assert differences({"python": run(), "native": run(engine="native")}) == []
    assert differences({"python": run(), "native": run(engine="native", **other)})
    assert differences({"python": run(), "native": run(**other)}) == [], "what Python took over is no run of native"


@pytest.mark.parametrize("name", ["WeakElection", "UpgradeSlaveFirst"])
def test_the_engines_agree(name: str) -> None:
    (files,) = find_models([bundled(f"{name}.cfg")])
    assert differences({engine: ran(files, engine) for engine in ENGINES}) == []


def test_a_run_of_other_texts_does_not_count() -> None:
    (files,) = find_models([bundled("WeakElection.cfg")])
    line = {"model": files.name, "engine_asked": "python", "texts": texts_of(files), **run()}
    assert current([line], [files]) == {files.name: {"python": line}}
    assert current([{**line, "texts": "older"}], [files]) == {files.name: {}}
    assert "none in this run: 1" in page({files.name: {}}, {})
