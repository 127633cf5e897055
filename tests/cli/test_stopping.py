"""Limits and Ctrl-C, also in the middle of one state that has very many successors or takes very long."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.check import Making
from rmqproof.model.checking.interrupts import TOGETHER, interruptible, once, raising
from rmqproof.model.cli.commands.check import command
from rmqproof.model.cli.termination import requests_raise
from rmqproof.model.native import program
from rmqproof.model.native.description import Program
from rmqproof.model.search.control import Control, Halted, Tuning
from tests.observing import wait_until

LIMIT = 152

HEAD = "---- MODULE Long ----\nEXTENDS Naturals, FiniteSets\nVARIABLES x, y\nInv == x \\in Nat\n"
TAIL = "\n====\n"
CONFIG = "INIT Init\nNEXT Next\nINVARIANT Inv\n"

LONG = {
    "many initial states": "Init == x \\in 1..100000 /\\ y \\in 1..100000\nNext == UNCHANGED <<x, y>>",
    "one initial state, found late": (
        "Init == x = 0 /\\ y \\in {s \\in SUBSET (1..60) : Cardinality(s) = 61}\nNext == UNCHANGED <<x, y>>"
    ),
    "many successors": "Init == x = 0 /\\ y = 0\nNext == x' \\in 1..100000 /\\ y' \\in 1..100000",
    "a successor that is found late": (
        "Init == x = 0 /\\ y = 0\nNext == x' = 1 /\\ \\E s \\in SUBSET (1..60) : Cardinality(s) = 61 /\\ y' = 0"
    ),
    "an invariant that takes long": (
        "Init == x = 0 /\\ y = 0\nNext == x' = x + 1 /\\ UNCHANGED y\n"
        "Long == \\A s \\in SUBSET (1..60) : Cardinality(s) < 61"
    ),
}


def written(folder: Path, body: str) -> Path:
    (folder / "Long.tla").write_text(HEAD + body + TAIL)
    (folder / "Long.cfg").write_text(CONFIG + ("INVARIANT Long\n" if "Long ==" in body else ""))
    return folder / "Long.tla"


class _Inside(list[bool]):
    """`Control.inside`: a real SIGINT comes when the search goes into a state for the so-manieth time."""

    def __init__(self, entries: int) -> None:
        super().__init__([False])
        self.left = entries

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)
        self.left -= value
        if value and self.left == 0:
            signal.raise_signal(signal.SIGINT)


def interrupted(entry: int, control: type[Control] = Control) -> Making:
    """The search is, as it goes into a state for the so-manieth time."""
    return Making(control=lambda **given: control(**given, inside=_Inside(entry)))


def inside(kind: str) -> int:
    """When the search goes into the state that never ends."""
    return 2 if "successor" in kind else 1


def checked(spec: Path, *options: str, grace: float = 0.3, making: Making | None = None) -> tuple[int, dict[str, Any]]:
    """The exit status and the answer. That there are any is half of the test: the search has no other end.

    A state may take so many seconds more to come to its end."""
    answer, words = spec.with_suffix(".json"), ["--grace", str(grace), *options]
    result = CliRunner().invoke(command, [str(spec), "--json", str(answer), *words], obj=making)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.exit_code, json.loads(answer.read_text())


def assert_stopped(answer: dict[str, Any]) -> None:
    assert answer["result"] == "error"
    assert answer["exhaustive"] is False


@pytest.mark.parametrize("kind", LONG)
def test_ctrl_c_inside_a_state(tmp_path: Path, kind: str) -> None:
    spec, making = written(tmp_path, LONG[kind]), interrupted(inside(kind))
    status, answer = checked(spec, "--engine", "python", "--checkpoint", str(tmp_path / "saved"), making=making)
    assert status == exit_status.INTERRUPTED
    assert_stopped(answer)
    assert "in the middle of a state" in answer["message"]
    assert not (tmp_path / "saved" / "manifest.json").exists(), "half a state is never saved"


class _LateAlarm(Control):
    """A real SIGALRM comes while the search unwinds, as when its garbage takes longer than the time it gets."""

    def must_stop(self, distinct: int) -> bool:
        if isinstance(sys.exception(), Halted):
            signal.raise_signal(signal.SIGALRM)
        return super().must_stop(distinct)


def test_an_alarm_while_a_search_unwinds(tmp_path: Path) -> None:
    spec, making = written(tmp_path, LONG["many successors"]), interrupted(2, _LateAlarm)
    status, answer = checked(spec, "--engine", "python", grace=1e6, making=making)
    assert status == exit_status.INTERRUPTED
    assert_stopped(answer)
    assert "in the middle of a state" in answer["message"]


def test_an_alarm_once_every_state_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No state is halved by it: the search can be saved."""
    collected = gc.set_threshold

    def late(*thresholds: int) -> None:
        collected(*thresholds)
        signal.raise_signal(signal.SIGALRM)

    monkeypatch.setattr(gc, "set_threshold", late)
    spec = written(tmp_path, "Init == x = 0 /\\ y = 0\nNext == x' = 1 - x /\\ UNCHANGED y")
    saved = tmp_path / "saved"
    words = ("--engine", "python", "--checkpoint", str(saved))
    status, answer = checked(spec, *words, grace=1e6, making=interrupted(3))
    assert status == exit_status.INTERRUPTED
    assert_stopped(answer)
    assert "in the middle" not in answer["message"]
    assert (saved / "manifest.json").exists()


