"""The compiled search in its process: when that dies, what is said, and who goes on."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.errors import Died
from rmqproof.model.native.run import Run
from rmqproof.model.search.control import Control, Tuning
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST
from tests.native.test_choice import PAXOS, SPECS, check

BAD = """
#include <signal.h>
#include <time.h>
#define clock_gettime(clock, time) raise(SIGSEGV)
"""


@pytest.fixture
def dying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled searches die as soon as they look at the clock."""
    header = tmp_path / "bad.h"
    header.write_text(BAD)
    monkeypatch.setenv("CC", f"cc -include {header}")
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))


def test_a_signal_ends_the_native_engine_with_a_system_error(dying: None) -> None:
    result, _ = check(PAXOS, "--engine", "native", status=153)
    assert result["result"] == "error" and "signal 11, SIGSEGV" in result["message"]


def test_after_a_signal_the_python_engine_takes_over(dying: None, tmp_path: Path) -> None:
    result, told = check(PAXOS, "--checkpoint", str(tmp_path / "saved"))  # then it is not there from the start
    assert (result["result"], result["engine"], result["distinctStates"]) == ("success", "python", 3921)
    assert "signal 11, SIGSEGV" in " ".join(told.split()) and "Python engine takes over" in " ".join(told.split())


def test_the_search_that_takes_over_is_saved_and_resumed(dying: None, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    first, _ = check(PAXOS, "--checkpoint", str(saved), "--max-states", "1000", status=152)
    assert first["engine"] == "python" and first["distinctStates"] < 3921
    again, told = check(PAXOS, "--checkpoint", str(saved), "--resume")
    assert (again["result"], again["engine"], again["distinctStates"]) == ("success", "python", 3921)
    assert "SIGSEGV" not in told and not saved.exists()


def compiled() -> NativeModel:
    model = load_model(SPECS / "Paxos.tla", SPECS / "Paxos.cfg")
    native = NativeModel(model, model.check_deadlock, flags=FAST)
    native.compile()
    return native


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT])
def test_who_asks_a_dead_process_is_told(number: signal.Signals) -> None:
    with Run(compiled(), 2) as run:
        run.go(0.0)
        os.kill(run.host.process, number)
        with pytest.raises(Died) as died:
            while True:
                run.numbers()
    assert f"signal {number.value}" in died.value.how and died.value.short_of_memory is (number is signal.SIGKILL)


class Kills:
    """Who watches a search, and ends its process."""

    def over(self, run: Run) -> bool:
        os.kill(run.host.process, signal.SIGKILL)
        return False

    def ended(self, run: Run, result: Result) -> None:
        raise AssertionError("the process is dead")


def test_short_of_memory_nobody_takes_over() -> None:
    native, soon = compiled(), Control(tuning=Tuning(slice=0.0, watched=0))
    result = NativeSearch(native, system_of(native.model), control=soon, watch=Kills()).run()
    assert result.verdict is Verdict.ERROR and "--memory" in result.message


def test_numbers_while_it_runs_and_an_end_at_any_time() -> None:
    """A search can be asked beside its long call, and a process that is closed leaves nobody waiting."""
    run = Run(compiled(), 1)
    ended = threading.Event()

    def go() -> None:
        with pytest.raises(Died):
            while True:
                run.go(3600.0)
        ended.set()

    thread = threading.Thread(target=go)
    thread.start()
    while run.numbers().distinct < 3921:
        pass
    run.close()
    thread.join()
    assert ended.is_set()
