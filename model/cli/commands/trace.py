"""`rmqproof trace`: print a trace as text, compare two."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rmqproof.model.cli.asking import files_for, said, through
from rmqproof.model.cli.option_list import FILE
from rmqproof.model.explore.language import Language
from rmqproof.model.explore.watching import Watched, seen_through
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.comparison import comparison_text, first_difference
from rmqproof.model.report.console import open_console
from rmqproof.model.report.itf import read_itf
from rmqproof.model.report.text import print_behaviour

_TRACE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("trace")
def command() -> None:
    """Read traces (ITF files) of this and other tools."""


@command.command("show")
@click.argument("path", type=_TRACE, metavar="TRACE.itf.json")
@click.option("--full", is_flag=True, help="Print whole states, not only what changes.")
@through
@click.option("--spec", type=FILE, metavar="S.tla|M.cfg", help="With --eval: the model; default: the one it names.")
@click.option("--config", type=FILE, metavar="F.cfg", help="With --spec: its configuration.")
def show(path: Path, full: bool, expressions: tuple[str, ...], spec: Path | None, config: Path | None) -> None:
    """Print a trace: the initial state, then what each step changes."""
    behaviour = _read(path)
    if expressions:
        with said():
            language = Language(files_for(spec, config, (), behaviour, path))
            behaviour = seen_through(behaviour, [Watched.of(language, text) for text in expressions])
    print_behaviour(behaviour, open_console(), full)


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
    with said():
        return read_itf(path)
