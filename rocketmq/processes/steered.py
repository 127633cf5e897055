"""A counterexample carried out on processes of a release: a cluster brought to where it begins, its steps, and the
property on what is on the disks and in the answers at the end."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from rmqproof.model.report.behaviour import Step
from rmqproof.rocketmq.epoch_files import read_epochs
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.steering import LeftPath, NotFromOutside, Steering
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.walks.reproducing import Evaluation, Reproduction, Story, Taken

_QUIET = {
    "slaveTimeout": "90000",
    "syncFlushTimeout": "90000",
    "haHousekeepingInterval": "120000",
    "haMaxTimeSlaveNotCatchup": "600000",
    "checkSyncStateSetPeriod": "1000",
    "controllerHeartBeatTimeoutMills": "60000",
}
"""Nothing happens because a while has passed."""
_MISSED = {"controllerHeartBeatTimeoutMills": "8000"}
Say = Callable[[str], None]


def steer(story: Story, release: Release, folder: Path, java: Path | None, say: Say) -> Reproduction:
    """Raise `RocketmqError` for a beginning that no cluster can be brought to."""
    started = monotonic()
    steps = story.behaviour.steps
    found = Reproduction(story.behaviour.violated, story.behaviour.sentence, len(steps) - 1)
    first = dict(steps[0].state)
    master, members = _beginning(first)
    settings = _QUIET | {name: _java(value) for name, value in story.settings().items()}
    settings |= _MISSED if any(step.action == "HeartbeatExpires" for step in steps) else {}
    brokers = sorted(name for name, _ in first["disk"]["#map"])
    cluster = RealCluster(release, find_java(java), folder, len(brokers), settings, controllers=1, relayed=True)
    with cluster:
        nodes = _begin(cluster, brokers, master, members, say)
        steering = Steering(cluster, nodes)
        steering.hold_everything(master)
        steering.forget_lines()
        try:
            _play(story, steering, steps, found, say)
        finally:
            steering.network.heal()
            found.seconds = monotonic() - started
    return found


def _beginning(first: Mapping[str, Any]) -> tuple[str, set[str]]:
    controller = first["controller"]
    master, members = controller["master"], set(controller["sss"]["#set"])
    brokers = {name for name, _ in first["disk"]["#map"]}
    if master not in brokers or members != brokers or any(disk["log"]["#tup"] for _, disk in first["disk"]["#map"]):
        raise RocketmqError(
            "This counterexample does not begin with a master, everybody in the SyncStateSet and empty logs.",
            "Processes are brought to that beginning only; without --processes the classes are, to any.",
        )
    return str(master), members


def _begin(cluster: RealCluster, brokers: Sequence[str], master: str, members: set[str], say: Say) -> dict[str, str]:
    """The process of each of the model's brokers, once all are in the set."""
    took = cluster.until(lambda: cluster.master() is not None, "the first master")
    real = {name: cluster.nodes[name] for name in cluster.broker_names}
    cluster.until(lambda: (cluster.sync_state_set() or set()) == _ids(cluster), "the first SyncStateSet of all")
    leads = cluster.master() or next(iter(real))
    others = [name for name in real if name != leads]
    nodes = {master: leads, **dict(zip((name for name in brokers if name != master), others, strict=True))}
    say(f"{leads} leads after {took:.0f} s, all are in the SyncStateSet: {nodes}")
    return nodes


def _ids(cluster: RealCluster) -> set[int]:
    try:
        return {cluster.id_of(name) for name in cluster.broker_names}
    except (OSError, ValueError):  # not written yet
        return set()


def _play(story: Story, steering: Steering, steps: Sequence[Step], found: Reproduction, say: Say) -> None:
    found.steps.append(Taken("the beginning"))
    found.seen = seen_on(steering)
    evaluation = Evaluation(story, dict(steps[0].state), found.seen)
    for before, step in itertools.pairwise(steps):
        title = f"{step.action}({', '.join(str(each) for each in step.arguments if not isinstance(each, dict))})"
        try:
            note = steering.take(str(step.action), step.arguments, before.state, step.state)
        except LeftPath as left:
            found.left, found.impossible = f"{title}: {left}", isinstance(left, NotFromOutside)
            found.seen = seen_on(steering)
            return
        found.seen = seen_on(steering)
        found.steps.append(Taken(title, (note,)))
        say(f"  {len(found.steps) - 1:3}  {title}: {note}")
        evaluation.after(step, found.seen)
    found.broken = evaluation.broken


def seen_on(steering: Steering) -> dict[str, Any]:
    """Messages and epoch files on the disks, and what producers were told. Epochs count from the first one here, and
    begin at a number of messages."""
    brokers = {}
    files = {name: _entries(steering.cluster, node) for name, node in steering.nodes.items()}
    first = min((epoch for file in files.values() for epoch, _ in file), default=1)
    for name, node in steering.nodes.items():
        placed = steering.placed_ids(node)
        file = [[epoch - first + 1, sum(at < start for at, _ in placed)] for epoch, start in files[name]]
        brokers[name] = {"log": [number for _, number in placed], "epochFile": file}
    return {"brokers": brokers, "acked": list(steering.acked), "thin": [], "consumed": [], "heartbeats": {}}


def _entries(cluster: RealCluster, node: str) -> list[tuple[int, int]]:
    path = cluster.nodes[node].folder / "store" / "epochFileCheckpoint"
    return [(entry.epoch, entry.start) for entry in read_epochs(str(path)).entries] if path.is_file() else []


def _java(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
