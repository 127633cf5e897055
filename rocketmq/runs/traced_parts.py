"""Which parts of TracedRun's state an event's step reads and writes, so that few orders of a run are tried.

What an action reads and writes is taken from the specification (`model.actions.footprint`): by broker, by connection
and by field where the action says which, else of all. Said here is that a step which adds to the elections or to the
stored sets, and one that looks for a member of them, have to do with each other only where they mean the same epoch or
members; and so those that grant or tell of the end of a message. (A process begins after all steps of the one before.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rmqproof.conformance.runs.event import Accesses, Event
from rmqproof.conformance.runs.event_order import Order, same
from rmqproof.conformance.runs.folding import Folding
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.validation import Bounds
from rmqproof.model.actions.access_paths import AccessPath, Argument, Key, Known
from rmqproof.model.actions.footprint import Footprint
from rmqproof.rocketmq.runs.traced_folding import highest_of, lowest_of, traced_folding

_SEEN = {"epochFile": "disk {} epochFile", "heard": "heard {}", "number": "broker {} sssEpoch"}
"""By the name of a view: what of a node it shows; others are fields of the controller."""
_FIELDS = {
    "controller": ("masterEpoch", "master", "sss", "sssEpoch", "alive"),
    "broker": ("role", "masterEpoch", "master", "sss", "sssEpoch", "pending", "waiting"),
    "disk": ("log", "flushed", "epochFile", "confirm", "residue"),
    "line": ("at", "slave", "open", "ack", "next", "packets", "reports"),
}
_OF_BROKERS = frozenset(
    (
        "broker",
        "disk",
        "log",
        "behind",
        "confirmed",
        "marked",
        "removed",
        "copies",
        "granted",
        "heard",
        "asked",
        "reached",
    )
)
_EPOCHS = {"TracedMaster": 2, "TracedSlave": 3}
_SETS = {"TracedLearnsSet": 1}


def refine(model: RunModel, events: Sequence[Event], order: Order, bounds: Bounds) -> tuple[Order, Folding | None]:
    constants = model.mapping.constants
    parts = _Parts([str(name) for name in constants["Broker"]], [int(number) for number in constants["Lines"]])
    touched = same(parts.accesses(event, model.footprints) for event in order.events)
    told = tuple(
        replace(event, accesses=each, lowest=lowest_of(event), highest=highest_of(event))
        for event, each in zip(order.events, touched, strict=True)
    )
    return replace(order, events=told), traced_folding(model)


@dataclass(frozen=True, slots=True)
class _Parts:
    brokers: Sequence[str]
    lines: Sequence[int]

    def accesses(self, event: Event, footprints: Mapping[str, Footprint]) -> Accesses | None:
        """None: everything."""
        shown = (_SEEN.get(name, f"controller {name}").format(event.node) for name in event.state)
        found = Accesses(frozenset(shown))
        for action, said in (*event.steps, *(event.unlogged or ())):
            footprint = footprints.get(action)
            if footprint is None or not isinstance(said, tuple):
                return None
            reads, writes = (
                frozenset(part for access in accesses for part in self._of_access(access, event, said))
                for accesses in (footprint.reads, footprint.writes)
            )
            found |= Accesses(reads, writes)
        return found

    def _of_access(self, access: AccessPath, event: Event, said: tuple[object, ...]) -> Iterator[str]:
        variable, path = access.variable, access.path
        if variable in ("reigns", "stored"):
            yield f"{variable} {_member(variable, event, said)}"
        elif variable == "controller":
            yield from (f"controller{field}" for field in _fields(variable, path[:1]))
        elif variable in _OF_BROKERS or variable == "line":
            whose: Sequence[object] = self.lines if variable == "line" else self.brokers
            key = _key(path[:1], said)
            about = f" {said[1]}" if variable == "granted" and len(said) > 1 else ""
            for each in [key] if key in whose else whose:
                yield from (f"{variable} {each}{about}{field}" for field in _fields(variable, path[1:2]))
        else:
            yield variable


def _key(path: Sequence[Key], said: tuple[object, ...]) -> object:
    """The broker or the connection that is meant; None: it is not known."""
    match list(path):
        case [Argument(position=position)] if position < len(said):
            return said[position]
        case [Known(value=value)]:
            return value
    return None


def _member(variable: str, event: Event, said: tuple[object, ...]) -> str:
    """Which member of the set the step adds or looks for."""
    action = event.action or ""
    if variable == "reigns":
        return str(said[_EPOCHS[action]] if action in _EPOCHS else event.state["masterEpoch"])
    return str(said[_SETS[action]] if action in _SETS else event.state["sss"])


def _fields(variable: str, path: Sequence[Key]) -> Sequence[str]:
    known = [f" {name}" for name in _FIELDS.get(variable, ())] or [""]
    match list(path):
        case [Known(value=value)] if f" {value}" in known:
            return [f" {value}"]
    return known
