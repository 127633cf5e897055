"""Logs of real clusters, recorded by `rmqproof rocketmq failover VERSION`: the readers know their lines."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from rmqproof.rocketmq.logs import read_logs

RECORDED = sorted(Path(__file__).parent.glob("failover-*.tar.xz"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name.removesuffix(".tar.xz"))
def test_a_failover_is_read(path: Path, tmp_path: Path) -> None:
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="data")
    events, _ = read_logs(sorted(tmp_path.rglob("*.log")))
    controller = [(each.action, each.arguments) for each in events if each.node == "controller"]
    elected = [each.state["controller"]["master"] for each in events if each.action == "ControllerElectsMaster"]
    first, second = elected
    assert first != second
    assert ("HeartbeatExpires", (first,)) in controller, "its process was killed"
    assert controller.count(("HeartbeatArrives", (first,))) == 2, "it came back"
    masters = [each.node for each in events if each.action == "BecomeMaster"]
    assert masters == [first, second] or masters == [second, first]  # by file, and the files by name
    followed = {(each.node, each.state["broker"]["master"]) for each in events if each.action == "BecomeSlave"}
    assert (first, second) in followed and (second, first) in followed
    connected = [each.node for each in events if each.action == "SlaveConnectsAndTruncates"]
    assert sorted(connected) == ["b1", "b2"], "since 5.4.0 no line says that the log was cut to an offset"
    sets = [each.state["controller"]["sss"] for each in events if each.action == "ControllerAcceptsAlter"]
    assert sets == [{"#set": ["b1", "b2"]}] * 2


def test_there_are_recorded_ones() -> None:
    assert RECORDED
