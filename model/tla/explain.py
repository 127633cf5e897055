"""Which message a token deserves that the grammar does not accept: from what stands before it and what is open."""

from __future__ import annotations

from rmqproof.model.tla import messages
from rmqproof.model.tla.layout import Layout, Open
from rmqproof.model.tla.lexer import Token
from rmqproof.model.tla.other_languages import meant_by_tokens
from rmqproof.model.tla.source import TlaError

_CLOSERS = frozenset((")", "]", "}", ">>", "]_", ">>_"))
_WANTED = {
    "(": ", or )",
    "[": "]",
    "{": ", or }",
    "<<": ", or >>",
    "IF": "THEN",
    "THEN": "ELSE",
    "LET": "IN",
    "\\A": ":",
    "\\E": ":",
    "\\AA": ":",
    "\\EE": ":",
    "CHOOSE": ":",
    "LAMBDA": ":",
    "PICK": ":",
}
_UNIT_WORDS = "END_MODULE SEPARATOR $END VARIABLE CONSTANT THEOREM ASSUMPTION LOCAL RECURSIVE EXTENDS"
_ENDS_UNIT = frozenset(_UNIT_WORDS.split())
_SYMBOLS = frozenset(("INFIX", "=", "\\in"))
_EXPECTANT = "PREFIX INFIX = \\in : , ( THEN ELSE IN -> |-> == LIST_OPEN LIST_NEXT"
_BEFORE_OPERAND = frozenset(_EXPECTANT.split())


def unexpected(layout: Layout, accepted: frozenset[str]) -> TlaError:
    """The error for `layout.current`; `accepted` are the kinds of token that could stand there."""
    token = layout.current
    index = next(i for i, candidate in enumerate(layout.tokens) if candidate is token)
    error = _unexpected(layout, accepted, index)
    error.remedy = meant_by_tokens(layout.tokens, index) or error.remedy
    return error


def _unexpected(layout: Layout, accepted: frozenset[str], index: int) -> TlaError:
    token, before = layout.current, layout.tokens[index - 1] if index else None
    if "NAME" in accepted and "NUMBER" in accepted:
        return _expression_expected(layout, token, before)
    if before is not None and index > 1 and _misspelt(layout.tokens[index - 2], before):
        return messages.unknown_operator(layout.tokens[index - 2], before)
    if accepted == {"("}:
        return _call_expected(layout.tokens, index)
    definition = _equals_for_definition(layout.tokens, index, accepted)
    if definition is not None:
        return messages.equals_in_definition(definition, token)
    opened = _unfinished(layout)
    if opened is not None and opened.kind in _WANTED and accepted & set(_wanted(opened, accepted).split()):
        return messages.not_finished(opened.token, _wanted(opened, accepted), token)
    if token.kind in _CLOSERS and not layout.matched:
        return messages.closes_nothing(token)
    if token.kind == "$END":
        return messages.module_without_end(token) if "END_MODULE" in accepted else messages.stops_early(token)
    if token.kind == "==":
        return _no_header(layout.tokens, index)
    if token.kind == "LOCAL" and _in_let(layout):
        return messages.local_in_let(token)
    if before is not None and "INFIX" in accepted and _starts_operand(token):
        return messages.nothing_between(before, token)
    return messages.found(token, before, accepted)


def _expression_expected(layout: Layout, token: Token, before: Token | None) -> TlaError:
    if before is None:
        return messages.expression_expected(None, token)
    if token.kind == "LIST_NEXT":
        return messages.item_cut_off(before, token)
    if layout.ended is not None and token.indent <= layout.ended.indent:
        return messages.left_of_list(before, token, layout.ended.token)
    opened = _unfinished(layout)
    if opened is not None and token.kind in _ENDS_UNIT and opened.kind in _WANTED:
        return messages.not_finished(opened.token, "an expression", token)
    return messages.expression_expected(before, token)


def _call_expected(tokens: list[Token], index: int) -> TlaError:
    """Only a parenthesis may follow: after an operator where an expression should be, or after WF_'s subscript."""
    token, before = tokens[index], tokens[index - 1]
    if before.kind in _SYMBOLS:
        if _misspelt(before, token):
            return messages.unknown_operator(before, token)
        return messages.expression_expected(tokens[index - 2], before)
    for earlier in reversed(tokens[:index]):
        if earlier.kind in ("WF_", "SF_"):
            return messages.fairness_incomplete(earlier)
        if earlier.kind == "==":
            break
    return messages.found(token, before, frozenset("("))


def _no_header(tokens: list[Token], index: int) -> TlaError:
    """`==` after something that is no header: perhaps a header in the middle of an unfinished expression."""
    start = index - 1
    while start > 0 and tokens[start].line == tokens[start - 1].line:
        start -= 1
    if start > 0 and tokens[start].kind == "NAME" and tokens[start - 1].kind in _BEFORE_OPERAND:
        return messages.definition_too_early(tokens[start - 1], tokens[start])
    return messages.no_header_before(tokens[index])


def _misspelt(backslash: Token, word: Token) -> bool:
    """Whether a `\\` and a name stand so close that they were meant as one operator."""
    together = backslash.line == word.line and backslash.end_column == word.column
    return backslash.text == "\\" and word.kind == "NAME" and together


def _unfinished(layout: Layout) -> Open | None:
    """The innermost thing that must be finished by a token of its own."""
    for item in reversed(layout.stack):
        if item.kind not in ("list", "CASE") and item.token is not layout.current:
            return item
    return None


def _wanted(opened: Open, accepted: frozenset[str]) -> str:
    if opened.kind == "[" and "->" in accepted:
        return "|->, ->, :, EXCEPT or ]"
    if opened.kind in ("(", "{", "<<") and "," not in accepted:
        return _WANTED[opened.kind].split()[-1]
    if opened.kind == "{" and ":" in accepted:
        return ", : or }"
    return _WANTED[opened.kind]


def _equals_for_definition(tokens: list[Token], index: int, accepted: frozenset[str]) -> Token | None:
    """The token `=` where a definition has it for `==`."""
    if tokens[index].kind == "=" and "==" in accepted:
        return tokens[index]
    for back in (1, 2):
        position = index - back
        if position < 1 or tokens[position].kind != "=" or tokens[position - 1].kind != "NAME":
            continue
        name = tokens[position - 1]
        if position == 1 or tokens[position - 2].line < name.line:
            only_header = "==" in accepted or accepted == {"NAME"}
            return tokens[position] if only_header else None
    return None


def _starts_operand(token: Token) -> bool:
    return token.kind in ("NAME", "NUMBER", "STRING", "DECIMAL", "PREFIX", "{", "<<", "@", "IF", "CASE", "LET", "(")


def _in_let(layout: Layout) -> bool:
    return any(item.kind == "LET" for item in layout.stack)
