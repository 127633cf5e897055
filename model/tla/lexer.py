"""From text to tokens: comments, numbers, strings, names and symbols, with their places.

The text before a module's header and after its end is skipped. A comment goes with the token that follows it.
Source: *Specifying Systems*, chapter 15 and appendix; Unicode spellings as the TLA+ Unicode table gives them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

from rmqproof.model.records import dataclass
from rmqproof.model.tla.operators import infix_operators, postfix_operators, prefix_operators, spellings
from rmqproof.model.tla.source import Location, Source, TlaError

TAB = 8  # columns of a tab stop, where junction lists are aligned


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that begins its line, or stands on the line of the token it belongs to. `text` without its markers."""

    first_line: int
    last_line: int
    text: str


class Token:
    """One token. `kind` is a terminal of the grammar: its name, or its text for keywords and punctuation.

    `type` is what Lark calls that.
    `name` is the canonical spelling, `text` the written one. `indent` is the column with tabs expanded.
    """

    __slots__ = (
        "column", "comments", "end_column", "end_line", "indent", "kind", "line", "name", "source", "text", "type",
    )  # fmt: skip

    def __init__(
        self, kind: str, name: str, text: str, source: Source, line: int, column: int, end_column: int, indent: int
    ) -> None:
        self.kind = self.type = kind
        self.name = name
        self.text = text
        self.source = source
        self.line = self.end_line = line
        self.column = column
        self.end_column = end_column
        self.indent = indent
        self.comments: tuple[Comment, ...] = ()

    @property
    def at(self) -> Location:
        return Location(self.source, self.line, self.column, self.end_line, self.end_column)

    def __repr__(self) -> str:
        return f"{self.kind}:{self.text!r}@{self.line}:{self.column}"


