"""Is every event of a run held to its numbers: `python -m bench.every_alteration run/traces/*`.

Of every event with a number in its state or its arguments one number, drawn from a seed, is altered by one, and it is
decided whether the run is still a behaviour. `bench.alterations` validates the whole run for each. Here the run is
validated once, and each alteration is decided when the search has passed its event:

- This search tries everything, not only the way that it finds, so it is known from which points an event was tried.
  With the altered event it is at the same points before it. If it has no explanation at any of them: "no". If one leads
  to where the event itself led, what comes afterwards is as it was: "yes".
- What a line needs of other nodes (`rmqproof.rocketmq.runs.demands`) was used to leave out points. If what the altered
  line needs is so nowhere: "no", as `validate` says it.
- If it is so at other points, too, or the altered event leads elsewhere, the events around it are searched anew, from a
  point where the search knew only one, with all orders that nodes and messages leave for the altered event: "no" if no
  way leads through them, "yes" if one leads to where the way of the run goes on. Neither: "open".

That what is far from an altered event does not depend on it is argued, and compared with `validate` in a test: of what
comes before the last moment at which the search knew only one point that point is all that is asked; and other nodes'
lines may need what the altered line says, but a way on which the altered line is explained goes through the
events around it, where nothing is presumed of it.

`--workers N`: of a long run one process finds the way alone, and parts of the run are tried wholly by processes of
their own, each from a little before its part on, from the point where the way was. So "no" presumes of what comes
before that point that it is all there is, too.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import pickle
import sys
import tempfile
import traceback
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from bench.alterations import Alteration, altered
from rmqproof.conformance.runs.event import Event, RunError
from rmqproof.conformance.runs.event_order import Order, order_of
from rmqproof.conformance.runs.folded_prefix import Kept
from rmqproof.conformance.runs.folding import Folding
from rmqproof.conformance.runs.happens_before import Met
from rmqproof.conformance.runs.model import RunModel, open_run_model
from rmqproof.conformance.runs.search import Open, Search
from rmqproof.conformance.runs.streams import Streams
from rmqproof.conformance.runs.validation import Bounds, Entry, Point, Validation
from rmqproof.model.search.collector import quiet_collector
from rmqproof.model.search.control import Control
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.runs.cluster import CONTROLLER, with_text
from rmqproof.rocketmq.runs.demands import Late, cluster_knowledge, facts_and_demands, facts_at_first
from rmqproof.rocketmq.runs.format import CLUSTER

_MODEL = ModelFiles(bundled("LateAcks.tla"), bundled(CLUSTER.config))
_LATE = Late(acks=True)
_FAR = 4_096
_MOST = 12_000
"""Places of a window."""
_PATIENCE = 16
_RECENT = 16_384
"""States in memory: an alteration is decided when the search is hundreds of events further."""
_WINDOWS = (32, 200, 1_600)
"""Events before and after an altered one that are searched anew."""
_PART = 6_000
"""Events that a process decides; of half as many before them it tries everything, too."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`why`: how it was decided."""

    alteration: Alteration
    answer: str
    why: str


@dataclass(slots=True)
class Parts:
    """Parts of a run, each for a process of its own, which are copies of the one that finds the way (POSIX).

    `folder`: where each leaves its verdicts, one after the other; `workers`: how many there are at a time; `size`: how
    many events a part decides.
    """

    folder: Path
    workers: int
    size: int
    running: set[int] = field(default_factory=set)

    def fork(self) -> bool:
        """Whether this is the new process. Raise `ChildProcessError` where an earlier one has failed."""
        while len(self.running) >= self.workers:
            self.wait()
        child = os.fork()
        self.running.add(child)
        return not child

    def wait(self) -> None:
        child, status = os.wait()
        self.running.discard(child)
        if status:
            raise ChildProcessError(f"a part of the run was not decided (status {status})")

    def leave(self, start: float, found: Sequence[Verdict]) -> None:
        (self.folder / f"{start}.pickle").write_bytes(pickle.dumps(found))

    def found(self) -> Iterator[Verdict]:
        """In the order of the run."""
        for path in sorted(self.folder.glob("*.pickle"), key=lambda path: int(path.stem)):
            yield from pickle.loads(path.read_bytes())


