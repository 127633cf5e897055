"""All traces of a cluster as one run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.events import CONTROLLER, Event, events_in


def merge_traces(folder: Path, out: Path) -> int:
    """Write one file with the events of every node; how many. The order of nodes in it means nothing.

    The controllers' replicas become one node; ClusterError if two of them wrote different lines for one step, or a
    line is damaged.
    """
    controller: dict[int, Event] = {}
    brokers: list[Event] = []
    try:
        for path in sorted(folder.glob("*.ndjson")):
            for event in events_in(path):
                if event.node != CONTROLLER:
                    brokers.append(event)
                elif not _same(controller.setdefault(event.sequence, event), event):
                    raise ClusterError(
                        f"{path}: the controllers {controller[event.sequence].replica} and {event.replica} disagree "
                        f"about step {event.sequence}.",
                        "That is a defect of the replication between the controllers; keep the directory.",
                    )
    except ValueError as problem:
        raise ClusterError(str(problem), "Remove the damaged line, or record the run anew.") from None
    events = _in_order(controller.values()) + _in_order(brokers)
    out.write_text("".join(event.line() + "\n" for event in events))
    return len(events)


def _same(one: Event, other: Event) -> bool:
    return replace(one, replica=None, life=0, at=0) == replace(other, replica=None, life=0, at=0)


def _in_order(events: Iterable[Event]) -> list[Event]:
    return sorted(events, key=lambda event: (event.node, event.sequence))
