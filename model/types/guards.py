"""What is known of names and variables where a guard holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rmqproof.model.tla import core

from . import operators
from .application import argument_type, entered
from .domain import (
    Enum,
    Int,
    Nothing,
    Record,
    Type,
    Unknown,
    join_all,
    members_of,
)
from .narrowing import clamp
from .typing import Closure, Scope, Typing

DEEPEST_CALL = 6
"""What an operator asks of its arguments is seen so many operators deep."""


def narrowed(t: Typing, guard: core.Expression, scope: Scope, deep: int = 0) -> Scope:
    """The scope in which `guard` is known to hold."""
    match guard:
        case core.Builtin(operator="/\\"):
            for part in guard.arguments:
                scope = narrowed(t, part, scope, deep)
        case core.Builtin() if len(guard.arguments) == 2:
            name = operators.short_name(guard.operator)
            left, right = guard.arguments
            scope = _narrow(t, left, name, right, scope)
            mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}.get(name)
            if mirrored is not None:
                scope = _narrow(t, right, mirrored, left, scope)
        case core.Call() if not guard.arguments and not guard.definition.recursive:
            return narrowed(t, guard.definition.body, scope, deep)
        case core.Call() if not guard.definition.recursive and deep < DEEPEST_CALL:
            parameters = guard.definition.parameters
            given = {p: argument_type(t, a, scope) for p, a in zip(parameters, guard.arguments, strict=True)}
            inner = entered(t, guard.definition, guard.arguments, given, scope)
            return told(scope, narrowed(t, guard.definition.body, inner, deep + 1), given, guard.arguments)
        case core.Label():
            return narrowed(t, guard.body, scope, deep)
    return scope


def told(
    scope: Scope, inside: Scope, given: Mapping[core.Binding, Type | Closure], arguments: Sequence[core.Expression]
) -> Scope:
    """`scope` with what was found out `inside` an operator, of variables and of the names passed as `arguments`, whose
    types were `given`."""
    scope = replace(scope, narrowed=inside.narrowed)
    for (parameter, type_), argument in zip(given.items(), arguments, strict=True):
        found = inside.bindings.get(parameter, type_)
        if found != type_ and isinstance(found, Type) and isinstance(argument, core.Reference):
            scope = scope.hold(argument.binding, found)
    return scope


def _narrow(t: Typing, target: core.Expression, name: str, other: core.Expression, scope: Scope) -> Scope:
    if name not in ("<", "<=", ">", ">=", "=", "\\in"):
        return scope
    if isinstance(target, core.FieldAccess) and isinstance(target.record, core.VariableReference | core.Reference):
        return _narrow_record(t, target, name, other, scope)
    if not isinstance(target, core.VariableReference | core.Reference):
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
    return _with(target, old, clamp(old, claim), scope)


def _with(target: core.VariableReference | core.Reference, old: Type, new: Type, scope: Scope) -> Scope:
    if new == old:
        return scope
    if isinstance(target, core.VariableReference):
        return scope.narrow(target.variable, new)
    return scope.hold(target.binding, new)


def _narrow_record(t: Typing, target: core.FieldAccess, name: str, other: core.Expression, scope: Scope) -> Scope:
    """Of a record whose field is one of a few values: only records of the kinds that can have such a field."""
    whole = target.record
    assert isinstance(whole, core.VariableReference | core.Reference)
    if name not in ("=", "\\in"):
        return scope
    old, limit = t.of(whole, scope), t.of(other, scope)
    claim = limit if name == "=" else operators.element_of(limit)
    if not all(isinstance(member, Record) for member in members_of(old)) or isinstance(claim, Nothing | Unknown):
        return scope
    kept: list[Type] = [
        replace(member, fields=tuple((n, clamp(f, claim) if n == target.field else f) for n, f in member.fields))
        for member in members_of(old)
        if isinstance(member, Record) and _may_meet(member.field(target.field), claim)
    ]
    return _with(whole, old, join_all(kept), scope) if kept else scope


def _may_meet(a: Type | None, b: Type) -> bool:
    """Whether a value may be of both types; `a` None: there is no value."""
    match a, b:
        case None, _:
            return False
        case Enum(), Enum():
            return not a.atoms.isdisjoint(b.atoms)
    return True
