"""The inductive invariant: it holds where everything is explored, and quick questions about it are answered.

The proof of all its steps takes minutes of two processors: `rmqproof prove spec/lemmas/InductiveInvariant.tla`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.prove.modules import LEMMAS, chosen, open_module
from rmqproof.model.prove.problem import problems_of
from rmqproof.model.prove.settle import PROVED, prove_problem, settle
from rmqproof.model.tla.library import PROTOCOL

DISTINCT = {"ThreeBrokersCrash": 23423, "TwoBrokersFineSteps": 20356}
MODULE = LEMMAS / "InductiveInvariant.tla"


@pytest.mark.parametrize("name", ["InvHoldsInitially", "InvImpliesOneMasterPerEpoch", "InvImpliesLogMatching"])
def test_base_and_consequences(name: str) -> None:
    subject = open_module(MODULE)
    verdict = settle(subject, chosen(subject, (name,))[0], 20)
    assert (verdict.verdict, verdict.satisfiable) == (PROVED, True)


def test_steps_of_the_controller_that_touch_little() -> None:
    """Heartbeats, accepted requests: the first of the ways to take Next, and one that asks Z3."""
    subject = open_module(MODULE)
    (lemma,) = chosen(subject, ("InvIsInductive",))
    for problem in problems_of(subject, lemma, None):
        if problem.step is not None and problem.step.action in ("HeartbeatArrives", "ControllerElectsMaster"):
            parts = prove_problem(problem, 20)
            assert all(part.verdict == PROVED for part in parts)
            if problem.step.action == "ControllerElectsMaster":
                break


@pytest.mark.parametrize("config", ["ThreeBrokersCrash", "TwoBrokersFineSteps"])
def test_holds_in_every_reachable_state(tmp_path: Path, config: str) -> None:
    text = (PROTOCOL / f"{config}.cfg").read_text(encoding="utf-8")
    text = re.sub(r"INVARIANTS\n(?:  \w+\n)+", "INVARIANTS Inv\n", text)
    target = tmp_path / "Inv.cfg"
    target.write_text(text)
    out = tmp_path / "result.json"
    result = CliRunner().invoke(check, [str(MODULE), "--config", str(target), "--workers", "1", "--json", str(out)])
    assert result.exit_code == 0, result.output
    found = json.loads(out.read_text())
    assert found["result"] == "success"
    assert found["distinctStates"] == DISTINCT[config]
