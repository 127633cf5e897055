"""Expressions whose values are messages: records or pairs with a tag and a content; and what is read of them."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Scope, bracketed
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import Case, Tagged, Type


def constructed(x: Expressions, type: Tagged, depth: int, scope: Scope) -> Node:
    case = x.random.choice(type.cases)
    return x.tagged(type, case, x.make(case.content, depth, scope) if case.content is not None else None)


def _tag(type: Tagged) -> tuple[Part, ...]:
    return (".", Field(type.tag)) if type.tag is not None else ("[1]",)


def _content(type: Tagged, case: Case) -> tuple[Part, ...]:
    return (".", Field(case.field)) if type.tag is not None else ("[2]",)


def changed(x: Expressions, type: Tagged, depth: int, scope: Scope) -> Node:
    """The content alone where the tag allows it, or both where all have the same fields."""
    case = x.random.choice(type.cases)
    if case.content is None:
        return constructed(x, type, depth, scope)
    value = Node(type, ("(", x.make(type, depth, scope), ")"))
    new: tuple[Part, ...] = ("!", *_content(type, case), " = ", x.make(case.content, depth, scope))
    if type.one_form and x.chance(0.5):
        return Node(type, ("[", value, " EXCEPT !", *_tag(type), " = ", case.tag, ", ", *new, "]"))
    test = ("IF ", value, *_tag(type), " = ", case.tag, " THEN ")
    return bracketed(type, *test, "[", value, " EXCEPT ", *new, "] ELSE ", value)


def content(x: Expressions, type: Type, depth: int, scope: Scope) -> Node | None:
    """What something tagged has inside, where there is such a case; at times whatever its tag says."""
    fitting = [(union, case) for union in x.universe.tagged for case in union.cases if case.content == type]
    if not fitting:
        return None
    union, case = x.random.choice(fitting)
    value = Node(union, ("(", x.make(union, depth, scope), ")"))
    read = (value, *_content(union, case))
    if x.chance(x.risk):
        return Node(type, read)
    return bracketed(type, "IF ", value, *_tag(union), " = ", case.tag, " THEN ", *read, " ELSE ", x.leaf(type, scope))


TAGGED: tuple[Form, ...] = (constructed, constructed, changed)
