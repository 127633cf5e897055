"""Expressions whose values are records or pairs with contents of two kinds, and what is read of them."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Scope, bracketed
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import Tagged, Type


def constructed(x: Expressions, type: Tagged, depth: int, scope: Scope) -> Node:
    tag, content = x.random.choice(type.cases)
    return x.tagged(type, tag, x.make(content, depth, scope))


def _part(name: object, place: int) -> tuple[Part, ...]:
    return (".", Field(name)) if name is not None else (f"[{place}]",)  # type: ignore[arg-type]


def tag_of(value: Node, type: Tagged) -> tuple[Part, ...]:
    return (value, *_part(type.tag, 1))


def content_of(value: Node, type: Tagged) -> tuple[Part, ...]:
    return (value, *_part(type.content, 2))


def changed(x: Expressions, type: Tagged, depth: int, scope: Scope) -> Node:
    """The content alone where the tag allows it, or both."""
    value = Node(type, ("(", x.make(type, depth, scope), ")"))
    tag, content = x.random.choice(type.cases)
    new = x.make(content, depth, scope)
    one: tuple[Part, ...] = ("!", *_part(type.content, 2), " = ", new)
    if x.chance(0.5):
        return Node(type, ("[", value, " EXCEPT !", *_part(type.tag, 1), " = ", tag, ", ", *one, "]"))
    test = ("IF ", *tag_of(value, type), " = ", tag, " THEN ")
    return bracketed(type, *test, "[", value, " EXCEPT ", *one, "] ELSE ", value)


def content(x: Expressions, type: Type, depth: int, scope: Scope) -> Node | None:
    """What something tagged has inside, where there is such a case; at times whatever its tag says."""
    fitting = [(each, tag) for each in x.universe.tagged for tag, its in each.cases if its == type]
    if not fitting:
        return None
    union, tag = x.random.choice(fitting)
    value = Node(union, ("(", x.make(union, depth, scope), ")"))
    if x.chance(x.risk):
        return Node(type, content_of(value, union))
    test = ("IF ", *tag_of(value, union), " = ", tag, " THEN ")
    return bracketed(type, *test, *content_of(value, union), " ELSE ", x.leaf(type, scope))


TAGGED: tuple[Form, ...] = (constructed, constructed, changed)
