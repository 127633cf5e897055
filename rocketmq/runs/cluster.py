"""The traces of `rmqproof cluster` and `rmqproof chaos` as runs of spec/core/ControllerMode.tla.

What a running cluster does in more steps than the model, or writes down later than the model knows it:

- The first heartbeats: the model starts with every broker alive, a cluster with none. A fail-over of the controller
  stands before everything.
- RestartedBrokerIsElected is the controller's line; the broker's line, when the answer arrives, is a look at its state.
  Where the answer is lost the controller's line is an election that the broker knows nothing of.
- The ends of a connection notice at different times that it is there or gone, so only the lines of the side that acts
  speak about it.
- A handshake that is interrupted has been noticed by the master perhaps, and in the model it was not.
- The bytes of messages decide how many are in a batch, in the model the number. A batch is steps with batch sizes that
  together are its own.
- A broker forgets a producer whose put has timed out; in the model that producer waits for ever.
- Steps that a running broker repeats without a change (a read, an acknowledgement) may have changed nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeGuard

from rmqproof.conformance.runs.event import Accesses, Arguments, Event, GrowingList, Offset, Origin, RunError, Symbol
from rmqproof.conformance.runs.mapping import ALL, RunMapping
from rmqproof.conformance.runs.packed import PackedEvents
from rmqproof.conformance.runs.reading import Sharing, each_event, event_of
from rmqproof.model.evaluate.itf import from_itf
from rmqproof.model.evaluate.values import Value
from rmqproof.rocketmq.runs.demands import as_repaired
from rmqproof.rocketmq.runs.independence import Independence, unlogged_before

CONTROLLER = "controller"
_VIEWS = {
    "controller": "controller",
    "broker": "broker[node]",
    "disk.logEnd": "Len(disk[node].log)",
    "disk.lastEntry": "IF disk[node].log = <<>> THEN <<>> ELSE disk[node].log[Len(disk[node].log)]",
    "disk.flushed": "disk[node].flushed",
    "disk.epochFile": "disk[node].epochFile",
    "disk.confirm": "disk[node].confirm",
    "link": "link[node]",
    "connection": "connection[node]",
}
_NOBODY = "NoBroker"
_LINES = RunMapping(values={_NOBODY: "none"}, state=_VIEWS)
_HIDDEN = frozenset(("ConnectionBreaks", "MasterNoticesLostConnection"))
_REPEATED = frozenset(
    ("ConsumerReads", "MasterReceivesAck", "ControllerRejectsAlter", "ConnectionBreaks", "SlaveLearnsConfirmOffset")
)
_SIZES = (64, 8)
_WITHOUT_OFFSETS = frozenset(("ProcessCrashes", "DiskIsLost"))
_ELECTIONS = (
    *("ControllerElectsMaster", "ControllerFindsNoMaster", "BrokerRequestsElection", "RestartedBrokerIsElected"),
    "AdministratorDesignatesMaster",
)
_BUDGETS: Mapping[str, tuple[tuple[str, ...], int]] = {
    "MaxPuts": (("AppendPut",), 0),
    "MaxEpoch": (_ELECTIONS, 1),
    "MaxAlters": (("ProposeExpand", "ProposeShrink"), 0),
    "MaxCrashes": (("ProcessCrashes",), 0),
    "MaxLosses": (("MachineCrashes",), 1),
    "MaxLostDisks": (("DiskIsLost",), 0),
    "MaxExpiries": (("HeartbeatExpires",), 0),
    "MaxBreaks": (("ConnectionBreaks",), 4),
    "MaxDesignations": (("AdministratorDesignatesMaster",), 0),
    "MaxFailOvers": (("ControllerFailsOver",), 0),
    "MaxCleans": (("MetadataIsCleaned",), 0),
    "MaxReads": (("ConsumerReads",), 0),
}
"""Budgets of the model: of which events, and how many more."""


def read_cluster(
    paths: Sequence[Path], constants: Mapping[str, Any] | None = None
) -> tuple[Sequence[Event], RunMapping]:
    """The events of these traces, and the mapping for them, with constants that fit the run.

    `constants` win over those. Raise `RunError` for what cannot be read.
    """
    events, sharing, interrupted, counts = PackedEvents(), Sharing(), _Interrupted(), Counter[str]()
    files = _EpochFiles()
    nodes: set[str] = set()
    first: Event | None = None
    for line in each_event(paths, _LINES):
        event = _event(line, files)
        stutters = interrupted.by(line) or event.may_stutter
        events.append(replace(event, state=sharing.of(event.node, event.state), may_stutter=stutters))
        counts.update(filter(None, (event.action,)))
        nodes.add(event.node)
        if first is None or (event.clock or 0) < (first.clock or 0):
            first = event
    if first is not None:
        events.append(_without_heartbeats(first))
        counts["ControllerFailsOver"] += 1
    fitting = {**_constants(sorted(nodes - {CONTROLLER}), counts), **(constants or {})}
    return events, RunMapping(state=dict(_VIEWS), logged=frozenset((ALL,)), hidden=_HIDDEN, constants=fitting)


def with_text(event: Event, text: str, before: Event | None) -> Event:
    """An event as it would be if its line were this text; `before` is the last one of its node that tells of a disk.
    Raise `RunError`."""
    files = _EpochFiles()
    if before is not None:
        files.begin(event.node, before.state["disk.epochFile"])
    return replace(
        _event(event_of(text, event.origin, _LINES), files), may_stutter=event.may_stutter, clock=event.clock
    )


class _Interrupted:
    """The lines with which a master loses a connection that nothing was acknowledged on: perhaps its slave had not
    heard the answer to its handshake, and in the model it never was."""

    def __init__(self) -> None:
        self._acks: dict[str, dict[str, int]] = {}

    def by(self, line: Event) -> bool:
        """Whether this is one, of lines in the order of their nodes."""
        named = line.arguments if isinstance(line.arguments, tuple) else ()
        lost = line.action == "MasterNoticesLostConnection" and named
        found = bool(lost) and self._acks.get(line.node, {}).get(str(named[-1]), -1) < 0
        connection = line.state.get("connection")
        if isinstance(connection, Mapping):
            self._acks[line.node] = {name: end["ack"] for name, end in connection["#map"]}
        return found


class _EpochFiles:
    """The epoch files of lines with their starts as offsets. They grow with the run, and mostly a node's line has that
    of its last one, in the same object."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[Any, GrowingList | list[Any]]] = {}
        self._entries: dict[tuple[int, int], tuple[dict[str, Any], Value]] = {}

    def begin(self, node: str, file: GrowingList | list[Any]) -> None:
        self._last[node] = None, file

    def of(self, line: Event) -> GrowingList | list[Any]:
        """A list where entries are not known: it is compared with whole states."""
        file, last = line.state["disk.epochFile"], self._last.get(line.node)
        if last is None or last[0] is not file:
            last = self._last[line.node] = file, self._read(file, last[1] if last is not None else [], line)
        return last[1]

    def _read(self, file: Any, before: GrowingList | list[Any], line: Event) -> GrowingList | list[Any]:
        kept: GrowingList | list[Any] = GrowingList([], ())
        count = 0
        if isinstance(file, dict):
            # as in the node's line before, up to so many entries
            kept, said, file = before, file.get("kept"), file.get("then", [])
            if type(said) is not int or not 0 <= said <= len(before) or not isinstance(file, list):
                raise RunError(f"{line.origin}: {said} entries of the epoch file are kept, of {len(before)}.")
            count = said
            if count == len(before) and not file:
                return before
        if isinstance(kept, list) or not all(map(_is_entry, file)):
            items = kept if isinstance(kept, list) else kept.items
            return [*items[:count], *map(_with_offset, file)]
        found = list(map(self._entry, file))
        items = [*kept.items[:count], *(item for item, _ in found)]
        return GrowingList(items, (*kept.values[:count], *(value for _, value in found)))

    def _entry(self, entry: dict[str, Any]) -> tuple[dict[str, Any], Value]:
        key = entry["epoch"], entry["start"]
        if key not in self._entries:
            self._entries[key] = _with_offset(entry), from_itf(entry, ())
        return self._entries[key]


