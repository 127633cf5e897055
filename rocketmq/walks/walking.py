"""Taking every edge of a model of brokers on the classes of a release, by walks from the start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.walks.brokers import not_at_this_grain
from rmqproof.rocketmq.walks.graph import Edge, Graph, Tour
from rmqproof.rocketmq.worker import Worker

_MOST_OPEN_FILES = 700
_MOST_SHOWN = 20
_KEPT_SECONDS = 20.0
OF_BROKERS = frozenset(
    [
        "AppendPut",
        "AcknowledgePut",
        "SlaveConnectsAndTruncates",
        "SlaveAppendsBatch",
        "MasterReceivesAck",
        "ProposeExpand",
        "ProposeShrink",
        "LearnSyncStateSet",
        "BecomeMaster",
        "BecomeSlave",
        "ConnectionBreaks",
        "ProcessCrashes",
        "BrokerRestarts",
    ]
)
"""Steps that the brokers' classes take; the others are the controller's, and of what is under way."""


@dataclass(slots=True)
class WalkReport:
    """`performed`: edges by action; `steps`: all that were made, again ones too; `skipped`: edges by action and reason;
    `differences`: sentences with the edge and the way to it."""

    edges: int = 0
    broker_edges: int = 0
    performed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    """The places of the edges that were performed, now or before."""
    walks: int = 0
    steps: int = 0
    unreached: int = 0
    seconds: float = 0.0
    durations: list[float] = field(default_factory=list)
    """Of each walk, in seconds."""


def walk(
    graph: Graph,
    release: Release,
    java: Path | None,
    settings: Mapping[str, Any],
    seconds: float = 1e9,
    taken: Collection[int] = (),
    most_different: int = _MOST_SHOWN,
    keep: Callable[[Collection[int]], None] = lambda _: None,
    *,
    kept_after: float = _KEPT_SECONDS,
    start: Callable[[Release, Path | None], Worker] = Worker,
) -> WalkReport:
    """Walk until every edge was taken, skipped or found different, or the time is over. Raise `RocketmqError`.

    `settings` are those of broker.conf's store part; `taken`: the places of edges that were taken before. It ends
    after so many differences that nothing explains. `keep` is told what was taken on the way and at the end, also where
    that is an error or Ctrl-C; on the way after a walk with which `kept_after` seconds have gone by. `start` gives the
    process with the classes.
    """
    report = WalkReport(len(graph.edges))
    tour = Tour(graph, [edge.place for edge in graph.edges if edge.action in OF_BROKERS])
    report.broker_edges = len(tour.left)
    for edge in graph.edges:
        reason = not_at_this_grain(edge.action, edge.arguments, graph.state(edge.source))
        if reason:
            report.skipped[edge.action, reason] += 1
            tour.closed.add(edge.place)
            tour.left.discard(edge.place)
    for place in tour.out_of_reach():
        report.skipped[graph.edges[place].action, "every way there has a step that is skipped"] += 1
        tour.left.discard(place)
    tour.left -= set(taken)
    report.taken = set(taken)
    started, team = monotonic(), _Team(lambda: start(release, java), dict(settings), names_of(graph))
    kept = started
    try:
        while tour.left and monotonic() - started < seconds and report.different.total() < most_different:
            before, begun = len(tour.left), monotonic()
            _one_walk(graph, team, tour, report)
            report.durations.append(monotonic() - begun)
            if monotonic() - kept > kept_after:
                keep(report.taken)
                kept = monotonic()
            if len(tour.left) == before:
                break
    finally:
        keep(report.taken)
        team.worker.close()
    report.unreached = len(tour.left)
    report.seconds = monotonic() - started
    return report


def names_of(graph: Graph) -> tuple[dict[str, int], str]:
    """The brokerIds of the model's brokers, and the name of nobody."""
    return names_and_nobody(graph.subject.constants)


def names_and_nobody(constants: Mapping[str, Any]) -> tuple[dict[str, int], str]:
    return {name: number for number, name in enumerate(sorted(constants["Broker"]["#set"]), 1)}, constants["NoBroker"]


@dataclass(slots=True)
class _Team:
    """The process with the classes. Stores that were left keep some of their files and threads, so now and then another
    one takes its place."""

    start: Callable[[], Worker]
    settings: dict[str, Any]
    names: tuple[dict[str, int], str]
    worker: Worker = field(init=False)

    def __post_init__(self) -> None:
        self.worker = self.start()

    def begin(self, state: Mapping[str, Any]) -> list[str]:
        if self.worker.call("walk_open_files") > _MOST_OPEN_FILES:
            self.worker.close()
            self.worker = self.start()
        found: list[str] = self.worker.call("walk_begin", self.settings, *self.names, state)
        return found


def _one_walk(graph: Graph, team: _Team, tour: Tour, report: WalkReport) -> None:
    report.walks += 1
    way: list[str] = []
    found = team.begin(graph.state(0))
    if found:
        raise RocketmqError(f"The classes are not in the initial state of {graph.subject.name}: {'; '.join(found)}", "")
    for edge in tour.next_walk():
        if not _take(graph, team, edge, tour, report, way):
            return


def _take(graph: Graph, team: _Team, edge: Edge, tour: Tour, report: WalkReport, way: list[str]) -> bool:
    report.steps += 1
    way.append(f"{edge.action}({', '.join(map(str, edge.arguments))})")
    states = graph.state(edge.source), graph.state(edge.target)
    found = team.worker.call("walk_take", edge.action, edge.arguments, *states)
    if found:
        tour.closed.add(edge.place)
        tour.left.discard(edge.place)
        report.different[edge.action] += 1
        if len(report.differences) < _MOST_SHOWN:
            report.differences.append(f"{way[-1]}: {'; '.join(found)}\n    after {', '.join(way[:-1])}")
        return False
    if edge.place in tour.left:
        tour.left.discard(edge.place)
        report.taken.add(edge.place)
        report.performed[edge.action] += 1
    return True
