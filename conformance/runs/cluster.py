"""The traces of `rmqproof cluster` and `rmqproof chaos` as runs of spec/ControllerMode.tla.

What a running cluster does in more steps than the model, or writes down later than the model knows it:

- The first heartbeats: the model starts with every broker alive, a cluster with none. A fail-over of the controller
  stands before everything.
- RestartedBrokerIsElected is the controller's line; the broker's line, when the answer arrives, is a look at its state.
  Where the answer is lost the controller's line is an election that the broker knows nothing of.
- The ends of a connection notice at different times that it is there or gone, so only the lines of the side that acts
  speak about it.
- Steps that a running broker repeats without a change (a read, an acknowledgement) may have changed nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event, Origin, Symbol
from rmqproof.conformance.runs.mapping import ALL, RunMapping
from rmqproof.conformance.runs.reading import read_runs

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
_HIDDEN = frozenset(("ConnectionBreaks", "MasterNoticesLostConnection"))
_REPEATED = frozenset(
    ("ConsumerReads", "MasterReceivesAck", "ControllerRejectsAlter", "ConnectionBreaks", "SlaveLearnsConfirmOffset")
)
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


def read_cluster(paths: Sequence[Path], constants: Mapping[str, Any] | None = None) -> tuple[list[Event], RunMapping]:
    """The events of these traces, and the mapping for them, with constants that fit the run.

    `constants` win over those. Raise `RunError` for what cannot be read.
    """
    lines = read_runs(paths, RunMapping(values={_NOBODY: "none"}, state=dict(_VIEWS)))
    events = [_event(line) for line in lines]
    if events:
        events.insert(0, _without_heartbeats(min(events, key=lambda event: event.clock or 0)))
    fitting = {**_constants(events), **(constants or {})}
    return events, RunMapping(state=dict(_VIEWS), logged=frozenset((ALL,)), hidden=_HIDDEN, constants=fitting)


def _event(line: Event) -> Event:
    ids = (*line.sent, f"{line.node}:{line.sequence}")
    event = replace(line, sent=ids, state=_state(line), may_stutter=line.action in _REPEATED)
    action, arguments = event.action, event.arguments
    assert isinstance(arguments, tuple)
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


def _state(line: Event) -> dict[str, Any]:
    """What a line says, without what its node cannot know in time."""
    state = dict(line.state)
    if isinstance(state.get("broker"), dict):
        waiting = state["broker"].get("waiting", {"#set": []})["#set"]
        state["broker"] = {**state["broker"], "waiting": {"#set": [Symbol(str(name)) for name in waiting]}}
    last = state.get("disk.lastEntry")
    if isinstance(last, dict):
        state["disk.lastEntry"] = {**last, "id": Symbol(str(last["id"]))}
    if line.action != "SlaveConnectsAndTruncates":
        state.pop("link", None)
    connections = state.pop("connection", None)
    if line.action == "MasterReceivesAck" and isinstance(connections, dict) and isinstance(line.arguments, tuple):
        known = {name: inside for name, inside in connections.get("#map", ()) if name == line.arguments[0]}
        state["connection"] = {name: {"ack": inside["ack"]} for name, inside in known.items()}
    return state


def _without_heartbeats(first: Event) -> Event:
    return Event(
        node=CONTROLLER,
        action="ControllerFailsOver",
        sequence=0,
        clock=(first.clock or 0) - 1,
        origin=Origin(first.origin.file, 0),
        text="(before everything: no broker has sent a heartbeat yet)",
    )


def _constants(events: Sequence[Event]) -> dict[str, Any]:
    counts = Counter(event.action for event in events if event.action is not None)
    brokers = sorted({event.node for event in events} - {CONTROLLER})
    batch = max((event.text.count('"ids"') and _ids(event) for event in events), default=1)
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
        "BatchSize": max(1, batch),
        "FineSteps": True,
        "HalfOpen": True,
        "LateNotices": True,
        "ShowRejections": True,
        "TrackConfirm": True,
    }
    for name, (actions, more) in _BUDGETS.items():
        fitting[name] = sum(counts[action] for action in actions) + more
    return fitting


def _ids(event: Event) -> int:
    """How many messages a batch has, by its line's detail."""
    found = json.loads(event.text).get("detail", {}).get("ids", [])
    return len(found) if event.action == "SlaveAppendsBatch" else 0
