"""A model that was compiled to C before is not compiled to C again, unless something about it has changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rmqproof.model.cache import keep, kept
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.native.representation import Capacity
from rmqproof.model.tla.model import load_model

SPECS = Path(__file__).parents[1] / "specs"
KEPT = "/* kept */"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path))
    return tmp_path


def test_a_program_is_remembered(cache: Path) -> None:
    model = load_model(SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit.cfg")
    first = NativeModel(model, True, identity="this text", arguments=True)
    first.generate()

    (file,) = cache.glob("*.json")
    content = json.loads(kept(file.name) or "")
    keep(file.name, json.dumps({**content, "source": content["source"] + KEPT}))
    again = NativeModel(model, True, identity="this text", arguments=True)
    again.generate()
    assert again.program.source == first.program.source + KEPT
    assert again.program.actions == first.program.actions
    assert again.program.signatures == first.program.signatures
    assert again.program.layout.spans == first.program.layout.spans
    assert again.program.layout.types == first.program.layout.types
    for other in (
        NativeModel(model, False, identity="this text", arguments=True),
        NativeModel(model, True, identity="this text"),
        NativeModel(model, True, identity="another text", arguments=True),
        NativeModel(model, True),
        NativeModel(model, True, identity="this text", arguments=True, capacity=Capacity(universe=2)),
    ):
        other.generate()
        assert not other.program.source.endswith(KEPT)


def test_what_is_damaged_is_made_again(cache: Path) -> None:
    model = load_model(SPECS / "DieHard.tla", SPECS / "DieHard.cfg")
    first = NativeModel(model, True, identity="this text")
    first.generate()
    (kept,) = cache.glob("*.json")
    kept.write_text(kept.read_text()[:-40])
    again = NativeModel(model, True, identity="this text")
    again.generate()
    assert again.program.source == first.program.source
