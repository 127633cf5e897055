"""`python -m bench.compare A.json B.json`: what has become slower or faster between two commits.

TLC is part of both files: where its own seconds differ, the machine was another or was busy, and the ratios to TLC say
more than ours alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from rmqproof.model.suite.timing import read
from rmqproof.model.suite.timing_tables import compared


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


if __name__ == "__main__":
    main()
