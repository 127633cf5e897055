"""Where a system has no fork, no alarms, no locks and no users, as Windows: what works, and what says that it does not.

It is Linux with these taken away, so it shows that nothing asks for them, not that all else of such a system is right.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.model.tla.library import bundled

SPECS = Path(__file__).parents[1] / "specs"
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial"
TAKEN_AWAY = """
import os, signal, subprocess, sys
sys.modules["fcntl"] = None
for name in ("fork", "geteuid", "getuid", "sched_getaffinity", "killpg", "setsid", "pread"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "setitimer", "ITIMER_REAL", "SIGKILL", "pthread_sigmask"):
    delattr(signal, name)
subprocess.Popen.kill = subprocess.Popen.terminate  # so it is there
from rmqproof.model.cli import main
from rmqproof.model.tla.library import bundled
main()
"""


def run(*arguments: object) -> tuple[int, str]:
    command = [sys.executable, "-c", TAKEN_AWAY, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "Traceback" not in done.stderr and "a defect of rmqproof" not in done.stderr, done.stderr
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_a_model_is_checked_in_python() -> None:
    status, said = run("check", SPECS / "DieHard.cfg", "--workers", 4)
    assert (status, "14 distinct" in said, "a behaviour of 7 states" in said) == (12, True, True)
    status, said = run("check", TUTORIAL / "LockFair.cfg", "--max-seconds", 100)
    assert (status, "8 distinct" in said) == (0, True)


def test_a_larger_model_stays_in_python() -> None:
    status, said = run("check", bundled("TwoBrokers.cfg"), "--max-states", 12000)
    assert (status, "12,000 distinct" in said, "python, 1 worker" in said) == (152, True, True)


def test_a_run_is_validated(tmp_path: Path) -> None:
    given = (TUTORIAL / "run.ndjson", "--spec", TUTORIAL / "Lock.tla", "--config", TUTORIAL / "LockFixed.cfg")
    status, said = run("validate", *given, "--out", tmp_path)
    assert (status, 'at[w] is "idle"' in said) == (1, True)


def test_lemmas_are_proved_in_this_process() -> None:
    status, said = run("prove", bundled("ConfirmOffsetLemmas.tla"), "--lemma", "SmallestAckAdvances")
    assert status == 0 and "1 proved" in said, said


def test_an_implementation_conforms() -> None:
    status, said = run("conform", "--max-states", 5, "--quiet")
    assert "no difference so far" in said, (status, said)


@pytest.mark.large
def test_a_program_conforms_or_ends() -> None:
    kit = Path(__file__).parents[1] / "conformance" / "kit"
    words = ("conform", kit / "Lock.tla", "--workers", 1)
    status, said = run(*words, "--adapter-command", f"{sys.executable} {kit / 'lock.py'}")
    assert status == 0 and "72 of 72 edges" in said, said
    ends = "import sys; input(); sys.stderr.write('no room'); sys.exit(3)"
    status, said = run(*words, "--adapter-command", f'{sys.executable} -c "{ends}"')
    assert status == 1 and "ended with exit status 3; its last lines on standard error: no room" in said, said


@pytest.mark.large
def test_settings_are_assessed() -> None:
    asked = ("--question", "lose-acknowledged", "--faults", "process-crash")
    status, said = run("assess", TUTORIAL.parent / "how-to" / "files" / "broker.conf", *asked)
    assert status == 0 and "Decided by: " in said, said


@pytest.mark.parametrize(
    ("command", "status", "words"),
    [
        (("check", SPECS / "DieHard.cfg", "--engine", "native"), 153, "Machine code needs a POSIX system"),
        (("check", SPECS / "DieHard.cfg", "--checkpoint", "saved"), 2, "no search is saved"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_says_so(
    command: tuple[object, ...], status: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found, said = run(*command)
    assert (found, words in said) == (status, True), said
