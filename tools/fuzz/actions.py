"""Draws initial predicates and actions: every variable gets a value of its finite domain."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tools.fuzz.expressions import Expressions, Scope
from tools.fuzz.tree import LINE, Node, Part
from tools.fuzz.types import BOOLEAN, Name, SetOf, Type


@dataclass(frozen=True, slots=True)
class Variable:
    """`domain`: its values, an expression for a set."""

    name: Name
    type: Type
    domain: Node


def conjunction(nodes: list[Node]) -> Node:
    parts: list[Part] = ["("]
    for node in nodes:
        parts += [LINE, "/\\ ", node]
    return Node(BOOLEAN, (*parts, ")"))


def initial(x: Expressions, variables: list[Variable], scope: Scope) -> Node:
    conjuncts = []
    for variable in variables:
        conjuncts.append(_initial_value(x, variable, scope))
        scope = replace(scope, values=(*scope.values, ((variable.name,), variable.type)))
    return conjunction(conjuncts)


def _initial_value(x: Expressions, variable: Variable, scope: Scope) -> Node:
    type, name, domain = variable.type, variable.name, variable.domain

    def node(*parts: Part) -> Node:
        return Node(BOOLEAN, ("(", *parts, ")"))

    form = x.random.randrange(9)
    bound = x.local(scope)
    if form in (0, 5, 6, 7) and (domain.bound or 99) <= 8:
        return node(name, " \\in ", domain)
    if form == 1:
        value = x.make(type, 2, scope)
        return node(
            name,
            " = (IF ",
            value,
            " \\in ",
            domain,
            " THEN ",
            value,
            " ELSE CHOOSE ",
            bound,
            " \\in ",
            domain,
            " : TRUE)",
        )
    if form == 2:
        return node(name, " = ", x.literal(type), " \\/ ", name, " = CHOOSE ", bound, " \\in ", domain, " : TRUE")
    if form == 3:
        among = Node(SetOf(type), ("{", x.literal(type), ", ", x.literal(type), "}"))
        return node("\\E ", bound, " \\in ", among, " : ", name, " = ", bound)
    if form == 4:
        return node(name, " \\in {", x.literal(type), ", ", x.make(type, 1, scope), "} \\cap ", domain)
    return node(name, " = ", x.literal(type))


def action(x: Expressions, variables: list[Variable], depth: int, scope: Scope) -> Node:
    """A guard or none, and what each variable is next."""
    order = list(variables)
    x.random.shuffle(order)
    conjuncts = [x.make(BOOLEAN, depth, scope)] if x.chance(0.3) else []
    count = x.random.choice((1, 1, 2, 2, len(order)))
    changed, kept = order[:count], order[count:]
    for variable in changed:
        conjuncts.append(_next_value(x, variable, depth, scope))
        if x.chance(0.5):
            scope = replace(scope, values=(*scope.values, ((variable.name, "'"), variable.type)))
    if x.chance(0.07):
        late = x.make(BOOLEAN, depth, scope)  # a test of the next values, or a late guard
        # ENABLED <<A>>_v makes TLC go all ways through a test that comes when every variable has its value
        conjuncts.append(Node(BOOLEAN, ("(", late, " = TRUE)")) if x.fair else late)
    if kept:
        conjuncts.append(_unchanged(x, kept))
    if x.chance(0.15):
        conjuncts.insert(x.random.randrange(len(conjuncts)), conjuncts.pop())
    return conjunction(conjuncts)


def _unchanged(x: Expressions, kept: list[Variable]) -> Node:
    names = [each.name for each in kept]
    if len(names) == 1 and x.chance(0.5):
        return Node(BOOLEAN, ("UNCHANGED ", names[0]))
    if x.chance(0.3):
        parts: list[Part] = []
        for i, name in enumerate(names):
            parts += [" /\\ " if i else "(", name, "' = ", name]
        return Node(BOOLEAN, (*parts, ")"))
    listed: list[Part] = []
    for i, name in enumerate(names):
        listed += [", ", name] if i else [name]
    return Node(BOOLEAN, ("UNCHANGED <<", *listed, ">>"))


def _next_value(x: Expressions, variable: Variable, depth: int, scope: Scope) -> Node:
    """What one variable is next: a value, a choice, or one thing or the other."""
    type, name, domain = variable.type, variable.name, variable.domain
    bound = x.local(scope)
    inner = scope.bound((bound, type))

    def node(*parts: Part) -> Node:
        return Node(BOOLEAN, ("(", *parts, ")"))

    def value(its: Scope = scope) -> Node:
        return x.make(type, depth, its)

    def assigned(its: Node) -> Node:
        form = x.random.randrange(4)
        if form == 0:
            return node(name, "' = (IF ", its, " \\in ", domain, " THEN ", its, " ELSE ", name, ")")
        if form == 1:
            return node(its, " \\in ", domain, " /\\ ", name, "' = ", its)
        if form == 2:
            return node(name, "' = ", its, " /\\ ", name, "' \\in ", domain)
        return node("LET ", bound, " == ", its, " IN ", bound, " \\in ", domain, " /\\ ", name, "' = ", bound)

    def tested() -> Node:
        """Any value of the domain that passes a test."""
        test = x.make(BOOLEAN, depth, inner)
        if x.chance(0.5):
            return node(name, "' \\in {", bound, " \\in ", domain, " : ", test, "}")
        return node("\\E ", bound, " \\in ", domain, " : ", test, " /\\ ", name, "' = ", bound)

    form = x.random.randrange(16)
    if form <= 3:
        return assigned(value())
    if form >= 13:
        return tested()
    if form == 12:
        return node(name, "' = CHOOSE ", bound, " \\in ", domain, " : ", bound, " # ", name)
    if form == 4:
        rule = x.make(type, depth, inner)
        return node(
            name,
            "' = [",
            bound,
            " \\in ",
            domain,
            " |-> IF ",
            rule,
            " \\in ",
            domain,
            " THEN ",
            rule,
            " ELSE ",
            bound,
            "][",
            name,
            "]",
        )
    if form == 5:
        # TLC generates a state twice where a union that it has not computed has an element twice: a set of all has not
        among = x.make(SetOf(type), depth, scope.deeper(1))
        computed = ("{", bound, " : ", bound, " \\in ", among, "}")
        return node(name, "' \\in {", bound, " \\in ", *computed, " : ", bound, " \\in ", domain, "}")
    if form == 6 and (domain.bound or 99) <= 8:
        return node(name, "' \\in ", domain)
    if form == 7:
        among = x.small_set(type, depth, scope)
        return node(
            "\\E ",
            bound,
            " \\in ",
            among,
            " : ",
            x.make(BOOLEAN, depth - 1, inner),
            " /\\ ",
            bound,
            " \\in ",
            domain,
            " /\\ ",
            name,
            "' = ",
            bound,
        )
    if form == 8:
        return node("IF ", x.make(BOOLEAN, depth, scope), " THEN ", assigned(value()), " ELSE ", assigned(value()))
    if form == 9:
        return node(assigned(value()), " \\/ ", assigned(value()))
    if form == 10:
        return node(
            "CASE ", x.make(BOOLEAN, depth, scope), " -> ", assigned(value()), " [] OTHER -> ", assigned(value())
        )
    its = x.base()
    inner = scope.bound((bound, its))
    among = x.small_set(its, depth, scope)
    deeper = x.make(type, depth, inner)
    return node(
        "\\E ",
        bound,
        " \\in ",
        among,
        " : ",
        name,
        "' = (IF ",
        deeper,
        " \\in ",
        domain,
        " THEN ",
        deeper,
        " ELSE ",
        name,
        ")",
    )
