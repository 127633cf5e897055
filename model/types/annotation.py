"""Apalache's type annotations (its type system 1 and 1.2): `Int -> Set(<<Str, NODE>>)`."""

from __future__ import annotations

import re

from .domain import BOOL, UNKNOWN, Function, Int, Record, Seq, Set, Text, Tuple, Type

TOKEN = re.compile(r"\s*(->|=>|<<|>>|[A-Za-z_$][A-Za-z0-9_]*|[()\[\]{},:|;\"])")


class AnnotationError(Exception):
    """The text is not a type."""


def parse_annotation(text: str) -> Type:
    """The type that the annotation names; uninterpreted types and aliases are Unknown.

    Raise `AnnotationError` when it cannot be read.
    """
    tokens, at = [], 0
    text = text.strip().rstrip(";").rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise AnnotationError(text)
        tokens.append(match.group(1))
        at = match.end()
    reader = _Reader(tokens)
    type_ = reader.type()
    if reader.tokens:
        raise AnnotationError(text)
    return type_


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, expected: str = "") -> str:
        if not self.tokens or (expected and self.tokens[0] != expected):
            raise AnnotationError(f"expected {expected!r}")
        return self.tokens.pop(0)

    def type(self) -> Type:
        left = self.primary()
        if self.peek() == "->":
            self.take()
            return Function(left, self.type())
        return left

    def primary(self) -> Type:
        token = self.take()
        if token in ("Set", "Seq"):
            self.take("(")
            element = self.type()
            self.take(")")
            return Set(element) if token == "Set" else Seq(element)
        if token == "<<":
            items = [self.type()]
            while self.peek() == ",":
                self.take()
                items.append(self.type())
            self.take(">>")
            return Tuple(tuple(items))
        if token in ("[", "{"):
            return self.record("]" if token == "[" else "}")
        if token == "(":
            inner = self.type()
            self.take(")")
            return inner
        known: dict[str, Type] = {"Int": Int(), "Bool": BOOL, "Str": Text()}
        if token in known:
            return known[token]
        if re.match(r"[A-Za-z_$]", token):
            return UNKNOWN
        raise AnnotationError(token)

    def record(self, closing: str) -> Type:
        fields: dict[str, Type] = {}
        while self.peek() != closing:
            name = self.take()
            self.take(":")
            fields[name] = self.type()
            if self.peek() == ",":
                self.take()
        self.take(closing)
        return Record.of(fields)
