"""Implementation to model: is a recorded run a behaviour of the specification?

A search over (state of the model, how far each node's log is explained, what the run's names stand for). One step
either explains the next event of some node by a step of the model, or takes a step that leaves no line. Layer n holds
everything that was met and explains n events.

It goes into the depth, in the order in which the events were read, and comes back where an event has no explanation;
steps without a line are taken when nothing else is left. So a run that is a behaviour is found to be one quickly. Of
the orders of events that commute only one is tried (streams.py), and what was met before is not looked at again, so a
run that is none ends in "no", which is said only after everything else was tried. Where a bound was in the way the
answer is "unknown".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import NamedTuple

from rmqproof.conformance.runs.event import Arguments, Event
from rmqproof.conformance.runs.folding import EVERY, Folding, plan, worth
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.order import Order
from rmqproof.conformance.runs.pattern import NOTHING, Bindings
from rmqproof.conformance.runs.streams import Done, Streams
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
    entries: int = 2_000_000
    lost: int = 0
    thorough: bool = False
    """Try every order and every step, so that the ambiguity is the whole one."""


class Entry(NamedTuple):
    """Where a search can be."""

    fingerprint: int
    done: Done
    bindings: Bindings
    lost: int


@dataclass(frozen=True, slots=True)
class Link:
    """How an entry was reached: from which, by which step of the model (None: by none), explaining which event."""

    before: Entry | None
    action: str | None = None
    arguments: tuple[Value, ...] = ()
    event: int | None = None
    row: int = 0
    """Steps without a line since the last event."""


Layer = dict[Entry, Link]


@dataclass(frozen=True, slots=True)
class Taken:
    """One step of the explanation of a run. `folded`: so many messages are left out at the beginning of every log."""

    state: State
    action: str | None = None
    arguments: tuple[Value, ...] = ()
    event: Event | None = None
    folded: int = 0


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
    next_events: Mapping[Done, tuple[Event, ...]] = field(default_factory=dict)

    def events_after(self, entry: Entry) -> tuple[Event, ...]:
        """The events that could come next, the one that was read first in front."""
        return self.next_events.get(entry.done, ())

    def state(self, entry: Entry) -> State:
        return self.model.states[entry.fingerprint]


Report = Callable[[int, int, int], None]
"""Events explained, of how many, entries in the layer."""


def validate(
    model: RunModel, order: Order, bounds: Bounds | None = None, control: Control | None = None,
    report: Report = lambda *_: None, folding: Folding | None = None,
) -> Validation:  # fmt: skip
    """Search for an explanation of a run. Raise `TlaError` where a step of the model cannot be evaluated."""
    return _Search(model, order, bounds or Bounds(), control or Control(), report, folding).run()


class _Search:
    def __init__(
        self, model: RunModel, order: Order, bounds: Bounds, control: Control, report: Report, folding: Folding | None
    ) -> None:
        self.model, self.order, self.bounds = model, order, bounds
        self.control, self.report, self.folding = control, report, folding
        self.streams = Streams(order)
        self.count = len(order.events)
        self.hidden = model.hidden(order.events)
        self.layers: list[Layer] = [{} for _ in range(self.count + 1)]
        self.bound = ""
        self.entries = 0
        self.lost = order.lost + bounds.lost
        self.best = 0
        self.plan = plan(order.events) if folding is not None else []
        self._choices: dict[Done, list[int]] = {}
        self._said = monotonic()

    def run(self) -> Validation:
        started = monotonic()
        self.model.prepare({action for event in self.order.events for action, _ in event.steps} | self.hidden)
        stack = [self._following(self._first())]
        whole = False
        while stack and not (whole and not self.bounds.thorough):
            entry = next(stack[-1], None)
            if entry is None:
                stack.pop()
                continue
            number = sum(entry.done)
            self.best = max(self.best, number)
            self._say(number)
            if self.control.stopped is not None:
                self.bound = "interrupted"
                break
            if self.entries > self.bounds.entries:
                self.bound = "entries"
                break
            whole = whole or number == self.count
            stack.append(self._following([entry]))
        return self._answer(whole, monotonic() - started)

    def _first(self) -> list[Entry]:
        found = []
        for state in self.model.subject.system.initial_states():
            entry = Entry(self.model.keep(state), self.streams.start, NOTHING, 0)
            self.layers[0][entry] = Link(None)
            found.append(entry)
        return found

    # --- steps -------------------------------------------------------------------------------------------------------

    def _following(self, starts: list[Entry]) -> Iterator[Entry]:
        """What is reached by explaining one more event, after steps without a line where none will do without."""
        queue = deque(starts)
        while queue:
            entry = queue.popleft()
            events = self._choice(entry.done)
            for index in events:
                for found, link in self._explained(entry, index):
                    if self._new(found, link):
                        yield found
            link = self.layers[sum(entry.done)][entry]
            for found, after in self._unlogged(entry, events, link.row):
                if self._new(found, after):
                    queue.append(found)

    def _choice(self, done: Done) -> list[int]:
        found = self._choices.get(done)
        if found is None:
            streams = self.streams
            found = streams.next_events(done) if self.lost or self.bounds.thorough else streams.choice(done)
            self._choices[done] = found
        return found

    def _new(self, entry: Entry, link: Link) -> bool:
        """Remember an entry; whether there is anything to be looked at from it."""
        layer = self.layers[sum(entry.done)]
        known = layer.get(entry)
        if known is None:
            if len(layer) >= self.bounds.width:
                self.bound = self.bound or "width"
                return False
            self.entries += 1
        elif known.row <= link.row:
            return False
        layer[entry] = link
        return True

    def _explained(self, entry: Entry, index: int) -> Iterator[tuple[Entry, Link]]:
        """The steps that an event can tell of."""
        event, model = self.order.events[index], self.model
        done = self.streams.after(entry.done, index)
        state, bindings = self._unfolded(entry, event)
        some = False
        for action, said in event.steps:
            for arguments, target, bound in model.steps_in_a_row(state, action, said, bindings, event.parts):
                for matched in model.state_matches(event, target, bound):
                    some = True
                    yield self._entry(target, done, matched, entry.lost), Link(entry, action, arguments, index)
        if not event.steps or (event.may_stutter and not some):
            for matched in model.state_matches(event, state, bindings):
                yield self._entry(state, done, matched, entry.lost), Link(entry, None, (), index)

    def _unlogged(self, entry: Entry, events: list[int], row: int) -> Iterator[tuple[Entry, Link]]:
        """The steps that may leave no line and that one of these events may need."""
        for name, arguments, target in self._steps_without(entry, events):
            lost = entry.lost + (name not in self.hidden)
            if lost > self.lost:
                continue
            found = entry._replace(fingerprint=self.model.keep(self._bare(target)), lost=lost)
            if row < self.bounds.hidden:
                yield found, Link(entry, name, arguments, None, row + 1)
            elif found not in self.layers[sum(entry.done)]:
                self.bound = self.bound or "hidden"

    def _steps_without(self, entry: Entry, events: list[int]) -> Iterator[tuple[str, tuple[Value, ...], State]]:
        if not events and not self.bounds.thorough:
            return
        if entry.lost < self.lost:
            actions = self.model.subject.system.actions
            for number, arguments, target in self.model.successors(entry.fingerprint):
                yield actions[number], arguments, target
            return
        wanted: dict[str, list[Arguments]] = {}
        for index in events:
            useful = self.order.events[index].unlogged
            if useful is None:
                wanted = {name: [()] for name in sorted(self.hidden)}
                break
            for name, said in useful:
                if name in self.hidden and said not in wanted.setdefault(name, []):
                    wanted[name].append(said)
        for name, ways in wanted.items():
            for said in ways:
                for arguments, target, _ in self.model.steps(entry.fingerprint, name, said, entry.bindings):
                    yield name, arguments, target

    # --- folding -----------------------------------------------------------------------------------------------------

    def _unfolded(self, entry: Entry, event: Event) -> tuple[State, Bindings]:
        """The state for an event: whole, if it looks at what is folded."""
        state, bindings = self.model.states[entry.fingerprint], entry.bindings
        if self.folding is None or not bindings.shelf.base:
            return state, bindings
        if event.lowest is None or event.lowest > bindings.shelf.base:
            return state, bindings
        return self.folding.unfold(state, bindings)

    def _bare(self, state: State) -> State:
        return state if self.folding is None else self.folding.bare(state)

    def _entry(self, state: State, done: Done, bindings: Bindings, lost: int) -> Entry:
        if self.folding is not None:
            state = self.folding.bare(state)
            number = sum(done)
            base, wanted = bindings.shelf.base, self.plan[number]
            if base > wanted:
                state, bindings = self.folding.unfold(state, bindings)
            if number % EVERY == 0 and worth(bindings.shelf.base, wanted):
                state, bindings = self.folding.fold(state, bindings, wanted)
        return Entry(self.model.keep(state), done, bindings, lost)

    def _say(self, number: int) -> None:
        now = monotonic()
        if now - self._said >= self.control.progress_seconds:
            self._said = now
            self.report(self.best, self.count, len(self.layers[number]))

    # --- the answer --------------------------------------------------------------------------------------------------

    def _answer(self, whole: bool, seconds: float) -> Validation:
        layers = self.layers[: self.best + 1]
        answer = Answer.YES if whole else Answer.UNKNOWN if self.bound else Answer.NO
        end, _ = min(layers[-1].items(), key=lambda item: (item[0].lost, item[1].row))
        order = self.order
        return Validation(
            answer,
            self.model,
            order,
            self.best,
            self._path(layers, end),
            tuple(len({entry.fingerprint for entry in layer}) for layer in layers),
            tuple(layers[-1]),
            tuple(layers),
            self.hidden,
            "" if whole else self.bound,
            end.lost,
            seconds,
            end.bindings,
            {entry.done: tuple(order.events[i] for i in self._choice(entry.done)) for entry in layers[-1]},
        )

    def _path(self, layers: list[Layer], end: Entry) -> tuple[Taken, ...]:
        steps: list[Taken] = []
        entry: Entry | None = end
        while entry is not None:
            link = layers[sum(entry.done)][entry]
            event = self.order.events[link.event] if link.event is not None else None
            state = self.model.states[entry.fingerprint]
            steps.append(Taken(state, link.action, link.arguments, event, entry.bindings.shelf.base))
            entry = link.before
        return tuple(reversed(steps))
