"""Expressions to C: each becomes one C expression of the representation of its type.

Loops stand in GNU statement expressions, which gcc, clang and zig's clang take. What can fail at run time calls
`fail_`; a LET whose body can fail is computed "softly": the failure is kept and raised where the name is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rmqproof.model.tla import core
from rmqproof.model.types.domain import BOOL, NOTHING, Atom, Type, exactly, model_values, strings
from rmqproof.model.types.truth import arms_left

from .application import application, field_access
from .builtins import compile_builtin
from .calls import apply_closure, call, local_definitions
from .context import Context
from .functions import function_constructor
from .quantifiers import choose, quantified
from .questions import construct_of
from .sets import enumeration, materialised, set_filter, set_map
from .structures import record, row
from .terms import C, Closure, Env, Named
from .updates import updated

Compiler = Callable[[Context, Any, Env, Type | None], C]
"""From a node of one class to its value; see `Context.compile`."""


def compile_node(x: Context, e: core.Expression, env: Env, want: Type | None) -> C:
    """The value of `e`, computed where it stands. Raise `NotCompilable`."""
    compiler = COMPILERS.get(type(e))
    if compiler is None:
        raise x.refuse(e, construct_of(e))
    return compiler(x, e, env, want)


def _literal(x: Context, e: core.Literal, env: Env, want: Type | None) -> C:
    if isinstance(e.value, bool):
        return C("1" if e.value else "0", BOOL)
    if isinstance(e.value, int):
        if abs(e.value) >= 1 << 62:
            raise x.refuse(e, "a number of more than 62 bits")
        return C(f"{e.value}LL", exactly(e.value))
    return C(str(x.routines.atoms.number(Atom(e.value))), strings(e.value))


def _model_value(x: Context, e: core.ModelValueLiteral, env: Env, want: Type | None) -> C:
    return C(str(x.routines.atoms.number(Atom(e.name, True))), model_values(e.name))


def _constant(x: Context, e: core.ConstantReference, env: Env, want: Type | None) -> C:
    if e.constant.value is None:
        raise x.refuse(e, "a constant without a value")
    return x.compile(e.constant.value, Env(), want)


def _variable(x: Context, e: core.VariableReference, env: Env, want: Type | None) -> C:
    if not env.next:
        return C(f"{env.current}->v{e.variable.index}", x.variables[e.variable], lvalue=True)
    assigned = env.primed.get(e.variable) if env.primed is not None else None
    if assigned is None:
        raise x.refuse(e, f"{e.variable.name} in the next state before it is assigned")
    return assigned


def _reference(x: Context, e: core.Reference, env: Env, want: Type | None) -> C:
    bound = env.bindings.get(e.binding)
    if isinstance(bound, Named):
        return x.named(bound, env, want)
    if not isinstance(bound, C):
        raise x.refuse(e, f"{e.binding.name} is not a value here")
    return bound


def _call_parameter(x: Context, e: core.CallParameter, env: Env, want: Type | None) -> C:
    closure = env.bindings.get(e.binding)
    if not isinstance(closure, Closure):
        raise x.refuse(e, f"{e.binding.name} is not an operator here")
    return apply_closure(x, e, closure, e.arguments, env, want)


def _if(x: Context, e: core.If, env: Env, want: Type | None) -> C:
    known = x.truth(e.condition, env)
    if known is not None:
        return x.compile(e.then if known else e.otherwise, env, want)
    condition = x.condition(e.condition, env)
    then, otherwise = x.alike([x.compile(e.then, env, want), x.compile(e.otherwise, env, want)])
    return x.either(condition, then, otherwise)


def _case(x: Context, e: core.Case, env: Env, want: Type | None) -> C:
    arms, other = arms_left(e.arms, e.other, lambda guard: x.truth(guard, env))
    if not arms:
        return x.compile(other, env, want) if other is not None else x.failing(e, NOTHING)
    guards = [x.condition(guard, env) for guard, _ in arms]
    parts = [x.compile(body, env, want) for _, body in arms]
    if other is not None:
        parts.append(x.compile(other, env, want))
    bodies = x.alike(parts)
    name = x.name()
    code = ""
    for guard, body in zip(guards, bodies, strict=False):
        code += f"if ({guard.code}) {{ {x.into(body, name)} }} else "
    code += f"{{ {x.into(bodies[-1], name) if other is not None else x.fail(e)} }}"
    risky = other is None or any(part.risky for part in (*guards, *bodies))
    return x.structure(bodies[0].type, name, code, risky)


def _let(x: Context, e: core.Let, env: Env, want: Type | None) -> C:
    statements, inner = local_definitions(x, e, env)
    body = x.compile(e.body, inner, want)
    return x.behind(statements, body) if statements else body


def _label(x: Context, e: core.Label, env: Env, want: Type | None) -> C:
    return x.compile(e.body, env, want)


def _subscripted(x: Context, e: core.BoxAction | core.AngleAction, env: Env, want: Type | None) -> C:
    """`[A]_v` or `<<A>>_v` where the next state is known."""
    if env.primed is None and not env.after:
        raise x.refuse(e, "an action where there is no next state")
    both = (core.Builtin(e.at, "'", (e.subscript,)), e.subscript)
    if isinstance(e, core.BoxAction):
        return x.condition(core.Builtin(e.at, "\\/", (e.action, core.Builtin(e.at, "=", both))), env)
    return x.condition(core.Builtin(e.at, "/\\", (e.action, core.Builtin(e.at, "#", both))), env)


COMPILERS: dict[type[core.Expression], Compiler] = {
    core.Literal: _literal,
    core.ModelValueLiteral: _model_value,
    core.ConstantReference: _constant,
    core.VariableReference: _variable,
    core.Reference: _reference,
    core.Call: call,
    core.CallParameter: _call_parameter,
    core.Builtin: compile_builtin,
    core.Quantified: quantified,
    core.Choose: choose,
    core.If: _if,
    core.Case: _case,
    core.Let: _let,
    core.SetEnumeration: enumeration,
    core.SetFilter: set_filter,
    core.SetMap: set_map,
    core.FunctionConstructor: function_constructor,
    core.FunctionApplication: application,
    core.FieldAccess: field_access,
    core.Record: record,
    core.TupleExpression: row,
    core.Except: updated,
    core.Label: _label,
    core.RecordSet: materialised,
    core.Cartesian: materialised,
    core.FunctionSet: materialised,
    core.BoxAction: _subscripted,
    core.AngleAction: _subscripted,
}
