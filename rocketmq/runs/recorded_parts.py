"""Which parts of RecordedRun's state a line's step reads and writes, so that few orders of a run are tried.

What an action reads and writes is taken from the specification (`model.actions.footprint`), by broker and field. Said
here is that a step which adds to a set of elections, stored or proposed sets or answers, and one that looks for a
member of it, have to do with each other only where they mean the same epoch, members or end of a log; a broker's
proposals, which look at all of its earlier ones, are in one file. A test takes pairs of steps that commute by these
parts in both orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rmqproof.conformance.runs.event import Accesses, Event
from rmqproof.conformance.runs.event_order import Order
from rmqproof.conformance.runs.folding import Folding
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.validation import Bounds
from rmqproof.model.actions.access_paths import AccessPath, Argument, Key, Known
from rmqproof.model.actions.footprint import Footprint

_FIELDS = {
    "controller": ("masterEpoch", "master", "sss", "sssEpoch", "alive"),
    "broker": ("role", "masterEpoch", "master", "sss", "sssEpoch", "pending", "waiting"),
}
_BY_BROKER = ("broker", "disk", "heard", "reached")
_SEEN = {"epochFile": "disk", "heard": "heard"}
"""By the name of a view: the variable of a broker that it shows; others are fields of the controller."""


def refine(model: RunModel, events: Sequence[Event], order: Order, bounds: Bounds) -> tuple[Order, Folding | None]:
    brokers = [str(name) for name in model.mapping.constants["Broker"]]
    told = tuple(replace(event, accesses=_accesses(event, model.footprints, brokers)) for event in order.events)
    return replace(order, events=told), None


def _accesses(event: Event, footprints: Mapping[str, Footprint], brokers: Sequence[str]) -> Accesses | None:
    """None: everything."""
    shown = frozenset(f"{_SEEN[name]} {event.node}" if name in _SEEN else f"controller {name}" for name in event.state)
    found = Accesses(shown)
    for action, said in (*event.steps, *(event.unlogged or ())):
        footprint = footprints.get(action)
        if footprint is None or not isinstance(said, tuple):
            return None
        parts = _Parts(event, said, brokers)
        found |= Accesses(parts.of(footprint.reads), parts.of(footprint.writes))
    return found


class _Parts:
    """Names of parts of the state for a step with these arguments."""

    def __init__(self, event: Event, said: tuple[object, ...], brokers: Sequence[str]) -> None:
        self.event, self.said, self.brokers = event, said, brokers

    def of(self, accesses: frozenset[AccessPath]) -> frozenset[str]:
        return frozenset(part for access in accesses for part in self._of_access(access))

    def _of_access(self, access: AccessPath) -> Iterator[str]:
        variable, path = access.variable, access.path
        if variable in ("reigns", "stored", "shown"):
            yield f"{variable} {self._member(variable)}"
        elif variable == "controller":
            yield from (f"controller {name}" for name in _fields(variable, path[:1]))
        elif variable == "asked":
            yield from (f"asked {name} {self.said[-1]}" for name in self._whose(path[:1]))
        elif variable in _BY_BROKER:
            for name in self._whose(path[:1]):
                yield from (f"{variable} {name}{field and ' ' + field}" for field in _fields(variable, path[1:2]))
        else:
            yield variable

    def _whose(self, path: Sequence[Key]) -> Sequence[str]:
        match list(path):
            case [Argument(position=position)] if position < len(self.said) and self.said[position] in self.brokers:
                return [str(self.said[position])]
        return self.brokers

    def _member(self, variable: str) -> str:
        """Which member of the set the step adds or looks for; of an election its own line says the epoch."""
        action, said = self.event.action, self.said
        if variable == "reigns":
            return str(said[-1] if action != "ControllerElects" else self.event.state.get("masterEpoch"))
        if variable == "stored":
            return str(self.event.state["sss"] if action in ("ControllerElects", "ControllerStores") else said[-1])
        return str(said[1])


def _fields(variable: str, path: Sequence[Key]) -> Sequence[str]:
    known = _FIELDS.get(variable, ("",))
    match list(path):
        case [Known(value=value)] if value in known:
            return [str(value)]
    return known
