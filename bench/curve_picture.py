"""`python -m bench.curve_picture ROWS.json PICTURE.svg`: what a state costs, as `bench.curve --json` measured it.

Needs matplotlib (`pip install matplotlib`), which nothing else here does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click

from .curve import Row

STYLE = {"svg.fonttype": "none", "svg.hashsalt": "rmqproof", "font.size": 9}
"""Text stays text, and the same rows give the same file."""

SEEN = 50
"""MiB beyond those of a process without states, from which on memory says something."""


@click.command()
@click.argument("rows", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("picture", type=click.Path(dir_okay=False, path_type=Path))
def main(rows: Path, picture: Path) -> None:
    """Draw the rows: time and memory of a state, a line for each limit of memory."""
    draw([Row(**json.loads(line)) for line in rows.read_text(encoding="utf-8").splitlines()], picture)


def draw(rows: list[Row], picture: Path) -> None:
    """Raise `click.ClickException` without matplotlib."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise click.ClickException("matplotlib is missing: pip install matplotlib") from None
    limits = list(dict.fromkeys(row.limit for row in rows))
    axes: list[tuple[str, Callable[[Row], float]]] = [
        ("ns for a state", lambda row: row.nanoseconds),
        ("bytes of memory for a state", lambda row: row.bytes),
    ]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 3), layout="constrained")
        for place, (label, value) in enumerate(axes):
            plot = figure.add_subplot(1, 2, place + 1)
            for limit in limits:
                mine = [row for row in rows if row.limit == limit and (not place or row.mebibytes > SEEN)]
                name = f"--memory {limit}" if limit else "without a limit"
                plot.plot([row.distinct for row in mine], [value(row) for row in mine], marker="o", label=name)
            plot.set_xscale("log")
            plot.set_ylim(bottom=0)
            plot.set_xlabel("distinct states")
            plot.set_ylabel(label)
            plot.grid(alpha=0.3)
            plot.legend(frameon=False)
        figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    main()
