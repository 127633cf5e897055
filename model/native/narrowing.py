"""Quantifiers over the subsets of a set, rewritten to look at fewer of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from rmqproof.model.actions.effects import Effects
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import with_definitions

from .context import Context
from .errors import NotCompilable
from .loops import bind_element, each
from .terms import C, Env


def narrowed(x: Context, e: core.Quantified, env: Env) -> core.Quantified:
    """`\\E S \\in SUBSET T : (\\A y \\in S : P(y)) /\\ Q` as `\\E S \\in SUBSET {y \\in T : P(y)} : Q`.

    The subsets that are left come in the same order. Nothing is changed where P can fail: of the empty set TLC does
    not evaluate it.
    """
    names = {binding for binder in e.binders for binding in binder.bindings}
    for i, binder in enumerate(e.binders):
        domain, parts = binder.domain, _conjuncts(e.body)
        if not isinstance(domain, core.Builtin) or domain.operator != "SUBSET" or binder.is_tuple:
            continue
        claim = parts[0]
        if (
            not _is_claim(claim, binder.bindings[0])
            or _speaks_of(claim.body, names)
            or Effects(initial=False).several_ways(claim.body)
        ):
            continue
        inner = replace(claim.binders[0], domain=domain.arguments[0])
        few = core.SetFilter(claim.at, inner, claim.body)
        if _can_fail(x, few, env):
            continue
        narrow = replace(binder, domain=core.Builtin(domain.at, "SUBSET", (few,)))
        rest = core.Builtin(e.body.at, "/\\", tuple(parts[1:])) if len(parts) > 1 else core.Literal(e.body.at, True)
        binders = (*e.binders[:i], narrow, *e.binders[i + 1 :])
        return narrowed(x, core.Quantified(e.at, e.kind, binders, rest), env)
    return e


def _can_fail(x: Context, few: core.SetFilter, env: Env) -> bool:
    """Whether what is said of the elements can fail to have a value, or has no form in C."""
    risks: list[bool] = []

    def body(element: C) -> str:
        statements, bound = bind_element(x, few.binder, element)
        risks.append(x.condition(few.body, env.bind(bound)).risky)
        return statements

    assert few.binder.domain is not None
    try:
        each(x, few.binder.domain, env, body)
    except NotCompilable:
        return True
    return any(risks)


def _conjuncts(e: core.Expression) -> list[core.Expression]:
    if isinstance(e, core.Builtin) and e.operator == "/\\":
        return [part for argument in e.arguments for part in _conjuncts(argument)]
    return [e]


def _is_claim(e: core.Expression, name: core.Binding) -> TypeGuard[core.Quantified]:
    """Whether `e` says something of each element of the set that is called `name`."""
    if not isinstance(e, core.Quantified) or e.kind != "\\A" or len(e.binders) != 1:
        return False
    domain = e.binders[0].domain
    return isinstance(domain, core.Reference) and domain.binding is name


def _speaks_of(e: core.Expression, names: set[core.Binding]) -> bool:
    if isinstance(e, core.Reference | core.CallParameter) and e.binding in names:
        return True
    return any(_speaks_of(child, names) for child in with_definitions(e))
