"""Implementation to model: is a recorded run a behaviour of the specification?

A search over (state of the model, how far each node's log is explained, what the run's names stand for). One step
either explains the next event of some node by a step of the model, or takes a step that leaves no line. Layer n holds
everything that explains n events.

At first events are explained in the order in which they were read, and steps without a line are not taken at all. Where
that ends, the search goes back some layers and allows more: steps without a line, another order of the events of
different nodes; further back and more each time, in the end everything from the beginning. So a run that is a
behaviour is found to be one quickly, and "no" is said only after everything was tried. Where a bound was in the way
the answer is "unknown".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import NamedTuple

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.order import Order
from rmqproof.conformance.runs.pattern import NOTHING, Bindings
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.control import Control
from rmqproof.model.search.system import State


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Bounds:
    """`hidden`: steps without a line in a row; `width`: entries of a layer; `entries`: of all layers together;
    `lost`: lines that may be missing, besides those that the nodes' counting says are."""

    hidden: int = 6
    width: int = 5_000
    entries: int = 400_000
    lost: int = 0
    thorough: bool = False
    """Allow everything from the beginning, so that the ambiguity is the whole one."""


class Entry(NamedTuple):
    """Where a search can be. The events before `first` are explained, and of those after it the ones in `ahead`:
    bit n is event `first + n`."""

    fingerprint: int
    first: int
    ahead: int
    bindings: Bindings
    lost: int


@dataclass(frozen=True, slots=True)
class Link:
    """How an entry was reached: from which, by which step of the model (None: by none), explaining which event."""

    before: Entry | None
    action: str | None = None
    arguments: tuple[Value, ...] = ()
    event: int | None = None
    unlogged: int = 0
    """Steps without a line on the way."""
    row: int = 0
    """And since the last event."""


Layer = dict[Entry, Link]


@dataclass(frozen=True, slots=True)
class Taken:
    """One step of the explanation of a run."""

    state: State
    action: str | None = None
    arguments: tuple[Value, ...] = ()
    event: Event | None = None


@dataclass(slots=True)
class Validation:
    """What came out. `explained` counts the events of the longest prefix; `candidates` are what can be after it."""

    answer: Answer
    model: RunModel
    order: Order
    explained: int
    steps: tuple[Taken, ...] = ()
    """Of a yes: one explanation. Of a no: one of the longest prefix."""
    widths: tuple[int, ...] = ()
    """Different states of the model, layer by layer, in the orders that were tried."""
    candidates: tuple[Entry, ...] = ()
    layers: tuple[Layer, ...] = ()
    hidden: frozenset[str] = frozenset()
    bound: str = ""
    """Which bound was in the way; empty when none was."""
    lost: int = 0
    """Lines that the explanation takes to be lost."""
    seconds: float = 0.0
    bindings: Bindings = NOTHING

    def next_events(self, entry: Entry) -> list[Event]:
        """The events that could come next, the one that was read first in front."""
        return [self.order.events[i] for i in _ready(self.order, entry, len(self.order.events))]

    def state(self, entry: Entry) -> State:
        return self.model.states[entry.fingerprint]


@dataclass(frozen=True, slots=True)
class _Freedom:
    """What is allowed from a layer on: steps without a line in a row, places by which an event may be early."""

    since: int
    hidden: int
    window: int
    width: int
    """Entries of a layer."""


_NARROW = 32
_NEAR = 16
"""Events between two places where more had to be allowed that count as one."""

Report = Callable[[int, int, int], None]
"""Events explained, of how many, entries in the layer."""


def validate(
    model: RunModel, order: Order, bounds: Bounds | None = None, control: Control | None = None,
    report: Report = lambda *_: None,
) -> Validation:  # fmt: skip
    """Search for an explanation of a run. Raise `TlaError` where a step of the model cannot be evaluated."""
    return _Search(model, order, bounds or Bounds(), control or Control(), report).run()


