"""Loops over sets, without building the sets where they need not be."""

from __future__ import annotations

from collections.abc import Callable

from rmqproof.model.actions.listed_sets import is_listed
from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    BOOL,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    cardinality,
    function_of,
)
from rmqproof.model.types.functions import starts_at_one

from .calls import with_arguments
from .code_motion import Loop
from .context import Context
from .elements import each_element, element_in
from .guards import Guard, guard_of, may_pass
from .questions import LAZY, is_lazy
from .representation import is_map
from .subsets import each_kept_subset, each_subset
from .tables import Table, each_row, is_table, table_of
from .terms import Body, Bound, C, Env
from .unfolding import unfolded


def each(
    x: Context, e: core.Expression, env: Env, body: Body, leaves: bool = False, guard: Guard | None = None
) -> tuple[str, bool]:
    """A loop over the elements of the set `e`, each once, by rank; and whether computing the set can fail.

    `leaves`: the body may leave the loop, so that what TLC evaluates of the set before must be evaluated before.
    `guard`: nothing is done for an element that does not pass it.
    """
    loops: list[Loop] = []
    first = x.names

    def turn(element: C) -> str:
        if isinstance(element.type, Nothing):
            return x.fail(e)  # there is never one
        with x.turning(first) as loop:
            loops.append(loop)
            return body(element)

    code, risky = _each(x, e, env, turn, leaves, guard)
    declared = " ".join(filter(None, (loop.declared(code) for loop in loops)))
    return (f"{{ {declared} {code} }}" if declared else code), risky


def _each(x: Context, e: core.Expression, env: Env, body: Body, leaves: bool, guard: Guard | None) -> tuple[str, bool]:
    e, env = unfolded(x, e, env)
    walked = _walked(x, e, env, body, leaves)
    if walked is not None:
        return walked
    if is_table(x, e, env):
        return each_row(x, known_table(x, e), body)
    return _each_built(x, e, env, body, guard)


def _walked(x: Context, e: core.Expression, env: Env, body: Body, leaves: bool = False) -> tuple[str, bool] | None:
    """A loop over a set that need not be built."""
    asked = isinstance(e, core.SetFilter | core.Cartesian | core.RecordSet) or _is_difference(e)
    before = _gone_through(x, e, env) if leaves and asked else ""
    if before and (not isinstance(e, core.SetFilter) or _parts(x, e, env) is not None):
        loop, _ = each(x, e, env, body)
        return before + loop, True
    match e:
        case core.Builtin():
            name = operators.short_name(e.operator)
            if name == "..":
                return each_number(x, e, env, body)
            if _is_powerset(e):
                return each_subset(x, e, env, body)
            if _is_difference(e):
                return _each_difference(x, e, env, body)
            if name == "BOOLEAN":
                element = x.name()
                return (
                    f"for (I {element} = 0; {element} < 2; {element}++) {{ {body(C(element, BOOL, lvalue=True))} }}",
                    False,
                )
        case core.SetFilter() if not before:
            return each_filtered(x, e, env, body)
        case core.FunctionSet():
            return _each_function(x, e, env, body)
        case core.Cartesian() | core.RecordSet():
            return _each_product(x, e, env, body)
    return None


def _is_difference(e: core.Expression) -> bool:
    return isinstance(e, core.Builtin) and operators.short_name(e.operator) == "\\"


def _gone_through(x: Context, e: core.Expression, env: Env) -> str:
    """Statements that evaluate what TLC, which lists the set, evaluates before a quantifier's or a CHOOSE's first
    element; "" where all of that has a value."""

    def listed(e: core.Expression, env: Env) -> str:
        e, env = unfolded(x, e, env)
        if isinstance(e, core.FunctionSet | core.RecordSet | core.Cartesian) or _is_powerset(e):
            return "".join(listed(part, inner) for part, inner in _parts(x, e, env) or ())
        loop, risky = each(x, e, env, lambda _: "")
        return f"{{ {loop} }}" if risky else ""

    return x.anything(lambda: listed(e, env))


