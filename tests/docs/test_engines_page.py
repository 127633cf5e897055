"""docs/engines.md: which engines have explored each configuration of `spec/`, and that they agree."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles, find_models
from tools.docs.engines import PAGE, page
from tools.engine_runs import (
    BY_LEVELS,
    LOG,
    MOST,
    REFERENCE,
    ROOT,
    Run,
    against_python,
    bundled_modules,
    current,
    differences,
    logged,
    ran,
    size_of,
    texts_of,
)
from tools.fuzz.reference import SO_FAR, searched


def run(**other: Any) -> dict[str, Any]:
    said = {"result": "success", "violated": None, "distinctStates": 3, "totalStates": 5, "stateDepth": 2}
    return {**said, "taken": "4a", "engine": "python", "unexpected": "", "message": "", **other}


def test_every_configuration_is_on_the_page_once() -> None:
    text = PAGE.read_text(encoding="utf-8")
    lists = text.partition("\n## The first levels")[0].split("\n## ")[1:]
    named = [name for part in lists for name in re.findall(r"`(\w+)`", part)]
    assert sorted(named) == sorted(files.name for files in find_models([ROOT / "spec"]))


@pytest.mark.parametrize(
    "other",
    [
        {"result": "safety failure", "violated": "TypeOK"},
        {"distinctStates": 4},
        {"totalStates": 6},
        {"stateDepth": 3},
        {"taken": "3b"},
    ],
)
def test_a_difference_is_found(other: dict[str, Any]) -> None:
    assert differences({"python": run(), "native": run(engine="native")}) == []
    assert differences({"python": run(), "native": run(engine="native", **other)})
    assert differences({"python": run(), "native": run(**other)}) == [], "what Python took over is no run of native"


def test_the_reference_evaluator_counts_no_actions_and_has_no_liveness() -> None:
    python, its = run(), run(engine=REFERENCE, taken=None)
    assert differences({"python": python, REFERENCE: its}) == []
    assert differences({"python": python, REFERENCE: {**its, "totalStates": 6}})
    live = run(result="liveness failure", violated="EventuallyMaster")
    assert differences({"python": live, REFERENCE: its}) == []
    assert differences({"python": live, REFERENCE: {**its, "result": "safety failure"}})


@pytest.mark.parametrize("name", ["WeakElection", "UpgradeSlaveFirst"])
def test_the_engines_agree(name: str) -> None:
    (files,) = find_models([bundled(f"{name}.cfg")])
    assert differences({engine: ran(files, engine) for engine in MOST}) == []


@pytest.mark.parametrize("engine", sorted(BY_LEVELS))
def test_the_first_levels_of_a_large_model_are_explored(engine: str) -> None:
    (files,) = find_models([bundled("MasterSlave.cfg")])
    found = ran(files, engine, first=200)
    assert (found["engine"], found["unexpected"]) == (SO_FAR, "")
    assert differences({"python": run(), engine: found}) == []
    text = page({files.name: {"python": run(), engine: found}}, {files.name: 10**6})
    assert f"- `MasterSlave`, {engine}: {found['message']}." in text
    assert "## python: 1" in text


@pytest.mark.parametrize("changed", [{"distinct": 1}, {"total": 1}, {"verdict": "safety failure"}])
def test_what_differs_on_the_first_levels_is_told(changed: dict[str, Any]) -> None:
    (files,) = find_models([bundled("MasterSlave.cfg")])
    report = searched(files, 100)
    assert against_python(files, report)["unexpected"] == ""
    assert "first levels: (" in against_python(files, replace(report, **changed))["unexpected"]


def test_the_reference_evaluator_asks_for_assumptions(tmp_path: Path) -> None:
    files = ModelFiles(tmp_path / "No.tla", tmp_path / "No.cfg")
    (tmp_path / "No.cfg").write_text("\\* EXPECT success\n", encoding="utf-8")
    for assumed, wanted in (
        ("1 = 1", ("success", "")),
        ("1 = 2", ("assumption failure", "expected success, got assumption failure")),
    ):
        files.spec.write_text(f"---- MODULE No ----\nASSUME {assumed}\n====\n", encoding="utf-8")
        found = ran(files, REFERENCE)
        assert (found["result"], found["unexpected"]) == wanted


def test_the_order_of_runs_does_not_matter() -> None:
    """The reference evaluator says of a property that is violated that it found nothing, before or after Python."""
    runs = {"python": run(result="liveness failure", violated="Live"), REFERENCE: run(engine=REFERENCE, taken=None)}
    assert differences(runs) == differences(dict(reversed(runs.items()))) == []


def test_no_two_runs_of_the_same_texts_differ() -> None:
    """Those that are out of date, too."""
    lines = logged(LOG)
    runs: dict[tuple[str, str], dict[str, Run]] = {}
    for line in lines:
        runs.setdefault((line["model"], line["texts"]), {})[line["asked"]] = line
    assert {key: told for key, found in runs.items() if (told := differences(found))} == {}
    assert [line for line in lines if line["unexpected"]] == []
    assert {line["asked"] for line in lines} == set(MOST)


def test_the_texts_of_a_model_are_those_of_its_modules() -> None:
    (files,) = find_models([bundled("Pop.cfg")])
    before, modules = texts_of(files), bundled_modules()
    pop = modules["Pop"]
    assert texts_of(files, {**modules, "Registration": ""}) == before
    moved = {**modules, "Pop": pop.replace("VARIABLE", "\\* more\n VARIABLE", 1)}
    assert texts_of(files, moved) != before, "a token stands at another column"
    commented = {**modules, "Pop": pop.replace("=====", "\\* more\n=====", 1)}
    assert texts_of(files, commented) == before, "a comment does not count"


def test_a_run_of_other_texts_does_not_count() -> None:
    (files,) = find_models([bundled("WeakElection.cfg")])
    line = {"model": files.name, "asked": "python", "texts": texts_of(files), **run()}
    assert current([line], [files]) == {files.name: {"python": line}}
    assert current([{**line, "texts": "older"}], [files]) == {files.name: {}}
    assert "none since their texts have changed: 1" in page({files.name: {}}, {})


def test_a_model_of_every_size_is_known() -> None:
    assert size_of().keys() == {files.name for files in find_models([ROOT / "spec"])}
