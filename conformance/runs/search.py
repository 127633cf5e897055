"""Implementation to model: is a recorded run a behaviour of the specification?

A search over (state of the model, how far each node's log is explained, what the run's names stand for). One step
either explains the next event of some node by a step of the model, or takes a step that leaves no line. Layer n holds
everything that was met and explains n events.

It goes into the depth, in the order in which the events were read, and comes back where an event has no explanation;
steps without a line are taken when nothing else is left. So a run that is a behaviour is found to be one quickly. Of
the orders of events that commute only one is tried (streams.py), and what was met before is not looked at again, so a
run that is none ends in "no", which is said only after everything else was tried. Where a bound was in the way the
answer is "unknown".

What is far behind is settled (settled.py): of the way there a few numbers a step are kept, of the points that were
met a hash. What was left untried beside the way is tried when the search comes back, from states that are found again.
A search that has come back once tries it at once, which mostly leads nowhere or to a point that is known; ways that go
on longer are set aside with what they need.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from time import monotonic

from rmqproof.conformance.runs.event import Arguments, Event
from rmqproof.conformance.runs.event_order import Order
from rmqproof.conformance.runs.folding import NO_OFFSET, Folding
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.pattern import NOTHING, Bindings
from rmqproof.conformance.runs.settled import SettledPath, Steps
from rmqproof.conformance.runs.streams import Done, Streams
from rmqproof.conformance.runs.validation import Answer, Bounds, Entry, Layer, Point, Taken, Validation
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.control import Control
from rmqproof.model.search.system import State

Report = Callable[[int, int, int], None]
"""Events explained, of how many, entries in the layer."""
_CALM = 16
"""After so many times the events that are kept it does not look behind itself any more, where it came back."""
Open = tuple[int, Iterator[Point]]
"""What is left to try from an entry, with the number of events that are explained there."""


def validate(
    model: RunModel, order: Order, bounds: Bounds | None = None, control: Control | None = None,
    report: Report = lambda *_: None, folding: Folding | None = None,
) -> Validation:  # fmt: skip
    """Search for an explanation of a run. Raise `TlaError` where a step of the model cannot be evaluated."""
    return Search(model, order, bounds or Bounds(), control or Control(), report, folding).run()


class Search:
    """One search, for who wants to look on."""

    def __init__(
        self, model: RunModel, order: Order, bounds: Bounds, control: Control, report: Report, folding: Folding | None
    ) -> None:
        self.model, self.order, self.bounds = model, order, bounds
        self.control, self.report, self.folding = control, report, folding
        self.streams = Streams(order)
        model.states.limit = bounds.recent
        self.count = len(order.events)
        self.named, ranges = _survey(order.events)
        self.hidden = model.hidden(self.named)
        self.layers: dict[int, Layer] = {0: {}}
        """By how many events are explained, without those that are forgotten."""
        self.first_layer = 0
        self.path = SettledPath(self, bounds.pinned)
        self.root: Point | None = None
        """Where the path ends: everything on the way that was found last comes after it."""
        self.deepest: Point | None = None
        self.known: set[int] = set()
        """Hashes of the entries in forgotten layers of which everything is tried, or set aside."""
        self.came_back = bounds.thorough
        """To what was settled, or everything is to be tried anyway."""
        self.calm_at = 0
        """After how many events it does not look behind itself any more, where it came back."""
        self.patience = bounds.ahead
        """Places that are looked at beside the way, behind the search, before they are set aside."""
        self.widths = array("l")
        """Of the forgotten layers."""
        self.bound = ""
        self.entries = self.entries_of_best = 0
        self.lost = order.lost + bounds.lost
        self.best = 0
        self.plan = bounds.pace.plan(ranges) if folding is not None else []
        self._choices: dict[Done, list[int]] = {}
        self._said = monotonic()

    def run(self) -> Validation:
        started = monotonic()
        self.model.prepare(self.named | self.hidden)
        open_: list[Open] = [(0, self._following(self._first()))]
        whole = False
        while open_ and not (whole and not self.bounds.thorough):
            point = next(open_[-1][1], None)
            if point is None:
                open_.pop()
                continue
            number = sum(point.entry.done)
            self._say(number)
            if self._stopped():
                break
            if number > self.best:
                self.best, self.deepest, self.entries_of_best = number, point, self.entries
            elif self._ends(point):
                continue
            whole = whole or number == self.count
            open_.append((number, self._following([point])))
            if number == self.best and number - self.first_layer >= 2 * self.bounds.ahead and not whole:
                open_ = self._settle(open_)
        self._end(open_)
        return self._answer(whole, monotonic() - started)

    def _end(self, open_: list[Open]) -> None:
        """Nothing more is tried; what is left open."""

    def _stopped(self) -> bool:
        if self.control.stopped is not None:
            self.bound = "interrupted"
        elif self.entries > self.bounds.entries:
            self.bound = "entries"
        else:
            # where a line has no explanation the answer is known, and only the longest prefix is sought
            return bool(self.order.contradictions) and self.entries > self.entries_of_best + self.bounds.ahead
        return True

    # --- what is settled ---------------------------------------------------------------------------------------------

    def _settle(self, open_: list[Open]) -> list[Open]:
        """Forget the layers that are far behind; what is left to try then, the deepest at the end."""
        goal = self.best - self.bounds.ahead
        if self.came_back:
            of_way = [each for each in open_ if each[0] >= goal]
            left = self._tried(open_, goal)
            self._forget_before(goal)
            if not self.bounds.thorough and self.best >= self.calm_at:
                self.came_back = False
                beside = [(min(number, goal - 1), following) for number, following in left]
                left = [*(each for each, old in zip(beside, left, strict=True) if old not in of_way), *of_way]
            return left
        # the first: of all initial states
        first, *others = open_
        start, number = max(len(self.path), 1), self.first_layer
        self._forget_before(goal, hidden=False)
        aside: list[Open] = [each for each in others if each[0] < number]
        aside.append((number, self._untried(start, len(self.path))))
        return [first, *aside, *(each for each in others if each[0] >= goal)]

    def _tried(self, open_: list[Open], goal: int) -> list[Open]:
        """Try what was left behind the search; what is left then."""
        aside = [each for each in open_ if each[0] < self.first_layer]
        behind = [each for each in open_ if self.first_layer <= each[0] < goal]
        ahead = [each for each in open_ if each[0] >= goal]
        left: list[Open] = []
        allowed = self.patience
        # first what comes right after a point of the way, then what comes after that, while it is not too much
        while behind:
            further: list[Open] = []
            for _, following in behind:
                for point in following:
                    if not self._ends(point):
                        number = sum(point.entry.done)
                        (further if number < goal else left).append((number, self._following([point])))
            allowed -= len(further)
            behind = further
            if allowed < 0:
                left += behind
                break
        return sorted([*aside, *left, *ahead], key=lambda each: each[0])

    def _untried(self, start: int, end: int) -> Iterator[Point]:
        """What was not tried beside these steps of the settled path, the last first."""
        self.came_back, self.calm_at = True, self.best + _CALM * self.bounds.ahead
        way = [Point(entry, None, *step, row) for entry, step, row in self.path.again(start, end)]
        for before, point in pairwise(way):
            point.before = before
        way[0].settled = end - len(way)
        for point in reversed(way[start - end :]):
            yield from self._following([point])

    def _forget_before(self, goal: int, hidden: bool = True) -> None:
        """Forget the layers before this one, and keep the way through them to where the search is.

        `hidden`: everything was tried from what was reached by steps without a line, too.
        """
        way = self._way(self.deepest)
        if way[0] is not self.root:
            # the search came back to what was set aside, and got further
            self.path.cut(way[0].settled)
        kept: set[Entry] = set()
        for point in way:
            if sum(point.entry.done) >= goal:
                break
            kept.add(point.entry)
            if self.path.append(point.entry, point.action, point.arguments, point.event):
                self._remember(point)
        self._remember(point)
        point.before, point.settled = None, len(self.path)
        self.root = point
        for number in sorted(number for number in self.layers if number < goal):
            layer = self.layers.pop(number)
            self.known.update(hash(entry) for entry, found in layer.items() if hidden or not found.row or entry in kept)
            if number >= self.first_layer:
                self.widths.append(len({each.fingerprint for each in layer}))
        self.first_layer = max(goal, self.first_layer)
        self._choices.clear()

    def _way(self, point: Point | None) -> list[Point]:
        """How a point was reached, from one that is settled on."""
        way: list[Point] = []
        while point is not None:
            way.append(point)
            point = point.before
        way.reverse()
        return way

    def _remember(self, point: Point) -> None:
        """Keep its state."""
        self._state(point)  # others may have been looked at since it was found
        self.model.states.pin(point.entry.fingerprint)

    def remembers(self, entry: Entry) -> bool:
        return self.model.states.get(entry.fingerprint) is not None

    def again(self, before: Entry, action: str | None, event: int | None, wanted: int) -> Entry:
        for found in self._taken_again(Point(before), action, event):
            if hash(found) == wanted:
                return found
        raise AssertionError(f"the step {action} that led to a state does not lead to it again")

    def _first(self) -> list[Point]:
        found = []
        for state in self.model.subject.system.initial_states():
            entry = Entry(self.model.keep(state), self.streams.start, NOTHING, 0)
            self.model.states.pin(entry.fingerprint)
            point = self.layers[0][entry] = Point(entry)
            found.append(point)
        return found

    # --- steps -------------------------------------------------------------------------------------------------------

    def _following(self, starts: list[Point]) -> Iterator[Point]:
        """What is reached by explaining one more event, after steps without a line where none will do without."""
        queue = deque(starts)
        while queue:
            point = queue.popleft()
            events = self._choice(point.entry.done)
            for index in events:
                # lists: a generator that waits for its turn holds on to states
                for found in list(self._explained(point, index)):
                    if self._new(found):
                        yield found
            for found in list(self._unlogged(point, events)):
                if self._new(found):
                    queue.append(found)

    def _ends(self, point: Point) -> bool:
        """Whether an event that could be chosen to come next has no explanation. Others may go on for long, so this is
        asked where the search has been further already."""
        if self.lost or self.bounds.thorough:
            return False
        tried = dict.fromkeys(self._still_explained(point), True)
        ends = False
        for events in self.streams.choices(point.entry.done):
            for index in events:
                if index not in tried:
                    tried[index] = next(self._explained(point, index), None) is not None
                if tried[index]:
                    break
            else:
                ends = next(self._steps_without(point, events), None) is None
                if ends:
                    break
        point.explained = frozenset(index for index, explained in tried.items() if explained)
        return ends

    def _still_explained(self, point: Point) -> Iterator[int]:
        """The events that had an explanation before the last one, and commute with it."""
        before = point.before
        if before is None or point.event is None or not before.explained:
            return
        accesses = self.streams.accesses
        last = accesses[point.event]
        for index in before.explained:
            other = accesses[index]
            if index != point.event and last is not None and other is not None and not last.conflicts(other):
                yield index

    def _choice(self, done: Done) -> list[int]:
        found = self._choices.get(done)
        if found is None:
            streams = self.streams
            found = streams.next_events(done) if self.lost or self.bounds.thorough else streams.choice(done)
            self._choices[done] = found
        return found

    def _new(self, point: Point) -> bool:
        """Remember a point; whether there is anything to be looked at from it."""
        entry, number = point.entry, sum(point.entry.done)
        layer = self.layers.setdefault(number, {})
        known = layer.get(entry)
        if known is None:
            if number < self.first_layer and hash(entry) in self.known:
                return False
            if len(layer) >= self.bounds.width:
                self.bound = self.bound or "width"
                return False
            self.entries += 1
        elif known.row <= point.row:
            return False
        layer[entry] = point
        if not number % self.bounds.pinned:
            self._remember(point)
        return True

    def _explained(self, point: Point, index: int) -> Iterator[Point]:
        """The steps that an event can tell of."""
        event, model, entry = self.order.events[index], self.model, point.entry
        done = self.streams.after(entry.done, index)
        state, bindings = self._unfolded(point, event)
        some = False
        for action, said in event.steps:
            for arguments, target, bound, (last, here) in model.steps_in_a_row(
                state, action, said, bindings, event.parts
            ):
                for matched in model.state_matches(event, target, bound):
                    if not last.holds(here, action, arguments, target):
                        raise _not_a_step(action, arguments, str(event.origin))
                    some = True
                    yield Point(self._entry(target, done, matched, entry.lost), point, action, arguments, index)
        if not event.steps or (event.may_stutter and not some):
            for matched in model.state_matches(event, state, bindings):
                yield Point(self._entry(state, done, matched, entry.lost), point, event=index)

    def _unlogged(self, point: Point, events: list[int]) -> Iterator[Point]:
        """The steps that may leave no line and that one of these events may need."""
        entry = point.entry
        for name, arguments, target in self._steps_without(point, events):
            lost = entry.lost + (name not in self.hidden)
            if lost > self.lost:
                continue
            found = entry._replace(fingerprint=self.model.keep(self._bare(target)), lost=lost)
            if point.row < self.bounds.hidden:
                yield Point(found, point, name, arguments, None, point.row + 1)
            elif found not in self.layers.get(sum(entry.done), {}):
                self.bound = self.bound or "hidden"

    def _steps_without(self, point: Point, events: list[int]) -> Iterator[tuple[str, tuple[Value, ...], State]]:
        if not events and not self.bounds.thorough:
            return
        entry = point.entry
        if entry.lost < self.lost:
            actions = self.model.subject.system.actions
            self._state(point)
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
                state = self._state(point)
                for arguments, target, _ in self.model.steps_from(state, name, said, entry.bindings):
                    if not self.model.holds(state, name, arguments, target):
                        raise _not_a_step(name, arguments, "a step without a line")
                    yield name, arguments, target

    # --- folding -----------------------------------------------------------------------------------------------------

    def _unfolded(self, point: Point, event: Event) -> tuple[State, Bindings]:
        """The state for an event: whole, if it looks at what is folded."""
        state, bindings = self._state(point), point.entry.bindings
        if self.folding is None or not bindings.prefix.hides(event.lowest, event.highest):
            return state, bindings
        return self.folding.unfold(state, bindings)

    def _bare(self, state: State) -> State:
        return state if self.folding is None else self.folding.bare(state)

    def _entry(self, state: State, done: Done, bindings: Bindings, lost: int) -> Entry:
        if self.folding is not None:
            state = self.folding.bare(state)
            number = sum(done)
            kept = self.plan[number]
            again = bindings.prefix.is_beyond(kept)
            if again:
                state, bindings = self.folding.unfold(state, bindings)
            if self.bounds.pace.pays(number, bindings.prefix.base, kept.base, again):
                state, bindings = self.folding.fold(state, bindings, kept)
        return Entry(self.model.keep(state), done, bindings, lost)

    # --- states that are not remembered ------------------------------------------------------------------------------

    def _state(self, point: Point) -> State:
        """The state of a point; found again from the last one on its way that is remembered."""
        states = self.model.states
        found = states.get(point.entry.fingerprint)
        if found is not None:
            return found
        way = [point]
        while (before := way[-1].before) is not None and states.get(before.entry.fingerprint) is None:
            way.append(before)
        for later in reversed(way):
            self._find_again(later)
        return states[point.entry.fingerprint]

    def _find_again(self, point: Point) -> None:
        assert point.before is not None, "where a way begins is remembered"
        for found in self._taken_again(point.before, point.action, point.event):
            if found == point.entry:
                return
        raise AssertionError(f"the step {point.action} that led to a state does not lead to it again")

    def _taken_again(self, before: Point, action: str | None, event: int | None) -> Iterator[Entry]:
        """Where a step leads to; what is found last is in memory."""
        entry = before.entry
        if event is not None:
            for point in self._explained(before, event):
                yield point.entry
        elif action is not None:
            state = self._state(before)
            if entry.lost < self.lost:
                for _, _, target in self.model.successors(entry.fingerprint):
                    for lost in (entry.lost, entry.lost + 1):
                        yield entry._replace(fingerprint=self.model.keep(self._bare(target)), lost=lost)
            for _, target, _ in self.model.steps_from(state, action, (), entry.bindings):
                yield entry._replace(fingerprint=self.model.keep(self._bare(target)))

    def _say(self, number: int) -> None:
        now = monotonic()
        if now - self._said >= self.control.progress_seconds:
            self._said = now
            self.report(self.best, self.count, len(self.layers.get(number, ())))

    # --- the answer --------------------------------------------------------------------------------------------------

    def _answer(self, whole: bool, seconds: float) -> Validation:
        layers = [self.layers[number] for number in range(self.first_layer, self.best + 1)]
        impossible = self.order.contradictions and self.bound != "interrupted"
        answer = Answer.YES if whole else Answer.UNKNOWN if self.bound and not impossible else Answer.NO
        end = min(layers[-1].values(), key=lambda point: (point.entry.lost, point.row))
        order, way = self.order, self._way(end)
        self.widths.extend(len({entry.fingerprint for entry in layer}) for layer in layers)
        return Validation(
            answer,
            self.model,
            order,
            self.best,
            Steps(self.path, way[0].settled, order.events, self._state_of, tuple(map(self._taken, way))),
            self.widths,
            tuple(layers[-1]),
            tuple(layers),
            self.hidden,
            "" if whole else self.bound,
            end.entry.lost,
            seconds,
            self.entries,
            end.entry.bindings,
            {entry.done: tuple(order.events[i] for i in self._possible(entry.done)) for entry in layers[-1]},
            self._state_of,
        )

    def _state_of(self, entry: Entry) -> State:
        point = self.layers.get(sum(entry.done), {}).get(entry)
        return self.model.states[entry.fingerprint] if point is None else self._state(point)

    def _taken(self, point: Point) -> Taken:
        tell = None if point.event is None else partial(self.order.events.__getitem__, point.event)
        entry, find = point.entry, partial(self._state, point)
        return Taken(find, entry.fingerprint, point.action, point.arguments, tell, entry.bindings.prefix.base)

    def _possible(self, done: Done) -> list[int]:
        """The events that could come next; where what lines say of other nodes allows none, as if they said nothing."""
        return self._choice(done) or self.streams.written_next(done)


def _survey(events: Iterable[Event]) -> tuple[frozenset[str], Sequence[tuple[int, int]]]:
    """The actions that events name, and by event from which offset to which it looks."""
    named: set[str] = set()
    ranges: list[tuple[int, int]] = []
    for event in events:
        named.update(action for action, _ in event.steps)
        low = NO_OFFSET if event.lowest is None else event.lowest
        ranges.append((low, NO_OFFSET if event.highest is None else event.highest))
    return frozenset(named), ranges


def _not_a_step(action: str, arguments: tuple[Value, ...], where: str) -> AssertionError:
    return AssertionError(f"{where}: the step {action}{arguments} was found, and the specification is not true of it")
