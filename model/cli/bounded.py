"""`rmqproof prove --bounded K`: a violation within K steps, looked for by Z3."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from rmqproof.model.api.bounded import bounded
from rmqproof.model.cli.models import find_models
from rmqproof.model.report.text import print_behaviour

_SECONDS = 30
"""So many time-outs are given to the whole search."""
VIOLATED, STOPPED = 12, 152


def check_bounded(paths: Sequence[Path], config: Path | None, steps: int, timeout: float, console: Console) -> int:
    """Check one model and print the verdict; the exit status. Raise `TlaError`."""
    models = find_models(paths, [config] if config is not None else [])
    if len(models) != 1:
        raise click.UsageError("--bounded goes with one model.")
    result = bounded(models[0], steps, timeout * _SECONDS, lambda text: console.print(text, markup=False))
    found = result.found
    for name, construct in found.left_out.items():
        console.print(f"{name} is not looked at: there is no translation of {construct}.", markup=False)
    for place in found.doubted:
        console.print(
            f"{place}: Z3 finds a state without a value here, in which the Python engine finds one.", markup=False
        )
    if found.undefined is not None:
        taken = len(found.path) - 1
        when = "in the initial predicate" if taken < 0 else f"after {taken} step{'' if taken == 1 else 's'}"
        console.print(f"An expression has no value {when}.")
        if found.path:
            print_behaviour(result.shown(), console)
        raise found.undefined
    if not found.violated:
        if found.reason:
            console.print(f"Not finished: {found.reason}.", markup=False)
            return STOPPED
        console.print(f"No violation within {found.steps} steps of an initial state.")
        return 0
    print_behaviour(result.shown(), console)
    return VIOLATED
