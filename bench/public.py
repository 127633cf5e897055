"""`python -m bench.public`: TLC and us in turn over the models that TLC needs a while for, by what their authors say.

Which models there are is not chosen here: all of the collection (laid out as tlaplus/Examples is) whose manifest gives
TLC's time in the range asked for, and three of this project. A row whose counts differ is in no mean, and is said.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from rmqproof.model.suite.collection import read_collection

from .rows import OWN, Model, Row, geometric_mean, measured, models_of, written

ROOT = Path(__file__).parents[1]


@click.command()
@click.option("--examples", type=click.Path(exists=True, path_type=Path), help="A clone of tlaplus/Examples.")
@click.option("--tlc", default=lambda: os.environ.get("TLC_CLASSPATH"), required=True, help="TLC's class path.")
@click.option("--least", default=10.0, show_default=True, help="Seconds that TLC takes, by the manifest.")
@click.option("--most", default=300.0, show_default=True)
@click.option("--only", multiple=True, help="Only models whose name contains this; may be repeated.")
@click.option("--workers", default=2, show_default=True, help="Of both.")
@click.option("--repeat", default=1, show_default=True, help="Runs of each, in turn.")
@click.option("--limit", default=1800.0, show_default=True, help="Seconds after which a run is stopped.")
@click.option("--out", type=click.Path(path_type=Path), help="A folder: the rows go to a file named by the commit.")
def main(
    examples: Path | None,
    tlc: str,
    least: float,
    most: float,
    only: tuple[str, ...],
    workers: int,
    repeat: int,
    limit: float,
    out: Path | None,
) -> None:
    """Measure, and print a table after each model."""
    models = models_of(read_collection(examples), least, most) if examples is not None else []
    models += [Model(name, ROOT, ROOT / spec, ROOT / config) for name, spec, config in OWN]
    models = [m for m in models if not only or any(part.lower() in m.name.lower() for part in only)]
    about = {"commit": commit(), "machine": machine(), "workers": workers, "repeat": repeat}
    rows: list[Row] = []
    for number, model in enumerate(models, 1):
        click.echo(f"{number} of {len(models)}: {model.name}", err=True)
        rows.append(measured(model, tlc, workers, repeat, limit))
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{about['commit']}.json").write_text(written(rows, about), encoding="utf-8")
    Console(width=150).print(table_of(rows, about))
    sys.exit(0 if all(row.same for row in rows) else 1)


def table_of(rows: Sequence[Row], about: dict[str, Any]) -> Table:
    """Means first, so that no single row speaks for all."""
    table = Table(title=f"{about['commit']}, {about['workers']} workers, processor seconds of whole processes")
    for column in ("model", "distinct", "generated", "TLC", "cold", "warm", "TLC/cold", "TLC/warm", "MiB TLC", "MiB"):
        table.add_column(column, justify="left" if column == "model" else "right")
    good = [row for row in rows if row.same]
    cold, warm = ([row.ratio(getattr(row, name)) for row in good] for name in ("cold", "warm"))
    for name, of in (("geometric mean", geometric_mean), ("worst", min), ("best", max)):
        if good:
            table.add_row(f"{name} of {len(good)}", "", "", "", "", "", f"{of(cold):.1f}", f"{of(warm):.1f}", "", "")
    table.add_section()
    for row in sorted(rows, key=lambda row: row.ratio(row.warm)):
        distinct, total, _ = row.warm.counts
        more = "" if row.tlc.complete else "> "
        table.add_row(
            row.name if row.same else f"{row.name}: {row.tlc.result} {row.tlc.counts}, ours {row.warm.result}",
            f"{distinct:,}",
            f"{total:,}",
            *(f"{run.processor:.1f}" for run in (row.tlc, row.cold, row.warm)),
            f"{more}{row.ratio(row.cold):.1f}",
            f"{more}{row.ratio(row.warm):.1f}",
            f"{row.tlc.memory:.0f}",
            f"{row.warm.memory:.0f}",
        )
    return table


def commit() -> str:
    """The commit that is checked out, with `-changed` where files differ from it."""
    try:
        name = _git("rev-parse", "--short=10", "HEAD")
        return f"{name}-changed" if _git("status", "--porcelain", "--untracked-files=no") else name
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