@pytest.mark.parametrize("kind", ["many initial states", "a successor that is found late"])
@pytest.mark.parametrize("engine", ["auto", "python"])
def test_the_time_is_over_inside_a_state(tmp_path: Path, kind: str, engine: str) -> None:
    status, answer = checked(written(tmp_path, LONG[kind]), "--max-seconds", "0.5", "--engine", engine)
    assert status == LIMIT
    assert_stopped(answer)


@pytest.mark.parametrize("kind", ["subsets that are initial states", "a slow invariant", "a slow constant"])
def test_the_time_is_over_inside_a_state_in_machine_code(tmp_path: Path, kind: str) -> None:
    """Nor does a thread go on behind it."""
    body = {
        "subsets that are initial states": "Init == x \\in SUBSET (1..40) /\\ y = 0\nNext == UNCHANGED <<x, y>>",
        "a slow invariant": LONG["an invariant that takes long"].replace("1..60", "1..40").replace("s) <", "s) - x <"),
        "a slow constant": LONG["an invariant that takes long"].replace("1..60", "1..40"),
    }[kind]
    if kind != "subsets that are initial states":
        body = body.replace("x' = x + 1", "x' = (x + 1) % 3")
    spec = written(tmp_path, body)
    (tmp_path / "Long.tla").write_text(spec.read_text().replace("Inv == x \\in Nat", "Inv == TRUE"))
    status, answer = checked(spec, "--max-seconds", "0.5", "--engine", "native")
    assert status == LIMIT
    assert_stopped(answer)
    assert answer["engine"] == "native" and "in the middle of a state" in answer["message"]
    for thread in threading.enumerate():
        if thread.name == "search":
            thread.join()


@pytest.mark.parametrize("kind", ["many initial states", "many successors"])
def test_so_many_states_are_enough_inside_a_state(tmp_path: Path, kind: str) -> None:
    spec = written(tmp_path, LONG[kind])
    status, answer = checked(spec, "--max-states", "5000", "--engine", "python")
    assert status == LIMIT
    assert_stopped(answer)
    assert 5000 <= answer["distinctStates"] < 7000


def test_memory_does_not_grow_with_what_is_still_to_come(tmp_path: Path) -> None:
    """A state with many times as many successors as are found at once, all of them known."""
    body = "Init == x = 0 /\\ y = 0\nNext == x' \\in 0..1 /\\ \\E k \\in 1..10000000000 : y' = k % 2"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, answer = checked(written(tmp_path, body), "--engine", "python", "--max-seconds", "3")
    assert_stopped(answer)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000, "kilobytes"