_KEYWORDS = """
    ACTION ASSUME ASSUMPTION BY CASE CHOOSE CONSTANT DEF DEFINE ELSE EXCEPT EXTENDS HAVE HIDE IF IN INSTANCE LAMBDA LET
    LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER PICK PROOF PROVE QED RECURSIVE STATE SUFFICES TAKE TEMPORAL THEN
    THEOREM USE VARIABLE WITH WITNESS
"""
_KEYWORD_SYNONYMS = {
    "AXIOM": "ASSUMPTION",
    "CONSTANTS": "CONSTANT",
    "VARIABLES": "VARIABLE",
    "DEFS": "DEF",
    "LEMMA": "THEOREM",
    "PROPOSITION": "THEOREM",
    "COROLLARY": "THEOREM",
    "ACTIONS": "ACTION",
    "TEMPORALS": "TEMPORAL",
}
_MARKS = "( ) [ ] { } << >> , : :: . ! -> <- |-> == ]_ >>_ @ \\A \\E \\AA \\EE []ASSUME []PROVE"
_MARK_SYNONYMS = {
    "\\forall": "\\A",
    "\\exists": "\\E",
    "∀": "\\A",
    "∃": "\\E",
    "≜": "==",
    "→": "->",
    "←": "<-",
    "↦": "|->",
    "⟨": "<<",
    "⟩": ">>",
    "⟩_": ">>_",
    "∷": "::",
}
_FAIRNESS = ("WF_", "SF_")
_NUMBER_SETS = {"ℕ": "Nat", "ℤ": "Int", "ℝ": "Real"}
_TERMINALS = {
    "separator": "SEPARATOR",
    "end": "END_MODULE",
    "base": "NUMBER",
    "decimal": "DECIMAL",
    "step": "STEP",
    "stop": "$END",
}
"""Of the groups of the pattern that are one terminal each."""
_HEADER = re.compile(r"-{4,} *MODULE\b")
_BEFORE_NAME = frozenset((".", "MODULE", "INSTANCE"))  # where a reserved word is a field's or module's name
_STEP = r"<(?:\d+|[+*])>[A-Za-z0-9_]*\.*"
_ESCAPES = {"\\": "\\", '"': '"', "n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_ESCAPE = re.compile(r"\\(.)")
_NESTING = re.compile(r"\(\*|\*\)")


@cache
def _symbols() -> dict[str, tuple[str, str]]:
    """Spelling of a symbol -> terminal, canonical name."""
    table: dict[str, tuple[str, str]] = {}
    infix, prefix, postfix = infix_operators(), prefix_operators(), postfix_operators()
    for spelling, name in spellings().items():
        terminal = "INFIX" if name in infix else "PREFIX" if name in prefix else "POSTFIX"
        assert name in infix or name in prefix or name in postfix, name
        table[spelling] = (terminal, name)
    table |= {mark: (mark, mark) for mark in _MARKS.split()}
    table |= {spelling: (mark, mark) for spelling, mark in _MARK_SYNONYMS.items()}
    table["-."] = ("NEGATION", "-.")
    table["="] = ("=", "=")
    for spelling in ("\\in", "∈"):
        table[spelling] = ("\\in", "\\in")
    return table


@cache
def words() -> dict[str, tuple[str, str]]:
    """Reserved words -> terminal, canonical name."""
    table = {word: (word, word) for word in _KEYWORDS.split()}
    table |= {word: (name, name) for word, name in _KEYWORD_SYNONYMS.items()}
    table |= {name: ("PREFIX", name) for name in prefix_operators() if name.isalpha()}
    return table


@cache
def _pattern() -> re.Pattern[str]:
    symbols = sorted((s for s in _symbols() if not s.isalpha() or not s.isascii()), key=len, reverse=True)
    parts = (
        r"(?P<decimal>\d+\.\d+(?![A-Za-z0-9_]))",
        r"(?P<name>[A-Za-z0-9_]+)",
        r"(?P<end>={4,})",
        r"(?P<separator>-{4,})",
        r"(?P<line>\\\*[^\n]*)",
        r"(?P<block>\(\*)",
        rf"(?P<step>{_STEP})",
        r"(?P<base>\\(?:[bB][01]+|[oO][0-7]+|[hH][0-9A-Fa-f]+))",
        r'(?P<string>"(?:[^"\\\n]|\\[\\"ntrf])*")',
        r"(?P<symbol>" + "|".join(map(re.escape, symbols)) + ")",
        r"(?P<set>[ℕℤℝ])",
        r"(?P<stop>\Z)",
    )
    return re.compile(r"[ \t\r\n\f]*(?:" + "|".join(parts) + ")")


class _Places:
    """Turns offsets, which only grow, into lines and columns."""

    def __init__(self, source: Source) -> None:
        self.source = source
        text = source.text
        self.starts = [0] + [i + 1 for i, c in enumerate(text) if c == "\n"] if "\n" in text else [0]
        self.tabs = "\t" in text

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def location(self, start: int, end: int) -> Location:
        line, last = self.line(start), self.line(end)
        return Location(
            self.source, line, start - self.starts[line - 1] + 1, last, end - self.starts[last - 1] + 1
        )  # fmt: skip

    def indent(self, line_start: int, offset: int) -> int:
        """The column with tabs expanded."""
        return len(self.source.text[line_start:offset].expandtabs(TAB)) + 1

    def starts_line(self, offset: int) -> bool:
        return not self.source.text[self.starts[self.line(offset) - 1] : offset].strip()


def tokens_of_module(source: Source) -> list[Token]:
    """The tokens from the first module header to the end of that module, ending with a token `$END`.

    Raise `TlaError` for a missing header, an open comment or string, or a character that no token begins with.
    """
    header = _HEADER.search(source.text)
    if header is None:
        raise TlaError(
            "there is no module here",
            Location(source, 1, 1, 1, 1),
            "A module begins with a line such as ---- MODULE Name ---- (at least four dashes on either side).",
        )
    tokens = _tokens(source, header.start(), module=True)
    before = source.text[: header.start()].strip()
    if before:
        line = tokens[0].line
        tokens[0].comments = (Comment(line, line - 1, before), *tokens[0].comments)
    return tokens


def tokens_of_expression(source: Source) -> list[Token]:
    """All tokens of the text, ending with a token `$END`."""
    return _tokens(source, 0, module=False)


def _tokens(source: Source, position: int, module: bool) -> list[Token]:
    text = source.text
    match = _pattern().match
    symbols, reserved = _symbols(), words()
    places = _Places(source)
    starts = [*places.starts, len(text) + 1]
    line = places.line(position)
    line_start, next_start = starts[line - 1], starts[line]
    tokens: list[Token] = []
    comments: list[Comment] = []
    depth = 0
    previous = ""
    while True:
        found = match(text, position)
        if found is None:
            raise _no_token(places, position)
        kind = found.lastgroup or "stop"
        start, end = found.span(kind)
        position = end
        if kind == "block" or kind == "line":
            if kind == "block":
                position = _end_of_block(places, start)
            comments.append(_comment(places, start, position, kind))
            continue
        while start >= next_start:
            line += 1
            line_start, next_start = next_start, starts[line]
        written = text[start:end]
        if kind == "name":
            terminal, name, written = _word(written, previous)
            position = end = start + len(written)
        elif kind == "symbol":
            terminal, name = symbols[written]
            if terminal == "|->" and tokens[-1].text in reserved:
                tokens[-1].kind, tokens[-1].name = "NAME", tokens[-1].text  # a field may be called NEW
        elif kind == "string":
            terminal, name = "STRING", written[1:-1]
            if "\\" in name:
                name = _ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], name)
        elif kind == "set":
            terminal, name = "NAME", _NUMBER_SETS[written]
        else:
            terminal, name = _TERMINALS[kind], written
        column = start - line_start + 1
        indent = places.indent(line_start, start) if places.tabs else column
        token = Token(terminal, name, written, source, line, column, column + end - start, indent)
        if comments:
            token.comments = tuple(c for c in comments if c.text and (c.first_line > 0 or c.last_line == line))
            comments = []
        tokens.append(token)
        if terminal == "$END":
            return tokens
        if module and terminal == "MODULE" and previous == "SEPARATOR":
            depth += 1
        elif module and terminal == "END_MODULE":
            depth -= 1
            if depth == 0:
                tokens.append(Token("$END", "", "", source, line, column + end - start, column + end - start, indent))
                return tokens
        previous = terminal


