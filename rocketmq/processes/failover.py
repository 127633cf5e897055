"""One failover of real processes under load: who was told what, what is on the disks, and the logs for `validate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes.cluster import RealCluster

Say = Callable[[str], None]
_PUTS = 20


@dataclass(slots=True)
class Failover:
    """`acknowledged`: bodies whose producers were told SEND_OK, in their order; `missing`: those that the last master
    has not; `differ`: brokers whose log or epoch file is not the last master's at the end."""

    acknowledged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    differ: list[str] = field(default_factory=list)
    logs: list[Path] = field(default_factory=list)
    masters: list[str] = field(default_factory=list)


def fail_over(cluster: RealCluster, say: Say) -> Failover:
    """Within the cluster's context: puts, kill -9 of the master, puts at the next one, its return. Raise
    `RocketmqError`."""
    found = Failover()
    took = cluster.until(lambda: cluster.master() is not None, "the first master")
    first = _master(cluster, found)
    say(f"{first} leads after {took:.0f} s")
    _put(cluster, found, "before")
    followers = [name for name in cluster.nodes if name.startswith("b") and name != first]
    _until_copied(cluster, found, followers, first, "the copies of the slaves")
    _put(cluster, found, "copied")
    cluster.nodes[first].kill()
    say(f"{first} was killed (kill -9)")
    took = cluster.until(lambda: cluster.master() not in (None, first), "another master")
    second = _master(cluster, found)
    say(f"{second} leads {took:.1f} s later")
    _put(cluster, found, "after")
    cluster.nodes[first].start()
    took = _until_copied(cluster, found, [first], second, "the return of the first master")
    say(f"{first} has come back and has all of it after {took:.0f} s")
    _put(cluster, found, "returned")
    last = cluster.master() or second
    others = [name for name in cluster.nodes if name.startswith("b") and name != last]
    _until_copied(cluster, found, others, last, "the last copies")
    there = {message.body.decode() for message in cluster.messages(last)}
    found.missing = [body for body in found.acknowledged if body not in there]
    found.differ = [name for name in others if not _same(cluster, name, last)]
    found.logs = cluster.collect_logs(cluster.folder / "logs")
    return found


def _master(cluster: RealCluster, found: Failover) -> str:
    name = cluster.master()
    if name is None:
        raise RocketmqError("There is no master any more.", f"The logs are in {cluster.folder}.")
    found.masters.append(name)
    return name


def _until_copied(cluster: RealCluster, found: Failover, names: Sequence[str], master: str, what: str) -> float:
    """The seconds until these brokers have all that the master has. Raise `RocketmqError`.

    A master that is elected again begins an epoch, of which a slave that has all messages learns by the next one only
    (seen on 5.5.0): one more is put then.
    """
    more = 0

    def are_the_same() -> bool:
        nonlocal more
        if all(_same(cluster, name, master) for name in names):
            return True
        if all(_same_messages(cluster, name, master) for name in names):
            _put(cluster, found, f"{what}, more, {more}", 1)
            more += 1
        return False

    return cluster.until(are_the_same, what)


def _put(cluster: RealCluster, found: Failover, what: str, count: int = _PUTS) -> None:
    for number in range(count):
        body = f"{what}-{number}"
        stored = cluster.put(body, seconds=30).stored
        (found.acknowledged if stored else found.refused).append(body)


def _same(cluster: RealCluster, one: str, other: str) -> bool:
    """Messages, their places and the epoch files."""
    try:
        return _same_messages(cluster, one, other) and cluster.epoch_file(one) == cluster.epoch_file(other)
    except (OSError, ValueError):  # not written yet, or half of it
        return False


def _same_messages(cluster: RealCluster, one: str, other: str) -> bool:
    try:
        return cluster.messages(one) == cluster.messages(other)
    except (OSError, ValueError):
        return False
