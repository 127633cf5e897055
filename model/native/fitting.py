"""What a variable is assigned, in the variable's own type from where it is built.

Inference gives `msgs \\cup {[type |-> "vote", ballot |-> b]}` a type that may be wider than that of msgs. To compute
the whole in the wider type, and to convert it, takes a pass over all elements; a union, what EXCEPT changes and the
branches of IF fit exactly if their parts do, so that only what is new is converted and checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import Nothing, Set, Type

from .builtin_sets import combined
from .calls import local_definitions
from .context import Context
from .elements import added
from .terms import C, Change, Env
from .updates import updated


def fitted(x: Context, e: core.Expression, env: Env, want: Type, changes: Sequence[Change] = ()) -> C:
    """The value of `e` in exactly the type `want`, checked at run time where that is not sure (`Context.widen`).

    `changes`: names for what an EXCEPT changes, see `updated`.
    """
    match e:
        case core.Label():
            return fitted(x, e.body, env, want, changes)
        case core.Except():
            return x.to(updated(x, e, env, want, changes, exactly=True), want)
        case core.If() if x.truth(e.condition, env) is None:
            condition = x.condition(e.condition, env)
            then, otherwise = (fitted(x, part, env, want) for part in (e.then, e.otherwise))
            return x.either(condition, then, otherwise)
        case core.Let():
            statements, inner = local_definitions(x, e, env)
            body = fitted(x, e.body, inner, want)
            return replace(x.behind(statements, body), changes=body.changes) if statements else body
        case core.SetEnumeration() if _is_bit_set(x, want):
            return _enumeration(x, e, env, want)
        case core.Builtin() if _is_bit_set(x, want) and operators.short_name(e.operator) in ("\\cup", "\\union"):
            left, right = (fitted(x, part, env, want) for part in e.arguments)
            return combined(x, left, right, want, "|")
    return x.to(x.compile(e, env, want), want)


def _is_bit_set(x: Context, type_: Type) -> bool:
    return (
        isinstance(type_, Set) and not isinstance(type_.element, Nothing) and x.universe_size(type_.element) is not None
    )


def _enumeration(x: Context, e: core.SetEnumeration, env: Env, want: Type) -> C:
    assert isinstance(want, Set)
    s = x.name()
    code, risky = "", False
    for item in e.items:
        value = fitted(x, item, env, want.element)
        statements, held = x.held(value)
        code += f" {{ {statements} {added(x.routines, want, s, held.code, value.risky)} }}"
        risky = risky or value.risky
    return x.filled(want, s, code, risky)
