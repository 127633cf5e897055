"""Incidents of reported defects, recorded by `rmqproof rocketmq schedules 5.3.3 --processes --only "#…"`, and the same
logs with the one thing altered that makes them so."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rmqproof.rocketmq.incident.diagnosis import diagnose
from rmqproof.rocketmq.incident.folder import read_incident
from rmqproof.rocketmq.incident.suspicion import Suspicion
from rmqproof.rocketmq.incident.telling import lines_of

RECORDED = Path(__file__).parents[1]
Recorded = Callable[[str], Path]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    def unpacked(name: str) -> Path:
        with tarfile.open(RECORDED / f"{name}-5.3.3.tar.xz") as archive:
            archive.extractall(tmp_path, filter="data")
        return tmp_path

    return unpacked


def suspicions(folder: Path) -> list[Suspicion]:
    return read_incident(folder).diagnosis().suspicions


def replaced(folder: Path, file: str, old: str, new: str) -> list[Suspicion]:
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return suspicions(folder)


def test_a_slave_that_cut_an_epoch_from_its_file(recorded: Recorded) -> None:
    """#9942: b1 names epoch 2 in its second handshake, and its file has epoch 1 only."""
    folder = recorded("epoch-forgotten")
    (found,) = suspicions(folder)
    assert found.known == ("F-49", "#9942") and found.models == ("Issue9942",) and not found.sure
    assert found.what.startswith(
        "b1 knew epoch 2, which begins at 196, and its epoch file ends with epoch 1: when it connected again"
    )
    assert [(moment.kind, moment.node) for moment in found.lines] == [("compares", "b1"), ("cuts", "b1")]
    assert any("rmqproof check rmqproof:Issue9942.cfg" in line for line in lines_of(read_incident(folder).diagnosis()))


def test_a_slave_whose_file_still_has_the_epoch(recorded: Recorded) -> None:
    """As 5.4.0 and later leave it."""
    folder = recorded("epoch-forgotten")
    (folder / "broker-1" / "epochFileCheckpoint").write_text("2\n0\n1-0\n2-196\n")
    assert suspicions(folder) == []


def test_a_slave_that_never_had_the_epoch_may_be_behind(recorded: Recorded) -> None:
    folder = recorded("epoch-forgotten")
    second = ", EpochEntry{epoch=2, startOffset=196, endOffset=196}]"
    local = "local epoch entries is [EpochEntry{epoch=1, startOffset=0, endOffset=196}"
    assert replaced(folder, "broker-1/store.log", local + second, local + "]") == []


def test_bytes_of_a_new_epoch_under_the_old_label(recorded: Recorded) -> None:
    """#9689: b2 has all 392 bytes, of which 196 are epoch 5's."""
    folder = recorded("old-label")
    (found,) = suspicions(folder)
    assert found.known == ("#9689",) and found.models == ("Issue9689",) and not found.sure
    assert found.what.startswith("b2 has the log to 392 and no entry of epoch 5, which begins at 196")
    assert [moment.kind for moment in found.lines] == ["leads", "caught up"]
    assert replaced(folder, "broker-1/store.log", "slaveMaxOffset: 392", "slaveMaxOffset: 196") == [], "it is behind"


def test_a_proposal_that_takes_the_one_before_back(recorded: Recorded) -> None:
    """#9897: both slaves' connections end before the controller has answered."""
    folder = recorded("taken-back")
    (found,) = suspicions(folder)
    assert found.known == ("F-6", "#9897") and found.models == ("Issue9897",) and not found.sure
    assert found.what.startswith("b1 wanted the SyncStateSet [1, 2] and then [1, 3]")
    assert found.what.endswith("b3 is in the set again although its connection has ended.")
    assert [moment.members for moment in found.lines] == [{1, 2}, {1, 3}]
    assert replaced(folder, "broker-1/store.log", "changed into [1, 3]", "changed into [1]") == [], "made of the first"


def test_two_that_join_together_are_another_story(recorded: Recorded) -> None:
    """The set grows: 5.4.0 and later do this, too."""
    folder = recorded("taken-back")
    for members in ("[1, 2, 3]", "[1, 2]"):
        path = folder / "controller.log"
        path.write_text(path.read_text().replace(f"newSyncStateSet={members}", "newSyncStateSet=[1]"))
    (found,) = suspicions(folder)
    assert found.known == ("F-6",) and found.models == ()
    assert found.what.endswith("b2 is out of the set again although it has all.")


def test_a_proposal_that_was_refused_is_no_reason(recorded: Recorded) -> None:
    """The master asks what the set is, and makes the next one of that."""
    folder = recorded("taken-back")
    path = folder / "broker-1" / "store.log"
    lines = path.read_text().splitlines(True)
    made = [number for number, line in enumerate(lines) if "changed into [1, 3]" in line]
    for number in reversed(made):
        clock = lines[number][:19]
        lines.insert(number, f"{clock} ERROR t - Error happen when change SyncStateSet, newSyncStateSet:[1, 2]\n")
        lines.insert(number + 2, f"{clock} ERROR t - Error happen when change SyncStateSet, newSyncStateSet:[1, 3]\n")
    path.write_text("".join(lines))
    assert suspicions(folder) == []


def test_no_master_and_no_proposal() -> None:
    assert diagnose([]).suspicions == []
