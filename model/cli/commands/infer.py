"""`rmqproof infer`: find an inductive invariant."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.interrupts import raising
from rmqproof.model.cli.asking import said
from rmqproof.model.cli.inferring import outcome_record, print_outcome
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, json_to, library, quiet
from rmqproof.model.cli.stored import stored_states
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.infer.infer import Outcome, infer, saved_conjuncts
from rmqproof.model.infer.opening import Wish, hints_in
from rmqproof.model.prove.modules import Sizes
from rmqproof.model.report.console import open_console
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.model_files import ModelFiles


@click.command("infer")
@click.argument("spec", metavar="SPEC.tla|MODEL.cfg", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--config", type=FILE, metavar="F.cfg", help="The configuration; default: the one of the same name.")
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="P",
    help="What the invariant is to imply: a formula about states. May be repeated; default: the model's invariants.",
)
@click.option(
    "--hints",
    type=FILE,
    metavar="FILE",
    help="Conjuncts of yours, one a line, used where they are needed; lines that begin with \\* are none.",
)
@click.option(
    "--any",
    "open_sets",
    multiple=True,
    metavar="NAME",
    help="Have what is found proved for any finite set as the value of this constant. May be repeated.",
)
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=Wish().states,
    show_default=True,
    metavar="N",
    help="Explore up to so many states; where there are more, half of them are from random walks.",
)
@click.option(
    "--store",
    metavar="URI",
    help="Candidates have to hold in the states, too, that `check --engine spark --store` has kept of this model.",
)
@click.option("--master", default="local[*]", show_default=True, metavar="URL", help="Where Spark runs, with --store.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=Wish().seconds,
    show_default=True,
    metavar="S",
    help="For the whole search.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=Wish().timeout,
    show_default=True,
    metavar="S",
    help="Seconds a question.",
)
@click.option(
    "--out",
    "folder",
    type=Output(folder=True),
    default=Path(),
    metavar="DIR",
    help="Write the module SpecInvariant.tla and its configuration here; default: the present folder.",
)
@click.option("--resume", is_flag=True, help="Go on with what an earlier search, which did not come to its end, found.")
@library
@json_to
@quiet
def command(
    spec: Path,
    config: Path | None,
    properties: tuple[str, ...],
    hints: Path | None,
    open_sets: tuple[str, ...],
    states: int,
    store: str | None,
    master: str,
    seconds: float,
    timeout: float,
    folder: Path,
    resume: bool,
    library: tuple[str, ...],
    json_to: str | None,
    quiet: bool,
) -> None:
    """Find an inductive invariant that implies the properties of a specification.

    Candidates are made of the specification's own variables, constants and formulas. What holds in the reachable states
    of the model and excludes counterexamples to induction, which Z3 finds, becomes a conjunct, until no step breaks the
    conjunction. It is written as a module that `rmqproof prove` proves, and proved before this command says so.

    Exit status: 0 found and proved, 1 not found (with the step that is left), 12 a property does not hold (with a
    behaviour that shows it), 75 for steps that cannot be translated, 130 interrupted, 150 and 151 as for check.
    """
    console = open_console(errors=json_to == "-")
    errors = open_console(errors=True)

    def tell(line: str) -> None:
        if not quiet:
            errors.print(line, style="dim", markup=False, highlight=False, soft_wrap=True)

    with said():
        (files,) = find_models([spec], [config] if config is not None else [], library)
        wish = Wish(
            properties,
            hints_in(hints) if hints is not None else (),
            saved_conjuncts(files, folder) if resume else (),
            states,
            seconds,
            timeout,
        )
        # Spark is stopped after the last question, when Ctrl-C raises nothing any more
        with nullcontext(wish) if store is None else _with_stored(wish, files, store, master, tell) as wish, raising():
            try:
                outcome = infer(files, wish, folder, Sizes(any=open_sets), tell)
            except KeyboardInterrupt:
                errors.print("Interrupted before the search.", style="bold red")
                sys.exit(exit_status.INTERRUPTED)
    if not quiet or not outcome.found:
        print_outcome(outcome, console)
    if json_to is not None:
        _write(outcome, json_to)
    sys.exit(_status(outcome))


@contextmanager
def _with_stored(wish: Wish, files: ModelFiles, store: str, master: str, tell: Callable[[str], None]) -> Iterator[Wish]:
    """The wish with the states of a store. Raise `TlaError` for one of another model."""
    from rmqproof.model.checking.store_of_model import is_of

    with stored_states(store, master) as stored:
        is_of(stored.opened.store, files.load(), files.config or config_of(files.spec))
        more = "" if stored.opened.manifest.finished else ", whose search is not over"
        tell(f"{stored.size:,} states in the store{more}")
        yield replace(wish, stored=stored)


def _write(outcome: Outcome, to: str) -> None:
    write_json(outcome_record(outcome), to)


def _status(outcome: Outcome) -> int:
    if outcome.interrupted:
        return exit_status.INTERRUPTED
    if outcome.violated:
        return exit_status.OF_VERDICT[Verdict.SAFETY]
    return 0 if outcome.found else 1