def _is_entry(entry: Any) -> bool:
    return (
        isinstance(entry, dict) and entry.keys() == {"epoch", "start"} and all(type(n) is int for n in entry.values())
    )


def _with_offset(entry: Any) -> Any:
    return {**entry, "start": Offset(entry["start"])} if isinstance(entry, dict) and "start" in entry else entry


def _event(line: Event, files: _EpochFiles) -> Event:
    event = _meant(line, files)
    first, *_ = event.steps or ((None, ()),)
    return replace(
        event,
        unlogged=unlogged_before(first[0], first[1], event.node) if _named(first[1]) else None,
        lowest=0 if isinstance(event.state.get("disk.epochFile"), list) else _lowest(line),
        facts={name: value for name, value in line.state.items() if name != "disk.epochFile"},
        parts=_parts(_ids(line)),
    )


@dataclass(slots=True)
class Survey:
    """What is in a run: its nodes, how many heartbeats expire, whether consumers read, the names of the messages that
    are acknowledged."""

    nodes: set[str] = field(default_factory=set)
    expired: int = 0
    read: bool = False
    acknowledged: set[str] = field(default_factory=set)


def survey(events: Iterable[Event]) -> Survey:
    found = Survey()
    for event in events:
        found.nodes.add(event.node)
        found.expired += event.action == "HeartbeatExpires"
        found.read = found.read or event.action == "ConsumerReads"
        for action, said in event.steps:
            if action == "AcknowledgePut" and isinstance(said, tuple):
                found.acknowledged.update(argument.name for argument in said if isinstance(argument, Symbol))
    return found


