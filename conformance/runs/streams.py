"""Which events have to be tried in more than one order, and which need not.

Each node's log is a stream of events; a message puts an event of one stream before one of another. What is left open is
the order of concurrent events, and most of it makes no difference: two events commute where neither writes what the
other touches (`Event.accesses`). So where the next event of a stream commutes with everything of the other streams that
could still come before it, it can come now: every explanation of the run can be reordered into one that begins so.
Otherwise those streams are looked at together (a persistent set in Godefroid's sense; *Partial-Order Methods for the
Verification of Concurrent Systems*, 1996). Where nothing is known of what events touch, every order is tried.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from rmqproof.conformance.runs.event_order import Order

Done = tuple[int, ...]
"""How many events of each stream are explained."""
_REMEMBERED = 4_096
_Touched = dict[str, dict[int, list[int]]]
"""By part of the state and stream: the positions of events."""


class Streams:
    """The events of an order, by stream. Events are meant by their number in `order.events`."""

    def __init__(self, order: Order) -> None:
        self.order = order
        number: dict[tuple[str, str], int] = {}
        self.stream_of = [number.setdefault(name, len(number)) for name in order.nodes]
        self.accesses = order.accesses or [event.accesses for event in order.events]
        names = list(number)
        self.lines: list[list[int]] = [[] for _ in names]
        self.position: list[int] = []
        for index, stream in enumerate(self.stream_of):
            self.position.append(len(self.lines[stream]))
            self.lines[stream].append(index)
        self._open = {
            index: [(number[stream], intervals) for stream, intervals in found] for index, found in order.open.items()
        }
        # by stream, by other stream: how many events of the other are before or at each of its events
        self._columns = self._clocks(order)
        self._accessed, self._written = self._by_part()
        self._unknown = [[p for p, i in enumerate(line) if self.accesses[i] is None] for line in self.lines]
        self._last: dict[int, tuple[int, ...]] = {}

    @property
    def start(self) -> Done:
        return (0,) * len(self.lines)

    def next_events(self, done: Done) -> list[int]:
        """The events that can come next by the orders that must be kept, in the order in which they were read."""
        return sorted(i for i in self._heads(done) if i is not None and self._ready(i, done))

    def written_next(self, done: Done) -> list[int]:
        """The events that can come next by their nodes' order and by messages alone."""
        found = []
        for index in self._heads(done):
            if index is not None and all(
                self.position[need] < done[self.stream_of[need]] for need in self.order.needs[index]
            ):
                found.append(index)
        return sorted(found)

    def choice(self, done: Done) -> list[int]:
        """Of those, some that are enough to try: every explanation can be reordered to begin with one of them."""
        best: list[int] = []
        for seed in self.next_events(done):
            found = self._together(seed, done)
            if not best or len(found) < len(best):
                best = found
            if len(best) == 1:
                break
        return best

    def choices(self, done: Done) -> list[list[int]]:
        """All such choices: where none of the events of one has an explanation, there is none of the run."""
        found = {tuple(self._together(seed, done)) for seed in self.next_events(done)}
        return sorted(map(list, found), key=len)

    def after(self, done: Done, index: int) -> Done:
        stream = self.stream_of[index]
        return (*done[:stream], done[stream] + 1, *done[stream + 1 :])

    # -----------------------------------------------------------------------------------------------------------------

    def _clocks(self, order: Order) -> list[list[array[int]]]:
        width = len(self.lines)
        found = [[array("q", bytes(8 * len(line))) for _ in range(width)] for line in self.lines]
        derived = order.derived or ((),) * len(self.stream_of)
        for index, (needs, more) in enumerate(zip(order.needs, derived, strict=True)):
            clock = [0] * width
            for need in (*needs, *more):
                # what is drawn from contradictions can come before itself
                if need < index:
                    clock = list(map(max, clock, self._before(found, need)))
            own, position = self.stream_of[index], self.position[index]
            clock[own] = position + 1
            for other, count in enumerate(clock):
                found[own][other][position] = count
        return found

    def _before(self, columns: list[list[array[int]]], index: int) -> list[int]:
        """How many events of each stream are before an event, itself included."""
        position = self.position[index]
        return [column[position] for column in columns[self.stream_of[index]]]

    def _by_part(self) -> tuple[_Touched, _Touched]:
        """Where events touch a part of the state, and where they write it: by part and stream, the positions."""
        accessed: _Touched = defaultdict(dict)
        written: _Touched = defaultdict(dict)
        for stream, line in enumerate(self.lines):
            for position, index in enumerate(line):
                accesses = self.accesses[index]
                if accesses is None:
                    continue
                for part in accesses.reads | accesses.writes:
                    accessed[part].setdefault(stream, []).append(position)
                for part in accesses.writes:
                    written[part].setdefault(stream, []).append(position)
        return accessed, written

    def _heads(self, done: Done) -> Iterable[int | None]:
        for line, position in zip(self.lines, done, strict=True):
            yield line[position] if position < len(line) else None

    def _ready(self, index: int, done: Done) -> bool:
        own = self.stream_of[index]
        return (
            index not in self.order.contradictions
            and all(
                need <= have
                for stream, (need, have) in enumerate(zip(self._before(self._columns, index), done, strict=True))
                if stream != own
            )
            and all(_inside(intervals, done[stream]) for stream, intervals in self._open.get(index, ()))
        )

    def _together(self, seed: int, done: Done) -> list[int]:
        """The next events of the streams that have to be looked at with that of the seed."""
        heads = list(self._heads(done))
        inside, queue, found = {self.stream_of[seed]}, [seed], []
        while queue:
            index = queue.pop()
            wanted = set()
            if self._ready(index, done):
                found.append(index)
                last = self._last_conflicts(index)
                wanted = {stream for stream, position in enumerate(last) if position >= done[stream]}
            else:
                needs = self._before(self._columns, index)
                wanted = {stream for stream in range(len(heads)) if needs[stream] > done[stream]}
                wanted |= {
                    stream for stream, intervals in self._open.get(index, ()) if not _inside(intervals, done[stream])
                }
            for stream in wanted - inside:
                inside.add(stream)
                head = heads[stream]
                if head is not None:
                    queue.append(head)
        return sorted(found)

    def _last_conflicts(self, index: int) -> tuple[int, ...]:
        """By stream: the last event that does not commute with this one and need not come after it; -1: none."""
        known = self._last.get(index)
        if known is None:
            if len(self._last) > _REMEMBERED:
                self._last.clear()
            known = self._last[index] = self._conflicts(index)
        return known

    def _conflicts(self, index: int) -> tuple[int, ...]:
        own, accesses = self.stream_of[index], self.accesses[index]

        def end(stream: int) -> int:
            return bisect_right(self._columns[stream][own], self.position[index])

        if accesses is None:
            return tuple(-1 if stream == own else end(stream) - 1 for stream in range(len(self.lines)))
        found = [_last_before(known, end(stream)) if known else -1 for stream, known in enumerate(self._unknown)]
        for parts, touched in ((accesses.writes, self._accessed), (accesses.reads, self._written)):
            for part in parts:
                for stream, known in touched.get(part, {}).items():
                    found[stream] = max(found[stream], _last_before(known, end(stream)))
        found[own] = -1
        return tuple(found)


def _inside(intervals: Sequence[tuple[int, int]], number: int) -> bool:
    return any(low <= number <= high for low, high in intervals)


def _last_before(positions: Sequence[int], end: int) -> int:
    """The last of these positions before an end; -1: none."""
    index = bisect_left(positions, end)
    return positions[index - 1] if index else -1
