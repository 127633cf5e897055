"""Many small specifications, each about one formula, asked of TLC and of the engines."""

from __future__ import annotations

import multiprocessing
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Protocol

import click

from tools.fuzz.campaign import TooLong, from_processes, limit
from tools.fuzz.engines import ENGINES, compile_quickly
from tools.fuzz.outcome import CRASH, TLC, Outcome
from tools.fuzz.reference import NotCovered
from tools.fuzz.tlc import Tlc, TlcDied
from tools.fuzz.verdict import Report


class Formula(Protocol):
    """`str` of it is what is printed where checkers differ."""

    @property
    def seed(self) -> int: ...

    def write(self, folder: Path) -> Path:
        """Write the specification with its configuration, and return where it is."""


def told(formulas: Sequence[Formula], shares: dict[str, float], classes: str, workers: int) -> int:
    """Print those on which the checkers differ, and how many they were; return how many differ, or were not asked."""
    seen = different = limited = 0
    counts = "No formula was asked."
    by_seed = {one.seed: one for one in formulas}
    for seen, outcome in enumerate(compared(formulas, shares, classes, workers), 1):
        limited += outcome.limited
        if outcome.different:
            different += 1
            said = "; ".join(f"{name}: {report.verdict}" for name, report in outcome.reports.items())
            print(f"{outcome.seed}: {by_seed[outcome.seed]}\n    {said}", flush=True)
        counts = f"{seen:,} formulas, {limited:,} beyond what TLC can do, {different:,} differ."
        if seen % 1000 == 0:
            print(counts, file=sys.stderr, flush=True)
    print(counts)
    return different + len(formulas) - seen


def _work(
    formulas: Sequence[Formula],
    shares: dict[str, float],
    classes: str,
    results: multiprocessing.queues.Queue[Outcome | None],
) -> None:
    tlc = Tlc(classes)
    try:
        with tempfile.TemporaryDirectory(prefix="formulas-") as folder:
            compile_quickly(Path(folder))
            for one in formulas:
                results.put(_ask(one, shares, tlc, Path(folder) / str(one.seed)))
    finally:
        tlc.close()
        results.put(None)


def _ask(one: Formula, shares: dict[str, float], tlc: Tlc, folder: Path) -> Outcome:
    outcome = Outcome(one.seed)
    root = one.write(folder)
    try:
        outcome.reports[TLC] = replace(tlc.check(root), violated="")  # TLC has names of its own for parts of a property
    except TlcDied:
        return outcome
    for engine, share in shares.items():
        if Random(f"{engine} {one.seed}").random() < share:
            try:
                with limit(60):
                    outcome.reports[engine] = ENGINES[engine](root)
            except (TooLong, NotCovered):
                continue
            except Exception as error:  # a defect of the engine, which is what is looked for
                outcome.reports[engine] = Report(CRASH, detail=repr(error))
    shutil.rmtree(root.parent)
    return outcome


def compared(formulas: Sequence[Formula], shares: dict[str, float], classes: str, workers: int) -> Iterator[Outcome]:
    if not classes:
        raise click.UsageError("Name TLC's class path: --tlc, or TLC_CLASSPATH.")
    return from_processes(_work, [(formulas[i::workers], shares, classes) for i in range(workers)])
