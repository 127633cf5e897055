"""Which events come before which: the order of each node, and messages. Clocks decide nothing."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from rmqproof.conformance.runs.event import Accesses, Event, RunError
from rmqproof.conformance.runs.packed import ChosenEvents, PackedEvents


@dataclass(frozen=True, slots=True)
class Order:
    """`events` in an order that is possible and near to the one in which they were read.

    `needs[i]`: the events that come right before event i by its node's order or by a message. `lost`: lines that are
    missing by the nodes' own counting; `unsent`: messages received whose sending no line tells of.
    """

    events: Sequence[Event]
    needs: tuple[tuple[int, ...], ...]
    lost: int
    lost_at: tuple[str, ...]
    unsent: int
    silent: int = 0
    """Lines that are there for the order of others only, and are not among `events`."""
    derived: tuple[tuple[int, ...], ...] = ()
    """For each event those that come before it by what the lines say of others (happens_before); empty: not asked."""
    open: Mapping[int, tuple[tuple[tuple[str, str], tuple[tuple[int, int], ...]], ...]] = field(default_factory=dict)
    """Events that can come at several positions in another stream: which, and how many of its events may come first."""
    contradictions: frozenset[int] = frozenset()
    """Events that can come nowhere by what the lines say."""
    accesses: Sequence[Accesses | None] = ()
    """What the steps of each event touch; empty: what is said in the events."""
    nodes: Sequence[tuple[str, str]] = ()
    """Of each event: its node and which of its logs."""

    def chosen(self, indices: Sequence[int]) -> Sequence[Event]:
        """These events."""
        return chosen_events(self.events, indices)

    def mapped(self, change: Callable[[Event], Event]) -> Order:
        """With each event as a function makes it."""
        if isinstance(self.events, tuple):
            return replace(self, events=tuple(map(change, self.events)))
        return replace(self, events=ChosenEvents(self.events, range(len(self.events)), change))


def chosen_events(events: Sequence[Event], indices: Sequence[int]) -> Sequence[Event]:
    """These events, packed if they are."""
    if isinstance(events, PackedEvents | ChosenEvents):
        return ChosenEvents(events, array("q", indices))
    return tuple(events[index] for index in indices)


def same(accesses: Iterable[Accesses | None]) -> list[Accesses | None]:
    """Equal ones once in memory."""
    known: dict[Accesses | None, Accesses | None] = {}
    return [known.setdefault(each, each) for each in accesses]


def order_of(events: Sequence[Event]) -> Order:
    """Raise `RunError` where no order is possible, or one event is written in two ways."""
    if not events:
        raise RunError("The run is empty: nothing was recorded, so nothing can be said of it.")
    heads = [_head(event) for event in events]
    nodes: dict[tuple[str, str], list[int]] = {}
    for index, head in enumerate(heads):
        nodes.setdefault((head.node, head.stream), []).append(index)
    before: list[tuple[int, ...]] = [()] * len(heads)
    dropped: set[int] = set()
    merged: dict[int, Event] = {}
    lost, lost_at = 0, []
    for (name, _), indices in nodes.items():
        line = _counted(name, indices, events, heads, dropped, merged)
        first = heads[line[0]].sequence
        if first is not None and first > 1:
            lost += first - 1
            lost_at.append(f"{first - 1} of {name} before {events[line[0]].origin}")
        for one, other in pairwise(line):
            before[other] = (one,)
            if heads[one].sequence is None or heads[other].sequence is None:
                continue
            gap = (heads[other].sequence or 0) - (heads[one].sequence or 0) - 1
            if gap > 0:
                lost += gap
                lost_at.append(f"{gap} of {name} before {events[other].origin}")
    awaited = {message for head in heads for message in head.received}
    senders: dict[str, list[int]] = {}
    for index, head in enumerate(heads):
        if index not in dropped:
            for message in dict.fromkeys(head.sent):
                if message in awaited:
                    senders.setdefault(message, []).append(index)
    unsent = 0
    for index, head in enumerate(heads):
        if index in dropped:
            continue
        for message in head.received:
            sending = [sender for sender in senders.get(message, ()) if sender != index]
            unsent += not sending
            # sent more than once: it came after the first of them, whichever that was; only one is known
            if len(sending) == 1 and sending[0] not in before[index]:
                before[index] = (*before[index], sending[0])
    line = _sorted(events, heads, before, dropped)
    told_events = [merged.get(index) for index in range(len(heads))] if merged else []
    return _told(events, told_events, heads, before, line, lost, lost_at, unsent)


class _Head(NamedTuple):
    """What orders an event."""

    node: str
    stream: str
    sequence: int | None
    clock: float | None
    sent: tuple[str, ...]
    received: tuple[str, ...]
    says_nothing: bool


def _head(event: Event) -> _Head:
    return _Head(
        event.node, event.stream, event.sequence, event.clock, event.sent, event.received, event.says_nothing
    )  # fmt: skip


def _counted(
    name: str, indices: list[int], events: Sequence[Event], heads: list[_Head], dropped: set[int],
    merged: dict[int, Event],
) -> list[int]:  # fmt: skip
    """The events of a node in its order. One event may stand in several files, written by replicas of the node."""
    if any(heads[index].sequence is None for index in indices):
        return indices
    line = sorted(indices, key=lambda index: (heads[index].sequence or 0, index))
    kept: list[int] = []
    for index in line:
        if kept and heads[kept[-1]].sequence == heads[index].sequence:
            one, other = merged.get(kept[-1], events[kept[-1]]), events[index]
            if (one.action, one.arguments, one.state) != (other.action, other.arguments, other.state):
                raise RunError(
                    f"{other.origin}: event {other.sequence} of {name} is written in two ways; the other is "
                    f"{one.origin}. Replicas that disagree, or one file read twice and edited."
                )
            dropped.add(index)
            sent, received = (*one.sent, *other.sent), (*one.received, *other.received)
            both = replace(one, sent=tuple(dict.fromkeys(sent)), received=tuple(dict.fromkeys(received)))
            merged[kept[-1]], heads[kept[-1]] = both, _head(both)
        else:
            kept.append(index)
    return kept


def _times(heads: Sequence[_Head], before: list[tuple[int, ...]]) -> list[float]:
    """When each event is best taken to have happened, where all have a clock.

    A message is best received as soon as it was sent: it tells of the sender's state then, and most models have no
    messages under way.
    """
    if any(head.clock is None for head in heads):
        return [0.0] * len(heads)
    times = [head.clock or 0.0 for head in heads]
    for index, head in enumerate(heads):
        sent = [times[earlier] for earlier in before[index] if heads[earlier].node != head.node]
        if head.received and sent:
            times[index] = min(times[index], max(sent))
    return times


def _sorted(
    events: Sequence[Event], heads: Sequence[_Head], before: list[tuple[int, ...]], dropped: set[int]
) -> list[int]:
    when = _times(heads, before)
    waiting = {index: len(before[index]) for index in range(len(heads)) if index not in dropped}
    after: dict[int, list[int]] = {}
    for index in waiting:
        for earlier in before[index]:
            after.setdefault(earlier, []).append(index)
    ready = [(when[i], i) for i, count in waiting.items() if not count]
    heapify(ready)
    line: list[int] = []
    while ready:
        _, index = heappop(ready)
        line.append(index)
        for later in after.get(index, ()):
            waiting[later] -= 1
            if not waiting[later]:
                heappush(ready, (when[later], later))
    if len(line) < len(waiting):
        known = set(line)
        stuck = next(index for index in waiting if index not in known)
        raise RunError(
            f"{events[stuck].origin}: this event comes before itself, by the messages that it and others receive and "
            "the order of their nodes. A message's id is used twice, or lines of a node are out of order."
        )
    return line


def _told(
    events: Sequence[Event], merged: Sequence[Event | None], heads: Sequence[_Head], before: list[tuple[int, ...]],
    line: list[int], lost: int, lost_at: list[str], unsent: int,
) -> Order:  # fmt: skip
    """The order of the events that say something; what comes before the others comes before what they come before."""
    rank = [0] * len(heads)
    for position, index in enumerate(line):
        rank[index] = position
    told = [index for index in line if not heads[index].says_nothing]
    if not told:
        raise RunError("No line of the run says anything of a step or of the state.")
    position_of = {index: position for position, index in enumerate(told)}
    silent: dict[int, tuple[int, ...]] = {}
    """Of lines that say nothing: what comes right before them."""
    needs: list[tuple[int, ...]] = []
    for index in line:
        latest: dict[tuple[str, str], int] = {}
        for earlier in before[index]:
            for found in (earlier,) if earlier in position_of else silent[earlier]:
                node = (heads[found].node, heads[found].stream)
                if node not in latest or rank[latest[node]] < rank[found]:
                    latest[node] = found
        if index in position_of:
            needs.append(tuple(sorted(position_of[found] for found in latest.values())))
        else:
            silent[index] = tuple(latest.values())
    if merged:
        events = tuple(merged[index] or event for index, event in enumerate(events))
    names: dict[tuple[str, str], tuple[str, str]] = {}
    nodes = [names.setdefault(name, name) for name in ((heads[index].node, heads[index].stream) for index in told)]
    return Order(
        chosen_events(events, told), tuple(needs), lost, tuple(lost_at), unsent, len(line) - len(told), nodes=nodes
    )
