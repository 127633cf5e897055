"""`rmqproof rocketmq reproduce`: a counterexample, carried out on the classes of releases."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.check import check
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, json_to
from rmqproof.model.cli.writable import write_json
from rmqproof.model.report.console import open_console
from rmqproof.model.report.itf import read_itf
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.source import TlaError
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes.nodes import NAME_SERVER
from rmqproof.rocketmq.processes.steered import steer
from rmqproof.rocketmq.releases import get_release, with_broker_ids
from rmqproof.rocketmq.walks.reproducing import Reproduction, Story, reproduce_any, story_of
from rmqproof.rocketmq.worker import Worker

_ITF = ".itf.json"
_STORIES = 12
Say = Callable[..., None]


def opened(path: Path) -> Story:
    """The counterexample in a file, or that of a model. Raise `RocketmqError`, and `TlaError`."""
    if path.name.endswith(_ITF):
        behaviour = read_itf(path)
        return story_of(find_models([_config_of(path, behaviour.origin.config)])[0], behaviour)
    (files,) = find_models([path])
    outcome = check(files)
    if outcome.behaviour is None:
        raise RocketmqError(f"{files.name} has no counterexample.", "Name a model that fails.")
    return story_of(files, outcome.behaviour)


def _config_of(path: Path, config: str) -> Path:
    """Of the model that a trace is one of: where it was, or the one that comes with rmqproof."""
    found = Path(config)
    shipped = bundled(found.name) if found.parts[:1] == ("spec",) else found
    if not config or not (found.is_file() or shipped.is_file()):
        raise RocketmqError(f"{path} names no model that is here ({config or 'none'}).", "Name the model's .cfg.")
    return shipped if shipped.is_file() else found


def shown(name: str, version: str, found: Reproduction, number: int, say: Say, details: bool) -> None:
    word = "reproduced" if found.broken else "not reproduced"
    if number > 1:
        word += f" (counterexample {number})" if found.broken else f" ({number} counterexamples, this is the first)"
    say(f"{name}  {version}  {word}  {len(found.steps) - 1} of {found.length} steps, {found.seconds:.1f} s")
    if details:
        for number, taken in enumerate(found.steps):
            say(f"  {number:3}  {taken.action}")
            for each in taken.notes:
                say(f"       {each}", style="dim")
            for each in taken.differences:
                say(f"       the classes are elsewhere: {each}", style="dim")
    if found.left:
        say(f"  left the counterexample at step {len(found.steps)}: {found.left}")
    for broker, each in found.seen["brokers"].items():
        say(f"  {broker}: messages {each['log']}, epochs and their starts {[tuple(e) for e in each['epochFile']]}")
    say(f"  producers were told PUT_OK for {found.seen['acked']}; consumers could read {found.seen['consumed']}")
    if found.broken:
        say(f"  {found.violated}: {found.sentence}", style="bold red")
    elif not found.left:
        say(f"  {found.violated} holds on what is there")


def _on_processes(
    paths: tuple[Path, ...], versions: tuple[str, ...], folder: Path | None, java: Path | None, say: Say, details: bool
) -> list[dict[str, Any]]:
    """A cluster for each. Raise `RocketmqError`."""
    if folder is None:
        raise click.UsageError("Name a new folder: --dir DIR.")
    results = []
    for version, path in product(versions, paths):
        name = path.name.removesuffix(_ITF).removesuffix(".cfg")
        release = get_release(version, also=(NAME_SERVER,))
        found = steer(opened(path), release, (folder / f"{name}-{version}").resolve(), java, say)
        shown(name, version, found, 1, say, details=False)
        results.append({"name": name, "version": version, "processes": True, **asdict(found)})
    return results


@click.command("reproduce")
@click.argument("paths", nargs=-1, required=True, type=FILE)
@click.option("--version", "versions", multiple=True, required=True, metavar="VERSION", help="A release; repeatable.")
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Where the classes leave a counterexample, search the model for another one without that step, up to N.",
)
@click.option("--processes", is_flag=True, help="On a cluster of processes instead of classes in one JVM.")
@click.option("--dir", "folder", type=click.Path(path_type=Path), metavar="DIR", help="With --processes: new or empty.")
@click.option("--brief", is_flag=True, help="Without the steps.")
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
@json_to
def command(
    paths: tuple[Path, ...],
    versions: tuple[str, ...],
    tries: int,
    processes: bool,
    folder: Path | None,
    brief: bool,
    java: Path | None,
    json_to: str | None,
) -> None:
    """Carry out counterexamples on the classes of a release, and look whether what they break is broken.

    PATHS are traces (traces/Issue9897.itf.json) or models that fail (spec/models/AsShippedRestart.cfg). Each broker is
    a real store with its HA service in one JVM, a relay holds what is under way until the counterexample delivers it,
    and every decision is made by the release's ReplicasInfoManager. The property is evaluated on the logs, epoch files
    and answers that are there.

    With --processes a cluster of a name server, a controller and brokers is started, relays hold every link until a
    step needs it, and logs and disks tell when the step is taken. What cannot be held from outside is said.

    Exit status: 0 each was reproduced on each release, 1 one was not, 153 there is no such release or no such story.
    """
    text = open_console(errors=json_to == "-")

    def say(line: str, **style: str) -> None:
        text.print(line, markup=False, soft_wrap=True, **style)  # type: ignore[arg-type]

    results: list[dict[str, Any]] = []
    if processes:
        results = _on_processes(paths, versions, folder, java, say, not brief)
    try:
        for version in versions if not processes else ():
            release = with_broker_ids(get_release(version))
            worker = Worker(release, java)
            for number, path in enumerate(paths, 1):
                if number % _STORIES == 0:  # stores that were left keep some of their memory
                    worker.close()
                    worker = Worker(release, java)
                name = path.name.removesuffix(_ITF).removesuffix(".cfg")
                try:
                    found, tried = reproduce_any(opened(path), release, java, worker, tries)
                except RocketmqError as error:
                    if len(paths) == 1:
                        raise
                    say(f"{name}  {version}  not a story for this: {error.problem}")
                    results.append({"name": name, "version": version, "unfit": error.problem})
                    continue
                shown(name, version, found, tried, say, not brief)
                results.append({"name": name, "version": version, "tries": tried, **asdict(found)})
            worker.close()
    except TlaError as error:
        open_console(errors=True).print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))
    if json_to is not None:
        write_json(results, json_to)
    sys.exit(not all(each.get("broken") for each in results))
