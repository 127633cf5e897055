"""A model that was compiled to C before is not compiled to C again, unless something about it has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.native import native_model
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.tla.model import load_model

SPECS = Path(__file__).parents[1] / "specs"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path))
    return tmp_path


def test_a_program_is_remembered(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit.cfg")
    first = NativeModel(model, True, identity="this text", arguments=True)
    first.generate()

    def generated(*_: object, **__: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(native_model, "compile_model", generated)
    again = NativeModel(model, True, identity="this text", arguments=True)
    again.generate()
    assert again.program.source == first.program.source
    assert again.program.actions == first.program.actions
    assert again.program.signatures == first.program.signatures
    assert again.program.layout.spans == first.program.layout.spans
    assert again.program.layout.types == first.program.layout.types
    for other in (
        NativeModel(model, False, identity="this text", arguments=True),
        NativeModel(model, True, identity="this text"),
        NativeModel(model, True, identity="another text", arguments=True),
        NativeModel(model, True),
    ):
        with pytest.raises(AssertionError, match="compiled again"):
            other.generate()


def test_what_is_damaged_is_made_again(cache: Path) -> None:
    model = load_model(SPECS / "DieHard.tla", SPECS / "DieHard.cfg")
    first = NativeModel(model, True, identity="this text")
    first.generate()
    (kept,) = cache.glob("*.json")
    kept.write_text(kept.read_text()[:-40])
    again = NativeModel(model, True, identity="this text")
    again.generate()
    assert again.program.source == first.program.source
