"""The words of parse errors: what is wrong and what to do, one function an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rmqproof.model.tla.source import Location, TlaError

if TYPE_CHECKING:
    from rmqproof.model.tla.lexer import Token


def left_of_bullet(token: Token, bullet: Token, opened: Token) -> TlaError:
    """A token outside a junction list's column while something inside the list is still open."""
    return TlaError(
        f"{spoken(token)} stands at or left of the column of the list {bullet.text} begun on line {bullet.line}, "
        f"but the {opened.text} of line {opened.line} inside that list is not finished",
        token.at,
        f"Finish the {opened.text} first, or indent this line to the right of column {bullet.column}.",
    )


def needs_parentheses(left: Token, right: Token) -> TlaError:
    """Two operators whose precedences say nothing about which comes first."""
    one, two = left.text, right.text
    message = f"{one} and {two} stand side by side, and TLA+ does not say which comes first"
    remedy = f"Add parentheses around the part with {one} or the part with {two}."
    if left.name == right.name:
        message = f"{one} does not chain: TLA+ does not say which {one} comes first"
        remedy = f"Add parentheses, or split it: a {one} b {one} c as a {one} b /\\ b {one} c."
        if left.name == "=" and left.line < right.line:
            remedy = "Add parentheses; or, if this line begins a definition, write == for =."
        if left.name in ("=>", "<=>", "^", "/", "%", ".."):
            remedy = f"Add parentheses: (a {one} b) {one} c or a {one} (b {one} c)."
    elif {left.name, right.name} == {"/\\", "\\/"}:
        remedy = "Add parentheses, or write them as bulleted lists, one above the other by column."
    return TlaError(message, right.at, remedy)


def selector_refused(at: Location) -> TlaError:
    return TlaError(
        "parts of a definition by number or label (Op!1, Op!<<, Op!lab) are read in proofs only",
        at,
        "Give that part a definition of its own and use its name.",
    )


def label_changes_parse(outer: Token, inner: str, at: Location) -> TlaError:
    return TlaError(
        f"without this label, {outer.text} and {inner} would group differently",
        at,
        f"Put parentheses around the labelled expression after {outer.text}.",
    )


def spoken(token: Token) -> str:
    """A token as a sentence names it."""
    match token.kind:
        case "$END":
            return "the end of the text"
        case "END_MODULE":
            return "the end of the module"
        case "SEPARATOR":
            return "the line ----"
        case "STRING":
            return f"the string {token.text}"
        case "NUMBER" | "DECIMAL":
            return f"the number {token.text}"
    return token.text


def at_token(message: str, token: Token, remedy: str = "") -> TlaError:
    return TlaError(message, token.at, remedy)


def at_place(message: str, at: Location, remedy: str = "") -> TlaError:
    return TlaError(message, at, remedy)
