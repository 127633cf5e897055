"""The words of an algorithm, with their places: what a comment has between `--algorithm` and its end.

Columns count from 0 in lines whose tabs are blanks up to the next multiple of eight, as the translation keeps the
columns of expressions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    IDENTIFIER = auto()
    SYMBOL = auto()
    NUMBER = auto()
    STRING = auto()
    ADDED = auto()
    """A variable of the translation's own, as `stack`, which gets the subscript of the process."""


class PlusCalError(Exception):
    """Something is wrong with an algorithm. `line` counts from 1, `column` (from 0) as in this module."""

    def __init__(self, message: str, line: int = 0, column: int = 0, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.remedy = remedy


@dataclass(slots=True, eq=False)
class Token:
    """`column` changes as an expression is laid out anew. The text of a string is without its quotes."""

    text: str
    kind: Kind
    line: int = 0
    column: int = 0

    @property
    def width(self) -> int:
        return len(self.text) + (2 if self.kind is Kind.STRING else 0)

    @property
    def written(self) -> str:
        return f'"{self.text}"' if self.kind is Kind.STRING else self.text

    def copy(self) -> Token:
        return Token(self.text, self.kind, self.line, self.column)


_KEYWORDS_TEXT = (
    "ASSUME ASSUMPTION AXIOM BOOLEAN CASE CONSTANT CONSTANTS CHOOSE DOMAIN ELSE ENABLED EXCEPT EXTENDS FALSE "
    "IF IN INSTANCE LET LOCAL MODULE OTHER STRING SUBSET THEN THEOREM TRUE UNCHANGED UNION VARIABLE "
    "VARIABLES WITH "
)
_KEYWORDS = frozenset(_KEYWORDS_TEXT.split())
_SIGNS_TEXT = (
    "-+-> ::= (\\X) >>_ <=> |-> (+) (-) (.) (/) << >> ]_ [] <> ~> => =< <= >= /= == := :> <: /\\ \\/ .. ... ++ "
    "-- ** // ^^ |- |= -| =| || && %% $$ ## ?? !! @@ ^+ ^* ^# <- -> ( ) [ ] { } , : ; . ' ~ \\ / - * + ^ | & "
    "= # < > % $ ? ! @ _ "
)
_SIGNS = _SIGNS_TEXT.split()
_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    |(?P<fair>[WS]F_)
    |(?P<word>[0-9]*[A-Za-z_][A-Za-z0-9_]*)
    |(?P<number>[0-9]+|\\[bBoOhH][0-9A-Fa-f]*[0-9][0-9A-Fa-f]*)
    |"(?P<string>(?:[^"\\]|\\.)*)"
    |(?P<named>\\[A-Za-z]+)
    |(?P<sign>"""
    + "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
    + r"""|[^\x00-\x7f])""",
    re.VERBOSE,
)


def tokens_of(lines: Sequence[str], line: int, column: int) -> list[Token]:
    """The words from this place (line and column from 0) on, up to what can be no part of an algorithm."""
    found: list[Token] = []
    for number in range(line, len(lines)):
        text, at = lines[number], column if number == line else 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                found.append(Token(text[at], Kind.SYMBOL, number + 1, at))
                at += 1
                continue
            token = _token(match, number + 1)
            if token is not None:
                found.append(token)
            at = match.end()
    return found


def _token(match: re.Match[str], line: int) -> Token | None:
    kind, text = match.lastgroup, match[match.lastgroup or 0]
    if kind == "blank":
        return None
    if kind == "string":
        return Token(text, Kind.STRING, line, match.start())
    if kind == "number":
        return Token(text, Kind.NUMBER, line, match.start())
    name = kind == "word" and text not in _KEYWORDS
    return Token(text, Kind.IDENTIFIER if name else Kind.SYMBOL, line, match.start())


def without_tabs(line: str) -> str:
    return line.expandtabs(8)


def without_comments(lines: Sequence[str], line: int, column: int) -> list[str]:
    """The lines with blanks for comments from this place on, up to the end of the comment that it is in."""
    done = list(lines[:line])
    depth = 0
    for number in range(line, len(lines)):
        start = column if number == line else 0
        text, depth, over = _stripped(lines[number], start, depth, number)
        done.append(" " * start + text)
        if over:
            return done
    return done


def _stripped(text: str, at: int, depth: int, number: int) -> tuple[str, int, bool]:
    """The rest of a line without comments, how deep in comments it ends, and whether the algorithm's comment does."""
    out: list[str] = []
    quoted = False
    while at < len(text):
        pair = text[at : at + 2]
        if pair == "(*" and not quoted:
            depth, at = depth + 1, at + 2
            out.append("  ")
        elif pair == "*)" and not quoted:
            if not depth:
                return "".join(out), 0, True
            depth, at = depth - 1, at + 2
            out.append("  ")
        elif depth:
            out.append(" ")
            at += 1
        elif quoted and text[at] == "\\":
            out.append(pair)
            at += 2
        elif pair == "\\*" and not quoted:
            break
        else:
            quoted ^= text[at] == '"'
            out.append(text[at])
            at += 1
    if quoted:
        raise PlusCalError("A string does not end on its line.", number + 1, 0)
    return "".join(out), depth, False
