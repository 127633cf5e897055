"""Forms that can have any type: IF, CASE, LET, CHOOSE, application, selection, calls."""

from __future__ import annotations

from tools.fuzz.expressions import Expressions, Form, Operator, Scope, bracketed
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import (
    BOOLEAN,
    INTEGER,
    Function,
    Name,
    Sequence,
    SetOf,
    Tuple,
    Type,
)


def settled(body: Node, *given: tuple[Name, Type]) -> Node:
    """A body that is no formula with several ways to be true, where one that it is `given` is named more than once.

    TLC keeps the value of a parameter that was asked for it, and takes it for one way from then on (docs/fuzzing.md).
    """
    named = list(body.names())
    if body.type == BOOLEAN and any(its == BOOLEAN and named.count(name) > 1 for name, its in given):
        return Node(BOOLEAN, ("(", body, " = TRUE)"))
    return body


def _as_value(type: Type) -> str:
    """TLC forgets the EXCEPT of a function applied where an action is wanted (Tool.getNextStates, OPCODE_fa)."""
    return " = TRUE" if type == BOOLEAN else ""


def conditional(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    a, b = x.make(type, depth, scope), x.make(type, depth, scope)
    bound = a.bound + b.bound if a.bound is not None and b.bound is not None else None
    return Node(type, ("(IF ", x.make(BOOLEAN, depth, scope), " THEN ", a, " ELSE ", b, ")"), bound)


def cases(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    def then(sign: str = " -> ") -> tuple[str, Node]:
        return sign, x.make(type, depth, scope)

    condition = x.make(BOOLEAN, depth, scope)
    if x.chance(x.risk):
        return bracketed(type, "CASE ", condition, *then(), " [] ", x.make(BOOLEAN, depth, scope), *then())
    if x.chance(0.5):
        return bracketed(type, "CASE ", condition, *then(), " [] ~", condition, *then())
    first = ("CASE ", condition, *then())
    return bracketed(type, *first, " [] ", x.make(BOOLEAN, depth, scope), *then(), *then(" [] OTHER -> "))


def decided(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    """By constants alone: what is not taken is never evaluated, and has any type."""
    taken, never = x.make(type, depth, scope), x.make(x.type(1), depth, scope)
    domain = x.domain(x.base())  # none is empty
    tests = (("TRUE",), (domain, " # {}"), (domain, " = ", domain), ("Cardinality(", domain, ") > 0"))
    test: tuple[Part, ...] = ("(", *x.random.choice(tests), ")")
    forms: tuple[tuple[Part, ...], ...] = (
        ("IF ", *test, " THEN ", taken, " ELSE ", never),
        ("IF ~", *test, " THEN ", never, " ELSE ", taken),
        ("CASE ~", *test, " -> ", never, " [] ", *test, " -> ", taken),
        ("CASE ", *test, " -> ", taken, " [] OTHER -> ", never),
        ("CASE ~", *test, " -> ", never, " [] ", x.make(BOOLEAN, depth, scope), " -> ", taken, " [] OTHER -> ", taken),
    )
    return Node(type, ("(", *x.random.choice(forms), ")"), taken.bound)


def let(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    its = x.near(scope)
    name = x.local(scope)
    inner = scope.bound((name, its))
    return bracketed(
        type, "LET ", name, " == ", x.make(its, depth, scope), " IN ", settled(x.make(type, depth, inner), (name, its))
    )


def let_operator(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    parameters = tuple(x.near(scope) for _ in range(x.random.choice((1, 1, 2))))
    name = x.local(scope)
    deeper = scope.bound((name, BOOLEAN))  # takes the number; the entry is dropped below
    names = [x.local(deeper, i) for i in range(len(parameters))]
    inner = Scope(scope.values, scope.operators, scope.state, deeper.depth).bound(*zip(names, parameters, strict=True))
    body = settled(x.make(type, depth, inner), *zip(names, parameters, strict=True))
    after = scope.with_operator(Operator((name,), parameters, type, False))
    listed: list[Part] = []
    for i, each in enumerate(names):
        listed += [", ", each] if i else [each]
    result = x.call(type, depth, Scope(after.values, after.operators[-1:], after.state, after.depth))
    if x.chance(0.3):
        return bracketed(type, "LET ", name, "(", *listed, ") == ", body, " IN ", x.make(type, depth, after))
    return bracketed(type, "LET ", name, "(", *listed, ") == ", body, " IN ", result)


def let_function(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    """A local function, at times one that calls itself."""
    name, k, top = x.local(scope), x.local(scope, 1), x.random.choice((1, 2, 3))
    inner = Scope(scope.values, scope.operators, scope.state, scope.depth + 1).bound((k, INTEGER))
    before = Node(type, (name, "[", k, " - 1]"))
    step = x.make(type, depth, Scope((*inner.values, (before.parts, type)), inner.operators, inner.state, inner.depth))
    rule: tuple[Part, ...] = ("IF ", k, " = 0 THEN ", x.make(type, 0, scope), " ELSE ", step)
    return bracketed(
        type, "LET ", name, "[", k, f" \\in 0..{top}] == ", *rule, " IN ", name, f"[{x.random.randint(0, top)}]"
    )


def chosen(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    name = x.local(scope)
    inner = scope.bound((name, type))
    among = x.make(SetOf(type), depth, scope)
    if among.bound is None or among.bound > 64:
        among = x.small_set(type, depth, scope, 64)
    if x.chance(x.risk):
        return bracketed(type, "CHOOSE ", name, " \\in ", among, " : ", x.make(BOOLEAN, depth, inner))
    if x.chance(0.5):
        return bracketed(
            type, "IF ", among, " = {} THEN ", x.leaf(type, scope), " ELSE CHOOSE ", name, " \\in ", among, " : TRUE"
        )
    condition = x.make(BOOLEAN, depth, inner)
    return bracketed(
        type,
        "IF \\E ",
        name,
        " \\in ",
        among,
        " : ",
        condition,
        " THEN CHOOSE ",
        name,
        " \\in ",
        among,
        " : ",
        condition,
        " ELSE ",
        x.leaf(type, scope),
    )


def applied(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    after = _as_value(type)
    fitting = [its for _, its in scope.values if isinstance(its, Function) and its.value == type]
    its = x.random.choice(fitting) if fitting and x.chance(0.8) else Function(x.base(), type)
    function, key = x.make(its, depth, scope), x.make(its.key, depth, scope)
    if x.chance(x.risk):
        return bracketed(type, function, "[", key, "]", after)
    if x.chance(0.25):  # a CHOOSE in the domain
        name = x.local(scope)
        return bracketed(
            type,
            "IF DOMAIN ",
            function,
            " = {} THEN ",
            x.leaf(type, scope),
            " ELSE ",
            function,
            "[CHOOSE ",
            name,
            " \\in DOMAIN ",
            function,
            " : TRUE]",
            after,
        )
    return bracketed(
        type,
        "IF ",
        key,
        " \\in DOMAIN ",
        function,
        " THEN ",
        function,
        "[",
        key,
        "]",
        after,
        " ELSE ",
        x.leaf(type, scope),
    )


def identity(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    """What should be the argument itself."""
    name = x.local(scope)
    among = x.small_set(type, depth, scope, 64)
    value = x.make(type, depth, scope)
    return bracketed(type, "[", name, " \\in (", among, " \\cup {", value, "}) |-> ", name, "][", value, "]")


def element(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    after = _as_value(type)
    its = Sequence(type)
    sequence, index = x.make(its, depth, scope), x.make(INTEGER, depth, scope)
    form = x.random.randrange(3)
    if form == 0:
        return bracketed(type, "IF ", sequence, " = <<>> THEN ", x.leaf(type, scope), " ELSE Head(", sequence, ")")
    if form == 1:
        return bracketed(
            type,
            "IF ",
            index,
            " \\in DOMAIN ",
            sequence,
            " THEN ",
            sequence,
            "[",
            index,
            "]",
            after,
            " ELSE ",
            x.leaf(type, scope),
        )
    return bracketed(
        type,
        "LET ",
        x.local(scope),
        " == ",
        sequence,
        " IN IF Len(",
        x.local(scope),
        ") = 0 THEN ",
        x.leaf(type, scope),
        " ELSE ",
        x.local(scope),
        "[Len(",
        x.local(scope),
        ")]",
        after,
    )


def component(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    after = _as_value(type)
    others = [x.near(scope) for _ in range(x.random.choice((1, 2)))]
    place = x.random.randrange(len(others) + 1)
    its = Tuple((*others[:place], type, *others[place:]))
    return bracketed(type, x.make(its, depth, scope), f"[{place + 1}]", after)


def field(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    after = _as_value(type)
    fitting = [(r, name) for r in x.universe.records for name, its in r.fields if its == type]
    if not fitting:
        return component(x, type, depth, scope)
    record, name = x.random.choice(fitting)
    value = x.make(record, depth, scope)
    return Node(type, (value, ".", Field(name))) if x.chance(0.7) else bracketed(type, value, "[", name, "]", after)


def call(x: Expressions, type: Type, depth: int, scope: Scope) -> Node:
    return x.call(type, depth, scope)


GENERAL: tuple[Form, ...] = (
    conditional,
    cases,
    decided,
    let,
    let_operator,
    let_function,
    chosen,
    applied,
    identity,
    element,
    component,
    field,
    call,
    call,
    call,
)