class Sweep(Search):
    """A search that decides alterations of the events that are behind it."""

    def __init__(
        self,
        model: RunModel,
        order: Order,
        bounds: Bounds,
        folding: Folding | None,
        seed: int,
        tell: Callable[[Verdict], None],
        parts: Parts | None = None,
    ) -> None:
        super().__init__(model, order, bounds, Control(), lambda *_: None, folding)
        self.came_back = parts is None
        self.calm_at = sys.maxsize
        self.parts = parts
        self.part: tuple[float, float] = (0, math.inf)
        """Which events are altered: after how many, and up to how many."""
        self.next_part = 0
        self.forked = False
        self.patience = _PATIENCE * bounds.ahead
        self.seed = seed
        self.tell = tell
        self.attempts: dict[int, dict[Any, Point]] = {}
        """By event: from where it was tried."""
        self.open: list[int] = []
        """After how many events there are points from which not everything was tried."""
        self.one_point = 0
        """The last number of events, among those decided, after which the search knew only one point."""
        self.knowledge = cluster_knowledge(order.events, order.nodes, CONTROLLER, True, _LATE)
        # by messages and the order of the nodes alone
        self.written = Streams(replace(order, derived=(), open={}))
        self.names = list(dict.fromkeys(order.nodes))
        self.numbers = {name[0]: number for number, name in enumerate(self.names)}
        """By node: which stream it is, the last of several."""
        self._deciding = False

    def _explained(self, point: Point, index: int) -> Iterator[Point]:
        if not self._deciding and self.came_back:
            self.attempts.setdefault(index, {})[point.entry] = point
        return super()._explained(point, index)

    def _settle(self, open_: list[Open]) -> list[Open]:
        goal = self.best - self.bounds.ahead
        if self.parts is not None and not self.came_back:
            if self.best >= self.next_part - self.parts.size // 2:
                self._begin_part(self.parts)
            if not self.came_back:
                return super()._settle(open_)
        left = self._tried(open_, goal)
        self.open = [number for number, _ in left]
        self._decide(goal)
        self._forget_before(goal)
        return left

    def run(self) -> Validation:
        if self.parts is not None:
            self._begin_part(self.parts)
        return super().run()

    def _begin_part(self, parts: Parts) -> None:
        """In a process of its own."""
        start, self.next_part = self.next_part, self.next_part + parts.size
        self.forked = self.came_back = parts.fork()
        if self.forked:
            self.part = start, start + parts.size

    def _stopped(self) -> bool:
        return (self.first_layer >= self.part[1] and self.forked) or super()._stopped()

    def _untried(self, start: int, end: int) -> Iterator[Point]:
        if not self.came_back:  # it came back by itself: the rest is one part
            self.part = (self.next_part, math.inf)
        return super()._untried(start, end)

    def _end(self, open_: list[Open]) -> None:
        if self.best == self.count and self.came_back:
            self.open = [number for number, _ in self._tried(open_, self.count + 1)]
            self._decide(self.count + 1)

    def _decide(self, goal: int) -> None:
        self._deciding = True
        self.way = self._way(self.deepest)
        for point in self.way:
            number = sum(point.entry.done)
            if point.event is not None and self.first_layer < number <= goal:
                attempts = self.attempts.pop(point.event, None)
                if attempts is not None and self.part[0] < number <= self.part[1]:
                    self._alter(point, point.event, attempts)
            if number <= goal and len(self.layers.get(number, {})) == 1:
                self.one_point = number
        self._deciding = False

    def _alter(self, point: Point, index: int, attempts: dict[Any, Point]) -> None:
        event = self.order.events[index]
        if not event.origin.line:
            return
        found = altered(event.text, event.origin.line, self.seed)
        if found is None:
            return
        alteration, text = found
        answer, why = self._answer_of(point, index, event, text, attempts)
        self.tell(Verdict(alteration, answer, why))

    def _answer_of(
        self, point: Point, index: int, event: Event, text: str, attempts: dict[Any, Point]
    ) -> tuple[str, str]:
        try:
            other = _LATE.mapped(self.model.meant(with_text(event, text, self._last_with_disk(index))))
        except RunError:
            return "unreadable", ""
        needed = self._needed(index, other)
        if needed == "nowhere":
            return "no", "no point"
        if needed == "here":
            answer = self._where_it_was_tried(point, index, other, attempts)
            if answer is not None:
                return answer
        for width in _WINDOWS:
            answer = self._in_a_window(point, index, other, width)
            if answer is not None:
                return answer
        return "open", needed

    def _where_it_was_tried(
        self, point: Point, index: int, other: Event, attempts: dict[Any, Point]
    ) -> tuple[str, str] | None:
        # an event of the order is exchanged for a moment
        events, self.order = self.order, replace(self.order, events=_With(self.order.events, index, other))
        try:
            found = [found.entry for before in attempts.values() for found in self._explained(before, index)]
        finally:
            self.order = events
        if point.entry in found:
            return "yes", "the same point"
        if not found and not any(self.one_point <= number < sum(point.entry.done) for number in self.open):
            return "no", "no step"
        return None

    def _in_a_window(self, point: Point, index: int, other: Event, width: int) -> tuple[str, str] | None:
        """Search the events around an altered one anew, with every position of it that nodes and messages leave."""
        middle = self.way.index(point)
        first = max(0, middle - width)
        while first and len(self.layers.get(sum(self.way[first].entry.done), {})) != 1:
            first -= 1
        last = min(middle + width, len(self.way) - 1)
        start, inside = self.way[first], self.way[first + 1 : last + 1]
        chosen = [found.event for found in inside if found.event is not None]
        end = inside[-1].entry
        search = _Window(self, start, chosen, index, other)
        answer = search.leads_to(end)
        return None if answer is None else (answer, f"{width} events")

    def _last_with_disk(self, index: int) -> Event | None:
        line = self.streams.lines[self.streams.stream_of[index]]
        for position in range(self.streams.position[index] - 1, -1, -1):
            event = self.order.events[line[position]]
            if "disk.epochFile" in event.state:
                return event
        return None

    # --- what the altered line needs of other nodes ------------------------------------------------------------------

    def _needed(self, index: int, other: Event) -> str:
        """Where what it needs of other nodes is so: "here" (where the event was tried, if anywhere), "elsewhere" (too),
        "nowhere"."""
        streams = self.streams
        own, position = streams.stream_of[index], streams.position[index]
        node = self.order.nodes[index][0]
        before = facts_at_first(node, CONTROLLER)
        if position:
            before = self.knowledge.after[streams.lines[own][position - 1]]
        _, wanted = facts_and_demands(other, before, CONTROLLER, True, _LATE)
        numbers = self.numbers
        old: dict[int, list[Any]] = {number: [] for number in numbers.values()}
        new: dict[int, list[Any]] = {number: [] for number in numbers.values()}
        for demand in self.knowledge.demands[index]:
            old[numbers[demand.of[0]]].append(demand.met)
        for name, met, _ in wanted:
            if name in numbers:
                new[numbers[name]].append(met)
        answer = "here"
        for stream in numbers.values():
            if stream == own or list(map(_key, old[stream])) == list(map(_key, new[stream])):
                continue
            ours = self._places(index, stream, old[stream])
            theirs = self._places(index, stream, new[stream])
            if not theirs:
                return "nowhere"
            if not theirs <= ours:
                answer = "elsewhere"
        return answer

    def _places(self, index: int, stream: int, demands: Sequence[Any]) -> set[int]:
        """After how many events of another stream all this is so, by the orders that do not come from this event."""
        streams, written = self.streams, self.written
        own, position = streams.stream_of[index], streams.position[index]
        low = written._before(written._columns, index)[stream]
        high = bisect_right(written._columns[stream][own], position)
        line = streams.lines[own]
        if position:
            low = max(low, streams._before(streams._columns, line[position - 1])[stream])
        if position + 1 < len(line):
            high = min(high, bisect_right(streams._columns[stream][own], position + 1))
        found = set()
        name = self.names[stream]
        for count in range(low, min(high, low + _FAR) + 1):
            facts = self.knowledge.after[streams.lines[stream][count - 1]] if count else self.knowledge.first[name]
            if all(facts is None or met(facts) in (Met.YES, Met.UNKNOWN) for met in demands):
                found.add(count)
        return found


