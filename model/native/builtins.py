"""The built-in operators in C: which function writes which, and those of TLC and of next states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.tla.asking import is_level
from rmqproof.model.tla.standard import bags_of, of_values
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    BOOL,
    Function,
    Int,
    Record,
    Seq,
    Tuple,
    Type,
    as_function,
    cardinality,
    join,
)

from .builtin_logic import LOGIC
from .builtin_sequences import SEQUENCES
from .builtin_sets import SETS
from .calls import call
from .context import Context
from .enabled import compile_enabled
from .functions import SPARSE, held_function, put_in_map
from .questions import as_written
from .ranks import rank_within
from .representation import domain_size, each_argument, is_map
from .terms import C, Env

COMPARISONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


def compile_builtin(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """The value of a built-in operator."""
    name = operators.short_name(e.operator)
    arguments = e.arguments
    compiler = COMPILERS.get(name)
    if compiler is not None:
        return compiler(x, e, env, want)
    if name in COMPARISONS:
        a, b = (x.number(argument, env) for argument in arguments)
        return C(f"({a.code} {COMPARISONS[name]} {b.code})", BOOL, a.risky or b.risky)
    if name in ("Nat", "Int", "Seq", "STRING"):
        raise x.refuse(e, f"{name} as a value")
    written = as_written(e)
    if isinstance(written, core.Call):
        result = call(x, written, env, want)
        if e.operator in of_values():
            for place, argument in enumerate(arguments):
                if not isinstance(argument, core.OperatorArgument | core.Lambda):
                    asked = core.Builtin(e.at, "DOMAIN", (argument,)) if place in bags_of(e.operator) else argument
                    result = x.after(x.compile(asked, env), result)
        return result
    raise x.refuse(e, f"the operator {e.operator}")


# --- TLC, next states -------------------------------------------------------------------------------------------------


def _single(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`a :> b`"""
    key, value = (x.compile(argument, env) for argument in e.arguments)
    size = cardinality(key.type)
    type_ = Function(key.type, value.type, size == 1)
    if size is None or size > SPARSE:
        type_ = replace(type_, most=1)
        f = x.name()
        pair = f"{f}.n = 1; {x.put(key, f'{f}.a[0].f0')} {x.put(value, f'{f}.a[0].f1')}"
        return x.filled(type_, f, pair, key.risky or value.risky)
    domain_size(type_)
    f, k, r = x.name(), x.name("k"), x.name("r")
    mark = "" if type_.total else f"{f}.w[{r} >> 6] |= (U)1 << ({r} & 63);"
    rank = rank_within(x.routines, key.type, k, key.risky)
    pair = f"{x.c_type(key.type)} {k} = {key.code}; I {r} = {rank}; {x.put(value, f'{f}.a[{r}]')} {mark}"
    result = x.filled(type_, f, pair, key.risky or value.risky)
    if isinstance(type_.key, Int) and type_.key == Int(1, 1):
        return x.to(result, Seq(value.type, 1, 1))
    return result


def _override(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`f @@ g`: f where it is defined, else g."""
    a, b = (x.compile(argument, env) for argument in e.arguments)
    for one, other in ((a, b), (b, a)):
        if isinstance(one.type, Seq) and one.type.most == 0:
            return x.after(one, other)
    if not all(isinstance(v.type, Function | Seq | Tuple | Record) for v in (a, b)):
        raise x.refuse(e, "@@ of what may be no function")
    f, g = as_function(a.type), as_function(b.type)
    key = join(f.key, g.key)
    partial = held_function(x, Function(key, join(f.value, g.value), False, _most_in_both(x, f, g)), want)
    if is_map(partial):
        return _maps_together(x, a, b, partial, want)
    left, right = x.to(a, partial), x.to(b, partial)
    first, p = x.held(left)
    made, r = x.started(right)
    put = f"{r}.w[i_ >> 6] |= (U)1 << (i_ & 63); {r}.a[i_] = {p.code}.a[i_];"
    loop = each_argument(partial, p.code, "i_", put)
    result = C.of(replace(made, statements=f"{first} {made.statements} {loop}"), partial, left.risky or right.risky)
    natural = x.settle(operators.override(a.type, b.type))
    return x.to(result, natural) if natural != partial and isinstance(natural, Function | Record | Seq) else result


def _most_in_both(x: Context, f: Function, g: Function) -> int:
    """Room for the arguments of two functions together."""
    assumed = x.capacity.vector
    return sum(function.most or min(cardinality(function.key) or assumed, assumed) for function in (f, g))


def _maps_together(x: Context, a: C, b: C, type_: Function, want: Type | None) -> C:
    """`a @@ b` as a map."""
    same = x.routines.structures.same
    given = a.type if isinstance(a.type, Function) and is_map(a.type) else None
    if given is None or not (same(given.key, type_.key) and same(given.value, type_.value)):
        a = x.to(a, type_)
    right = x.to(b, type_)
    first, p = x.held(a)
    (made, r), i = x.started(right), x.name("i")
    put = put_in_map(x, type_, r, f"{p.code}.a[{i}].f0", f"{p.code}.a[{i}].f1", want)
    loop = f"for (I {i} = 0; {i} < {p.code}.n; {i}++) {{ {put} }}"
    return C.of(replace(made, statements=f"{first} {made.statements} {loop}"), type_, True)


def _primed(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`e'`: `e` with the next state's variables."""
    if env.primed is None and not env.after:
        raise x.refuse(e, "a prime where there is no next state")
    return x.compile(e.arguments[0], env.shifted(), want)


def _unchanged(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    same = core.Builtin(e.at, "=", (core.Builtin(e.at, "'", e.arguments), e.arguments[0]))
    return x.condition(same, env)


def _assert(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    condition = x.condition(e.arguments[0], env)
    return C(f"({{ if (!{condition.code}) {{ {x.fail(e)} }} 1; }})", BOOL, True)


def _asked(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`TLCGet("level")`"""
    if not x.levels or not is_level(e):
        raise x.refuse(e, "the operator TLC!TLCGet")
    return C("(c->level + 1)" if env.next else "c->level", operators.LEVEL)


def _evaluated(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`TLCEval(e)`: what is computed is computed as a whole here."""
    return x.compile(e.arguments[0], env, want)


COMPILERS: dict[str, Callable[[Context, core.Builtin, Env, Type | None], C]] = {
    **LOGIC,
    **SETS,
    **SEQUENCES,
    ":>": _single,
    "@@": _override,
    "'": _primed,
    "UNCHANGED": _unchanged,
    "Assert": _assert,
    "TLCEval": _evaluated,
    "TLCGet": _asked,
    "ENABLED": compile_enabled,
}

__all__ = ["compile_builtin"]
