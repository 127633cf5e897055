"""Text that is written word by word, with expressions of several lines in it."""

from __future__ import annotations

from rmqproof.model.pluscal.expression import Expression

WIDTH = 78
"""Columns in which lists of names are kept, where no option says another number."""


class Line(str):
    """A line of the translation. `origin`: the line of the algorithm that it says something of, 0 where of none."""

    __slots__ = ("origin",)
    origin: int

    @classmethod
    def of(cls, text: str, origin: int) -> Line:
        line = cls(text)
        line.origin = origin
        return line


class Writer:
    """`lines` are done; `pending` is the line that is being written; `origin` is that of what is written now, `place`
    that of the pending line, where an expression in it is from another line."""

    def __init__(self, width: int = WIDTH) -> None:
        self.width = width
        self.lines: list[Line] = []
        self.pending = ""
        self.origin = 0
        self.place = 0

    def made(self, text: str) -> Line:
        line, self.place = Line.of(text, self.place or self.origin), 0
        return line

    def put(self, text: str) -> None:
        self.pending += text

    def end(self) -> None:
        if self.pending:
            self.lines.append(self.made(self.pending))
            self.pending = ""

    def line(self, text: str = "") -> None:
        self.end()
        self.lines.append(self.made(text))

    def expression(self, expression: Expression) -> None:
        indent = " " * len(self.pending)
        for number, text in enumerate(expression.text_lines()):
            if number:
                self.lines.append(self.made(self.pending))
                self.pending = indent
            self.pending += text
            of_words = [token.line for token in expression.lines[number] if token.line]
            if self.origin in of_words:
                self.place = 0
            elif of_words:
                self.place = self.place or of_words[0]


def needs_parentheses(lines: list[str]) -> bool:
    """Whether an operator that may bind less than `=` stands outside of all brackets, for all that can be seen."""
    depth = 0
    for text in lines:
        at, quoted = 0, False
        # as TLC's translator looks at the first line only, as often as there are lines
        text = lines[0]
        while at < len(text):
            char, after = text[at], text[at + 1 : at + 2]
            if quoted:
                quoted = char != '"'
                at += 1 + (char == "\\")
                continue
            if char == '"':
                quoted = True
            elif char + after in ("<<", ">>"):
                depth += 1 if char == "<" else -1
                if depth < 0:
                    return True
                at += 1
            elif _loose(text, at) and not depth:
                return True
            elif char in "([{":
                depth += 1
            elif char in ")]}":
                if not depth:
                    return True
                depth -= 1
            at += 1
        if quoted:
            return True
    return False


def _loose(text: str, at: int) -> bool:
    char, after = text[at], text[at + 1 : at + 2]
    if char in "=#<>":
        return True
    if char == "|":
        return after == "-" or (at > 0 and text[at - 1] == "-")
    if char == "\\":
        return (after or " ") not in (" ", "o", "X")
    return char == "/" and after == "\\"