class _Search:
    def __init__(self, model: RunModel, order: Order, bounds: Bounds, control: Control, report: Report) -> None:
        self.model, self.order, self.bounds = model, order, bounds
        self.control, self.report = control, report
        self.count = len(order.events)
        self.hidden = model.hidden(order.events)
        self.layers: list[Layer] = []
        self.bound = ""
        self.entries = 0
        self.lost = order.lost + bounds.lost
        self.furthest: list[Layer] = []
        self._said = monotonic()

    def run(self) -> Validation:
        started = monotonic()
        self.model.prepare({action for event in self.order.events for action, _ in event.steps} | self.hidden)
        everything = _Freedom(0, self.bounds.hidden, self.count, self.bounds.width)
        freedom = everything if self.bounds.thorough else _Freedom(0, 0, 0, _NARROW)
        self.layers = [self._start()]
        failures: dict[int, int] = {}
        while True:
            self._advance(freedom)
            reached = len(self.layers) - 1
            if reached == self.count and self.layers[-1]:
                break
            if len(self.layers) > len(self.furthest) or not self.furthest:
                self.furthest = list(self.layers)
            if freedom == everything or self.bound in ("interrupted", "entries"):
                break
            failures[reached] = failures.get(reached, 0) + 1
            times = max(count for place, count in failures.items() if reached - _NEAR <= place <= reached)
            freedom = self._more(reached, times, everything)
            self.bound = self.bound if freedom != everything else ""
            del self.layers[max(1, freedom.since + 1) :]
        return self._answer(monotonic() - started)

    def _start(self) -> Layer:
        states = self.model.subject.system.initial_states()
        return {Entry(self.model.keep(state), 0, 0, NOTHING, 0): Link(None) for state in states}

    def _more(self, reached: int, times: int, everything: _Freedom) -> _Freedom:
        """What to allow after the search ended so often after so many events."""
        back = 2 << times
        if back >= reached + 2 and times > 2:
            return everything
        window = (0, 2, 8, 32, 128)[min(times - 1, 4)]
        width = min(self.bounds.width, _NARROW << times)
        return _Freedom(max(0, reached - back), min(self.bounds.hidden, 1 << times), window, width)

    # --- layers --------------------------------------------------------------------------------------------------

    def _advance(self, freedom: _Freedom) -> None:
        """Explain as many events as can be, with what is allowed from a layer on to where it was in the way."""
        limit = len(self.furthest)
        while len(self.layers) <= self.count:
            number = len(self.layers) - 1
            free = freedom if freedom.since <= number and (number <= limit or freedom.window == self.count) else None
            layer = self.layers[-1]
            if free is not None and free.hidden:
                self._take_unlogged(layer, free.hidden, free.width)
            after = self._explain(layer, free.window if free is not None else 0)
            self.entries += len(after)
            self._say(number, len(layer))
            if not after:
                return
            self.layers.append(self._narrowed(after, freedom.width if free is not None else _NARROW))
            if self.control.stopped is not None:
                self.bound = "interrupted"
                return
            if self.entries > self.bounds.entries:
                self.bound = "entries"
                return

    def _explain(self, layer: Layer, window: int) -> Layer:
        after: Layer = {}
        for entry, link in layer.items():
            for index in _ready(self.order, entry, window):
                for found, step in self._consume(entry, index):
                    known = after.get(found)
                    if known is None or known.unlogged > link.unlogged:
                        after[found] = Link(entry, step.action, step.arguments, index, link.unlogged)
        return after

    def _consume(self, entry: Entry, index: int) -> Iterator[tuple[Entry, Link]]:
        """The steps that an event can tell of."""
        event, model = self.order.events[index], self.model
        first, ahead = _with(entry, index)
        state = model.states[entry.fingerprint]
        some = False
        for action, said in event.steps:
            for arguments, target, bindings in model.steps(entry.fingerprint, action, said, entry.bindings):
                for bound in model.state_matches(event, target, bindings):
                    some = True
                    found = Entry(model.keep(target), first, ahead, bound, entry.lost)
                    yield found, Link(None, action, arguments)
        if not event.steps or (event.may_stutter and not some):
            for bindings in model.state_matches(event, state, entry.bindings):
                yield Entry(entry.fingerprint, first, ahead, bindings, entry.lost), Link(None)

    def _take_unlogged(self, layer: Layer, most: int, width: int) -> None:
        """Add to a layer what is reached by steps that leave no line, and by those whose line may be lost."""
        queue = deque(sorted(layer.items(), key=lambda item: item[1].row))
        while queue:
            entry, link = queue.popleft()
            for name, arguments, target in self._unlogged(entry):
                lost = entry.lost + (name not in self.hidden)
                if lost > self.lost:
                    continue
                found = entry._replace(fingerprint=self.model.keep(target), lost=lost)
                if found in layer:
                    continue
                if link.row >= most:
                    self.bound = self.bound or "hidden"
                    break
                if len(layer) >= width:
                    self.bound = self.bound or "width"
                    return
                made = Link(entry, name, arguments, None, link.unlogged + 1, link.row + 1)
                layer[found] = made
                queue.append((found, made))
                self.entries += 1
            if self.control.stopped is not None:
                return

    def _unlogged(self, entry: Entry) -> Iterator[tuple[str, tuple[Value, ...], State]]:
        """The steps that may leave no line, here."""
        if entry.lost < self.lost:
            actions = self.model.subject.system.actions
            for number, arguments, target in self.model.successors(entry.fingerprint):
                yield actions[number], arguments, target
            return
        for name in sorted(self.hidden):
            for arguments, target, _ in self.model.steps(entry.fingerprint, name, (), NOTHING):
                yield name, arguments, target

    def _narrowed(self, layer: Layer, width: int) -> Layer:
        """At most so many entries as are allowed: those with the fewest unlogged steps and the usual order."""
        if len(layer) <= width:
            return layer
        self.bound = self.bound or "width"
        ranked = sorted(layer.items(), key=lambda item: (item[1].unlogged, item[0].ahead.bit_length()))
        return dict(ranked[:width])

    def _say(self, number: int, width: int) -> None:
        now = monotonic()
        if now - self._said >= self.control.progress_seconds:
            self._said = now
            self.report(number, self.count, width)

    # --- the answer ----------------------------------------------------------------------------------------------

    def _answer(self, seconds: float) -> Validation:
        whole = len(self.layers) == self.count + 1 and bool(self.layers[-1])
        layers = self.layers if whole or len(self.layers) >= len(self.furthest) else self.furthest
        answer = Answer.YES if whole else Answer.UNKNOWN if self.bound else Answer.NO
        last = layers[-1]
        end = min(last.items(), key=lambda item: (item[0].lost, item[1].unlogged), default=None)
        return Validation(
            answer,
            self.model,
            self.order,
            len(layers) - 1,
            self._path(layers, end[0]) if end is not None else (),
            tuple(len({entry.fingerprint for entry in layer}) for layer in layers),
            tuple(last),
            tuple(layers),
            self.hidden,
            "" if whole else self.bound,
            end[0].lost if end is not None else 0,
            seconds,
            end[0].bindings if end is not None else NOTHING,
        )

    def _path(self, layers: list[Layer], end: Entry) -> tuple[Taken, ...]:
        steps: list[Taken] = []
        entry: Entry | None = end
        number = len(layers) - 1
        while entry is not None:
            link = layers[number][entry]
            event = self.order.events[link.event] if link.event is not None else None
            steps.append(Taken(self.model.states[entry.fingerprint], link.action, link.arguments, event))
            number -= link.event is not None
            entry = link.before
        return tuple(reversed(steps))


def _ready(order: Order, entry: Entry, window: int) -> list[int]:
    """The events that may come next: what they need is done, and nothing older by more than the window is not."""
    first, ahead = entry.first, entry.ahead
    found = []
    for index in range(first, min(len(order.events), first + window + 1)):
        if not ahead >> (index - first) & 1 and all(
            need < first or ahead >> (need - first) & 1 for need in order.needs[index]
        ):
            found.append(index)
    return found


def _with(entry: Entry, index: int) -> tuple[int, int]:
    """`first` and `ahead` of an entry once one more event is explained."""
    ahead = entry.ahead | 1 << (index - entry.first)
    done = (~ahead & (ahead + 1)).bit_length() - 1
    return entry.first + done, ahead >> done
