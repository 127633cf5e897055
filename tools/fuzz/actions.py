"""Draws initial predicates and actions: every variable gets a value of its finite domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tools.fuzz.expressions import WIDE, Expressions, Scope, bracketed
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

    form = x.random.randrange(9)
    bound = x.local(scope)
    if form in (0, 5, 6, 7) and (domain.bound or 999) <= x.wide:
        return _bracketed(name, " \\in ", domain)
    if x.wide > WIDE and form != 2:  # the domain may be described, and a literal of the type seldom in it
        test = x.make(BOOLEAN, 1, scope.bound((bound, type)))
        one = (" \\/ ", bound, " = CHOOSE ", x.local(scope, 1), " \\in ", domain, " : TRUE")
        return _bracketed(name, " \\in {", bound, " \\in ", domain, " : ", test, *one, "}")
    if form == 1:
        value = x.make(type, 2, scope)
        return _bracketed(
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
        return _bracketed(name, " = ", x.literal(type), " \\/ ", name, " = CHOOSE ", bound, " \\in ", domain, " : TRUE")
    if form == 3:
        among = Node(SetOf(type), ("{", x.literal(type), ", ", x.literal(type), "}"))
        return _bracketed("\\E ", bound, " \\in ", among, " : ", name, " = ", bound)
    if form == 4:
        return _bracketed(name, " \\in {", x.literal(type), ", ", x.make(type, 1, scope), "} \\cap ", domain)
    return _bracketed(name, " = ", x.literal(type))


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
        # a test of the next values, which need not be of the kind they had, or a late guard
        late = _unchanged(x, changed) if x.chance(0.3) else x.make(BOOLEAN, depth, scope)
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


@dataclass(frozen=True, slots=True)
class _Next:
    """Draws what one variable is next. `bound` is a name that may be bound to a value of its type, `inner` where."""

    x: Expressions
    variable: Variable
    depth: int
    scope: Scope
    bound: Name
    inner: Scope

    def drawn(self) -> Node:
        """A value, a choice, or one thing or the other."""
        form = self.x.random.randrange(len(_FORMS))
        if self.x.wide > WIDE and self.x.chance(0.2):
            return self.tested()
        if form == 6 and (self.variable.domain.bound or 99) > WIDE:
            form = 11
        return _FORMS[form](self)

    def condition(self) -> Node:
        return self.x.make(BOOLEAN, self.depth, self.scope)

    def value(self) -> Node:
        """A given value where it is in the domain."""
        its = self.x.make(self.variable.type, self.depth, self.scope)
        name, domain, bound = self.variable.name, self.variable.domain, self.bound
        form = self.x.random.randrange(4)
        if form == 0:
            return _bracketed(name, "' = (IF ", its, " \\in ", domain, " THEN ", its, " ELSE ", name, ")")
        if form == 1:
            return _bracketed(its, " \\in ", domain, " /\\ ", name, "' = ", its)
        if form == 2:
            return _bracketed(name, "' = ", its, " /\\ ", name, "' \\in ", domain)
        return _bracketed("LET ", bound, " == ", its, " IN ", bound, " \\in ", domain, " /\\ ", name, "' = ", bound)

    def through_function(self) -> Node:
        """A function from the domain to itself, applied."""
        name, domain, bound = self.variable.name, self.variable.domain, self.bound
        rule = self.x.make(self.variable.type, self.depth, self.inner)
        checked = (" |-> IF ", rule, " \\in ", domain, " THEN ", rule, " ELSE ", bound)
        return _bracketed(name, "' = [", bound, " \\in ", domain, *checked, "][", name, "]")

    def filtered(self) -> Node:
        """Those of a set that are in the domain.

        TLC generates a state twice where a union that it has not computed has an element twice: a set of all has not.
        """
        name, domain, bound = self.variable.name, self.variable.domain, self.bound
        among = self.x.make(SetOf(self.variable.type), self.depth, self.scope.deeper(1))
        computed = ("{", bound, " : ", bound, " \\in ", among, "}")
        return _bracketed(name, "' \\in {", bound, " \\in ", *computed, " : ", bound, " \\in ", domain, "}")

    def anything(self) -> Node:
        return _bracketed(self.variable.name, "' \\in ", self.variable.domain)

    def some(self) -> Node:
        """One of a set that passes a test and is in the domain."""
        name, domain, bound = self.variable.name, self.variable.domain, self.bound
        among = self.x.small_set(self.variable.type, self.depth, self.scope)
        test = self.x.make(BOOLEAN, self.depth - 1, self.inner)
        guarded = (" : ", test, " /\\ ", bound, " \\in ", domain)
        return _bracketed("\\E ", bound, " \\in ", among, *guarded, " /\\ ", name, "' = ", bound)

    def conditional(self) -> Node:
        return _bracketed("IF ", self.condition(), " THEN ", self.value(), " ELSE ", self.value())

    def either(self) -> Node:
        return _bracketed(self.value(), " \\/ ", self.value())

    def cases(self) -> Node:
        return _bracketed("CASE ", self.condition(), " -> ", self.value(), " [] OTHER -> ", self.value())

    def named_condition(self) -> Node:
        """A condition with a name, one that may hold in several ways, and what is done if it holds and if not."""
        name, within = self.bound, _next(self.x, self.variable, self.depth, self.scope.deeper(1))
        condition = (within.condition(), " \\/ ", within.condition())
        ways: list[tuple[Part, ...]] = [
            ("(", name, " /\\ ", within.value(), ")"),
            ("(~", name, " /\\ ", within.value(), ")"),
        ]
        self.x.random.shuffle(ways)
        return _bracketed("LET ", name, " == ", *condition, " IN ", *ways[0], " \\/ ", *ways[1])

    def another(self) -> Node:
        name, bound = self.variable.name, self.bound
        return _bracketed(name, "' = CHOOSE ", bound, " \\in ", self.variable.domain, " : ", bound, " # ", name)

    def tested(self) -> Node:
        """Any value of the domain that passes a test."""
        name, domain, bound = self.variable.name, self.variable.domain, self.bound
        test = self.x.make(BOOLEAN, self.depth, self.inner)
        if self.x.chance(0.5):
            return _bracketed(name, "' \\in {", bound, " \\in ", domain, " : ", test, "}")
        return _bracketed("\\E ", bound, " \\in ", domain, " : ", test, " /\\ ", name, "' = ", bound)

    def through_operators(self) -> Node:
        """By an operator that another one applies, which captures what it primes or passes it on."""
        x, domain = self.x, self.variable.domain
        of, f, e, put, g, assign, v, again = (x.local(self.scope, i) for i in range(8))
        its = x.make(self.variable.type, self.depth, self.scope.deeper(8))
        assigned: tuple[Part, ...] = (v, "' = (IF ", g, " \\in ", domain, " THEN ", g, " ELSE ", v, ")")
        applies: tuple[Part, ...] = (of, "(", f, "(_), ", e, ") == ", f, "(", e, ") ")
        body: tuple[Part, ...] = x.random.choice(
            (
                ("LET ", put, "(", g, ") == ", *assigned, " IN ", of, "(", put, ", ", its, ")"),
                (of, "(LAMBDA ", g, " : ", *assigned, ", ", its, ")"),
                ("LET ", put, "(", g, ") == ", g, "' \\in ", domain, " IN ", of, "(", put, ", ", v, ")"),
            )
        )
        definition: tuple[Part, ...] = (assign, "(", v, ") == ", *body, " ")
        calls: tuple[tuple[Part, ...], ...] = (
            ("IN ", assign, "(", self.variable.name, ")"),
            ("IN ", of, "(", assign, ", ", self.variable.name, ")"),
            (again, "(", v, ") == ", of, "(", assign, ", ", v, ") IN ", again, "(", self.variable.name, ")"),
        )
        return _bracketed("LET ", *applies, *definition, *x.random.choice(calls))

    def by_parameter(self) -> Node:
        """What some value of another type gives."""
        x, name, domain, bound = self.x, self.variable.name, self.variable.domain, self.bound
        its = x.base()
        among = x.small_set(its, self.depth, self.scope)
        rule = x.make(self.variable.type, self.depth, self.scope.bound((bound, its)))
        checked = ("' = (IF ", rule, " \\in ", domain, " THEN ", rule, " ELSE ", name, ")")
        return _bracketed("\\E ", bound, " \\in ", among, " : ", name, *checked)


_FORMS: tuple[Callable[[_Next], Node], ...] = (
    *(_Next.value,) * 4,
    _Next.through_function,
    _Next.filtered,
    _Next.anything,
    _Next.some,
    _Next.conditional,
    _Next.either,
    _Next.cases,
    _Next.named_condition,
    _Next.by_parameter,
    _Next.another,
    *(_Next.tested,) * 3,
    _Next.through_operators,
)


def _next(x: Expressions, variable: Variable, depth: int, scope: Scope) -> _Next:
    bound = x.local(scope)
    return _Next(x, variable, depth, scope, bound, scope.bound((bound, variable.type)))


def _next_value(x: Expressions, variable: Variable, depth: int, scope: Scope) -> Node:
    return _next(x, variable, depth, scope).drawn()


def _bracketed(*parts: Part) -> Node:
    return bracketed(BOOLEAN, *parts)
