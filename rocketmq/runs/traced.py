"""What the agent (rocketmq/tracing) has written of a run, as events of spec/core/TracedRun.tla.

A step happened somewhere between the beginning and the end of its method. All processes are on one machine, where
System.nanoTime is one clock (CLOCK_MONOTONIC on Linux): a step whose method ended before another's began came before
it, whichever process that was; steps of one thread have its order. All else is left open, and `validate` tries it.

What of a method is the step, for those with other steps within:

- A role, a set, a proposal and the answer to a handshake are there before the steps within; a method that only looks
  at the log, after them.
- A confirmOffset is computed before it is set; whether a slave has caught up is asked before the set is marked; that
  copies are enough is found before their producer is woken, and after the last one was.
- What a slave copies is one step, and one for each message that ends in it: what its bytes are.

Controllers apply one log: an event that several have applied, or one again after its start, is the first of these.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import accumulate
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event, Origin, RunError
from rmqproof.conformance.runs.mapping import ALL, RunMapping
from rmqproof.rocketmq.runs.recorded_lines import VIEWS, as_value, broker
from rmqproof.rocketmq.tracing.rules import FEWER, PROMISED, config_of_release

CONTROLLER = "controller"
_FIRST = frozenset(("set", "mark", "propose", "master", "slave", "wake", "hear"))
"""Steps that come before those within their methods."""
_OF_SLAVE = "AutoSwitchHAClient"
_ANSWERS = {"PUT_OK": "ProducerIsTold", "FLUSH_SLAVE_TIMEOUT": "ProducerIsNotTold"}

Line = Mapping[str, Any]
Step = tuple[str | None, tuple[Any, ...], Mapping[str, Any]]


@dataclass(slots=True)
class _Read:
    """A line. `life`: of which process of its node, from 0."""

    line: Line
    origin: Origin
    text: str
    life: int


@dataclass(slots=True)
class _Process:
    """`name`: the model's, by the brokerId; `connections`: their numbers in the model, by those of the agent."""

    name: str
    all_ack: bool = True
    connections: dict[int, int] = field(default_factory=dict)

    def connection(self, line: Line) -> int:
        """Of a line: its number in the model. Raise `RunError` where no line says that it was opened."""
        number = self.connections.get(line["connection"])
        if number is None:
            raise RunError(f"{self.name} has no connection {line['connection']}: step {line['number']} of its process.")
        return number


@dataclass(slots=True)
class _Timed:
    event: Event
    low: int
    high: int


def read_traced(paths: Sequence[Path], constants: Mapping[str, Any] | None = None) -> tuple[list[Event], RunMapping]:
    """The events of these files, and the mapping for them. `constants` win. Raise `RunError`."""
    of_nodes: dict[str, list[_Read]] = {}
    for path in paths:
        for read in _lines(path):
            of_nodes.setdefault(read.line["node"], []).append(read)
    applied: list[list[_Read]] = []
    found: dict[tuple[str, str], list[_Timed]] = {}
    numbers = iter(range(1, 1_000_000))
    sums: set[int] = set()
    for node, lines in of_nodes.items():
        threads: list[list[_Timed]] = []
        applied += _applied(lines)
        named = {read.life: int(read.line["id"]) for read in lines if read.line["step"] == "identity"}
        if not named:
            continue  # no broker, or one that never got a brokerId: it did nothing
        for life in range(lines[-1].life + 1):
            known = named.get(life) or next(iter(named.values()))
            process = _Process(broker(str(known)))
            of_life = [read for read in lines if read.life == life]
            threads += _of_process(process, of_life, numbers, sums).values()
        for number, timed in enumerate(_in_rows(threads), 1):
            found[process.name, f"{node} {number}"] = timed
    found[CONTROLLER, CONTROLLER] = _of_controllers(applied)
    events = _in_order(found)
    all_ack = all(read.line["allAck"] for lines in of_nodes.values() for read in lines if read.line["step"] == "load")
    mapping = RunMapping(state=dict(VIEWS), logged=frozenset((ALL,)))
    fitting = {**_constants(events, sums), "AllAck": all_ack}
    return events, replace(mapping, constants={**fitting, **(constants or {})})


