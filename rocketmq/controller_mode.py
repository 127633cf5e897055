"""What a space-time diagram shows of `spec/core/ControllerMode.tla`: the controller and the brokers.

Variables and actions are those of the specification (see `spec/core/Cluster.tla`); an action that is not listed here is
drawn on the lane of the first broker among its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rmqproof.model.report.behaviour import Behaviour, Step, Value
from rmqproof.model.report.chart import Arrow, Cell, Lane, Legend, Life, Note, Strip, Tone
from rmqproof.model.report.messages import Message
from rmqproof.model.report.processes import Processes, State, function_at, same
from rmqproof.model.report.value import Notation, function_pairs, integer, is_record, sequence_elements, set_elements

CONTROLLER = "controller"
_NEEDED = {
    "controller": ("masterEpoch", "master", "sss", "sssEpoch", "alive"),
    "disk": ("log", "epochFile", "confirm"),
    "broker": ("role", "masterEpoch", "master", "sss", "pending"),
}
_LIFE = {
    "Master": Life.LEADING,
    "Slave": Life.PLAIN,
    "Fenced": Life.WAITING,
    "Promoting": Life.WAITING,
    "Labelled": Life.WAITING,
    "Down": Life.DOWN,
    "Lost": Life.DOWN,
}


@dataclass(frozen=True, slots=True)
class _Exchange:
    """Who acts, and who sends it a message in the same step; `link` is the broker that a slave copies from."""

    actor: str
    partner: str = ""
    label: str = ""


EXCHANGES = {
    "HeartbeatArrives": _Exchange(CONTROLLER, "first", "heartbeat"),
    "HeartbeatExpires": _Exchange(CONTROLLER),
    "BrokerRequestsElection": _Exchange(CONTROLLER, "first", "ElectMaster"),
    "AdministratorDesignatesMaster": _Exchange(CONTROLLER),
    "MetadataIsCleaned": _Exchange(CONTROLLER),
    "BecomeMaster": _Exchange("first", CONTROLLER, "role"),
    "RestartedBrokerIsElected": _Exchange("first", CONTROLLER, "elected"),
    "BecomeSlave": _Exchange("first", CONTROLLER, "role"),
    "LearnSyncStateSet": _Exchange("first", CONTROLLER, "SyncStateSet"),
    "SlaveConnectsAndTruncates": _Exchange("first", "link", "epoch file"),
    "SlaveAppendsBatch": _Exchange("first", "link", "batch"),
    "SlaveLearnsConfirmOffset": _Exchange("first", "link", "confirmOffset"),
    "MasterReceivesAck": _Exchange("link", "first", "ack"),
}
"""By action. Others are the controller's when their name begins so, else the first broker's that they name."""


def _exchange(action: str | None) -> _Exchange:
    name = action or ""
    return EXCHANGES.get(name, _Exchange(CONTROLLER if name.startswith("Controller") else "first"))


def is_controller_mode(behaviour: Behaviour) -> bool:
    """Whether these are behaviours of the protocol's specification: its variables, and in them what is drawn."""
    if not set(behaviour.variables) >= set(_NEEDED):
        return False
    state = behaviour.steps[0].state
    parts = {"controller": [state["controller"]]} | {
        name: [item for _, item in function_pairs(state[name]) or []] for name in ("disk", "broker")
    }
    return all(items and all(_has(item, _NEEDED[name]) for item in items) for name, items in parts.items())


def vocabulary(behaviour: Behaviour) -> Processes | None:
    """The processes, of a behaviour of the protocol (the entry point that `rmqproof.model.report.diagram` asks)."""
    return ControllerMode(behaviour) if is_controller_mode(behaviour) else None


