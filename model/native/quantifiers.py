"""Quantifiers and CHOOSE."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.types.domain import BOOL, NOTHING, Type

from .context import Context
from .guards import guard_of
from .loops import bind_element, each, nested
from .representation import in_rank_order
from .terms import C, Env
from .value_order import comparing


def quantified(x: Context, e: core.Quantified, env: Env, want: Type | None) -> C:
    result, end = x.name("q"), x.name("end")
    risks: list[bool] = []
    exists = e.kind == "\\E"

    def body(_: list[C], inner: Env) -> str:
        condition = x.condition(e.body, inner)
        risks.append(condition.risky)
        test = condition.code if exists else f"!({condition.code})"
        return f"if ({test}) {{ {result} = {int(exists)}; goto {end}; }}"

    loop, risky = nested(x, e.binders, env, body, leaves=True, condition=e.body, every=not exists)
    code = f"({{ __label__ {end}; I {result} = {int(not exists)}; {loop} {end}:; {result}; }})"
    return C(code, BOOL, risky or any(risks))


def choose(x: Context, e: core.Choose, env: Env, want: Type | None) -> C:
    if e.binder.domain is None:
        raise x.refuse(e, "an unbounded CHOOSE")
    result, found, end, failure = x.name(), x.name("found"), x.name("end"), x.name("failure")
    types: list[Type] = []

    def body(element: C) -> str:
        types.append(element.type)
        statements, bound = bind_element(x, e.binder, element)
        condition = x.condition(e.body, env.bind(bound))
        take = f"{result} = {element.code}; {found} = 1;"
        if in_rank_order(element.type):
            return f"{statements} if ({condition.code}) {{ {take} goto {end}; }}"
        # the least element that fulfils the condition; nothing is asked of those after it, so where an element has no
        # value of the condition that matters only when it is the least
        least = f"(!{found} || {comparing(x.routines, element.type, element.code, result)} < 0)"
        if not condition.risky:
            return f"{statements} if ({condition.code} && {least}) {{ {take} }}"
        more, truth = x.softly(condition)
        met = f"{truth.failure} || {truth.place}"
        return f"{statements} {more} if ({least} && ({met})) {{ {take} {failure} = {truth.failure}; }}"

    loop, _ = each(x, e.binder.domain, env, body, leaves=True, guard=guard_of(e.binder, e.body))
    type_ = types[0] if types else NOTHING
    take = (
        f"{{ __label__ {end}; int {found} = 0; I {failure} = 0; {loop} goto {end}; {end}: "
        f"raise_(c, {failure}); if (!{found}) {{ {x.fail(e)} }} }}"
    )
    return x.structure(type_, result, take, True)
