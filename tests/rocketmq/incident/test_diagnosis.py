"""Incidents read from real lines: recorded failovers as they were, and with one thing altered."""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.model.report.space_time import space_time_dot
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.incident.diagnosis import Diagnosis
from rmqproof.rocketmq.incident.folder import read_incident
from rmqproof.rocketmq.incident.telling import chart_of_incident, lines_of
from rmqproof.rocketmq.incident.timeline import moments_of
from tests.rocketmq.conftest import rolled_over

RECORDED = Path(__file__).parents[1]


@pytest.fixture
def failover(tmp_path: Path) -> Path:
    return unpacked("5.5.0", tmp_path)


def unpacked(version: str, folder: Path) -> Path:
    with tarfile.open(RECORDED / f"failover-{version}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


def test_logs_that_were_rolled_over(failover: Path) -> None:
    """The same is told of them as of the whole ones, from other places."""
    whole = read_incident(failover)
    (failover / "logs" / "broker-2" / "otherdays").mkdir()
    (failover / "logs" / "broker-2" / "otherdays" / "broker.2.log.gz").write_bytes(b"\x1f\x8b broken")
    rolled_over(failover / "logs")
    parts = read_incident(failover)
    assert [replace(each, place="") for each in parts.moments] == [replace(each, place="") for each in whole.moments]
    assert parts.printed == whole.printed and len(parts.logs) == 2 * len(whole.logs)
    assert [each.partition(":")[0] for each in parts.unread] == ["logs/broker-2/otherdays/broker.2.log.gz"]


def altered(folder: Path, file: str, change: Callable[[str], str]) -> Diagnosis:
    path = next(each for each in folder.rglob(Path(file).name) if str(each).endswith(file))
    text = path.read_text()
    assert change(text) != text
    path.write_text(change(text))
    return read_incident(folder).diagnosis()


def test_a_loss_of_power_that_lost_acknowledged_messages(tmp_path: Path) -> None:
    """Recorded by `rmqproof rocketmq chaos 5.5.0 --fault power --fault power-of-all`, which found them missing."""
    with tarfile.open(RECORDED / "power-loss-5.5.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    first, second = read_incident(tmp_path).diagnosis().suspicions
    assert first.sure and first.known == ("F-64",) and "b2 had crashed in between" in first.what
    assert first.what.startswith(
        "714 bytes are gone: b1 had confirmed its log up to 3570, and b2 began epoch 10 at 2856."
    )
    assert [moment.kind for moment in first.lines] == ["caught up", "unclean", "leads"]
    assert not second.sure and second.what.startswith("All brokers were down at one time")


@pytest.mark.parametrize("version", ["5.3.3", "5.5.0"])
def test_a_failover_that_lost_nothing(version: str, tmp_path: Path) -> None:
    found = read_incident(unpacked(version, tmp_path)).diagnosis()
    first, second = found.reigns
    assert (first.epoch, first.start, second.epoch, second.start) == (1, 0, 2, 8360)
    assert first.master != second.master and second.members == {1, 2}
    assert found.suspicions == []
    kinds = {moment.kind for moment in found.moments}
    assert {"elected", "leads", "follows", "caught up", "set", "expired", "start", "unclean", "promoted"} <= kinds
    assert "nothing says that confirmed messages are gone" in lines_of(found)


def test_a_master_that_begins_before_what_was_confirmed(failover: Path) -> None:
    """4180 had been confirmed when the slave caught up."""
    found = altered(failover, "broker-2/store.log", lambda text: text.replace("startOffset:8360", "startOffset:4000"))
    (only,) = found.suspicions
    assert only.sure and only.what.startswith("180 bytes are gone: b1 had confirmed its log up to 4180")
    assert [moment.kind for moment in only.lines] == ["caught up", "leads"]


def test_an_election_outside_of_the_set(failover: Path) -> None:
    found = altered(
        failover, "controller.log", lambda text: text.replace("newSyncStateSet=[1, 2]", "newSyncStateSet=[1]")
    )
    (only,) = found.suspicions
    assert only.sure and only.what.startswith("b2 was elected in epoch 2 and was not in the SyncStateSet [1]")


def test_a_master_that_was_alone_and_does_not_come_back(failover: Path) -> None:
    def change(text: str) -> str:
        lines = text.replace("StateSet=[1, 2]", "StateSet=[1]").splitlines(True)
        lost = next(number for number, line in enumerate(lines) if "inactive, broker" in line)
        return "".join(lines[: lost + 1])

    found = altered(failover, "controller.log", change)
    assert [each.what.split(":")[0] for each in found.suspicions if not each.sure] == [
        "b1 was alone in the SyncStateSet when the controller lost it"
    ]


def test_a_promotion_that_cuts_what_was_confirmed(failover: Path) -> None:
    found = altered(
        failover, "broker-2/store.log", lambda text: text.replace("TruncateOffset is -1, confirmOffset is 8360",
                                                                  "TruncateOffset is 4000, confirmOffset is 8360")
    )  # fmt: skip
    (only,) = found.suspicions
    assert only.sure and "b2 cut its log at 4000" in only.what and "4180 had been confirmed" in only.what


def test_a_slave_that_cannot_follow(failover: Path) -> None:
    line = "2026-11-24 00:34:10 ERROR AutoSwitchHAClient - Failed to find a consistent point between masterEpoch:[]\n"
    found = altered(failover, "broker-1/store.log", lambda text: text + 3 * line)
    (only,) = found.suspicions
    assert not only.sure and only.what.startswith("b1 has no epoch in common") and "F-36" in only.known
    assert sum(moment.kind == "no common point" for moment in found.moments) == 1


def test_no_master_at_the_end(failover: Path) -> None:
    def change(text: str) -> str:
        last = [line for line in text.splitlines(True) if "newMasterBrokerId=2" in line][-1]
        no = re.sub("newMasterElected=true", "newMasterElected=false", last).replace(
            "newMasterBrokerId=2", "newMasterBrokerId=null"
        )
        return text + no.replace("masterBrokerId=2", "masterBrokerId=null")

    found = altered(failover, "controller.log", change)
    assert [each.what for each in found.suspicions] == ["No broker of the SyncStateSet is heard: there is no master."]


def test_settings_and_epoch_files_beside_the_logs(failover: Path) -> None:
    inside = next(failover.rglob("broker-1"))
    (inside / "broker.conf").write_text("allAckInSyncStateSet=false\n# a comment\n")
    (inside / "epochFileCheckpoint").write_text("2\n0\n1-0\n2-9000\n")
    (inside.parent / "broker-2" / "epochFileCheckpoint").write_text("2\n0\n1-0\n2-8360\n")
    found = read_incident(failover).diagnosis()
    assert any("allAckInSyncStateSet=false" in each.what for each in found.suspicions)
    assert any(
        "Epoch 2 starts at 8360 on the master and at 9000 on the slave" in each.what for each in found.suspicions
    )


@pytest.mark.parametrize(("clock", "together"), [("00:33:58", True), ("00:34:40", False)])
def test_all_brokers_are_down_at_one_time(clock: str, together: bool, failover: Path) -> None:
    """b1 was silent from 00:33:52 and began to write at 00:33:59."""
    line = f"2026-11-24 {clock} INFO main - last shutdown abnormally, store path root dir: /x\n"
    later = "2026-11-24 00:34:30 INFO main - flushed\n"
    found = altered(
        failover, "broker-2/store.log", lambda text: "".join(
            each for each in text.splitlines(True) if each[11:19] <= "00:33:54"
        ) + ("" if together else later) + line
    )  # fmt: skip
    assert ["All brokers were down" in each.what for each in found.suspicions] == [True][: int(together)]


def test_the_command(failover: Path, tmp_path: Path) -> None:
    picture, content = tmp_path / "p.dot", tmp_path / "d.json"
    done = CliRunner().invoke(main, ["diagnose", str(failover), "--picture", str(picture), "--json", str(content)])
    assert done.exit_code == 0, done.output
    assert "controller  elects broker 2 in epoch 2" in done.output
    assert [each["master"] for each in json.loads(content.read_text())["reigns"]] == ["b1", "b2"]
    assert "elects broker 2 in epoch 2" in picture.read_text()
    altered(failover, "broker-2/store.log", lambda text: text.replace("startOffset:8360", "startOffset:4000"))
    done = CliRunner().invoke(main, ["diagnose", str(failover)])
    assert done.exit_code == 1 and "what was lost" in done.output


def test_a_folder_without_logs(tmp_path: Path) -> None:
    (tmp_path / "broker-1").mkdir()
    (tmp_path / "broker-1" / "broker.log").write_text("hello\n")
    with pytest.raises(RocketmqError, match="No line of a log"):
        read_incident(tmp_path)


def test_a_picture_has_a_lane_for_each_node(failover: Path) -> None:
    chart = chart_of_incident(read_incident(failover).diagnosis())
    assert [lane.name for lane in chart.lanes] == ["controller", "b1", "b2"]
    assert {arrow.label for arrow in chart.arrows} == {"epoch 1", "epoch 2"}
    assert space_time_dot(chart).startswith("digraph")


def test_times_are_in_the_zone_that_the_classes_log_in() -> None:
    line = "2025-09-19 10:11:12 INFO t - Truncate slave log to 42 success, change to transfer state"
    (found,) = moments_of([line], "b2", "store.log")
    assert (found.kind, found.values, found.at) == ("cuts", {"to": 42}, 1758247872.0)


def test_a_master_that_acknowledged_alone(tmp_path: Path) -> None:
    """Recorded by `rmqproof rocketmq chaos 5.5.0 --minutes 1.5 --seed 3 --brokers 2`: 501 messages were missing."""
    with tarfile.open(RECORDED / "alone-5.5.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    (found,) = read_incident(tmp_path).diagnosis().suspicions
    assert found.known == ("F-61",) and found.models == ("InsufficientRemovalLoss",) and not found.sure
    assert "it elected b2 in epoch 10" in found.what and "it cut 120741 bytes, from 846930 on" in found.what
    assert [moment.kind for moment in found.lines] == ["proposes", "follows", "compares", "cuts"]
    told = list(lines_of(read_incident(tmp_path).diagnosis()))
    assert (
        "      this is the behaviour of InsufficientRemovalLoss: rmqproof check rmqproof:InsufficientRemovalLoss.cfg"
        in told
    )


def test_a_master_whose_smaller_set_the_controller_took(tmp_path: Path) -> None:
    """The same logs, and the controller has stored the set before it elected."""
    with tarfile.open(RECORDED / "alone-5.5.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    stored = (
        "2026-11-24 18:57:02 INFO EventScheduler - Event queue run event alterSyncStateSet, get the result "
        "ControllerResult{events=[AlterSyncStateSetEvent{brokerName='broker-a', newSyncStateSet=[1]}], response=x}\n"
    )
    found = altered(
        tmp_path, "controller.log", lambda text: re.sub(r"(?m)^(?=.*newMasterBrokerId=2.*masterEpoch=10)", stored, text)
    )
    assert not any("F-61" in each.known for each in found.suspicions)


def without(pattern: str) -> Callable[[str], str]:
    """A file without the lines that have this."""
    return lambda text: re.sub(rf"(?m)^.*(?:{pattern}).*\n", "", text)


def instead(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


def and_then(line: str, *said: str) -> Callable[[str], str]:
    """A log with more lines after the one that ends so."""
    return lambda text: text.replace(f"{line}\n", "\n".join((line, *said, "")), 1)


REMOVED = "2026-11-24 18:57:02 INFO ReadSocketService - Notify the syncStateSet has been changed into [1]."
BACK = "2026-11-24 18:57:08 INFO ReadSocketService - Notify the syncStateSet has been changed into [1, 2]."
OTHERWISE: dict[str, tuple[str, Callable[[str], str]]] = {
    "an earlier release, which asks both sets": (
        "broker-1/broker.log", without("(?:enableSplitMetadata|priorityOrderAsc|useSeparateRetryQueue)=")
    ),
    "copies are not asked by the set": (
        "broker-1/broker.conf", instead("allAckInSyncStateSet=true", "allAckInSyncStateSet=false")
    ),
    "the default asks no copies": ("broker-1/broker.conf", without("allAckInSyncStateSet=")),
    "a master that is alone refuses puts": ("broker-1/broker.conf", lambda text: text + "\nminInSyncReplicas=2\n"),
    "the slave was back in the set": ("broker-1/store.log", and_then(REMOVED, BACK)),
    "the set was another one": ("broker-1/store.log", instead("changed into [1].", "changed into [1, 3].")),
    "nothing was cut": (
        "broker-1/store.log", without("truncateOffset is|Truncate slave log to|truncate dirty files")
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", OTHERWISE)
def test_a_smaller_set_that_lost_nothing(why: str, tmp_path: Path) -> None:
    """What looks like F-61 and is not, by one thing."""
    with tarfile.open(RECORDED / "alone-5.5.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    assert not any("F-61" in each.known for each in altered(tmp_path, *OTHERWISE[why]).suspicions)


def test_a_smaller_set_long_before_the_election(tmp_path: Path) -> None:
    """The controller notices ten seconds after the slave's connection ended, as with the default time-out."""
    with tarfile.open(RECORDED / "alone-5.5.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    found = altered(
        tmp_path, "broker-1/store.log", lambda text: text.replace(REMOVED, REMOVED.replace("57:02", "56:58"))
    )
    (only,) = found.suspicions
    assert only.known == ("F-61",) and only.lines[0].line == REMOVED.replace("57:02", "56:58")


def test_a_broker_that_comes_back_with_an_unreadable_epoch_file(tmp_path: Path) -> None:
    """Recorded by `rmqproof rocketmq schedules 5.5.1 --processes --only F-8`: both logs end at 392, and differ."""
    with tarfile.open(RECORDED / "no-epochs-5.5.1.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    (found,) = read_incident(tmp_path).diagnosis().suspicions
    assert found.known == ("F-8",) and found.models == ("UnreadableEpochFile",) and not found.sure
    assert found.what.startswith("b1 came back with a log to 392 and no epochs, and cut nothing")
    assert [moment.kind for moment in found.lines] == ["loaded", "no epochs", "does not cut"]
    assert (
        altered(tmp_path, "broker-1/store.log", lambda text: text.replace("offset = 392", "offset = 0")).suspicions
        == []
    )


def test_a_controller_on_jraft_says_whom_it_has_lost(tmp_path: Path) -> None:
    with tarfile.open(RECORDED / "jraft-5.5.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    lost = [moment for moment in read_incident(tmp_path).diagnosis().moments if moment.kind == "expired"]
    assert [(moment.node, moment.values["broker"]) for moment in lost] == [("controller", 1)]
