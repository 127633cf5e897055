"""What tasks tell the driver: counts and events of an owner in a level."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from rmqproof.model.search.kernel import Code
from rmqproof.model.search.statistics import Counters


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """Something that ends a search, at the place where a search by one worker meets it.

    `order` is that of the step (see rows.py), in the orders of the level it leads to. `stage` 0: found when the step
    was taken in (invariants of a new state); 1: when it was taken. `parent`: fingerprint of the state it leaves.
    """

    order: int
    stage: int
    verdict: Code
    property: int
    parent: int


@dataclass(slots=True)
class Expanded:
    """An owner's states of `level` were expanded. `most` is the largest number of successors of a state."""

    level: int
    owner: int
    counters: Counters
    events: list[Event] = field(default_factory=list)
    states: int = 0
    most: int = 0
    shipped: int = 0
    """Candidates that went into the shuffle, and the bytes they took."""
    bytes: int = 0
    edges: int = 0
    too_many: bool = False
    """A state had more successors than `bits` can number."""
    spoken: int = 0
    """Of `Kernel.spoken`, after this."""
    narrow: int | None = None
    """Where a value did not fit the kernel's encoding: see `Kernel.narrow`."""


@dataclass(slots=True)
class Absorbed:
    """An owner took in its new states of `level`."""

    level: int
    owner: int
    rows: int
    file_bytes: int
    largest: int
    """The largest order, 0 without rows."""
    distinct: list[int] = field(default_factory=list)
    """New states by action."""
    events: list[Event] = field(default_factory=list)
    spoken: int = 0
    narrow: int | None = None
    table_bytes: int = 0
    rebuilt: int = 0
    """States that had to be read back from files into the table."""
    dropped: int = 0
    """Candidates that were dropped as they came."""
    spilled: bool = False
    """What came went to files."""


Report = Expanded | Absorbed


def to_payload(report: Report) -> bytes:
    return pickle.dumps(report, protocol=5)


def from_payload(payload: bytes) -> Report:
    report: Report = pickle.loads(payload)
    return report


def first_events(events: Iterable[Event]) -> dict[tuple[Code, int], Event]:
    """The first of each property, and of each other kind."""
    first: dict[tuple[Code, int], Event] = {}
    for event in sorted(events):
        first.setdefault((event.verdict, event.property), event)
    return first


_R = TypeVar("_R", Expanded, Absorbed)


def by_level(reports: Iterable[_R]) -> dict[int, list[_R]]:
    """In the order of the owners."""
    found: dict[int, list[_R]] = {}
    for report in sorted(reports, key=_place):
        found.setdefault(report.level, []).append(report)
    return found


def _place(report: Report) -> tuple[int, int]:
    return report.level, report.owner


def complete(old: list[Expanded], new: list[Absorbed], partitions: int) -> None:
    """Every owner has reported once. A search that lost one would look like a smaller model."""
    everyone = list(range(partitions))
    if [r.owner for r in old] != everyone or [r.owner for r in new] != everyone:
        raise RuntimeError(
            f"level {old[0].level if old else '?'}: reports of owners {[r.owner for r in old]} and "
            f"{[r.owner for r in new]}, where each of {partitions} should report once"
        )
