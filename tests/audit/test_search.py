"""The searches that an audit makes of mutants."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof import load
from rmqproof.model.audit.audit import Budget, audit
from rmqproof.model.audit.scoring import Fate
from rmqproof.model.judge.judge import Judge

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"


def test_the_reference_evaluator_looks_at_no_mutant(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is for what `check` says of a model; an audit asks an engine some hundred times."""

    def never(*_: object) -> None:
        raise AssertionError("a mutant was judged")

    monkeypatch.setattr(Judge, "examined", never)
    found = audit(load(LOCK, LOCK.with_name("LockFair.cfg")).files, Budget(mutants=8))
    assert "EveryoneGetsIn" in found.properties
    assert len(found.trials) == 8
    assert any("EveryoneGetsIn" in trial.killers for trial in found.trials if trial.fate is Fate.KILLED)
