"""A model timed: by TLC where it is there, by us with an empty cache, and by us again, each as a whole process.

A row is what a whole process takes, from its start to its verdict: processor seconds of it and of all that it starts
(a compiler, too), seconds by the clock, and the memory of its largest process.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rmqproof.model.suite.collection import PublishedModel

TLC_STATES = re.compile(r"^(\d+) states generated(?: \([^)]*\))?, (\d+) distinct states found", re.MULTILINE)
OF_STATUS = {
    0: "success",
    10: "assumption failure",
    11: "deadlock failure",
    12: "safety failure",
    13: "liveness failure",
}
"""What TLC's exit statuses say; what no verdict stands for is an `ERROR`."""
ERROR = "error"
TLC_DEPTH = re.compile(r"depth of the complete state graph search is (\d+)")


@dataclass(frozen=True, slots=True)
class TimedModel:
    """`root`: the folder that relative paths in the specification count from. `deadlock`: one is a failure."""

    name: str
    root: Path
    spec: Path
    config: Path
    deadlock: bool = True


@dataclass(frozen=True, slots=True)
class Taken:
    """What a run took; seconds, MiB. `complete`: it was not stopped for want of time."""

    processor: float
    clock: float
    memory: float
    counts: tuple[int, int, int]
    """Distinct, generated, depth."""
    result: str
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """`tlc` None: it was not asked."""

    name: str
    tlc: Taken | None
    cold: Taken
    warm: Taken

    @property
    def same(self) -> bool:
        """Whether there are verdicts, which agree where no run was stopped, as do the counts where all is explored."""
        runs = [run for run in (self.tlc, self.cold, self.warm) if run is not None and run.complete]
        verdicts = {run.result for run in runs}
        if ERROR in verdicts or len(verdicts) > 1:
            return False
        return verdicts != {"success"} or len({run.counts for run in runs}) == 1

    @property
    def timed(self) -> bool:
        """Whether a ratio means something: both our runs came to an end, with what TLC found."""
        return self.tlc is not None and self.same and self.cold.complete and self.warm.complete

    def ratio(self, run: Taken) -> float:
        """How many times the processor seconds TLC takes; at least that where TLC was stopped.

        Without TLC: 1 / seconds.
        """
        return (self.tlc.processor if self.tlc is not None else 1.0) / run.processor


def models_of(published: Iterable[PublishedModel], least: float, most: float) -> list[TimedModel]:
    """The models that TLC explores as a whole in so many seconds, by what their authors say.

    Successes only: where there is a violation, how far TLC's workers have come when they stop is chance.
    """
    return [
        TimedModel(model.name, model.root, model.spec, model.config)
        for model in published
        if model.mode == "exhaustive search"
        and model.result == "success"
        and model.seconds is not None
        and least <= model.seconds <= most
    ]


def measured(model: TimedModel, tlc: str | None, workers: int, repeat: int, limit: float) -> Row:
    """TLC (`tlc`: its class path), cold and warm in turn, `repeat` times; of each the median by processor seconds."""
    theirs, cold, warm = list[Taken](), list[Taken](), list[Taken]()
    for _ in range(repeat):
        if tlc is not None:
            theirs.append(run_tlc(model, tlc, workers, limit))
        with tempfile.TemporaryDirectory() as cache:
            cold.append(run_ours(model, cache, workers, limit))
            warm.append(run_ours(model, cache, workers, limit))
    return Row(model.name, middle(theirs) if theirs else None, middle(cold), middle(warm))


def middle(runs: Sequence[Taken]) -> Taken:
    at = median(run.processor for run in runs)
    return min(runs, key=lambda run: abs(run.processor - at))


def run_tlc(model: TimedModel, classpath: str, workers: int, limit: float) -> Taken:
    deadlock = [] if model.deadlock else ["-deadlock"]
    with tempfile.TemporaryDirectory() as scratch:
        command = ["java", "-XX:+UseParallelGC", "-cp", classpath, "tlc2.TLC", "-workers", str(workers), "-metadir"]
        command += [scratch, "-noGenerateSpecTE", "-config", os.path.relpath(model.config, model.spec.parent)]
        taken, status, output = _run([*command, *deadlock, model.spec.stem], model.spec.parent, os.environ, limit)
    states, depth = TLC_STATES.findall(output), TLC_DEPTH.search(output)
    total, distinct = map(int, states[-1]) if states else (0, 0)
    result = OF_STATUS.get(status, ERROR)
    return _with(taken, (distinct, total, int(depth[1]) if depth else 0), result)


def run_ours(model: TimedModel, cache: str, workers: int, limit: float) -> Taken:
    command = [sys.executable, "-m", "rmqproof", "check", str(model.spec), "--config", str(model.config), "--quiet"]
    command += [] if model.deadlock else ["--no-deadlock"]
    environment = {**os.environ, "RMQPROOF_CACHE": cache}
    taken, _, output = _run([*command, "--workers", str(workers), "--json", "-"], model.root, environment, limit)
    try:
        found: dict[str, Any] = json.loads(output)
    except json.JSONDecodeError:
        return _with(taken, (0, 0, 0), ERROR)
    return _with(taken, (found["distinctStates"], found["totalStates"], found["stateDepth"]), found["result"])


def _with(taken: Taken, counts: tuple[int, int, int], result: str) -> Taken:
    result = result if taken.complete else "stopped"
    return Taken(taken.processor, taken.clock, taken.memory, counts, result, taken.complete)


def _run(command: list[str], folder: Path, environment: Any, limit: float) -> tuple[Taken, int, str]:
    """What it took, the exit status, and what was printed."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.DEVNULL, start_new_session=True
        )
        complete, pid = True, 0
        try:
            while not pid:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if not pid and complete and time.perf_counter() - start > limit:
                    os.killpg(process.pid, 9)
                    complete = False
                time.sleep(0 if pid else 0.02)
        finally:
            if not pid:  # an interrupt: it is in a session of its own, and does not hear of it
                os.killpg(process.pid, 9)
                process.wait()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        clock = time.perf_counter() - start
        taken = Taken(usage.ru_utime + usage.ru_stime, clock, usage.ru_maxrss / 1024, (0, 0, 0), "", complete)
        return taken, process.returncode, output.read()


# --- files --------------------------------------------------------------------------------------------------------


def written(rows: Sequence[Row], about: dict[str, Any]) -> str:
    return json.dumps({**about, "rows": [asdict(row) for row in rows]}, indent=1) + "\n"


def read(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """Raise `ValueError` where the file holds no rows."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = [Row(row["name"], *(_taken(row[key]) for key in ("tlc", "cold", "warm"))) for row in content.pop("rows")]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} holds no rows of a benchmark") from error
    return content, rows


def _taken(found: dict[str, Any] | None) -> Any:
    return None if found is None else Taken(**{**found, "counts": tuple(found["counts"])})


def geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
