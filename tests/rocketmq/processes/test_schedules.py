"""Tries on processes are kept and counted; what schedules read of a cluster, without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes.schedules.all import PROCESS_SCHEDULES
from rmqproof.rocketmq.processes.schedules.bench import DidNotCome, Hands, ProcessBench, ProcessSchedule
from rmqproof.rocketmq.processes.schedules.running import run_on_processes
from rmqproof.rocketmq.processes.tries import Tries, Try, rate
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.schedules.bench import Seen
from tools.docs.on_processes import page

RELEASE = Release("5.9.0", "", ())


def tried(number: int, seen: bool | None, id: str = "F-17", version: str = "5.9.0") -> Try:
    return Try(id, "title", version, "Apache RocketMQ", number, seen, 10.0 + number, "what was done")


def test_a_try_that_is_kept_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def once(bench: ProcessBench) -> Seen:
        done.append(1)
        if len(done) == 2:
            raise DidNotCome("the first master did not come")
        return Seen(True, "it happened")

    schedule = ProcessSchedule("F-0", "a hazard", "steps", once)
    monkeypatch.setattr("rmqproof.rocketmq.processes.schedules.running.find_java", lambda java: java)
    file = tmp_path / "tries.ndjson"
    run_on_processes([schedule], RELEASE, None, tmp_path / "d", 2, Tries(file), lambda _: None)
    with file.open("a") as half:
        half.write('{"id": "F-0", "ti')  # killed while it wrote
    told: list[Try] = []
    found = run_on_processes([schedule], RELEASE, None, tmp_path / "d", 3, Tries(file), told.append)
    assert [each.number for each in told] == [3] and len(done) == 3
    assert [each.seen for each in found] == [True, None, True]
    assert rate(found).startswith("2 of 3, 1 did not begin, ")


def test_another_file_is_no_file_of_tries(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("hello\nworld\n")
    with pytest.raises(RocketmqError, match="x:1 is no try"):
        Tries(file)


def test_the_median_of_seconds_is_of_all_tries() -> None:
    assert rate([tried(1, True), tried(2, False), tried(9, True)]) == "2 of 3, 12 s"


def test_each_schedule_has_one_name_and_says_where_it_begins() -> None:
    assert len({each.id for each in PROCESS_SCHEDULES}) == len(PROCESS_SCHEDULES)
    (jraft,) = (each for each in PROCESS_SCHEDULES if each.id == "#9717")
    assert not jraft.fits("5.1.4") and jraft.fits("5.2.0")


def test_the_page_has_both_releases_of_a_reported_defect() -> None:
    text = page([tried(1, True, "#9897", "5.3.3"), tried(1, False, "#9897", "5.5.0"), tried(1, True)])
    assert "| 5.3.3 | 1 of 1, 11 s | 5.5.0 | 0 of 1, 11 s |" in text
    assert "| hold, put, break | 5.9.0 | 1 of 1, 11 s |" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["5.9.0", "--processes", "--only", "F-0", "--dir", "x"], "There is no schedule F-0"),
        (["5.9.0", "--processes"], "Name a folder for the logs"),
        (["5.9.0", "--times", "3"], "go with --processes"),
    ],
)
def test_wrong_usage_is_said(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["rocketmq", "schedules", *arguments])
    assert done.exit_code == 2 and said in done.output


# --- what is on a disk -----------------------------------------------------------------------------------------------


class Node:
    def __init__(self, folder: Path) -> None:
        self.folder = folder


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.nodes = {"b1": Node(folder)}


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    return Hands(Cluster(tmp_path), {"b1": "b1"}, 0.1)  # type: ignore[arg-type]


def test_entries_of_a_consume_queue_end_where_their_size_is_zero(hands: Hands, tmp_path: Path) -> None:
    folder = tmp_path / "store" / "consumequeue" / "TopicTest" / "0"
    folder.mkdir(parents=True)
    entry = (0).to_bytes(8, "big") + (105).to_bytes(4, "big") + bytes(8)
    (folder / "00000000000000000000").write_bytes(2 * entry + bytes(60))
    assert hands.queue_length("b1") == 2


def test_an_epoch_file_that_is_not_there_or_not_whole_has_no_entries(hands: Hands, tmp_path: Path) -> None:
    assert hands.epochs("b1") == []
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "epochFileCheckpoint").write_text("")
    assert hands.epochs("b1") == []


def test_a_schedule_that_sees_nothing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-20, with a file that has the epoch, and with one that has not."""
    (schedule,) = (each for each in PROCESS_SCHEDULES if each.id == "F-20")
    for file, seen in (([(1, 0), (2, 0)], False), ([(1, 0)], True)):

        class Told:
            other = "b2"
            entries = file

            def hand_over(self, to: str) -> None: ...

            def master_epoch(self) -> int:
                return 2

            def epochs(self, name: str) -> list[tuple[int, int]]:
                return self.entries

        class Bench:
            told = Told()

            @contextmanager
            def cluster(self, **_: Any) -> Iterator[Told]:
                yield self.told

        monkeypatch.setattr("rmqproof.rocketmq.processes.schedules.hazards.sleep", lambda _: None)
        assert schedule.run(Bench()).seen is seen  # type: ignore[arg-type]
