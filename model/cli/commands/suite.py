"""`rmqproof suite`: check a collection of models with published results, and compare."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.writable import Output
from rmqproof.model.report.console import open_console
from rmqproof.model.suite.collection import CollectionError, read_collection
from rmqproof.model.suite.judgement import Judgement, Standing, unsuitable
from rmqproof.model.suite.reporting import as_json, print_line, print_report
from rmqproof.model.suite.running import run_collection

_WIDTH = 200
"""Columns of the table in a file or a pipe."""


@click.command("suite")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="N",
    help="Time limit of each model.",
)
@click.option("--only", default="", metavar="S", help="Only models whose name contains S.")
@click.option(
    "--published-seconds",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Only models that TLC checks in N seconds, as published.",
)
@click.option(
    "--json",
    "json_to",
    type=Output(),
    metavar="F",
    help="Write every judgement to this file.",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "python", "interpreter", "native"]),
    default="auto",
    show_default=True,
    help="What explores the models, as for `rmqproof check`.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Models checked at a time."
)
def command(
    folder: Path,
    max_seconds: float,
    only: str,
    published_seconds: float | None,
    json_to: Path | None,
    engine: str,
    workers: int,
) -> None:
    """Check every model of a collection laid out as tlaplus/Examples and compare with its published results.

    DIR holds `specifications/*/manifest.json`. Verdict and the counts of distinct and generated states must be equal.
    The options are those of the collection's own runner: a deadlock is a failure unless the configuration says
    otherwise.

    Exit status 1 when a model differs.
    """
    try:
        models = read_collection(folder, only)
    except CollectionError as error:
        raise click.UsageError(str(error)) from None
    if published_seconds is not None:
        models = [model for model in models if model.seconds is not None and model.seconds <= published_seconds]
    if not models:
        raise click.UsageError("No model of the collection is meant by these options.")
    text = open_console()
    if not text.is_terminal:
        text.width = _WIDTH
    progress = open_console(errors=True)
    to_run = sum(1 for model in models if not unsuitable(model))
    told = 0

    def tell(judgement: Judgement) -> None:
        nonlocal told
        told += 1
        print_line(judgement, told, to_run, progress)

    try:
        judgements = run_collection(models, max_seconds, workers, tell, engine)
    except KeyboardInterrupt:
        progress.print("Interrupted.")
        sys.exit(exit_status.INTERRUPTED)
    print_report(judgements, text)
    if json_to is not None:
        json_to.write_text(json.dumps(as_json(judgements), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(exit_status.DIFFERS if any(j.standing is Standing.DIFFERENT for j in judgements) else 0)
