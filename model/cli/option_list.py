"""Options that several commands have, each written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from rmqproof.model.cli.writable import Output

_Command = TypeVar("_Command", bound=Callable[..., Any])
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
"""A file that is read."""


def quiet(command: _Command) -> _Command:
    return click.option("--quiet", is_flag=True, help="No progress, and no text unless something is wrong.")(command)


def json_to(command: _Command) -> _Command:
    """The parameter `json_to`; see `write_json`."""
    return click.option(
        "--json",
        "json_to",
        type=Output(path_type=None, allow_dash=True),
        metavar="FILE|-",
        help="Write the result as JSON; with - the text goes to stderr.",
    )(command)


def out(what: str) -> Callable[[_Command], _Command]:
    """`--out DIR`; `what` is written there."""
    return click.option(
        "--out", type=Output(folder=True), metavar="DIR", help=f"Write {what} here, as ITF, text and picture."
    )


def library(command: _Command) -> _Command:
    return click.option(
        "--library",
        multiple=True,
        metavar="DIR",
        help="Look for modules here, too; `rmqproof:` stands for those that come with rmqproof. May be repeated.",
    )(command)
