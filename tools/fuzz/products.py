"""Expressions whose values are tuples and records."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Scope
from tools.fuzz.functions import update
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import (
    INTEGER,
    STRING,
    Record,
    Tuple,
)


def constructed(x: Expressions, type: Tuple | Record, depth: int, scope: Scope) -> Node:
    if isinstance(type, Tuple):
        return Node(type, ("<<", *x.commas([x.make(each, depth, scope) for each in type.elements]), ">>"))
    return x.record(type, [x.make(each, depth, scope) for _, each in type.fields])


def changed(x: Expressions, type: Tuple | Record, depth: int, scope: Scope) -> Node:
    value = x.make(type, depth, scope)
    parts: list[Part] = ["[", value, " EXCEPT "]
    for i in range(x.random.choice((1, 1, 2))):
        if isinstance(type, Tuple):
            place = x.random.randrange(len(type.elements))
            its, path = type.elements[place], (f"![{place + 1}]",)
            way: tuple[Part, ...] = path
        else:
            name, its = x.random.choice(type.fields)
            way = ("!.", Field(name)) if x.chance(0.7) else ("![", name, "]")
        inner = Scope((*scope.values, (("@",), its)), scope.operators, scope.state, scope.depth)
        parts += [", "] if i else []
        parts += update(x, its, way, inner, depth, scope)
    return Node(type, (*parts, "]"))


def by_rule(x: Expressions, type: Tuple | Record, depth: int, scope: Scope) -> Node:
    """As a function: all parts of one type."""
    name = x.local(scope)
    if isinstance(type, Tuple):
        if len(set(type.elements)) > 1:
            return constructed(x, type, depth, scope)
        rule = x.make(type.elements[0], depth, scope.bound((name, INTEGER)))
        return Node(type, ("[", name, f" \\in 1..{len(type.elements)} |-> ", rule, "]"))
    its = {each for _, each in type.fields}
    if len(its) > 1:
        return constructed(x, type, depth, scope)
    keys = x.commas([Node(INTEGER, (field,)) for field, _ in x.random.sample(type.fields, len(type.fields))])
    rule = x.make(its.pop(), depth, scope.bound((name, STRING)))
    return Node(type, ("[", name, " \\in {", *keys, "} |-> ", rule, "]"))


PRODUCTS: tuple[Form, ...] = (
    constructed,
    constructed,
    constructed,
    changed,
    changed,
    by_rule,
)
