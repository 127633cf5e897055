"""Tries on processes are kept and counted; what schedules read of a cluster, without one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.impl.runtime.client import PutResult
from rmqproof.impl.runtime.codes import ClientCode
from rmqproof.impl.storage.message import Message, encode_message
from rmqproof.impl.wire.remoting import Command
from rmqproof.model.cli import main
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.processes.schedules.all import PROCESS_SCHEDULES
from rmqproof.rocketmq.processes.schedules.bench import DidNotCome, Hands, ProcessBench, ProcessSchedule
from rmqproof.rocketmq.processes.schedules.running import run_on_processes
from rmqproof.rocketmq.processes.steering import Patience
from rmqproof.rocketmq.processes.tries import Tries, Try, rate, read_tries
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.schedules.bench import Seen
from tools.docs.on_processes import KEPT, PAGE, page

RELEASE = Release("5.9.0", "", ())


def tried(number: int, seen: bool | None, id: str = "F-17", version: str = "5.9.0") -> Try:
    return Try(id, "title", version, "Apache RocketMQ", number, seen, 10.0 + number, "what was done")


def test_a_try_that_is_kept_is_not_done_again(tmp_path: Path) -> None:
    done: list[int] = []

    def once(bench: ProcessBench) -> Seen:
        done.append(1)
        if len(done) == 2:
            raise DidNotCome("the first master did not come")
        return Seen(True, "it happened")

    schedule = ProcessSchedule("F-0", "a hazard", "steps", once)
    java = Java(tmp_path, tmp_path, 17, "a test")
    file = tmp_path / "tries.ndjson"
    run_on_processes([schedule], RELEASE, java, tmp_path / "d", 2, Tries(file), lambda _: None)
    with file.open("a") as half:
        half.write('{"id": "F-0", "ti')  # killed while it wrote
    told: list[Try] = []
    found = run_on_processes([schedule], RELEASE, java, tmp_path / "d", 3, Tries(file), told.append)
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


def test_the_page_tells_what_was_seen_and_not_what_did_not_begin() -> None:
    waited = Try("F-17", "title", "5.9.0", "Apache RocketMQ", 2, None, 130.0, "the first master did not come.")
    assert "- **F-17**, 5.9.0: what was done.\n" in page([tried(1, True), waited])
    assert "- **F-17**, 5.9.0: the first master did not come.\n" in page([waited])
    assert "| 1 of 2, 1 did not begin, 130 s |" in page([tried(1, True), waited])


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


def hands_of(folder: Path, kind: type[Hands] = Hands) -> Hands:
    return kind(Cluster(folder), {"b1": "b1"}, Patience(step=5.0, again=0))  # type: ignore[arg-type]


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    return hands_of(tmp_path)


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


def test_a_message_that_is_refused_is_sent_again(tmp_path: Path) -> None:
    """Until it is in the log; one that waits for its answer is not."""
    sent: list[PutResult | None] = []
    answers = [PutResult(False, reason="not writable", known=True), None]
    looks: Iterator[list[int]] = iter([[], [], [], [2]])

    class Sent:
        def __init__(self) -> None:
            self.result = answers[len(sent)]
            sent.append(self.result)

    class Refusing(Hands):
        def put(self, name: str, number: int) -> None:
            self.puts[number] = Sent()  # type: ignore[assignment]

        def quietly(self, name: str) -> list[int]:
            return next(looks)

    hands_of(tmp_path, Refusing).insist("b1", 2)
    assert sent == answers


class FakeBench:
    """Whose cluster is what is given."""

    def __init__(self, hands: Any) -> None:
        self.hands = hands

    @contextmanager
    def cluster(self, **_: Any) -> Iterator[Any]:
        yield self.hands


def schedule_of(id: str) -> ProcessSchedule:
    (found,) = (each for each in PROCESS_SCHEDULES if each.id == id)
    return found


@pytest.mark.parametrize(("file", "seen"), [([(1, 0), (2, 0)], False), ([(1, 0)], True)])
def test_an_epoch_that_is_in_the_file_was_not_refused(file: list[tuple[int, int]], seen: bool) -> None:
    """F-20."""

    class Told:
        other, patience = "b2", Patience(meanwhile=0)

        def hand_over(self, to: str) -> None: ...

        def master_epoch(self) -> int:
            return 2

        def epochs(self, name: str) -> list[tuple[int, int]]:
            return file

    assert schedule_of("F-20").run(FakeBench(Told())).seen is seen  # type: ignore[arg-type]


class Restarted:
    """A cluster of which only what matters to #6342 answers."""

    lead, other, others = "b1", "b2", ("b2",)

    def __init__(self, told: str, members: set[str]) -> None:
        self._told, self._members = told, members
        self.cluster = self
        self.nodes = {"b1": self, "b2": self, "c1": self}

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: []

    def told_of(self, number: int, seconds: float) -> str:
        return self._told

    def members(self) -> set[str]:
        return self._members

    def quietly(self, name: str) -> list[int]:
        return []


@pytest.mark.parametrize(
    ("told", "members", "seen"),
    [("SEND_OK", {"b1", "b2"}, True), ("nothing for 6 s", {"b1", "b2"}, False), ("SEND_OK", {"b1"}, False)],
)
def test_who_acknowledges_alone_must_not_be_alone(told: str, members: set[str], seen: bool) -> None:
    """#6342."""
    assert schedule_of("#6342").run(FakeBench(Restarted(told, members))).seen is seen  # type: ignore[arg-type]


@pytest.mark.parametrize(("lines", "seen"), [(1, False), (5, True)])
def test_one_election_of_a_living_master_is_no_scan(lines: int, seen: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """#10875: who has died is a reason for one."""
    left = iter([True] * lines)

    class Elects(Restarted):
        def told(self, *_: str) -> bool:
            return next(left, False)

        def master(self) -> str:
            return "b1"

        def within(self, look: Callable[[], bool], seconds: float) -> bool:
            return any(look() for _ in range(9))

    found = schedule_of("#10875").run(FakeBench(Elects("", {"b1"})))  # type: ignore[arg-type]
    assert found.seen is seen


@pytest.mark.parametrize(
    ("revived", "again", "seen"), [(1, (), True), (0, (), False), (1, ("m1", "m2"), False), (1, ("m2",), False)]
)
def test_what_is_given_again_was_not_passed_over(revived: int, again: tuple[str, ...], seen: bool) -> None:
    """F-78."""
    given = iter(["m1", "m2", "m3", *again, "m3"])

    class Popped(Restarted):
        def wait(self, look: Callable[[], bool], what: str, seconds: float = 0.0) -> None:
            look()

        def within(self, look: Callable[[], bool], seconds: float, every: float = 0.0) -> bool:
            return any(look() for _ in range(5))

        def asked(self, port: object, code: int, fields: dict[str, str]) -> Command:
            if code == ClientCode.QUERY_CONSUMER_OFFSET:
                return Command(0, 0, {"offset": str(revived)})
            body = next(given, None)
            return Command(0, 0, body=encode_message(Message("TopicTest", body.encode()), 0) if body else b"")

    found = schedule_of("F-78").run(FakeBench(Popped("", {"b2"})))  # type: ignore[arg-type]
    assert found.seen is seen


def test_the_page_is_of_the_tries_that_are_kept() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(list(read_tries(KEPT)))
