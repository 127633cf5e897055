"""Which function writes which kind of expression."""

from __future__ import annotations

from rmqproof.model.evaluate import builtins, expressions, maps, sets
from rmqproof.model.evaluate.enabled import composed, enabled
from rmqproof.model.evaluate.generator import Form, Forms
from rmqproof.model.evaluate.passing import callable_text
from rmqproof.model.tla import core

_FORMS: dict[type, Form] = {
    core.Literal: expressions.literal,
    core.ModelValueLiteral: expressions.model_value_literal,
    core.ConstantReference: expressions.constant_reference,
    core.VariableReference: expressions.variable_reference,
    core.Reference: expressions.reference,
    core.Call: expressions.call,
    core.CallParameter: expressions.call_parameter,
    core.Builtin: builtins.builtin,
    core.Quantified: expressions.quantified,
    core.Choose: expressions.choose,
    core.If: expressions.if_,
    core.Case: expressions.case,
    core.Let: expressions.let,
    core.Label: expressions.label,
    core.BoxAction: expressions.box_action,
    core.AngleAction: expressions.angle_action,
    core.Fairness: expressions.temporal,
    core.TemporalQuantified: expressions.temporal,
    core.SetEnumeration: sets.enumeration,
    core.SetFilter: sets.set_filter,
    core.SetMap: sets.set_map,
    core.FunctionSet: sets.function_set,
    core.RecordSet: sets.record_set,
    core.Cartesian: sets.cartesian,
    core.FunctionConstructor: maps.constructor,
    core.FunctionApplication: maps.application,
    core.FieldAccess: maps.field_access,
    core.Record: maps.record,
    core.TupleExpression: maps.tuple_value,
    core.Except: maps.except_value,
}

FORMS = Forms(
    of=_FORMS,
    callable_text=callable_text,
    enabled=enabled,
    composed=composed,
)
