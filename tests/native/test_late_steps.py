"""Steps that Python writes only when they are asked for: the same search, the same counterexample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.choice import native_model
from rmqproof.model.native.engine import NativeSearch
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import Result
from rmqproof.model.tla.model_files import find_models
from tests.native.differential import FAST

SPECS = sorted((Path(__file__).parents[1] / "specs").glob("*.cfg"))
LARGE = ("Paxos", "PaxosSymmetric", "InstanceForms", "TwoPhaseCommit7")
"""Or not compiled."""
ASSUMING = (
    "---- MODULE Assuming ----\nEXTENDS Integers\nCONSTANT N\nASSUME N > 1 /\\ \\A x \\in 1..N : x * x >= x\n"
    "VARIABLE x\nInit == x = 0\nUp == x < N /\\ x' = x + 1\nNever == x > N /\\ x' = 0\nNext == Up \\/ Never\n"
    "Small == x < N\n====\n"
)


def systems(config: Path) -> tuple[PythonSystem, PythonSystem]:
    (files,) = find_models([config])
    model = files.load()
    at_once = system_of(model)
    return at_once, system_of(model, known=at_once.actions)


def told(result: Result) -> Result:
    """Without what the clock says."""
    return replace(result, seconds=0.0)


@pytest.mark.parametrize(
    "config",
    [pytest.param(path, marks=[pytest.mark.large] * (path.stem == "TwoPhaseCommit7")) for path in SPECS],
    ids=lambda path: path.stem,
)
@pytest.mark.parametrize("early", (False, True), ids=("", "met-early"))
def test_python_finds_the_same(config: Path, early: bool) -> None:
    at_once, late = systems(config)
    assert late._written is None
    if early:  # a state from elsewhere, before there is code that may take some values only
        state = next(iter(at_once.initial_states()))
        assert late.values(late.state(at_once.values(state))) == at_once.values(state)
        assert late._written is None
    expected, found = (BreadthFirst(system).run() for system in (at_once, late))
    assert told(found) == told(expected) and late.actions == at_once.actions


@pytest.mark.parametrize("config", [path for path in SPECS if path.stem not in LARGE], ids=lambda path: path.stem)
def test_machine_code_finds_the_same(config: Path) -> None:
    """A counterexample, too, whose steps Python names."""
    results = []
    for system in systems(config):
        native = native_model(system.model, system, print)
        native.flags = FAST
        native.compile()
        results.append(told(NativeSearch(native, system).run()))
    assert results[0] == results[1]


def test_what_is_constant_asks_for_no_steps(tmp_path: Path) -> None:
    (tmp_path / "Assuming.tla").write_text(ASSUMING)
    (tmp_path / "Assuming.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Small\nCONSTANT N = 3\n")
    _, late = systems(tmp_path / "Assuming.cfg")
    assert all(late.constant_truth(assumption.body) for assumption in late.model.specification.assumptions)
    assert late._written is None and late.actions == ["Up", "Never"]
    native = native_model(late.model, late, print)
    native.flags = FAST
    native.compile()
    result = NativeSearch(native, late).run()
    assert [step.state[0] for step in result.behaviour] == [0, 1, 2, 3]
    assert [action.action for action in result.coverage] == ["Up", "Never"]