class _Window(Search):
    """A search of some events of a run, one of them altered, from one point on."""

    def __init__(self, whole: Sweep, start: Point, chosen: Sequence[int], index: int, other: Event) -> None:
        rank = {event: number for number, event in enumerate(chosen)}
        order, altered = whole.order, rank[index]

        def inside(needs: Sequence[int]) -> tuple[int, ...]:
            return tuple(rank[need] for need in needs if need in rank)

        drawn = [inside(order.derived[event]) for event in chosen]
        window = replace(
            order,
            events=[other if event == index else order.events[event] for event in chosen],
            needs=tuple(inside(order.needs[event]) for event in chosen),
            derived=tuple(
                () if number == altered else tuple(need for need in needs if need != altered)
                for number, needs in enumerate(drawn)
            ),
            open={},
            contradictions=frozenset(),
            accesses=[None if event == index else order.accesses[event] for event in chosen],
            nodes=[order.nodes[event] for event in chosen],
        )
        self.start, self.state = start.entry, whole._state(start)
        super().__init__(whole.model, window, whole.bounds, Control(), lambda *_: None, whole.folding)
        self.plan = [Kept(self.start.bindings.prefix.base)] * (len(chosen) + 1)

    def _first(self) -> list[Point]:
        entry = self.start._replace(done=self.streams.start)
        point = self.layers[0][entry] = Point(entry)
        self.model.keep(self.state)
        return [point]

    def leads_to(self, end: Entry) -> str | None:
        """ "yes": to this point; "no": to none; None: to others."""
        self.model.prepare(self.named | self.hidden)
        stack, some = [self._following(self._first())], False
        while stack and self.entries < _MOST:
            point = next(stack[-1], None)
            if point is None:
                stack.pop()
            elif sum(point.entry.done) < self.count:
                stack.append(self._following([point]))
            else:
                some = True
                state, bindings = self._state(point), point.entry.bindings
                if self.folding is not None and bindings.prefix.base < end.bindings.prefix.base:
                    state, bindings = self.folding.fold(state, bindings, Kept(end.bindings.prefix.base))
                if (self.model.keep(state), bindings) == (end.fingerprint, end.bindings):
                    return "yes"
        return None if some or stack else "no"


