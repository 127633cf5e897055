"""One timed run of a checker in a process of its own."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.suite.process import finished


@dataclass(frozen=True, slots=True)
class Case:
    """A model that is timed: `spec` and `config` are paths from the project's root."""

    name: str
    spec: Path
    config: Path
    deadlock: bool = True
    managers: int = 0
    """Of a two-phase commit, which is written in Promela, too."""
    large: bool = False
    """Left out unless asked for by name."""
    spark: bool = False
    """Large enough for Spark, and not so large that it takes minutes there."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """`seconds` is the whole process; `searching` what the checker itself reports, where it does. Memory in MiB."""

    engine: str
    result: str
    distinct: int
    total: int
    depth: int
    seconds: float
    searching: float
    memory: float

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.distinct, self.total, self.depth


def run_ours(case: Case, engine: str, workers: int = 1) -> Measurement:
    """Raise `RuntimeError` with the checker's message when it gives no result."""
    command = [sys.executable, "-m", "rmqproof", "check", str(case.spec), "--config", str(case.config)]
    command += ["--engine", engine, "--workers", str(workers), "--json", "-", "--quiet"]
    if engine == "spark":
        command += ["--master", f"local[{workers}]", "--partitions", str(workers)]
    if not case.deadlock:
        command.append("--no-deadlock")
    done = finished(command)
    try:
        found = json.loads(done.output)
    except json.JSONDecodeError as error:
        raise RuntimeError(f"{shlex.join(command)} printed no result:\n{done.errors[-2000:]}") from error
    return Measurement(
        f"{engine} ×{workers}" if workers > 1 else engine,
        found["result"],
        found["distinctStates"],
        found["totalStates"],
        found["stateDepth"],
        done.clock,
        found["seconds"],
        done.memory,
    )


def run_tlc(case: Case, command: str, workers: int = 1) -> Measurement:
    """`command` is what TLC_COMMAND says: it takes a spec and TLC's own options."""
    words = [*shlex.split(command), case.spec.name, "-config", os.path.relpath(case.config, case.spec.parent)]
    words += ["-workers", str(workers)]
    if not case.deadlock:
        words.append("-deadlock")
    done = finished(words, case.spec.parent)
    counts = re.findall(r"^(\d+) states generated, (\d+) distinct states found", done.output, re.MULTILINE)
    depth = re.search(r"depth of the complete state graph search is (\d+)", done.output)
    if not counts:
        raise RuntimeError(f"{shlex.join(words)} printed no counts:\n{(done.output + done.errors)[-2000:]}")
    total, distinct = map(int, counts[-1])
    result = "success" if "No error has been found" in done.output else "failure"
    name = f"TLC ×{workers}" if workers > 1 else "TLC"
    return Measurement(
        name, result, distinct, total, int(depth[1]) if depth else 0, done.clock, done.clock, done.memory
    )


def run_spin(case: Case, managers: int) -> Measurement:
    """Spin's own search of the same protocol in Promela; compiling counts. Raise `RuntimeError` when it fails.

    Spin prints seven digits of a count.
    """
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        promela = Path(__file__).parent / "two_phase_commit.pml"
        for command in (
            ["spin", "-a", f"-DN={managers}", str(promela)],
            ["cc", "-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"],
        ):
            subprocess.run(command, cwd=folder, capture_output=True, check=True)
        done = finished(["./pan", "-n", "-m1000000", "-w26"], Path(folder))
        seconds = time.perf_counter() - start
    counts = re.findall(r"^\s*([\d.e+]+) (?:states, stored|transitions)", done.output, re.MULTILINE)
    if len(counts) != 2 or "errors: 0" not in done.output:
        raise RuntimeError(f"Spin did not finish:\n{done.output[-2000:]}{done.errors[-2000:]}")
    distinct, total = (round(float(count)) for count in counts)
    return Measurement("Spin", "success", distinct, total, 0, seconds, seconds, done.memory)
