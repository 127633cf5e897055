"""`rmqproof check`: explore every state of a model and say which properties hold."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.check import Making, check
from rmqproof.model.checking.expectation import Expectation, ExpectationError, read_expectation
from rmqproof.model.checking.options import Options, SparkOptions, SparkUnavailable
from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.cli.asking import View, said, shown_through, through, views
from rmqproof.model.cli.audience import Terminal
from rmqproof.model.cli.models import DEFAULT_GROUP, ModelFiles, find_models
from rmqproof.model.cli.option_list import FILE, FILE_OR_FOLDER, json_to, library, out, quiet
from rmqproof.model.cli.report_option import Report, asked_for, report_option
from rmqproof.model.cli.size import Size
from rmqproof.model.cli.summary import print_emptiness, print_outcome, print_short, print_table
from rmqproof.model.cli.time_left import time_left
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.report.console import open_console
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import TUNED, Tuning
from rmqproof.model.tla.config_file import config_text
from rmqproof.model.tla.library import bundled_models
from rmqproof.model.tla.source import TlaError


@click.command("check")
@click.argument(
    "paths",
    nargs=-1,
    metavar="[SPEC.tla|MODEL.cfg|FOLDER]...",
    type=FILE_OR_FOLDER,
)
@click.option(
    "--config",
    "configs",
    multiple=True,
    type=FILE,
    metavar="F.cfg",
    help="The configuration, or a .tla file with one; default: the one named as the specification. May be repeated.",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "python", "interpreter", "native", "spark"]),
    default="auto",
    show_default=True,
    help="What explores: Python code or machine code made for the model; interpreter is an old name of python.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes; default: as many as pay. The result is the same.",
)
@click.option("--deadlock/--no-deadlock", default=True, help="A state without successor is a failure.")
@click.option("--continue", "keep_going", is_flag=True, help="Go on after a violation: the first of each property.")
@click.option("--ignore-liveness", is_flag=True, help="Leave out liveness properties.")
@click.option(
    "--final-liveness", is_flag=True, help="Check liveness when all states are known, and not while they are explored."
)
@click.option(
    "--max-states", type=click.IntRange(min=1), metavar="N", help="Stop after N distinct states; never a success."
)
@click.option("--max-seconds", type=click.FloatRange(min=0), metavar="S", help="Stop after S seconds; never a success.")
@click.option("--simulate", type=click.IntRange(min=1), metavar="N", help="Explore N random behaviours instead of all.")
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="D",
    help="States of a random behaviour, at most.",
)
@click.option("--swarm", is_flag=True, help="With --simulate: each behaviour prefers some actions, others each time.")
@click.option(
    "--guided", is_flag=True, help="With --simulate: each behaviour goes where those before it have not been."
)
@click.option("--seed", type=int, metavar="S", help="Of the random behaviours; default: chosen, and printed.")
@click.option(
    "--checkpoint",
    type=Output(folder=True),
    metavar="DIR",
    help="Save the search here; it survives a kill.",
)
@click.option(
    "--checkpoint-seconds",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Time between two savings.",
)
@click.option("--resume", is_flag=True, help="Continue the search saved in --checkpoint DIR, or in --store.")
@click.option("--master", metavar="URL", help="With --engine spark: where; default: local[*].")
@click.option(
    "--partitions",
    type=click.IntRange(min=1),
    metavar="P",
    help="With --engine spark: parts of the states; default: one a processor.",
)
@click.option(
    "--store",
    type=Output(folder=True, path_type=None),
    metavar="URI",
    help="With --engine spark: keep the states here, as Parquet; see `states`.",
)
@click.option("--edges", is_flag=True, help="With --store: keep the steps too.")
@click.option(
    "--memory",
    type=Size(),
    metavar="SIZE",
    help="As 512m or 4g: states beyond it go to disk (native); of an executor with its JVM (spark; default 3g).",
)
@click.option(
    "--fingerprint-bits",
    type=click.Choice(["64", "128"]),
    default="64",
    show_default=True,
    callback=lambda context, option, given: int(given),
    help="Of a state, in machine code: two states have the same one by a chance of 1 in 2 to this power.",
)
@click.option("--hand-over", type=click.IntRange(min=0), metavar="N", hidden=True)
@click.option("--grace", "tuning", type=float, hidden=True, callback=lambda context, option, given: _tuned(given))
@click.option(
    "--expect",
    is_flag=True,
    help="Succeed when exactly what the line `\\* EXPECT …` of the configuration says happens.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="NAME",
    help="Only models with the line `\\* GROUP NAME`; `default`: those without; `all`.",
)
@library
@out("counterexamples")
@json_to
@report_option
@through
@click.option("--alias", metavar="EXPR", help="Show a counterexample by the fields of this record, as ALIAS does.")
@click.option(
    "--break",
    "break_at",
    metavar="EXPR",
    help="Stop at the first state (with primes: step) of which this is true; at a terminal begin a `repl` there.",
)
@click.option("--coverage", is_flag=True, help="Print how often each action was taken.")
@quiet
def command(
    paths: tuple[Path, ...],
    configs: tuple[Path, ...],
    groups: tuple[str, ...],
    library: tuple[str, ...],
    expect: bool,
    out: Path | None,
    json_to: str | None,
    report: tuple[tuple[Report, ...], ...],
    coverage: bool,
    seed: int | None,
    quiet: bool,
    resume: bool,
    checkpoint: Path | None,
    master: str | None,
    partitions: int | None,
    store: str | None,
    edges: bool,
    memory: int | None,
    hand_over: int | None,
    **rest: object,
) -> None:
    """Explore every reachable state of a model and say for each property whether it holds.

    SPEC.tla is checked with the configuration of the same name: SPEC.cfg, or a section `---- CONFIG SPEC ----` … `====`
    of the file itself. MODEL.cfg is checked with the specification it names; a FOLDER stands for every configuration
    in it. With none of them, the models of RocketMQ's Controller mode that come with rmqproof are checked, as with
    --expect --group default; `rmqproof:TwoBrokers.cfg` is one of them, `rmqproof:bugs` a folder.

    Exit status, as TLC's: 0 success, 10 assumption, 11 deadlock, 12 safety, 13 liveness failure, 14 assertion, 75-77
    evaluation failure, 150 specification and 151 configuration cannot be parsed, 152 stopped by a limit or by
    TLCSet("exit", TRUE), 153 system error. 1 with --expect when something else happens, 2 wrong usage, 130 interrupted.
    """
    if not paths:
        paths, expect, groups = bundled_models(), True, groups or (DEFAULT_GROUP,)
    models = _of_groups(find_models(paths, configs, library), groups)
    spark = SparkOptions(master or "local[*]", partitions, store, edges, memory, resume, hand_over)
    break_at, shown = rest.pop("break_at"), _views(models, rest)
    _refuse_misuse(len(models), spark, checkpoint, rest)
    options = Options(
        memory=memory,
        resume=resume,
        checkpoint=checkpoint,
        seed=int.from_bytes(os.urandom(4)) if seed is None else seed,
        spark=spark,
        **rest,  # type: ignore[arg-type]
    )
    if isinstance(break_at, str):
        sys.exit(_stop_at(models, break_at, options, quiet, shown, out))
    expectations = _expectations(models) if expect else [None] * len(models)
    text, outcomes = open_console(errors=json_to == "-"), []
    for outcome in _each_checked(models, expectations, options, Terminal(open_console(errors=True), quiet), out):
        outcomes.append(shown_through(outcome, shown))
        if len(models) > 1:
            _print_of_many(outcome, text, expect, coverage, quiet)
    _print(outcomes, len(models), text, expect, coverage, quiet)
    if json_to is not None:
        _write_json(outcomes, len(models), json_to)
    _report(asked_for(report), outcomes, models[len(outcomes) :], expect, json_to == "-")
    sys.exit(_status(outcomes, expect))


def _report(
    wanted: list[Report], outcomes: list[Outcome], left: list[ModelFiles], expect: bool, to_stderr: bool
) -> None:
    if wanted:
        from rmqproof.model.cli.reports import write_reports

        write_reports(wanted, outcomes, left, expect, to_stderr)


def _tuned(grace: float | None) -> Tuning:
    return TUNED if grace is None else Tuning(grace=grace)


def _stop_at(
    models: list[ModelFiles], text: str, options: Options, quiet: bool, shown: list[View], out: Path | None
) -> int:
    if len(models) != 1:
        raise click.UsageError("--break goes with one model.")
    from rmqproof.model.cli.breaking import stop_at

    return stop_at(models[0], text, options, Terminal(open_console(errors=True), quiet), open_console(), shown, out)


def _views(models: list[ModelFiles], rest: dict[str, Any]) -> list[View]:
    """What --eval and --alias ask for, taken out of the rest. Raise `click.UsageError`."""
    expressions, alias = rest.pop("expressions"), rest.pop("alias")
    if not expressions and alias is None:
        return []
    if len(models) != 1:
        raise click.UsageError("--eval and --alias go with one model.")
    with said():
        return views(models[0], expressions, alias)


def _of_groups(models: list[ModelFiles], groups: tuple[str, ...]) -> list[ModelFiles]:
    """The models in one of the groups; all where none is named. Raise `click.UsageError` where there is none."""
    if not groups or "all" in groups:
        return models
    found = [model for model in models if model.group in groups]
    if not found:
        raise click.UsageError(f"No model is in the group {' or '.join(groups)}.")
    return found


def _refuse_misuse(models: int, spark: SparkOptions, checkpoint: Path | None, rest: Mapping[str, object]) -> None:
    """Raise `click.UsageError` for options that do not go together."""
    if rest["engine"] != "spark" and spark != SparkOptions(resume=spark.resume, memory=spark.memory):
        raise click.UsageError("--master, --partitions, --store and --edges go with --engine spark.")
    if spark.edges and spark.store is None:
        raise click.UsageError("--edges goes with --store URI.")
    if spark.store is not None and models != 1:
        raise click.UsageError("--store goes with one model.")
    if spark.resume and checkpoint is None and spark.store is None:
        raise click.UsageError("--resume goes with --checkpoint DIR, or with --engine spark --store URI.")
    if checkpoint is not None and models != 1:
        raise click.UsageError("--checkpoint goes with one model.")
    if checkpoint is not None and rest["simulate"] is not None:
        raise click.UsageError("--checkpoint does not go with --simulate.")
    if rest["fingerprint_bits"] != 64 and (rest["engine"] not in ("auto", "native") or rest["simulate"] is not None):
        raise click.UsageError("--fingerprint-bits goes with a search by --engine auto or native.")
    if rest["guided"] and (rest["swarm"] or rest["simulate"] is None):
        raise click.UsageError("--guided goes with --simulate N, and not with --swarm.")


def _each_checked(
    models: list[ModelFiles],
    expectations: Sequence[Expectation | None],
    options: Options,
    terminal: Terminal,
    out: Path | None,
) -> Iterator[Outcome]:
    """Check one model after the other, until one is interrupted."""
    for model, expectation in zip(models, expectations, strict=True):
        outcome = _check_one(model, options, terminal, expectation)
        if out is not None and outcome.behaviour is not None:
            from rmqproof.model.cli.traces import write_behaviour

            outcome = write_behaviour(outcome, out)
        yield outcome
        if outcome.status == exit_status.INTERRUPTED:
            return


def _check_one(model: ModelFiles, options: Options, terminal: Terminal, expectation: Expectation | None) -> Outcome:
    errors = terminal.console
    making = click.get_current_context().find_object(Making) or Making()
    try:
        return check(model, options, replace(terminal, left=time_left(model, options)), expectation, making)
    except CheckpointError as error:
        raise click.UsageError(str(error)) from None
    except SparkUnavailable as error:
        errors.print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)
    except KeyboardInterrupt:
        errors.print("Interrupted.")
        sys.exit(exit_status.INTERRUPTED)
    except OSError as error:
        errors.print(f"{model.name}: {error}", style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)


def _expectations(models: list[ModelFiles]) -> list[Expectation | None]:
    """What each model's configuration expects. Raise `click.UsageError` naming those without a readable line."""
    found: list[Expectation | None] = []
    problems = []
    for model in models:
        try:
            found.append(read_expectation(config_text(model.config)))
            if found[-1] is None:
                raise ExpectationError("there is no line `\\* EXPECT …` that says what should happen")
        except TlaError as error:
            problems.append(str(error))
        except ExpectationError as error:
            problems.append(f"{model.config or model.spec}: {error}.")
    if problems:
        raise click.UsageError("\n".join(problems))
    return found


