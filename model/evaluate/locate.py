"""From an exception in generated code back to the expression that it belongs to.

While code is put together, the text of an expression stands between marks that carry the expression's number.
`strip_marks` takes them out and keeps what they said; Python's own positions of instructions (PEP 657) do the rest.
"""

from __future__ import annotations

from collections import Counter
from types import CodeType, TracebackType

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.records import dataclass
from rmqproof.model.tla.source import Location, TlaError

OPEN, MIDDLE, CLOSE = "\x01", "\x02", "\x03"


@dataclass(slots=True)
class Marked:
    """Generated text and its stretches: (start, end, number), from offset to offset."""

    text: str
    spans: list[tuple[int, int, int]]
    line_starts: list[int]

    def number_at(self, line: int, column: int, end_line: int, end_column: int) -> int | None:
        """The number of the smallest stretch around the place (lines from 1, columns from 0)."""
        start = self.line_starts[line - 1] + column
        end = self.line_starts[end_line - 1] + end_column
        around = [span for span in self.spans if span[0] <= start and end <= span[1]]
        if around:
            return min(around, key=lambda span: span[1] - span[0])[2]
        # a statement that an expression belongs to: its first expression
        inside = [span for span in self.spans if start <= span[0] < self.line_starts[line]]
        return min(inside)[2] if inside else None


def strip_marks(text: str) -> Marked:
    pieces: list[str] = []
    spans: list[tuple[int, int, int]] = []
    opened: list[tuple[int, int]] = []
    offset = at = 0
    while True:
        nearest = min((place for mark in (OPEN, CLOSE) if (place := text.find(mark, at)) >= 0), default=-1)
        if nearest < 0:
            break
        pieces.append(text[at:nearest])
        offset += nearest - at
        if text[nearest] == OPEN:
            middle = text.index(MIDDLE, nearest)
            opened.append((offset, int(text[nearest + 1 : middle])))
            at = middle + 1
        else:
            start, number = opened.pop()
            spans.append((start, offset, number))
            at = nearest + 1
    pieces.append(text[at:])
    plain = "".join(pieces)
    starts = [0]
    for line in plain.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return Marked(plain, spans, starts)


class Places:
    """Where the generated functions of one system come from."""

    def __init__(self) -> None:
        self.texts: dict[str, Marked] = {}
        self.locations: list[Location] = []
        self._numbers: dict[Location, int] = {}

    def mark(self, at: Location, text: str) -> str:
        """The text, marked as belonging to a place."""
        number = self._numbers.get(at)
        if number is None or self.locations[number].source is not at.source:
            number = self._numbers[at] = len(self.locations)
            self.locations.append(at)
        return f"{OPEN}{number}{MIDDLE}{text}{CLOSE}"

    def of(self, traceback: TracebackType | None) -> Location | None:
        """The place of the innermost expression that the exception passed."""
        found: Location | None = None
        while traceback is not None:
            marked = self.texts.get(traceback.tb_frame.f_code.co_filename)
            if marked is not None:
                place = _place(marked, traceback.tb_frame.f_code, traceback.tb_lasti)
                found = self.locations[place] if place is not None else found
            traceback = traceback.tb_next
        return found

    def most_often(self, traceback: TracebackType | None) -> Location | None:
        """The place that the exception passed most often: where a recursion goes on, wherever it ended."""
        passed: Counter[Location] = Counter()
        while traceback is not None:
            marked = self.texts.get(traceback.tb_frame.f_code.co_filename)
            place = _place(marked, traceback.tb_frame.f_code, traceback.tb_lasti) if marked is not None else None
            if place is not None:
                passed[self.locations[place]] += 1
            traceback = traceback.tb_next
        return passed.most_common(1)[0][0] if passed else None


def _place(marked: Marked, code: CodeType, instruction: int) -> int | None:
    positions = list(code.co_positions())
    index = instruction // 2
    if index >= len(positions):
        return None
    line, end_line, column, end_column = positions[index]
    if line is None or end_line is None or column is None or end_column is None:
        return None
    return marked.number_at(line, column, end_line, end_column)


def located(error: BaseException, places: Places, default: Location | None = None) -> TlaError:
    """What to tell a user of an exception that generated code raised."""
    often = isinstance(error, RecursionError)
    at = (places.most_often(error.__traceback__) if often else places.of(error.__traceback__)) or default
    if isinstance(error, TlaError):
        if error.at is None:
            error.at = at
        return error
    if isinstance(error, Fault):
        return TlaError(error.message, at, error.remedy, error.kind)
    if isinstance(error, RecursionError):
        return TlaError(
            "the recursion does not end, or goes deeper than can be computed",
            at,
            "Check that every recursive call comes nearer to a case without one.",
            "evaluation",
        )
    if isinstance(error, ValueError) and "to unpack" in str(error):
        return TlaError("the tuple that is bound here is not as long as an element of the set", at, "", "evaluation")
    if isinstance(error, MemoryError):
        return TlaError("this needs more memory than there is", at, "Use smaller constants.", "evaluation")
    return TlaError(
        f"this cannot be evaluated ({type(error).__name__}: {error})",
        at,
        "Check that the operands are of the kinds that the operator needs.",
        "evaluation",
    )
