"""The parts of an expression, and which of the bindings around it an expression uses."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.tla import core


def children(e: core.Expression) -> Iterator[core.Expression]:
    """The expressions directly inside `e`, the bodies of LET definitions included."""
    match e:
        case core.Call() | core.CallParameter() | core.Builtin():
            yield from e.arguments
        case core.Lambda() | core.TemporalQuantified():
            yield e.body
        case core.Label():
            yield e.body
        case core.Quantified() | core.SetMap() | core.FunctionConstructor():
            yield from (binder.domain for binder in e.binders if binder.domain is not None)
            yield e.body
        case core.Choose() | core.SetFilter():
            if e.binder.domain is not None:
                yield e.binder.domain
            yield e.body
        case core.If():
            yield from (e.condition, e.then, e.otherwise)
        case core.Case():
            for arm in e.arms:
                yield from arm
            if e.other is not None:
                yield e.other
        case core.Let():
            yield from (definition.body for definition in e.definitions)
            yield e.body
        case core.SetEnumeration() | core.TupleExpression():
            yield from e.items
        case core.FunctionSet():
            yield from (e.domain, e.range)
        case core.FunctionApplication():
            yield from (e.function, e.argument)
        case core.FieldAccess():
            yield e.record
        case core.Record() | core.RecordSet():
            yield from (value for _, value in e.fields)
        case core.Cartesian():
            yield from e.factors
        case core.Except():
            yield e.function
            for update in e.updates:
                yield from update.path
                yield update.value
        case core.BoxAction() | core.AngleAction() | core.Fairness():
            yield from (e.action, e.subscript)


def literals(e: core.Expression, seen: set[int]) -> Iterator[int | str]:
    """The numbers and strings written in `e` and in the definitions it uses; `seen` holds ids of definitions done."""
    if isinstance(e, core.Literal) and not isinstance(e.value, bool):
        yield e.value
    if isinstance(e, core.FieldAccess):
        yield e.field
    if isinstance(e, core.Record | core.RecordSet):
        yield from (name for name, _ in e.fields)
    if isinstance(e, core.ConstantReference) and e.constant.value is not None:
        yield from literals(e.constant.value, seen)
    definition: object = None
    if isinstance(e, core.Call):
        definition = e.definition
    elif isinstance(e, core.OperatorArgument):
        definition = e.target
    if isinstance(definition, core.Definition) and id(definition) not in seen:
        seen.add(id(definition))
        yield from literals(definition.body, seen)
    for child in children(e):
        yield from literals(child, seen)
