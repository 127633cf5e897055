"""What a running cluster writes down about itself: one JSON object a line, one line a step of the protocol.

    {"node": "b2", "sequence": 17, "life": 1, "action": "SlaveAppendsBatch", "arguments": ["b2"],
     "received": ["ha49946-35212/m34"], "sent": ["b2:17"], "state": {...}, "detail": {...}, "at": 1763736000123}

`node` and `sequence`
    Name the event. `sequence` counts from 1 without gaps and goes on across restarts, so the lines of a node are
    totally ordered and a missing line shows. The replicated controller is one node named `controller`: every replica
    writes what it applied, `sequence` is the position in the replicated log, and equal lines of several replicas are
    the same event (`replica` says whose line it is; two lines that differ in more than `replica`, `life` and `at`
    mean that the replicas disagree).
`life`
    How often the process was started before.
`action`, `arguments`
    The step, as spec/core/ControllerMode.tla names it, with its parameters in the model's order. `null` is a step that
    changes nothing the model has, written because it sends or receives a message. Values are those of ITF JSON:
    brokers by name (`b<brokerId>`; nobody is `NoBroker`), sets as `{"#set": [...]}`, sequences as lists, records as
    objects. A message is the string id that its producer gave it; the model numbers messages in the order of their
    `AppendPut`.
`received`, `sent`
    Ids of protocol messages. An event comes after every event (and after every earlier event of its node) that has one
    of its `received` in `sent`. Every event sends the id `<node>:<sequence>`: requests and answers between brokers and
    controllers carry that of their sender's last event. HA packets have ids of their own (the ports of the connection,
    `s` or `m` for whose packet it is, its number). An id that nobody sent is of a message whose sending was not
    written down; it orders nothing.
`state`
    What the node knows afterwards, shaped as the model's variables restricted to the node; what is left out is not
    known. A broker has `broker`, `disk`, `link`, `connection` (a `#map` from slaves with an open connection to
    `{"open", "ack"}`), the controller has `controller`. Offsets are numbers of messages. Instead of the log, `disk` has
    `logEnd` (its length) and `lastEntry` (`{"id", "epoch"}`, or null when the log is empty). The epoch file, which
    grows with the run, can be said by what is new: `{"kept": 12, "then": [...]}` are the first 12 entries of the file
    in the node's line before, and these.
`detail`
    More for people and for searching, not part of the model: message ids of a batch, response codes, log positions in
    bytes.
`at`
    Milliseconds since 1970 by the node's own clock, for people. Nothing is ordered by it.

What is special to a running cluster:

- Every cluster starts with `FirstMaster = NoBroker`; the first line of a broker's first life is its initial state.
- `RestartedBrokerIsElected` is one step of the model and two here. The controller's line is the step; the broker writes
  a line with action null and `{"half": "RestartedBrokerIsElected"}` when the answer arrives. If the answer is lost,
  only the first exists, and another one follows.
- A batch, a confirmOffset or an acknowledgement describes what its sender had when it was sent, and may arrive after
  the sender has changed, even after its role or process ended.
- `link` of a slave and `connection` of a master show what that side knows. A slave that notices the end of its
  connection writes a line with action null and `{"noticed": "ConnectionBreaks"}`: the connection broke, or the master's
  end of it was over before.
- `ControllerFailsOver` is written when a new Raft leader forgets all heartbeats.

A crash cannot be written by the process that ends: `ProcessCrashes` and `MachineCrashes` are written by whoever ended
it, or by the next life before its `BrokerRestarts`. A step whose writes were done when the process ended, and whose
line was not written, gets its line from the next life, too; it says of `disk` what is known then, and nothing of
`broker`.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CONTROLLER = "controller"
NOBODY = "NoBroker"


def itf_set(members: Iterable[str]) -> dict[str, list[str]]:
    """A set of names as ITF JSON, in one order."""
    return {"#set": sorted(members)}


@dataclass(frozen=True)
class Event:
    """One line. The module's text says what the fields mean."""

    node: str
    sequence: int
    action: str | None
    arguments: tuple[Any, ...] = ()
    received: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)
    life: int = 0
    replica: str | None = None
    at: int = 0

    def line(self) -> str:
        """The JSON text, without line end; empty lists and objects are left out."""
        full: dict[str, Any] = {
            "node": self.node,
            "sequence": self.sequence,
            "life": self.life,
            "action": self.action,
            "arguments": list(self.arguments),
        }
        for name in ("received", "sent"):
            if getattr(self, name):
                full[name] = list(getattr(self, name))
        for name in ("state", "detail"):
            if getattr(self, name):
                full[name] = getattr(self, name)
        if self.replica is not None:
            full["replica"] = self.replica
        full["at"] = self.at
        return json.dumps(full, separators=(",", ":"))


