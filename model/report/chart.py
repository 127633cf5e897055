"""A behaviour laid out for a space-time diagram: processes, what happens on each, what passes between them.

No drawing here: `space_time` draws a chart; `processes` makes one of any behaviour.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """What kind of thing an event or a note is."""

    PLAIN = "plain"
    FAULT = "fault"
    GOOD = "good"
    BAD = "bad"


class Life(StrEnum):
    """How a process stands: how its lane is drawn."""

    PLAIN = "plain"
    LEADING = "leading"
    WAITING = "waiting"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Lane:
    """A process. `name` is what actions call it; `title` stands at the head of its lane."""

    name: str
    title: str
    subtitle: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A line in an event's box."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Cell:
    """An element of a sequence. Cells of one `shade` have one colour (0: none); `ticked` ones get a ✓."""

    text: str
    shade: int = 0
    ticked: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """A sequence drawn as cells. `bar` is a position between cells (0: before the first) that is marked."""

    label: str
    cells: tuple[Cell, ...]
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """What happens on one lane in step `step`. Without a title it is a side effect of another lane's event."""

    step: int
    lane: str
    title: str
    notes: tuple[Note, ...] = ()
    strips: tuple[Strip, ...] = ()
    tone: Tone = Tone.PLAIN
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A message from lane `tail` in step `sent` to lane `head` in step `received`.

    In one step when it is sent and received at once; `dropped` when it was taken away without being handled.
    """

    tail: str
    sent: int
    head: str
    received: int
    label: str = ""
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """From step `step` on, the process of `lane` stands like `life`."""

    lane: str
    step: int
    life: Life


@dataclass(frozen=True, slots=True)
class Legend:
    """Explains the shades of cells and the bar."""

    shades: tuple[Cell, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """Events in the order of steps, at most one with a title a step. `loop`: step to which the last one returns."""

    lanes: tuple[Lane, ...]
    events: tuple[Event, ...]
    arrows: tuple[Arrow, ...]
    turns: tuple[Turn, ...] = ()
    loop: int | None = None
    verdict: str = ""
    sentence: str = ""
    legend: Legend = Legend()
    fairness: tuple[str, ...] = ()
    """Why the behaviour is fair, where it repeats for ever."""
