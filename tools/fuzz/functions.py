"""Expressions whose values are functions."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Scope, bracketed
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import (
    Base,
    Function,
    Record,
    SetOf,
    Tuple,
    Type,
)


def constructed(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    key = type.key
    value = type.value
    name = x.local(scope)
    among = x.small_domain(key) if x.chance(0.4) else x.small_set(key, depth, scope, 16)
    return Node(type, ("[", name, " \\in ", among, " |-> ", x.make(value, depth, scope.bound((name, key))), "]"))


def changed(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    key = type.key
    value = type.value
    f = x.make(type, depth, scope)
    parts: list[Part] = ["[", f, " EXCEPT "]
    for i in range(x.random.choice((1, 1, 2, 3))):
        at = ("@",)
        inner = Scope((*scope.values, (at, value)), scope.operators, scope.state, scope.depth)
        parts += [", "] if i else []
        parts += update(x, value, ("![", x.make(key, depth, scope), "]"), inner, depth, scope)
    return Node(type, (*parts, "]"))


def combined(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    return bracketed(type, x.make(type, depth, scope), " @@ ", x.make(type, depth, scope))


def single(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    key = type.key
    value = type.value
    return bracketed(type, x.make(key, depth, scope), " :> ", x.make(value, depth, scope))


def singles(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    key = type.key
    value = type.value
    a, b = x.make(key, depth, scope), x.make(key, depth, scope)
    return bracketed(type, a, " :> ", x.make(value, depth, scope), " @@ ", b, " :> ", x.make(value, depth, scope))


def chosen(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    name = x.local(scope)
    among = x.make(SetOf(type), 1, scope)
    if among.bound is None or among.bound > 32:
        return constructed(x, type, depth, scope)
    return bracketed(
        type, "IF ", among, " = {} THEN ", x.leaf(type, scope), " ELSE CHOOSE ", name, " \\in ", among, " : TRUE"
    )


def of_two(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    """With a key of two parts, bound apart."""
    key = type.key
    value = type.value
    if not isinstance(key, Tuple) or len(key.elements) != 2:
        return constructed(x, type, depth, scope)
    first, second = key.elements
    a, b = x.local(scope), x.local(scope, 1)
    inner = scope.bound((a, first), (b, second))
    one, two = x.small_set(first, depth, scope, 4), x.small_set(second, depth, scope, 4)
    return Node(type, ("[", a, " \\in ", one, ", ", b, " \\in ", two, " |-> ", x.make(value, depth, inner), "]"))


def fields(x: Expressions, type: Function, depth: int, scope: Scope) -> Node:
    """A record as a function over strings."""
    key = type.key
    value = type.value
    fitting = [r for r in x.universe.records if all(its == value for _, its in r.fields)]
    if key.__class__ is not Base or key.name != "string" or not fitting:
        return constructed(x, type, depth, scope)
    return Node(type, x.make(x.random.choice(fitting), depth, scope).parts)


FUNCTIONS: tuple[Form, ...] = (
    constructed,
    constructed,
    constructed,
    changed,
    changed,
    changed,
    combined,
    single,
    singles,
    chosen,
    of_two,
    fields,
)


def update(x: Expressions, value: Type, path: tuple[Part, ...], inner: Scope, depth: int, scope: Scope) -> list[Part]:
    """`!path = e`, at times with a longer path."""
    if isinstance(value, Function) and x.chance(0.5):
        deeper = Scope((*scope.values, (("@",), value.value)), scope.operators, scope.state, scope.depth)
        return [*path, "[", x.make(value.key, depth, scope), "] = ", x.make(value.value, depth, deeper)]
    if isinstance(value, Record) and x.chance(0.5):
        name, its = x.random.choice(value.fields)
        deeper = Scope((*scope.values, (("@",), its)), scope.operators, scope.state, scope.depth)
        return [*path, ".", Field(name), " = ", x.make(its, depth, deeper)]
    return [*path, " = ", x.make(value, depth, inner)]
