"""What the lines of different nodes say of each other, as an order.

A line tells what its node did and how its state was afterwards. A step that looks at another node can be taken only
while that node is as the line needs it: a slave's "confirmed up to 401" was read off a master whose own lines say 401,
so it comes after the line with which the master reached 401 and before the one with which it left it. A `Demand` says
this of an event; at which positions of the other node's log it is met follows from that log alone, without the model.

Each such bound is an order that every explanation keeps. Bounds follow from bounds, so they are drawn as long as
there is something new, like messages: what is left open is what nothing in the run decides. Where a demand is met in
several positions the one next to where the event was read is tried first. All of this presumes that no line is lost.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from heapq import heapify, heappop, heappush
from typing import Any

from rmqproof.conformance.runs.event import Accesses
from rmqproof.conformance.runs.event_order import Order, same

Stream = tuple[str, str]
"""A node and which of its logs."""
_FAR = 4_096
"""Events of another log that are looked at for one demand; what is behind them is taken to be possible."""
_MOST_ROUNDS = 30


class Met(Enum):
    """Whether a node is as a step needs it. `UNKNOWN`: its lines do not show it, so it may be; `NEVER_AGAIN`: it is
    not, nor after any later line of that node."""

    YES = 1
    UNKNOWN = 2
    NO = 0
    NEVER_AGAIN = -1


@dataclass(frozen=True, slots=True)
class Demand:
    """A step needs facts of another node. `met` is asked for the facts after each of its lines; facts that are None
    are not known.

    `covers`: parts of the state (`Event.accesses`) of which the step reads nothing else: while the demand is met, the
    step commutes with steps that write them.
    """

    of: Stream
    met: Callable[[Any], Met]
    covers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the nodes by their own lines, and what each event needs of others.

    `first`: the facts before a stream's first event; `after`: by event, the facts after it; `demands`: by event.
    """

    first: Mapping[Stream, Any]
    after: Sequence[Any]
    demands: Sequence[tuple[Demand, ...]]


Intervals = tuple[tuple[int, int], ...]
"""Numbers of events of another stream that may be explained before an event; both ends are meant."""


@dataclass(slots=True)
class Bounds:
    """Where one demand of an event is met, as far as it is known now."""

    event: int
    stream: int
    demand: Demand
    low: int = -1
    high: int = -1
    intervals: Intervals = ()
    sure: bool = True
    """Everything about the positions at which it is met is known."""


@dataclass(slots=True)
class _Lines:
    """The events of an order by stream."""

    order: Order
    names: list[Stream] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=list)
    stream_of: list[int] = field(default_factory=list)
    position: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        numbers: dict[Stream, int] = {}
        for index, name in enumerate(self.order.nodes):
            stream = numbers.setdefault(name, len(numbers))
            if stream == len(self.lines):
                self.lines.append([])
            self.stream_of.append(stream)
            self.position.append(len(self.lines[stream]))
            self.lines[stream].append(index)
        self.names = list(numbers)


def ordered_by(order: Order, knowledge: Knowledge) -> Order:
    """The order with what follows from the demands.

    Its events are sorted anew: `needs` are the old ones, `derived` those that were drawn from the demands, `open` the
    demands that can be met at several positions, `contradictions` the events whose demands cannot be met or that would
    have to come before themselves.
    """
    if order.lost:
        return order
    return _Drawing(order, knowledge).run()


