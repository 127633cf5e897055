"""Truth values and integers that are Python's where they are known, and Z3 terms where they are not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

Truth = Any
"""`bool`, or a Z3 Boolean term."""

Number = Any
"""`int`, or a Z3 integer term."""


def term(value: Any) -> Any:
    """The Z3 term of a truth value or a number."""
    if isinstance(value, bool):
        return z3.BoolVal(value)
    if isinstance(value, int):
        return z3.IntVal(value)
    return value


def negation(a: Truth) -> Truth:
    if isinstance(a, bool):
        return not a
    return a.arg(0) if z3.is_not(a) else z3.Not(a)


def conjunction(parts: Iterable[Truth]) -> Truth:
    kept: dict[int, Truth] = {}
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.setdefault(part.get_id(), part)
    terms = list(kept.values())
    return True if not terms else terms[0] if len(terms) == 1 else z3.And(*terms)


def disjunction(parts: Iterable[Truth]) -> Truth:
    kept: dict[int, Truth] = {}
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.setdefault(part.get_id(), part)
    terms = list(kept.values())
    return False if not terms else terms[0] if len(terms) == 1 else z3.Or(*terms)


def implication(a: Truth, b: Truth) -> Truth:
    if a is True:
        return b
    if a is False or b is True:
        return True
    return negation(a) if b is False else z3.Implies(a, b)


def equivalence(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool):
        return b if a else negation(b)
    if isinstance(b, bool):
        return a if b else negation(a)
    return True if a.eq(b) else a == b


def same(a: Any, b: Any) -> Truth:
    """Equality of two numbers, or of two Z3 terms of one sort."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    x, y = term(a), term(b)
    return True if x.eq(y) else x == y


def at_most(a: Number, b: Number) -> Truth:
    if isinstance(a, int) and isinstance(b, int):
        return a <= b
    x, y = term(a), term(b)
    return True if x.eq(y) else x <= y


def below(a: Number, b: Number) -> Truth:
    if isinstance(a, int) and isinstance(b, int):
        return a < b
    x, y = term(a), term(b)
    return False if x.eq(y) else x < y


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
    if not isinstance(a, int) and a.eq(b):
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
    return a if x.eq(y) else z3.If(condition, x, y)
