"""Expressions whose values are sequences."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Higher, Scope, bracketed
from tools.fuzz.tree import Node
from tools.fuzz.types import (
    BOOLEAN,
    INTEGER,
    Sequence,
)


def enumerated(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    element = type.element
    return Node(
        type, ("<<", *x.commas([x.make(element, depth, scope) for _ in range(x.random.choice((0, 1, 2, 3)))]), ">>")
    )


def appended(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    element = type.element
    return Node(type, ("Append(", x.make(type, depth, scope), ", ", x.make(element, depth, scope), ")"))


def joined(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    return bracketed(type, x.make(type, depth, scope), " \\o ", x.make(type, depth, scope))


def tail(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    s = x.make(type, depth, scope)
    return (
        Node(type, ("Tail(", s, ")"))
        if x.chance(x.risk)
        else bracketed(type, "IF ", s, " = <<>> THEN <<>> ELSE Tail(", s, ")")
    )


def part(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    s = x.make(type, depth, scope)
    if x.chance(x.risk):
        return Node(type, ("SubSeq(", s, ", ", x.make(INTEGER, 1, scope), ", ", x.make(INTEGER, 1, scope), ")"))
    return Node(type, ("SubSeq(", s, f", {x.random.choice((1, 2))}, Len(", s, "))"))


def selected(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    element = type.element
    return Node(
        type,
        (
            "SelectSeq(",
            x.make(type, depth, scope),
            ", ",
            x.operator_argument(Higher((element,), BOOLEAN), depth, scope),
            ")",
        ),
    )


def constructed(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    element = type.element
    name = x.local(scope)
    inner = scope.bound((name, INTEGER))
    return Node(type, ("[", name, f" \\in 1..{x.random.choice((0, 1, 2, 3))} |-> ", x.make(element, depth, inner), "]"))


def changed(x: Expressions, type: Sequence, depth: int, scope: Scope) -> Node:
    element = type.element
    s = x.make(type, depth, scope)
    inner = Scope((*scope.values, (("@",), element)), scope.operators, scope.state, scope.depth)
    return Node(type, ("[", s, f" EXCEPT ![{x.random.choice((1, 2))}] = ", x.make(element, depth, inner), "]"))


SEQUENCES: tuple[Form, ...] = (
    enumerated,
    enumerated,
    appended,
    appended,
    joined,
    tail,
    tail,
    part,
    selected,
    constructed,
    changed,
)
