"""`rmqproof prove --bounded K`: a violation within K steps, looked for by Z3."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from rmqproof.model.cli.models import find_models
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import sentence
from rmqproof.model.prove.bounded import Bounded, search_bounded
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.report.behaviour import Behaviour, Origin, Step
from rmqproof.model.report.text import print_behaviour
from rmqproof.model.tla import core

_SECONDS = 30
"""So many time-outs are given to the whole search."""
VIOLATED, STOPPED = 12, 152


def check_bounded(paths: Sequence[Path], config: Path | None, steps: int, timeout: float, console: Console) -> int:
    """Check one model and print the verdict; the exit status. Raise `TlaError`."""
    models = find_models(paths, [config] if config is not None else [])
    if len(models) != 1:
        raise click.UsageError("--bounded goes with one model.")
    subject = open_module(models[0].spec, models[0].config)
    found = search_bounded(subject, steps, timeout * _SECONDS, lambda text: console.print(text, markup=False))
    for name, construct in found.left_out.items():
        console.print(f"{name} is not looked at: there is no translation of {construct}.", markup=False)
    for place in found.doubted:
        console.print(
            f"{place}: Z3 finds a state without a value here, in which the interpreter finds one.", markup=False
        )
    if found.undefined is not None:
        taken = len(found.path) - 1
        when = "in the initial predicate" if taken < 0 else f"after {taken} step{'' if taken == 1 else 's'}"
        console.print(f"An expression has no value {when}.")
        if found.path:
            _print_path(subject, found, None, console)
        raise found.undefined
    if not found.violated:
        if found.reason:
            console.print(f"Not finished: {found.reason}.", markup=False)
            return STOPPED
        console.print(f"No violation within {found.steps} steps of an initial state.")
        return 0
    properties = (*subject.model.invariants, *(p.definition for p in subject.model.properties))
    _print_path(subject, found, next(d for d in properties if d.name == found.violated), console)
    return VIOLATED


def _print_path(subject: Subject, found: Bounded, violated: core.Definition | None, console: Console) -> None:
    names = tuple(variable.name for variable in subject.model.specification.variables)
    states = tuple(
        Step(
            index,
            action if index else None,
            tuple(map(to_itf, arguments)) if index else (),
            dict(zip(names, map(to_itf, values), strict=True)),
        )
        for index, (action, values, arguments) in enumerate(found.path)
    )
    origin = Origin(model_values=frozenset(subject.model.model_values))
    about = (violated.name, sentence(violated)) if violated is not None else ("", "")
    print_behaviour(Behaviour(names, states, None, *about, origin), console)
