"""Predicates of the liveness check as the compiler takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from rmqproof.model.evaluate.abstract_enabled import AbstractEnabled
from rmqproof.model.search.liveness.formula import Predicate
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Unknown

from .context import Context
from .errors import NotCompilable
from .representation import bounded
from .terms import Env

LARGEST = 2_000_000
"""Letters of all predicates."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """An expression of a state, or of a step. `standing`: variables that are primed in it and that no state has, each
    with the expression whose value it has now."""

    expression: core.Expression
    step: bool
    standing: tuple[tuple[core.Variable, core.Expression], ...] = ()


def wanted(predicate: Predicate) -> Wanted | None:
    """What is to be compiled; None where it was not made from an expression."""
    source = predicate.source
    if isinstance(source, AbstractEnabled):
        return Wanted(source.expression, predicate.step, source.standing)
    return Wanted(cast(core.Expression, source), predicate.step) if isinstance(source, core.Node) else None


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
