"""Operators that are passed as arguments: a Python callable for one, and code that applies one."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.evaluate.generator import Generator, as_value
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import ByName, Entry, Env, OperatorValue, arity_of, operator_value
from rmqproof.model.evaluate.shape import ARGUMENT, LAZY
from rmqproof.model.tla.core import Binding, Definition, Expression


def callable_text(g: Generator, argument: Expression, env: Env) -> str:
    """Text of a Python callable for an operator that is passed as an argument."""
    return _callable(g, operator_value(argument, env), env, arity_of(argument))


def _callable(g: Generator, entry: OperatorValue, env: Env, arity: int) -> str:
    if entry.text is not None:
        return entry.text
    names = [env.names.fresh("a") for _ in range(arity)]
    codes = [Code(name, ARGUMENT, True) for name in names]
    body = as_value(apply_operator(g, entry, codes, env.no_walrus(), "value"))
    return f"(lambda {', '.join(names)}: {body.text})"


def apply_operator(g: Generator, entry: OperatorValue, arguments: Sequence[Entry], env: Env, form: str) -> Code:
    """Code that applies an operator to arguments that are compiled already."""
    target = entry.target
    if entry.text is not None:
        codes = [_unevaluated(g, argument, env) for argument in arguments]
        return Code(f"{entry.text}({', '.join(c.text for c in codes)})", LAZY)
    assert entry.env is not None and target is not None
    inner = env.at(entry.env)
    if isinstance(target, Binding):
        bound = entry.env.bindings[target]
        assert isinstance(bound, OperatorValue)
        return apply_operator(g, bound, arguments, env, form)
    by_name = any(not isinstance(argument, Code) for argument in arguments)
    if isinstance(target, Definition) and not by_name and not g.analysis.by_name_parameters(target):
        return g.call_with(target, arguments, inner, form)
    return g.formed(target.body, inner.bind(dict(zip(target.parameters, arguments, strict=True))), form)


def _unevaluated(g: Generator, entry: Entry, env: Env) -> Code:
    """An argument of an operator that is not known here, which may never look at it."""
    if isinstance(entry, Code):
        return entry
    if isinstance(entry, ByName):
        return g.eager_or_thunk(entry.node, env.at(entry.env), False)
    return Code(_callable(g, entry, env, 1))


def force(g: Generator, entry: Entry, env: Env) -> Code:
    """Code for the value of what a name stands for."""
    if isinstance(entry, ByName):
        return g.value(entry.node, env.at(entry.env))
    if isinstance(entry, OperatorValue):
        return Code(_callable(g, entry, env, 1))
    if entry.shape.kind == "thunk":
        return Code(f"{entry.text}()", entry.shape.element)
    if entry.shape.kind == "argument":
        return Code(f"now({entry.text})", entry.shape.element)
    return entry
