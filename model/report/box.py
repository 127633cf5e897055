"""Boxes of a diagram: HTML-like Graphviz labels whose size is known before Graphviz sees them.

Sizes are points. Every cell has a fixed height and the table a width that its text needs at most, in a wide font, so
that arrows can be drawn to its sides whatever font the machine has.
"""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.model.report import dot_text
from rmqproof.model.report.chart import Cell, Event, Strip, Tone

FONT = "Helvetica"
TITLE, SMALL = 10, 9
TITLE_HEIGHT, NOTE_HEIGHT, STRIP_HEIGHT = 18, 14, 20
PADDING = 6
WIDEST = 280
_LONGEST_LABEL = 90
_CELL, _LABEL, _BAR, _EMPTY, _BOTTOM, _NARROWEST = 20, 44, 4, 34, 4, 60

INK, FAINT = "#1e293b", "#64748b"
SHADES = ("#f1f5f9", "#bfdbfe", "#fde68a", "#bbf7d0", "#fbcfe8", "#ddd6fe", "#fed7aa", "#a5f3fc")
FILL = {Tone.PLAIN: "#ffffff", Tone.FAULT: "#fff7ed", Tone.GOOD: "#f0fdf4", Tone.BAD: "#fef2f2"}
EDGE = {Tone.PLAIN: "#94a3b8", Tone.FAULT: "#f59e0b", Tone.GOOD: "#22c55e", Tone.BAD: "#dc2626"}
TEXT = {Tone.PLAIN: "#475569", Tone.FAULT: "#b45309", Tone.GOOD: "#15803d", Tone.BAD: "#b91c1c"}


@dataclass(frozen=True, slots=True)
class Box:
    """A label and its size."""

    html: str
    width: float
    height: float


def text_width(text: str, size: float, bold: bool = False) -> float:
    """At most this many points, in any usual sans-serif font."""
    ems = sum(_em(character) for character in text)
    return ems * size * (1.08 if bold else 1.0)


def shortened(text: str, size: float, room: float, bold: bool = False) -> str:
    """`text`, or as much of its beginning as fits, with an ellipsis."""
    if text_width(text, size, bold) <= room:
        return text
    while text and text_width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def event_box(event: Event) -> Box:
    """The box of an event: title, notes, strips of cells."""
    most = WIDEST - 2 * PADDING
    title = shortened(event.title, TITLE, most, bold=True)
    notes = [(note, shortened(note.text, SMALL, most)) for note in event.notes]
    widths = [_NARROWEST, text_width(title, TITLE, bold=True), *(text_width(text, SMALL) for _, text in notes)]
    room = round(max([*widths, *(_strip(strip, most)[1] for strip in event.strips)]))
    rows: list[tuple[str, int]] = []
    if title:
        colour = TEXT[Tone.BAD] if event.tone is Tone.BAD else INK
        rows.append((font(title, TITLE, colour, bold=True), TITLE_HEIGHT))
    rows += [(font(text, SMALL, TEXT[note.tone]), NOTE_HEIGHT) for note, text in notes]
    rows += [(_strip(strip, most, room)[0], STRIP_HEIGHT) for strip in event.strips]
    rows.append(("", _BOTTOM))
    border = 2 if event.tone is Tone.BAD else 1
    pad = f'<TD WIDTH="{PADDING}"></TD>'
    cells = (f'<TD ALIGN="LEFT" WIDTH="{room}" HEIGHT="{height}">{html}</TD>' for html, height in rows)
    html = (
        f'<TABLE BORDER="{border}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
        f' STYLE="{"ROUNDED" if title else "ROUNDED,DASHED"}" COLOR="{EDGE[event.tone]}" BGCOLOR="{FILL[event.tone]}">'
        f"{''.join(f'<TR>{pad}{cell}{pad}</TR>' for cell in cells)}</TABLE>"
    )
    return Box(f"<{html}>", room + 2 * PADDING + 2 * border, sum(height for _, height in rows) + 2 * border)


def font(text: str, size: int, colour: str, bold: bool = False, italic: bool = False) -> str:
    """`text` as HTML in a font."""
    html = dot_text.html(text)
    html = f"<B>{html}</B>" if bold else html
    html = f"<I>{html}</I>" if italic else html
    return f'<FONT POINT-SIZE="{size}" COLOR="{colour}">{html}</FONT>'


def _strip(strip: Strip, most: float, room: float = 0) -> tuple[str, float]:
    """A strip in at most `most` points, filled up to `room`, and how many it needs."""
    widths = [max(_CELL, round(text_width(_text(cell), SMALL)) + 4) for cell in strip.cells]
    first = 0
    label = shortened(strip.label, SMALL - 1, _LONGEST_LABEL)
    width: float = max(_LABEL, round(text_width(label, SMALL - 1)) + 6)
    most = max(most - width, 0)
    parts = [_blank(width, font(label, SMALL - 1, FAINT))]
    while sum(widths[first:]) + _BAR + (_CELL if first else 0) > most and first < len(widths) - 1:
        first += 1
    if first:
        parts.append(_blank(_CELL, font("…", SMALL, INK)))
        width += _CELL
    if not strip.cells:
        parts.append(_blank(_EMPTY, font("empty", SMALL - 1, FAINT, italic=True)))
        width += _EMPTY
    bar = f'<TD BORDER="0" WIDTH="{_BAR}" BGCOLOR="{INK}"></TD>'
    for position in range(first, len(strip.cells)):
        if strip.bar == position:
            parts.append(bar)
        parts.append(_cell(strip.cells[position], widths[position]))
    width += sum(widths[first:])
    if strip.bar is not None and strip.cells and strip.bar >= first:
        width += _BAR
        if strip.bar >= len(strip.cells):
            parts.append(bar)
    if room > width:
        parts.append(_blank(room - width))
    # Of fixed size: Graphviz would stretch the cells over the width of the box.
    table = (
        f'<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="0" COLOR="{EDGE[Tone.PLAIN]}"'
        f' FIXEDSIZE="TRUE" WIDTH="{max(width, room)}" HEIGHT="{STRIP_HEIGHT - 4}">'
    )
    return f"{table}<TR>{''.join(parts)}</TR></TABLE>", width


def _blank(width: float, html: str = "") -> str:
    return f'<TD BORDER="0" WIDTH="{width}" HEIGHT="{STRIP_HEIGHT - 4}" ALIGN="LEFT">{html}</TD>'


def _cell(cell: Cell, width: float) -> str:
    shade = SHADES[cell.shade] if cell.shade < len(SHADES) else SHADES[1 + cell.shade % (len(SHADES) - 1)]
    text = font(_text(cell), SMALL, INK)
    return f'<TD WIDTH="{width}" HEIGHT="{STRIP_HEIGHT - 4}" BGCOLOR="{shade}">{text}</TD>'


def _text(cell: Cell) -> str:
    return f"{cell.text}✓" if cell.ticked else cell.text


def _em(character: str) -> float:
    if character in "iljI.,:;'|!()[] ":
        return 0.40
    if character in "frt-/":
        return 0.45
    if character in "mwMW→@%…✓⟶":
        return 0.95
    if ord(character) >= 0x2E80:
        return 1.1
    return 0.72 if character.isupper() else 0.64
