"""The command as a process ends without being taken apart, and nothing is lost by that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SPECS = Path(__file__).parents[1] / "specs"
ENDS = """
import atexit, sys, threading, time
from rmqproof.model.cli import process
class Taken:
    def __del__(self): print("taken apart")
taken = Taken()
{before}
def main():
    atexit.register(print, "registered")
    threading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()
    print("unflushed", end=" ")
    {ending}
process.main = main
process.run()
"""


def ended(ending: str, before: str = "") -> tuple[int, str]:
    code = ENDS.format(ending=ending, before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.returncode, done.stdout


@pytest.mark.parametrize(("ending", "status"), [("sys.exit(12)", 12), ("sys.exit()", 0), ("sys.exit(0)", 0)])
def test_what_is_left_to_do_is_done(ending: str, status: int) -> None:
    assert ended(ending) == (status, "unflushed thread\nregistered\n")


@pytest.mark.parametrize(("ending", "status"), [("sys.exit('words')", 1), ("raise ValueError", 1), ("pass", 0)])
def test_other_ends_are_those_of_python(ending: str, status: int) -> None:
    found, printed = ended(ending)
    assert (found, printed.endswith("taken apart\n")) == (status, True)


def test_what_was_registered_before_is_done() -> None:
    status, printed = ended("sys.exit(3)", 'atexit.register(print, "before")')
    assert status == 3 and "before" in printed and "taken apart" in printed


@pytest.mark.parametrize(("arguments", "status"), [(("--version",), 0), (("check", "none.cfg"), 2), (("nothing",), 2)])
def test_exit_statuses_are_those_of_the_command(arguments: tuple[str, ...], status: int) -> None:
    done = subprocess.run([sys.executable, "-m", "rmqproof", *arguments], capture_output=True, text=True)
    assert done.returncode == status and bool(done.stdout) != bool(done.stderr)


def test_a_violation_is_the_status_of_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rmqproof", "check", str(SPECS / "DieHard.cfg")], capture_output=True, text=True
    )
    assert done.returncode == 12 and "NotSolved" in done.stdout
