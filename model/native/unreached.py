"""What a search need not come to: parts of invariants without a form in C that are asked for in some states only.

`Inv \\/ PrintT(x)` is what prints where `Inv` is false. Machine code asks for `Inv`. Where it is false the Python
engine says what the invariant is, and takes the search over from the start unless it is violated.
"""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.tla.conditions import asked_by

from .context import Context
from .errors import NotCompilable
from .terms import Env

_REACHED = "({ fail_(c, UNCOVERED, 0); 0; })"


def condition_without(x: Context, e: core.Expression, env: Env) -> str:
    """A condition in C, without parts that have no form there. Raise `NotCompilable` where it asks for one always.

    No name is bound around it.
    """
    code = x.attempt(lambda: x.condition(e, env).code)
    if code is not None:
        return code
    asked = asked_by(e)
    if asked is None:
        return x.condition(e, env).code
    parts = [condition_without(x, part, env) for part in asked.always]
    parts += [_part(x, part, env) for part in asked.sometimes]
    match e:
        case core.Builtin(operator="/\\"):
            return f"({' && '.join(parts)})"
        case core.Builtin(operator="\\/"):
            return f"({' || '.join(parts)})"
        case core.Builtin(operator="=>"):
            return f"(!{parts[0]} || {parts[1]})"
        case core.If():
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
    return parts[0]


def _part(x: Context, e: core.Expression, env: Env) -> str:
    try:
        return condition_without(x, e, env)
    except NotCompilable:
        return _REACHED
