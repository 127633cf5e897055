"""`make bench`: each model with each engine, and with TLC where TLC_COMMAND names it; ratios within one run."""

from __future__ import annotations

import math
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from .measure import Case, Measurement, run_ours, run_spin, run_tlc

SPECS = Path("tests/specs")
PROTOCOL, MODELS = Path("spec/core/ControllerMode.tla"), Path("spec/models")
BENCH = Path("bench")

CASES = (
    Case("two-phase commit, 7 managers", SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit7.cfg", managers=7),
    Case(
        "two-phase commit, 8 managers",
        SPECS / "TwoPhaseCommit.tla",
        BENCH / "TwoPhaseCommit8.cfg",
        managers=8,
        spark=True,
    ),
    Case(
        "two-phase commit, 9 managers",
        SPECS / "TwoPhaseCommit.tla",
        BENCH / "TwoPhaseCommit9.cfg",
        managers=9,
        large=True,
    ),
    Case("Paxos, 3 acceptors", SPECS / "Paxos.tla", SPECS / "Paxos.cfg"),
    Case("Controller mode, 3 brokers", PROTOCOL, MODELS / "ThreeBrokersSmall.cfg"),
    Case("Controller mode, large", PROTOCOL, MODELS / "ThreeBrokersLarge.cfg", large=True),
)


def same(run: Measurement, first: Measurement) -> bool:
    """Whether the counts agree; Spin, which goes depth first, has no depth and prints seven digits."""
    if run.engine == "Spin":
        return all(math.isclose(*pair, rel_tol=1e-6) for pair in zip(run.counts[:2], first.counts[:2], strict=True))
    return run.counts == first.counts


@click.command()
@click.option("--only", default="", help="Only the models whose name contains this.")
@click.option("--engine", "engines", multiple=True, default=("python", "native"), help="Repeat for several engines.")
@click.option("--workers", "workers", multiple=True, type=int, default=(1, 2), help="Repeat for several.")
def main(only: str, engines: tuple[str, ...], workers: tuple[int, ...]) -> None:
    """Measure, and print a table. Set TLC_COMMAND to time TLC beside our engines."""
    tlc = os.environ.get("TLC_COMMAND", "")
    table = Table(title="whole-process seconds, one run each; ratio to the first row of the model")
    for column in ("model", "engine", "result", "distinct", "total", "depth", "seconds", "total/s", "MiB", "ratio"):
        table.add_column(column, justify="left" if column in ("model", "engine", "result") else "right")
    for case in CASES:
        if only not in case.name or (case.large and not only):
            continue
        runs: list[Measurement] = [run_tlc(case, tlc, n) for n in workers] if tlc else []
        runs += [run_ours(case, engine, n) for engine in engines for n in workers]
        if case.spark and "spark" not in engines and find_spec("pyspark") is not None:
            runs.append(run_ours(case, "spark", max(workers)))
        if case.managers and shutil.which("spin"):
            runs.append(run_spin(case, case.managers))
        for index, run in enumerate(runs):
            table.add_row(
                case.name if index == 0 else "",
                run.engine,
                run.result if same(run, runs[0]) else f"{run.result}, COUNTS DIFFER",
                f"{run.distinct:,}",
                f"{run.total:,}",
                str(run.depth),
                f"{run.seconds:.1f}",
                f"{run.total / run.searching:,.0f}" if run.searching else "",
                f"{run.memory:.0f}",
                f"{runs[0].seconds / run.seconds:.2f}×",
            )
        table.add_section()
    if not shutil.which("spin"):
        Console(stderr=True).print("spin is not on the path: Spin is left out of the table.")
    if find_spec("pyspark") is None:
        Console(stderr=True).print("PySpark is not installed: Spark is left out of the table.")
    if not tlc:
        Console(stderr=True).print("TLC_COMMAND is not set: TLC is left out of the table.")
    Console(width=150).print(table)


main()