def accesses_of(
    events: Iterable[Event], independence: Independence, fitting: bool, repaired: bool
) -> list[Accesses | None]:
    """What these events touch, which are in the order of their nodes.

    `fitting`: the budget of heartbeats that expire is not used up by the run, so that a heartbeat can expire whether or
    not its broker runs. `repaired`: they are steps under the repaired rules.
    """
    found: list[Accesses | None] = []
    same: dict[Accesses | None, Accesses | None] = {}
    left = _Left()
    for event in events:
        before = left.by(event)
        # whom it leaves: the last master that it connected to, if any
        peer = before if event.action == "ConnectionBreaks" else _peer(event)
        whole = independence.accesses(None, (), event.node, None)
        for name, said in event.steps:
            part = independence.accesses(name, said, event.node, peer, before) if _named(said) else None
            whole = None if whole is None or part is None else whole | part
        whole = without_expiries(event, whole) if fitting else whole
        whole = as_repaired(event, whole) if repaired else whole
        found.append(same.setdefault(whole, whole))
    return found


class _Left:
    """The last master that a node was connected to before a line; None where the lines are not in order."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[int, str]] = {}

    def by(self, event: Event) -> str | None:
        number, link = self._last.get(event.node, (-1, "none"))
        in_order = event.sequence is not None and event.sequence > number
        after = str(event.facts.get("link")) if event.action == "SlaveConnectsAndTruncates" else link
        self._last[event.node] = (event.sequence if event.sequence is not None else number, after)
        return link if in_order else None


def without_expiries(event: Event, accesses: Accesses | None) -> Accesses | None:
    if event.action != "HeartbeatExpires" or accesses is None or not isinstance(event.arguments, tuple):
        return accesses
    return Accesses(accesses.reads - {f"role {name}" for name in event.arguments}, accesses.writes)


def _named(said: Arguments) -> TypeGuard[tuple[Any, ...]]:
    return isinstance(said, tuple)


def _peer(event: Event) -> str | None:
    """The master that a slave's step is about."""
    link = event.facts.get("link")
    return link if isinstance(link, str) else None


def _lowest(line: Event) -> int | None:
    """The smallest offset that a line's steps look at: where the log of its node or of a slave ends afterwards."""
    if line.action in _WITHOUT_OFFSETS or (line.action is None and not line.state) or line.node == CONTROLLER:
        return None
    found = [line.state.get(name) for name in ("disk.logEnd", "disk.flushed", "disk.confirm")]
    if line.action == "MachineCrashes" and isinstance(line.arguments, tuple):
        found = [line.arguments[1]]
    if isinstance(found[0], int):
        found.append(found[0] - _ids(line))
    connections = line.state.get("connection")
    if line.action == "AcknowledgePut" and not line.state:
        return None  # the message that is acknowledged is not folded
    if isinstance(connections, dict):
        found += [inside.get("ack") for _, inside in connections.get("#map", ()) if inside.get("ack") != -1]
    numbers = [number for number in found if isinstance(number, int)]
    return min(numbers) if len(numbers) == len(found) else 0


