"""Expressions whose values are sets."""

from __future__ import annotations

from tools.fuzz.expressions import LARGE, Expressions, Form, Scope
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import (
    BOOLEAN,
    INTEGER,
    MODEL,
    Bag,
    Base,
    Function,
    Record,
    SetOf,
    Tuple,
    Type,
)


def of_type(type: SetOf) -> tuple[Form, ...]:
    return SETS + _special(type.element)


def _bounded(type: SetOf, bound: int | None, *parts: Part) -> Node:
    return Node(type, parts, bound)


def enumerated(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    count = x.random.choice((1, 2, 2, 3))
    return _bounded(type, count, "{", *x.commas([x.make(element, depth, scope) for _ in range(count)]), "}")


def whole(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    domain = x.small_domain(element)
    return Node(type, domain.parts, domain.bound)


def binary(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    a, b = x.make(type, depth, scope), x.make(type, depth, scope)
    sign = x.random.choice((" \\cup ", " \\cap ", " \\ "))
    bound = a.bound
    if sign == " \\cup ":
        bound = a.bound + b.bound if a.bound is not None and b.bound is not None else None
    return _bounded(type, bound, "(", a, sign, b, ")")


def filtered(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    name = x.local(scope)
    among = x.small_set(element, depth, scope, 64)
    test = x.make(BOOLEAN, depth, scope.bound((name, element)))
    return _bounded(type, among.bound, "{", name, " \\in ", among, " : ", test, "}")


def mapped(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    its = x.near(scope)
    name = x.local(scope)
    among = x.small_set(its, depth, scope, 32)
    return _bounded(
        type, among.bound, "{", x.make(element, depth, scope.bound((name, its))), " : ", name, " \\in ", among, "}"
    )


def mapped_twice(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    first, second = x.near(scope), x.near(scope)
    a, b = x.local(scope), x.local(scope, 1)
    one, two = x.small_set(first, depth, scope), x.small_set(second, depth, scope)
    rule = x.make(element, depth, scope.bound((a, first), (b, second)))
    return _bounded(type, 64, "{", rule, " : ", a, " \\in ", one, ", ", b, " \\in ", two, "}")


def mapped_pairs(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    its = Tuple((x.near(scope), x.near(scope)))
    a, b = x.local(scope), x.local(scope, 1)
    rule = x.make(element, depth, scope.bound((a, its.elements[0]), (b, its.elements[1])))
    among = x.small_set(its, depth, scope, 16)
    return _bounded(type, 16, "{", rule, " : <<", a, ", ", b, ">> \\in ", among, "}")


def united(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    outer = x.well_typed(SetOf(type), depth, scope)  # TLC lists the union when it is asked for
    bound = 99 if outer.bound is not None and outer.bound <= LARGE else None
    return _bounded(type, bound, "(UNION ", outer, ")")


def image(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    its = Function(x.base(), element)
    f, name = x.make(its, depth, scope.deeper(1)), x.local(scope)
    return _bounded(type, None, "{", f, "[", name, "] : ", name, " \\in DOMAIN ", f, "}")


def domain(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    f = x.make(Function(element, x.near(scope)), depth, scope)
    return _bounded(type, None, "(DOMAIN ", f, ")")


def of_bag(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    if not isinstance(element, Base):
        return enumerated(x, type, depth, scope)
    return _bounded(type, None, "BagToSet(", x.make(Bag(element), depth, scope), ")")


SETS: tuple[Form, ...] = (
    enumerated,
    enumerated,
    whole,
    binary,
    binary,
    filtered,
    filtered,
    mapped,
    mapped,
    mapped_twice,
    mapped_pairs,
    united,
    image,
    domain,
    of_bag,
)


# --- what only sets of some types have


def powerset(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    assert isinstance(element, SetOf)
    among = x.small_set(element.element, depth, scope, 5)
    return Node(type, ("(SUBSET ", among, ")"), 2 ** (among.bound or 0))


def functions(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    assert isinstance(element, Function)
    keys, values = x.small_set(element.key, depth, scope, 3), x.small_set(element.value, depth, scope, 3)
    return Node(type, ("[", keys, " -> ", values, "]"), 27)


def product(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    assert isinstance(element, Tuple)
    factors = [x.small_set(each, depth, scope, 4) for each in element.elements]
    parts: list[Part] = ["("]
    for i, factor in enumerate(factors):
        parts += [" \\X ", factor] if i else [factor]
    return Node(type, (*parts, ")"), 16 if len(factors) == 2 else 64)


def records(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    element = type.element
    assert isinstance(element, Record)
    parts: list[Part] = ["["]
    order = list(element.fields)
    x.random.shuffle(order)
    for i, (name, its) in enumerate(order):
        parts += [", "] if i else []
        parts += [Field(name), " : ", x.small_set(its, depth, scope, 4)]
    return Node(type, (*parts, "]"), 64)


def interval(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    low = x.random.choice(("0", "1", "(-1)", "(-2)", "2"))
    if x.chance(0.4):
        return Node(type, (f"({low}..", x.make(INTEGER, depth, scope), " % 4)"), 7)
    return Node(type, (f"({low}..{x.random.choice((0, 1, 2, 3))})",), 6)


def permutations(x: Expressions, type: SetOf, depth: int, scope: Scope) -> Node:
    return Node(type, ("Permutations(", x.domain(MODEL), ")"), 6)


def _special(element: Type) -> tuple[Form, ...]:
    match element:
        case SetOf():
            return (powerset,) * 3
        case Function(key, value):
            return (functions,) * 3 + ((permutations,) if key == value == MODEL else ())
        case Tuple():
            return (product,) * 3
        case Record():
            return (records,) * 3
        case _:
            return (interval,) * 3 if element == INTEGER else ()
