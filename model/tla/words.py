"""The words of a module in the order in which TLC reads them.

TLC gives every string a number when it first meets it, whatever it is: a keyword, a name, a string literal. Strings,
model values and fields of records are ordered by that number, and so it decides what CHOOSE takes. Names are met while
a file is parsed, string literals afterwards, when the meaning of the module is made (`reading_order`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rmqproof.model.records import dataclass

if TYPE_CHECKING:
    from rmqproof.model.tla.lexer import Token


@dataclass(frozen=True, slots=True)
class Outline:
    """Which modules a module mentions, each list in the order of the text; `inner` are the modules inside it."""

    name: str
    extends: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()
    inner: tuple[Outline, ...] = ()

    def names_inside(self) -> set[str]:
        """The names of the modules inside this one."""
        found: set[str] = set()
        for module in self.inner:
            found |= {module.name} | module.names_inside()
        return found


@dataclass(frozen=True, slots=True)
class Words:
    """What TLC takes from one file: `names` are all tokens but string literals, each once, `strings` the literals."""

    names: tuple[str, ...]
    strings: tuple[str, ...]
    outline: Outline


def words_of(tokens: Sequence[Token], tree: object) -> Words:
    """The words of a module with these tokens, of which `tree` was made."""
    names = dict.fromkeys(
        token.text
        for token in tokens
        if token.kind not in ("STRING", "SEPARATOR", "END_MODULE", "MODULE") and token.text
    )
    return Words(tuple(names), _strings(tokens, tree), outline_of(tokens))


def outline_of(tokens: Sequence[Token]) -> Outline:
    """The modules in these tokens, and those that they mention."""
    root: list[Outline] = []
    _outline(tokens, 0, root)
    return root[0]


def _outline(tokens: Sequence[Token], start: int, found: list[Outline]) -> int:
    """Add the module whose header begins at `start`; where its text ends."""
    name, extends, instances = "", [], []
    inner: list[Outline] = []
    at = start
    while at < len(tokens):
        kind = tokens[at].kind
        if kind == "MODULE" and not name:
            at += 1
            name = tokens[at].text
        elif kind == "SEPARATOR" and name and at + 1 < len(tokens) and tokens[at + 1].kind == "MODULE":
            at = _outline(tokens, at, inner)
            continue
        elif kind == "EXTENDS":
            extends.append(tokens[at + 1].text)
            at += 1
            while tokens[at + 1].kind == ",":
                extends.append(tokens[at + 2].text)
                at += 2
        elif kind == "INSTANCE":
            at += 1
            instances.append(tokens[at].text)
        elif kind == "END_MODULE":
            at += 1
            break
        at += 1
    found.append(Outline(name, tuple(extends), tuple(instances), tuple(inner)))
    return at


def _strings(tokens: Sequence[Token], tree: object) -> tuple[str, ...]:
    """The string literals in the order of the text, but in {e : x \\in S} those of S before those of e."""
    literals = [((token.line, token.column), token.name) for token in tokens if token.kind == "STRING"]
    if len(literals) > 1:
        for start, middle, end in _maps(tree):
            body = [literal for literal in literals if start <= literal[0] < middle]
            bounds = [literal for literal in literals if middle <= literal[0] < end]
            if body and bounds:
                first = literals.index(body[0])
                literals[first : first + len(body) + len(bounds)] = bounds + body
    return tuple(dict.fromkeys(text for _, text in literals))


_Place = tuple[int, int]


def _maps(tree: object) -> list[tuple[_Place, _Place, _Place]]:
    """Where each {e : bounds} starts, its bounds start, and it ends; outer ones first."""
    from rmqproof.model.tla.syntax import SetMap

    found: list[tuple[_Place, _Place, _Place]] = []
    pending: list[Any] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(reversed(node))
        elif hasattr(node, "at"):
            if isinstance(node, SetMap):
                at, first = node.at, node.bounds[0].at
                found.append(((at.line, at.column), (first.line, first.column), (at.end_line, at.end_column)))
            pending.extend(reversed([getattr(node, field.name) for field in fields(node) if field.name != "at"]))
    return found
