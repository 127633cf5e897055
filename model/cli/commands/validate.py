"""`rmqproof validate`: is a recorded run a behaviour of the specification?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from rmqproof.conformance.loading import LoadingError, load_object
from rmqproof.conformance.runs.formats import USUAL_FORMAT, installed_formats
from rmqproof.conformance.runs.report import print_validation, to_json, write_files
from rmqproof.conformance.runs.validate import Reader
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.api.errors import RmqproofError
from rmqproof.model.api.models import Model
from rmqproof.model.api.runs import validate
from rmqproof.model.checking import exit_status
from rmqproof.model.cli.cases import error_case, validation_case
from rmqproof.model.cli.commands.conform import STOPPED, interruptible
from rmqproof.model.cli.leaving import leave
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, json_to, library, out, quiet
from rmqproof.model.cli.progress_line import telling
from rmqproof.model.cli.report_option import Report, asked_for, report_option
from rmqproof.model.cli.reports import write_cases
from rmqproof.model.cli.writable import write_json
from rmqproof.model.report.console import open_console
from rmqproof.model.search.control import Control
from rmqproof.model.tla.library import USUAL_CONFIG, bundled

_BOUNDS = Bounds()
_STATUS = {Answer.YES: 0, Answer.NO: exit_status.DIFFERS, Answer.UNKNOWN: STOPPED}


class _Mappings(click.Option):
    """Its help names the formats that are installed, which nobody has to load but who asks for help."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        logs = "; ".join(f"`{name}`: {known.what}" for name, known in sorted(installed_formats().items()) if known.what)
        self.help = f"{self.help} {logs}."
        return super().get_help_record(ctx)


@click.command("validate")
@click.argument("runs", nargs=-1, required=True, metavar="RUN.ndjson...", type=FILE)
@click.option(
    "--spec", type=FILE, metavar="SPEC.tla", help="The specification; default: the one that the configuration names."
)
@click.option(
    "--config",
    type=FILE,
    metavar="F.cfg",
    help="The configuration; default: that of --spec; for traces of `rmqproof cluster` "
    "spec/models/TwoBrokersLateAcks.cfg, else spec/models/TwoBrokers.cfg.",
)
@click.option(
    "--mapping",
    cls=_Mappings,
    metavar="M.toml|NAME|plain",
    help=f"What the lines mean, or whose they are; default without --spec: `{USUAL_FORMAT}`. `plain`: they are in the "
    "words of the specification;",
)
@click.option(
    "--constant",
    "constants",
    multiple=True,
    metavar="NAME=VALUE",
    help="Instead of the configuration's. May be repeated.",
)
@click.option(
    "--reader", metavar="PACKAGE.MODULE:FUNCTION", help="A function from a file to events, for logs that are no JSON."
)
@click.option(
    "--hidden-steps",
    type=click.IntRange(min=0),
    default=_BOUNDS.hidden,
    show_default=True,
    metavar="N",
    help="Steps without a line in a row, at most.",
)
@click.option(
    "--lost", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Lines that may be missing."
)
@click.option(
    "--width",
    type=click.IntRange(min=1),
    default=_BOUNDS.width,
    show_default=True,
    metavar="N",
    help="Possible states after an event that are followed.",
)
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=_BOUNDS.entries,
    show_default=True,
    metavar="N",
    help="States to look at in all.",
)
@library
@click.option("--thorough", is_flag=True, help="Try every order and step from the beginning: the whole ambiguity.")
@out("the explanation")
@json_to
@report_option
@quiet
def command(
    runs: tuple[Path, ...],
    spec: Path | None,
    config: Path | None,
    mapping: str | None,
    constants: tuple[str, ...],
    reader: str | None,
    hidden_steps: int,
    lost: int,
    width: int,
    max_states: int,
    library: tuple[str, ...],
    thorough: bool,
    out: Path | None,
    json_to: str | None,
    report: tuple[tuple[Report, ...], ...],
    quiet: bool,
) -> None:
    """Say whether a recorded run is a behaviour of a specification.

    A run is one or more files with a JSON object a line, one for each step: the node, the action, its arguments, what
    the node's state was afterwards, the messages sent and received; all but the node may be left out. The order of a
    node's lines and of sending before receiving is kept, the clocks of nodes decide nothing.

    Exit status: 0 yes, 1 no, 152 unknown because a bound was in the way, 2 a run that is empty or cannot be read, or
    wrong usage, 130 interrupted, 150 and 151 as for check.
    """
    errors = open_console(errors=True)
    if mapping is not None and spec is None and config is None and not constants:
        mapping = _suiting(mapping, runs, errors)
    path = spec or config or _usual_config(mapping or USUAL_FORMAT, runs)
    (files,) = find_models([path], [config] if spec is not None and config is not None else [], library)
    control = Control()
    try:
        read: Reader | None = load_object(reader, "a reader") if reader is not None else None
        with interruptible(control), telling(control, errors, _progress, quiet) as tell:
            result = validate(
                runs,
                Model(files, files.name),
                mapping=_mapping(mapping, spec, read),
                reader=read,
                constants=_values(constants),
                hidden_steps=hidden_steps,
                lost=lost,
                width=width,
                max_states=max_states,
                thorough=thorough,
                progress=tell,
                control=control,
                command=_command_line(runs),
            )
    except LoadingError as error:
        raise click.UsageError(str(error)) from None
    except RmqproofError as error:
        write_cases(asked_for(report), [error_case(files.name, runs[0], error)], json_to == "-")
        leave(error, errors)
    _show(result, out, json_to, quiet)
    _tell_others(result, (mapping or USUAL_FORMAT) if spec is None and config is None else "", errors)
    write_cases(asked_for(report), [validation_case(result, runs)], json_to == "-")
    sys.exit(exit_status.INTERRUPTED if result.bound == "interrupted" else _STATUS[result.answer])


