"""Schedules on processes, each as often as is wanted, each in a cluster of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.processes.schedules.bench import DidNotCome, ProcessBench, ProcessSchedule
from rmqproof.rocketmq.processes.steering import LeftPath
from rmqproof.rocketmq.processes.tries import Tries, Try
from rmqproof.rocketmq.releases import Release

Tell = Callable[[Try], None]


def run_on_processes(
    schedules: Sequence[ProcessSchedule],
    release: Release,
    java: Java,
    folder: Path,
    times: int,
    tries: Tries,
    tell: Tell,
) -> list[Try]:
    """All tries, with those that were there. The logs of each new one are in a folder of its own. Raise
    `RocketmqError` where no cluster can be started at all."""
    found: list[Try] = []
    for schedule in schedules:
        for number in tries.missing(schedule.id, release.version, times):
            own = (folder / f"{schedule.id.removeprefix('#')}-{release.version}-{number}").resolve()
            shutil.rmtree(own, ignore_errors=True)
            own.mkdir(parents=True)
            tries.add(_once(schedule, ProcessBench(release, java, own), number))
            tell(tries.found[-1])
        found += tries.of(schedule.id, release.version)
    return found


def _once(schedule: ProcessSchedule, bench: ProcessBench, number: int) -> Try:
    began, seen, version = monotonic(), None, bench.release.version
    try:
        done = schedule.run(bench)
        seen, what = done.seen, done.what
    except (DidNotCome, LeftPath) as problem:
        what = str(problem)
    except RocketmqError as problem:
        what = problem.problem
    return Try(
        schedule.id, schedule.title, version, bench.release.title, number, seen, round(monotonic() - began, 1), what
    )