def config_of(paths: Sequence[Path]) -> str:
    """The rules of the release that wrote these files; what is promised, where they do not tell of one."""
    told = set()
    for path in paths:
        with path.open(encoding="utf-8", errors="replace") as file:
            try:
                told.add(json.loads(file.readline())["release"])
            except (ValueError, KeyError, TypeError):
                return PROMISED
    return config_of_release(told.pop()) if len(told) == 1 else PROMISED


def _lines(path: Path) -> Iterator[_Read]:
    life = -1
    try:
        texts = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: this is no UTF-8 text ({error.reason}).") from None
    for number, text in enumerate(texts, 1):
        origin = Origin(str(path), number)
        try:
            line = json.loads(text)
            known = line["node"], line["step"], line["began"], line["ended"], line["thread"]
        except (ValueError, KeyError, TypeError):
            if number == len(texts):
                return  # its process ended while it wrote
            raise RunError(f"{origin}: this is no line of the agent.") from None
        if line["step"] == "failed":
            raise RunError(f"{origin}: the agent did not understand what it saw of {line['what']}: {line['why'][:200]}")
        life += known[1] == "start"
        if not line.get("thrown"):
            yield _Read(line, origin, text, life)


# --- controllers ------------------------------------------------------------------------------------------------------


def _applied(lines: Sequence[_Read]) -> list[list[_Read]]:
    """By process: what it applied, in its order."""
    found: dict[int, list[_Read]] = defaultdict(list)
    for read in lines:
        if read.line["step"] == "apply" and "after" in read.line:
            found[read.life].append(read)
    return list(found.values())


def _of_controllers(processes: Sequence[Sequence[_Read]]) -> list[_Timed]:
    found: list[_Timed] = []
    for place in range(max(map(len, processes), default=0)):
        same = [lines[place] for lines in processes if place < len(lines)]
        first = min(same, key=lambda read: read.line["ended"])
        for other in same:
            if _decision(other.line) != _decision(first.line):
                raise RunError(f"{other.origin}: controllers applied different events; the other is at {first.origin}.")
        action, arguments, state = _decision(first.line)
        event = Event(CONTROLLER, action, arguments, state, origin=first.origin, text=first.text)
        found.append(_Timed(event, first.line["began"], first.line["ended"]))
    return found


def _decision(line: Line) -> Step:
    after = line["after"]
    state = {
        "masterEpoch": after["masterEpoch"],
        "sssEpoch": after["number"],
        "sss": _members(after["members"]),
        "master": "none" if after["master"] is None else broker(str(after["master"])),
    }
    if line["event"] == "AlterSyncStateSetEvent":
        return "TracedStores", (_members(line["members"]),), state
    if line["event"] != "ElectMasterEvent":  # an id, an address: elections and sets stay
        return None, (), state
    if not line["elected"]:
        return "TracedElectsNobody", (), state
    return "TracedElects", (broker(str(line["master"])),), state


def _members(ids: Sequence[int]) -> dict[str, list[str]]:
    return {"#set": [broker(str(each)) for each in ids]}


# --- brokers ----------------------------------------------------------------------------------------------------------


