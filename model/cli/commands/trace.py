"""`rmqproof trace`: print a trace as text, compare two."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.comparison import comparison_text, first_difference
from rmqproof.model.report.console import open_console
from rmqproof.model.report.itf import read_itf
from rmqproof.model.report.text import print_behaviour
from rmqproof.model.tla.source import TlaError

_TRACE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("trace")
def command() -> None:
    """Read traces (ITF files) of this and other tools."""


@command.command("show")
@click.argument("path", type=_TRACE, metavar="TRACE.itf.json")
@click.option("--full", is_flag=True, help="Print whole states, not only what changes.")
def show(path: Path, full: bool) -> None:
    """Print a trace: the initial state, then what each step changes."""
    print_behaviour(_read(path), open_console(), full)


@command.command("diff")
@click.argument("left", type=_TRACE, metavar="LEFT.itf.json")
@click.argument("right", type=_TRACE, metavar="RIGHT.itf.json")
def diff(left: Path, right: Path) -> None:
    """Say where two traces part. Exit status 1 when they do."""
    one, other = _read(left), _read(right)
    console = open_console()
    console.print(comparison_text(one, other, console.width), soft_wrap=True, markup=False)
    sys.exit(0 if first_difference(one, other) is None else 1)


def _read(path: Path) -> Behaviour:
    try:
        return read_itf(path)
    except TlaError as error:
        open_console(errors=True).print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))
