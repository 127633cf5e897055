"""Expressions whose values are bags."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Higher, Scope
from tools.fuzz.tree import Node
from tools.fuzz.types import (
    Bag,
    SetOf,
)


def of_set(x: Expressions, type: Bag, depth: int, scope: Scope) -> Node:
    element = type.element
    return Node(type, ("SetToBag(", x.make(SetOf(element), depth, scope), ")"))


def binary(x: Expressions, type: Bag, depth: int, scope: Scope) -> Node:
    a, b = x.make(type, depth, scope), x.make(type, depth, scope)
    return Node(type, ("(", a, x.random.choice((" (+) ", " (-) ")), b, ")"))


def single(x: Expressions, type: Bag, depth: int, scope: Scope) -> Node:
    element = type.element
    return Node(type, ("(", x.make(element, depth, scope), f" :> {x.random.choice((1, 2, 3))})"))


def united(x: Expressions, type: Bag, depth: int, scope: Scope) -> Node:
    return Node(type, ("BagUnion({", x.make(type, depth, scope), ", ", x.make(type, depth, scope), "})"))


def mapped(x: Expressions, type: Bag, depth: int, scope: Scope) -> Node:
    element = type.element
    rule = x.operator_argument(Higher((element,), element), depth, scope)
    return Node(type, ("BagOfAll(", rule, ", ", x.make(type, depth, scope), ")"))


BAGS: tuple[Form, ...] = (
    of_set,
    of_set,
    binary,
    binary,
    single,
    united,
    mapped,
)
