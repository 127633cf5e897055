"""A history of puts and of messages that were seen, against logs that agree with it and logs that do not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.rocketmq.processes.history import (
    History,
    Put,
    Record,
    Seen,
    acknowledged_since,
    check,
    read_history,
)

LOG = [Record(0, 0, "0-1"), Record(1, 0, "1-1"), Record(0, 1, "0-2"), Record(0, 2, "0-3")]


def put(body: str, queue: int, began: float, offset: int, status: str = "SEND_OK") -> Put:
    return Put(body, queue, began, began + 0.5, status, offset)


def history() -> History:
    puts = [put("0-1", 0, 1, 0), put("1-1", 1, 1, 0), put("0-2", 0, 2, 1), put("0-3", 0, 3, 2)]
    return History(puts, [Seen(each, 9.0) for each in LOG[:3]], list(LOG))


def kinds(given: History, log: Sequence[Record], other: Sequence[Record] | None = None) -> set[tuple[str, str]]:
    logs = {"b1": log, "b2": log if other is None else other}
    return {(each.kind, each.body) for each in check(given, logs, "b1")}


def test_logs_that_agree() -> None:
    assert kinds(history(), LOG) == set()


def test_a_put_whose_fate_was_not_told_may_be_there_or_not() -> None:
    given = history()
    given.puts.append(put("1-2", 1, 4, -1, "RemotingTimeoutException"))
    given.puts.append(put("1-3", 1, 5, 1, "FLUSH_SLAVE_TIMEOUT"))
    assert kinds(given, LOG) == set()
    there = [*LOG, Record(1, 1, "1-2")]
    given.read = list(there)
    assert kinds(given, there) == set()


def test_an_acknowledged_message_is_lost() -> None:
    found = check(history(), {"b1": LOG[:3], "b2": LOG[:3]})
    assert [(each.kind, each.body, each.where) for each in found] == [("lost", "0-3", ("b1", "b2"))]
    assert "SEND_OK, queue 0, offset 2" in found[0].text


def test_one_broker_lacks_it() -> None:
    given = history()
    found = check(given, {"b1": LOG, "b2": LOG[:3]})
    assert [(each.kind, each.where) for each in found] == [("lost", ("b2",)), ("differ", ("b1", "b2"))]


def test_a_message_that_a_consumer_was_given_has_vanished() -> None:
    given = history()
    given.puts[2] = replace(given.puts[2], status="RemotingTimeoutException", offset=-1)
    log = [LOG[0], LOG[1], Record(0, 1, "0-3")]
    given.puts[3] = replace(given.puts[3], offset=1)
    found = check(given, {"b1": log})
    assert [(each.kind, each.body) for each in found] == [("vanished", "0-2")]
    assert found[0].text.endswith("0-3 is there, it is gone")


def test_a_message_is_there_twice() -> None:
    twice = [*LOG, Record(0, 3, "0-1")]
    assert ("duplicated", "0-1") in kinds(history(), twice)


def test_messages_in_another_order_than_their_producer_sent_them_in() -> None:
    given = history()
    given.puts = [replace(each, status="FLUSH_SLAVE_TIMEOUT") for each in given.puts]
    given.seen = []
    log = [LOG[0], LOG[1], Record(0, 1, "0-3"), Record(0, 2, "0-2")]
    given.read = list(log)
    assert kinds(given, log) == {("reordered", "0-3")}


def test_a_put_that_timed_out_may_come_after_the_next_one() -> None:
    given = history()
    given.puts[2] = replace(given.puts[2], status="RemotingTimeoutException", offset=-1)
    given.puts[3] = replace(given.puts[3], offset=1)
    given.seen = []
    log = [LOG[0], LOG[1], Record(0, 1, "0-3"), Record(0, 2, "0-2")]
    given.read = list(log)
    assert kinds(given, log) == set()


def test_an_acknowledged_message_lies_elsewhere() -> None:
    given = history()
    given.seen, log = [], [Record(0, 0, "0-1"), Record(1, 1, "1-1"), *LOG[2:]]
    given.read = list(log)
    assert kinds(given, log) == {("moved", "1-1")}


def test_a_message_that_nobody_sent() -> None:
    log = [*LOG, Record(1, 1, "?")]
    assert ("invented", "?") in kinds(history(), log)


@pytest.mark.parametrize(
    ("read", "body"),
    [(LOG[:3], "0-3"), ([*LOG[:3], Record(0, 2, "1-1")], "0-3"), ([*LOG, Record(0, 3, "0-4")], "0-4")],
)
def test_a_consumer_that_reads_everything_is_not_given_what_the_log_has(read: list[Record], body: str) -> None:
    given = history()
    given.read = read
    assert kinds(given, LOG) == {("unreadable", body)}


def test_the_file_of_the_clients(tmp_path: Path) -> None:
    put = {"kind": "put", "body": "0-1", "queue": 0, "began": 1.0, "ended": 1.5, "status": "SEND_OK", "offset": 0}
    place = {"queue": 0, "offset": 0, "body": "0-1", "at": 2.0}
    lines = [
        {**put, "error": ""},
        {"kind": "seen", **place},
        {"kind": "illegal", "queue": 0, "offset": 1, "next": 0, "at": 2.5},
        {"kind": "read", **place},
        {"kind": "read to the end", "queue": 0, "offset": 1, "word": "NO_NEW_MSG", "at": 3.0},
    ]
    path = tmp_path / "history.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"kind": "pu', encoding="utf-8")
    found = read_history(path)
    assert found.puts == [Put("0-1", 0, 1.0, 1.5, "SEND_OK", 0)]
    assert found.seen == [Seen(Record(0, 0, "0-1"), 2.0)] and found.read == [Record(0, 0, "0-1")]
    assert check(found, {"b1": found.read}, "b1") == []


def test_the_end_of_the_file_says_whether_messages_are_acknowledged_again(tmp_path: Path) -> None:
    def line(number: int, status: str) -> str:
        put = {"body": f"0-{number}", "queue": 0, "began": float(number), "ended": number + 0.5, "status": status}
        return json.dumps({"kind": "put", **put, "offset": 0, "error": ""}) + "\n"

    path = tmp_path / "history.ndjson"
    path.write_text("".join(line(number, "SEND_OK") for number in range(1000)))
    assert acknowledged_since(path, 998.5) and not acknowledged_since(path, 999.5)
    with path.open("a") as file:
        file.write(line(1000, "RemotingTimeoutException") + line(1001, "SEND_OK")[:-20])
    assert not acknowledged_since(path, 999.5)
