"""The type of an expression, given the types of the variables."""

from __future__ import annotations

from math import prod

from rmqproof.model.tla import core

from . import operators
from .application import applied_closure, argument_type, builtin, call, constant_type
from .domain import (
    BOOL,
    EMPTY_SEQUENCE,
    NOTHING,
    UNKNOWN,
    Nothing,
    Record,
    Set,
    Tuple,
    Type,
    exactly,
    join,
    join_all,
    model_values,
    set_of,
    strings,
)
from .functions import bind_all, bound, filtered, function, literal_of, updated
from .guards import narrowed
from .primed import NONE_PASSED, Passed
from .truth import arms_left, decided
from .typing import Closure, Form, Scope, Typing


def typing_of(
    variables: dict[core.Variable, Type], landmarks: tuple[int, ...] = (), passed: Passed = NONE_PASSED
) -> Typing:
    """Types of expressions where the variables have these types."""
    return Typing(FORMS, variables, landmarks, passed)


def _literal(t: Typing, e: core.Literal, scope: Scope) -> Type:
    if isinstance(e.value, bool):
        return BOOL
    return exactly(e.value) if isinstance(e.value, int) else strings(e.value)


def _variable(t: Typing, e: core.VariableReference, scope: Scope) -> Type:
    known = scope.narrowed.get(e.variable)
    return known if known is not None else t.variables.get(e.variable, UNKNOWN)


def _reference(t: Typing, e: core.Reference, scope: Scope) -> Type:
    meaning = scope.bindings.get(e.binding, UNKNOWN)
    return meaning if isinstance(meaning, Type) else UNKNOWN


def _call_parameter(t: Typing, e: core.CallParameter, scope: Scope) -> Type:
    closure = scope.bindings.get(e.binding)
    if not isinstance(closure, Closure):
        return UNKNOWN
    return applied_closure(t, closure, [argument_type(t, a, scope) for a in e.arguments], scope)


def _if(t: Typing, e: core.If, scope: Scope) -> Type:
    known = decided(t, e.condition, scope)
    if known is not None:
        return t.of(e.then if known else e.otherwise, scope)
    t.follow(e.condition, lambda: scope)
    then = t.of(e.then, narrowed(t, e.condition, scope))
    return join(then, t.of(e.otherwise, scope))


def _case(t: Typing, e: core.Case, scope: Scope) -> Type:
    arms, other = arms_left(e.arms, e.other, lambda guard: decided(t, guard, scope))
    for guard, _ in arms:
        t.follow(guard, lambda: scope)
    bodies = [t.of(body, narrowed(t, guard, scope)) for guard, body in arms]
    return join_all(bodies if other is None else [*bodies, t.of(other, scope)])


def _set_map(t: Typing, e: core.SetMap, scope: Scope) -> Type:
    inner, sizes, _ = bind_all(t, e.binders, scope)
    known = [size for size in sizes if size is not None]
    return set_of(t.of(e.body, inner), prod(known) if len(known) == len(sizes) else None)


def _application(t: Typing, e: core.FunctionApplication, scope: Scope) -> Type:
    given = t.of(e.argument, scope)
    return operators.apply(t.of(e.function, scope), given, literal_of(e.argument, given))


def _record_set(t: Typing, e: core.RecordSet, scope: Scope) -> Type:
    sets = {name: t.of(value, scope) for name, value in e.fields}
    element = Record.of({name: operators.element_of(s) for name, s in sets.items()})
    if any(isinstance(field, Nothing) for _, field in element.fields):
        return Set(NOTHING, 0, True)
    return set_of(element, None, all(operators.is_full(s) for s in sets.values()))


def _product(t: Typing, e: core.Cartesian, scope: Scope) -> Type:
    factors = [t.of(factor, scope) for factor in e.factors]
    element = Tuple(tuple(operators.element_of(f) for f in factors))
    return set_of(element, None, all(operators.is_full(f) for f in factors))


def _boolean(t: Typing, e: core.Expression, scope: Scope) -> Type:
    return BOOL


def _quantified(t: Typing, e: core.Quantified, scope: Scope) -> Type:
    t.follow(e.body, lambda: bind_all(t, e.binders, scope)[0])
    return BOOL


def _choose(t: Typing, e: core.Choose, scope: Scope) -> Type:
    names, element, _ = bound(t, e.binder, scope)
    t.follow(e.body, lambda: scope.bind(names))
    return element


FORMS: dict[type[core.Expression], Form] = {
    core.Literal: _literal,
    core.ModelValueLiteral: lambda t, e, scope: model_values(e.name),
    core.ConstantReference: lambda t, e, scope: constant_type(t, e.constant),
    core.VariableReference: _variable,
    core.Reference: _reference,
    core.Call: lambda t, e, scope: call(t, e.definition, e.arguments, scope),
    core.CallParameter: _call_parameter,
    core.Builtin: builtin,
    core.Quantified: _quantified,
    core.TemporalQuantified: _boolean,
    core.Fairness: _boolean,
    core.BoxAction: _boolean,
    core.AngleAction: _boolean,
    core.Choose: _choose,
    core.If: _if,
    core.Case: _case,
    core.Let: lambda t, e, scope: t.of(e.body, scope),
    core.SetEnumeration: lambda t, e, scope: operators.enumeration([t.of(item, scope) for item in e.items]),
    core.SetFilter: filtered,
    core.SetMap: _set_map,
    core.FunctionConstructor: function,
    core.FunctionSet: lambda t, e, scope: operators.function_set(t.of(e.domain, scope), t.of(e.range, scope)),
    core.FunctionApplication: _application,
    core.FieldAccess: lambda t, e, scope: operators.apply(t.of(e.record, scope), strings(e.field), e.field),
    core.Record: lambda t, e, scope: Record.of({name: t.of(value, scope) for name, value in e.fields}),
    core.RecordSet: _record_set,
    core.TupleExpression: lambda t, e, scope: (
        Tuple(tuple(t.of(item, scope) for item in e.items)) if e.items else EMPTY_SEQUENCE
    ),
    core.Cartesian: _product,
    core.Except: updated,
    core.Label: lambda t, e, scope: t.of(e.body, scope),
}
