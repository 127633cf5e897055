"""Expressions whose values have parts: sets, functions, sequences, bags, tuples and records."""

from __future__ import annotations

from tools.fuzz.expressions import LARGE, Expressions, Higher, Make, Scope
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import (
    BOOLEAN,
    INTEGER,
    MODEL,
    STRING,
    Bag,
    Base,
    Function,
    Record,
    Sequence,
    SetOf,
    Tuple,
    Type,
)


def sets(x: Expressions, type: SetOf, depth: int, scope: Scope) -> list[Make]:
    element = type.element

    def node(bound: int | None, *parts: Part) -> Node:
        return Node(type, parts, bound)

    def enumerated() -> Node:
        count = x.random.choice((1, 2, 2, 3))
        return node(count, "{", *x.commas([x.make(element, depth, scope) for _ in range(count)]), "}")

    def whole() -> Node:
        domain = x.small_domain(element)
        return Node(type, domain.parts, domain.bound)

    def binary() -> Node:
        a, b = x.make(type, depth, scope), x.make(type, depth, scope)
        sign = x.random.choice((" \\cup ", " \\cap ", " \\ "))
        bound = a.bound
        if sign == " \\cup ":
            bound = a.bound + b.bound if a.bound is not None and b.bound is not None else None
        return node(bound, "(", a, sign, b, ")")

    def filtered() -> Node:
        name = x.local(scope)
        among = x.small_set(element, depth, scope, 64)
        test = x.make(BOOLEAN, depth, scope.bound((name, element)))
        return node(among.bound, "{", name, " \\in ", among, " : ", test, "}")

    def mapped() -> Node:
        its = x.near(scope)
        name = x.local(scope)
        among = x.small_set(its, depth, scope, 32)
        return node(
            among.bound, "{", x.make(element, depth, scope.bound((name, its))), " : ", name, " \\in ", among, "}"
        )

    def mapped_twice() -> Node:
        first, second = x.near(scope), x.near(scope)
        a, b = x.local(scope), x.local(scope, 1)
        one, two = x.small_set(first, depth, scope), x.small_set(second, depth, scope)
        rule = x.make(element, depth, scope.bound((a, first), (b, second)))
        return node(64, "{", rule, " : ", a, " \\in ", one, ", ", b, " \\in ", two, "}")

    def mapped_pairs() -> Node:
        its = Tuple((x.near(scope), x.near(scope)))
        a, b = x.local(scope), x.local(scope, 1)
        rule = x.make(element, depth, scope.bound((a, its.elements[0]), (b, its.elements[1])))
        among = x.small_set(its, depth, scope, 16)
        return node(16, "{", rule, " : <<", a, ", ", b, ">> \\in ", among, "}")

    def united() -> Node:
        outer = x.well_typed(SetOf(type), depth, scope)  # TLC lists the union when it is asked for
        bound = 99 if outer.bound is not None and outer.bound <= LARGE else None
        return node(bound, "(UNION ", outer, ")")

    def image() -> Node:
        its = Function(x.base(), element)
        f, name = x.make(its, depth, scope.deeper(1)), x.local(scope)
        return node(None, "{", f, "[", name, "] : ", name, " \\in DOMAIN ", f, "}")

    def domain() -> Node:
        f = x.make(Function(element, x.near(scope)), depth, scope)
        return node(None, "(DOMAIN ", f, ")")

    def of_bag() -> Node:
        if not isinstance(element, Base):
            return enumerated()
        return node(None, "BagToSet(", x.make(Bag(element), depth, scope), ")")

    choices: list[Make] = [
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
    ]
    return choices + _special_sets(x, type, depth, scope)