def _word(written: str, previous: str) -> tuple[str, str, str]:
    """The terminal, the canonical name and the text of a token of letters, digits and underscores, which may be the
    beginning only of what is written together."""
    entry = words().get(written)
    if entry is not None:
        return ("NAME", written, written) if previous in _BEFORE_NAME else (*entry, written)
    if written.isdigit():
        return "NUMBER", written, written
    if written[:3] in _FAIRNESS and previous != ".":
        return written[:3], written[:3], written[:3]
    return ("NAME", written, written) if written.strip("_") else ("_", "_", "_")


def _comment(places: _Places, start: int, end: int, kind: str) -> Comment:
    """`first_line` is 0 for a comment behind something else on its line."""
    text = places.source.text
    first = places.line(start)
    if kind == "line":
        body = text[start + 2 : end]
        last = first
    else:
        body = text[start + 2 : end - 2]
        last = places.line(end - 1)
    if not places.starts_line(start):
        first = 0
    return Comment(first, last, _stripped(body) or " ")


def _stripped(body: str) -> str:
    """A comment's words: without the asterisks and dashes of a box, without common indentation."""
    lines = [line.strip() for line in body.split("\n")]
    lines = [re.sub(r"^\*+ ?|\s*\*+$", "", line).rstrip() for line in lines]
    lines = ["" if re.fullmatch(r"[-*=~+ ]*|(BEGIN|END) TRANSLATION\b.*", line) else line for line in lines]
    return "\n".join(lines).strip()


def _end_of_block(places: _Places, start: int) -> int:
    text = places.source.text
    depth = 0
    for mark in _NESTING.finditer(text, start):
        depth += 1 if mark[0] == "(*" else -1
        if depth == 0:
            return mark.end()
    raise TlaError(
        "this comment is never closed",
        places.location(start, start + 2),
        "Add *) where the comment ends. Comments nest: each (* needs its own *).",
    )


def _no_token(places: _Places, position: int) -> TlaError:
    text = places.source.text
    while text[position] in " \t\r\n\f":
        position += 1
    character = text[position]
    at = places.location(position, position + 1)
    if character == '"':
        line_end = text.find("\n", position)
        rest = text[position + 1 : line_end if line_end >= 0 else len(text)]
        escape = re.search(r'\\([^\\"ntrf])', rest)
        if escape is not None and '"' in rest:
            begin = position + 1 + escape.start()
            return TlaError(
                f"\\{escape[1]} is no escape in a string",
                places.location(begin, begin + 2),
                'The escapes are \\" \\\\ \\t \\n \\f \\r; write \\\\ for a backslash.',
            )
        return TlaError(
            "this string is never closed",
            places.location(position, position + 1 + len(rest)),
            'Add the closing " on the same line; a string cannot go over the end of a line.',
        )
    if character == "\\":
        word = re.match(r"\\[A-Za-z]*", text[position:])
        name = word[0] if word else character
        return TlaError(f"{name} is no operator of TLA+", places.location(position, position + len(name)))
    remedy = "TLA+ strings are written with double quotes." if character in "`‘’“”" else ""
    if character == "?":
        remedy = "The operator is written ??."
    if character == ";":
        remedy = "TLA+ has no semicolons; in a PlusCal algorithm they stand inside a comment (* --algorithm ... *)."
    return TlaError(f"the character {character!r} has no meaning in TLA+", at, remedy)


def number_of(text: str) -> int:
    """The value of a number as written: `12`, `\\b1100`, `\\o14`, `\\hC`."""
    if text[0] != "\\":
        return int(text)
    return int(text[2:], {"b": 2, "o": 8, "h": 16}[text[1].lower()])