def _is_powerset(e: core.Expression) -> bool:
    return isinstance(e, core.Builtin) and operators.short_name(e.operator) == "SUBSET"


def _each_built(x: Context, e: core.Expression, env: Env, body: Body, guard: Guard | None = None) -> tuple[str, bool]:
    value = x.only(e, x.compile(e, env), Set)
    if not isinstance(value.type, Set):
        raise x.refuse(e, "a set that cannot be enumerated")
    if isinstance(value.type.element, Nothing):
        return f"(void)({value.code});" if value.risky else ";", value.risky
    statements, held = x.held(value)
    element = x.name()
    inner = body(C(element_in(x.routines, value.type, element), value.type.element, lvalue=True))
    loop = each_element(x.routines, value.type, held.code, element, inner, may_pass(x, value.type, guard))
    return f"{{ {statements} {loop} }}", value.risky


def known_table(x: Context, e: core.Expression) -> Table:
    """The table of a constant set."""
    return table_of(x, e, lambda body: _met(x, e, Env(), body))


def _met(x: Context, e: core.Expression, env: Env, body: Body) -> tuple[str, bool]:
    """A loop that meets each element of the set, one or several times, and builds as little as it can."""
    e, env = unfolded(x, e, env)
    match e:
        case core.Call() if not e.definition.recursive and e.definition not in env.local:
            statements, inner = with_arguments(x, e, env)
            loop, risky = _met(x, e.definition.body, inner, body)
            return f"{{ {statements} {loop} }}", risky
        case core.If():
            condition = x.condition(e.condition, env)
            then, otherwise = (_met(x, arm, env, body) for arm in (e.then, e.otherwise))
            risky = condition.risky or then[1] or otherwise[1]
            return f"if ({condition.code}) {{ {then[0]} }} else {{ {otherwise[0]} }}", risky
        case core.Builtin() if operators.short_name(e.operator) in ("\\cup", "\\union"):
            parts = [_met(x, part, env, body) for part in e.arguments]
            return " ".join(f"{{ {loop} }}" for loop, _ in parts), any(risky for _, risky in parts)
        case core.Builtin(operator="UNION"):
            sets, outer = unfolded(x, e.arguments[0], env)
            if isinstance(sets, core.SetMap):
                return each_of_several(x, sets, outer, body, _met)
        case core.SetMap():
            return nested(x, e.binders, env, lambda _, inner: _given(x, x.compile(e.body, inner), body))
        case core.SetEnumeration() if e.items:
            items = [x.compile(item, env) for item in e.items]
            return " ".join(_given(x, item, body) for item in items), any(item.risky for item in items)
    walked = _walked(x, e, env, body)
    return walked if walked is not None else _each_built(x, e, env, body)


def _given(x: Context, value: C, body: Body) -> str:
    statements, held = x.held(value)
    return f"{{ {statements} {body(held)} }}"


def each_of_several(
    x: Context,
    sets: core.SetMap,
    env: Env,
    body: Body,
    loop_over: Callable[[Context, core.Expression, Env, Body], tuple[str, bool]] = each,
) -> tuple[str, bool]:
    """A loop over the elements of each of `sets`, without building the set of them."""
    risks: list[bool] = []

    def inner(_: list[C], scope: Env) -> str:
        loop, risky = loop_over(x, sets.body, scope, body)
        risks.append(risky)
        return loop

    loop, risky = nested(x, sets.binders, env, inner)
    return loop, risky or any(risks)


def each_number(x: Context, e: core.Builtin, env: Env, body: Body) -> tuple[str, bool]:
    low, high = (x.number(a, env) for a in e.arguments)
    type_ = operators.element_of(operators.interval(low.type, high.type))
    element = x.name()
    if isinstance(type_, Nothing):
        return f"(void)({low.code}); (void)({high.code});", low.risky or high.risky
    inner = body(C(element, type_, lvalue=True))
    start = f"I {element} = {low.code}, {element}end = {high.code}"
    return f"for ({start}; {element} <= {element}end; {element}++) {{ {inner} }}", low.risky or high.risky


