"""Which events come before which: the order of each node, and messages. Clocks decide nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import pairwise

from rmqproof.conformance.runs.event import Event, RunError


@dataclass(frozen=True, slots=True)
class Order:
    """`events` in an order that is possible and near to the one in which they were read.

    `needs[i]`: the events that come right before event i by its node's order or by a message. `lost`: lines that are
    missing by the nodes' own counting; `unsent`: messages received whose sending no line tells of.
    """

    events: tuple[Event, ...]
    needs: tuple[tuple[int, ...], ...]
    lost: int
    lost_at: tuple[str, ...]
    unsent: int
    silent: int = 0
    """Lines that are there for the order of others only, and are not among `events`."""
    derived: tuple[tuple[int, ...], ...] = ()
    """For each event those that come before it by what the lines say of others (happens_before); empty: not asked."""
    open: Mapping[int, tuple[tuple[tuple[str, str], tuple[tuple[int, int], ...]], ...]] = field(default_factory=dict)
    """Events that can come at several places in another stream: which, and how many of its events may be before it."""
    contradictions: frozenset[int] = frozenset()
    """Events with no place by what the lines say."""


def order_of(events: Sequence[Event]) -> Order:
    """Raise `RunError` where no order is possible, or one event is written in two ways."""
    if not events:
        raise RunError("The run is empty: nothing was recorded, so nothing can be said of it.")
    events = list(events)
    nodes: dict[tuple[str, str], list[int]] = {}
    for index, event in enumerate(events):
        nodes.setdefault((event.node, event.stream), []).append(index)
    before: list[set[int]] = [set() for _ in events]
    dropped: set[int] = set()
    lost, lost_at = 0, []
    for (name, _), indices in nodes.items():
        line = _counted(name, indices, events, dropped)
        first = events[line[0]].sequence
        if first is not None and first > 1:
            lost += first - 1
            lost_at.append(f"{first - 1} of {name} before {events[line[0]].origin}")
        for one, other in pairwise(line):
            before[other].add(one)
            gap = (events[other].sequence or 0) - (events[one].sequence or 0) - 1
            if events[one].sequence is not None and events[other].sequence is not None and gap > 0:
                lost += gap
                lost_at.append(f"{gap} of {name} before {events[other].origin}")
    senders: dict[str, list[int]] = {}
    for index, event in enumerate(events):
        if index not in dropped:
            for message in dict.fromkeys(event.sent):
                senders.setdefault(message, []).append(index)
    unsent = 0
    for index, event in enumerate(events):
        if index in dropped:
            continue
        for message in event.received:
            sending = [sender for sender in senders.get(message, ()) if sender != index]
            unsent += not sending
            # sent more than once: it came after the first of them, whichever that was; only one is known
            if len(sending) == 1:
                before[index].add(sending[0])
    return _sorted(events, before, dropped, lost, lost_at, unsent)


def _counted(name: str, indices: list[int], events: list[Event], dropped: set[int]) -> list[int]:
    """The events of a node in its order. One event may stand in several files, written by replicas of the node."""
    if any(events[index].sequence is None for index in indices):
        return indices
    line = sorted(indices, key=lambda index: (events[index].sequence or 0, index))
    kept: list[int] = []
    for index in line:
        if kept and events[kept[-1]].sequence == events[index].sequence:
            one, other = events[kept[-1]], events[index]
            if (one.action, one.arguments, one.state) != (other.action, other.arguments, other.state):
                raise RunError(
                    f"{other.origin}: event {other.sequence} of {name} is written in two ways; the other is "
                    f"{one.origin}. Replicas that disagree, or one file read twice and edited."
                )
            dropped.add(index)
            sent, received = (*one.sent, *other.sent), (*one.received, *other.received)
            events[kept[-1]] = replace(one, sent=tuple(dict.fromkeys(sent)), received=tuple(dict.fromkeys(received)))
        else:
            kept.append(index)
    return kept


def _times(events: Sequence[Event], before: list[set[int]]) -> list[float]:
    """When each event is best taken to have happened, where all have a clock.

    A message is best received as soon as it was sent: it tells of the sender's state then, and most models have no
    messages under way.
    """
    if any(event.clock is None for event in events):
        return [0.0] * len(events)
    times = [event.clock or 0.0 for event in events]
    for index, event in enumerate(events):
        sent = [times[earlier] for earlier in before[index] if events[earlier].node != event.node]
        if event.received and sent:
            times[index] = min(times[index], max(sent))
    return times


def _sorted(
    events: Sequence[Event], before: list[set[int]], dropped: set[int], lost: int, lost_at: list[str], unsent: int
) -> Order:
    when = _times(events, before)
    waiting = {index: len(before[index]) for index in range(len(events)) if index not in dropped}
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
        stuck = next(index for index in waiting if index not in set(line))
        raise RunError(
            f"{events[stuck].origin}: this event comes before itself, by the messages that it and others receive and "
            "the order of their nodes. A message's id is used twice, or lines of a node are out of order."
        )
    return _told(events, before, line, lost, lost_at, unsent)


def _told(
    events: Sequence[Event], before: list[set[int]], line: list[int], lost: int, lost_at: list[str], unsent: int
) -> Order:
    """The order of the events that say something; what comes before the others comes before what they come before."""
    rank = {index: position for position, index in enumerate(line)}
    meaning: dict[int, set[int]] = {}
    told = [index for index in line if not events[index].says_nothing]
    place = {index: position for position, index in enumerate(told)}
    for index in line:
        latest: dict[tuple[str, str], int] = {}
        for earlier in before[index]:
            for found in {earlier} if earlier in place else meaning[earlier]:
                node = (events[found].node, events[found].stream)
                if node not in latest or rank[latest[node]] < rank[found]:
                    latest[node] = found
        meaning[index] = set(latest.values())
    needs = tuple(tuple(sorted(place[earlier] for earlier in meaning[index])) for index in told)
    if not told:
        raise RunError("No line of the run says anything of a step or of the state.")
    silent = len(line) - len(told)
    return Order(tuple(events[index] for index in told), needs, lost, tuple(lost_at), unsent, silent)