def _special_sets(x: Expressions, type: SetOf, depth: int, scope: Scope) -> list[Make]:
    """What only sets of some types have."""
    element = type.element

    def powerset() -> Node:
        assert isinstance(element, SetOf)
        among = x.small_set(element.element, depth, scope, 5)
        return Node(type, ("(SUBSET ", among, ")"), 2 ** (among.bound or 0))

    def functions() -> Node:
        assert isinstance(element, Function)
        keys, values = x.small_set(element.key, depth, scope, 3), x.small_set(element.value, depth, scope, 3)
        return Node(type, ("[", keys, " -> ", values, "]"), 27)

    def product() -> Node:
        assert isinstance(element, Tuple)
        factors = [x.small_set(each, depth, scope, 4) for each in element.elements]
        parts: list[Part] = ["("]
        for i, factor in enumerate(factors):
            parts += [" \\X ", factor] if i else [factor]
        return Node(type, (*parts, ")"), 16 if len(factors) == 2 else 64)

    def records() -> Node:
        assert isinstance(element, Record)
        parts: list[Part] = ["["]
        order = list(element.fields)
        x.random.shuffle(order)
        for i, (name, its) in enumerate(order):
            parts += [", "] if i else []
            parts += [Field(name), " : ", x.small_set(its, depth, scope, 4)]
        return Node(type, (*parts, "]"), 64)

    def interval() -> Node:
        low = x.random.choice(("0", "1", "(-1)", "(-2)", "2"))
        if x.chance(0.4):
            return Node(type, (f"({low}..", x.make(INTEGER, depth, scope), " % 4)"), 7)
        return Node(type, (f"({low}..{x.random.choice((0, 1, 2, 3))})",), 6)

    def permutations() -> Node:
        return Node(type, ("Permutations(", x.domain(MODEL), ")"), 6)

    match element:
        case SetOf():
            return [powerset] * 3
        case Function(key, value):
            return [functions] * 3 + ([permutations] if key == value == MODEL else [])
        case Tuple():
            return [product] * 3
        case Record():
            return [records] * 3
        case _:
            return [interval] * 3 if element == INTEGER else []


def functions(x: Expressions, type: Function, depth: int, scope: Scope) -> list[Make]:
    key, value = type.key, type.value

    def node(*parts: Part) -> Node:
        return Node(type, ("(", *parts, ")"))

    def constructed() -> Node:
        name = x.local(scope)
        among = x.small_domain(key) if x.chance(0.4) else x.small_set(key, depth, scope, 16)
        return Node(type, ("[", name, " \\in ", among, " |-> ", x.make(value, depth, scope.bound((name, key))), "]"))

    def changed() -> Node:
        f = x.make(type, depth, scope)
        parts: list[Part] = ["[", f, " EXCEPT "]
        for i in range(x.random.choice((1, 1, 2, 3))):
            at = ("@",)
            inner = Scope((*scope.values, (at, value)), scope.operators, scope.state, scope.depth)
            parts += [", "] if i else []
            parts += _update(x, value, ("![", x.make(key, depth, scope), "]"), inner, depth, scope)
        return Node(type, (*parts, "]"))

    def combined() -> Node:
        return node(x.make(type, depth, scope), " @@ ", x.make(type, depth, scope))

    def single() -> Node:
        return node(x.make(key, depth, scope), " :> ", x.make(value, depth, scope))

    def singles() -> Node:
        a, b = x.make(key, depth, scope), x.make(key, depth, scope)
        return node(a, " :> ", x.make(value, depth, scope), " @@ ", b, " :> ", x.make(value, depth, scope))

    def chosen() -> Node:
        name = x.local(scope)
        among = x.make(SetOf(type), 1, scope)
        if among.bound is None or among.bound > 32:
            return constructed()
        return node("IF ", among, " = {} THEN ", x.leaf(type, scope), " ELSE CHOOSE ", name, " \\in ", among, " : TRUE")

    def of_two() -> Node:
        """With a key of two parts, bound apart."""
        if not isinstance(key, Tuple) or len(key.elements) != 2:
            return constructed()
        first, second = key.elements
        a, b = x.local(scope), x.local(scope, 1)
        inner = scope.bound((a, first), (b, second))
        one, two = x.small_set(first, depth, scope, 4), x.small_set(second, depth, scope, 4)
        return Node(type, ("[", a, " \\in ", one, ", ", b, " \\in ", two, " |-> ", x.make(value, depth, inner), "]"))

    def fields() -> Node:
        """A record as a function over strings."""
        fitting = [r for r in x.universe.records if all(its == value for _, its in r.fields)]
        if key.__class__ is not Base or key.name != "string" or not fitting:
            return constructed()
        return Node(type, x.make(x.random.choice(fitting), depth, scope).parts)

    return [
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
    ]


def _update(x: Expressions, value: Type, path: tuple[Part, ...], inner: Scope, depth: int, scope: Scope) -> list[Part]:
    """`!path = e`, at times with a longer path."""
    if isinstance(value, Function) and x.chance(0.5):
        deeper = Scope((*scope.values, (("@",), value.value)), scope.operators, scope.state, scope.depth)
        return [*path, "[", x.make(value.key, depth, scope), "] = ", x.make(value.value, depth, deeper)]
    if isinstance(value, Record) and x.chance(0.5):
        name, its = x.random.choice(value.fields)
        deeper = Scope((*scope.values, (("@",), its)), scope.operators, scope.state, scope.depth)
        return [*path, ".", Field(name), " = ", x.make(its, depth, deeper)]
    return [*path, " = ", x.make(value, depth, inner)]


