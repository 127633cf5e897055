"""`python -m bench.compare A.json B.json`: what has become slower or faster between two commits.

TLC is part of both files: where its own seconds differ, the machine was another or was busy, and the ratios to TLC say
more than ours alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from .rows import Row, geometric_mean, read

SLOWER = 1.15
"""From so many times the processor seconds on, in relation to TLC's, a row is called slower."""


@click.command()
@click.argument("before", type=click.Path(exists=True, path_type=Path))
@click.argument("after", type=click.Path(exists=True, path_type=Path))
def main(before: Path, after: Path) -> None:
    """Exit status 1 where a row of both is slower, or is gone, or has other counts."""
    (about_a, a), (about_b, b) = read(before), read(after)
    table, bad = compared(a, b)
    table.title = f"{about_a['commit']} to {about_b['commit']}, {about_b['workers']} workers"
    Console(width=150).print(table)
    sys.exit(1 if bad else 0)


def compared(before: list[Row], after: list[Row]) -> tuple[Table, list[str]]:
    """The table, and the rows with which something is wrong."""
    table = Table()
    for column in ("model", "warm before", "after", "TLC/warm before", "after", "TLC/cold before", "after", ""):
        table.add_column(column, justify="left" if column in ("model", "") else "right")
    later = {row.name: row for row in after}
    bad, gained = [], []
    for row in before:
        now = later.pop(row.name, None)
        if now is None:
            table.add_row(row.name, f"{row.warm.processor:.2f}", *[""] * 5, "gone")
            bad.append(row.name)
            continue
        gained.append(now.ratio(now.warm) / row.ratio(row.warm))
        cold = now.ratio(now.cold) / row.ratio(row.cold)
        told = "counts differ" if now.warm.counts != row.warm.counts or not now.same else ""
        if not told and min(gained[-1], cold) < 1 / SLOWER:
            told = "slower"
        if told:
            bad.append(row.name)
        table.add_row(row.name, *_cells(row, now), told)
    for row in later.values():
        table.add_row(row.name, "", f"{row.warm.processor:.2f}", "", f"{row.ratio(row.warm):.1f}", *[""] * 2, "new")
    table.caption = f"geometric mean: {geometric_mean(gained):.2f} times as fast, {len(bad)} rows to look at"
    return table, bad


def _cells(a: Row, b: Row) -> list[str]:
    seconds = [f"{row.warm.processor:.2f}" for row in (a, b)]
    warm = [f"{row.ratio(row.warm):.1f}" for row in (a, b)]
    return [*seconds, *warm, *(f"{row.ratio(row.cold):.1f}" for row in (a, b))]


if __name__ == "__main__":
    main()
