"""Runs and implementations held to models in memory, by the library and by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof import AdapterError, Model, RunUnreadable, conform, load, prove, validate
from rmqproof.conformance.runs.validation import Answer
from rmqproof.model.cli import main

COUNTER = r"""
---- MODULE Counter ----
EXTENDS Limits
VARIABLE x
Init == x = 0
Up(n) == x + n <= Limit /\ x' = x + n
Next == \E n \in {1, 2} : Up(n)
====
"""
LIMITS = "---- MODULE Limits ----\nEXTENDS Naturals\nLimit == 3\n===="
CONFIG = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n"
RUN: list[dict[str, object]] = [
    {"node": "n", "action": "Up", "arguments": [2], "state": {"x": 2}},
    {"node": "n", "action": "Up", "arguments": [1]},
]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def counter() -> Model:
    return load(COUNTER, CONFIG, modules={"Limits": LIMITS})


def run(path: Path, lines: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_run_is_validated_with_a_model_in_memory(tmp_path: Path) -> None:
    path = run(tmp_path / "run.ndjson", RUN)
    assert validate(path, counter()).answer is Answer.YES
    assert validate(path, counter().override(operators={"Limit": "2"})).answer is Answer.NO
    again = run(tmp_path / "again.ndjson", [*RUN, RUN[1]])
    assert validate(again, counter()).answer is Answer.NO


def test_an_override_of_a_model_wins_over_its_configuration_also_in_a_run(tmp_path: Path) -> None:
    model = load(COUNTER.replace("EXTENDS Limits", "EXTENDS Naturals\nCONSTANT Limit"), CONFIG + "CONSTANT Limit = 1\n")
    path = run(tmp_path / "run.ndjson", RUN)
    assert validate(path, model).answer is Answer.NO
    assert validate(path, model.override(constants={"Limit": 3})).answer is Answer.YES
    assert validate(path, model, constants={"Limit": 3}).answer is Answer.YES


def test_what_is_no_run_and_what_is_no_adapter_have_errors_of_their_own(tmp_path: Path) -> None:
    empty = run(tmp_path / "empty.ndjson", [])
    with pytest.raises(RunUnreadable):
        validate(empty, counter())
    with pytest.raises(AdapterError, match="no module"):
        conform(counter(), "nowhere.at_all:Adapter")


def test_a_lemma_of_a_module_in_memory_is_proved() -> None:
    text = COUNTER.replace("====", "THEOREM Grows == \\A n \\in Nat : n + 1 > n\n====")
    assert prove(load(text, CONFIG, modules={"Limits": LIMITS}), remember=False)["Grows"]


@pytest.mark.parametrize("command", ["validate", "graph", "conform"])
def test_modules_of_a_library_are_found_by_every_command(command: str, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "Limits.tla").write_text(LIMITS, encoding="utf-8")
    (tmp_path / "Counter.tla").write_text(COUNTER, encoding="utf-8")
    (tmp_path / "Counter.cfg").write_text(CONFIG, encoding="utf-8")
    path = run(tmp_path / "run.ndjson", RUN)
    words = {
        "validate": [str(path), "--spec", "Counter.tla"],
        "graph": ["Counter.tla", "-o", "counter.dot"],
        "conform": ["Counter.tla", "--quiet"],
    }[command]
    without = CliRunner().invoke(main, [command, *words])
    assert without.exit_code == 150 and "Limits" in without.output
    found = CliRunner().invoke(main, [command, *words, "--library", "parts"])
    # the reference implementation is none of a counter
    assert found.exit_code == (1 if command == "conform" else 0), found.output
    assert command != "conform" or "Name the implementation of this model" in found.output