def sequences(x: Expressions, type: Sequence, depth: int, scope: Scope) -> list[Make]:
    element = type.element

    def node(*parts: Part) -> Node:
        return Node(type, ("(", *parts, ")"))

    def enumerated() -> Node:
        return Node(
            type, ("<<", *x.commas([x.make(element, depth, scope) for _ in range(x.random.choice((0, 1, 2, 3)))]), ">>")
        )

    def appended() -> Node:
        return Node(type, ("Append(", x.make(type, depth, scope), ", ", x.make(element, depth, scope), ")"))

    def joined() -> Node:
        return node(x.make(type, depth, scope), " \\o ", x.make(type, depth, scope))

    def tail() -> Node:
        s = x.make(type, depth, scope)
        return (
            Node(type, ("Tail(", s, ")"))
            if x.chance(x.risk)
            else node("IF ", s, " = <<>> THEN <<>> ELSE Tail(", s, ")")
        )

    def part() -> Node:
        s = x.make(type, depth, scope)
        if x.chance(x.risk):
            return Node(type, ("SubSeq(", s, ", ", x.make(INTEGER, 1, scope), ", ", x.make(INTEGER, 1, scope), ")"))
        return Node(type, ("SubSeq(", s, f", {x.random.choice((1, 2))}, Len(", s, "))"))

    def selected() -> Node:
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

    def constructed() -> Node:
        name = x.local(scope)
        inner = scope.bound((name, INTEGER))
        return Node(
            type, ("[", name, f" \\in 1..{x.random.choice((0, 1, 2, 3))} |-> ", x.make(element, depth, inner), "]")
        )

    def changed() -> Node:
        s = x.make(type, depth, scope)
        inner = Scope((*scope.values, (("@",), element)), scope.operators, scope.state, scope.depth)
        return Node(type, ("[", s, f" EXCEPT ![{x.random.choice((1, 2))}] = ", x.make(element, depth, inner), "]"))

    return [enumerated, enumerated, appended, appended, joined, tail, tail, part, selected, constructed, changed]


def bags(x: Expressions, type: Bag, depth: int, scope: Scope) -> list[Make]:
    element = type.element

    def of_set() -> Node:
        return Node(type, ("SetToBag(", x.make(SetOf(element), depth, scope), ")"))

    def binary() -> Node:
        a, b = x.make(type, depth, scope), x.make(type, depth, scope)
        return Node(type, ("(", a, x.random.choice((" (+) ", " (-) ")), b, ")"))

    def single() -> Node:
        return Node(type, ("(", x.make(element, depth, scope), f" :> {x.random.choice((1, 2, 3))})"))

    def united() -> Node:
        return Node(type, ("BagUnion({", x.make(type, depth, scope), ", ", x.make(type, depth, scope), "})"))

    def mapped() -> Node:
        rule = x.operator_argument(Higher((element,), element), depth, scope)
        return Node(type, ("BagOfAll(", rule, ", ", x.make(type, depth, scope), ")"))

    return [of_set, of_set, binary, binary, single, united, mapped]


def products(x: Expressions, type: Tuple | Record, depth: int, scope: Scope) -> list[Make]:
    def constructed() -> Node:
        if isinstance(type, Tuple):
            return Node(type, ("<<", *x.commas([x.make(each, depth, scope) for each in type.elements]), ">>"))
        return x.record(type, [x.make(each, depth, scope) for _, each in type.fields])

    def changed() -> Node:
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
            parts += _update(x, its, way, inner, depth, scope)
        return Node(type, (*parts, "]"))

    def by_rule() -> Node:
        """As a function: all parts of one type."""
        name = x.local(scope)
        if isinstance(type, Tuple):
            if len(set(type.elements)) > 1:
                return constructed()
            rule = x.make(type.elements[0], depth, scope.bound((name, INTEGER)))
            return Node(type, ("[", name, f" \\in 1..{len(type.elements)} |-> ", rule, "]"))
        its = {each for _, each in type.fields}
        if len(its) > 1:
            return constructed()
        keys = x.commas([Node(INTEGER, (field,)) for field, _ in x.random.sample(type.fields, len(type.fields))])
        rule = x.make(its.pop(), depth, scope.bound((name, STRING)))
        return Node(type, ("[", name, " \\in {", *keys, "} |-> ", rule, "]"))

    return [constructed, constructed, constructed, changed, changed, by_rule]
