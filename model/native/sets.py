"""Sets that are built."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    UNKNOWN,
    Nothing,
    Set,
    Type,
    cardinality,
    includes,
    members_of,
    set_of,
)

from .context import Context
from .elements import added
from .loops import each, each_filtered, nested
from .terms import Body, C, Env, Loop, type_of_elements


def element_want(x: Context, want: Type | None, element: Type) -> Type:
    """The wanted element type when it takes `element`."""
    for member in members_of(want) if want is not None else ():
        if isinstance(member, Set) and not isinstance(member.element, Nothing) and includes(member.element, element):
            return member.element
    return element


def enumeration(x: Context, e: core.SetEnumeration, env: Env, want: Type | None) -> C:
    inner_want = want.element if isinstance(want, Set) else None
    items = [x.compile(item, env, inner_want) for item in e.items]
    natural = operators.enumeration([item.type for item in items])
    assert isinstance(natural, Set)
    element = element_want(x, want, natural.element)
    type_ = x.settle(set_of(element, natural.most, natural.full and element == natural.element))
    assert isinstance(type_, Set)
    s = x.name()
    code = ""
    risky = any(item.risky for item in items) or x.may_overflow(type_, len(items))
    for item in items:
        value = x.to(item, type_.element)
        statements, held = x.held(value)
        code += f" {{ {statements} {added(x.routines, type_, s, held.code, value.risky)} }}"
    return x.filled(type_, s, code, risky)


def collected(x: Context, loop: Loop, want: Type | None, whole: Type | None = None) -> C:
    """The set of the values that the body of a loop is given; compiled twice, first for the type.

    `whole`: the type of the set, where inference found it to be a whole universe.
    """
    element = element_want(x, want, type_of_elements(loop))
    full = isinstance(whole, Set) and whole.full and x.settle(whole.element) == x.settle(element)
    target = x.settle(set_of(element, None, full))
    assert isinstance(target, Set)
    s = x.name()

    def second(candidate: C) -> str:
        value = x.to(candidate, target.element)
        statements, held = x.held(value)
        return f"{statements} {added(x.routines, target, s, held.code, value.risky)}"

    code, risky = loop(second)
    vector = x.universe_size(target.element) is None
    return x.filled(target, s, code, risky or vector)


def materialised(x: Context, e: core.Expression, env: Env, want: Type | None) -> C:
    type_ = x.typed(e, env)
    size = cardinality(operators.element_of(type_))
    if size is None or size > 1 << 16:
        raise x.refuse(e, "a set too large to be built")
    return collected(x, lambda body: each(x, e, env, body), None, type_)


def set_filter(x: Context, e: core.SetFilter, env: Env, want: Type | None) -> C:
    domain = x.typed(e.binder.domain, env) if e.binder.domain is not None else UNKNOWN
    most = domain.most if isinstance(domain, Set) else None
    result = collected(x, lambda body: each_filtered(x, e, env, body), None)
    return _limited(x, result, most)


def _limited(x: Context, value: C, most: int | None) -> C:
    if most is None or not isinstance(value.type, Set) or x.universe_size(value.type.element) is not None:
        return value
    type_ = x.settle(replace(value.type, most=min(most, value.type.most or most)))
    return value if type_ == value.type else x.to(value, type_)


def set_map(x: Context, e: core.SetMap, env: Env, want: Type | None) -> C:
    inner_want = want.element if isinstance(want, Set) else None
    risks: list[bool] = []

    def loop(body: Body) -> tuple[str, bool]:
        def inner(_: list[C], scope: Env) -> str:
            value = x.compile(e.body, scope, inner_want)
            risks.append(value.risky)
            statements, held = x.held(value)
            return f"{statements} {body(held)}"

        return nested(x, e.binders, env, inner)

    result = collected(x, loop, want)
    return replace(result, risky=result.risky or any(risks))
