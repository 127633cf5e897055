"""`--continue`: every property gets its verdict in one exploration, the Python engine's."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.saved import Folder
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import PropertyKind
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST, interpreted, native, outcome

OWN = Path(__file__).parent / "specs"


@pytest.mark.parametrize("name", ["GoesOn", "Broken", "BrokenStart", "BrokenStep", "CutAndBroken", "Stuck"])
def test_every_property_is_judged(name: str) -> None:
    model = load_model(OWN / f"{name}.tla", OWN / f"{name}.cfg")
    expected = interpreted(model, keep_going=True)
    for workers in (1, 3):
        found = native(model, workers, keep_going=True)
        assert outcome(found.result) == outcome(expected.result)
        assert found.states == expected.states


def test_the_first_of_each_in_the_order_in_which_they_are_met() -> None:
    model = load_model(OWN / "GoesOn.tla", OWN / "GoesOn.cfg")
    result = native(model, keep_going=True).result
    found = [(violation.name, violation.depth) for violation in result.violations]
    assert found == [("Start", 1), ("Props", 1), ("Small", 7), ("NoTwo", 7), ("Never", 12)]
    assert result.violations[1].kind is PropertyKind.INITIAL
    assert result.exhaustive and result.queue == 0


def test_a_search_that_goes_on_is_resumed(tmp_path: Path) -> None:
    """What was met before the stop is kept."""
    model = load_model(OWN / "GoesOn.tla", OWN / "GoesOn.cfg")
    system, folder = system_of(model), Folder(tmp_path, "model")
    compiled = NativeModel(model, model.check_deadlock, flags=FAST)
    compiled.compile()
    first = NativeSearch(compiled, system, folder=folder, control=Control(max_states=30), keep_going=True).run()
    assert len(first.violations) == 4 and folder.exists
    with pytest.raises(CheckpointError, match="resume it with --continue"):
        NativeSearch(compiled, system, folder=folder, resume=True).run()
    result = NativeSearch(compiled, system, workers=2, folder=folder, resume=True, keep_going=True).run()
    assert outcome(result) == outcome(interpreted(model, keep_going=True).result)
