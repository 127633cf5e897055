"""What is known of names and variables where a guard holds."""

from __future__ import annotations

from rmqproof.model.tla import core

from . import operators
from .domain import (
    Int,
    Nothing,
    Type,
    Unknown,
    members_of,
)
from .narrowing import clamp
from .typing import Scope, Typing


def narrowed(t: Typing, guard: core.Expression, scope: Scope) -> Scope:
    """The scope in which `guard` is known to hold."""
    match guard:
        case core.Builtin(operator="/\\"):
            for part in guard.arguments:
                scope = narrowed(t, part, scope)
        case core.Builtin() if len(guard.arguments) == 2:
            name = operators.short_name(guard.operator)
            left, right = guard.arguments
            scope = _narrow(t, left, name, right, scope)
            mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}.get(name)
            if mirrored is not None:
                scope = _narrow(t, right, mirrored, left, scope)
        case core.Call() if not guard.arguments and not guard.definition.recursive:
            return narrowed(t, guard.definition.body, scope)
        case core.Label():
            return narrowed(t, guard.body, scope)
    return scope


def _narrow(t: Typing, target: core.Expression, name: str, other: core.Expression, scope: Scope) -> Scope:
    if not isinstance(target, core.VariableReference | core.Reference):
        return scope
    if name not in ("<", "<=", ">", ">=", "=", "\\in"):
        return scope
    old = t.of(target, scope)
    limit = t.of(other, scope)
    claim: Type | None = None
    if name == "\\in":
        claim = operators.element_of(limit)
    elif name == "=":
        claim = limit
    else:
        number = next((m for m in members_of(limit) if isinstance(m, Int)), None)
        if number is None or not isinstance(old, Int):
            return scope
        if name in ("<", "<="):
            claim = Int(None, None if number.high is None else number.high - (name == "<"))
        else:
            claim = Int(None if number.low is None else number.low + (name == ">"), None)
    if isinstance(claim, Nothing) or isinstance(old, Unknown):
        return scope
    new = clamp(old, claim)
    if new == old:
        return scope
    if isinstance(target, core.VariableReference):
        return scope.narrow(target.variable, new)
    return scope.bind({target.binding: new})