def _print_of_many(outcome: Outcome, text: Console, expect: bool, coverage: bool, quiet: bool) -> None:
    """What is said of one of several models as soon as it is checked."""
    wrong = bool(outcome.difference if expect else outcome.status)
    if wrong:
        print_outcome(outcome, text, coverage)
    if not quiet:
        print_short(outcome, text, expect)
    elif not wrong:
        print_emptiness(outcome, text)


def _print(outcomes: list[Outcome], models: int, text: Console, expect: bool, coverage: bool, quiet: bool) -> None:
    if models > 1:
        if not quiet or _status(outcomes, expect):
            print_table(outcomes, text, expect)
        return
    (outcome,) = outcomes
    if quiet and not (outcome.difference if expect else outcome.status):
        print_emptiness(outcome, text)
        return
    print_outcome(outcome, text, coverage)
    if expect:
        text.print(
            f"As expected: {outcome.expectation}."
            if not outcome.difference
            else f"Not as expected: {outcome.difference}.",
            markup=False,
            soft_wrap=True,
        )


def _status(outcomes: list[Outcome], expect: bool) -> int:
    if outcomes and outcomes[-1].status == exit_status.INTERRUPTED:
        return exit_status.INTERRUPTED
    if expect:
        return exit_status.DIFFERS if any(outcome.difference for outcome in outcomes) else 0
    return next((outcome.status for outcome in outcomes if outcome.status), 0)


def _write_json(outcomes: list[Outcome], models: int, to: str) -> None:
    document = outcomes[0].json() if models == 1 else {"models": [outcome.json() for outcome in outcomes]}
    write_json(document, to)
