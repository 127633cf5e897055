"""`rmqproof conform`: make an implementation perform every edge of a model."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click
from rich.text import Text

from rmqproof.conformance.exploration import Conformance
from rmqproof.conformance.foreign import address_adapter, command_adapter
from rmqproof.conformance.guard import STEP_SECONDS, AdapterFactory
from rmqproof.conformance.loading import REFERENCE, LoadingError, load_adapter
from rmqproof.conformance.report import print_result, to_json, write_files
from rmqproof.conformance.subject import ModelSubject
from rmqproof.model.api.errors import AdapterError, RmqproofError, typed
from rmqproof.model.api.models import Model
from rmqproof.model.api.runs import conform
from rmqproof.model.api.spark_graph import OnSpark
from rmqproof.model.checking import exit_status
from rmqproof.model.checking.interrupts import once
from rmqproof.model.cli.cases import conform_case, error_case
from rmqproof.model.cli.leaving import leave
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.cli.option_list import FILE, json_to, library, out, quiet
from rmqproof.model.cli.progress_line import telling
from rmqproof.model.cli.report_option import Report, asked_for, report_option
from rmqproof.model.cli.reports import write_cases
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.report.cases import Case
from rmqproof.model.report.console import open_console
from rmqproof.model.search.control import Control
from rmqproof.model.tla.library import USUAL_CONFIG, bundled
from rmqproof.model.tla.source import TlaError

STOPPED = 152


@click.command("conform")
@click.argument("path", required=False, metavar="[SPEC.tla|MODEL.cfg]", type=FILE)
@click.option("--config", type=FILE, metavar="F.cfg", help="The configuration of SPEC.")
@click.option(
    "--adapter",
    default=REFERENCE,
    metavar="PACKAGE.MODULE:CLASS",
    help="The implementation; default: the reference implementation that comes with rmqproof.",
)
@click.option(
    "--adapter-command",
    metavar="COMMAND",
    help="An implementation in any language: a program that answers JSON lines on its standard input.",
)
@click.option("--adapter-address", metavar="HOST:PORT", help="The same, a server: each connection is one of its own.")
@click.option(
    "--step-seconds",
    type=click.FloatRange(min=0),
    default=STEP_SECONDS,
    show_default=True,
    metavar="S",
    help="An implementation that takes longer for one call differs (starting: a minute); 0: it may take for ever.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="Where the states are expanded; the report is the same.",
)
@click.option("--master", metavar="URL", help="With --engine spark; default: local[*].")
@click.option(
    "--store",
    type=Output(folder=True, path_type=None),
    metavar="DIR",
    help="With --engine spark: the store of `check --engine spark --store DIR --edges`; made if it is not there.",
)
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes; default: as many as there are.")
@click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Expand at most N states; never a success.")
@click.option(
    "--disabled/--no-disabled",
    default=True,
    help="Ask for every action that the model does not allow too; it must be refused.",
)
@click.option(
    "--paths",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    metavar="N",
    help="Whole paths from an initial state, without a restore.",
)
@click.option(
    "--probe-every",
    type=click.IntRange(min=0),
    metavar="N",
    help="After one edge in N go on without a restore, to find hidden state; 0: never; default: some thousand times.",
)
@click.option(
    "--probe-steps", type=click.IntRange(min=1), default=3, show_default=True, metavar="N", help="So many steps."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of what is chosen at random.")
@library
@out("differences")
@json_to
@report_option
@quiet
def command(**given: Any) -> None:
    """Make an implementation perform every edge of a model, and nothing else.

    The model is explored; from each distinct state, in the implementation's own snapshot of how it first got there,
    every action is asked for. What the model allows must lead to the model's next state, what it does not allow must
    be refused and change nothing. Without SPEC the model is spec/models/TwoBrokers.cfg.

    An implementation is given by an adapter, a class of a few methods: see rmqproof.conformance.adapter. One in another
    language is a program of its own (--adapter-command) or a server (--adapter-address); what is said to it is in
    docs/how-to/conform-another-language.md.

    Exit status: 0 it conforms, 1 it differs or does not account for everything, 152 stopped by --max-states,
    130 interrupted, 150 and 151 as for check, 2 wrong usage.
    """
    compare(None, **given)


@dataclass(frozen=True, slots=True)
class Target:
    """An implementation and the model that it is compared with. `notes`: what to say after the comparison."""

    name: str
    make: AdapterFactory
    model: Model | ModelSubject
    notes: Callable[[], list[str]] = list
    option: str = "--adapter"
    """With which the command line names it."""


class TargetUnusable(Exception):
    """The implementation cannot be had or started; the message says what to do."""


OpenTarget = Callable[[ModelFiles], AbstractContextManager[Target]]


def compare(
    target: OpenTarget | None,
    *,
    path: Path | None,
    config: Path | None,
    library: tuple[str, ...],
    adapter: str,
    adapter_command: str | None,
    adapter_address: str | None,
    engine: str,
    master: str | None,
    store: str | None,
    workers: int | None,
    out: Path | None,
    json_to: str | None,
    report: tuple[tuple[Report, ...], ...],
    quiet: bool,
    **how: Any,
) -> NoReturn:
    """Compare and exit. `target` is instead of the adapter; it may raise `TargetUnusable`. `how`: see `api.conform`."""
    errors = open_console(errors=True)
    (files,) = find_models([path or bundled(USUAL_CONFIG)], [config] if config is not None else [], library)
    model = files.config or files.spec
    spark = _spark(engine, master, store, workers)
    if adapter_command is not None or adapter_address is not None:
        _refuse_another(target is not None or engine == "spark" or adapter != REFERENCE)
    workers = 1 if adapter_address is not None and workers is None else workers
    open_target = target or partial(_adapter, adapter, adapter_command, adapter_address)
    control, name = Control(), ""
    try:
        with ExitStack() as stack:
            chosen = stack.enter_context(open_target(files))
            name = chosen.name
            stack.enter_context(interruptible(control))
            result = conform(
                chosen.model,
                adapter if spark is not None else chosen.make,
                workers=workers,
                spark=spark,
                progress=stack.enter_context(telling(control, errors, partial(_progress, files.name), quiet)),
                tell=partial(errors.print, style="dim", markup=False, soft_wrap=True),
                control=control,
                command=_command_line(chosen.option, name, model),
                **how,
            )
            notes = chosen.notes()
    except LoadingError as error:
        raise click.UsageError(str(error)) from None
    except KeyboardInterrupt:
        sys.exit(exit_status.INTERRUPTED)
    except AdapterError as error:
        _report(report, json_to, error_case(files.name, model, error))
        leave(error, errors, f"{name} cannot be compared with {files.name}:")
    except (RmqproofError, TlaError, TargetUnusable) as error:
        _report(report, json_to, error_case(files.name, model, error))
        leave(typed(error), errors)
    _show(result, out, json_to, quiet)
    _report(report, json_to, conform_case(result, files.name, model))
    _print_notes([] if quiet else notes, json_to)
    sys.exit(_status(result))


def _refuse_another(given: bool) -> None:
    if given:
        raise click.UsageError("--adapter-command and --adapter-address go with no other implementation and no Spark.")


def _report(reports: tuple[tuple[Report, ...], ...], json_to: str | None, case: Case) -> None:
    write_cases(asked_for(reports), [case], json_to == "-")


def _print_notes(notes: list[str], json_to: str | None) -> None:
    for note in notes:
        open_console(errors=json_to == "-").print(note, markup=False, soft_wrap=True)


def _spark(engine: str, master: str | None, store: str | None, workers: int | None) -> OnSpark | None:
    if engine == "spark":
        return OnSpark(master or "local[*]", store, workers)
    if master or store:
        raise click.UsageError("--master and --store go with --engine spark.")
    return None


@contextmanager
def _adapter(adapter: str, command: str | None, address: str | None, files: ModelFiles) -> Iterator[Target]:
    if command is not None and address is not None:
        raise click.UsageError("--adapter-command or --adapter-address, not both.")
    if command is not None:
        yield Target(command, command_adapter(command), Model(files, files.name), option="--adapter-command")
        return
    if address is not None:
        yield Target(address, address_adapter(address), Model(files, files.name), option="--adapter-address")
        return
    yield Target(adapter, load_adapter(adapter), Model(files, files.name))


def _show(result: Conformance, out: Path | None, json_to: str | None, quiet: bool) -> None:
    text = open_console(errors=json_to == "-")
    if not quiet or not result.conforms:
        print_result(result, text, result.elided)
    if out is not None and result.differences:
        written, problem = write_files(result, out)
        text.print(f"Written: {', '.join(str(file) for file in written)}", markup=False, soft_wrap=True)
        if problem:
            open_console(errors=True).print(problem, style="yellow", markup=False, soft_wrap=True)
    if json_to is not None:
        write_json(to_json(result), json_to)


def _status(result: Conformance) -> int:
    if result.differences:
        return exit_status.DIFFERS
    if result.stopped == "interrupted":
        return exit_status.INTERRUPTED
    if result.stopped:
        return STOPPED
    return 0 if result.conforms else exit_status.DIFFERS


def _command_line(option: str, adapter: str, model: Path) -> str:
    chosen = f" {option} {shlex.quote(adapter)}" if adapter != REFERENCE else ""
    return f"rmqproof conform {model}{chosen}"


@contextmanager
def interruptible(control: Control) -> Iterator[None]:
    """A first Ctrl-C ends the comparison in order, a second one at once."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if control.stopped is not None:
            raise KeyboardInterrupt
        control.interrupt()

    before = signal.signal(signal.SIGINT, once(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _progress(name: str, what: str, done: int, all_: int, rate: float) -> Text:
    share = f" ({100 * done // all_} %)" if all_ else ""
    return Text(f"{name}  {what}: {done:,}{f' of {all_:,}' if all_ else ''}{share}, {rate:,.0f} edges/s")
