"""`rmqproof rocketmq chaos`: processes of a release under faults and load."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from rmqproof.conformance.runs.report import to_json
from rmqproof.model.cli.writable import write_json
from rmqproof.model.report.console import open_console
from rmqproof.rocketmq.incident.telling import content_of, suspicion_lines
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.chaos import Chaos, judge_run, run_chaos
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.faults import FAULTS, OF_RELAYS, POWER, schedule
from rmqproof.rocketmq.processes.judging import lines_of
from rmqproof.rocketmq.processes.nodes import IMPATIENT, NAME_SERVER
from rmqproof.rocketmq.releases import get_release

_SHOWN = 20


@click.command("chaos")
@click.argument("version")
@click.option("--dir", "folder", type=click.Path(path_type=Path), metavar="DIR", help="New or empty.")
@click.option("--minutes", default=5.0, show_default=True, type=click.FloatRange(0, min_open=True), metavar="M")
@click.option("--seed", default=1, show_default=True, metavar="S", help="The same seed gives the same faults.")
@click.option("--brokers", default=3, show_default=True, type=click.IntRange(2, 5))
@click.option("--controllers", default=1, show_default=True, type=click.IntRange(0, 5), help="0: in the name server.")
@click.option(
    "--fault", "kinds", multiple=True, type=click.Choice((*FAULTS, *POWER)), help="Only this kind; several times."
)
@click.option("--power", is_flag=True, help="Losses of power, too: only what was forced to a disk is left.")
@click.option("--hosts", is_flag=True, help="Each node in a network namespace, at an address (Linux, root).")
@click.option("--jraft", is_flag=True, help="With --hosts: the controllers on JRaft instead of DLedger (5.2.0).")
@click.option(
    "--trace", is_flag=True, help="Brokers and controllers write their steps, which are judged (needs a JDK)."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A line for every broker.conf.")
@click.option("--patience", default=120.0, show_default=True, metavar="SECONDS", help="For it to be whole at the end.")
@click.option("--show", is_flag=True, help="Print the schedule and do nothing.")
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
@click.option("--json", "json_to", type=click.Path(path_type=Path), metavar="FILE", help="Write the result here.")
def command(
    version: str,
    folder: Path | None,
    minutes: float,
    seed: int,
    brokers: int,
    controllers: int,
    kinds: tuple[str, ...],
    power: bool,
    hosts: bool,
    jraft: bool,
    trace: bool,
    settings: tuple[str, ...],
    patience: float,
    show: bool,
    java: Path | None,
    json_to: Path | None,
) -> None:
    """Start a real cluster on loopback, disturb it under load, and check what is left.

    Producers and a consumer are the release's own client. Connections go through relays, which hold, slow and break
    them, each direction by itself; processes are killed and stopped, disks are lost. Brokers have short periods (a
    heartbeat is missed after 3 s). With --hosts nodes have addresses: what is sent over a link that is cut is lost.

    In the end everything is repaired; then every message whose producer was told SEND_OK, and every one that a consumer
    was given, must be at its place at every broker, logs and epoch files must be alike, and a consumer that reads
    everything must be given what the log has. Logs, epoch files and the controller's answers must be a behaviour of
    spec/core/RecordedRun.tla with the release's rules; with --trace every step one of spec/core/TracedRun.tla.

    Exit status: 0 nothing is wrong, 1 something is, 153 it did not come up, 2 wrong usage.
    """
    _usable(hosts, jraft, controllers)
    kinds = (*_kinds(kinds, hosts), *(POWER if power else ()))
    plan = schedule(seed, minutes * 60, kinds)
    if show:
        click.echo("\n".join(f"{number:4} {fault}" for number, fault in enumerate(plan, 1)))
        return
    if folder is None:
        raise click.UsageError("Name a new folder: --dir DIR.")
    say = partial(open_console().print, markup=False, soft_wrap=True)
    cluster = RealCluster(
        get_release(version, also=(NAME_SERVER,)),
        find_java(java),
        folder.resolve(),
        brokers,
        IMPATIENT | _pairs(settings),
        controllers,
        relayed=not hosts,
        hosts=hosts,
        jraft=jraft,
        traced=trace,
        forces_seen=bool(set(kinds) & set(POWER)),
    )
    with cluster:
        found = run_chaos(cluster, plan, say, patience, java)
    judge_run(found, cluster.folder, cluster.release.version, say)
    _report(found, folder, say)
    if json_to is not None:
        write_json(_content(found, version, seed), json_to)
    sys.exit(bool(found.findings))


def _usable(hosts: bool, jraft: bool, controllers: int) -> None:
    if jraft and not (hosts and controllers):
        raise click.UsageError("--jraft needs --hosts, and controllers that are processes of their own.")


def _kinds(asked: tuple[str, ...], hosts: bool) -> tuple[str, ...]:
    if hosts and OF_RELAYS in asked:
        raise click.UsageError(f"Links of hosts are whole or cut: --fault {OF_RELAYS} is without --hosts.")
    return asked or tuple(kind for kind in FAULTS if not hosts or kind != OF_RELAYS)


def _pairs(settings: tuple[str, ...]) -> dict[str, str]:
    wrong = [each for each in settings if "=" not in each]
    if wrong:
        raise click.UsageError(f"{wrong[0]!r} is no NAME=VALUE.")
    return {name: value for name, _, value in (each.partition("=") for each in settings)}


def _report(found: Chaos, folder: Path, say: Any) -> None:
    statuses = ", ".join(f"{count} {status}" for status, count in found.history.statuses().most_common())
    say(f"{len(found.history.puts)} puts: {statuses}")
    say(f"{len(found.history.seen)} messages given to the consumer, {len(found.history.read or ())} when all is read")
    if found.skipped:
        skipped = Counter(found.skipped).items()
        say("skipped: " + ", ".join(f"{count} {kind}" for kind, count in skipped))
    if found.settled is not None:
        say(f"whole again {found.settled:.0f} s after the last fault")
    for number, each in enumerate(found.findings[:_SHOWN]):
        say(f"{each.kind}: {each.text}{' (' + ', '.join(each.where) + ')' if each.where else ''}")
        for line in found.stories[number] if number < len(found.stories) else ():
            say(f"    {line}")
    if len(found.findings) > _SHOWN:
        kinds = Counter(each.kind for each in found.findings).items()
        say(f"… {len(found.findings)} in all: " + ", ".join(f"{count} {kind}" for kind, count in kinds))
    if found.validation is not None:
        for line in lines_of(found.validation):
            say(line)
    if found.steps is not None:
        for line in lines_of(found.steps, "by the steps of brokers and controllers"):
            say(line)
    hints = found.diagnosis.suspicions
    for suspicion in hints if found.findings else [each for each in hints if each.sure]:
        say(f"by the logs{', certainly' if suspicion.sure else ''}:")
        for line in suspicion_lines(suspicion):
            say(line)
    if not found.findings:
        say("Every acknowledged message and every one that a consumer was given is at its place at every broker.")
    say(f"Logs, stores, history and faults are in {folder}")


def _content(found: Chaos, version: str, seed: int) -> dict[str, Any]:
    return {
        "version": version,
        "seed": seed,
        "seconds": round(found.seconds, 1),
        "settled": found.settled,
        "puts": dict(found.history.statuses()),
        "seen": len(found.history.seen),
        "faults": [{"at": round(at, 3), "what": what} for at, what in found.marks],
        "skipped": found.skipped,
        "findings": [asdict(each) for each in found.findings],
        "stories": found.stories,
        "validation": None if found.validation is None else to_json(found.validation),
        "steps": None if found.steps is None else to_json(found.steps),
        "diagnosis": content_of(found.diagnosis),
    }
