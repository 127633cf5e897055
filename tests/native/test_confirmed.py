"""What the reference evaluator said of a search counts for the next one, as far as that has met the same states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.cache import keep_bytes, kept_bytes
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.judge.judge import Judge
from rmqproof.model.native.engine import NativeSearch
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.native.run import Run
from rmqproof.model.search.result import Result
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST

SPECS = Path(__file__).parents[1] / "specs"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RMQPROOF_CACHE", str(folder))
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each time that the reference evaluator is asked."""
    times: list[int] = []
    examine = Judge.examine

    def noted(judge, states, known, control):  # type: ignore[no-untyped-def]
        times.append(1)
        return examine(judge, states, known, control)

    monkeypatch.setattr(Judge, "examine", noted)
    return times


def searched(spec: Path, identity: str = "this text", workers: int = 2) -> Result:
    model = load_model(spec, spec.with_suffix(".cfg"))
    native = NativeModel(model, True, flags=FAST, identity=identity)
    native.compile()
    system = system_of(model)
    return NativeSearch(native, system, workers=workers, judge=Judge(model, system)).run()


def the_kept(cache: Path) -> str:
    (file,) = cache.glob("*.confirmed")
    return file.name


def test_the_reference_evaluator_is_asked_once(cache: Path, asked: list[int]) -> None:
    first = searched(SPECS / "TwoPhaseCommit.tla")
    assert first.judged.examined and first.judged.steps and len(asked) == 1
    assert searched(SPECS / "TwoPhaseCommit.tla").judged == first.judged
    assert len(asked) == 1
    searched(SPECS / "TwoPhaseCommit.tla", "another text")
    assert len(asked) == 2
    searched(SPECS / "TwoPhaseCommit.tla", "")
    searched(SPECS / "TwoPhaseCommit.tla", "")
    assert len(asked) == 4


def test_a_search_that_has_not_met_a_state_is_refuted(
    cache: Path, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    searched(SPECS / "TwoPhaseCommit.tla", workers=1)
    name = the_kept(cache)
    words = kept_bytes(name) or b""
    lost, met = words[-16:], Run.met

    def without(run: Run, states: bytes) -> bytearray:
        width = 8 * run.native.program.layout.words
        found = met(run, states)
        for place in range(len(found)):
            if states[place * width : (place + 1) * width].endswith(lost[-width:]):
                found[place] = 0
        return found

    monkeypatch.setattr(Run, "met", without)
    again = searched(SPECS / "TwoPhaseCommit.tla", workers=1)
    assert len(asked) == 2
    assert "the search has not met" in again.judged.refuted
    assert kept_bytes(name) == words


def test_what_is_kept_confirms_nothing_that_was_not_met(cache: Path, asked: list[int]) -> None:
    first = searched(SPECS / "TwoPhaseCommit.tla")
    name = the_kept(cache)
    words = kept_bytes(name) or b""
    keep_bytes(name, words + b"\xff" * 8 * ((len(words) - words.index(b"\n") - 1) // 8))
    assert searched(SPECS / "TwoPhaseCommit.tla").judged.examined == first.judged.examined
    assert len(asked) == 2  # and it is kept again
    searched(SPECS / "TwoPhaseCommit.tla")
    assert len(asked) == 2


def test_nothing_is_kept_where_a_view_says_which_states_differ(cache: Path, asked: list[int], tmp_path: Path) -> None:
    (tmp_path / "Seen.tla").write_text(
        "---- MODULE Seen ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n"
        "Next == x' = (x + 1) % 5 /\\ y' = (y + 1) % 2\nSeen == x\n====\n"
    )
    (tmp_path / "Seen.cfg").write_text("INIT Init\nNEXT Next\nVIEW Seen\n")
    searched(tmp_path / "Seen.tla")
    searched(tmp_path / "Seen.tla")
    assert len(asked) == 2 and not list(cache.glob("*.confirmed"))


def test_nothing_is_kept_of_an_answer_that_leaves_something_out(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be for want of memory, of which there is more the next time."""
    examine = Judge.examine

    def partly(judge, states, known, control):  # type: ignore[no-untyped-def]
        return replace(examine(judge, states, known, control), left_out="No more states were looked at.")

    with monkeypatch.context() as short_of_memory:
        short_of_memory.setattr(Judge, "examine", partly)
        assert searched(SPECS / "TwoPhaseCommit.tla").judged.left_out
    assert not list(cache.glob("*.confirmed"))
    assert not searched(SPECS / "TwoPhaseCommit.tla").judged.left_out
