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


def label_changes_parse(outer: Token, inner: str, at: Location) -> TlaError:
    return TlaError(
        f"without this label, {outer.text} and {inner} would group differently",
        at,
        f"Put parentheses around the labelled expression after {outer.text}.",
    )


def expression_expected(before: Token | None, token: Token) -> TlaError:
    if before is None:
        return TlaError(f"expected an expression but found {spoken(token)}", token.at)
    remedy = ""
    if before.kind in _INFIXES and token.kind in _INFIXES:
        remedy = f"Two operators stand side by side: write an expression between {before.text} and {token.text}."
    elif token.kind == "==":
        remedy = "== only defines; equality is written with one =."
    elif token.kind in (")", "]", "}", ">>") and before.kind == ",":
        remedy = "Remove the comma before it, or write what is missing."
    elif before.text in ("/\\", "\\/"):
        remedy = f"Write the item's expression, or remove this {before.text}."
    return TlaError(f"expected an expression after {spoken(before)} but found {spoken(token)}", token.at, remedy)


def item_cut_off(before: Token, token: Token) -> TlaError:
    return TlaError(
        f"expected an expression after {spoken(before)}, but here the next item of the list begins",
        token.at,
        f"Finish the item above; if this {token.text} belongs to it, indent it to the right of column {token.column}.",
    )


def left_of_list(before: Token, token: Token, bullet: Token) -> TlaError:
    return TlaError(
        f"expected an expression after {spoken(before)}, but {spoken(token)} ends the list begun on line "
        f"{bullet.line}, since it stands at or left of the column of its {bullet.text}",
        token.at,
        f"Indent this line to the right of column {bullet.column}, or finish the item above.",
    )


def not_finished(opened: Token, wanted: str, token: Token) -> TlaError:
    what = "the parenthesis" if opened.text == "(" else "the bracket" if opened.text in ("[", "{", "<<") else ""
    return TlaError(
        f"expected {wanted} to go on with {what} {opened.text} of line {opened.line}, column {opened.column}, "
        f"but found {spoken(token)}".replace("  ", " "),
        token.at,
        f"The {opened.text} on line {opened.line} is not finished before this point.",
    )


def closes_nothing(token: Token) -> TlaError:
    return TlaError(
        f"this {token.text} closes nothing that is open here",
        token.at,
        "Remove it, or add what it should close.",
    )


def equals_in_definition(equals: Token, token: Token) -> TlaError:
    return TlaError(
        f"expected == but found {spoken(token)}" if token is equals else "a definition is written with ==, not with =",
        equals.at,
        "Write == to define; a single = compares two values.",
    )


def no_header_before(token: Token) -> TlaError:
    return TlaError(
        "what stands before this == is no header of a definition",
        token.at,
        "A header is Name, Name(x, y), f[x \\in S] or a (+) b. Equality is written with one =.",
    )


def definition_too_early(before: Token, name: Token) -> TlaError:
    return TlaError(
        f"expected an expression after {spoken(before)} of line {before.line}, but here {name.text} is defined",
        name.at,
        f"Finish the expression on line {before.line}.",
    )


def unknown_operator(backslash: Token, word: Token) -> TlaError:
    return TlaError(
        f"\\{word.text} is no operator of TLA+",
        Location(backslash.source, backslash.line, backslash.column, word.end_line, word.end_column),
        "For a difference of sets, leave a space after the \\.",
    )


def fairness_incomplete(keyword: Token) -> TlaError:
    return TlaError(
        f"{keyword.text} needs a subscript and one action in parentheses",
        keyword.at,
        f"Write {keyword.text}vars(Next) or {keyword.text}<<x, y>>(Next).",
    )


def module_without_end(token: Token) -> TlaError:
    return TlaError(
        "the text ends, but the module does not",
        token.at,
        "A module ends with a line of at least four equals signs: ====",
    )


def stops_early(token: Token) -> TlaError:
    return TlaError("the text ends in the middle of something", token.at)


def local_in_let(token: Token) -> TlaError:
    return TlaError(
        "LOCAL has no meaning inside LET", token.at, "Remove it: the definitions of a LET are seen only there."
    )


def nothing_between(before: Token, token: Token) -> TlaError:
    remedy = "Write an operator between them, or == if a definition begins here."
    if token.kind == "(":
        remedy = "Only an operator's name takes arguments in parentheses; a function is applied with [ ]."
    return TlaError(
        f"{spoken(token)} follows {spoken(before)} with nothing between them",
        token.at,
        remedy,
    )


def found(token: Token, before: Token | None, accepted: frozenset[str]) -> TlaError:
    after = f" after {spoken(before)}" if before is not None else ""
    if "VARIABLE" in accepted and "THEOREM" in accepted:
        return TlaError(
            f"expected a definition, a declaration or the end of the module{after}, but found {spoken(token)}", token.at
        )
    words = sorted({_SPOKEN_KINDS.get(kind, kind) for kind in accepted} - {""})
    if not words or len(words) > 6:
        return TlaError(f"{spoken(token)} cannot stand here{after}", token.at)
    listed = words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
    remedy = ""
    if before is not None and before.kind == "NEGATION":
        remedy = "-. names the unary minus where it is defined or passed: write -x, or -.(x)."
    return TlaError(f"expected {listed}{after}, but found {spoken(token)}", token.at, remedy)


_INFIXES = ("INFIX", "=", "\\in")
_SPOKEN_KINDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "DECIMAL": "",
    "STRING": "a string",
    "INFIX": "an operator",
    "POSTFIX": "",
    "PREFIX": "",
    "NEGATION": "",
    "LIST_OPEN": "",
    "LIST_NEXT": "",
    "LIST_CLOSE": "",
    "SELECTOR": "",
    "STEP": "",
    "SEPARATOR": "----",
    "END_MODULE": "====",
}


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
