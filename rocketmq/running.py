"""Schedules in a process of their own, so that a JVM that hangs or ends is nobody else's end."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.schedules.bench import Schedule, Seen

_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class Outcome:
    """`seen` None: it could not be run on this release, and `what` says why. `logged`: what its classes logged, where
    that was asked for."""

    id: str
    title: str
    rule: str
    steps: str
    seen: bool | None
    what: str
    logged: Collection[str] = ()


def run_schedules(
    release: Release, java: Path | None = None, only: Collection[str] = (), logged: bool = False
) -> list[Outcome]:
    """Raise `RocketmqError`."""
    find_java(java)
    command = [sys.executable, "-m", "rmqproof.rocketmq.running", *(["logged"] if logged else [])]
    given = pickle.dumps((release, java, tuple(only)))
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise RocketmqError(f"The schedules did not end in {_SECONDS} s.", "Try --only, one after another.") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RocketmqError(
            f"The JVM ended with status {done.returncode}: {said[-1] if said else 'it said nothing'}",
            "Try another Java: --java /path/to/jdk.",
        )
    return [Outcome(**each) for each in json.loads(done.stdout)]


def _outcome(schedule: Schedule, seen: Seen | None, why: str, logged: list[str]) -> dict[str, Any]:
    found = {
        "id": schedule.id,
        "title": schedule.title,
        "rule": schedule.rule,
        "steps": schedule.steps,
        "seen": None if seen is None else seen.seen,
        "what": why if seen is None else seen.what,
    }
    return {**found, "logged": logged} if logged else found


def _main() -> None:
    from rmqproof.rocketmq import jvm
    from rmqproof.rocketmq.schedules import Bench, run

    # what Java prints must not come between
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    release, java, only = pickle.load(sys.stdin.buffer)
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="rmqproof-jvm-", ignore_cleanup_errors=True) as home:
        log = Path(home, "rocketmq.log") if "logged" in sys.argv else None
        bench, said = Bench(jvm.start(release, find_java(java), Path(home), log)), 0
        for schedule, seen, why in run(bench, only):
            lines = log.read_text(errors="replace").splitlines() if log is not None else []
            found.append(_outcome(schedule, seen, why, lines[said:]))
            said = len(lines)
    json.dump(found, answers)
    answers.close()
    os._exit(0)  # threads of RocketMQ would keep the JVM from ending


if __name__ == "__main__":
    try:
        _main()
    except RocketmqError as error:
        print(error, file=sys.stderr)
        os._exit(1)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        os._exit(1)
