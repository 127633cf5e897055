"""A chart as a space-time diagram in DOT: a lane for each process, time down, messages as arrows.

Everything has its position here (`layout=nop2`), since lanes must be straight and time must run down; Graphviz only
draws. Points, x to the right; rows are reckoned downwards and turned over when written, as Graphviz counts y upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rmqproof.model.report.box import (
    EDGE,
    FAINT,
    FONT,
    INK,
    SHADES,
    TEXT,
    TITLE_HEIGHT,
    Box,
    event_box,
    font,
    text_width,
)
from rmqproof.model.report.chart import Arrow, Chart, Event, Lane, Life, Tone
from rmqproof.model.report.dot_text import quoted

_GAP = 84
"""Between the columns of two lanes: room for arrows and their labels."""
_NARROWEST = 120
_STEP = 34
"""Between the titles of two steps, at least."""
_SPACE = 12
"""Between two boxes of one lane, at least."""
_MARGIN = 46
_HEAD = 44
_WIDEST_HEAD = 130
_LABEL = 8
_FAIRNESS = 30
"""Lines about fairness conditions, at most."""
_TIP = 7
_APART = 7
_MESSAGE, _DROPPED = "#2563eb", "#94a3b8"
_LIFE = {
    Life.PLAIN: 'color="#94a3b8" penwidth=1.2',
    Life.LEADING: 'color="#2563eb" penwidth=3.2',
    Life.WAITING: 'color="#94a3b8" penwidth=1.2 style=dashed',
    Life.DOWN: 'color="#f59e0b" penwidth=1.2 style=dotted',
}


def space_time_dot(chart: Chart) -> str:
    """The diagram as DOT text, for `render`."""
    return _Drawing(chart).dot()


@dataclass(slots=True)
class _Placed:
    event: Event
    box: Box
    top: float

    @property
    def bottom(self) -> float:
        return self.top + self.box.height


@dataclass(slots=True)
class _Drawing:
    chart: Chart
    placed: dict[tuple[int, str], _Placed] = field(default_factory=dict)
    rows: dict[int, float] = field(default_factory=dict)
    centre: dict[str, float] = field(default_factory=dict)
    column: dict[str, float] = field(default_factory=dict)
    floor: float = 0
    labels: dict[tuple[str, int, int], set[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def dot(self) -> str:
        boxes = {(event.step, event.lane): event_box(event) for event in self.chart.events}
        self._columns(boxes)
        self._rows(boxes)
        self._heads()
        self._lanes()
        for placed in self.placed.values():
            self._box(placed)
        for arrow in self.chart.arrows:
            self._arrow(arrow)
        self._numbers()
        self._foot()
        graph = f'layout=nop2 splines=true outputorder=edgesfirst bgcolor="white" pad=0.25 fontname="{FONT}"'
        return "\n".join(
            [
                "digraph behaviour {",
                f"  graph [{graph}]",
                f'  node [shape=plain fontname="{FONT}" fontsize=10 margin=0]',
                f'  edge [fontname="{FONT}" fontsize={_LABEL} arrowsize=0.7]',
                *(f"  {line}" for line in self.lines),
                "}",
                "",
            ]
        )

    def _columns(self, boxes: dict[tuple[int, str], Box]) -> None:
        left = float(_MARGIN)
        for lane in self.chart.lanes:
            needed = max((box.width for (_, name), box in boxes.items() if name == lane.name), default=0)
            self.column[lane.name] = max(needed, _NARROWEST)
            self.centre[lane.name] = left + self.column[lane.name] / 2
            left += self.column[lane.name] + _GAP

    def _rows(self, boxes: dict[tuple[int, str], Box]) -> None:
        free = {lane.name: float(_HEAD + 16) for lane in self.chart.lanes}
        last = 0.0
        for step in sorted({event.step for event in self.chart.events}):
            events = [event for event in self.chart.events if event.step == step]
            crossed = self._crossed(step, events)
            top = max([last + _STEP if self.rows else 0.0, *(free[name] + _SPACE for name in crossed)])
            self.rows[step] = top + 1 + TITLE_HEIGHT / 2
            for event in events:
                box = boxes[step, event.lane]
                # Below the line of the titles, along which arrows run.
                start = top if event.title else top + TITLE_HEIGHT + 2
                self.placed[step, event.lane] = _Placed(event, box, start)
                free[event.lane] = start + box.height
            last = top
        self.floor = max(free.values()) + 22

    def _crossed(self, step: int, events: Sequence[Event]) -> list[str]:
        """The lanes that boxes or arrows of this step occupy at the height of their titles."""
        names = [lane.name for lane in self.chart.lanes]
        used = {names.index(event.lane) for event in events}
        for arrow in self.chart.arrows:
            ends = sorted((names.index(arrow.tail), names.index(arrow.head)))
            if arrow.sent == step and arrow.tail != arrow.head:
                used |= set(range(ends[0], ends[1] + 1))
                if arrow.received != step:
                    used.discard(names.index(arrow.head))
                    used.add(names.index(arrow.tail))
        return [names[index] for index in used]

    def _heads(self) -> None:
        for lane in self.chart.lanes:
            self._node(f"head {lane.name}", self.centre[lane.name], _HEAD / 2, _head(lane, self.column[lane.name]))
            self._node(f"foot {lane.name}", self.centre[lane.name], self.floor + 8, f"<{font(lane.title, 10, FAINT)}>")

    def _lanes(self) -> None:
        for lane in self.chart.lanes:
            x = self.centre[lane.name]
            turns = sorted((turn for turn in self.chart.turns if turn.lane == lane.name), key=lambda turn: turn.step)
            starts = [(_HEAD / 2, Life.PLAIN), *((self.rows[turn.step], turn.life) for turn in turns)]
            if len(starts) > 1 and turns[0].step == 0:
                starts = [(_HEAD / 2, turns[0].life), *starts[2:]]
            ends = [top for top, _ in starts[1:]] + [self.floor]
            for (top, life), bottom in zip(starts, ends, strict=True):
                path = _straight((x, top), (x, bottom))
                self._edge(f"head {lane.name}", f"foot {lane.name}", path, f"{_LIFE[life]} arrowhead=none")

    def _box(self, placed: _Placed) -> None:
        event = placed.event
        tooltip = event.tooltip or event.title
        self._node(
            _name(event.step, event.lane),
            self.centre[event.lane],
            placed.top + placed.box.height / 2,
            placed.box.html,
            f" tooltip={quoted(tooltip)}",
        )

    def _arrow(self, arrow: Arrow) -> None:
        if arrow.tail == arrow.head:
            return
        way = self._way(arrow)
        both = any(
            (other.head, other.received) == (arrow.tail, arrow.sent) and self._way(other) == -way
            for other in self.chart.arrows
        )
        # Where an arrow ends, another one starts below it.
        start = (self._side(arrow.tail, arrow.sent, way), self.rows[arrow.sent] + (_APART if both else 0))
        end = (self._side(arrow.head, arrow.received, -way), self.rows[arrow.received])
        tip = (end[0] - way * _TIP, end[1])
        if arrow.sent == arrow.received:
            path = _straight(start, tip)
        else:
            # Along its row to the gap before the receiver's lane, where no boxes are, then down.
            gap = self.centre[arrow.head] - way * (self.column[arrow.head] / 2 + _GAP)
            bend = (max(gap, start[0]) if way > 0 else min(gap, start[0]), start[1])
            reach = (tip[0] - bend[0]) * 0.6
            path = [*_straight(start, bend), (bend[0] + reach, bend[1]), (tip[0] - reach, tip[1]), tip]
        colour = _DROPPED if arrow.dropped else _MESSAGE
        style = f'color="{colour}" fontcolor="{colour}" penwidth=1.1'
        if arrow.dropped:
            style += " style=dashed arrowhead=none"
            self._node(f"lost {arrow.tail} {arrow.sent} {arrow.head}", *tip, f"<{font('✕', 11, colour, bold=True)}>")
        tail, head = self._end(arrow.tail, arrow.sent), self._end(arrow.head, arrow.received)
        self._edge(tail, head, path, style, tip=end)
        if self._side(arrow.tail, arrow.sent, way) == self.centre[arrow.tail]:
            dot = f'"" shape=point width=0.08 fixedsize=true color="{colour}"'
            self._node(f"from {arrow.tail} {arrow.sent}", *start, dot)
        if arrow.label:
            self._label(arrow, (start[0], start[1] + (7 if both else -8)), way, colour)

    def _label(self, arrow: Arrow, start: tuple[float, float], way: int, colour: str) -> None:
        # Beside the box of the event that the arrow belongs to: the receiver's when both are in one step.
        own = arrow.head if arrow.sent == arrow.received else arrow.tail
        side = -way if own == arrow.head else way
        place = (own, arrow.sent, side)
        said = self.labels.setdefault(place, set())
        if arrow.label in said:
            return
        # Another label beside the same box goes above the first.
        y = start[1] - 10 * len(said)
        said.add(arrow.label)
        x = self._side(*place) + side * (text_width(arrow.label, _LABEL) / 2 + 6)
        html = font(arrow.label, _LABEL, colour)
        self._node(f"label {arrow.tail} {arrow.sent} {arrow.head} {arrow.received} {arrow.label}", x, y, f"<{html}>")

    def _way(self, arrow: Arrow) -> int:
        return 1 if self.centre[arrow.head] > self.centre[arrow.tail] else -1

    def _side(self, lane: str, step: int, way: int) -> float:
        placed = self.placed.get((step, lane))
        return self.centre[lane] + way * (placed.box.width / 2 if placed and placed.event.title else 0)

    def _end(self, lane: str, step: int) -> str:
        return _name(step, lane) if (step, lane) in self.placed else f"head {lane}"

    def _numbers(self) -> None:
        last = max(self.rows)
        for step, y in self.rows.items():
            bad = step == last and self.chart.verdict and self.chart.loop is None
            colour = EDGE[Tone.BAD] if bad else FAINT
            self._node(f"step {step}", 14, y, f"<{font(str(step + 1), 10, colour, bold=True)}>")
        if self.chart.loop is not None:
            self._back(last, self.chart.loop)

    def _back(self, last: int, loop: int) -> None:
        """From the last step back to the one from which on everything repeats; a small arc where nothing happens."""
        top, bottom = self.rows[loop], self.rows[last]
        if loop == last:
            top, bottom = top - 5, bottom + 5
        bend = 10 if loop != last else -6
        path = [(4.0, bottom), (-26.0, bottom - bend), (-26.0, top + bend), (4.0 - _TIP, top)]
        words = f"repeats {loop + 1}–{last + 1}" if loop != last else "for ever"
        label = f"<{font(words, _LABEL, TEXT[Tone.BAD])}>"
        self._node("for ever", -24.0 - text_width(words, _LABEL) / 2, (top + bottom) / 2, label)
        self._edge(f"step {last}", f"step {loop}", path, f'color="{EDGE[Tone.BAD]}"', tip=(4.0, top))

    def _foot(self) -> None:
        right = max(self.centre[lane.name] + self.column[lane.name] / 2 for lane in self.chart.lanes)
        middle, y = (_MARGIN + right) / 2, self.floor + 30
        room = max(right - _MARGIN, 320)
        rows = []
        if self.chart.verdict:
            rows.append(_text_row(self.chart.verdict, 13, TEXT[Tone.BAD], bold=True))
        rows += [_text_row(line, 11, INK) for line in _wrapped(self.chart.sentence, 11, room)]
        fairness = [_text_row(line, 8, FAINT) for line in self._fairness(room)]
        if rows := rows + fairness:
            height = 18.0 * len(rows) - 4.5 * len(fairness)
            table = f'<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="1">{"".join(rows)}</TABLE>'
            self._node("verdict", middle, y + height / 2, f"<{table}>")
            y += height + 12
        legend = self._legend()
        if legend:
            self._node("legend", middle, y + 10, legend)

    def _fairness(self, room: float) -> list[str]:
        lines = self.chart.fairness
        if len(lines) > _FAIRNESS:
            rest = f"and {len(lines) - _FAIRNESS + 1} more fairness conditions (see the text)"
            lines = (*lines[: _FAIRNESS - 1], rest)
        return [piece for line in lines for piece in _wrapped(line, 8, max(room, 460))]

    def _legend(self) -> str:
        legend = self.chart.legend
        cells = [
            f'<TD BORDER="1" WIDTH="12" HEIGHT="12" BGCOLOR="{SHADES[cell.shade % len(SHADES)]}"></TD>'
            f'<TD ALIGN="LEFT">{font(f" {cell.text}   ", _LABEL, FAINT)}</TD>'
            for cell in legend.shades
        ]
        cells += [f'<TD ALIGN="LEFT">{font(f"{line}   ", _LABEL, FAINT)}</TD>' for line in legend.lines]
        if not cells:
            return ""
        table = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4" CELLPADDING="0" COLOR="{EDGE[Tone.PLAIN]}">'
        return f"<{table}<TR>{''.join(cells)}</TR></TABLE>>"

    def _node(self, name: str, x: float, y: float, label: str, more: str = "") -> None:
        self.lines.append(f'{quoted(name)} [pos="{_number(x)},{_number(-y)}" label={label}{more}]')

    def _edge(
        self, tail: str, head: str, path: list[tuple[float, float]], style: str, tip: tuple[float, float] | None = None
    ) -> None:
        points = " ".join(f"{_number(x)},{_number(-y)}" for x, y in path)
        start = f"e,{_number(tip[0])},{_number(-tip[1])} " if tip else ""
        self.lines.append(f'{quoted(tail)} -> {quoted(head)} [pos="{start}{points}" {style}]')


def _head(lane: Lane, width: float) -> str:
    texts = [(font(lane.title, 13, INK, bold=True), 34)]
    if lane.subtitle:
        texts = [(font(lane.title, 13, INK, bold=True), 20), (font(lane.subtitle, 9, FAINT), 14)]
    width = round(min(width, _WIDEST_HEAD))
    rows = "".join(f'<TR><TD WIDTH="{width}" HEIGHT="{height}">{html}</TD></TR>' for html, height in texts)
    return (
        f'<<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" STYLE="ROUNDED" COLOR="{EDGE[Tone.PLAIN]}"'
        f' BGCOLOR="#e2e8f0">{rows}</TABLE>>'
    )


def _text_row(text: str, size: int, colour: str, bold: bool = False) -> str:
    return f"<TR><TD>{font(text, size, colour, bold)}</TD></TR>"


def _wrapped(text: str, size: int, room: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _straight(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    return [start, start, end, end]


def _name(step: int, lane: str) -> str:
    return f"{step} {lane}"


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
