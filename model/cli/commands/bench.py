"""`rmqproof bench`: what a check of one's own models takes, beside TLC and beside an earlier run."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.cli.option_list import FILE, quiet
from rmqproof.model.cli.writable import Output
from rmqproof.model.report.console import open_console
from rmqproof.model.suite.timing import Row, TimedModel, measured, read, written
from rmqproof.model.suite.timing_tables import compared, table_of
from rmqproof.version import VERSION

_WIDTH = 150
"""Columns of the table in a file or a pipe."""


@click.command("bench")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="[SPEC.tla|MODEL.cfg|FOLDER]…"
)
@click.option(
    "--tlc",
    default=lambda: os.environ.get("TLC_CLASSPATH") or None,
    metavar="CLASSPATH",
    help="Time TLC, too: its jar, with others that it needs.  [default: $TLC_CLASSPATH, else TLC is not timed]",
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Of both.")
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Runs of each, in turn."
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    metavar="S",
    help="Seconds after which a run is stopped.",
)
@click.option("--no-deadlock", is_flag=True, help="Deadlocks are no error.")
@click.option("--json", "json_to", type=Output(), metavar="FILE", help="Write the rows.")
@click.option("--compare", "before", type=FILE, metavar="FILE", help="Rows of an earlier run: say what is slower now.")
@quiet
def command(
    paths: tuple[Path, ...],
    tlc: str | None,
    workers: int,
    repeat: int,
    limit: float,
    no_deadlock: bool,
    json_to: Path | None,
    before: Path | None,
    quiet: bool,
) -> None:
    """Time the whole of a check: TLC, ours with nothing in the cache (cold), and ours again (warm), in turn.

    A time is in processor seconds of a process and of all that it starts, a compiler too; the memory is that of the
    largest process. Where a machine is busy, ratios within one run say more than seconds. Verdicts and the counts of
    states must be equal, wherever no run was stopped.

    Exit status 1 when verdicts or counts differ, where there is no verdict, or when a model has become slower.
    """
    if not hasattr(os, "wait4"):
        raise click.UsageError("What a process takes cannot be asked of this system: run it on Linux or macOS.")
    if tlc is not None and shutil.which("java") is None:
        raise click.UsageError("There is no java to run TLC with: install one, or leave out --tlc and $TLC_CLASSPATH.")
    try:
        earlier = read(before)[1] if before is not None else []
    except ValueError as error:
        raise click.UsageError(f"{error}: give --compare a file that --json has written.") from None
    models = find_models(paths)
    rows: list[Row] = []
    text, progress = open_console(), open_console(errors=True)
    if not text.is_terminal:
        text.width = _WIDTH
    interrupted = False
    try:
        for number, files in enumerate(models, 1):
            if not quiet:
                progress.print(f"{number} of {len(models)}: {files.name}", highlight=False, markup=False)
            rows.append(measured(_timed(files, not no_deadlock), tlc, workers, repeat, limit))
    except KeyboardInterrupt:
        progress.print("Interrupted.")
        interrupted = True
    about = {"version": VERSION, "workers": workers, "repeat": repeat}
    if rows:
        text.print(table_of(rows, f"rmqproof {VERSION}, {workers} worker{'s' * (workers > 1)}"))
    if json_to is not None:
        json_to.write_text(written(rows, about), encoding="utf-8")
    slower: list[str] = []
    if earlier:
        names = {row.name for row in rows}
        table, slower = compared([row for row in earlier if row.name in names], rows)
        text.print(table)
    if interrupted:
        sys.exit(exit_status.INTERRUPTED)
    sys.exit(exit_status.DIFFERS if slower or not all(row.same for row in rows) else 0)


def _timed(files: ModelFiles, deadlock: bool) -> TimedModel:
    return TimedModel(files.name, Path.cwd(), files.spec.resolve(), (files.config or files.spec).resolve(), deadlock)
