"""A cluster of processes: the engine on executors that lack this project, and one that is killed on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.states import command as states
from tests.observing import wait_until

from .standalone import bare_python, cluster, environment_of_others
from .test_driver_killed import COUNTS, SPEC, family, is_alive, is_in_the_middle

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.large]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cluster")


@pytest.fixture(scope="module")
def master(folder):
    """Two workers of two processors: two executors, each with two Python processes."""
    with cluster(folder, cores=2) as url:
        yield url


def command(master: str, folder: Path, *more: str) -> tuple[list[str], dict[str, str]]:
    """The search, and its environment: the executors' Python does not have this project."""
    given = [sys.executable, "-m", "rmqproof", "check", str(SPEC), "--engine", "spark", "--master", master, *more]
    given += ["--partitions", "5", "--hand-over", "3000", "--memory", "1g", "--quiet"]
    environment = environment_of_others() | {"PYSPARK_PYTHON": str(bare_python(folder)), "SPARK_LOCAL_IP": "127.0.0.1"}
    return given, environment


def counts(result: Path) -> tuple[int, int, int]:
    found = json.loads(result.read_text())
    return found["distinctStates"], found["totalStates"], found["stateDepth"]


def executors() -> list[int]:
    """The JVMs of executors that this test's cluster has started."""
    found = []
    for process in family(os.getpid()):
        try:
            line = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in line and line.startswith(b"/") and b"/bin/bash" not in line[:20]:
            found.append(process)
    return found


def test_python_of_the_executors_lacks_the_project(folder):
    given = [bare_python(folder), "-c", "import pyarrow, rmqproof"]
    run = subprocess.run(given, cwd=folder, env=environment_of_others(), capture_output=True, text=True)
    assert "No module named 'rmqproof'" in run.stderr


def test_an_executor_is_killed_in_the_middle_of_a_level(master, folder, tmp_path):
    store, result = tmp_path / "store", tmp_path / "result.json"
    given, environment = command(master, folder, "--store", str(store), "--json", str(result))
    process = subprocess.Popen(given, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    killed: list[int] = []
    try:
        for past in (8, 12):
            assert wait_until(lambda past=past: is_in_the_middle(store, past), process), process.stdout.read()
            victim = next(one for one in executors() if one not in killed)
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)
        said, _ = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    assert process.returncode == 0, said
    assert counts(result) == COUNTS
    assert len(killed) == 2
    assert not any(map(is_alive, killed))
    levels = CliRunner().invoke(states, ["levels", str(store), "--master", "local[2]"])
    assert levels.exit_code == 0, levels.output
    found = [int(row.split()[1].replace(",", "")) for row in levels.output.splitlines()[1:]]
    assert (sum(found), len(found)) == (COUNTS[0], COUNTS[2])


PROGRAM = """
import sys
from rmqproof.model.search.spark.session import spark_session
from rmqproof.model.search.spark.spark_runner import SparkRunner

with spark_session(sys.argv[1]) as session:
    print(SparkRunner(session).processes)
"""


@pytest.mark.parametrize(("wanted", "processes"), [(None, "2"), ("local[3]", "3")])
def test_the_processes_of_an_executor_are_known(master, folder, wanted, processes):
    given = [sys.executable, "-c", PROGRAM, wanted or master]
    _, environment = command(master, folder)
    run = subprocess.run(given, env=environment, capture_output=True, text=True)
    assert run.stdout.split() == [processes], run.stderr
