"""Log lines of RocketMQ, in the shipped classes' own words."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.conformance.runs.event import RunError
from rmqproof.model.cli import main
from rmqproof.rocketmq.logs import node_of, read_log, read_logs

CLOCK = "2025-09-19 10:11:"
WHO = "BrokerIdentityInfo{{clusterName='c', brokerName='b', brokerId={0}}}"
RESULT = (
    "INFO EventScheduler_n0 - Event queue run event {0}, get the result ControllerResult{{events=[{1}], response={2}}}"
)
ELECTED = "ElectMasterEvent{{newMasterElected=true, brokerName='b', newMasterBrokerId={0}}}"
MASTER = (
    "ElectMasterResponseHeader{{masterBrokerId={0}, masterAddress='a:{0}', masterEpoch={1}, syncStateSetEpoch={2}}}"
)
GROWN = "AlterSyncStateSetEvent{brokerName='b', newSyncStateSet=[1, 2]}"
CONTROLLER = "".join(
    f"{CLOCK}{line}\n"
    for line in (
        "10 INFO EventScheduler_n0 - Start scheduling controller events",
        f"11 INFO ControllerThread_1 - new broker registered, {WHO.format(1)}, brokerId:1",
        f"11 INFO ControllerThread_1 - new broker registered, {WHO.format(2)}, brokerId:2",
        "12 INFO EventScheduler_n0 - Elect new master 1 for broker b",
        "12 " + RESULT.format("electMaster", ELECTED.format(1), MASTER.format(1, 1, 1)),
        "12 " + RESULT.format("getReplicaInfo", "", "GetReplicaInfoResponseHeader{masterBrokerId=1, masterEpoch=1}"),
        "20 " + RESULT.format("alterSyncStateSet", GROWN, "AlterSyncStateSetResponseHeader{newSyncStateSetEpoch=2}"),
        f"40 WARN ControllerScan - The broker channel [id: 0x1] expired, brokerInfo {WHO.format(1)}, expired 10000ms",
        "40 " + RESULT.format("electMaster", ELECTED.format(2), MASTER.format(2, 2, 3)),
    )
)
FIRST = """\
2025-09-19 10:11:12 INFO ReplicasManager_1 - Begin to change to master, brokerName:b, replicas:a:1, new Epoch:1
2025-09-19 10:11:20 INFO ReplicasManager_2 - SyncStateSet changed from [1] to [1, 2]
java.lang.Exception: no line of a log
"""
FIRST_STORE = """\
2025-09-19 10:11:12 INFO ReplicasManager_1 - Change ha to master success, newMasterEpoch:1, startOffset:0
2025-09-19 10:11:19 INFO ReadSocketService - Notify the syncStateSet has been changed into [1, 2].
"""
SECOND = """\
2025-09-19 10:11:13 INFO Manager_1 - Begin to change to slave, brokerName=b, brokerId=2, newMasterBrokerId=1, {REST}
2025-09-19 10:11:41 INFO AdminBrokerThread - Begin to change to master, brokerName:b, replicas:a:2, new Epoch:2
"""
SECOND_STORE = """\
2025-09-19 10:11:14 INFO AutoSwitchHAClient - Slave local epochCache is empty, skip truncate log
2025-09-19 10:11:14 INFO AutoSwitchHAClient - change state to TRANSFER
2025-09-19 10:11:41 INFO AutoSwitchHAClient - AutoSwitchHAClient close connection with master a:1
"""


def write(folder: Path) -> list[str]:
    texts = {
        "controller.log": CONTROLLER, "broker-1/broker.log": FIRST, "broker-1/store.log": FIRST_STORE,
        "broker-2/broker.log": SECOND.replace("{REST}", "newMasterAddress=a:1, newMasterEpoch=1"),
        "broker-2/store.log": SECOND_STORE,
    }  # fmt: skip
    paths = []
    for name, content in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(content, encoding="utf-8")
        paths.append(str(path))
    return paths


def test_events(tmp_path: Path) -> None:
    controller, *_ = write(tmp_path)
    events = read_log(Path(controller))
    assert [(event.action, event.origin.line) for event in events] == [
        ("ControllerFailsOver", 1), ("HeartbeatArrives", 2), ("HeartbeatArrives", 3), ("ControllerElectsMaster", 5),
        ("ControllerAcceptsAlter", 7), ("HeartbeatExpires", 8), ("ControllerElectsMaster", 9),
    ]  # fmt: skip
    assert events[3].state == {"controller": {"master": "b1", "sss": {"#set": ["b1"]}, "masterEpoch": 1, "sssEpoch": 1}}
    assert events[4].state == {"controller": {"sss": {"#set": ["b1", "b2"]}, "sssEpoch": 2}}
    (change, sync) = read_log(tmp_path / "broker-1" / "broker.log")
    assert (change.node, change.action, change.state["broker"]["masterEpoch"]) == ("b1", "BecomeMaster", 1)
    assert sync.state == {"broker": {"sss": {"#set": ["b1", "b2"]}}}


@pytest.mark.parametrize(
    ("message", "action"),
    [
        (
            "process event: term 3, index 9, request code 1001 success with result ControllerResult{events=["
            "AlterSyncStateSetEvent{brokerName='b', newSyncStateSet=[2]}], response=X{newSyncStateSetEpoch=4}}",
            "ControllerAcceptsAlter",
        ),
        (
            "Event queue run event electMaster, get the result ControllerResult{events=[ElectMasterEvent{"
            "newMasterElected=false, brokerName='b', newMasterBrokerId=null}], response=Y{}}",
            "ControllerFindsNoMaster",
        ),
        (
            "Event queue run event cleanBrokerData, get the result ControllerResult{events=[CleanBrokerDataEvent{"
            "brokerName='b', brokerIdSetToClean=[1]}], response=Y{}}",
            "MetadataIsCleaned",
        ),
    ],
)
def test_other_lines_of_the_controller(message: str, action: str, tmp_path: Path) -> None:
    path = tmp_path / "controller.log"
    path.write_text(f"2025-09-19 10:11:12 INFO t - {message}\n", encoding="utf-8")
    assert [event.action for event in read_log(path)] == [action]


def test_whose_log_it_is(tmp_path: Path) -> None:
    assert node_of(tmp_path / "namesrv.log", []) == "controller"
    assert node_of(tmp_path / "b3.store.log", []) == "b3"
    line = "2025-09-19 10:11:12 INFO t - Begin to change to slave, brokerName=b, brokerId=4, newMasterBrokerId=1"
    assert node_of(Path("logs/broker.log"), [line]) == "b4"
    with pytest.raises(RunError, match="whose log"):
        node_of(Path("logs/store.log"), [])
    other = tmp_path / "controller.log"
    other.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(RunError, match="no line looks like"):
        read_log(other)


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["validate", *arguments, "--mapping", "rocketmq", "--constant", "FirstMaster=b1"])


def failover(folder: Path) -> list[str]:
    """The logs from the moment at which the first master is lost."""
    controller, _, _, second, _ = map(Path, write(folder))
    controller.write_text("".join(CONTROLLER.splitlines(True)[-2:]), encoding="utf-8")
    second.write_text(SECOND.splitlines(True)[-1], encoding="utf-8")
    return [str(controller), str(second)]


def test_a_failover_that_the_rules_allow(tmp_path: Path) -> None:
    logs = failover(tmp_path)
    text = Path(logs[0]).read_text().replace("syncStateSetEpoch=3", "syncStateSetEpoch=2")
    Path(logs[0]).write_text(text, encoding="utf-8")
    done = run(*logs, "--constant", "FirstSyncStateSet={b1, b2}", "--hidden-steps", "0")
    assert done.exit_code == 0, done.output
    assert "3 of 3 explained" in done.output


def test_an_election_that_the_rules_do_not_allow_is_rejected(tmp_path: Path) -> None:
    """The new master was never in the SyncStateSet."""
    done = run(*failover(tmp_path), "--constant", "FirstSyncStateSet={b1}", "--hidden-steps", "0")
    assert done.exit_code in (1, 152), done.output
    assert "controller.log:2" in done.output
    assert "new \\in Eligible(NoBroker)" in done.output and "Eligible(NoBroker) is {}" in done.output


@pytest.mark.large
def test_a_start_and_a_failover_beside_the_whole_protocol(tmp_path: Path) -> None:
    """The first election is one step of the repaired rules and two lines, one of them the broker's."""
    done = CliRunner().invoke(main, ["validate", *write(tmp_path), "--mapping", "rocketmq", "--json", "-", "--quiet"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["result"], told["explained"], told["events"]) == ("yes", 14, 14)
    assert told["actions"]["RestartedBrokerIsElected"] == 1


def test_a_broker_becomes_master_of_an_epoch_once(tmp_path: Path) -> None:
    """What a broker's line may repeat of the controller's it repeats once."""
    logs = failover(tmp_path)
    text = Path(logs[0]).read_text().replace("syncStateSetEpoch=3", "syncStateSetEpoch=2")
    Path(logs[0]).write_text(text, encoding="utf-8")
    Path(logs[1]).write_text(2 * SECOND.splitlines(True)[-1], encoding="utf-8")
    done = run(*logs, "--constant", "FirstSyncStateSet={b1, b2}", "--hidden-steps", "0")
    assert done.exit_code in (1, 152) and "3 of 4 explained" in done.output, done.output


def later(text: str, by: int) -> str:
    """With epochs of masters, and those of SyncStateSets, that are larger."""
    return re.sub(r"(asterEpoch[=:]|yncStateSetEpoch=|new Epoch:)(\d+)", lambda m: f"{m[1]}{int(m[2]) + by}", text)


def test_a_log_that_was_rolled_over_begins_with_a_later_epoch(tmp_path: Path) -> None:
    paths = write(tmp_path)
    plain, _ = read_logs(paths := list(map(Path, paths)))
    for path in paths:
        path.write_text(later(path.read_text(), 6))
    told, _ = read_logs(paths)
    assert [each.state for each in told] == [each.state for each in plain]
    # with a first master its own is the first, and what the other log says of before is left out
    kept = CONTROLLER.splitlines(True)[-2:]
    paths[0].write_text(later("".join(kept), 6))
    told, _ = read_logs([paths[0], paths[3]], {"FirstMaster": "b1"})
    assert [(each.node, each.action) for each in told] == [
        ("controller", "HeartbeatExpires"), ("controller", "ControllerElectsMaster"), ("b2", "BecomeMaster"),
    ]  # fmt: skip
    assert told[1].state["controller"]["masterEpoch"] == told[2].state["broker"]["masterEpoch"] == 2
    assert told[1].state["controller"]["sssEpoch"] == 2


@pytest.mark.large
def test_a_failover_in_a_log_that_was_rolled_over(tmp_path: Path) -> None:
    logs = failover(tmp_path)
    for path in map(Path, logs):
        path.write_text(later(path.read_text(), 40))
    done = run(*logs, "--constant", "FirstSyncStateSet={b1, b2}", "--hidden-steps", "0")
    assert done.exit_code == 0 and "3 of 3 explained" in done.output, done.output


def test_lines_of_another_broker_set(tmp_path: Path) -> None:
    controller, first, *_ = map(Path, write(tmp_path))
    plain, _ = read_logs([controller, first])
    other = CONTROLLER.replace("brokerName='b'", "brokerName='other'").splitlines(True)[1:]
    away = f"{CLOCK}41 INFO N - Channel [id: 0x5, L:/1 ! R:/2] inactive, broker other, addr:1, id:1\n"
    controller.write_text(CONTROLLER + "".join(other) + away)
    assert len(read_log(controller)) == 14
    told, mapping = read_logs([controller, first])
    assert told == plain and mapping.constants["MaxEpoch"] == 4
    with pytest.raises(RunError, match="of 2 broker sets: b, other"):
        read_logs([controller])
    stray = tmp_path / "broker-7" / "broker.log"
    stray.parent.mkdir()
    stray.write_text(FIRST.replace("brokerName:b,", "brokerName:c,"))
    with pytest.raises(RunError, match="logs of brokers are of 2 broker sets: b, c"):
        read_logs([controller, first, stray])


def test_the_formats_of_rocketmq_are_told(tmp_path: Path) -> None:
    """In the help, and where one finds no answer."""
    helped = " ".join(CliRunner().invoke(main, ["validate", "--help"], terminal_width=1000).output.split())
    assert "`rocketmq-run`: the same logs from the start of the processes" in helped
    bounds = ("--hidden-steps", "1", "--width", "1", "--max-states", "1")
    done = CliRunner().invoke(main, ["validate", *write(tmp_path), "--mapping", "rocketmq", *bounds])
    assert done.exit_code == 152 and "--mapping rocketmq-run reads the same logs" in done.stderr, done.output


def test_compressed_logs_and_milliseconds(tmp_path: Path) -> None:
    controller, *_ = write(tmp_path)
    plain = read_log(Path(controller))
    text = re.sub(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", r"\1,250", Path(controller).read_text("utf-8"), flags=re.M)
    rolled = tmp_path / "controller.log.1.gz"
    rolled.write_bytes(gzip.compress(text.encode()))
    events = read_log(rolled)
    assert [(each.action, each.arguments, each.state) for each in events] == [
        (each.action, each.arguments, each.state) for each in plain
    ]
    assert all(one.clock == other.clock + 0.25 for one, other in zip(events, plain, strict=True))


def test_a_compressed_log_that_is_cut_off_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "controller.log.gz"
    broken.write_bytes(gzip.compress(b"2025-09-19 10:11:12 INFO t - m\n" * 50)[:40])
    with pytest.raises(RunError, match=r"controller\.log\.gz"):
        read_log(broken)