def _each_difference(x: Context, e: core.Builtin, env: Env, body: Body) -> tuple[str, bool]:
    test: list[bool] = []

    def inner(element: C) -> str:
        outside = x.member(e, element, e.arguments[1], env, True)
        test.append(outside.risky)
        return f"if (!({outside.code})) {{ {body(element)} }}"

    left = x.typed(e.arguments[0], env)
    right = x.typed(e.arguments[1], env)
    if isinstance(left, Set) and isinstance(right, Set) and x.universe_size(x.settle(left.element)) is not None:
        value = x.compile(e, env)
        statements, held = x.held(value)
        element = x.name()
        assert isinstance(value.type, Set)
        item = C(element_in(x.routines, value.type, element), value.type.element, lvalue=True)
        loop = each_element(x.routines, value.type, held.code, element, body(item))
        return f"{{ {statements} {loop} }}", value.risky
    before = evaluated(x, e.arguments[1], env)
    loop, risky = each(x, e.arguments[0], env, inner)
    return f"{{ {before} {loop} }}", risky or any(test) or bool(before)


def each_filtered(x: Context, e: core.SetFilter, env: Env, body: Body) -> tuple[str, bool]:
    kept = each_kept_subset(x, e, env, body)
    if kept is not None:
        return kept
    risks: list[bool] = []

    def inner(element: C) -> str:
        statements, bound = bind_element(x, e.binder, element)
        condition = x.condition(e.body, env.bind(bound))
        risks.append(condition.risky)
        return f"{statements} if ({condition.code}) {{ {body(element)} }}"

    assert e.binder.domain is not None
    loop, risky = each(x, e.binder.domain, env, inner, guard=guard_of(e.binder, e.body))
    return loop, risky or any(risks)


def _each_product(x: Context, e: core.Cartesian | core.RecordSet, env: Env, body: Body) -> tuple[str, bool]:
    fields = [] if isinstance(e, core.Cartesian) else fields_in_order(x, e)
    parts = list(e.factors) if isinstance(e, core.Cartesian) else [value for _, value in fields]
    names = sorted(name for name, _ in fields)
    at = [names.index(name) for name, _ in fields] if names else list(range(len(parts)))

    def nest(i: int, chosen: list[C]) -> tuple[str, bool]:
        if i == len(parts):
            chosen = [chosen[at.index(j)] for j in range(len(at))]
            types = [element.type for element in chosen]
            type_: Type = Record(tuple(zip(names, types, strict=True))) if names else Tuple(tuple(types))
            r = x.name()
            sets = " ".join(f"{r}.f{j} = {element.code};" for j, element in enumerate(chosen))
            return f"{{ {x.zero(type_, r)} {sets} {body(C(r, type_, lvalue=True))} }}", False
        risks: list[bool] = []

        def inner(element: C) -> str:
            code, risky = nest(i + 1, [*chosen, element])
            risks.append(risky)
            return code

        loop, risky = each(x, parts[i], env, inner)
        return loop, risky or any(risks)

    return nest(0, [])


def fields_in_order(x: Context, e: core.RecordSet) -> list[tuple[str, core.Expression]]:
    """The names and sets as TLC asks them, and goes through them: in the order of strings."""
    return sorted(e.fields, key=lambda field: x.routines.atoms.order.word_key(field[0]))


