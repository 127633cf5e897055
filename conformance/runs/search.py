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
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic

from rmqproof.conformance.runs.event import Arguments, Event
from rmqproof.conformance.runs.event_order import Order
from rmqproof.conformance.runs.folding import Folding
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.pattern import NOTHING, Bindings
from rmqproof.conformance.runs.streams import Done, Streams
from rmqproof.conformance.runs.validation import Answer, Bounds, Entry, Layer, Link, Taken, Validation
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.control import Control
from rmqproof.model.search.system import State

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
        model.states.limit = bounds.recent
        self.count = len(order.events)
        self.hidden = model.hidden(order.events)
        self.layers: list[Layer] = [{} for _ in range(self.count + 1)]
        self.bound = ""
        self.entries = 0
        self.lost = order.lost + bounds.lost
        self.best = 0
        self.plan = bounds.pace.plan(order.events) if folding is not None else []
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
            self.model.states.pin(entry.fingerprint)
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
                # lists: a generator that waits for its turn holds on to states
                for found, link in list(self._explained(entry, index)):
                    if self._new(found, link):
                        yield found
            link = self.layers[sum(entry.done)][entry]
            for found, after in list(self._unlogged(entry, events, link.row)):
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
        if not sum(entry.done) % self.bounds.pinned:
            self._state(entry)  # others may have been looked at since it was found
            self.model.states.pin(entry.fingerprint)
        return True

    def _explained(self, entry: Entry, index: int) -> Iterator[tuple[Entry, Link]]:
        """The steps that an event can tell of."""
        event, model = self.order.events[index], self.model
        done = self.streams.after(entry.done, index)
        state, bindings = self._unfolded(entry, event)
        some = False
        for action, said in event.steps:
            for arguments, target, bound, (last, here) in model.steps_in_a_row(
                state, action, said, bindings, event.parts
            ):
                for matched in model.state_matches(event, target, bound):
                    if not last.holds(here, action, arguments, target):
                        raise _not_a_step(action, arguments, str(event.origin))
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
            self._state(entry)
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
                state = self._state(entry)
                for arguments, target, _ in self.model.steps_from(state, name, said, entry.bindings):
                    if not self.model.holds(state, name, arguments, target):
                        raise _not_a_step(name, arguments, "a step without a line")
                    yield name, arguments, target

    # --- folding -----------------------------------------------------------------------------------------------------

    def _unfolded(self, entry: Entry, event: Event) -> tuple[State, Bindings]:
        """The state for an event: whole, if it looks at what is folded."""
        state, bindings = self._state(entry), entry.bindings
        if self.folding is None or not bindings.prefix.base:
            return state, bindings
        if event.lowest is None or event.lowest > bindings.prefix.base:
            return state, bindings
        return self.folding.unfold(state, bindings)

    def _bare(self, state: State) -> State:
        return state if self.folding is None else self.folding.bare(state)

    def _entry(self, state: State, done: Done, bindings: Bindings, lost: int) -> Entry:
        if self.folding is not None:
            state = self.folding.bare(state)
            number = sum(done)
            base, wanted = bindings.prefix.base, self.plan[number]
            if base > wanted:
                state, bindings = self.folding.unfold(state, bindings)
            if self.bounds.pace.pays(number, bindings.prefix.base, wanted):
                state, bindings = self.folding.fold(state, bindings, wanted)
        return Entry(self.model.keep(state), done, bindings, lost)

    # --- states that are not remembered ------------------------------------------------------------------------------

    def _state(self, entry: Entry) -> State:
        """The state of an entry; found again from the last one on its way that is remembered."""
        states = self.model.states
        found = states.get(entry.fingerprint)
        if found is not None:
            return found
        way = [entry]
        while (before := self.layers[sum(way[-1].done)][way[-1]].before) is not None:
            if states.get(before.fingerprint) is not None:
                break
            way.append(before)
        for later in reversed(way):
            self._find_again(later)
        return states[entry.fingerprint]

    def _find_again(self, entry: Entry) -> None:
        link = self.layers[sum(entry.done)][entry]
        assert link.before is not None, "initial states are remembered"
        if link.event is not None:
            for found, _ in self._explained(link.before, link.event):
                if found == entry:
                    return
        elif link.action is not None:
            state = self._state(link.before)
            if link.before.lost < entry.lost:
                for _, _, target in self.model.successors(link.before.fingerprint):
                    if self.model.keep(self._bare(target)) == entry.fingerprint:
                        return
            for _, target, _ in self.model.steps_from(state, link.action, (), link.before.bindings):
                if self.model.keep(self._bare(target)) == entry.fingerprint:
                    return
        raise AssertionError(f"the step {link.action} that led to a state does not lead to it again")

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
            self.entries,
            end.bindings,
            {entry.done: tuple(order.events[i] for i in self._possible(entry.done)) for entry in layers[-1]},
            self._state,
        )

    def _possible(self, done: Done) -> list[int]:
        """The events that could come next; where what lines say of other nodes allows none, as if they said nothing."""
        return self._choice(done) or self.streams.written_next(done)

    def _path(self, layers: list[Layer], end: Entry) -> tuple[Taken, ...]:
        steps: list[Taken] = []
        entry: Entry | None = end
        while entry is not None:
            link = layers[sum(entry.done)][entry]
            event = self.order.events[link.event] if link.event is not None else None
            base = entry.bindings.prefix.base
            find = partial(self._state, entry)
            steps.append(Taken(find, entry.fingerprint, link.action, link.arguments, event, base))
            entry = link.before
        return tuple(reversed(steps))


def _not_a_step(action: str, arguments: tuple[Value, ...], where: str) -> AssertionError:
    return AssertionError(f"{where}: the step {action}{arguments} was found, and the specification is not true of it")
