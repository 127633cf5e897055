"""`rmqproof rocketmq walk`: a model's steps of brokers, on the stores of a release."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from rmqproof.conformance.subject import open_files
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, json_to
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.report.console import open_console
from rmqproof.model.tla.source import TlaError
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.releases import get_release, with_broker_ids
from rmqproof.rocketmq.walks.graph import Graph, graph_of
from rmqproof.rocketmq.walks.walking import WalkReport, walk


def walked(version: str, path: Path, java: Path | None, seconds: float, taken: Path | None) -> tuple[Graph, WalkReport]:
    """Raise `RocketmqError`, and `TlaError` for a model that cannot be explored."""
    (files,) = find_models([path])
    try:
        graph = graph_of(open_files(files))
    except ValueError as error:
        raise RocketmqError(str(error), "Name a model of spec/walks.") from None
    constants = graph.subject.constants
    settings: dict[str, Any] = {
        "allAckInSyncStateSet": constants.get("AllAck", True),
        "inSyncReplicas": constants.get("InSyncReplicas", 1),
        "minInSyncReplicas": constants.get("MinInSyncReplicas", 1),
    }
    before = json.loads(taken.read_text(encoding="utf-8")) if taken is not None and taken.exists() else []

    def keep(places: Collection[int]) -> None:
        if taken is not None:  # whole or not at all, so that a kill leaves the earlier ones
            half = taken.with_name(f"{taken.name}.half")
            half.write_text(json.dumps(sorted(places)) + "\n", encoding="utf-8")
            half.replace(taken)

    report = walk(graph, with_broker_ids(get_release(version)), java, settings, seconds, before, keep=keep)
    return graph, report


def shown(graph: Graph, report: WalkReport, text: Console) -> None:
    def say(line: str, **style: Any) -> None:
        text.print(line, markup=False, soft_wrap=True, **style)

    say(f"model: {len(graph.states):,} distinct states, {report.edges:,} edges, {report.broker_edges:,} of brokers")
    middle = sorted(report.durations)[len(report.durations) // 2] if report.durations else 0.0
    again = report.steps - sum(report.performed.values()) - sum(report.different.values())
    say(
        f"performed: {len(report.taken):,} of {report.broker_edges:,} edges of brokers, {report.walks:,} walks from the"
        f" start, median {middle:.2f} s, {report.seconds:.0f} s"
    )
    say(f"steps: {report.steps:,}, {again:,} of them the controller's, or taken before on the way")
    for action, count in sorted(report.performed.items()):
        say(f"{count:9,}  {action}")
    for (action, reason), count in sorted(report.skipped.items()):
        say(f"{count:9,}  {action} skipped: {reason}")
    if report.unreached:
        say(f"{report.unreached:9,}  not reached: the time was over, or every way there is closed")
    for action, count in sorted(report.different.items()):
        say(f"{count:9,}  {action} otherwise", style="bold red")
    for each in report.differences:
        say(each)


@click.command("walk")
@click.argument("version")
@click.argument("model", type=FILE, metavar="MODEL.cfg")
@click.option("--seconds", type=click.FloatRange(min=1), default=240.0, show_default=True, metavar="S", help="At most.")
@click.option(
    "--taken",
    type=Output(),
    metavar="FILE",
    help="Go on: the edges that were taken are read from here and written here, also on the way.",
)
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
@json_to
def command(
    version: str, model: Path, seconds: float, taken: Path | None, java: Path | None, json_to: str | None
) -> None:
    """Make the brokers of a release take every step that a model has for them.

    Two real stores with their HA service and client, a relay between them that lets a batch, an ack or a handshake pass
    when the model says so. A store has no snapshot: the edges are covered by walks from the initial state. The models
    in spec/walks have the rules of a release, those of 5.1.1 to 5.3.x and those since 5.4.0.

    Exit status: 0 every edge of brokers was performed or skipped for a reason that is printed, 1 the classes do
    otherwise, 152 the time was over, 153 no such release, 150 and 151 as for check, 2 wrong usage.
    """
    from rmqproof.model.checking import exit_status

    try:
        graph, report = walked(version, model, java, seconds, taken)
    except TlaError as error:
        open_console(errors=True).print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))
    shown(graph, report, open_console(errors=json_to == "-"))
    if json_to is not None:
        content = {
            "edges": report.edges,
            "brokerEdges": report.broker_edges,
            "performed": len(report.taken),
            "steps": report.steps,
            "walks": report.walks,
            "skipped": [[action, reason, count] for (action, reason), count in sorted(report.skipped.items())],
            "differences": report.differences,
            "notReached": report.unreached,
        }
        write_json(content, json_to)
    sys.exit(1 if report.different else 152 if report.unreached else 0)
