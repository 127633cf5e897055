"""ENABLED: whether there is a way to take the step, by trying each until one is found."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.actions.naming import StepName
from rmqproof.model.tla import core
from rmqproof.model.types.domain import BOOL, Type

from .action import Formulas
from .context import Context
from .terms import C, Env


def compile_enabled(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """As TLC: variables that the action leaves open do not matter."""
    if env.next or env.current != "s":
        raise x.refuse(e, "ENABLED in another state than the present one")
    found, end = x.name("enabled"), x.name("end")
    formulas = Formulas(
        x, tuple(x.variables), lambda _, __: f"{{ {found} = 1; goto {end}; }}", initial=False, first=True
    )
    inside = replace(env, primed={}, after="", step=StepName(final=True))
    code = formulas.compile(e.arguments[0], inside)
    return C(f"({{ __label__ {end}; I {found} = 0; {code} {end}:; {found}; }})", BOOL, risky=True)
