"""`rmqproof coverage`: how often each expression of a specification is evaluated, and what that costs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.asking import said
from rmqproof.model.cli.audience import Terminal
from rmqproof.model.cli.coverage_page import coverage_page
from rmqproof.model.cli.coverage_text import coverage_record, print_coverage
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, json_to, library, quiet
from rmqproof.model.cli.summary import print_outcome
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.report.console import open_console


@click.command("coverage")
@click.argument("path", type=FILE, metavar="SPEC.tla|MODEL.cfg")
@click.option("--config", type=FILE, metavar="F.cfg", help="The configuration; default: the one of the same name.")
@click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop after this many distinct states.")
@click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Stop after this time.")
@click.option("--no-deadlock", is_flag=True, help="Deadlocks are no error.")
@click.option("--continue", "keep_going", is_flag=True, help="Go on behind violations.")
@click.option("--summary", is_flag=True, help="Print no text of modules.")
@library
@click.option("--html", "page", type=Output(), metavar="FILE", help="Write a page: the specification, coloured.")
@json_to
@quiet
def command(
    path: Path,
    config: Path | None,
    max_states: int | None,
    max_seconds: float | None,
    no_deadlock: bool,
    keep_going: bool,
    summary: bool,
    library: tuple[str, ...],
    page: Path | None,
    json_to: str | None,
    quiet: bool,
) -> None:
    """Say of each expression how often a search evaluates it, and what it costs: evaluations of it and its parts.

    Everything is counted by careful Python code, with one worker: it is slower than a check, and the states are the
    same. What is constant is evaluated once, and not counted. Exit status: as for check.
    """
    console, errors = open_console(errors=json_to == "-"), open_console(errors=True)
    options = Options(
        evaluations=True,
        deadlock=not no_deadlock,
        max_states=max_states,
        max_seconds=max_seconds,
        keep_going=keep_going,
        ignore_liveness=True,
    )
    with said():
        (files,) = find_models([path], [config] if config is not None else [], library)
        try:
            outcome = check(files, options, Terminal(errors, quiet))
        except KeyboardInterrupt:
            errors.print("Interrupted.")
            sys.exit(exit_status.INTERRUPTED)
    if outcome.coverage is None:
        print_outcome(outcome, errors)
        sys.exit(outcome.status)
    if page is not None:  # before the text, whose reader may have had enough of it
        page.write_text(coverage_page(outcome, outcome.coverage), encoding="utf-8")
    if json_to is not None:
        write_json(coverage_record(outcome, outcome.coverage), json_to)
    if not quiet:
        print_coverage(outcome, outcome.coverage, console, listing=not summary)
    sys.exit(outcome.status)
