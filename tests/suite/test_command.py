"""`rmqproof suite` end to end: a small collection, each model in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

COUNTER = r"""
---- MODULE Counter ----
EXTENDS Naturals
VARIABLE n
Init == n = 0
Next == n' = (n + 1) % 5
Spec == Init /\ [][Next]_n /\ WF_n(Next)
Small == n < 4
Returns == []<>(n = 0)
Stays == <>[](n = 0)
====
"""
ENDLESS = r"""
---- MODULE Endless ----
EXTENDS Naturals
VARIABLE n
Init == n = 0
Next == n' = n + 1
====
"""
STUCK = r"""
---- MODULE Stuck ----
VARIABLE n
Init == n = "on"
Next == n = "on" /\ n' = "off"
====
"""


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("collection")
    place = root / "specifications" / "Toys"
    place.mkdir(parents=True)
    behaviour = "INIT Init\nNEXT Next\n"
    files = {
        "Counter.tla": COUNTER,
        "Counter.cfg": behaviour,
        "Wrong.cfg": behaviour,
        "Live.cfg": "SPECIFICATION Spec\nPROPERTY Returns\n",
        "Never.cfg": "SPECIFICATION Spec\nPROPERTY Stays\n",
        "Violated.cfg": behaviour + "INVARIANT Small\n",
        "Broken.cfg": behaviour + "INVARIANT Nowhere\n",
        "Stuck.tla": STUCK,
        "Stuck.cfg": behaviour,
        "Free.cfg": behaviour + "CHECK_DEADLOCK FALSE\n",
    }
    for name, text in files.items():
        (place / name).write_text(text.strip() + "\n", encoding="utf-8")
    endless = root / "specifications" / "Long"
    endless.mkdir()
    (endless / "Endless.tla").write_text(f"{ENDLESS.strip()}\n", encoding="utf-8")
    (endless / "Endless.cfg").write_text(behaviour, encoding="utf-8")

    def model(config: str, folder: str = "Toys", **more: Any) -> dict[str, Any]:
        path = f"specifications/{folder}/{config}.cfg"
        return {"path": path, "runtime": "00:00:01", "mode": "exhaustive search", "result": "success"} | more

    five = {"distinctStates": 5, "totalStates": 6, "stateDepth": 5}
    modules = {
        "Counter": [
            model("Counter", **five),
            model("Wrong", **five | {"distinctStates": 6}),
            model("Live", **five),
            model("Never", result="liveness failure"),
            model("Violated", result="safety failure"),
            model("Broken"),
        ],
        "Stuck": [model("Stuck", result="deadlock failure"), model("Free", distinctStates=2, totalStates=2)],
    }
    content = {
        "modules": [
            {"path": f"specifications/Toys/{name}.tla", "features": [], "models": models}
            for name, models in modules.items()
        ]
    }
    long = {"path": "specifications/Long/Endless.tla", "features": [], "models": [model("Endless", "Long")]}
    content["modules"].append(long)
    (place / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    return root


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["suite", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_every_model_is_judged(collection: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    limits = ("--max-seconds", "600", "--workers", "2")
    status, text, progress = run(str(collection), "--only", "toys/", *limits, "--json", str(answer))
    assert status == 1
    assert "6 equal, 2 different, 0 skipped." in text
    assert "STATES OR A FAILURE WERE MISSED: Toys/Counter:Wrong" in text.replace("\n", " ")
    assert progress.count("/8] Toys/") == 8
    found = {model["model"]: model for model in json.loads(answer.read_text())["models"]}
    standing = {name: model["standing"] for name, model in found.items()}
    assert standing == {
        "Toys/Counter": "equal",
        "Toys/Counter:Wrong": "different",
        "Toys/Counter:Live": "equal",
        "Toys/Counter:Never": "equal",
        "Toys/Counter:Violated": "equal",
        "Toys/Counter:Broken": "different",
        "Toys/Stuck": "equal",
        "Toys/Stuck:Free": "equal",
    }
    assert found["Toys/Counter:Wrong"]["reason"] == "distinct 5 instead of 6"
    assert found["Toys/Counter:Live"]["livenessNotChecked"] == []
    assert "Nowhere" in found["Toys/Counter:Broken"]["message"]


def test_a_model_without_an_end_is_skipped(collection: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    status, text, _ = run(str(collection), "--only", "endless", "--max-seconds", "1", "--json", str(answer))
    assert status == 0
    assert "0 equal, 0 different, 1 skipped: 1 time out." in text
    (found,) = json.loads(answer.read_text())["models"]
    assert found["standing"] == "skipped" and found["reason"].startswith("time out")


def test_a_collection_that_is_equal_succeeds(collection: Path) -> None:
    status, text, _ = run(str(collection), "--only", "stuck:free")
    assert status == 0
    assert "1 equal, 0 different, 0 skipped." in text


def test_wrong_usage(collection: Path, tmp_path: Path) -> None:
    assert run(str(tmp_path))[0] == 2
    assert run(str(collection), "--only", "no such model")[0] == 2
