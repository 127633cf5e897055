"""What tasks tell the driver: counts and events of an owner in a level."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
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
    """A part's states of `level` were expanded. `most` is the largest number of successors of a state."""

    level: int
    part: int
    counters: Counters
    events: list[Event] = field(default_factory=list)
    states: int = 0
    most: int = 0
    claims: int = 0
    """What went into the shuffle, and the bytes it took."""
    bytes: int = 0
    edges: int = 0
    too_many: bool = False
    """A state had more successors than `bits` can number."""
    spoken: int = 0
    """Of `Kernel.spoken`, after this."""
    narrow: int | None = None
    """Where a value did not fit the kernel's encoding: see `Kernel.narrow`."""


@dataclass(slots=True)
class Granted:
    """An owner has said which fingerprints of `level` are new."""

    level: int
    part: int
    rows: int = 0
    file_bytes: int = 0
    bytes: int = 0
    """Of the answers, in the shuffle."""
    table_bytes: int = 0
    rebuilt: int = 0
    """Fingerprints that had to be read back from files into the table."""
    dropped: int = 0
    """Claims that were dropped as they came."""
    spilled: bool = False
    """What came went to files."""


@dataclass(slots=True)
class Kept:
    """A part has written the new states of `level` that it was granted."""

    level: int
    part: int
    rows: int = 0
    file_bytes: int = 0
    largest: int = 0
    """The largest order, 0 without rows."""
    distinct: list[int] = field(default_factory=list)
    """New states by action."""
    events: list[Event] = field(default_factory=list)
    spoken: int = 0
    narrow: int | None = None
    again: bool = False
    """The states were computed again, as they were not at hand any more."""


Report = Expanded | Granted | Kept


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


_R = TypeVar("_R", Expanded, Granted, Kept)


def by_level(reports: Iterable[Report], kind: type[_R]) -> dict[int, list[_R]]:
    """The reports of a kind, in the order of the parts."""
    found: dict[int, list[_R]] = {}
    for report in sorted((r for r in reports if isinstance(r, kind)), key=lambda r: (r.level, r.part)):
        found.setdefault(report.level, []).append(report)
    return found


def complete(old: list[Expanded], owners: list[Granted], new: list[Kept], partitions: int) -> None:
    """Every part has reported once, and what was granted is kept: else a search would look like a smaller model."""
    everyone = list(range(partitions))
    reports: tuple[Sequence[Report], ...] = (old, owners, new)
    found = [[report.part for report in some] for some in reports]
    if any(parts != everyone for parts in found):
        level = old[0].level if old else "?"
        raise RuntimeError(
            f"level {level}: reports of the parts {found}, where each of {partitions} should report once"
        )
    granted, kept = sum(r.rows for r in owners), sum(r.rows for r in new)
    if granted != kept:
        raise RuntimeError(f"level {new[0].level}: of {granted} new states {kept} were kept")
