"""`make bench`: each model with each engine, and with TLC where TLC_COMMAND names it; ratios within one run."""

from __future__ import annotations

import os
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from .measure import Case, Measurement, run_ours, run_tlc

SPECS = Path("tests/specs")
PROTOCOL = Path("spec")

CASES = (
    Case("two-phase commit, 7 managers", SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit7.cfg"),
    Case("Paxos, 3 acceptors", SPECS / "Paxos.tla", SPECS / "Paxos.cfg"),
    Case("Controller mode, 3 brokers", PROTOCOL / "ControllerMode.tla", PROTOCOL / "ThreeBrokersSmall.cfg"),
)


@click.command()
@click.option("--only", default="", help="Only the models whose name contains this.")
@click.option(
    "--engine", "engines", multiple=True, default=("interpreter", "native"), help="Repeat for several engines."
)
@click.option("--workers", "workers", multiple=True, type=int, default=(1, 2), help="Repeat for several.")
def main(only: str, engines: tuple[str, ...], workers: tuple[int, ...]) -> None:
    """Measure, and print a table. Set TLC_COMMAND to time TLC beside our engines."""
    tlc = os.environ.get("TLC_COMMAND", "")
    table = Table(title="whole-process seconds, one run each; ratio to the first row of the model")
    for column in ("model", "engine", "result", "distinct", "total", "depth", "seconds", "total/s", "ratio"):
        table.add_column(column, justify="left" if column in ("model", "engine", "result") else "right")
    for case in CASES:
        if only not in case.name:
            continue
        runs: list[Measurement] = [run_tlc(case, tlc, n) for n in workers] if tlc else []
        runs += [run_ours(case, engine, n) for engine in engines for n in workers]
        for index, run in enumerate(runs):
            table.add_row(
                case.name if index == 0 else "",
                run.engine,
                run.result if run.counts == runs[0].counts else f"{run.result}, COUNTS DIFFER",
                f"{run.distinct:,}",
                f"{run.total:,}",
                str(run.depth),
                f"{run.seconds:.1f}",
                f"{run.total / run.searching:,.0f}" if run.searching else "",
                f"{runs[0].seconds / run.seconds:.2f}×",
            )
        table.add_section()
    if not tlc:
        Console(stderr=True).print("TLC_COMMAND is not set: TLC is left out of the table.")
    Console().print(table)


main()