class _Drawing:
    def __init__(self, order: Order, knowledge: Knowledge) -> None:
        self.order, self.knowledge = order, knowledge
        self.streams = _Lines(order)
        self.needs = order.needs
        self.drawn: list[set[int]] = [set() for _ in order.events]
        self.impossible: set[int] = set()
        number = {name: position for position, name in enumerate(self.streams.names)}
        self.bounds = [
            Bounds(event, number[demand.of], demand)
            for event, demands in enumerate(knowledge.demands)
            for demand in demands
            if demand.of in number and number[demand.of] != self.streams.stream_of[event]
        ]
        self.clocks: list[tuple[int, ...]] = []

    def run(self) -> Order:
        for _ in range(_MOST_ROUNDS):
            line = self._sorted(self.drawn)
            self._count(line)
            if not sum(self._narrow(bound) for bound in self.bounds):
                break
        return self._answer()

    # --- clocks ------------------------------------------------------------------------------------------------------

    def _sorted(self, more: Sequence[Iterable[int]]) -> list[int]:
        """The events in an order that keeps the needs and these; where that is not possible, the needs."""
        before = [{*needs, *extra} for needs, extra in zip(self.needs, more, strict=True)]
        waiting = [len(needs) for needs in before]
        after: list[list[int]] = [[] for _ in before]
        for index, needs in enumerate(before):
            for need in needs:
                after[need].append(index)
        ready = [index for index, count in enumerate(waiting) if not count]
        heapify(ready)
        line: list[int] = []
        done = [False] * len(before)
        next_stuck = 0
        while len(line) < len(before):
            if ready:
                index = heappop(ready)
            else:
                # a circle: the first event that its needs allow goes on
                while done[next_stuck]:
                    next_stuck += 1
                index = self._let_go(next_stuck, done)
            if done[index]:
                continue
            done[index] = True
            line.append(index)
            for later in after[index]:
                waiting[later] -= 1
                if not waiting[later] and not done[later]:
                    heappush(ready, later)
        return line

    def _let_go(self, first: int, done: Sequence[bool]) -> int:
        """The first event that waits for nothing that was drawn; where there is none, one that has no position."""
        for index in range(first, min(first + _FAR, len(done))):
            if not done[index] and all(done[need] for need in (*self.needs[index], *self.drawn[index])):
                return index
        self.impossible.add(first)
        return first

    def _count(self, line: Sequence[int]) -> None:
        """For each event how many events of each stream come before it by all that is known, itself included."""
        streams = self.streams
        width = len(streams.lines)
        clocks: list[tuple[int, ...] | None] = [None] * len(line)
        for index in line:
            clock = [0] * width
            for need in (*self.needs[index], *self.drawn[index]):
                known = clocks[need]
                if known is not None:
                    clock = list(map(max, clock, known))
            clock[streams.stream_of[index]] = streams.position[index] + 1
            clocks[index] = tuple(clock)
        self.clocks = [clock for clock in clocks if clock is not None]
        assert len(self.clocks) == len(line)
        # by stream, by other stream: how many events of the other come before each of its events
        self.columns = [
            [[self.clocks[index][other] for index in events] for other in range(width)] for events in streams.lines
        ]

    # --- demands -----------------------------------------------------------------------------------------------------

    def _narrow(self, bound: Bounds) -> bool:
        """Draw what follows from a demand; whether that was something new."""
        event, streams = bound.event, self.streams
        own, other = streams.stream_of[event], bound.stream
        low = max(bound.low, self.clocks[event][other])
        # the first event of the other stream that comes after this one
        end = bisect_right(self.columns[other][own], streams.position[event])
        high = end if bound.high < 0 else min(bound.high, end)
        if (low, high) == (bound.low, bound.high):
            return False
        found = self._met(bound, low, high)
        if not found:
            bound.low, bound.high, bound.intervals = low, high, ()
            if event in self.impossible:
                return False
            self.impossible.add(event)
            return True
        bound.low, bound.high, bound.intervals = found[0][0], found[-1][1], found
        line, new = streams.lines[other], False
        if bound.low > self.clocks[event][other]:
            new |= self._draw(line[bound.low - 1], event)
        if bound.high < len(line) and bound.high < end:
            new |= self._draw(event, line[bound.high])
        return new

    def _draw(self, one: int, other: int) -> bool:
        """`one` comes before `other`."""
        if one in self.drawn[other] or one in self.needs[other]:
            return False
        self.drawn[other].add(one)
        return True

    def _met(self, bound: Bounds, low: int, high: int) -> Intervals:
        """Where the demand is met between these numbers of events, ends included."""
        met, line = bound.demand.met, self.streams.lines[bound.stream]
        found: list[tuple[int, int]] = []
        sure = True
        for position in range(low, min(high, low + _FAR) + 1):
            facts = self._facts(bound, line, position)
            answer = Met.UNKNOWN if facts is None else met(facts)
            if answer is Met.YES or answer is Met.UNKNOWN:
                sure &= answer is Met.YES
                if found and found[-1][1] == position - 1:
                    found[-1] = (found[-1][0], position)
                else:
                    found.append((position, position))
            elif answer is Met.NEVER_AGAIN and found:
                break
        else:
            if high > low + _FAR:
                found.append((low + _FAR + 1, high))
        bound.sure = sure and len(found) == 1
        return tuple(found)

    def _facts(self, bound: Bounds, line: Sequence[int], count: int) -> Any:
        """After so many events of a stream."""
        return self.knowledge.after[line[count - 1]] if count else self.knowledge.first.get(bound.demand.of)

    # --- the answer --------------------------------------------------------------------------------------------------

    def _answer(self) -> Order:
        soft: list[set[int]] = [set(drawn) for drawn in self.drawn]
        for bound in self.bounds:
            if len(bound.intervals) > 1:
                line, event = self.streams.lines[bound.stream], bound.event
                low, high = self._nearest(bound, bisect_left(line, event))
                if low and not self._comes_after(event, line[low - 1]):
                    soft[event].add(line[low - 1])
                if high < len(line) and not self._comes_after(line[high], event):
                    soft[line[high]].add(event)
        contradictions = set(self.impossible)
        line = self._sorted(soft)
        rank = {index: position for position, index in enumerate(line)}
        gaps: dict[int, list[tuple[int, Intervals]]] = {}
        for bound in self.bounds:
            if len(bound.intervals) > 1:
                gaps.setdefault(rank[bound.event], []).append((bound.stream, bound.intervals))
        names = self.streams.names
        order = self.order
        return replace(
            order,
            events=order.chosen(line),
            nodes=[order.nodes[index] for index in line],
            accesses=same(map(self._without_covered(), line)) if order.accesses else (),
            needs=tuple(tuple(sorted(rank[need] for need in order.needs[index])) for index in line),
            derived=tuple(tuple(sorted(rank[need] for need in self.drawn[index])) for index in line),
            open={index: tuple((names[s], found) for s, found in several) for index, several in gaps.items()},
            contradictions=frozenset(rank[index] for index in contradictions),
        )

    def _without_covered(self) -> Callable[[int], Accesses | None]:
        """What events touch, without reads of what their position in the order decides."""
        covered: dict[int, frozenset[str]] = {}
        for bound in self.bounds:
            if bound.sure and bound.demand.covers:
                covered[bound.event] = covered.get(bound.event, frozenset()) | bound.demand.covers

        def accesses(index: int) -> Accesses | None:
            found = self.order.accesses[index]
            if index not in covered or found is None:
                return found
            return Accesses(found.reads - covered[index], found.writes)

        return accesses

    def _nearest(self, bound: Bounds, count: int) -> tuple[int, int]:
        """Of where a demand is met the position next to where the event was read, after so many of the others."""
        return min(bound.intervals, key=lambda found: max(found[0] - count, count - found[1], 0))

    def _comes_after(self, one: int, other: int) -> bool:
        """Whether `one` comes after `other` anyway."""
        stream = self.streams.stream_of[other]
        return self.clocks[one][stream] > self.streams.position[other]
