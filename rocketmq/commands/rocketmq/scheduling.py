"""`rmqproof rocketmq schedules`: fixed sequences of steps, on the classes of a release or on its processes."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path

import click

from rmqproof.model.cli.option_list import json_to
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.report.console import open_console
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.nodes import NAME_SERVER
from rmqproof.rocketmq.processes.schedules.all import PROCESS_SCHEDULES
from rmqproof.rocketmq.processes.schedules.running import run_on_processes
from rmqproof.rocketmq.processes.tries import Tries, Try, rate
from rmqproof.rocketmq.releases import get_release
from rmqproof.rocketmq.running import run_schedules
from rmqproof.rocketmq.schedules.all import SCHEDULES


@click.command("schedules")
@click.argument("version")
@click.option("--only", multiple=True, metavar="ID", help="Only this one: F-16, #9689, …")
@click.option("--processes", is_flag=True, help="On clusters of processes: other schedules, often of the same name.")
@click.option("--dir", "folder", type=click.Path(path_type=Path), metavar="DIR", help="With --processes: for logs.")
@click.option(
    "--times", type=click.IntRange(min=1), default=1, show_default=True, help="With --processes: each so often."
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --processes: keep each try; those that are in it are not done again.",
)
@click.option("--log", type=Output(), metavar="FILE", help="What the classes log.")
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
@json_to
def command(
    version: str,
    only: tuple[str, ...],
    processes: bool,
    folder: Path | None,
    times: int,
    save: Path | None,
    log: Path | None,
    java: Path | None,
    json_to: str | None,
) -> None:
    """Do what defects and hazards are made of to the classes of a release, and say which are seen.

    With --processes each is done to a cluster of the release: a name server, a controller and brokers on loopback,
    whose links are relays; what is held, broken, killed, stopped or asked of the controller is in the schedule. Without
    --only all are done that the release has what they need for.

    Exit status: 0 all were run, 1 one could not be run, 153 there is no such release here, 2 wrong usage.
    """
    _check(only, [each.id for each in (PROCESS_SCHEDULES if processes else SCHEDULES)])
    if not processes:
        if folder is not None or save is not None or times != 1:
            raise click.UsageError("--dir, --times and --save go with --processes.")
        _on_classes(version, only, log, java, json_to)
        return
    if log is not None:
        raise click.UsageError("--log is for classes; with --processes the logs are in --dir.")
    if folder is None:
        raise click.UsageError("Name a folder for the logs: --dir DIR.")
    release = get_release(version, also=(NAME_SERVER,))
    wanted = [each for each in PROCESS_SCHEDULES if (each.id in only if only else each.fits(version))]
    text = open_console(errors=json_to == "-")

    def tell(done: Try) -> None:
        text.print(f"{done.id} {_word(done.seen)}, {done.seconds:.0f} s: {done.what}", markup=False, soft_wrap=True)

    found = run_on_processes(wanted, release, find_java(java), folder, times, Tries(save), tell)
    text.print(f"{release.title}:", markup=False, soft_wrap=True)
    for each in wanted:
        said = rate([one for one in found if one.id == each.id])
        text.print(f"{each.id:<7} {said:24} {each.title}", markup=False, soft_wrap=True)
    _write([asdict(each) for each in found], json_to)
    sys.exit(any(each.seen is None for each in found))


def _check(only: Collection[str], known: Collection[str]) -> None:
    unknown = [each for each in only if each not in known]
    if unknown:
        raise click.UsageError(f"There is no schedule {', '.join(unknown)}; without --only all are done.")


def _word(seen: bool | None) -> str:
    return "not run" if seen is None else "seen" if seen else "not seen"


def _on_classes(version: str, only: Collection[str], log: Path | None, java: Path | None, json_to: str | None) -> None:
    found = run_schedules(get_release(version), java, only, logged=log is not None)
    if log is not None:
        with log.open("w", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for each in found for line in (f"--- {each.id}", *each.logged))
    text = open_console(errors=json_to == "-")
    for each in found:
        text.print(f"{each.id:<7} {_word(each.seen):8} {each.title}", markup=False, soft_wrap=True)
        text.print(f"{'':16} {each.what}", style="dim", markup=False, soft_wrap=True)
    seen = sum(each.seen is True for each in found)
    text.print(f"{version}: {seen} of {len(found)} seen")
    _write([asdict(each) for each in found], json_to)
    sys.exit(any(each.seen is None for each in found))


def _write(found: list[dict[str, object]], json_to: str | None) -> None:
    if json_to is not None:
        write_json(found, json_to)
