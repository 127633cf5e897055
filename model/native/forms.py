"""The entries to the compiler of expressions."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.types.domain import Type

from .context import Context, Forms
from .errors import NotCompilable
from .fitting import fitted
from .hoisting import computed_once
from .membership import member
from .terms import C, Env

LARGEST_PROGRAM = 6_000_000
MOST_EXPRESSIONS = 200_000
"""Compiled, repetitions counted: the specifications of RocketMQ take some 5,000."""


def value(x: Context, e: core.Expression, env: Env, want: Type | None) -> C:
    """As `Context.compile`. Raise `NotCompilable`, also where there is too much of it."""
    x.asked += 1
    if x.asked > MOST_EXPRESSIONS:
        raise x.refuse(e, "loops inside of each other that unfold to too much code")
    try:
        result = computed_once(x, e, env, want)
    except NotCompilable as error:
        if error.at is None:
            raise NotCompilable(e.at, error.construct) from error
        raise
    x.written += len(result.code) if len(result.code) > 10_000 else 0
    if len(result.code) > LARGEST_PROGRAM or x.written > 60 * LARGEST_PROGRAM:
        raise x.refuse(e, "an expression that unfolds to too much code")
    return result


FORMS = Forms(value, member, fitted)