def event_of_line(line: str) -> Event:
    """ValueError says what is wrong with the line."""
    try:
        found = json.loads(line)
    except json.JSONDecodeError as problem:
        raise ValueError(f"it is not JSON: {problem}") from None
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")
    _expect(found, "node", str)
    _expect(found, "sequence", int)
    action = found.get("action")
    if not (action is None or isinstance(action, str)):
        raise ValueError("action is neither a name nor null")
    for name in ("received", "sent"):
        if not all(isinstance(identity, str) for identity in _of_kind(found, name, list, [])):
            raise ValueError(f"{name} holds something that is not a message id")
    replica = found.get("replica")
    if not (replica is None or isinstance(replica, str)):
        raise ValueError("replica is not a name")
    return Event(
        node=found["node"],
        sequence=found["sequence"],
        action=action,
        arguments=tuple(_of_kind(found, "arguments", list, [])),
        received=tuple(_of_kind(found, "received", list, [])),
        sent=tuple(_of_kind(found, "sent", list, [])),
        state=_of_kind(found, "state", dict, {}),
        detail=_of_kind(found, "detail", dict, {}),
        life=_of_kind(found, "life", int, 0),
        replica=replica,
        at=_of_kind(found, "at", int, 0),
    )


def _expect(found: Mapping[str, Any], name: str, kind: type) -> None:
    if name not in found:
        raise ValueError(f"it has no {name}")
    _of_kind(found, name, kind, None)


def _of_kind(found: Mapping[str, Any], name: str, kind: type, default: Any) -> Any:
    value = found.get(name, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, not {'an' if kind is int else 'a'} {kind.__name__}")
    return value


class Trace:
    """A node's trace file, appended to across the lives of its process.

    One `write` a line, so that a killed process leaves whole lines; a torn last line (a machine crash) is cut when
    the file is opened again. Without a path nothing is written, and `write` costs one comparison.
    """

    def __init__(self, node: str, path: Path | None, replica: str | None = None) -> None:
        self.node = node
        self.replica = replica
        self.life = 0
        self.sequence = 0
        self.last_action: str | None = None
        self._descriptor: int | None = None
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._descriptor, whole)
        if whole:
            last = event_of_line(content[content.rfind(b"\n", 0, whole - 1) + 1 : whole].decode())
            self.life = last.life + 1
            self.sequence = last.sequence
            self.last_action = last.action

    @property
    def on(self) -> bool:
        return self._descriptor is not None

    def write(
        self,
        action: str | None,
        arguments: tuple[Any, ...] = (),
        *,
        received: Iterable[str] = (),
        sent: Iterable[str] = (),
        state: Mapping[str, Any] | None = None,
        detail: Mapping[str, Any] | None = None,
        sequence: int | None = None,
    ) -> None:
        """Append one event. `sequence` is given by the replicated controller only."""
        if self._descriptor is None:
            return
        self.sequence = self.sequence + 1 if sequence is None else sequence
        self.last_action = action
        event = Event(
            node=self.node,
            sequence=self.sequence,
            action=action,
            arguments=arguments,
            received=tuple(received),
            sent=(f"{self.node}:{self.sequence}", *sent),
            state=state or {},
            detail=detail or {},
            life=self.life,
            replica=self.replica,
            at=time.time_ns() // 1_000_000,
        )
        os.write(self._descriptor, event.line().encode() + b"\n")

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def events_in(path: Path) -> Iterator[Event]:
    """The events of a file in its order; ValueError names file and line of the first bad one."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield event_of_line(line)
            except ValueError as problem:
                raise ValueError(f"{path}:{number}: {problem}") from None
