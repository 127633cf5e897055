"""Reading manifests of published models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.suite.collection import CollectionError, Counts, read_collection


def manifest(root: Path, folder: str, *models: dict[str, Any], module: str = "M.tla") -> None:
    place = root / "specifications" / folder
    place.mkdir(parents=True)
    entries = [{"mode": "exhaustive search", "result": "success", "runtime": "00:00:01"} | model for model in models]
    for entry in entries:
        entry["path"] = f"specifications/{folder}/{entry['path']}"
    content = {"modules": [{"path": f"specifications/{folder}/{module}", "features": [], "models": entries}]}
    (place / "manifest.json").write_text(json.dumps(content), encoding="utf-8")


def test_models_come_in_the_order_of_their_published_times(tmp_path: Path) -> None:
    manifest(tmp_path, "Slow", {"path": "M.cfg", "runtime": "01:00:02"})
    manifest(tmp_path, "Unknown", {"path": "M.cfg", "runtime": "unknown"})
    manifest(tmp_path, "Quick", {"path": "M.cfg", "distinctStates": 6, "totalStates": 15, "stateDepth": 2})
    models = read_collection(tmp_path)
    assert [model.name for model in models] == ["Quick/M", "Slow/M", "Unknown/M"]
    assert [model.seconds for model in models] == [1.0, 3602.0, None]
    assert models[0].counts == Counts(6, 15, 2)
    assert models[0].spec == tmp_path / "specifications/Quick/M.tla"
    assert not models[1].counts.known


def test_a_model_is_named_by_its_configuration_where_that_has_another_name(tmp_path: Path) -> None:
    manifest(tmp_path, "A", {"path": "M.cfg"}, {"path": "Large.cfg"})
    assert {model.name for model in read_collection(tmp_path)} == {"A/M", "A/M:Large"}
    assert [model.name for model in read_collection(tmp_path, only="large")] == ["A/M:Large"]


@pytest.mark.parametrize("inner", ["", "specifications", "specifications/A"])
def test_any_level_of_the_collection_may_be_given(tmp_path: Path, inner: str) -> None:
    manifest(tmp_path, "A", {"path": "M.cfg"})
    (model,) = read_collection(tmp_path / inner)
    assert model.root == tmp_path
    assert model.config == tmp_path / "specifications/A/M.cfg"


def test_simulation_is_a_mode(tmp_path: Path) -> None:
    manifest(tmp_path, "A", {"path": "M.cfg", "mode": {"simulate": {"traceCount": 5}}})
    (model,) = read_collection(tmp_path)
    assert model.mode == "simulate"


def test_a_folder_without_manifests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match=r"manifest\.json"):
        read_collection(tmp_path)


def test_a_broken_manifest_is_named(tmp_path: Path) -> None:
    manifest(tmp_path, "A", {"path": "M.cfg"})
    (tmp_path / "specifications/A/manifest.json").write_text("{}", encoding="utf-8")
    with pytest.raises(CollectionError, match=r"A.manifest.json: it cannot be read"):
        read_collection(tmp_path)