def _of_process(
    process: _Process, lines: Sequence[_Read], numbers: Iterator[int], sums: set[int]
) -> dict[str, list[_Timed]]:
    """The events of one life, by thread, each in its order."""
    found: dict[str, list[tuple[int, int, _Timed]]] = defaultdict(list)
    woken: dict[str, int] = {}
    appended: dict[int, int] = {}
    lines = [*lines, *_unwritten_wakes(lines)]
    cuts = {read.line["since"] for read in lines if read.line["step"] == "cut" and read.line.get("in") == "hear"}
    late = _overtaken(lines)
    puts = _until_the_next_put(lines)
    known = _numbers_of_sets(lines)
    for read in lines:
        line, step = read.line, read.line["step"]
        thread, low, high = line["thread"], line["began"], line["ended"]
        if step == "load":
            process.all_ack = bool(line["allAck"])
        if step == "opened":
            process.connections[line["connection"]] = next(numbers)
        if step == "put":
            appended[line["offset"] + line["size"]] = high
            sums.add(line["crc"])
            high = puts[line["number"]]
        if step == "confirm":
            low = line.get("computed", low)
        elif step == "mark" and line.get("in") == "expand":
            low = line["since"]
        elif step == "wake":
            low, high = max(woken.get(thread, 0), appended.get(line["end"], 0)), low
            woken[thread] = line["ended"]
        key = line["began"] if step in _FIRST else line["ended"]
        for number, (action, arguments, state) in enumerate(_steps(process, line, line["began"] in cuts)):
            if action == "MasterConfirms" and line["number"] in late:
                action, low = "OvertakenConfirmIsSet", line["began"]
                computed = Event(process.name, "ConfirmIsComputed", arguments, {}, origin=read.origin, text=read.text)
                found[thread].append((line["computed"], 0, _Timed(computed, line["computed"], low)))
            if action == "TracedLearnsSet" and read.origin in known:
                state = {"number": known[read.origin]}
            others = _others(action, arguments)
            event = Event(
                process.name, action, arguments, state, alternatives=others, origin=read.origin, text=read.text
            )
            found[thread].append((key, number, _Timed(event, low, high)))
    return {thread: [timed for *_, timed in sorted(each, key=lambda x: x[:2])] for thread, each in found.items()}


def _unwritten_wakes(lines: Sequence[_Read]) -> Iterator[_Read]:
    """What let a producer be answered (GroupCommitRequest.wakeupCustomer), where the process ended in between.

    The line of the answer is written within that method, its own at its end: of a broker that was killed there is the
    one without the other, as the last that its thread has written. Which copies it waited for, earlier ones say.
    """
    last = {read.line["thread"]: read for read in lines}
    waking = {read.line["thread"]: read.line["acks"] for read in lines if read.line["step"] == "wake"}
    for thread, read in last.items():
        line = read.line
        if line["step"] == "answer" and line["status"] == "PUT_OK" and thread in waking:
            end, began = line["offset"] + line["size"], line["ended"] - 1
            wake = {**line, "step": "wake", "end": end, "acks": waking[thread], "began": began}
            yield replace(read, line=wake)


def _until_the_next_put(lines: Sequence[_Read]) -> dict[int, int]:
    """By the number of a put's line: until when its message came into the log.

    The method of the line writes the bytes, its caller (DefaultMappedFile.appendMessagesInner) moves the end of the log
    afterwards. One thread puts at a time, and does nothing else until then.
    """
    found: dict[int, int] = {}
    last: Line | None = None
    for read in sorted(lines, key=lambda read: read.line["began"]):
        line = read.line
        if last is not None and (line["step"] == "put" or line["thread"] == last["thread"]):
            found[last["number"]] = line["began"] - 1
            last = None
        if line["step"] == "put":
            last = line
    if last is not None:
        found[last["number"]] = max(read.line["ended"] for read in lines)
    return found


def _numbers_of_sets(lines: Sequence[_Read]) -> dict[Origin, int]:
    """By the line of a set: under which number it is known, where the next proposal tells it. The controller can have
    stored the same members under several."""
    found: dict[Origin, int] = {}
    last: _Read | None = None
    for read in sorted(lines, key=lambda read: read.line["began"]):
        line = read.line
        if line["step"] == "propose":
            if last is not None and last.line["ended"] < line["began"]:
                found[last.origin] = line["number"]
            last = None
        elif line["step"] == "set":
            last = read if last is None or last.line["ended"] < line["began"] else None
        elif line["step"] in ("master", "slave"):
            last = None
    return found


