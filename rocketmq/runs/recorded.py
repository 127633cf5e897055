"""Logs of a real cluster's whole run as events of spec/core/RecordedRun.tla: decisions, roles, SyncStateSets, epoch
files, handshakes and truncations, with offsets in bytes.

Read are controller.log, broker.log and store.log of 5.1.1 to 5.5.1, epoch files as they are at the end
(`epochFileCheckpoint`), and what the controller answered at the end (`admin.json`). The lines of one file are in order;
a line comes after the one that tells of what it needs; and nothing that a process wrote comes after the start of the
next one. An entry that is first seen in an epoch file was learned from a master, between the last look at that file and
this one.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event, Origin, RunError
from rmqproof.conformance.runs.mapping import ALL, RunMapping
from rmqproof.rocketmq.epoch_files import EpochError, read_epochs
from rmqproof.rocketmq.logs import ANSWERS, CONTROLLER, EPOCHS, RAFT, LogLine, applied_once, log_of, node_of, whole_logs
from rmqproof.rocketmq.runs.recorded_lines import (
    END,
    HEARTBEATS,
    LEARNED,
    STARTS,
    VIEWS,
    Told,
    as_value,
    broker,
    told_by,
)

_HIDDEN = frozenset(("HeartbeatIsOld", "HeartbeatIsRecent"))
_REPEATED = frozenset(("BrokerExpires", "BrokerRegisters", "AnotherControllerLeads"))
"""Lines that are also written where nothing of the model changes."""
_OFFSETS = {"LogIsExamined": (1, 2), "EpochBegins": (2,), "MasterAnswersHandshake": (1,), "SlaveHearsAnswer": (1,),
            "SlaveTruncates": (1, 2), "SlaveReports": (1,), "SlaveIsCaughtUp": (2, 3, 5)}  # fmt: skip
"""Which arguments are offsets."""
_CUTS = ("SlaveTruncates", "SlaveCutsNothing")


@dataclass(slots=True)
class _Line:
    """`life`: of which process of its node it is, counted from the last one, 0; 1: of none, it is what is left.
    `early`: the start of that process is not in the log."""

    life: int
    told: Told
    line: LogLine
    early: bool = False


@dataclass(slots=True)
class _Node:
    name: str
    lines: list[_Line] = field(default_factory=list)


def read_recorded(paths: Sequence[Path], constants: Mapping[str, Any] | None = None) -> tuple[list[Event], RunMapping]:
    """The events of these files, and the mapping for them. `constants` win. Raise `RunError`."""
    nodes, controllers = _nodes([path for path in paths if path.name not in (EPOCHS, ANSWERS)])
    for path in paths:
        if path.name in (EPOCHS, ANSWERS):
            _read_end(nodes, path)
    if controllers > 1:  # each has a table of its own: nothing is said of any
        for node in nodes.values():
            node.lines = [each for each in node.lines if each.told.action not in HEARTBEATS]
    events = [event for node in nodes.values() for event in _events(node, controllers > 1)]
    hidden, doubt = _hidden(controllers > 1), _doubt(nodes)
    mapping = RunMapping(state=dict(VIEWS), logged=frozenset((ALL,)), hidden=hidden, doubt=doubt)
    return events, replace(mapping, constants={**_constants(events), **(constants or {})})


def begins_with_processes(paths: Sequence[Path]) -> bool:
    """Whether these are logs of a controller and brokers from the start of their processes and the first election."""
    try:
        events, _ = read_recorded(paths)
    except (RunError, OSError):
        return False
    firsts = {event.node: event for event in reversed(events) if event.node != CONTROLLER}
    first = next((event for event in events if event.action == "ControllerElects"), None)
    return (
        bool(firsts)
        and all(event.action == "ProcessStarts" for event in firsts.values())
        and first is not None
        and first.state.get("masterEpoch") == 1
    )


def _hidden(several: bool) -> frozenset[str]:
    return _HIDDEN | ({"BrokerRegisters"} if several else set())


def _nodes(paths: Sequence[Path]) -> tuple[dict[str, _Node], int]:
    """By name, and how many files of controllers tell of something."""
    found: dict[str, _Node] = {}
    controllers = 0
    read = applied_once(whole_logs(paths))
    sets = {line.broker_set for _, node, lines in read if node != CONTROLLER for line in lines if line.broker_set}
    for path, name, lines in read:
        node = found.setdefault(name, _Node(name))
        before = len(node.lines)
        if name == CONTROLLER:
            _not_cleaned(lines, sets)
        for each in _lines_of(path, name, lines):
            if name != CONTROLLER or not sets or each.line.broker_set in {"", *sets}:
                node.lines.append(each)
        controllers += name == CONTROLLER and any(
            each.told.action == "ControllerElects" for each in node.lines[before:]
        )
    return found, controllers


def _not_cleaned(lines: Sequence[LogLine], sets: Collection[str]) -> None:
    """Raise `RunError` for what an administrator does and RecordedRun does not have."""
    for line in lines:
        if "events=[CleanBrokerDataEvent{" in line.message and (not sets or line.broker_set in sets):
            raise RunError(
                f"{line.origin}: an administrator has cleaned metadata of {line.broker_set}, and recorded runs are "
                "judged without cleanings. Take the logs up to there, or those of what came after it."
            )


def _lines_of(path: Path, name: str, lines: Sequence[LogLine]) -> Iterator[_Line]:
    kinds = STARTS.get(log_of(path).name, ()) if name != CONTROLLER else ()
    each = ([bool(start.search(line.message)) for line in lines] for start in kinds)
    starts = next((found for found in each if any(found)), [False] * len(lines))
    life = earliest = -sum(starts)
    for line, begins in zip(lines, starts, strict=True):
        if begins:
            life += 1
            if log_of(path).name == "broker":
                yield _Line(life, Told("ProcessStarts", (name,), tells=(f"{name} starts",)), line)
            continue
        told = told_by(line.message, name, name == CONTROLLER)
        if told is not None:
            yield _Line(life, told, line, bool(kinds) and life == earliest)


def _doubt(nodes: Mapping[str, _Node]) -> str:
    """Where the logs begin later than what they are held to."""
    early = [each.line for node in nodes.values() for each in node.lines if each.early]
    elections = [each for node in nodes.values() for each in node.lines if "masterEpoch" in each.told.state]
    if elections and min(each.told.state["masterEpoch"] for each in elections) > 1:
        early.append(min(elections, key=lambda each: int(each.told.state["masterEpoch"])).line)
    if not early:
        return ""
    return (
        f"At {early[0].origin} something is told that had begun before the logs do, and a recorded run is judged from "
        "the first start of every process and the first election: this may be all that is wrong. Give what was rolled "
        "over, too (otherdays/*.log.gz); --mapping rocketmq tells epochs from where the logs begin."
    )


def _read_end(nodes: dict[str, _Node], path: Path) -> None:
    """What is there when all is over. Raise `RunError`."""
    text = path.read_text(encoding="utf-8")
    try:
        if path.name == EPOCHS:
            name = node_of(path, ())
            file = tuple((entry.epoch, entry.start) for entry in read_epochs(str(path)).entries)
            told = Told(None, (), {"epochFile": as_value(file)}, END, file=file)
        else:
            name, answers = CONTROLLER, json.loads(text)
            members = {"#set": [broker(str(each)) for each in answers["syncStateSet"]]}
            master = "none" if answers["master"] is None else broker(str(answers["master"]))
            told = Told(None, (), {"master": master, "sss": members}, END)
    except EpochError as error:
        raise RunError(str(error)) from None
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{path}: this is not what `rmqproof rocketmq chaos` writes: {error!r}.") from None
    node = nodes.setdefault(name, _Node(name))
    clock = max((each.line.clock for each in node.lines), default=0.0)
    node.lines.append(_Line(1, told, LogLine(Origin(str(path), 1), clock, "", "", text.strip())))


# --- events ----------------------------------------------------------------------------------------------------------


def _events(node: _Node, several: bool) -> list[Event]:
    """Of a node; `several` controllers: a heartbeat is recent where any of them has heard it."""
    found: list[Event] = []
    lives: list[int] = []
    end: int | None = None
    for each in sorted(_with_learned(node), key=lambda each: each.life):
        told = each.told
        end = told.end if told.file is not None and told.action is None else end
        arguments = told.arguments if told.action != "SlaveTruncates" else (node.name, end, told.arguments[2])
        after, tells = (_local(node, each.life, names) for names in (told.after, told.tells))
        stream = (
            told.stream
            or (RAFT if each.line.entry is not None else "")
            or (log.name if (log := log_of(Path(each.line.origin.file))) and node.name != CONTROLLER else str(log))
        )
        unlogged = tuple((_heard(name, several), said) for name, said in told.unlogged)
        found.append(
            Event(
                node.name, told.action, arguments, told.state, sent=tells, received=after, clock=each.line.clock,
                may_stutter=told.may_stutter or told.action in _REPEATED, stream=stream, unlogged=unlogged,
                origin=each.line.origin, text=each.line.text,
            )
        )  # fmt: skip
        lives.append(each.life)
    return _in_lives(node.name, found, lives)


def _heard(name: str, several: bool) -> str:
    return "BrokerRegisters" if several and name == "HeartbeatIsRecent" else name


def _local(node: _Node, life: int, names: Sequence[str]) -> tuple[str, ...]:
    """What a process tells of itself is of this process."""
    return tuple(f"{name} ({life})" if name.startswith(f"{node.name} ") else name for name in names)


def _with_learned(node: _Node) -> Iterator[_Line]:
    """With a step for each entry that a line shows first, between the lines that tell of its file."""
    known: set[tuple[int, int]] = set()
    cut: set[tuple[int, int]] = set()
    looks = 0
    for each in node.lines:
        told = each.told
        if told.action == "EpochBegins":
            known.add((told.arguments[1], told.arguments[2]))
        if told.file is None and told.action not in _CUTS:
            yield each
            continue
        before, now = f"file {node.name} {looks}", f"file {node.name} {looks + 1}"
        looks += 1
        learned = [entry for entry in told.file or () if entry not in known or entry in cut]
        for epoch, start in learned:
            said, last = (node.name, epoch), (epoch, start) == learned[-1]
            step = Told("SlaveLearnsEntry", said, stream=LEARNED, after=(before, f"entry {epoch}"),
                        tells=(f"learned {now}",) if last else (), may_stutter=(epoch, start) in known)  # fmt: skip
            yield _Line(each.life, step, each.line)
        known |= set(told.file or ())
        cut = {entry for entry in known if told.action == _CUTS[0] and entry[1] >= told.arguments[2]}
        waits = (f"learned {now}",) if learned else ()
        yield replace(each, told=replace(told, after=(*told.after, *waits), tells=(*told.tells, now)))


def _in_lives(name: str, events: Sequence[Event], lives: Sequence[int]) -> list[Event]:
    """No event of a process before one of an earlier process of its node, nor before its start. When an entry was
    learned only the looks at the file say."""
    last: dict[str, int] = {}
    met: dict[str, int] = {}
    ends: dict[int, list[str]] = defaultdict(list)
    needed: dict[int, list[str]] = defaultdict(list)
    for index, (event, life) in enumerate(zip(events, lives, strict=True)):
        if event.stream == LEARNED:
            continue
        if met.get(event.stream) != life:
            met[event.stream] = life
            needed[index].append(f"{name} starts ({life})")
            for other in last.values():
                if lives[other] < life:
                    ends[other].append(f"{name} end {other}")
                    needed[index].append(f"{name} end {other}")
        last[event.stream] = index
    return [
        replace(
            event,
            sent=tuple(dict.fromkeys((*event.sent, *ends[index]))),
            received=tuple(each for each in (*event.received, *needed[index]) if each not in event.sent),
        )
        for index, event in enumerate(events)
    ]


def _constants(events: Sequence[Event]) -> dict[str, Any]:
    brokers = {event.node for event in events} - {CONTROLLER}
    offsets: set[int] = set()
    elections = alters = 0
    for event in events:
        elections += event.action in ("ControllerElects", "ControllerElectsNobody")
        alters += event.action == "ControllerStores"
        said = event.arguments if isinstance(event.arguments, tuple) else ()
        brokers |= {each for each in said if isinstance(each, str)}
        offsets |= {said[place] for place in _OFFSETS.get(event.action or "", ()) if isinstance(said[place], int)}
    return {
        "Broker": sorted(brokers),
        "FirstId": min(brokers, default="b1"),
        "Ends": sorted(offsets - {-1} | {0}),
        "MaxEpoch": elections + 2,
        "MaxAlters": alters + 2,
    }
