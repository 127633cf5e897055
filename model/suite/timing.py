"""A model timed: by TLC where it is there, by us with an empty cache, and by us again, each as a whole process.

A row is what a whole process takes, from its start to its verdict: processor seconds of it and of all that it starts
(a compiler, too), seconds by the clock, and the memory of its largest process.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rmqproof.model.suite.collection import PublishedModel
from rmqproof.model.suite.process import Finished, finished

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
    engine: str = ""
    """Of ours the one that came to the verdict; not known of rows that were kept before it was noted."""


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
        done = finished([*command, *deadlock, model.spec.stem], model.spec.parent, limit=limit)
    states, depth = TLC_STATES.findall(done.output), TLC_DEPTH.search(done.output)
    total, distinct = map(int, states[-1]) if states else (0, 0)
    result = OF_STATUS.get(done.status, ERROR)
    return _taken(done, (distinct, total, int(depth[1]) if depth else 0), result)


def run_ours(model: TimedModel, cache: str, workers: int, limit: float) -> Taken:
    command = [sys.executable, "-m", "rmqproof", "check", str(model.spec), "--config", str(model.config), "--quiet"]
    command += [] if model.deadlock else ["--no-deadlock"]
    environment = {**os.environ, "RMQPROOF_CACHE": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # whoever installs it has its bytecode
    done = finished([*command, "--workers", str(workers), "--json", "-"], model.root, environment, limit)
    try:
        found: dict[str, Any] = json.loads(done.output)
    except json.JSONDecodeError:
        return _taken(done, (0, 0, 0), ERROR)
    counts = found["distinctStates"], found["totalStates"], found["stateDepth"]
    return _taken(done, counts, found["result"], found["engine"])


def _taken(done: Finished, counts: tuple[int, int, int], result: str, engine: str = "") -> Taken:
    result = result if done.complete else "stopped"
    return Taken(done.processor, done.clock, done.memory, counts, result, done.complete, engine)


# --- files --------------------------------------------------------------------------------------------------------


def written(rows: Sequence[Row], about: dict[str, Any]) -> str:
    return json.dumps({**about, "rows": [asdict(row) for row in rows]}, indent=1) + "\n"


def read(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """Raise `ValueError` where the file holds no rows."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = [Row(row["name"], *(_read(row[key]) for key in ("tlc", "cold", "warm"))) for row in content.pop("rows")]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} holds no rows of a benchmark") from error
    return content, rows


def _read(found: dict[str, Any] | None) -> Any:
    return None if found is None else Taken(**{**found, "counts": tuple(found["counts"])})


def geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
