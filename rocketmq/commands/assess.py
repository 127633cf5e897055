"""`rmqproof assess`: which settings can lose an acknowledged message, and how."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.writable import Output
from rmqproof.model.report.console import open_console
from rmqproof.model.tla.source import TlaError
from rmqproof.rocketmq.assess.acting import nothing_says_how_many
from rmqproof.rocketmq.assess.assessment import Assessment, assess
from rmqproof.rocketmq.assess.by_release import by_release
from rmqproof.rocketmq.assess.console import print_assessment
from rmqproof.rocketmq.assess.deployment import Deployment, contradictions, deployment_of
from rmqproof.rocketmq.assess.faults import EACH_FAULT, Fault, Faults
from rmqproof.rocketmq.assess.files import Written, write_answers
from rmqproof.rocketmq.assess.known import known_lines
from rmqproof.rocketmq.assess.page import assessment_page
from rmqproof.rocketmq.assess.properties_file import read_properties
from rmqproof.rocketmq.assess.questions import QUESTIONS
from rmqproof.rocketmq.assess.reading import Reading, Remark, empty_reading, read_side
from rmqproof.rocketmq.assess.record import assessment_record
from rmqproof.rocketmq.assess.settings import Side
from rmqproof.rocketmq.assess.state_space import Explore
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.release_rules import NEWEST, Rules, rules_of


@dataclass(frozen=True, slots=True)
class Releases:
    """Which release is compared: `version`, None for the newest known; `rules`: those that all is asked with."""

    version: str | None
    rules: Rules


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("assess")
@click.argument("brokers", nargs=-1, metavar="broker.conf...", type=_FILE)
@click.option("--cluster", metavar="HOST:PORT", help="Ask a running cluster, by its name server, instead of files.")
@click.option("--broker-name", metavar="NAME", help="Which broker set of --cluster, where it has several.")
@click.option(
    "--controller",
    type=_FILE,
    metavar="controller.conf",
    help="The controller's file, or the name server's; default: RocketMQ's defaults.",
)
@click.option(
    "--replicas",
    type=click.IntRange(1, 3),
    help="How many replicas one broker.conf stands for; default: totalReplicas where the file sets it, else 2.",
)
@click.option(
    "--faults",
    "classes",
    multiple=True,
    metavar="CLASS[+CLASS]",
    help=f"Classes of faults, each a search of its own, joined with + in one: {', '.join(Fault)}. Default: each.",
)
@click.option(
    "--question",
    "asked",
    multiple=True,
    type=click.Choice([question.name for question in QUESTIONS]),
    help="Ask only this; may be repeated.",
)
@click.option("--advice/--no-advice", default=True, help="Look for the smallest change that makes a yes a no.")
@click.option(
    "--rules",
    type=click.Choice(["repaired", "shipped"]),
    help="repaired: what the settings decide, were the code right; shipped: with the rules of the release, its known "
    "defects among them. Default: the first, and which answers are others with the second.",
)
@click.option(
    "--rocketmq",
    "version",
    metavar="VERSION",
    help="The release whose rules are meant, and whose known defects are listed; said is also what an upgrade changes. "
    "Default: the newest that is known here.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "html"]), default="text", show_default=True)
@click.option(
    "--out",
    type=Output(folder=True),
    metavar="DIR",
    help="Write each story's configuration, ITF trace, text and picture here.",
)
@click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), help="Stop a search after this long.")
@click.option(
    "--fail-on",
    multiple=True,
    type=click.Choice([question.name for question in QUESTIONS]),
    help="Exit with 12 when the answer to this is yes; may be repeated.",
)
def command(
    brokers: tuple[Path, ...],
    cluster: str | None,
    broker_name: str | None,
    controller: Path | None,
    replicas: int | None,
    classes: tuple[str, ...],
    asked: tuple[str, ...],
    advice: bool,
    rules: str | None,
    version: str | None,
    form: str,
    out: Path | None,
    max_seconds: float | None,
    fail_on: tuple[str, ...],
) -> None:
    """Say what a broker set promises with these settings: under Controller mode, or with a master that the files name.

    One broker.conf stands for every replica; several stand for one replica each. For each question and class of faults
    the answer is yes with the shortest story, or no within bounds that are stated.

    With --cluster the settings are those that the brokers and controllers of a running cluster have, and its
    SyncStateSet and epochs are said, too. Nothing there is changed.

    Exit status: 0 answered, 12 a question of --fail-on is answered yes, 151 a file is wrong, 152 a search was stopped.
    """
    errors = open_console(errors=True)
    if bool(brokers) == bool(cluster):
        raise click.UsageError("Name broker.conf, or --cluster HOST:PORT of a name server.")
    releases = _releases(version, rules)
    try:
        faults = tuple(map(Faults.parse, classes)) or EACH_FAULT
    except ValueError as error:
        raise click.UsageError(f"--faults: {error}; known are {', '.join(Fault)}.") from error
    try:
        sources, control, state = _online(cluster, broker_name) if cluster else _files(brokers, controller)
        assessment = _assess(sources, control, replicas, faults, asked, fail_on, advice, releases, max_seconds, errors)
        written = write_answers(assessment, out) if out is not None else Written()
    except TlaError as error:
        errors.print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))
    except RocketmqError as error:
        errors.print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)
    except OSError as error:
        errors.print(f"{out}: the stories cannot be written: {error}", style="bold red", markup=False)
        sys.exit(exit_status.SYSTEM)
    except (KeyboardInterrupt, BrokenProcessPool):
        errors.print("Stopped: no assessment.", style="yellow")
        sys.exit(exit_status.INTERRUPTED)
    _print(assessment, form, written.files)
    if written.problem:
        errors.print(written.problem, style="yellow", markup=False, soft_wrap=True)
    if version is not None:
        state += _known(version, assessment)
    for line in state if form == "text" else ():
        open_console().print(line, markup=False, highlight=False, soft_wrap=True)
    hit = [answer for answer in assessment.answers if answer.yes and answer.question.name in fail_on]
    sys.exit(12 if hit else 152 if assessment.open else 0)


def _releases(version: str | None, rules: str | None) -> Releases | None:
    """None where only the repaired rules are asked for."""
    try:
        shipped = rules_of(version or NEWEST)
    except RocketmqError as error:
        raise click.UsageError(f"{error.problem} {error.remedy}") from error
    return None if rules == "repaired" else Releases(version, shipped if rules == "shipped" else ())


def _known(version: str, assessment: Assessment) -> list[str]:
    deployment = assessment.deployment
    if not isinstance(deployment, Deployment):
        return [f"What is known of {version} is known of Controller mode; these files are of a master that they name."]
    asked = list(dict.fromkeys(answer.question.name for answer in assessment.answers))
    return list(known_lines(version, asked, deployment.all_ack))


def _files(brokers: tuple[Path, ...], controller: Path | None) -> tuple[list[Reading], Reading, list[str]]:
    """What the files say of brokers and of the controller; of a state they say nothing."""
    control = (
        read_side(read_properties(controller), Side.CONTROLLER)
        if controller is not None
        else empty_reading(Side.CONTROLLER, "no controller's file")
    )
    return [read_side(read_properties(path), Side.BROKER) for path in brokers], control, []


def _online(cluster: str, broker_name: str | None) -> tuple[list[Reading], Reading, list[str]]:
    """The same of a running cluster, and its state."""
    from rmqproof.rocketmq.assess.online import readings_of, state_lines
    from rmqproof.rocketmq.online import look_at

    found = look_at(cluster, broker_name)
    return (*readings_of(found), list(state_lines(found)))


def _assess(
    readings: list[Reading],
    control: Reading,
    replicas: int | None,
    faults: tuple[Faults, ...],
    asked: tuple[str, ...],
    fail_on: tuple[str, ...],
    advice: bool,
    releases: Releases | None,
    max_seconds: float | None,
    errors: Console,
) -> Assessment:
    deployment = deployment_of(readings, control, replicas)
    if releases is not None:
        deployment = replace(deployment, shipped_rules=releases.rules)
    remarks = [remark for reading in (*readings, control) for remark in reading.remarks]
    if nothing_says_how_many(readings, replicas):
        remarks.append(Remark("Nothing says how many replicas there are; two are taken.", None, "Use --replicas N."))
    remarks += contradictions(readings, control, deployment)
    questions = tuple(question for question in QUESTIONS if not asked or question.name in (*asked, *fail_on))
    # a fresh interpreter in each: the parent may have threads, and a search has signal handlers of its own
    context = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
    with (
        errors.status(f"Exploring {len(faults)} classes of faults, then what would help …"),
        ProcessPoolExecutor(os.cpu_count() or 1, mp_context=context) as executor,
    ):
        try:
            explore = Explore(max_seconds)
            assessment = assess(
                explore,
                (*readings, control),
                remarks,
                deployment,
                faults,
                questions,
                executor,
                advice,
            )
            if releases is None:
                return assessment
            there = by_release(explore, assessment.answers, releases.version, faults, questions, executor)
            return replace(assessment, by_release=there)
        except KeyboardInterrupt:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def _print(assessment: Assessment, form: str, written: Mapping[int, Mapping[str, Path]]) -> None:
    if form == "json":
        click.echo(json.dumps(assessment_record(assessment, written), indent=2, ensure_ascii=False))
    elif form == "html":
        click.echo(assessment_page(assessment))
    else:
        print_assessment(assessment, open_console(), written)
