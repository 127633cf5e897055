"""Which function writes which kind of expression."""

from __future__ import annotations

from rmqproof.model.evaluate import builtins, expressions, maps, sets
from rmqproof.model.evaluate.enabled import composed, enabled
from rmqproof.model.evaluate.expressions import as_value
from rmqproof.model.evaluate.generator import ConditionForm, Forms, Generator, ValueForm
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.passing import callable_text
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.statements import body_lines
from rmqproof.model.tla import core


def _from_condition(form: ConditionForm) -> ValueForm:
    def value(g: Generator, node: core.Expression, env: Env) -> Code:
        return as_value(form(g, node, env))

    return value


_CONDITIONS: dict[type, ConditionForm] = {
    core.Builtin: builtins.builtin_condition,
    core.Call: expressions.call_condition,
    core.CallParameter: expressions.call_parameter_condition,
    core.Quantified: expressions.quantified,
    core.If: expressions.if_condition,
    core.Case: expressions.case_condition,
    core.Let: expressions.let_condition,
    core.Label: expressions.label_condition,
    core.BoxAction: expressions.box_action,
    core.AngleAction: expressions.angle_action,
    core.Fairness: expressions.temporal,
    core.TemporalQuantified: expressions.temporal,
}


_VALUES: dict[type, ValueForm] = {
    core.Literal: expressions.literal,
    core.ModelValueLiteral: expressions.model_value_literal,
    core.ConstantReference: expressions.constant_reference,
    core.VariableReference: expressions.variable_reference,
    core.Reference: expressions.reference,
    core.Call: expressions.call,
    core.CallParameter: expressions.call_parameter,
    core.Builtin: builtins.builtin_value,
    core.Quantified: _from_condition(expressions.quantified),
    core.Choose: expressions.choose,
    core.If: expressions.if_value,
    core.Case: expressions.case_value,
    core.Let: expressions.let_value,
    core.Label: expressions.label_value,
    core.BoxAction: _from_condition(expressions.box_action),
    core.AngleAction: _from_condition(expressions.angle_action),
    core.Fairness: _from_condition(expressions.temporal),
    core.TemporalQuantified: _from_condition(expressions.temporal),
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
    values=_VALUES,
    conditions=_CONDITIONS,
    body_lines=body_lines,
    callable_text=callable_text,
    builtin=builtins.builtin_on_codes,
    enabled=enabled,
    composed=composed,
)
