"""What the rules of the tree share: patterns, bounds, comments, annotations, labels."""

from __future__ import annotations

import re
from typing import Any

from rmqproof.model.tla import syntax
from rmqproof.model.tla.lexer import Token
from rmqproof.model.tla.messages import at_place, at_token
from rmqproof.model.tla.operators import prefix_operators
from rmqproof.model.tla.precedence import Parenthesised, tree_of, unwrapped
from rmqproof.model.tla.source import Location

Children = list[Any]
_ANNOTATION = re.compile(r"@(\w+)\s*:\s*([^;]*);")
_BINDS_LIKE_PRIME = frozenset(name for name, entry in prefix_operators().items() if entry.high == 15)


def span(first: Any, last: Any) -> Location:
    """From the start of one token or node to the end of another."""
    while type(first) is list:
        first = first[0]
    while type(last) is list:
        last = last[-1]
    if type(first) is not Token:
        first = first.at
    if type(last) is not Token:
        last = last.at
    return Location(first.source, first.line, first.column, last.end_line, last.end_column)


def plain(item: Any) -> Any:
    """The expression that an `expression` of the grammar stands for."""
    kind = type(item)
    if kind is list:
        return tree_of(item)
    if kind is Parenthesised:
        return unwrapped(item)
    return item


def identifier(token: Token) -> syntax.Identifier:
    return syntax.Identifier(token.at, token.name)


def pattern_of(item: Any) -> syntax.Identifier | syntax.TuplePattern | None:
    """What `item` binds, if it has the form of a name or of a tuple of names."""
    if type(item) is syntax.Apply and not item.arguments and not item.prefix:
        return syntax.Identifier(item.at, item.name)
    if type(item) is syntax.TupleExpression:
        names = [pattern_of(part) for part in item.items]
        if all(type(name) is syntax.Identifier for name in names):
            return syntax.TuplePattern(item.at, tuple(names))  # type: ignore[arg-type]
    return None


def bound_of(item: Any) -> tuple[syntax.Pattern, Any] | None:
    """The pattern and the domain when `item` has the form `pattern \\in domain`."""
    if type(item) is list and len(item) > 2 and type(item[1]) is Token and item[1].kind == "\\in":
        pattern = pattern_of(item[0])
        if pattern is not None:
            return pattern, item[2:] if len(item) > 3 else item[2]
    return None


def bounds_of(items: Children) -> tuple[syntax.Bound, ...]:
    """`x, y \\in S, <<a, b>> \\in T`; names left without a set at the end form a bound with domain None."""
    bounds: list[syntax.Bound] = []
    waiting: list[syntax.Identifier | syntax.TuplePattern] = []
    for item in items:
        bound = bound_of(item)
        if bound is not None:
            pattern, domain = bound
            waiting.append(pattern)
            tuples = [part for part in waiting if type(part) is syntax.TuplePattern]
            if tuples and len(waiting) > 1:
                raise at_place(
                    "a tuple of names needs a set of its own",
                    tuples[0].at,
                    "Write <<a, b>> \\in S, x \\in T: the tuple apart from the other names.",
                )
            bounds.append(syntax.Bound(span(waiting[0], domain), tuple(waiting), plain(domain)))
            waiting = []
            continue
        name = pattern_of(item)
        if name is None:
            raise at_place(
                "expected a name, or a bound such as x \\in S",
                span(item, item),
                "What stands before the colon or |-> names the bound variables and their sets.",
            )
        waiting.append(name)
    if waiting:
        bounds.append(syntax.Bound(span(waiting[0], waiting[-1]), tuple(waiting), None))
    return tuple(bounds)


def with_domains(items: Children, after: str) -> tuple[syntax.Bound, ...]:
    bounds = bounds_of(items)
    if bounds[-1].domain is None:
        pattern = bounds[-1].patterns[-1]
        raise at_place(f"this needs a set: x \\in S {after}", pattern.at)
    return bounds


def comment_above(token: Token) -> str:
    """The text of the comment block that ends on the line before the token, or on its own line."""
    parts: list[str] = []
    line = token.line
    for comment in reversed(token.comments):
        if comment.last_line not in (line, line - 1):
            break
        parts.append(comment.text.strip(" "))
        line = comment.first_line or line
    return "\n".join(reversed(parts)).strip()


def annotations_of(token: Token) -> tuple[syntax.Annotation, ...]:
    """The annotations `@kind: text;` in the comments before the token."""
    if not token.comments:
        return ()
    found = []
    text = "\n".join(comment.text for comment in token.comments)
    first, last = token.comments[0], token.comments[-1]
    at = Location(token.source, first.first_line or first.last_line, 1, last.last_line, 1)
    for match in _ANNOTATION.finditer(text):
        found.append(syntax.Annotation(at, match[1], " ".join(match[2].split())))
    return tuple(found)


def each_annotation(keyword: Token, names: list[Token]) -> tuple[tuple[syntax.Annotation, ...], ...]:
    """For each declared name; a comment above the keyword belongs to the first."""
    found = [annotations_of(name) for name in names]
    if not found[0]:
        found[0] = annotations_of(keyword)
    return tuple(found)


def new_kind(words: Children) -> str:
    """Of `NEW`, `NEW STATE`, `STATE`: the last word says the kind, CONSTANT where none does."""
    return "CONSTANT" if words[-1].kind == "NEW" else str(words[-1].name)


def not_plain_minus(operator: Token) -> None:
    if operator.text == "-":
        raise at_token("a prefix minus is declared and defined as -.", operator, "Write -. a == ...")


def labelled(label: syntax.Label, body: Any) -> Any:
    """A label in front of an operator's application must not change what the operator is applied to."""
    if type(body) is list and type(body[0]) is not Token:
        return Parenthesised(label, label.at, labels=outermost(label.body))
    return label


def outermost(body: syntax.Expression) -> str:
    return body.name if isinstance(body, syntax.Apply) else "\\X"


def plain_parameter(token: Token) -> syntax.Parameter:
    return syntax.Parameter(token.at, token.name)


def no_tuples(bound: syntax.Bound) -> None:
    if bound.domain is None:
        for pattern in bound.patterns:
            if type(pattern) is syntax.TuplePattern:
                raise at_place("a tuple of names needs a set", pattern.at, "Write <<x, y>> \\in S.")


def field_name(item: Any) -> syntax.Identifier:
    name = pattern_of(item)
    if type(name) is not syntax.Identifier:
        raise at_place("expected the name of a record's field", span(item, item))
    return name


def still_primed(inner: Any, node: syntax.Expression, at: Location) -> Any:
    if type(inner) is Parenthesised and inner.primed:
        return Parenthesised(node, at, primed=True)
    return node