def _overtaken(lines: Sequence[_Read]) -> frozenset[int]:
    """The numbers of lines that set a confirmOffset while another thread set a larger one."""
    found: set[int] = set()
    recent: list[Line] = []
    for read in lines:
        line = read.line
        if line["step"] == "confirm" and "computed" in line:
            recent = [other for other in recent if other["ended"] > line["computed"]]
            if any(other["thread"] != line["thread"] and other["offset"] > line["offset"] for other in recent):
                found.add(line["number"])
            recent.append(line)
    return frozenset(found)


def _others(action: str | None, arguments: tuple[Any, ...]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """What a line can mean besides."""
    if action == "CopiesAreEnough":
        return ((FEWER, arguments),)
    if action in ("TracedMaster", "TracedSlave"):
        # the epoch before was read, then the lock was waited for: another thread may have taken the role
        return (("RoleIsKept", (arguments[0], None, arguments[-1])),)
    return ()


def _steps(process: _Process, line: Line, cut: bool) -> Iterator[Step]:
    """What a line is in the model; `cut`: the log was cut within."""
    tell = _STEPS.get(line["step"])
    if tell is None:
        raise RunError(f"There is no step {line['step']}: the lines are of another rmqproof.")
    yield from tell(process, line)
    if line["step"] == "hear" and line["result"] and not cut:
        yield "AnswerNeedsNoCut", (process.name,), {}


def _role(process: _Process, line: Line) -> Iterator[Step]:
    epochs = line["was"], line["epoch"]
    if line["epoch"] <= line["was"]:
        yield "RoleIsKept", (process.name, *epochs), {}
    elif line["step"] == "master":
        yield "TracedMaster", (process.name, *epochs), {}
    else:
        yield "TracedSlave", (process.name, line["was"], broker(str(line["master"])), line["epoch"]), {}


def _mark(process: _Process, line: Line) -> Iterator[Step]:
    members = _members(line["members"])
    if line.get("in") == "remove":
        yield "MemberIsRemoved", (process.name, members), {}
    elif line.get("in") == "expand":
        of = line["of"]
        yield "SlaveIsMarked", (process.name, broker(str(of["slave"])), of["offset"], members), {}
    else:
        yield "FewerAreMarked", (process.name, members), {}


def _wake(process: _Process, line: Line) -> Iterator[Step]:
    # a request with one copy waits for its flush
    if line["status"] == "PUT_OK" and line["acks"] != 1:
        yield "CopiesAreEnough", (process.name, line["end"], line["acks"]), {}


def _answer(process: _Process, line: Line) -> Iterator[Step]:
    if process.all_ack and line["status"] in _ANSWERS:
        yield _ANSWERS[line["status"]], (process.name, line["offset"] + line["size"]), {}


def _confirm(process: _Process, line: Line) -> Iterator[Step]:
    within = line.get("in")
    if within == "cut":
        yield "ConfirmIsCut", (process.name, line["offset"]), {}
    elif within != "load":
        of_slave = line["thread"].startswith(_OF_SLAVE)
        yield "SlaveConfirms" if of_slave else "MasterConfirms", (process.name, line["offset"]), {}


def _cut(process: _Process, line: Line) -> Iterator[Step]:
    if line.get("in") == "hear":
        yield "LogIsCutToAnswer", (process.name, line["offset"]), {}
    elif line.get("in") == "examine":
        yield "LogIsCutToMessage", (process.name, line["offset"]), {}


def _copy(process: _Process, line: Line) -> Iterator[Step]:
    if not line["result"]:
        return
    yield "BytesAreCopied", (process.name, line["offset"], line["offset"] + line["size"]), {}
    for offset, size, crc in line["messages"]:
        yield "MessageIsThere", (process.name, offset, offset + size, crc), {}


def _hear(process: _Process, line: Line) -> Iterator[Step]:
    yield "AnswerIsHeard", (process.name, line["end"]), {"heard": _file(line)}


def _tell(process: _Process, line: Line) -> Iterator[Step]:
    yield "HandshakeIsAnswered", (process.name, process.connection(line), line["end"]), {"epochFile": _file(line)}


def _send(process: _Process, line: Line) -> Iterator[Step]:
    begins, ends = line["offset"], line["offset"] + line["size"]
    said = (process.name, process.connection(line), begins, ends, line["epoch"], line["start"], line["confirm"])
    yield "DataIsSent", said, {}


def _epochs(process: _Process, line: Line) -> Iterator[Step]:
    state = {"epochFile": _file(line)}
    if line["what"] == "appendEntry":
        copied = line["thread"].startswith(_OF_SLAVE)
        said = (process.name, *line["entry"], line["done"])
        yield "EntryIsCopied" if copied else "EntryIsWritten", said, state
    elif line["what"] == "initCacheFromFile":
        yield "FileIsRead", (process.name,), state
    elif line["what"] == "truncateSuffixByEpoch":
        yield "FileIsCutFromEpoch", (process.name, line["from"]), state
    elif line.get("in") == "hear":
        yield "FileIsCutToAnswer", (process.name, line["from"]), state
    else:
        yield "FileIsCutFromOffset", (process.name, line["from"]), state


def _report(process: _Process, line: Line) -> Iterator[Step]:
    if line["result"]:
        yield "OffsetIsReported", (process.name, line["offset"]), {}


def _file(line: Line) -> list[dict[str, int]]:
    return as_value(tuple((epoch, start) for epoch, start in line["file"]))


def _nothing(process: _Process, line: Line) -> Iterator[Step]:
    return iter(())


def _of_broker(action: str, *names: str) -> Callable[[_Process, Line], Iterator[Step]]:
    def told(process: _Process, line: Line) -> Iterator[Step]:
        yield action, (process.name, *(line[name] for name in names)), {}

    return told


def _of_connection(action: str, *names: str) -> Callable[[_Process, Line], Iterator[Step]]:
    def told(process: _Process, line: Line) -> Iterator[Step]:
        yield action, (process.name, process.connection(line), *(line[name] for name in names)), {}

    return told


def _named(process: _Process, line: Line) -> Iterator[Step]:
    yield "SlaveIsNamed", (process.name, process.connection(line), broker(str(line["value"]))), {}


_STEPS: Mapping[str, Callable[[_Process, Line], Iterator[Step]]] = {
    "start": _of_broker("TracedStarts"),
    "load": _of_broker("LogIsRecovered", "end", "confirm"),
    "identity": _nothing,
    "master": _role,
    "slave": _role,
    "set": lambda process, line: iter([("TracedLearnsSet", (process.name, _members(line["members"])), {})]),
    "mark": _mark,
    "propose": lambda process, line: iter(
        [("SetIsProposed", (process.name, _members(line["members"]), line["epoch"], line["number"]), {})]
    ),
    "put": lambda process, line: iter(
        [("MessageIsAppended", (process.name, line["offset"], line["offset"] + line["size"], line["crc"]), {})]
    ),
    "wake": _wake,
    "answer": _answer,
    "confirm": _confirm,
    "cut": _cut,
    "copy": _copy,
    "examine": _of_broker("LogIsLookedThrough", "cut"),
    "opened": _of_connection("ConnectionOpens"),
    "closed": _of_connection("ConnectionCloses"),
    "closedAll": _of_broker("AllConnectionsClose"),
    "named": _named,
    "ack": _of_connection("AckArrives", "value"),
    "tell": _tell,
    "send": _send,
    "connect": _nothing,
    "close": _of_broker("SlaveCloses"),
    "hear": _hear,
    "report": _report,
    "epochs": _epochs,
    "apply": _nothing,
}


# --- their order ------------------------------------------------------------------------------------------------------


def _in_order(streams: Mapping[tuple[str, str], Sequence[_Timed]]) -> list[Event]:
    """With the name of the last event of every other thread that was over when it began."""
    ends = {name: _Ends(timed) for name, timed in streams.items()}
    found: list[Event] = []
    needed: set[str] = set()
    for name, timed in streams.items():
        before: dict[tuple[str, str], int] = {}
        for each in timed:
            wanted = []
            for other, known in ends.items():
                last = known.last_before(each.low) if other != name else -1
                if last > before.get(other, -1):
                    before[other] = last
                    wanted.append(_place(other, last))
            needed.update(wanted)
            found.append(replace(each.event, stream=name[1], received=tuple(wanted), clock=each.high / 1e9))
    places = iter(_place(name, number) for name, timed in streams.items() for number in range(len(timed)))
    return [
        replace(event, sent=(place,) if place in needed else ()) for event, place in zip(found, places, strict=True)
    ]


def _in_rows(threads: Sequence[Sequence[_Timed]]) -> list[list[_Timed]]:
    """Threads that come one after another are one: a long run has many, of connections and processes, and few at a
    time."""
    rows: list[list[_Timed]] = []
    free: list[tuple[int, int]] = []
    spans = [(min(each.low for each in timed), max(each.high for each in timed)) for timed in threads]
    for number in sorted(range(len(threads)), key=lambda number: spans[number]):
        low, high = spans[number]
        if free and free[0][0] < low:
            _, row = heappop(free)
            rows[row] += threads[number]
        else:
            row = len(rows)
            rows.append(list(threads[number]))
        heappush(free, (high, row))
    return rows


def _place(stream: tuple[str, str], number: int) -> str:
    return f"{stream[1]} {number}"


class _Ends:
    """When the steps of a thread were over."""

    def __init__(self, timed: Sequence[_Timed]) -> None:
        by_end = sorted(range(len(timed)), key=lambda number: timed[number].high)
        self._ends = [timed[number].high for number in by_end]
        self._last = list(accumulate(by_end, max))

    def last_before(self, time: int) -> int:
        """The last step that was over before; -1: none."""
        count = bisect_left(self._ends, time)
        return self._last[count - 1] if count else -1


# --- constants --------------------------------------------------------------------------------------------------------

_OFFSETS = {
    "LogIsRecovered": (1, 2), "SlaveIsMarked": (2,), "MessageIsAppended": (1, 2), "CopiesAreEnough": (1,),
    "ProducerIsTold": (1,), "ProducerIsNotTold": (1,), "MasterConfirms": (1,), "ConfirmIsCut": (1,),
    "ConfirmIsComputed": (1,), "OvertakenConfirmIsSet": (1,),
    "HandshakeIsAnswered": (2,), "DataIsSent": (2, 3, 5, 6), "AckArrives": (2,), "AnswerIsHeard": (1,),
    "LogIsCutToAnswer": (1,), "LogIsCutToMessage": (1,), "LogIsLookedThrough": (1,), "EntryIsCopied": (2,),
    "BytesAreCopied": (1, 2), "MessageIsThere": (1, 2), "SlaveConfirms": (1,), "OffsetIsReported": (1,),
    "EntryIsWritten": (2,), "FileIsCutFromOffset": (1,), "FileIsCutToAnswer": (1,),
}  # fmt: skip
"""Which arguments are offsets."""


def _constants(events: Sequence[Event], sums: set[int]) -> dict[str, Any]:
    brokers = {event.node for event in events} - {CONTROLLER}
    offsets: set[int] = set()
    lines: set[int] = set()
    elections = alters = 0
    for event in events:
        said = event.arguments if isinstance(event.arguments, tuple) else ()
        elections += event.action in ("TracedElects", "TracedElectsNobody")
        alters += event.action == "TracedStores"
        brokers |= {each for each in said if isinstance(each, str)}
        offsets |= {said[place] for place in _OFFSETS.get(event.action or "", ())}
        if event.action == "ConnectionOpens":
            lines.add(said[1])
    return {
        "Broker": sorted(brokers),
        "FirstId": min(brokers, default="b1"),
        "Ends": sorted(offsets - {-1} | {0}),
        "Lines": sorted(lines | {1}),
        "Sums": sorted(sums | {0}),
        "MaxEpoch": elections + 2,
        "MaxAlters": alters + 2,
    }
