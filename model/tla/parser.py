"""Parse modules and expressions: text in, `syntax` tree out, or a `TlaError` that says what is wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, UnexpectedToken
from lark.lexer import Lexer

from rmqproof.model.tla import syntax
from rmqproof.model.tla.builder import Builder
from rmqproof.model.tla.explain import unexpected
from rmqproof.model.tla.layout import Layout
from rmqproof.model.tla.lexer import Token, tokens_of_expression, tokens_of_module
from rmqproof.model.tla.parser_tables import tables_of
from rmqproof.model.tla.pieces import plain
from rmqproof.model.tla.source import Source
from rmqproof.model.tla.words import Words, words_of


class _NoLexer(Lexer):
    """Lark is fed tokens, so it need not build a lexer."""

    def __init__(self, _: Any) -> None: ...

    def lex(self, *_: Any) -> Any:
        raise AssertionError


@cache
def _grammar() -> Lark:
    text = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    options = {"parser": "lalr", "start": ["module", "argument"], "keep_all_tokens": True, "maybe_placeholders": False}
    return tables_of(text, _NoLexer, Builder(), **options)


@cache
def _terminals() -> dict[str, str]:
    """Token type -> Lark's name of the terminal."""
    return {terminal.pattern.value: terminal.name for terminal in _grammar().terminals if terminal.pattern}


def parse_module(source: Source) -> syntax.Module:
    """The first module of the text. Raise `TlaError` of kind `parse`."""
    return read_module(source)[0]


def read_module(source: Source) -> tuple[syntax.Module, Words]:
    """The first module of the text, and its words. Raise `TlaError` of kind `parse`."""
    tokens = tokens_of_module(source)
    module: syntax.Module = _parse(tokens, "module")
    return module, words_of(tokens, module)


def parse_expression(text: str, name: str = "expression") -> syntax.Expression:
    """One expression (or an operator's symbol, or LAMBDA), and nothing else. Raise `TlaError` of kind `parse`."""
    expression: syntax.Expression = plain(_parse(tokens_of_expression(Source(name, text)), "argument"))
    return expression


def _parse(tokens: list[Token], start: str) -> Any:
    names = _terminals()
    layout = Layout(tokens)
    parser: Any = _grammar().parse_interactive(start=start)
    feed = parser.parser_state.feed_token  # only asks for the type of a token
    try:
        for token in layout:
            token.type = names.get(token.kind, token.kind)
            result = feed(token, token.type == "$END")
    except UnexpectedToken as error:
        kinds = {name: kind for kind, name in names.items()}
        accepted = frozenset(kinds.get(name, name) for name in parser.accepts())
        raise unexpected(layout, accepted) from error
    return result
