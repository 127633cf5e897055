"""Parameters of C functions: a large value is pointed at, a small one is copied."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.types.domain import Type

from .context import Context
from .representation import COPIED
from .terms import C


def declared(x: Context, name: str, type_: Type) -> str:
    """The declaration of a parameter."""
    return f"const {x.c_type(type_)} *{name}" if _is_large(x, type_) else f"{x.c_type(type_)} {name}"


def inside(x: Context, name: str, type_: Type) -> C:
    """The parameter in the function."""
    return C(f"(*{name})" if _is_large(x, type_) else name, type_, False, True)


def passed(x: Context, value: C) -> tuple[str, str]:
    """Statements, and the argument of a call."""
    if not _is_large(x, value.type):
        return "", value.code
    if value.lvalue:
        return "", f"&({value.code})"
    statements, held = x.held(value)
    return statements, f"&({held.code})"


def call(x: Context, function: str, current: str, values: Sequence[C]) -> str:
    """A call in the state that `current` points at."""
    statements, given = "", ""
    for value in values:
        more, argument = passed(x, value)
        statements, given = statements + more, f"{given}, {argument}"
    code = f"{function}(c, {current}{given})"
    return f"({{ {statements} {code}; }})" if statements else code


def _is_large(x: Context, type_: Type) -> bool:
    return x.c_type(type_) != "I" and x.routines.structures.size(type_) > COPIED
