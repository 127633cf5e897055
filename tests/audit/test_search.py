"""The searches that an audit makes of mutants."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from rmqproof import load
from rmqproof.model.audit import team
from rmqproof.model.audit.audit import Budget, audit
from rmqproof.model.audit.mutation import Mutant
from rmqproof.model.audit.scoring import Fate, Original, Trial
from rmqproof.model.judge.judge import Judge
from rmqproof.model.tla.source import TlaError

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"


def test_the_reference_evaluator_looks_at_no_mutant(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is for what `check` says of a model; an audit asks an engine some hundred times."""

    def never(*_: object) -> None:
        raise AssertionError("a mutant was judged")

    monkeypatch.setattr(Judge, "examined", never)
    found = audit(load(LOCK, LOCK.with_name("LockFair.cfg")).files, Budget(mutants=8, workers=1))
    assert "EveryoneGetsIn" in found.properties
    assert len(found.trials) == 8
    assert any("EveryoneGetsIn" in trial.killers for trial in found.trials if trial.fate is Fate.KILLED)


def told(workers: int, mutants: int | None = None) -> list[tuple[object, ...]]:
    """What is said of each mutant, but for the mutant itself, which is another object each time."""
    found = audit(load(LOCK, LOCK.with_name("LockFixed.cfg")).files, Budget(mutants=mutants, workers=workers))
    return [(trial.mutant.number, trial.mutant.sentence, replace(trial, mutant=None)) for trial in found.trials]  # type: ignore[arg-type]


def test_any_number_of_processes_says_the_same() -> None:
    alone = told(1)
    assert len(alone) == 28
    assert told(3) == alone
    assert told(2, mutants=5) == alone[:5]


def test_a_process_that_is_killed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(team, "tried_one", killed)
    with pytest.raises(TlaError, match="was killed"):
        told(2)


def test_an_interruption_ends_the_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The process that asked is interrupted while the others are at work; they end, and what was found is told."""

    def slow(original: Original, mutant: Mutant) -> Trial | None:
        (tmp_path / str(os.getpid())).touch()
        while not original.over():
            time.sleep(0.01)
        return None

    monkeypatch.setattr(team, "tried_one", slow)

    def interrupt() -> None:
        while len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    Thread(target=interrupt, daemon=True).start()
    found = audit(load(LOCK, LOCK.with_name("LockFixed.cfg")).files, Budget(seconds=600, workers=2))
    assert found.interrupted
    assert found.trials == []
    for process in tmp_path.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(process.name), 0)


def test_liveness_that_does_not_hold_anyway_kills_no_mutant() -> None:
    """Under weak fairness somebody may wait for ever in the specification, too: that says nothing of a mutant."""
    found = audit(load(LOCK, LOCK.with_name("LockWeak.cfg")).files, Budget(mutants=8, workers=1))
    assert "EveryoneGetsIn" in found.violated
    assert found.trials and not any("EveryoneGetsIn" in trial.killers for trial in found.trials)
