"""The types of names bound to elements, and of the sets and functions built with them."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.tla import core

from . import operators
from .domain import (
    NOTHING,
    UNKNOWN,
    Int,
    Seq,
    Set,
    Tuple,
    Type,
    exactly,
    function_of,
    join,
    members_of,
    set_of,
)
from .guards import narrowed
from .narrowing import shallow, widen
from .typing import ROUNDS, ROUNDS_BEFORE_WIDENING, Closure, Scope, Typing


def bound(t: Typing, binder: core.Binder, scope: Scope) -> tuple[dict[core.Binding, Type | Closure], Type, Type]:
    """What the binder's names hold, the element type and the type of the domain."""
    domain = UNKNOWN if binder.domain is None else t.of(binder.domain, scope)
    element = operators.element_of(domain)
    if not binder.is_tuple:
        return {binder.bindings[0]: element}, element, domain
    names: dict[core.Binding, Type | Closure] = {
        name: operators.apply(element, exactly(i), i) for i, name in enumerate(binder.bindings, 1)
    }
    return names, element, domain


def bind_all(
    t: Typing, binders: Sequence[core.Binder], scope: Scope
) -> tuple[Scope, list[int | None], list[tuple[Type, Type]]]:
    """The scope of the body, the largest sizes of the domains, and (element, domain) of each binder."""
    inner, sizes, types = scope, [], []
    for binder in binders:
        names, element, domain = bound(t, binder, scope)
        inner = inner.bind(names)
        sizes.append(domain.most if isinstance(domain, Set) else None)
        types.append((element, domain))
    return inner, sizes, types


def filtered(t: Typing, e: core.SetFilter, scope: Scope) -> Type:
    names, element, domain = bound(t, e.binder, scope)
    t.follow(e.body, lambda: scope.bind(names))
    if not isinstance(domain, Set):
        return Set(element)
    if not e.binder.is_tuple:
        inner = narrowed(t, e.body, scope.bind(names))
        holds = inner.bindings[e.binder.bindings[0]]
        if isinstance(holds, Type):
            return set_of(holds, domain.most)
    return set_of(element, domain.most)


def function(t: Typing, e: core.FunctionConstructor, scope: Scope) -> Type:
    inner, _, types = bind_all(t, e.binders, scope)
    if len(types) == 1:
        key, domain = types[0]
        full = operators.is_full(domain)
    else:
        key = Tuple(tuple(element for element, _ in types))
        full = all(operators.is_full(domain) for _, domain in types)
    first = e.binders[0].domain
    value: Type = NOTHING

    def whole(value: Type) -> Type:
        if len(types) == 1 and first is not None and starts_at_one(t, first, scope) and isinstance(key, Int):
            return Seq(value, key.high if full and key.high is not None else 0, key.high)
        return function_of(key, value, full)

    if e.recursion is None:
        return whole(t.of(e.body, inner))
    for turn in range(ROUNDS):
        result = shallow(join(value, t.of(e.body, inner.bind({e.recursion: function_of(key, value, full)}))))
        if turn >= ROUNDS_BEFORE_WIDENING:
            result = widen(value, result, t.landmarks)
        if result == value:
            break
        value = result
    return whole(value)


def starts_at_one(t: Typing, domain: core.Expression, scope: Scope) -> bool:
    """Whether the set is surely of the form 1..n, so that a function on it is a sequence."""
    match domain:
        case core.Builtin():
            name = operators.short_name(domain.operator)
            if name == "..":
                return t.of(domain.arguments[0], scope) == exactly(1)
            if name == "DOMAIN":
                return all(isinstance(m, Seq | Tuple) for m in members_of(t.of(domain.arguments[0], scope)))
        case core.Call() if not domain.arguments:
            return starts_at_one(t, domain.definition.body, scope)
        case core.ConstantReference() if domain.constant.value is not None:
            return starts_at_one(t, domain.constant.value, scope)
    return False


def updated(t: Typing, e: core.Except, scope: Scope) -> Type:
    result = t.of(e.function, scope)
    for update in e.updates:
        result = _update(t, result, update.path, update, scope)
    return result


def _update(t: Typing, target: Type, path: tuple[core.Expression, ...], update: core.Update, scope: Scope) -> Type:
    if not path:
        return t.of(update.value, scope.bind({update.old: target}))
    argument = t.of(path[0], scope)
    return operators.update(
        target, argument, literal_of(path[0], argument), lambda old: _update(t, old, path[1:], update, scope)
    )


def literal_of(e: core.Expression, type_: Type) -> int | str | None:
    """The argument's value where it is a number or a string that is known."""
    if isinstance(e, core.Literal) and not isinstance(e.value, bool):
        return e.value
    if isinstance(type_, Int) and type_.low == type_.high:
        return type_.low
    return None
