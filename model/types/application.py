"""The types of operators applied, recursive ones too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rmqproof.model.tla import core

from . import operators
from .domain import (
    BOOL,
    UNKNOWN,
    Type,
    Unknown,
    join,
)
from .narrowing import shallow, widen
from .typing import ROUNDS, ROUNDS_BEFORE_WIDENING, Closure, Frame, Scope, Typing


def constant_type(t: Typing, constant: core.Constant) -> Type:
    if constant not in t.constants:
        t.constants[constant] = UNKNOWN if constant.value is None else t.of(constant.value, Scope())
    return t.constants[constant]


def argument_type(t: Typing, e: core.Expression, scope: Scope) -> Type | Closure:
    if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Binding):
        passed_on = scope.bindings.get(e.target)
        if isinstance(passed_on, Closure):
            return passed_on
    if isinstance(e, core.OperatorArgument | core.Lambda):
        return Closure(e, scope)
    return t.of(e, scope)


def entered(
    t: Typing,
    definition: core.Definition,
    arguments: Sequence[core.Expression],
    given: Mapping[core.Binding, Type | Closure],
    scope: Scope,
) -> Scope:
    """The scope of the operator's body, whose parameters are of the types `given`."""
    inner = scope.bind(given)
    if definition.level < core.ACTION or not (scope.narrowed or scope.later):
        return inner  # it primes no parameter, or guards said nothing
    primed = scope.primed()
    later = {p: argument_type(t, a, primed) for p, a in zip(definition.parameters, arguments, strict=True)}
    return replace(inner, later={**inner.later, **later})


def call(t: Typing, definition: core.Definition, arguments: Sequence[core.Expression], scope: Scope) -> Type:
    given = [argument_type(t, a, scope) for a in arguments]
    if definition.level < core.ACTION or definition.recursive:
        return applied(t, definition, given, scope)
    inner = entered(t, definition, arguments, dict(zip(definition.parameters, given, strict=True)), scope)
    return shallow(t.of(definition.body, inner))


def applied(t: Typing, definition: core.Definition, arguments: Sequence[Type | Closure], scope: Scope) -> Type:
    if definition.recursive:
        return recursive(t, definition, arguments, scope)[1]
    key = None
    if not definition.local and not t.active and not any(isinstance(a, Closure) for a in arguments):
        key = (definition, tuple(arguments), tuple(scope.narrowed.items()))
        if key in t.known:
            return t.known[key]
    inner = scope.bind(dict(zip(definition.parameters, arguments, strict=True)))
    result = shallow(t.of(definition.body, inner))
    if key is not None:
        t.known[key] = result
    return result


def recursive(
    t: Typing, definition: core.Definition, arguments: Sequence[Type | Closure], scope: Scope
) -> tuple[list[Type], Type]:
    """The types that the arguments take in the whole recursion, and the type of the result."""
    plain = [a if isinstance(a, Type) else UNKNOWN for a in arguments]
    instance = t.instance(definition, scope)
    frame = t.active.get(instance)
    if frame is not None:
        joined = [join(old, new) for old, new in zip(frame.arguments, plain, strict=True)]
        if joined != frame.arguments:
            frame.changed = True
            frame.arguments = joined
        return frame.arguments, frame.result
    frame = t.active[instance] = Frame(plain)
    closures = {p: a for p, a in zip(definition.parameters, arguments, strict=True) if isinstance(a, Closure)}
    try:
        for turn in range(ROUNDS):
            frame.changed = False
            before = frame.arguments
            inner = scope.bind({**dict(zip(definition.parameters, before, strict=True)), **closures})
            result = join(frame.result, shallow(t.of(definition.body, inner)))
            if turn >= ROUNDS_BEFORE_WIDENING:
                result = widen(frame.result, result, t.landmarks)
                pairs = zip(before, frame.arguments, strict=True)
                frame.arguments = [shallow(widen(old, new, t.landmarks)) for old, new in pairs]
            if result == frame.result and not frame.changed:
                return frame.arguments, result
            frame.result = result
    finally:
        del t.active[instance]
    return [UNKNOWN for _ in plain], UNKNOWN


def applied_closure(t: Typing, closure: Closure, arguments: Sequence[Type | Closure], scope: Scope) -> Type:
    operator = closure.operator
    if isinstance(operator, core.Lambda):
        outer = scope.bind(closure.scope.bindings)
        return t.of(operator.body, outer.bind(dict(zip(operator.parameters, arguments, strict=True))))
    if isinstance(operator.target, core.Definition):
        return applied(t, operator.target, arguments, scope.bind(closure.scope.bindings))
    return UNKNOWN


def builtin(t: Typing, e: core.Builtin, scope: Scope) -> Type:
    name = operators.short_name(e.operator)
    if name in operators.BOOLEAN_OPERATORS:
        for argument in e.arguments:
            t.follow(argument, lambda: scope)
        return BOOL
    if name == "'":
        scope = scope.primed()
    given = [argument_type(t, a, scope) for a in e.arguments]
    found = operators.builtin(e.operator, [a if isinstance(a, Type) else UNKNOWN for a in given])
    if isinstance(found, Unknown) and e.text is not None:
        return applied(t, e.text, given, scope)
    return shallow(found)
