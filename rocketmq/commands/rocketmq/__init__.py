"""`rmqproof rocketmq`: releases of the real Apache RocketMQ."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.report.console import open_console
from rmqproof.rocketmq import maven
from rmqproof.rocketmq.commands.rocketmq import chaos, failover, joining, reproducing, scheduling, walking
from rmqproof.rocketmq.comparing import compare
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import NEWEST_TRIED, find_java
from rmqproof.rocketmq.releases import cache_folder, get_release, stored_versions, unpacked, with_broker_ids

_P = ParamSpec("_P")
_R = TypeVar("_R")
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group("rocketmq")
def command() -> None:
    """The real Apache RocketMQ: fetch its releases, and see what their classes do."""


def _told(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """What goes wrong is said in two lines, and the exit status is 153."""

    @wraps(function)
    def told(*arguments: _P.args, **options: _P.kwargs) -> _R:
        try:
            return function(*arguments, **options)
        except RocketmqError as error:
            errors = open_console(errors=True)
            errors.print(error.problem, style="bold red", markup=False, soft_wrap=True)
            errors.print(error.remedy, markup=False, soft_wrap=True)
            sys.exit(exit_status.SYSTEM)

    return told


def _parts(_: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    wrong = [each for each in given if not re.fullmatch(r"([a-z][a-z0-9-]*=)?\d+\.\d+\.\d+[-.\w]*", each)]
    if wrong:
        raise click.BadParameter(f"{wrong[0]!r}: write 5.5.0, or rocketmq-client=5.5.0.", param=option)
    if sum("=" not in each for each in given) > 1:
        raise click.BadParameter("name one release for all that is missing.", param=option)
    return given


@command.command("get")
@click.argument("version", required=False)
@click.option("--list", "list_", is_flag=True, help="Print the published versions; those that are here have a star.")
@click.option("--home", type=_FOLDER, metavar="DIR", help="Take it from an unpacked distribution instead.")
@click.option("--also", multiple=True, metavar="MODULE", help="A module beside the broker's and the controller's.")
@click.option("--without", multiple=True, metavar="MODULE", help="Do without this one, where the registry lacks it.")
@click.option(
    "--instead",
    multiple=True,
    metavar="[MODULE=]VERSION",
    callback=_parts,
    help="This module of another release, or all that the registry lacks; so is said.",
)
@click.option("--offline", is_flag=True, help="Take only what is on this machine.")
@click.option("--again", is_flag=True, help="Fetch it anew although it is here.")
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
@_told
def get(
    version: str | None,
    list_: bool,
    home: Path | None,
    also: tuple[str, ...],
    without: tuple[str, ...],
    instead: tuple[str, ...],
    offline: bool,
    again: bool,
    java: Path | None,
) -> None:
    """Fetch a release, `rmqproof rocketmq get 5.3.1`, with all that it depends on.

    Maven (mvn) resolves it with your settings.xml, or jgo where there is no Maven. The jars and their checksums are
    kept in your cache folder (RMQPROOF_CACHE names another one), and are there without a network from then on.

    Exit status: 0 it is here, 153 it is not, 2 wrong usage.
    """
    console = open_console()
    say = open_console(errors=True)
    if list_:
        here = set(stored_versions())
        versions = sorted(here, key=maven.version_key) if offline else maven.published(offline)
        for each in versions:
            console.print(f"{each}{' *' if each in here else ''}", markup=False)
        return
    if (version is None) == (home is None):
        raise click.UsageError("Name a version, 5.3.1, or --home DIR, or --list.")
    if home is not None:
        release = unpacked(home)
    else:
        assert version is not None
        release = get_release(
            version, also, without, instead, offline, again, lambda text: say.print(text, style="dim", markup=False)
        )
    found = find_java(java)
    size = sum(jar.size for jar in release.jars) / 1e6
    console.print(f"{release.title}: {len(release.jars)} jars, {size:.0f} MB, checksums as they were fetched")
    console.print(f"in {release.folder}", markup=False, soft_wrap=True)
    console.print(f"Java {found.version} ({found.found})", markup=False, soft_wrap=True)
    if found.version > NEWEST_TRIED:
        console.print(f"Java {NEWEST_TRIED} is the newest that was tried here.")
    if home is None and version is not None:
        console.print(f"cache: {cache_folder()}", markup=False, soft_wrap=True)


@command.command("compare")
@click.argument("version")
@click.option("--count", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="N", help="At least.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S")
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
@_told
def compare_(version: str, count: int, seed: int, java: Path | None) -> None:
    """Give the reference implementation and the classes of a release the same random inputs.

    Compared are requests to the controller and their frames, the election policy, the epoch cache, epoch files with
    damages, the confirmOffset, the packets of the HA stream, and the status of puts.

    Exit status: 0 they agree, or differ for a reason that is printed; 1 they differ otherwise, 153 no such release.
    """
    release = with_broker_ids(get_release(version))
    found = compare(release, java, count, seed)
    text = open_console()
    for what, times in sorted(found.made.items()):
        text.print(f"{times:9,}  {what}", markup=False, soft_wrap=True)
    text.print(f"{sum(found.made.values()):9,}  comparisons with {release.title}, {found.seconds:.0f} s", markup=False)
    for reason, times in sorted(found.explained.items()):
        text.print(f"{times:9,}  differ, explained: {reason}", markup=False, soft_wrap=True)
    for what, times in sorted(found.different.items()):
        text.print(f"{times:9,}  differ, not explained: {what}", style="bold red", markup=False, soft_wrap=True)
    for each in found.unexplained:
        text.print(f"{each['what']}: {each['given']}", markup=False, soft_wrap=True)
        text.print(f"    theirs {each['theirs']}\n    ours   {each['ours']}", markup=False, soft_wrap=True)
    sys.exit(bool(found.different))


for _each in (
    scheduling.command,
    walking.command,
    reproducing.command,
    joining.command,
    failover.command,
    chaos.command,
):
    assert _each.callback is not None
    _each.callback = _told(_each.callback)
    command.add_command(_each)
