"""The words of an algorithm one after the other, and the expressions among them."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.pluscal.expression import Expression
from rmqproof.model.pluscal.lexer import Kind, PlusCalError, Token

_DELIMITERS_TEXT = (
    "; do then := ≔ begin variable variables || ‖ end else elsif if either or while with call return goto "
    "print assert skip procedure define process fair "
)
_DELIMITERS = frozenset(_DELIMITERS_TEXT.split())
_SEMICOLON_LEFT_OUT_TEXT = "end begin else elsif or do macro procedure process fair define } { "
_SEMICOLON_LEFT_OUT = frozenset(_SEMICOLON_LEFT_OUT_TEXT.split())
_NEEDS_SEMICOLON_TEXT = "if either while with call return goto print assert skip "
_NEEDS_SEMICOLON = frozenset(_NEEDS_SEMICOLON_TEXT.split())
_OPENING = frozenset(("(", "[", "{", "<<", "⟨"))
_CLOSING = frozenset((")", "]", "}", ">>", "⟩", "]_", ">>_", "⟩_"))
_QUANTIFIERS = ("\\A", "\\E", "∀", "∃")


class Reader:
    """`braces`: the algorithm is in c-syntax."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.braces = False

    def peek(self, ahead: int = 0) -> str:
        """The text of a word that is no string; empty at the end."""
        where = self.at + ahead
        if where >= len(self.tokens) or self.tokens[where].kind is Kind.STRING:
            return ""
        return self.tokens[where].text

    def take(self) -> Token:
        if self.at >= len(self.tokens):
            last = self.tokens[-1] if self.tokens else Token("", Kind.SYMBOL)
            raise PlusCalError(
                "The algorithm ends too early.",
                last.line,
                last.column,
                "Its comment ends here, or one in it is not closed.",
            )
        self.at += 1
        return self.tokens[self.at - 1]

    def wrong(self, message: str, token: Token | None = None, remedy: str = "") -> PlusCalError:
        token = token or self.tokens[min(self.at, len(self.tokens) - 1)]
        return PlusCalError(message, token.line, token.column, remedy)

    def expect(self, *texts: str) -> Token:
        token = self.take()
        if token.text not in texts or token.kind is Kind.STRING:
            raise self.wrong(f"`{texts[0]}` is expected here, not `{token.written}`.", token)
        return token

    def semicolon(self) -> None:
        """It may be left out before a word that ends what is before."""
        if self.peek() in _SEMICOLON_LEFT_OUT:
            return
        if self.peek() in _NEEDS_SEMICOLON:
            raise self.wrong(f"A `;` is missing before this `{self.peek()}`.")
        self.expect(";")

    def end(self, word: str) -> None:
        if self.braces:
            self.expect("}")
        else:
            self.expect("end")
            self.expect(word)

    def begin(self) -> None:
        self.expect("{" if self.braces else "begin")

    def identifier(self, what: str) -> Token:
        token = self.take()
        if token.kind is not Kind.IDENTIFIER:
            raise self.wrong(f"The name of {what} is expected here, not `{token.written}`.", token)
        return token

    def expression(self, what: str = "") -> Expression:
        """Up to the next word that cannot be in one. With `what` it may not be empty."""
        start, depth, quantifier, before = self.at, 0, False, " "
        while True:
            if self.at >= len(self.tokens):
                self.take()
            token = self.tokens[self.at]
            if token.kind is not Kind.STRING:
                if self._ends(token, depth, quantifier, before):
                    break
                depth += (token.text in _OPENING) - (token.text in _CLOSING)
                if depth < 0:
                    raise self.wrong(f"Nothing is open that this `{token.text}` could close.", token)
                if not depth and token.text in _QUANTIFIERS:
                    quantifier = True
                elif not depth and token.text == ":":
                    quantifier = False
            before = token.text if token.kind is not Kind.STRING else " "
            self.at += 1
        if depth:
            raise self.wrong(f"An expression ends at `{token.text}` with something in it that is not closed.", token)
        if quantifier:
            raise self.wrong(f"An expression ends at `{token.text}` without the `:` of a quantifier.", token)
        words = self.tokens[start : self.at]
        if what and not words:
            raise self.wrong(f"The expression of {what} is missing here.", token)
        return _laid_out(words)

    def _ends(self, token: Token, depth: int, quantifier: bool, before: str) -> bool:
        if token.text in _DELIMITERS:
            return token.kind is not Kind.IDENTIFIER or before not in (".", "[", ",")
        return not depth and ((token.text == "," and not quantifier) or token.text in (")", "}"))

    def equal_or_in(self) -> bool:
        return self.expect("=", "\\in", "∈").text == "="


def _laid_out(words: Sequence[Token]) -> Expression:
    """The words in the lines that they stand in, empty ones between them too."""
    if not words:
        return Expression()
    lines: list[list[Token]] = [[] for _ in range(words[-1].line - words[0].line + 1)]
    for word in words:
        lines[word.line - words[0].line].append(word)
    return Expression(lines)
