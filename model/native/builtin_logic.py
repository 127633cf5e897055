"""Logic, equality and numbers in C."""

from __future__ import annotations

from collections.abc import Callable

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    BOOL,
    Bool,
    Int,
    Nothing,
    Seq,
    Set,
    Type,
    Union,
    Unknown,
    join,
)

from .context import Context
from .equality import equal_at
from .questions import comparable, sets_may_clash
from .representation import words
from .terms import C, Env

CHECKED = {"+": "add", "-": "sub", "*": "mul"}


# --- logic ---------------------------------------------------------------------------------------------------------


def _junction(symbol: str) -> Callable[[Context, core.Builtin, Env, Type | None], C]:
    def compile_junction(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
        parts = [x.condition(argument, env) for argument in e.arguments]
        return C(f"({f' {symbol} '.join(part.code for part in parts)})", BOOL, any(part.risky for part in parts))

    return compile_junction


def _not(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = x.condition(e.arguments[0], env)
    return C(f"(!{a.code})", BOOL, a.risky)


def _implies(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a, b = (x.condition(argument, env) for argument in e.arguments)
    return C(f"(!{a.code} || {b.code})", BOOL, a.risky or b.risky)


def _equivalent(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a, b = (x.condition(argument, env) for argument in e.arguments)
    return C(f"(!{a.code} == !{b.code})", BOOL, a.risky or b.risky)


def _equals(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    left, right = e.arguments
    a = x.compile(left, env)
    b = x.compile(right, env, a.type)
    return equal(x, e, a, b)


def equal(x: Context, e: core.Expression, a: C, b: C) -> C:
    risky = a.risky or b.risky
    if isinstance(a.type, Nothing) or isinstance(b.type, Nothing):
        # One of them has no value: to compute it fails.
        return C(f"((void)({a.code}), (void)({b.code}), 0)", BOOL, True)
    if not comparable(a.type, b.type) or sets_may_clash(a.type, b.type):
        raise x.refuse(e, "equality of values of different kinds")
    type_ = x.settle(join(a.type, b.type))
    if isinstance(type_, Unknown):
        raise x.refuse(e, "equality of values whose type is not known")
    if isinstance(type_, Int | Bool):
        return C(f"({a.code} == {b.code})", BOOL, risky)
    if x.c_type(type_) == "I":
        return C(f"({a.code} == {b.code})", BOOL, risky)
    if isinstance(a.type, Seq) and isinstance(b.type, Seq) and 0 in (a.type.most, b.type.most):
        empty, other = (b, a) if b.type.most == 0 else (a, b)
        return x.after(empty, _has_length_zero(x, other))
    if isinstance(a.type, Set) and isinstance(b.type, Set):
        for one, other in ((a, b), (b, a)):
            if isinstance(one.type, Set) and isinstance(one.type.element, Nothing):
                return x.after(one, is_empty(x, other))
    left, right = x.to(a, type_), x.to(b, type_)
    risky = left.risky or right.risky or isinstance(type_, Union)
    first, p = x.held(left)
    second, q = x.held(right)
    same = equal_at(x.routines, type_, p.code, q.code)
    return C(f"({{ {first} {second} {same}; }})" if first or second else same, BOOL, risky)


def _has_length_zero(x: Context, value: C) -> C:
    length = x.part(value, ".n", Int())
    return C(f"({length.code} == 0)", BOOL, length.risky)


def is_empty(x: Context, s: C) -> C:
    assert isinstance(s.type, Set)
    if isinstance(s.type.element, Nothing):
        return x.after(s, C("1", BOOL))
    size = x.universe_size(s.type.element)
    if size is None:
        return _has_length_zero(x, s)
    statements, h = x.held(s)
    tests = " | ".join(f"{h.code}.w[{k}]" for k in range(words(size)))
    return C(f"({{ {statements} ({tests}) == 0; }})", BOOL, s.risky)


def _differs(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = _equals(x, e, env, want)
    return C(f"(!{a.code})", BOOL, a.risky)


_ON_BITS = {"&": "&", "|": "|", "^^": "^"}


# --- numbers -------------------------------------------------------------------------------------------------------


def _arithmetic(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    name = operators.short_name(e.operator)
    a, b = (x.number(argument, env) for argument in e.arguments)
    type_ = operators.builtin(e.operator, [a.type, b.type])
    risky = a.risky or b.risky
    small = isinstance(type_, Int) and type_.low is not None and type_.high is not None
    small = small and isinstance(type_, Int) and abs(type_.low or 0) < 1 << 62 and abs(type_.high or 0) < 1 << 62
    if name in CHECKED:
        if small and all(_is_small(v.type) for v in (a, b)):
            return C(f"({a.code} {name} {b.code})", type_, risky)
        r = x.name()
        code = (
            f"({{ I {r}; if (__builtin_{CHECKED[name]}_overflow({a.code}, {b.code}, &{r})) {{ "
            f"{x.fail(e)} {r} = 0; }} {r}; }})"
        )
        return C(code, type_, True)
    p, q = x.name(), x.name()
    if name in ("\\div", "%"):
        positive = isinstance(b.type, Int) and b.type.low is not None and b.type.low > 0
        bad = f"{q} == 0" if name == "\\div" else f"{q} <= 0"
        check = "" if positive else f"if ({bad}) {{ {x.fail(e)} {q} = 1; }}"
        if positive and b.risky:
            check = f"if ({bad}) {q} = 1;"  # what failed, where that is noted only, has any value
        function = "div_" if name == "\\div" else "mod_"
        return C(
            f"({{ I {p} = {a.code}, {q} = {b.code}; {check} {function}({p}, {q}); }})", type_, risky or not positive
        )
    code = f"({{ I {p} = 1; if (!power_({a.code}, {b.code}, &{p})) {{ {x.fail(e)} }} {p}; }})"
    return C(code, type_, True)


def _bitwise(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """Of module Bitwise, whose numbers are not negative."""
    a, b = (x.number(argument, env) for argument in e.arguments)
    name = operators.short_name(e.operator)
    natural = all(isinstance(v.type, Int) and v.type.low is not None and v.type.low >= 0 for v in (a, b))
    p, q = x.name(), x.name()
    check = "" if natural else f"if ({p} < 0 || {q} < 0) {{ {x.fail(e)} {p} = {q} = 0; }}"
    value = f"(U){q} < 63 ? {p} >> {q} : 0" if name == "shiftR" else f"{p} {_ON_BITS[name]} {q}"
    risky = a.risky or b.risky or not natural
    return C(
        f"({{ I {p} = {a.code}, {q} = {b.code}; {check} {value}; }})",
        operators.builtin(e.operator, [a.type, b.type]),
        risky,
    )


def _is_small(type_: Type) -> bool:
    return (
        isinstance(type_, Int)
        and type_.low is not None
        and type_.high is not None
        and max(abs(type_.low), abs(type_.high)) < 1 << 62
    )


def _negative(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = x.number(e.arguments[0], env)
    return C(f"(-({a.code}))", operators.builtin(e.operator, [a.type]), a.risky)


def _is_chosen(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """Whether this alternative of the model is the one that is searched (`alternatives.c`)."""
    (number,) = e.arguments
    assert isinstance(number, core.Literal)
    return C(f"(alternative_ == {number.value})", BOOL)


LOGIC: dict[str, Callable[[Context, core.Builtin, Env, Type | None], C]] = {
    "/\\": _junction("&&"),
    "\\/": _junction("||"),
    "~": _not,
    "=>": _implies,
    "<=>": _equivalent,
    "=": _equals,
    "#": _differs,
    "/=": _differs,
    "+": _arithmetic,
    "-": _arithmetic,
    "*": _arithmetic,
    "\\div": _arithmetic,
    "%": _arithmetic,
    "^": _arithmetic,
    "-.": _negative,
    "&": _bitwise,
    "|": _bitwise,
    "^^": _bitwise,
    "shiftR": _bitwise,
    "is chosen": _is_chosen,
}