def _each_function(x: Context, e: core.FunctionSet, env: Env, body: Body) -> tuple[str, bool]:
    domain, values = (x.only(part, x.compile(part, env), Set) for part in (e.domain, e.range))
    if not isinstance(domain.type, Set) or not isinstance(values.type, Set):
        raise x.refuse(e, "a set of functions that cannot be enumerated")
    key, value = domain.type.element, values.type.element
    if isinstance(key, Nothing):
        empty = body(x.compile(core.TupleExpression(e.at, ()), env))
        return f"{{ (void)({domain.code}); (void)({values.code}); {empty} }}", domain.risky or values.risky
    type_ = x.settle(function_of(key, value, domain.type.full))
    if isinstance(type_, Function) and not domain.type.full and isinstance(key, Int) and _from_one(x, e.domain, env):
        type_ = x.settle(Seq(value, 0, key.high))
    if is_map(type_):
        raise x.refuse(e, "a set of functions that cannot be enumerated")
    size = x.universe_size(key)
    count = cardinality(value) if x.universe_size(value) is not None else values.type.most
    if size is None or count is None:
        raise x.refuse(e, "a set of functions that cannot be enumerated")
    first, d = x.held(domain)
    second, v = x.held(values)
    n, element, i = x.name("n"), x.name(), x.name("i")
    k, y = x.name(), x.name()
    keys = each_element(x.routines, domain.type, d.code, k, f"{n}r[{n}++] = {k}_i;")
    elements = each_element(
        x.routines, values.type, v.code, y, f"{n}v[{n}m++] = {element_in(x.routines, values.type, y)};"
    )
    if isinstance(type_, Seq):
        put = f"{element}.a[q_] = {n}v[{i}[q_]];"
        start = f"{element}.n = {n};"
    else:
        put = f"{element}.a[{n}r[q_]] = {n}v[{i}[q_]];" + (
            "" if domain.type.full else f" {element}.w[{n}r[q_] >> 6] |= (U)1 << ({n}r[q_] & 63);"
        )
        start = ""
    inner = body(C(element, type_, lvalue=True))
    code = (
        f"{{ {first} {second} I {n} = 0, {n}r[{max(1, size)}]; {keys} (void){n}r; I {n}m = 0; "
        f"{x.c_type(value)} {n}v[{max(1, count)}]; {elements} I {i}[{max(1, size)}]; "
        f"memset({i}, 0, sizeof {i}); "
        f"if ({n}m > 0 || {n} == 0) for (;;) {{ {x.zero(type_, element)} {start} "
        f"for (I q_ = 0; q_ < {n}; q_++) {{ {put} }} {{ {inner} }} "
        f"I q_ = {n} - 1; while (q_ >= 0 && ++{i}[q_] == {n}m) {i}[q_--] = 0; if (q_ < 0) break; }} }}"
    )
    return code, domain.risky or values.risky


def _from_one(x: Context, e: core.Expression, env: Env) -> bool:
    return starts_at_one(x.typing, e, x.scope(env))


def bind_element(x: Context, binder: core.Binder, value: C) -> tuple[str, dict[core.Binding, Bound]]:
    """Statements and what the binder's names mean when the element is `value`, an lvalue."""
    if not binder.is_tuple:
        return "", {binder.bindings[0]: value}
    names: dict[core.Binding, Bound] = {}
    if isinstance(value.type, Tuple):
        if len(value.type.items) != len(binder.bindings):
            raise x.refuse(binder, "a tuple pattern of another length")
        for i, (binding, item) in enumerate(zip(binder.bindings, value.type.items, strict=True)):
            names[binding] = C(f"{value.code}.f{i}", item, lvalue=True)
        return "", names
    if isinstance(value.type, Seq) and value.type.least == value.type.most == len(binder.bindings):
        for i, binding in enumerate(binder.bindings):
            names[binding] = C(f"{value.code}.a[{i}]", value.type.element, lvalue=True)
        return "", names
    raise x.refuse(binder, "a tuple pattern over values that may be no tuples")


