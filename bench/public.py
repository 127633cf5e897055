"""`python -m bench.public`: TLC and us in turn over the models that TLC needs a while for, by what their authors say.

Which models there are is not chosen here: all of the collection (laid out as tlaplus/Examples is) whose manifest gives
TLC's time in the range asked for, and three of this project. A row whose counts differ is in no mean, and is said.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import click
from rich.console import Console

from rmqproof.model.suite.collection import read_collection
from rmqproof.model.suite.timing import Row, TimedModel, measured, models_of, written
from rmqproof.model.suite.timing_tables import table_of

ROOT = Path(__file__).parents[1]
OWN = (
    ("two-phase commit, 8 managers", "tests/specs/TwoPhaseCommit.tla", "bench/TwoPhaseCommit8.cfg"),
    ("rmqproof/TwoBrokers", "spec/core/ControllerMode.tla", "spec/models/TwoBrokers.cfg"),
    ("rmqproof/ThreeBrokersLarge", "spec/core/ControllerMode.tla", "spec/models/ThreeBrokersLarge.cfg"),
)
"""Models of this project, beside the public ones."""


@click.command()
@click.option("--examples", type=click.Path(exists=True, path_type=Path), help="A clone of tlaplus/Examples.")
@click.option("--tlc", default=lambda: os.environ.get("TLC_CLASSPATH") or None, required=True, help="TLC's class path.")
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
    models += [TimedModel(name, ROOT, ROOT / spec, ROOT / config) for name, spec, config in OWN]
    models = [m for m in models if not only or any(part.lower() in m.name.lower() for part in only)]
    about = {"commit": commit(), "machine": machine(), "workers": workers, "repeat": repeat}
    rows: list[Row] = []
    for number, model in enumerate(models, 1):
        click.echo(f"{number} of {len(models)}: {model.name}", err=True)
        rows.append(measured(model, tlc, workers, repeat, limit))
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{about['commit']}.json").write_text(written(rows, about), encoding="utf-8")
    Console(width=150).print(table_of(rows, f"{about['commit']}, {workers} workers"))
    sys.exit(0 if all(row.same for row in rows) else 1)


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
