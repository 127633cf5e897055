"""`kill -9` of the driver while Spark is in the middle of a level; then the same command with --resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.observing import wait_until

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.large]
SPEC = Path(__file__).parents[2] / "specs" / "TwoPhaseCommit7.cfg"
COUNTS = (296448, 2744706, 23)


def check(store: Path, *more: str) -> list[str]:
    command = [sys.executable, "-m", "rmqproof", "check", str(SPEC), "--engine", "spark", "--master", "local[2]"]
    return [*command, "--store", str(store), "--partitions", "3", "--hand-over", "3000", "--quiet", *more]


def levels_told(store: Path) -> int:
    """How many levels the manifest speaks of."""
    try:
        return len(json.loads((store / "manifest.json").read_text())["store"]["levels"])
    except FileNotFoundError:
        return 0


def is_in_the_middle(store: Path, past: int) -> bool:
    """A job of several levels has written some, and the manifest, which is `past` a level, does not speak of them."""
    told = levels_told(store)
    return told > past and (store / "states" / f"level={told + 2:05}").exists()


def family(process: int) -> list[int]:
    """The processes that come from one."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def kill_in_the_middle(store: Path, past: int, *more: str) -> tuple[int, list[int]]:
    """Start the search and kill its driver there. Returns what the manifest spoke of, and the driver's children."""
    process = subprocess.Popen(check(store, *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert wait_until(lambda: is_in_the_middle(store, past), process), process.stderr.read()
        children = family(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    assert process.returncode == -signal.SIGKILL
    return levels_told(store), children


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_killed_twice_while_spark_works(tmp_path):
    store, result = tmp_path / "store", tmp_path / "result.json"
    first, children = kill_in_the_middle(store, 4)
    second, more = kill_in_the_middle(store, first, "--resume")
    assert 5 <= first < second < COUNTS[2]
    run = subprocess.run(check(store, "--resume", "--json", str(result)), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = json.loads(result.read_text())
    assert (found["distinctStates"], found["totalStates"], found["stateDepth"]) == COUNTS
    # a killed driver leaves nothing running
    wait_until(lambda: not any(map(is_alive, [*children, *more])))
