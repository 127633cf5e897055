"""One timed run of a checker in a process of its own."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Case:
    """A model that is timed: `spec` and `config` are paths from the project's root."""

    name: str
    spec: Path
    config: Path
    deadlock: bool = True


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
    if not case.deadlock:
        command.append("--no-deadlock")
    seconds, memory, output, errors = _timed(command)
    try:
        found = json.loads(output)
    except json.JSONDecodeError as error:
        raise RuntimeError(f"{shlex.join(command)} printed no result:\n{errors[-2000:]}") from error
    return Measurement(
        f"{engine} ×{workers}" if workers > 1 else engine,
        found["result"],
        found["distinctStates"],
        found["totalStates"],
        found["stateDepth"],
        seconds,
        found["seconds"],
        memory,
    )


def run_tlc(case: Case, command: str, workers: int = 1) -> Measurement:
    """`command` is what TLC_COMMAND says: it takes a spec and TLC's own options."""
    words = [*shlex.split(command), case.spec.name, "-config", os.path.relpath(case.config, case.spec.parent)]
    words += ["-workers", str(workers)]
    if not case.deadlock:
        words.append("-deadlock")
    seconds, memory, output, errors = _timed(words, case.spec.parent)
    counts = re.findall(r"^(\d+) states generated, (\d+) distinct states found", output, re.MULTILINE)
    depth = re.search(r"depth of the complete state graph search is (\d+)", output)
    if not counts:
        raise RuntimeError(f"{shlex.join(words)} printed no counts:\n{(output + errors)[-2000:]}")
    total, distinct = map(int, counts[-1])
    result = "success" if "No error has been found" in output else "failure"
    name = f"TLC ×{workers}" if workers > 1 else "TLC"
    return Measurement(name, result, distinct, total, int(depth[1]) if depth else 0, seconds, seconds, memory)


def _timed(command: list[str], folder: Path | None = None) -> tuple[float, float, str, str]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    # ru_maxrss of children is a maximum over all of them so far: a smaller process than an earlier one shows as 0.
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return seconds, after / 1024 if after > before else 0.0, done.stdout, done.stderr
