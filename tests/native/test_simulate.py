"""Random behaviours in machine code are the Python engine's, choice by choice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.engine import NativeModel, permutations_of
from rmqproof.model.native.kernel import Kernel, kernel_of
from rmqproof.model.native.simulate import NativeSimulation
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST

TESTS = Path(__file__).parents[1]
LOCK = TESTS / "evaluate" / "specs" / "Lock.tla"
MODELS = [
    (TESTS / "specs" / "Paxos.tla", TESTS / "specs" / "Paxos.cfg"),
    (TESTS / "specs" / "DieHard.tla", TESTS / "specs" / "DieHard.cfg"),
    (TESTS / "specs" / "TwoPhaseCommit.tla", TESTS / "specs" / "TwoPhaseCommit7.cfg"),
    (LOCK, LOCK.with_name("LockConstrained.cfg")),
    (LOCK, LOCK.with_name("LockActionConstrained.cfg")),
    (Path(__file__).parent / "specs" / "Partial.tla", Path(__file__).parent / "specs" / "Partial.cfg"),
    (Path(__file__).parent / "specs" / "Structures.tla", Path(__file__).parent / "specs" / "Structures.cfg"),
]


def kernel(spec: Path, config: Path) -> tuple[PythonSystem, Kernel]:
    model = load_model(spec, config)
    system = system_of(model)
    native = NativeModel(model, model.check_deadlock, flags=FAST, group=permutations_of(system))
    native.compile()
    return system, kernel_of(native)


def told(result: Result) -> tuple[object, ...]:
    """Everything but the time and the engine's name; failures by their text."""
    failure = (str(result.failure.error), result.failure.behaviour) if result.failure is not None else None
    return (replace(result, seconds=0.0, engine="", failure=None), failure)


@pytest.mark.parametrize(("spec", "config"), MODELS, ids=lambda path: path.stem)
def test_behaviours_are_those_of_the_python_engine(spec: Path, config: Path) -> None:
    system, compiled = kernel(spec, config)
    for seed in range(4):
        swarm = bool(seed % 2)
        ours = NativeSimulation(compiled, system, behaviours=25, depth=30, seed=seed, swarm=swarm).run()
        theirs = Simulation(system, behaviours=25, depth=30, seed=seed, swarm=swarm).run()
        assert told(ours) == told(theirs)
        assert ours.engine == "native"


def test_a_violation_is_found_with_its_behaviour() -> None:
    system, compiled = kernel(TESTS / "specs" / "DieHard.tla", TESTS / "specs" / "DieHard.cfg")
    result = NativeSimulation(compiled, system, behaviours=2000, depth=200, seed=1).run()
    assert result.verdict is Verdict.SAFETY and len(result.behaviour) > 1