def nested(
    x: Context,
    binders: tuple[core.Binder, ...],
    env: Env,
    body: Callable[[list[C], Env], str],
    leaves: bool = False,
    condition: core.Expression | None = None,
    every: bool = False,
) -> tuple[str, bool]:
    """Nested loops over all binders; later domains do not see earlier names, and are evaluated before the first loop.

    `leaves`: the body may leave the loops. `condition`: the body does nothing for elements of which it is false, or
    with `every` of which it is true.
    """
    domains: list[tuple[core.Expression, Env]] = []
    before = ""
    for binder in binders:
        if binder.domain is None:
            raise x.refuse(binder, "an unbounded quantifier")
        statements, domain, outer = _beforehand(x, binder.domain, env) if domains else ("", binder.domain, env)
        before += statements
        domains.append((domain, outer))

    def nest(i: int, chosen: list[C], inner: Env) -> tuple[str, bool]:
        if i == len(binders):
            return body(chosen, inner), False
        risks: list[bool] = []

        def step(element: C) -> str:
            statements, bound = bind_element(x, binders[i], element)
            code, risky = nest(i + 1, [*chosen, element], inner.bind(bound))
            risks.append(risky)
            return f"{statements} {code}"

        domain, outer = domains[i]
        guard = guard_of(binders[i], condition, every) if condition is not None else None
        loop, risky = each(x, domain, outer, step, leaves, guard)
        return loop, risky or any(risks)

    loops, risky = nest(0, [], env)
    return (f"{{ {before} {loops} }}", True) if before else (loops, risky)


def _beforehand(x: Context, e: core.Expression, env: Env) -> tuple[str, core.Expression, Env]:
    """Statements that evaluate a set that may have no value, and what stands for it then."""
    items, inner = unfolded(x, e, env)
    statements = _gone_through(x, items, inner)
    if not statements or _parts(x, items, inner) is not None:
        return statements, e, env
    statements, held = x.held(x.compile(items, inner))
    binding = core.Binding("items", e.at)
    return statements, core.Reference(e.at, binding), env.bind({binding: held})


_OF_SETS = frozenset(["SUBSET", "Seq", "\\cup", "\\union", "\\cap", "\\intersect", "\\"])


def evaluated(x: Context, e: core.Expression, env: Env) -> str:
    """Statements that evaluate what TLC evaluates of a set before it asks it, or goes through its elements; "" where
    all of that has a value."""
    return x.anything(lambda: _evaluated(x, e, env))


def _evaluated(x: Context, e: core.Expression, env: Env) -> str:
    e, env = unfolded(x, e, env)
    parts = _parts(x, e, env)
    if parts is not None:
        return "".join(_evaluated(x, part, inner) for part, inner in parts)
    if not isinstance(e, core.SetFilter):
        if isinstance(e, core.Builtin) and operators.short_name(e.operator) == "..":
            values = [x.number(end, env) for end in e.arguments]
        else:
            values = [x.compile(e, env)]
        return "".join(f"(void)({value.code});" for value in values if value.risky)
    risks: list[bool] = []

    def ask(element: C) -> str:
        statements, bound = bind_element(x, e.binder, element)
        condition = x.condition(e.body, env.bind(bound))
        risks.append(condition.risky)
        return f"{statements} (void)({condition.code});"

    assert e.binder.domain is not None
    loop, risky = each(x, e.binder.domain, env, ask)
    return f"{{ {loop} }}" if risky or any(risks) else ""


def _parts(x: Context, e: core.Expression, env: Env) -> list[tuple[core.Expression, Env]] | None:
    """The expressions that TLC evaluates of a set that it does not list; None of one that it lists."""
    match e:
        case core.FunctionSet():
            parts: tuple[core.Expression, ...] = (e.domain, e.range)
        case core.RecordSet():
            parts = tuple(items for _, items in e.fields)
        case core.Cartesian():
            parts = e.factors
        case core.SetFilter() if e.binder.domain is not None and not is_listed(e.binder.domain):
            parts = (e.binder.domain,)
        case core.Builtin() if operators.short_name(e.operator) in _OF_SETS:
            parts = e.arguments
        case core.Builtin(operator="UNION"):
            sets, inner = unfolded(x, e.arguments[0], env)
            if isinstance(sets, core.SetEnumeration):
                return [(item, inner) for item in sets.items]
            if not isinstance(sets, core.SetMap) or not is_lazy(sets.body):
                return None
            return []  # asked one after the other where none may fail: `membership`
        case core.Builtin() if operators.short_name(e.operator) in LAZY:
            parts = ()
        case _:
            return None
    return [(part, env) for part in parts]