class ControllerMode:
    """The processes of the protocol."""

    def __init__(self, behaviour: Behaviour) -> None:
        self._notation = Notation(behaviour.origin.model_values)
        first = behaviour.steps[0].state
        self._brokers = [key for key, _ in function_pairs(first["broker"]) or [] if isinstance(key, str)]
        self._lanes = (Lane(CONTROLLER, "controller"), *(Lane(name, name, "broker") for name in self._brokers))

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return self._lanes

    def actor(self, before: Step, step: Step) -> str:
        exchange = _exchange(step.action)
        return self._who(exchange.actor, before, step) or CONTROLLER

    def exchanges(self, before: Step, step: Step) -> list[Arrow]:
        exchange = _exchange(step.action)
        actor, partner = self.actor(before, step), self._who(exchange.partner, before, step)
        if not partner or partner == actor:
            return []
        return [
            Arrow(partner, step.index, actor, step.index, self._label(exchange.label, actor, partner, before, step))
        ]

    def route(self, message: Message, sender: str, receiver: str) -> Arrow | None:
        source, label = sender, message.kind
        if message.variable == "requests":
            source, label = str(message.source), f"alter {self._notation.line(message.content['members'])}"
        elif message.variable == "notices":
            source, label = CONTROLLER, "notify"
        # A message that is handled is an argument of the action; an election makes older requests void.
        return Arrow(source, message.sent, receiver, message.ended, label, dropped=not message.named)

    def standing(self, lane: str, state: State) -> list[Note]:
        if lane == CONTROLLER:
            return [Note(self._election(state)), Note(self._controller_set(state))]
        return [Note(self._role(state, lane))]

    def notes(self, lane: str, before: Step, step: Step) -> list[Note]:
        if lane == CONTROLLER:
            return self._controller_notes(before.state, step.state)
        notes = self._broker_notes(lane, before.state, step.state)
        if step.action != "MasterReceivesAck":
            notes += self._ack_notes(lane, before.state, step.state)
        if lane == self.actor(before, step):
            notes += self._client_notes(before.state, step.state)
        return notes

    def strips(self, lane: str, state: State) -> tuple[Strip, ...]:
        if lane == CONTROLLER:
            decided = tuple(Cell(self._decision(event)) for event in sequence_elements(state.get("events")) or [])
            return (Strip("decided", decided),) if decided else ()
        disk = function_at(state["disk"], lane)
        if not isinstance(disk, dict):
            return ()
        acknowledged = {integer(item) for item in set_elements(state.get("history", {}).get("acked")) or []}
        log = tuple(_entry(entry, acknowledged) for entry in sequence_elements(disk.get("log")) or [])
        file = tuple(
            Cell(f"{entry['epoch']}@{entry['start']}", integer(entry["epoch"]) or 0)
            for entry in sequence_elements(disk.get("epochFile")) or []
        )
        confirm = integer(disk.get("confirm"))
        strips = [Strip("log", log, confirm if log or confirm else None), Strip("epochs", file)]
        residue = tuple(_entry(entry, set()) for entry in sequence_elements(disk.get("residue")) or [])
        return (*strips, Strip("residue", residue)) if residue else tuple(strips)

    def life(self, lane: str, state: State) -> Life:
        return _LIFE.get(self._field(state, lane, "role"), Life.PLAIN) if lane != CONTROLLER else Life.PLAIN

    def legend(self, behaviour: Behaviour) -> Legend:
        epochs = max(
            (cell.shade for step in behaviour.steps for lane in self._brokers for strip in self.strips(lane, step.state)
             for cell in strip.cells),
            default=0,
        )  # fmt: skip
        shades = tuple(Cell(f"epoch {epoch}", epoch) for epoch in range(1, epochs + 1))
        lines = (
            "log: message ids, ✓ acknowledged, ▌ confirmOffset",
            "epochs: epoch@start",
            "thick lane: master",
        )
        return Legend(shades, lines)

    def _label(self, label: str, actor: str, partner: str, before: Step, step: Step) -> str:
        if label == "ack":
            connection = function_at(function_at(step.state.get("connection"), actor), partner)
            return f"ack {connection['ack']}" if isinstance(connection, dict) else label
        if label == "batch":
            was, now = self._log(before.state, actor), self._log(step.state, actor)
            return " ".join([label, *(str(entry["id"]) for entry in now[len(was) :])])
        return label

    def _log(self, state: State, lane: str) -> list[Value]:
        disk = function_at(state["disk"], lane)
        return sequence_elements(disk.get("log")) or [] if isinstance(disk, dict) else []

    def _who(self, role: str, before: Step, step: Step) -> str:
        if role in ("", CONTROLLER):
            return role
        named = [argument.get("from") if is_record(argument) else argument for argument in step.arguments]
        first = next((argument for argument in named if argument in self._brokers), "")
        if role == "first" or not first:
            return str(first)
        for state in (step.state, before.state):
            master = function_at(state.get("link"), str(first))
            if master in self._brokers:
                return str(master)
        return ""

    def _controller_notes(self, before: State, after: State) -> list[Note]:
        old, new = before["controller"], after["controller"]
        notes = []
        if not same([old["masterEpoch"], old["master"]], [new["masterEpoch"], new["master"]]):
            notes.append(Note(self._election(after)))
        if not same([old["sss"], old["sssEpoch"]], [new["sss"], new["sssEpoch"]]):
            notes.append(Note(self._controller_set(after)))
        if not same(old["alive"], new["alive"]):
            notes.append(Note(f"alive {self._notation.line(new['alive'])}"))
        return notes

    def _broker_notes(self, lane: str, before: State, after: State) -> list[Note]:
        old, new = function_at(before["broker"], lane) or {}, function_at(after["broker"], lane) or {}
        notes = []
        if not same(_pick(old, "role", "masterEpoch", "master"), _pick(new, "role", "masterEpoch", "master")):
            notes.append(Note(self._role(after, lane)))
        if not same(old.get("sss"), new.get("sss")) and set_elements(new.get("sss")):
            notes.append(Note(f"SyncStateSet {self._notation.line(new['sss'])} ({new.get('sssEpoch')})"))
        if not same(old.get("pending"), new.get("pending")) and set_elements(new.get("pending")):
            notes.append(Note(f"pending {self._notation.line(new['pending'])}"))
        notes += self._disk_notes(function_at(before["disk"], lane) or {}, function_at(after["disk"], lane) or {})
        return notes

    def _ack_notes(self, lane: str, before: State, after: State) -> list[Note]:
        notes = []
        old_links = function_at(before.get("connection"), lane)
        for slave, connection in function_pairs(function_at(after.get("connection"), lane) or {}) or []:
            was = function_at(old_links, slave) or {}
            if (integer(connection.get("ack")) or 0) > max(integer(was.get("ack")) or 0, 0):
                notes.append(Note(f"{slave} has acknowledged {connection['ack']}"))
        return notes

    def _disk_notes(self, old: Value, new: Value) -> list[Note]:
        was, now = sequence_elements(old.get("log")) or [], sequence_elements(new.get("log")) or []
        notes = []
        cut = [entry for entry in was if not any(same(entry, other) for other in now)]
        if cut:
            gone = ", ".join(str(entry.get("id")) for entry in cut)
            notes.append(Note(f"loses {gone}", Tone.FAULT))
        if not same(old.get("flushed"), new.get("flushed")) and integer(new.get("flushed")) != len(now):
            notes.append(Note(f"flushed {new.get('flushed')} of {len(now)}"))
        return notes

    def _client_notes(self, before: State, after: State) -> list[Note]:
        notes = []
        for name, words, tone in (("acked", "✓ acknowledged", Tone.GOOD), ("consumed", "consumer reads", Tone.GOOD)):
            old = set_elements(before.get("history", {}).get(name)) or []
            new = set_elements(after.get("history", {}).get(name)) or []
            added = [item for item in new if not any(same(item, other) for other in old)]
            if added:
                notes.append(Note(f"{words} {', '.join(map(self._notation.line, added))}", tone))
        return notes

    def _election(self, state: State) -> str:
        controller = state["controller"]
        return f"epoch {controller['masterEpoch']}: master {self._notation.line(controller['master'])}"

    def _controller_set(self, state: State) -> str:
        controller = state["controller"]
        return f"SyncStateSet {self._notation.line(controller['sss'])} ({controller['sssEpoch']})"

    def _role(self, state: State, lane: str) -> str:
        role, epoch = self._field(state, lane, "role"), self._field(state, lane, "masterEpoch")
        master = self._field(state, lane, "master")
        if role == "Slave":
            return f"Slave of {master}, epoch {epoch}"
        return f"{role}, epoch {epoch}" if role in ("Master", "Promoting", "Labelled") else str(role)

    def _decision(self, event: Value) -> str:
        if event.get("type") == "ElectMaster":
            return f"elect {self._notation.line(event['master'])}"
        return f"set {self._notation.line(event['members'])}"

    def _field(self, state: State, lane: str, name: str) -> Value:
        broker = function_at(state["broker"], lane)
        return broker.get(name, "") if isinstance(broker, dict) else ""


def _entry(entry: Value, acknowledged: Iterable[int | None]) -> Cell:
    number = integer(entry.get("id"))
    return Cell(str(number), integer(entry.get("epoch")) or 0, number in acknowledged)


def _has(record: Value, names: tuple[str, ...]) -> bool:
    return is_record(record) and all(name in record for name in names)


def _pick(record: Value, *names: str) -> list[Value]:
    return [record.get(name, "") for name in names]