@pytest.mark.parametrize("kind", ["many initial states", "many successors", "a successor that is found late"])
def test_ctrl_c_ends_a_simulation(tmp_path: Path, kind: str) -> None:
    words = ("--engine", "python", "--simulate", "1000000", "--depth", "1000")
    status, answer = checked(written(tmp_path, LONG[kind]), *words, making=interrupted(1))
    assert status == exit_status.INTERRUPTED
    assert_stopped(answer)


class _Impatient(Control):
    def alarm(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_a_second_ctrl_c_does_not_wait(tmp_path: Path) -> None:
    """It ends the search also where the end of the time that a state gets would not."""
    kind = "a successor that is found late"
    making = interrupted(inside(kind), _Impatient)
    status, answer = checked(written(tmp_path, LONG[kind]), "--engine", "python", making=making)
    assert status == exit_status.INTERRUPTED
    assert_stopped(answer)


def test_a_ctrl_c_that_is_handed_on_twice_is_one() -> None:
    """As `timeout` and `uv run` do; one that comes later is another."""
    handled: list[int] = []
    times = iter([0.0, TOGETHER / 2, TOGETHER, 1.0])
    told = once(lambda number, frame: handled.append(number), lambda: next(times))
    for number in range(4):
        told(number, None)
    assert handled == [0, 2, 3]


def test_ctrl_c_as_a_user_gives_it(tmp_path: Path) -> None:
    """From outside, with the time that the search really gets to end its state."""
    spec = written(tmp_path, LONG["many initial states"])
    process = subprocess.Popen(
        [sys.executable, "-m", "rmqproof", "check", str(spec)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert wait_until(lambda: _catches(process.pid, signal.SIGALRM), process)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate()
    assert process.returncode == exit_status.INTERRUPTED
    assert "Traceback" not in said
    assert "interrupted" in said


def _catches(process: int, number: signal.Signals) -> bool:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    mask = next(int(line.split()[1], 16) for line in lines if line.startswith("SigCgt"))
    return bool(mask >> (number - 1) & 1)


COMPILER = """#!/bin/sh
if [ "$1" = --version ]; then echo a compiler that takes its time; exit; fi
echo $$ >> {folder}/started
kill -{number} $PPID
exec cat {folder}/never
"""


@pytest.mark.parametrize("number", ["INT", "TERM"])
@pytest.mark.parametrize("options", [(), ("--checkpoint",), ("--simulate", "100000", "--depth", "1000")])
def test_an_interrupt_while_the_model_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str, options: tuple[str, ...]
) -> None:
    """The signal comes from the compiler, which would never end by itself."""
    os.mkfifo(tmp_path / "never")
    compiler = tmp_path / "compiler"
    compiler.write_text(COMPILER.format(folder=tmp_path, number=number))
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    saved = tmp_path / "saved"
    spec = written(tmp_path, "Init == x = 0 /\\ y = 0\nNext == x' = 1 - x /\\ UNCHANGED y")
    options = (*options, str(saved)) if options == ("--checkpoint",) else options
    status, answer = checked(spec, "--engine", "native", *options)
    assert status == exit_status.INTERRUPTED
    assert_stopped(answer)
    assert "while the model was compiled" in answer["message"] and answer["distinctStates"] == 0
    assert not (saved / "manifest.json").exists()
    (process,) = (tmp_path / "started").read_text().split()
    with pytest.raises(ProcessLookupError):
        os.kill(int(process), 0)


def test_an_interrupt_while_c_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*given: object, **more: object) -> Program:
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError("it goes on")

    monkeypatch.setattr(program, "compile_model", endless)
    spec = written(tmp_path, "Init == x = 0 /\\ y = 0\nNext == x' = 1 - x /\\ UNCHANGED <<y, y>>")
    status, answer = checked(spec, "--engine", "native")
    assert status == exit_status.INTERRUPTED
    assert_stopped(answer)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_a_specification_is_read(tmp_path: Path, number: signal.Signals) -> None:
    """A request to terminate was obeyed by the signal itself."""
    (tmp_path / "Slow.cfg").write_text("INIT Init\nNEXT Next\n")
    os.mkfifo(tmp_path / "Slow.tla")
    words = [sys.executable, "-m", "rmqproof", "check", str(tmp_path / "Slow.tla")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with (tmp_path / "Slow.tla").open("w") as text:  # is open once somebody reads it
        text.write("---- MODULE Slow ----\n")
        text.flush()
        process.send_signal(number)
    assert process.communicate() == ("", "Interrupted.\n")
    assert process.returncode == exit_status.INTERRUPTED


def test_processes_that_are_forked_end_by_a_request() -> None:
    """A worker that does not come back to Python ends as ever when its team is ended."""
    with requests_raise():
        child = os.fork()
        if child == 0:
            signal.pause()
            os._exit(0)
        os.kill(child, signal.SIGTERM)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM


@pytest.mark.parametrize("name", ["Long.tla", "Long.cfg"])
@pytest.mark.parametrize("kind", ["binary", "a folder", "no permission"])
def test_files_that_cannot_be_read(tmp_path: Path, name: str, kind: str) -> None:
    spec = written(tmp_path, "Init == x = 0 /\\ y = 0\nNext == UNCHANGED <<x, y>>")
    path = tmp_path / name
    if kind == "no permission":
        if os.geteuid() == 0:
            pytest.skip("nothing is forbidden to the superuser")
        path.chmod(0)
    else:
        path.unlink()
        path.write_bytes(bytes(range(256)) * 20) if kind == "binary" else path.mkdir()
    result = CliRunner().invoke(command, [str(spec)])
    assert isinstance(result.exception, SystemExit), result.output
    assert result.exit_code in (2, 150, 151, exit_status.SYSTEM)
    assert name in result.output


class _Deleted:
    """What a weak reference refers to."""


def _spin(seconds: float = 60.0) -> None:
    """Until something is raised here, as by an alarm."""
    end = monotonic() + seconds
    while monotonic() < end:
        pass


@pytest.mark.parametrize("kind", [Halted, KeyboardInterrupt])
def test_what_is_raised_while_an_object_is_deleted_is_raised_again(
    kind: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    """Python tells of it and goes on: a search inside of a long state was not to be stopped any more."""
    control = Control(tuning=Tuning(grace=0.01))
    control.inside[0] = True
    before = sys.unraisablehook
    called: list[bool] = []

    def callback(_: object) -> None:
        called.append(True)
        signal.raise_signal(signal.SIGINT)
        _spin()

    with pytest.raises(kind), interruptible(control) if kind is Halted else raising():
        deleted = _Deleted()
        kept = weakref.ref(deleted, callback)
        del deleted
        assert called and kept() is None
        _spin()
    assert sys.unraisablehook is before
    assert capsys.readouterr().err == ""


class _WhileJudged(Control):
    """A real SIGINT comes when the reference evaluator begins to look at states of a success."""

    def unless_interrupted(self, ask: Callable[[], Any], instead: Callable[[], Any]) -> Any:
        def interrupted_ask() -> Any:
            signal.raise_signal(signal.SIGINT)
            return ask()

        return super().unless_interrupted(interrupted_ask, instead)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_ctrl_c_while_the_reference_evaluator_looks_at_states(tmp_path: Path, engine: str) -> None:
    """Nothing is left of the search by then: its result stays, and says what was not looked at."""
    spec = written(tmp_path, "Init == x = 0 /\\ y = 0\nNext == x' = 1 - x /\\ UNCHANGED y")
    status, answer = checked(spec, "--engine", engine, grace=1e6, making=Making(control=_WhileJudged))
    assert (status, answer["result"], answer["engine"]) == (0, "success", engine)
    assert "it was interrupted" in answer["reference"]["leftOut"]
