"""Steps on processes: which links are open when, and what is waited for. The processes are files here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rmqproof.impl.runtime.client import PutResult
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes.steered import _beginning
from rmqproof.rocketmq.processes.steering import STEPS, LeftPath, NotFromOutside, Patience, Steering

LINK = {"#map": [["b1", "none"], ["b2", "b1"]]}
BROKER = {"#map": [["b1", {"sss": {"#set": ["b1", "b2"]}}], ["b2", {"sss": {"#set": []}}]]}


class Network:
    """Which directions are held."""

    def __init__(self) -> None:
        self.held: set[tuple[str, str]] = set()
        self.broken: list[tuple[str, str]] = []
        self.outlived: list[tuple[str, str]] = []

    def outlive(self, source: str, target: str) -> int:
        self.outlived.append((source, target))
        return 1

    def pace(self, links: Any, held: bool = False) -> None:
        self.held = self.held | set(links) if held else self.held - set(links)

    def break_off(self, one: str, other: str) -> int:
        self.broken.append((one, other))
        return len(self.broken) % 2


class Node:
    def __init__(self, folder: Path) -> None:
        self.logs, self.settings = folder, {"listenPort": "1"}
        self.killed = False
        folder.mkdir()

    def kill(self) -> None:
        self.killed = True


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.nodes = {name: Node(folder / name) for name in ("n1", "c1", "b1", "b2")}
        self.network = Network()
        self.in_set: set[int] = {1, 2}

    def id_of(self, name: str) -> int:
        return int(name[1:])

    def master(self) -> str:
        return "b2"

    def sync_state_set(self) -> set[int]:
        return self.in_set

    def members(self) -> set[str]:
        return {f"b{number}" for number in self.in_set}

    def write(self, name: str, file: str, line: str) -> None:
        with (self.nodes[name].logs / file).open("a") as log:
            log.write(line + "\n")


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return Cluster(tmp_path)


def steering_of(cluster: Cluster, kind: type[Steering] = Steering) -> Steering:
    found = kind(cluster, {"b1": "b2", "b2": "b1"}, Patience(step=0.1, again=0, cause=0.05))  # type: ignore[arg-type]
    found.hold_everything("b1")
    found.forget_lines()
    return found


@pytest.fixture
def steering(cluster: Cluster) -> Steering:
    return steering_of(cluster)


def test_everything_is_held_but_the_heartbeats_of_slaves(steering: Steering, cluster: Cluster) -> None:
    assert cluster.network.held == {("b1", "b2"), ("b2", "b1"), ("c1", "b1"), ("c1", "b2"), ("b2", "c1")}


def test_a_role_is_taken_while_the_controller_is_heard(steering: Steering, cluster: Cluster) -> None:
    cluster.write("b1", "store.log", "Change ha to master success, newMasterEpoch:2, startOffset:0")
    assert steering.take("BecomeMaster", ["b2"], {}, {}) == "b1 has become master"
    assert ("c1", "b1") in cluster.network.held
    with pytest.raises(
        LeftPath, match=r"b2 as master was not seen within 0 s; the controller names b1, "
    ):  # the line is of the first time
        steering.take("BecomeMaster", ["b2"], {}, {})


def test_a_proposal_is_a_line_with_these_members(steering: Steering, cluster: Cluster) -> None:
    cluster.write("b2", "store.log", "Notify the syncStateSet has been changed into [1].")
    with pytest.raises(LeftPath, match=r"b1 proposes \[2\]"):
        steering.take("ProposeShrink", ["b1", "b2"], {"broker": BROKER}, {})
    cluster.write("b2", "store.log", "Notify the syncStateSet has been changed into [2].")
    assert steering.take("ProposeShrink", ["b1", "b2"], {"broker": BROKER}, {}) == "b2 wants the SyncStateSet [2]"


def test_what_the_controller_stores_is_asked_of_it(steering: Steering, cluster: Cluster) -> None:
    request = {"from": "b1", "members": {"#set": ["b1"]}}
    with pytest.raises(LeftPath, match=r"the SyncStateSet \[2\] at the controller"):
        steering.take("ControllerAcceptsAlter", [request], {}, {})
    cluster.in_set = {2}
    assert steering.take("ControllerAcceptsAlter", [request], {}, {}) == "the controller has stored [2]"
    assert ("b2", "c1") in cluster.network.held, "and is held again"


def test_a_connection_that_is_not_there_cannot_break(steering: Steering, cluster: Cluster) -> None:
    assert "are broken" in steering.take("ConnectionBreaks", ["b2"], {"link": LINK}, {})
    with pytest.raises(LeftPath, match="b2 has no connection to b1"):
        steering.take("ConnectionBreaks", ["b2"], {"link": LINK}, {})


def test_a_controller_does_not_hear_that_a_process_ends(steering: Steering, cluster: Cluster) -> None:
    """Its heartbeats end, which is a step of its own; a closed connection would be both at once (Issue6342Loss)."""
    assert steering.take("ProcessCrashes", ["b1"], {}, {}) == "kill -9 of b2"
    assert cluster.network.outlived == [("b2", "c1")] and cluster.nodes["b2"].killed


def test_a_step_within_a_process_is_said_to_be_one(steering: Steering) -> None:
    assert "BytesAreFlushed" not in STEPS
    with pytest.raises(NotFromOutside, match="BytesAreFlushed happens within a process"):
        steering.take("BytesAreFlushed", ["b1"], {}, {})


def test_a_beginning_that_no_cluster_is_brought_to() -> None:
    disk = {"#map": [["b1", {"log": {"#tup": []}}], ["b2", {"log": {"#tup": []}}]]}
    whole = {"controller": {"master": "b1", "sss": {"#set": ["b1", "b2"]}}, "disk": disk}
    assert _beginning(whole) == ("b1", {"b1", "b2"})
    with pytest.raises(RocketmqError, match="everybody in the SyncStateSet"):
        _beginning({**whole, "controller": {"master": "b1", "sss": {"#set": ["b1"]}}})


def test_a_slave_is_cut_off_where_nothing_else_makes_its_master_want_a_smaller_set(
    steering: Steering, cluster: Cluster
) -> None:
    """As in Issue9897, which begins with a proposal."""
    members = {"#map": [["b1", {"sss": {"#set": ["b1", "b2"]}}]]}
    network = cluster.network
    earlier = network.break_off

    def broken(one: str, other: str) -> int:
        cluster.write("b2", "store.log", "Notify the syncStateSet has been changed into [2].")
        return earlier(one, other)

    network.break_off = broken  # type: ignore[method-assign]
    said = steering.take("ProposeShrink", ["b1", "b2"], {"broker": members}, {})
    assert said == "b2 wants the SyncStateSet [2]; the connection of b1 was broken for it"


def test_a_message_that_stays_refused_is_why_the_path_is_left(cluster: Cluster) -> None:
    class Refused:
        result = PutResult(False, True, "service not available now")

    class Refusing(Steering):
        def quietly(self, name: str) -> list[int]:
            return []

        def put(self, name: str, number: int) -> None:
            self.puts[number] = Refused()  # type: ignore[assignment]

    with pytest.raises(LeftPath, match=r"message 1 in the log of b1 .* b1 refuses it: service not available now"):
        steering_of(cluster, Refusing).take("AppendPut", ["b1"], {}, {"used": {"puts": 1}})
