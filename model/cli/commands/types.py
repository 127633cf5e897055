"""`rmqproof types`: the types that inference finds for the variables of a model."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, library
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.report.console import open_console
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.source import TlaError
from rmqproof.model.types.infer import infer_types


@click.command("types")
@click.argument("path", metavar="SPEC.tla|MODEL.cfg", type=FILE)
@click.option("--config", type=FILE, metavar="F.cfg", help="The configuration; default: the one of the same name.")
@library
def command(path: Path, config: Path | None, library: tuple[str, ...]) -> None:
    """Print what values each variable of a model can hold.

    Ranges and lengths come from Init, Next, TypeOK-like invariants, `@type` annotations and the constants' values. A
    variable that holds values of several kinds is shown as a union, with the places that assign them.
    """
    try:
        for files in find_models([path], [config] if config is not None else [], library):
            click.echo(deeply(_types, files.load()))
    except TlaError as error:
        open_console(errors=True).print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))


def _types(model: Model) -> str:
    return infer_types(model).render()
