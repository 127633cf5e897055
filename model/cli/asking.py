"""Expressions on the command line: in which model they are read, and what is said where that goes wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.cli.models import find_models
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.console import open_console
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError

View = Callable[[Behaviour], Behaviour]
_Command = TypeVar("_Command", bound=Callable[..., Any])


def through(command: _Command) -> _Command:
    """The parameter `expressions`: `--eval`."""
    return click.option(
        "--eval",
        "expressions",
        multiple=True,
        metavar="EXPR",
        help="Show this of each state instead of the variables; with a name: `n == EXPR`. May be repeated.",
    )(command)


@contextmanager
def said() -> Iterator[None]:
    """An error of the checker is printed, and the command ends with its status."""
    try:
        yield
    except TlaError as error:
        open_console(errors=True).print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))


def files_for(
    spec: Path | None, config: Path | None, library: Sequence[str], behaviour: Behaviour | None, trace: Path | None
) -> ModelFiles | None:
    """The model that is named, else the one that the trace names; None without both. Raise `TlaError`."""
    if spec is not None:
        (files,) = find_models([spec], [config] if config is not None else [], list(library))
        return files
    if behaviour is None or trace is None:
        return None
    from rmqproof.model.explore.traces import needed_model_of

    return needed_model_of(behaviour, trace, "Name it: --spec S.tla --config F.cfg.")


def shown_through(outcome: Outcome, views: Sequence[View]) -> Outcome:
    """The outcome with its counterexample seen through expressions, where it has one and there are some."""
    if outcome.behaviour is None:
        return outcome
    with said():
        for view in views:
            outcome = replace(outcome, shown=view(outcome.behaviour))
    return outcome


def views(files: ModelFiles, expressions: Sequence[str], alias: str | None) -> list[View]:
    """How a counterexample of the model is to be shown; empty: as it is. Raise `TlaError` for a mistake in one."""
    # few checks ask for one
    from rmqproof.model.explore.evaluation import Evaluation
    from rmqproof.model.explore.language import Language
    from rmqproof.model.explore.watching import Watched, aliased, seen_through

    language = Language(files)
    watched = [Watched.of(language, text) for text in expressions]
    found: list[View] = []
    if alias is not None:
        evaluation = Evaluation.of(language, alias)
        found.append(lambda behaviour: aliased(behaviour, evaluation))
    if watched:
        found.append(lambda behaviour: seen_through(behaviour, watched))
    return found
