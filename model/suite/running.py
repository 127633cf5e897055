"""Run the models of a collection, each in a process of its own with a time limit."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from .collection import Counts, PublishedModel
from .judgement import Judgement, Observed, Standing, judge, unsuitable

_GRACE = 20.0
"""Seconds that a check gets to notice its time limit and say what it has."""


def run_collection(
    models: Sequence[PublishedModel],
    max_seconds: float,
    workers: int = 1,
    tell: Callable[[Judgement], None] = lambda judgement: None,
    engine: str = "auto",
) -> list[Judgement]:
    """A judgement for each model, in their order; `tell` hears of each as soon as it is there.

    `workers` models are checked at a time, with `check --engine engine`. A Ctrl-C ends the checks that
    run and raises `KeyboardInterrupt`.
    """
    judgements: dict[int, Judgement] = {}
    running = _Processes()
    with ThreadPoolExecutor(max_workers=workers) as pool:
        pending: dict[Future[Judgement], int] = {}
        for index, model in enumerate(models):
            reason = unsuitable(model)
            if reason:
                judgements[index] = Judgement(model, Standing.SKIPPED, reason)
            else:
                pending[pool.submit(_check, model, max_seconds, engine, running)] = index
        try:
            while pending:
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    judgement = future.result()
                    judgements[pending.pop(future)] = judgement
                    tell(judgement)
        except BaseException:
            for future in pending:
                future.cancel()
            running.end()
            raise
    return [judgements[index] for index in range(len(models))]


class _Processes:
    """The checks that run now."""

    def __init__(self) -> None:
        self._open: set[subprocess.Popen[str]] = set()
        self._ended = False

    @contextmanager
    def start(self, command: list[str], cwd: Path) -> Iterator[subprocess.Popen[str]]:
        process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True,
        )  # fmt: skip
        self._open.add(process)
        if self._ended:
            process.kill()
        try:
            yield process
        finally:
            process.kill()
            process.communicate()
            self._open.discard(process)

    def end(self) -> None:
        self._ended = True
        for process in list(self._open):
            process.kill()


def _check(model: PublishedModel, max_seconds: float, engine: str, running: _Processes) -> Judgement:
    with tempfile.TemporaryDirectory(prefix="rmqproof-suite-") as folder:
        answer = Path(folder) / "result.json"
        spec, config = model.spec.absolute(), model.config.absolute()
        command = [
            sys.executable, "-m", "rmqproof", "check", str(spec), "--config", str(config),
            "--json", str(answer), "--quiet", "--workers", "1", "--max-seconds", str(max_seconds),
            "--engine", engine,
        ]  # fmt: skip
        said = ""
        started = time.monotonic()
        # relative paths in specifications count from the collection's root, as its own runner has it
        with running.start(command, model.root.absolute()) as process:
            try:
                said, _ = process.communicate(timeout=max_seconds + _GRACE)
            except subprocess.TimeoutExpired:
                return Judgement(model, Standing.SKIPPED, f"time out: {max_seconds:g} s, before or between two states")
        if answer.exists():
            observed = Observed.of_json(json.loads(answer.read_text(encoding="utf-8")))
            # the search does not count reading the specification and evaluating its assumptions
            return judge(model, replace(observed, seconds=time.monotonic() - started))
        tail = "\n".join(said.strip().splitlines()[-3:])
        return judge(model, Observed("error", Counts(), 0.0, f"exit status {process.returncode}: {tail}"))
