"""Truth values and integers that are Python's where they are known, and Z3 terms where they are not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import z3

Truth = Any
"""`bool`, or a Z3 Boolean term."""

Number = Any
"""`int`, or a Z3 integer term."""


def let_go_anywhere(context: z3.Context) -> z3.Context:
    """The context, whose terms any thread may let go.

    Python collects cycles in whichever thread comes upon them, be it one of a notebook or of Spark's driver, while
    this one may be within Z3, where Python's lock is not held: two threads would count a term's references at once.
    """
    z3.Z3_enable_concurrent_dec_ref(context.ref())
    return context


let_go_anywhere(z3.main_ctx())


def identity(made: Any) -> int:
    """Equal terms are one in Z3, and this is where it lies; it says nothing once the term is gone."""
    address: int = made.ast.value
    return address


@cache
def _number(value: int) -> Any:
    return z3.IntVal(value)


@cache
def _truth(value: bool) -> Any:
    return z3.BoolVal(value)


def term(value: Any) -> Any:
    """The Z3 term of a truth value or a number."""
    if isinstance(value, bool):
        return _truth(value)
    if isinstance(value, int):
        return _number(value)
    return value


# The terms are made by Z3's own functions: of z3.And and the like most time goes into looking at their arguments, whose
# sorts are known here.


def _all_of(terms: list[Any]) -> Any:
    return z3.BoolRef(z3.Z3_mk_and(*_list(terms)), terms[0].ctx)


def _one_of(terms: list[Any]) -> Any:
    return z3.BoolRef(z3.Z3_mk_or(*_list(terms)), terms[0].ctx)


def _list(terms: list[Any]) -> tuple[Any, int, Any]:
    number = len(terms)
    return terms[0].ctx.ref(), number, (z3.Ast * number)(*(part.ast for part in terms))


def _equation(a: Any, b: Any) -> Any:
    return z3.BoolRef(z3.Z3_mk_eq(a.ctx.ref(), a.ast, b.ast), a.ctx)


def negation(a: Truth) -> Truth:
    if isinstance(a, bool):
        return not a
    return a.arg(0) if z3.is_not(a) else z3.BoolRef(z3.Z3_mk_not(a.ctx.ref(), a.ast), a.ctx)


def conjunction(parts: Iterable[Truth]) -> Truth:
    kept: dict[int, Truth] = {}
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.setdefault(part.ast.value, part)
    terms = list(kept.values())
    return True if not terms else terms[0] if len(terms) == 1 else _all_of(terms)


def disjunction(parts: Iterable[Truth]) -> Truth:
    kept: dict[int, Truth] = {}
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.setdefault(part.ast.value, part)
    terms = list(kept.values())
    return False if not terms else terms[0] if len(terms) == 1 else _one_of(terms)


def implication(a: Truth, b: Truth) -> Truth:
    if a is True:
        return b
    if a is False or b is True:
        return True
    return negation(a) if b is False else z3.BoolRef(z3.Z3_mk_implies(a.ctx.ref(), a.ast, b.ast), a.ctx)


def equivalence(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool):
        return b if a else negation(b)
    if isinstance(b, bool):
        return a if b else negation(a)
    return True if identity(a) == identity(b) else _equation(a, b)


def same(a: Any, b: Any) -> Truth:
    """Equality of two numbers, or of two Z3 terms of one sort."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    x, y = term(a), term(b)
    return True if identity(x) == identity(y) else _equation(x, y)


def at_most(a: Number, b: Number) -> Truth:
    if isinstance(a, int) and isinstance(b, int):
        return a <= b
    x, y = term(a), term(b)
    return True if identity(x) == identity(y) else z3.BoolRef(z3.Z3_mk_le(x.ctx.ref(), x.ast, y.ast), x.ctx)


def below(a: Number, b: Number) -> Truth:
    if isinstance(a, int) and isinstance(b, int):
        return a < b
    x, y = term(a), term(b)
    return False if identity(x) == identity(y) else z3.BoolRef(z3.Z3_mk_lt(x.ctx.ref(), x.ast, y.ast), x.ctx)


def add(a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if isinstance(b, int):
        if b == 0:
            return a
        # x + 1 - 1 is x again: indices that were shifted meet
        if z3.is_add(a) and a.num_args() == 2 and z3.is_int_value(a.arg(1)):
            return add(a.arg(0), a.arg(1).as_long() + b)
    if isinstance(a, int):
        return add(b, a)
    return a + b


def subtract(a: Number, b: Number) -> Number:
    if isinstance(b, int):
        return add(a, -b)
    if not isinstance(a, int) and identity(a) == identity(b):
        return 0
    return term(a) - b


def choice(condition: Truth, a: Any, b: Any) -> Any:
    """`a` or `b`: truth values, numbers, or terms of one sort."""
    if isinstance(condition, bool):
        return a if condition else b
    if a is b:
        return a
    if isinstance(a, bool) or isinstance(b, bool):
        if isinstance(a, bool) and isinstance(b, bool):
            return a if a == b else condition if a else negation(condition)
        if isinstance(a, bool):
            return disjunction([condition, b]) if a else conjunction([negation(condition), b])
        return disjunction([negation(condition), a]) if b else conjunction([condition, a])
    x, y = term(a), term(b)
    if identity(x) == identity(y):
        return a
    kind = type(x) if type(x) in (z3.BoolRef, z3.ArithRef) else z3.ArithRef if z3.is_int(x) else None
    if kind is None:
        return z3.If(condition, x, y)
    return kind(z3.Z3_mk_ite(x.ctx.ref(), condition.ast, x.ast, y.ast), x.ctx)
