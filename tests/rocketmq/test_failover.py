"""What a failover waits for, with processes that are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.failover import fail_over


@dataclass
class Stored:
    body: bytes
    stored: bool = True


@dataclass
class Process:
    cluster: Processes
    name: str

    def kill(self) -> None:
        self.cluster.leader = next(name for name in self.cluster.nodes if name != self.name)
        self.cluster.epochs[self.cluster.leader].append(3)

    def start(self) -> None:
        pass


@dataclass
class Processes:
    """Two brokers; a slave learns of an epoch with the bytes that follow, and once of none: `b1` is elected again."""

    folder: Path
    leader: str = "b1"
    nodes: dict[str, Process] = field(default_factory=dict)
    epochs: dict[str, list[int]] = field(default_factory=lambda: {"b1": [1], "b2": [1]})
    log: list[Stored] = field(default_factory=list)

    def master(self) -> str:
        return self.leader

    def messages(self, name: str) -> list[Stored]:
        return self.log

    def epoch_file(self, name: str) -> list[int]:
        return self.epochs[name]

    def put(self, body: str, seconds: float) -> Stored:
        self.log.append(Stored(body.encode()))
        for name in self.epochs:
            self.epochs[name] = [*self.epochs[self.leader]]
        if body == "before-19":
            self.epochs["b1"] = [1, 2]
        return self.log[-1]

    def until(self, condition: Callable[[], bool], what: str) -> float:
        if not any(condition() for _ in range(5)):
            raise RocketmqError(f"{what} did not come", "")
        return 0.0

    def collect_logs(self, folder: Path) -> list[Path]:
        return []


def test_an_epoch_without_bytes_is_given_some(tmp_path: Path) -> None:
    """On a busy machine a master is elected again; no slave learnt of it, and the failover waited for that."""
    cluster = Processes(tmp_path)
    cluster.nodes = {name: Process(cluster, name) for name in ("b1", "b2")}
    found = fail_over(cast(RealCluster, cast(Any, cluster)), lambda _: None)
    assert (found.masters, found.missing, found.differ, found.refused) == (["b1", "b2"], [], [], [])
    assert found.acknowledged.count("the copies of the slaves, more, 0-0") == 1
    assert cluster.epochs["b1"] == cluster.epochs["b2"] == [1, 2, 3]
