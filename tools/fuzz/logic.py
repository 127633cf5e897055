"""Expressions of the base types: booleans, integers, strings, model values and mixed ones."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Scope, bracketed
from tools.fuzz.tree import LINE, Node, Part
from tools.fuzz.types import (
    BOOLEAN,
    INTEGER,
    MIXED,
    MODEL,
    STRING,
    Bag,
    Base,
    Function,
    Sequence,
    SetOf,
    Tuple,
)

NUMBERS = (-7, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 10, 64, 255, 1000, 65536, 1000000, -1000000)


def connective(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(
        BOOLEAN,
        x.make(BOOLEAN, depth, scope),
        x.random.choice((" /\\ ", " \\/ ", " => ", " <=> ", " /\\ ", " \\/ ", " = ", " # ")),
        x.make(BOOLEAN, depth, scope),
    )


def junction(x: Expressions, type: Base, depth: int, scope: Scope) -> Node:
    sign = x.random.choice(("/\\ ", "\\/ "))
    parts: list[Part] = []
    for _ in range(x.random.choice((2, 3))):
        parts += [LINE, sign, x.make(BOOLEAN, depth, scope)]
    return bracketed(BOOLEAN, *parts)


def negation(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(BOOLEAN, "~", x.make(BOOLEAN, depth, scope))


def equality(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    type = x.near(scope, 2)
    return bracketed(BOOLEAN, x.make(type, depth, scope), x.random.choice((" = ", " # ")), x.make(type, depth, scope))


def order(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    a, b = x.make(INTEGER, depth, scope), x.make(INTEGER, depth, scope)
    return bracketed(BOOLEAN, a, x.random.choice((" < ", " > ", " <= ", " >= ")), b)


def membership(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    type = x.near(scope)
    sign = x.random.choice((" \\in ", " \\in ", " \\notin "))
    return bracketed(BOOLEAN, x.make(type, depth, scope), sign, x.make(SetOf(type), depth, scope))


def in_domain(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """Membership in a set that is not enumerated."""
    type = x.small_type(200)
    return bracketed(BOOLEAN, x.make(type, depth, scope), " \\in ", x.domain(type))


def in_infinite(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """Membership in a set without end."""
    form = x.random.randrange(4)
    if form == 0:
        return bracketed(
            BOOLEAN, x.make(INTEGER, depth, scope), " \\in ", x.random.choice(("Nat", "Int", "(Nat \\ {0})"))
        )
    if form == 1:
        return bracketed(BOOLEAN, x.make(STRING, depth, scope), " \\in STRING")
    if form == 2:
        return bracketed(BOOLEAN, "IsABag(", x.make(Bag(x.base()), depth, scope), ")")
    its = x.base()
    return bracketed(BOOLEAN, x.make(Sequence(its), depth, scope), " \\in Seq(", x.make(SetOf(its), depth, scope), ")")


def _partial_set(x: Expressions, depth: int, scope: Scope) -> Node:
    """A set of integers; at times a part of it has no value."""
    name = x.local(scope)
    among = x.small_set(INTEGER, depth, scope, 8)
    forbidden = str(x.random.choice((0, 1, 2))) if x.chance(x.risk) else "5000"
    quotient = ("(10 \\div (", name, " - ", forbidden, "))")
    form = x.random.randrange(3)
    if form == 0:
        return Node(SetOf(INTEGER), ("{", name, " \\in ", among, " : ", *quotient, " # ", x.leaf(INTEGER, scope), "}"))
    if form == 1:
        return Node(SetOf(INTEGER), ("{", *quotient, " : ", name, " \\in ", among, "}"))
    return Node(SetOf(INTEGER), ("(0..(10 \\div (", x.leaf(INTEGER, scope), " - ", forbidden, ")))"))


def in_partial(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """Something asked of a set that TLC evaluates whole, though the answer may be known before."""
    items, other = _partial_set(x, depth, scope), x.small_set(INTEGER, depth, scope, 8)
    item = x.make(INTEGER, depth, scope)
    form = x.random.randrange(8)
    if form == 0:
        return bracketed(BOOLEAN, item, x.random.choice((" \\in ", " \\notin ")), items)
    if form == 1:
        return bracketed(BOOLEAN, item, " \\in (", other, x.random.choice((" \\cup ", " \\cap ", " \\ ")), items, ")")
    if form == 2:
        return bracketed(BOOLEAN, x.random.choice(("{}", "{1}")), " \\in SUBSET ", items)
    if form == 3:
        return bracketed(BOOLEAN, x.make(SetOf(INTEGER), depth, scope), " \\subseteq ", items)
    if form == 4:
        return bracketed(BOOLEAN, x.make(Sequence(INTEGER), depth, scope), " \\in Seq(", items, ")")
    if form == 5:
        return bracketed(BOOLEAN, "<<", item, ", 1>> \\in (", other, " \\X ", items, ")")
    if form == 6:
        return bracketed(BOOLEAN, "<<", item, ">> \\in [{1} -> ", items, "]")
    a, b = x.local(scope), x.local(scope, 1)
    sign = x.random.choice(("\\A ", "\\E "))
    return bracketed(BOOLEAN, sign, a, " \\in ", other, ", ", b, " \\in ", items, " : ", a, " # ", b)


def of_described(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """Something asked of a filter of a set that is described: TLC tests all elements before the first one is used, and
    lists all sets of a quantifier, though an element may have no value where nobody comes to it."""
    items, other = x.small_set(INTEGER, depth, scope, 4), x.small_set(INTEGER, depth, scope, 8)
    name, bound = x.local(scope), x.local(scope, 1)
    domain, part = x.random.choice(
        (
            (("SUBSET ", items), ("Cardinality(", name, ")")),
            (("[f : ", items, "]"), (name, ".f")),
            (("(", items, " \\X {1})"), (name, "[1]")),
            (("[{1} -> ", items, "]"), (name, "[1]")),
        )
    )
    forbidden = str(x.random.choice((0, 1, 2))) if x.chance(4 * x.risk) else "5000"
    test = ("10 \\div (", *part, " - ", forbidden, ") ", x.random.choice(("# ", "< ")), x.leaf(INTEGER, scope))
    among = ("{", name, " \\in ", *domain, " : ", *test, "}")
    form = x.random.randrange(6)
    if form == 0:
        return bracketed(BOOLEAN, *among, x.random.choice((" # {}", " = {}")))
    if form == 1:
        chosen = (bound, " = {} \\/ (CHOOSE ", name, " \\in ", bound, " : TRUE) \\in ", *domain)
        return bracketed(BOOLEAN, "LET ", bound, " == ", *among, " IN ", *chosen)
    sign = x.random.choice(("\\A ", "\\E "))
    if form == 2:
        empty = x.random.choice((("{}",), ("(", other, " \\cap ", items, ")")))
        return bracketed(
            BOOLEAN, sign, bound, " \\in ", *empty, ", ", name, " \\in ", *among, " : ", *part, " # ", bound
        )
    return bracketed(BOOLEAN, sign, name, " \\in ", *among, " : ", *part, " # ", x.leaf(INTEGER, scope))


def inclusion(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    type = SetOf(x.near(scope))
    return bracketed(BOOLEAN, x.make(type, depth, scope), " \\subseteq ", x.make(type, depth, scope))


def quantifier(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    type = x.near(scope)
    name = x.local(scope)
    among = x.small_set(type, depth, scope, 32)
    body = x.make(BOOLEAN, depth, scope.bound((name, type)))
    return bracketed(BOOLEAN, x.random.choice(("\\A ", "\\E ")), name, " \\in ", among, " : ", body)


def quantifiers(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """Several bounds, or several names of one."""
    first, second = x.near(scope), x.near(scope)
    a, b = x.local(scope), x.local(scope, 1)
    among = x.small_set(first, depth, scope)
    sign = x.random.choice(("\\A ", "\\E "))
    # TLC finds no a and b in \\E a, b \\in SUBSET {}, where it finds one a
    powerset = any("SUBSET" in part for node in among.nodes() for part in node.parts if isinstance(part, str))
    if not powerset and x.chance(0.4):
        body = x.make(BOOLEAN, depth, scope.bound((a, first), (b, first)))
        return bracketed(BOOLEAN, sign, a, ", ", b, " \\in ", among, " : ", body)
    body = x.make(BOOLEAN, depth, scope.bound((a, first), (b, second)))
    return bracketed(
        BOOLEAN, sign, a, " \\in ", among, ", ", b, " \\in ", x.small_set(second, depth, scope), " : ", body
    )


def of_pairs(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """A tuple that is bound."""
    type = Tuple((x.near(scope), x.near(scope)))
    names = (x.local(scope), x.local(scope, 1))
    inner = scope.bound(*zip(names, type.elements, strict=True))
    among = x.small_set(type, depth, scope, 16)
    sign = x.random.choice(("\\A ", "\\E "))
    return bracketed(
        BOOLEAN, sign, "<<", names[0], ", ", names[1], ">> \\in ", among, " : ", x.make(BOOLEAN, depth, inner)
    )


def bag(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    type = Bag(x.base())
    if x.chance(0.5):
        return bracketed(BOOLEAN, x.make(type, depth, scope), " \\sqsubseteq ", x.make(type, depth, scope))
    return bracketed(BOOLEAN, "BagIn(", x.make(type.element, depth, scope), ", ", x.make(type, depth, scope), ")")


def as_functions(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """A sequence, tuple or record compared with a function that is made in another way."""
    type = x.base()
    name = x.local(scope)
    inner = scope.bound((name, INTEGER))
    tuple_ = ("<<", x.make(type, depth, scope), ", ", x.make(type, depth, scope), ">>")
    if x.chance(0.5):
        return bracketed(BOOLEAN, *tuple_, " = [", name, " \\in 1..2 |-> ", x.make(type, depth, inner), "]")
    return bracketed(
        BOOLEAN,
        "[",
        name,
        " \\in {2, 1} |-> ",
        x.make(type, depth, inner),
        "] = ",
        x.make(Sequence(type), depth, scope),
    )


def law(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return x.random.choice(LAWS)(x, depth, scope)


BOOLEANS: tuple[Form, ...] = (
    connective,
    connective,
    junction,
    negation,
    equality,
    equality,
    order,
    order,
    membership,
    membership,
    in_domain,
    in_infinite,
    in_partial,
    of_described,
    inclusion,
    quantifier,
    quantifier,
    quantifiers,
    of_pairs,
    bag,
    as_functions,
    law,
)


# --- integers


def sum_(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(
        INTEGER, x.make(INTEGER, depth, scope), x.random.choice((" + ", " - ")), x.make(INTEGER, depth, scope)
    )


def product(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(INTEGER, x.make(INTEGER, depth, scope), " * ", x.leaf(INTEGER, scope))


def negative(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(INTEGER, "-", x.make(INTEGER, depth, scope))


def division(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    divisor = (
        x.make(INTEGER, depth, scope) if x.chance(x.risk) else Node(INTEGER, (str(x.random.choice((1, 2, 3, 5, 7))),))
    )
    return bracketed(INTEGER, x.make(INTEGER, depth, scope), x.random.choice((" \\div ", " % ")), divisor)


def power(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(INTEGER, x.make(INTEGER, depth, scope), f"^{x.random.choice((0, 1, 2))}")


def number(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    value = x.random.choice(NUMBERS)
    return Node(INTEGER, (f"({value})" if value < 0 else str(value),))


def bits(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    """Of module Bitwise, which is about natural numbers."""
    if not x.bits:
        return x.random.choice((sum_, product, division, cardinality))(x, _, depth, scope)
    a, b = _natural(x, depth, scope), _natural(x, depth, scope)
    if x.chance(0.25):
        return bracketed(INTEGER, "shiftR(", a, ", ", b, " % ", str(x.random.choice((1, 2, 3, 40))), ")")
    return bracketed(INTEGER, a, x.random.choice((" & ", " | ", " ^^ ")), b)


def _natural(x: Expressions, depth: int, scope: Scope) -> Node:
    form = x.random.randrange(4)
    if form == 0:
        return Node(INTEGER, (str(x.random.choice((0, 1, 2, 5, 7, 8, 31, 255, 65536, 1000000))),))
    if form == 1 and depth > 0:
        return bits(x, INTEGER, depth - 1, scope)
    its = x.make(INTEGER, depth, scope)
    if form == 2:
        return Node(INTEGER, ("(IF ", its, " < 0 THEN 3 ELSE ", its, ")"))
    return Node(INTEGER, ("(", its, " % ", str(x.random.choice((2, 3, 8, 64, 1000))), ")"))


def cardinality(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(INTEGER, "Cardinality(", x.make(SetOf(x.near(scope)), depth, scope), ")")


def length(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    return bracketed(INTEGER, "Len(", x.make(Sequence(x.near(scope)), depth, scope), ")")


def copies(x: Expressions, _: Base, depth: int, scope: Scope) -> Node:
    bag = Bag(x.base())
    if x.chance(0.4):
        return bracketed(INTEGER, "BagCardinality(", x.make(bag, depth, scope), ")")
    return bracketed(INTEGER, "CopiesIn(", x.make(bag.element, depth, scope), ", ", x.make(bag, depth, scope), ")")


INTEGERS: tuple[Form, ...] = (
    sum_,
    sum_,
    product,
    negative,
    division,
    division,
    power,
    number,
    *(bits,) * 3,
    cardinality,
    length,
    copies,
)


# --- strings, model values and mixed ones have no operators of their own: they are chosen, applied and selected


def leaf(x: Expressions, type: Base, depth: int, scope: Scope) -> Node:
    return x.leaf(type, scope)


def another(x: Expressions, type: Base, depth: int, scope: Scope) -> Node:
    name = x.local(scope)
    return bracketed(
        type, "CHOOSE ", name, " \\in ", x.domain(type), " : ", name, " # ", x.make(type, depth, scope.deeper(1))
    )


def first(x: Expressions, type: Base, depth: int, scope: Scope) -> Node:
    name = x.local(scope)
    return bracketed(type, "CHOOSE ", name, " \\in ", x.domain(type), " : TRUE")


def permuted(x: Expressions, type: Base, depth: int, scope: Scope) -> Node:
    """Through a function from the domain to itself."""
    name = x.local(scope)
    value = x.leaf(type, scope)
    rule = x.make(type, depth, scope.bound((name, type)))
    return bracketed(type, "[", name, " \\in (", x.domain(type), " \\cup {", value, "}) |-> ", rule, "][", value, "]")


def lifted(x: Expressions, type: Base, depth: int, scope: Scope) -> Node:
    """A mixed value from a model value or an integer."""
    if type != MIXED:
        return leaf(x, type, depth, scope)
    its = x.random.choice((INTEGER, MODEL))
    return Node(MIXED, x.make(its, depth, scope).parts)


OTHERS: tuple[Form, ...] = (
    leaf,
    another,
    first,
    permuted,
    lifted,
)


# --- what holds always: invariants that no state violates, and that exercise the engines all the same


def _identity_law(x: Expressions, depth: int, scope: Scope) -> Node:
    type = x.small_type(12)
    a, b = x.local(scope), x.local(scope, 1)
    among = x.domain(type) if x.chance(0.5) else x.small_set(type, depth, scope.deeper(2), 12)
    return Node(BOOLEAN, ("(\\A ", a, " \\in ", among, " : [", b, " \\in ", among, " |-> ", b, "][", a, "] = ", a, ")"))


def _split_law(x: Expressions, depth: int, scope: Scope) -> Node:
    type = x.near(scope)
    a = x.local(scope)
    among = x.small_set(type, depth, scope, 32)
    test = x.make(BOOLEAN, depth, scope.bound((a, type)))
    one: tuple[Part, ...] = ("{", a, " \\in ", among, " : ", test, "}")
    two: tuple[Part, ...] = ("{", a, " \\in ", among, " : ~", test, "}")
    form = x.random.randrange(3)
    if form == 0:
        return Node(BOOLEAN, ("((", *one, " \\cup ", *two, ") = ", among, ")"))
    if form == 1:
        return Node(BOOLEAN, ("((", *one, " \\cap ", *two, ") = {})"))
    count = ("Cardinality(", *one, ") + Cardinality(", *two, ") = Cardinality(", among, ")")
    return Node(BOOLEAN, ("(", *count, ")"))


def _dual_law(x: Expressions, depth: int, scope: Scope) -> Node:
    type = x.near(scope)
    a = x.local(scope)
    among = x.small_set(type, depth, scope, 32)
    test = x.make(BOOLEAN, depth, scope.bound((a, type)))
    return Node(
        BOOLEAN, ("((\\A ", a, " \\in ", among, " : ", test, ") <=> ~(\\E ", a, " \\in ", among, " : ~", test, "))")
    )


def _except_law(x: Expressions, depth: int, scope: Scope) -> Node:
    its = Function(x.base(), x.near(scope))
    f, k, v = x.make(its, depth, scope), x.make(its.key, depth, scope), x.make(its.value, depth, scope)
    return Node(BOOLEAN, ("(", k, " \\in DOMAIN ", f, " => [", f, " EXCEPT ![", k, "] = ", v, "][", k, "] = ", v, ")"))


def _table_law(x: Expressions, depth: int, scope: Scope) -> Node:
    """A function is what it maps each key to."""
    its = Function(x.base(), x.near(scope))
    f, a = x.make(its, depth, scope.deeper(1)), x.local(scope)
    return Node(BOOLEAN, ("([", a, " \\in DOMAIN ", f, " |-> ", f, "[", a, "]] = ", f, ")"))


def _chosen_law(x: Expressions, depth: int, scope: Scope) -> Node:
    type = x.near(scope)
    a = x.local(scope)
    among = x.small_set(type, depth, scope, 32)
    return Node(BOOLEAN, ("(", among, " = {} \\/ (CHOOSE ", a, " \\in ", among, " : TRUE) \\in ", among, ")"))


def _bits_law(x: Expressions, depth: int, scope: Scope) -> Node:
    if not x.bits:
        return _identity_law(x, depth, scope)
    a, b = _natural(x, depth, scope), _natural(x, depth, scope)
    form = x.random.randrange(3)
    if form == 0:
        return Node(BOOLEAN, ("((", a, " ^^ ", b, ") = (", a, " | ", b, ") - (", a, " & ", b, "))"))
    if form == 1:
        return Node(BOOLEAN, ("(((", a, " ^^ ", b, ") ^^ ", b, ") = ", a, ")"))
    return Node(BOOLEAN, ("(shiftR(", a, ", 3) = ", a, " \\div 8)"))


LAWS = (_bits_law, _identity_law, _split_law, _dual_law, _except_law, _table_law, _chosen_law)
