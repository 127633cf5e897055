"""What people write who have the words of other languages at hand, and how TLA+ has it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rmqproof.model.tla.lexer import Token

_WRITTEN = {
    "!=": "# or /=",
    "&&": "/\\",
    "||": "\\/",
    "and": "/\\",
    "or": "\\/",
    "not": "~",
    "in": "\\in",
    "mod": "%",
    "forall": "\\A",
    "exists": "\\E",
    "true": "TRUE",
    "false": "FALSE",
    "True": "TRUE",
    "False": "FALSE",
    "if": "IF",
    "then": "THEN",
    "else": "ELSE",
    "let": "LET",
    "case": "CASE",
    "union": "\\cup or UNION",
    "length": "Len",
}
_NOTHING = frozenset(("null", "NULL", "Null", "nil", "none", "None", "undefined"))
_OPERAND_ENDS = frozenset(("NAME", "NUMBER", "STRING", ")", "]", "}", ">>"))
_OPERAND_BEGINS = frozenset(("NAME", "NUMBER", "STRING", "{", "<<", "["))
_LINE = 40
_AROUND = 3
"""Tokens before the one that is not accepted which may be what was meant otherwise; those of its line, at most."""


def meant_by_name(name: str) -> str:
    """What to do about an unknown name or operator of another language; empty for any other."""
    if name in _NOTHING:
        return f"A value that equals only itself is a constant: CONSTANT {name}, in the configuration {name} = {name}."
    return f"In TLA+ {name} is written {_WRITTEN[name]}." if name in _WRITTEN else ""


def meant_by_tokens(tokens: Sequence[Token], index: int) -> str:
    """What to do where the grammar does not accept token `index`; empty where nothing of another language is there."""
    token = tokens[index]
    line = [each for each in tokens[max(index - _LINE, 0) : index + 2] if each.line == token.line]
    for first, second in pairwise(line):  # what follows may be accepted for a while
        if first.text == "!" and second.text == "=" and first.end_column == second.column:
            return meant_by_name("!=")
    near = [each for each in tokens[max(index - _AROUND, 0) : index + 2] if each.line == token.line]
    for first, second in pairwise(near):
        if first.kind == "NAME" and first.text in _WRITTEN and second.kind in _OPERAND_BEGINS:
            return meant_by_name(first.text)
        if second.text == "<>" and first.kind in _OPERAND_ENDS:
            return "Not equal is written # or /=; <> is the temporal operator."
        if second.text == "'" and first.kind not in _OPERAND_ENDS:
            return "Strings stand in double quotes."
    if token.text == "!" and index and tokens[index - 1].kind not in _OPERAND_ENDS:
        return "In TLA+ not is written ~."
    if token.kind == "==" and index and tokens[index - 1].kind in _OPERAND_ENDS:
        return "== only defines; equality is written with one =."
    return ""
