"""Names that stand for sets and functions, opened where what they stand for is better not built."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.tla import core

from .calls import argument_of
from .context import Context
from .questions import as_written, is_lazy
from .terms import Closure, Env, Named


def unfolded(x: Context, e: core.Expression, env: Env) -> tuple[core.Expression, Env]:
    """`e` with names that stand for sets opened, as far as the set is better not built."""
    for _ in range(50):
        match e:
            case core.Label():
                e = e.body
            case core.Builtin() if as_written(e) is not e:
                e = as_written(e)
            case core.ConstantReference() if e.constant.value is not None and is_lazy(e.constant.value):
                e, env = e.constant.value, Env()
            case core.Call() if not e.arguments and not e.definition.recursive:
                meaning = env.local.get(e.definition)
                if isinstance(meaning, Named) and (meaning.value is None or not meaning.env.same_state(env)):
                    e, env = meaning.body, env.inside(meaning.env)
                elif meaning is None and is_lazy(e.definition.body):
                    e, env = e.definition.body, replace(env, bindings={}, local={})
                else:
                    return e, env
            case core.Call() if not e.definition.recursive and is_lazy(e.definition.body):
                values = [argument_of(x, a, env) for a in e.arguments]
                if not all(isinstance(v, Closure) or v.lvalue or v.code.rstrip("L").isdigit() for v in values):
                    return e, env
                meaning = env.local.get(e.definition)
                outer = meaning.env if isinstance(meaning, Closure) else replace(env, bindings={}, local={})
                bound = dict(zip(e.definition.parameters, values, strict=True))
                e, env = e.definition.body, env.inside(outer).bind(bound)
            case _:
                return e, env
    return e, env


def opened(e: core.Expression, env: Env, lets: bool = False) -> tuple[core.Expression, Env]:
    """`e` behind names without parameters; with `lets` behind LETs, too, whose definitions are not computed."""
    for _ in range(50):
        if isinstance(e, core.Label):
            e = e.body
        elif isinstance(e, core.Let) and lets:
            for d in e.definitions:
                meant = Closure(d, env, object()) if d.parameters or d.recursive else Named(d.body, env)
                env = env.define(d, meant)
            e = e.body
        elif isinstance(e, core.Call) and not e.arguments and not e.definition.recursive:
            meaning = env.local.get(e.definition)
            if isinstance(meaning, Closure):
                break
            outer = env.inside(meaning.env) if meaning is not None else replace(env, bindings={}, local={})
            e, env = e.definition.body, outer
        else:
            break
    return e, env