class _With(Sequence[Event]):
    """Events, one of them another one."""

    def __init__(self, events: Sequence[Event], index: int, event: Event) -> None:
        self._events, self._index, self._event = events, index, event

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, index: Any) -> Any:
        return self._event if index == self._index else self._events[index]


def _key(met: Any) -> Any:
    return (getattr(met, "func", met), getattr(met, "args", ()))


@quiet_collector()
def sweep(
    run: Sequence[Path], seed: int, tell: Callable[[Verdict], None], workers: int = 1, part: int = _PART
) -> Validation:
    """Validate a run, and decide an alteration of every event; in parts of so many events, where there are several
    workers. Raise `RunError`, `ChildProcessError`."""
    events, rules = CLUSTER.read(run, None)
    model = open_run_model(_MODEL, rules)
    bounds = Bounds(recent=_RECENT)
    order, folding = CLUSTER.refine(model, events, order_of(events), bounds)
    if model.subject.replaced:
        order = order.mapped(model.meant)
    if workers == 1 or len(order.events) < 2 * part:
        return Sweep(model, order, bounds, folding, seed, tell).run()
    with tempfile.TemporaryDirectory(prefix="alterations") as folder:
        parts, found = Parts(Path(folder), workers, part), list[Verdict]()
        search = Sweep(model, order, bounds, folding, seed, found.append, parts)
        try:
            validation = search.run()
            if search.came_back:
                parts.leave(search.part[0], found)
        except BaseException:
            if search.forked:
                traceback.print_exc()
                os._exit(1)
            raise
        if search.forked:
            os._exit(0)
        while parts.running:
            parts.wait()
        for verdict in parts.found():
            tell(verdict)
    return validation


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.every_alteration", description=__doc__.splitlines()[0])
    said = "of a run of `rmqproof cluster` (all of DIR/traces), or of `python -m bench.long_run`"
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=said)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="parts that are decided at a time")
    parser.add_argument("--results", type=Path, metavar="FILE", help="where each answer is written, a line each")
    given = parser.parse_args(arguments)
    counts: Counter[tuple[str, str]] = Counter()
    started, began = process_time(), monotonic()
    with open(given.results or os.devnull, "w", encoding="utf-8") as out:

        def tell(found: Verdict) -> None:
            counts[found.answer, found.why] += 1
            out.write(json.dumps({**asdict(found.alteration), "answer": found.answer, "why": found.why}) + "\n")

        try:
            found = sweep(given.files, given.seed, tell, given.workers)
        except (RunError, OSError) as error:
            print(error, file=sys.stderr)
            return 2
    print(f"unaltered: {found.answer}, {found.explained:,} events, {found.tried:,} points")
    for (answer, why), count in sorted(counts.items()):
        print(f"{answer:10} {why:16} {count:8,}")
    spent = process_time() - started + sum(os.times()[2:4])
    print(f"{spent:.1f} s of a processor, {monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
