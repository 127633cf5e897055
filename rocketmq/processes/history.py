"""What producers and consumers were told, and whether the logs that are left agree with it.

`Put`: a message that was sent once, and its status. `Seen`: a message that a consumer was given, with its place. A
`Record` is what a broker's commit log has. Each queue has one producer, which sends the next message when it was
answered for the last one.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ACKNOWLEDGED = "SEND_OK"
_TAIL = 1 << 14
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Put:
    """`offset`: the place in the queue that the producer was told, -1 without one. Times in seconds."""

    body: str
    queue: int
    began: float
    ended: float
    status: str
    offset: int = -1
    error: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A message and its place in the queue."""

    queue: int
    offset: int
    body: str


@dataclass(frozen=True, slots=True)
class Seen:
    record: Record
    at: float


@dataclass(slots=True)
class History:
    """`read`: what a consumer got that read everything at the end, None where there was none."""

    puts: list[Put] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    read: list[Record] | None = None

    def statuses(self) -> Counter[str]:
        return Counter(put.status for put in self.puts)

    def acknowledged(self) -> list[Put]:
        return [put for put in self.puts if put.status == ACKNOWLEDGED]


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind`: lost, vanished, moved, duplicated, reordered, invented, unreadable, differ, stuck, ended, unexplained.
    `body`: of the message, empty where it is about none. `where`: the brokers."""

    kind: str
    text: str
    body: str = ""
    where: tuple[str, ...] = ()


def read_history(path: Path) -> History:
    """Of the process of the clients; half a line at the end is none."""
    found = History()
    for event in _events(path):
        match event["kind"]:
            case "put":
                names = ("body", "queue", "began", "ended", "status", "offset", "error")
                found.puts.append(Put(*(event[name] for name in names)))
            case "seen":
                found.seen.append(Seen(_record(event), event["at"]))
            case "read":
                found.read = [*(found.read or []), _record(event)]
            case "read to the end":
                found.read = found.read or []
    return found


def acknowledged_since(path: Path, since: float) -> bool:
    """Is one of the last messages acknowledged that were sent after that time? Only the end of the file is read."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        lines = file.read().decode().split("\n")[1:-1]
    events = [json.loads(line) for line in lines]
    puts = [each for each in events if each["kind"] == "put" and each["status"] == ACKNOWLEDGED]
    return any(each["began"] > since for each in puts)


def _events(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        yield json.loads(line)


def _record(event: Mapping[str, Any]) -> Record:
    return Record(event["queue"], event["offset"], event["body"])


# --- checking ------------------------------------------------------------------------------------------------------


def check(history: History, logs: Mapping[str, Sequence[Record]], master: str | None = None) -> list[Finding]:
    """What is wrong with the logs that are left, by what clients were told. `master`: whose log the consumer read."""
    by_finding: dict[Finding, list[str]] = defaultdict(list)
    for name, log in logs.items():
        for finding in _of_log(history, log):
            by_finding[finding].append(name)
    found = [Finding(each.kind, each.text, each.body, tuple(names)) for each, names in by_finding.items()]
    if len({tuple(log) for log in logs.values()}) > 1:
        found.append(Finding("differ", "the brokers' logs are not alike", where=tuple(logs)))
    if master is not None and history.read is not None:
        found += [Finding(each.kind, each.text, each.body, (master,)) for each in _unreadable(history, logs[master])]
    return found


def _of_log(history: History, log: Sequence[Record]) -> Iterator[Finding]:
    places: dict[str, list[Record]] = defaultdict(list)
    for record in log:
        places[record.body].append(record)
    at = {(record.queue, record.offset): record.body for record in log}
    yield from _puts_there(history.puts, places)
    yield from _seen_there(history.seen, places, at)
    yield from _in_order(history.puts, places)
    sent = {put.body: put for put in history.puts}
    for body in places:
        if body not in sent:
            yield Finding("invented", f"{body} is in the log, and nobody sent it", body)


def _puts_there(puts: Iterable[Put], places: Mapping[str, Sequence[Record]]) -> Iterator[Finding]:
    for put in puts:
        there = places.get(put.body, ())
        if put.status == ACKNOWLEDGED and not there:
            told = f"{put.body} was acknowledged ({put.status}, queue {put.queue}, offset {put.offset})"
            yield Finding("lost", f"{told} and is not there", put.body)
        elif put.status == ACKNOWLEDGED and all((put.queue, put.offset) != (it.queue, it.offset) for it in there):
            text = (
                f"{put.body} was acknowledged at offset {put.offset} of queue {put.queue} and lies at {_at(there[0])}"
            )
            yield Finding("moved", text, put.body)
        if len(there) > 1:
            text = f"{put.body} was sent once and is there {len(there)} times: {', '.join(map(_at, there))}"
            yield Finding("duplicated", text, put.body)


def _seen_there(
    seen: Iterable[Seen], places: Mapping[str, Sequence[Record]], at: Mapping[tuple[int, int], str]
) -> Iterator[Finding]:
    told: set[Record] = set()
    for each in seen:
        record = each.record
        now = at.get((record.queue, record.offset))
        if now == record.body or record in told:
            continue
        told.add(record)
        elsewhere = places.get(record.body, ())
        rest = f"it lies at {_at(elsewhere[0])} now" if elsewhere else "it is gone"
        there = f"{now} is there" if now is not None else "nothing is there"
        text = f"a consumer was given {record.body} at offset {record.offset} of queue {record.queue}: {there}, {rest}"
        yield Finding("vanished", text, record.body)


def _in_order(puts: Iterable[Put], places: Mapping[str, Sequence[Record]]) -> Iterator[Finding]:
    """A message that was sent after another one had been stored lies behind it."""
    queues: dict[int, list[Put]] = defaultdict(list)
    for put in puts:
        if put.body in places:
            queues[put.queue].append(put)
    for inside in queues.values():
        highest: Put | None = None  # of those that a broker said it had stored
        for put in sorted(inside, key=lambda each: each.began):
            place = min(it.offset for it in places[put.body])
            if highest is not None and put.began >= highest.ended:
                before = max(it.offset for it in places[highest.body])
                if place < before:
                    text = f"{put.body} was sent after {highest.body} was stored, and lies before it"
                    yield Finding("reordered", f"{text}: offsets {place} and {before} of queue {put.queue}", put.body)
            if put.offset >= 0 and (highest is None or place > max(it.offset for it in places[highest.body])):
                highest = put


def _unreadable(history: History, log: Sequence[Record]) -> Iterator[Finding]:
    """What is in the log and a consumer that reads everything is not given, or is given otherwise."""
    assert history.read is not None
    read = {(each.queue, each.offset): each.body for each in history.read}
    for each in log:
        got = read.get((each.queue, each.offset))
        if got != each.body:
            what = f"{each.body} lies at {_at(each)}; a consumer that reads everything"
            text = f"{what} {'is not given it' if got is None else f'is given {got} there'}"
            yield Finding("unreadable", text, each.body)
    there = {(each.queue, each.offset) for each in log}
    for each in history.read:
        if (each.queue, each.offset) not in there:
            text = f"a consumer that reads everything is given {each.body} at {_at(each)}, where the log has nothing"
            yield Finding("unreadable", text, each.body)


def _at(record: Record) -> str:
    return f"offset {record.offset} of queue {record.queue}"
