"""What a search for an explanation of a run finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.event_order import Order
from rmqproof.conformance.runs.folding import Pace
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.pattern import NOTHING, Bindings
from rmqproof.conformance.runs.streams import Done
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.system import State


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Bounds:
    """`hidden`: steps without a line in a row; `width`: entries of a layer; `entries`: of all layers together;
    `lost`: lines that may be missing, besides those that the nodes' counting says are. `recent` states are in memory,
    and those after every `pinned` events, from which the others are found again; `pace`: when they are folded.
    `ahead`: events by which a search is ahead of what it settles (see search.py), fewer than are in memory."""

    hidden: int = 6
    width: int = 5_000
    entries: int = 2_000_000
    lost: int = 0
    thorough: bool = False
    """Try every order and every step, so that the ambiguity is the whole one."""
    recent: int = 1_024
    pinned: int = 256
    ahead: int = 256
    pace: Pace = field(default_factory=Pace)


class Entry(NamedTuple):
    """Where a search can be."""

    fingerprint: int
    done: Done
    bindings: Bindings
    lost: int


@dataclass(slots=True, eq=False)
class Point:
    """An entry, and how it was reached: from which, by which step of the model (None: by none), explaining which
    event."""

    entry: Entry
    before: Point | None = None
    action: str | None = None
    arguments: tuple[Value, ...] = ()
    event: int | None = None
    row: int = 0
    """Steps without a line since the last event."""
    settled: int = 0
    """Where `before` is None: so many steps of the settled path lead to it."""
    explained: frozenset[int] = frozenset()
    """Events that were found to have an explanation here."""


Layer = dict[Entry, Point]


@dataclass(frozen=True, slots=True)
class Taken:
    """One step of the explanation of a run. `folded`: so many messages are left out at the beginning of every log."""

    find: Callable[[], State]
    """The state after it, found again where it is not remembered."""
    fingerprint: int
    action: str | None = None
    arguments: tuple[Value, ...] = ()
    tell: Callable[[], Event] | None = None
    """The event that it explains, which is packed; None: it has no line."""
    folded: int = 0

    @property
    def event(self) -> Event | None:
        return None if self.tell is None else self.tell()

    @property
    def state(self) -> State:
        return self.find()


@dataclass(slots=True)
class Validation:
    """What came out. `explained` counts the events of the longest prefix; `candidates` are what can be after it."""

    answer: Answer
    model: RunModel
    order: Order
    explained: int
    steps: Sequence[Taken] = ()
    """Of a yes: one explanation. Of a no: one of the longest prefix."""
    widths: Sequence[int] = ()
    """Different states of the model, layer by layer, in the orders that were tried."""
    candidates: tuple[Entry, ...] = ()
    layers: tuple[Layer, ...] = ()
    """The last ones: of those before them only one way to them is kept, in `steps`."""
    hidden: frozenset[str] = frozenset()
    bound: str = ""
    """Which bound was in the way; empty when none was."""
    lost: int = 0
    """Lines that the explanation takes to be lost."""
    seconds: float = 0.0
    tried: int = 0
    """Different points that the search was at: a state of the model, with what is explained."""
    bindings: Bindings = NOTHING
    next_events: Mapping[Done, tuple[Event, ...]] = field(default_factory=dict)
    find: Callable[[Entry], State] | None = None

    def events_after(self, entry: Entry) -> tuple[Event, ...]:
        """The events that could come next, the one that was read first in front."""
        return self.next_events.get(entry.done, ())

    def state(self, entry: Entry) -> State:
        return self.find(entry) if self.find is not None else self.model.states[entry.fingerprint]
