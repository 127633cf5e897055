"""Options that several commands have, each written once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from rmqproof.model.cli.writable import Output
from rmqproof.model.tla.library import BUNDLED, spec_of

_Command = TypeVar("_Command", bound=Callable[..., Any])


class Given(click.Path):
    """A path that is there; `rmqproof:TwoBrokers.cfg` is the file of that name that comes with rmqproof."""

    def __init__(self, dir_okay: bool = True) -> None:
        super().__init__(exists=True, dir_okay=dir_okay, path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        text = os.fspath(value)
        return super().convert(spec_of(text, Path()) if text.startswith(BUNDLED) else value, param, ctx)


FILE, FILE_OR_FOLDER = Given(dir_okay=False), Given()
"""What is read."""


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
