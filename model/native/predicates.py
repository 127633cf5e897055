"""Predicates of the liveness check as the compiler takes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rmqproof.model.types.domain import Unknown

from .context import Context
from .errors import NotCompilable
from .representation import bounded
from .terms import Env
from .wanted import Wanted

LARGEST = 2_000_000
"""Letters of all predicates."""


def conditions(x: Context, predicates: Sequence[Wanted]) -> list[str | None]:
    """C expressions of the states `s` and `t`; None for those that have no form in C, or make the text too large."""
    found: list[str | None] = []
    size = 0
    for predicate in predicates:
        code = x.attempt(partial(_condition, x, predicate))
        size += len(code or "")
        found.append(code if size < LARGEST else None)
    return found


def _condition(x: Context, predicate: Wanted) -> str:
    env = Env(current="s", after="t") if predicate.step else Env(primed=None)
    try:
        for variable, expression in predicate.standing:
            type_ = bounded(x.typed(expression, env), x.capacity)
            if isinstance(type_, Unknown):
                raise NotCompilable(expression.at, f"the type of {variable.name}")
            x.variables[variable] = x.typing.variables[variable] = type_
        return x.condition(predicate.expression, env).code
    finally:
        for variable, _ in predicate.standing:
            x.variables.pop(variable, None)
            x.typing.variables.pop(variable, None)