def _show(result: Validation, out: Path | None, json_to: str | None, quiet: bool) -> None:
    text = open_console(errors=json_to == "-")
    if not quiet or result.answer is not Answer.YES:
        print_validation(result, text)
    if out is not None:
        written, problem = write_files(result, out)
        text.print(f"Written: {', '.join(str(file) for file in written)}", markup=False, soft_wrap=True)
        if problem:
            open_console(errors=True).print(problem, style="yellow", markup=False, soft_wrap=True)
    if json_to is not None:
        write_json(to_json(result), json_to)


def _tell_others(result: Validation, form: str, errors: Console) -> None:
    """Which rules have more behaviours than the usual ones of a format, which have refused a run, and which format of
    the same logs to take where there was no answer."""
    known = installed_formats().get(form) if result.answer is not Answer.YES else None
    if known is None:
        return
    config, what = known.wider
    other = known.instead
    if result.answer is Answer.NO and config:
        text = f"Not among the behaviours asked for: {what}. With --config rmqproof:{config} it is."
    elif result.answer is Answer.UNKNOWN and other is not None:
        text = f"--mapping {other.name} reads the same logs: {other.why}."
    else:
        return
    errors.print(text, markup=False, soft_wrap=True)


def _suiting(form: str, runs: Sequence[Path], errors: Console) -> str:
    """The format to ask for, where no model is named: another one, if these logs are what that one is for."""
    known = installed_formats().get(form)
    other = known.instead if known is not None else None
    if other is None or not other.suits(runs):
        return form
    text = f"These logs are read as --mapping {other.name} does: {other.why}. For the model of {form} give --config."
    errors.print(text, markup=False, soft_wrap=True)
    return other.name


def _mapping(name: str | None, spec: Path | None, reader: Reader | None) -> Path | str | None:
    if name is None and spec is None and reader is None:
        return USUAL_FORMAT
    if name is None or name == "plain":
        return None
    if name in installed_formats():
        return name
    if not Path(name).is_file():
        raise click.UsageError(f"--mapping {name}: there is no such file.")
    return Path(name)


def _usual_config(form: str, runs: Sequence[Path]) -> Path:
    known = installed_formats().get(form)
    return bundled((known.usual_config(runs) if known is not None else "") or USUAL_CONFIG)


def _values(constants: tuple[str, ...]) -> dict[str, str]:
    for constant in constants:
        if "=" not in constant:
            raise click.UsageError(f"--constant {constant}: write NAME=VALUE.")
    return {name.strip(): value.strip() for name, _, value in (constant.partition("=") for constant in constants)}


def _command_line(runs: tuple[Path, ...]) -> str:
    return f"rmqproof validate {' '.join(map(str, runs))}"


def _progress(done: int, all_: int, width: int) -> Text:
    return Text(f"{done:,} of {all_:,} events explained, {width:,} possible states")