def _meant(line: Event, files: _EpochFiles) -> Event:
    ids = dict.fromkeys((*line.sent, f"{line.node}:{line.sequence}"))
    event = replace(line, sent=tuple(ids), state=_state(line, files), may_stutter=line.action in _REPEATED)
    action, arguments = event.action, event.arguments
    assert isinstance(arguments, tuple)
    if action == "MachineCrashes" and len(arguments) == 2 and isinstance(arguments[1], int):
        return replace(event, arguments=(arguments[0], Offset(arguments[1])))
    if action == "AcknowledgePut" and len(arguments) == 2:
        return replace(event, arguments=(arguments[0], Symbol(str(arguments[1]))))
    if action == "RestartedBrokerIsElected":
        if line.node != CONTROLLER:
            return replace(event, action=None, arguments=())
        return replace(event, alternatives=(("BrokerRequestsElection", (arguments[0], arguments[0])),))
    if action is None and _noticed(line):
        return replace(event, action="ConnectionBreaks", arguments=(line.node,), may_stutter=True)
    return event


def _noticed(line: Event) -> bool:
    return '"noticed":"ConnectionBreaks"' in line.text.replace(" ", "")


def _state(line: Event, files: _EpochFiles) -> dict[str, Any]:
    """What a line says, without what its node cannot know in time."""
    state = dict(line.state)
    if isinstance(state.get("broker"), dict):
        waiting = state["broker"].get("waiting", {"#set": []})["#set"]
        state["broker"] = {**state["broker"], "waiting": {"#has": [Symbol(str(name)) for name in waiting]}}
    last = state.get("disk.lastEntry")
    if isinstance(last, dict):
        state["disk.lastEntry"] = {**last, "id": Symbol(str(last["id"]))}
    for name in ("disk.logEnd", "disk.flushed", "disk.confirm"):
        if isinstance(state.get(name), int):
            state[name] = Offset(state[name])
    if state.get("disk.epochFile") is not None:
        state["disk.epochFile"] = files.of(line)
    if line.action != "SlaveConnectsAndTruncates":
        state.pop("link", None)
    connections = state.pop("connection", None)
    if line.action == "MasterReceivesAck" and isinstance(connections, dict) and isinstance(line.arguments, tuple):
        known = {name: inside for name, inside in connections.get("#map", ()) if name == line.arguments[0]}
        state["connection"] = {name: {"ack": _ack(inside["ack"])} for name, inside in known.items()}
    return state


def _ack(offset: Any) -> Any:
    """-1 is "none yet", and no offset."""
    return Offset(offset) if isinstance(offset, int) and offset >= 0 else offset


def _without_heartbeats(first: Event) -> Event:
    return Event(
        node=CONTROLLER,
        action="ControllerFailsOver",
        sequence=0,
        clock=(first.clock or 0) - 1,
        unlogged=(),
        origin=Origin(first.origin.file, 0),
        text="(before everything: no broker has sent a heartbeat yet)",
    )


def _constants(brokers: list[str], counts: Mapping[str, int]) -> dict[str, Any]:
    """`counts`: of the lines, by action."""
    fitting: dict[str, Any] = {
        "Broker": brokers,
        "NoBroker": "none",
        "FirstMaster": "none",
        "FirstSyncStateSet": [],
        "Learners": [],
        "AllAck": True,
        "InSyncReplicas": 1,
        "MinInSyncReplicas": 1,
        "UncleanElection": False,
        "BatchSize": 1,
        "FineSteps": True,
        "HalfOpen": True,
        "LateNotices": True,
        "ShowRejections": True,
        "TrackConfirm": True,
    }
    for name, (actions, more) in _BUDGETS.items():
        fitting[name] = sum(counts.get(action, 0) for action in actions) + more
    return fitting


def _parts(count: int) -> tuple[tuple[tuple[str, Any], ...], ...]:
    """Batches of these sizes, one after the other, are one of so many messages; few sizes, for each is a model."""
    found: list[tuple[tuple[str, Any], ...]] = []
    for size in _SIZES:
        found += [(("BatchSize", size),)] * (count // size)
        count %= size
    return (*found, *[()] * count) or ((),)


def _ids(event: Event) -> int:
    """How many messages a batch has, by its line's detail."""
    if event.action != "SlaveAppendsBatch" or '"ids"' not in event.text:
        return 0
    return len(json.loads(event.text).get("detail", {}).get("ids", []))
