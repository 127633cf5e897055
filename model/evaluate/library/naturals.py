"""Naturals, Integers and Reals (as far as integers go)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy_sets import Interval, Numbers
from rmqproof.model.evaluate.library.operator import Code, Operator
from rmqproof.model.evaluate.operations import numbers
from rmqproof.model.evaluate.shape import INT, set_of
from rmqproof.model.evaluate.values import Value

_LARGEST_POWER = 100_000


def _computed(symbol: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """Python's operator, for integers only."""

    def computed(*operands: Value) -> Any:
        numbers(symbol, *operands)
        return compute(*operands)

    return computed


def quotient(a: Value, b: Value) -> Value:
    """a \\div b, rounded down."""
    numbers("\\div", a, b)
    if b == 0:
        raise Fault(f"{a} is divided by zero", "Guard the division.")
    return a // b


def remainder(a: Value, b: Value) -> Value:
    """a % b, for b > 0."""
    numbers("%", a, b)
    if b <= 0:
        raise Fault(f"the right side of % must be positive, and is {b}")
    return a % b


def exact_quotient(a: Value, b: Value) -> Value:
    """a / b of Reals, where the result is an integer."""
    numbers("/", a, b)
    if b == 0 or a % b:
        raise Fault(f"{a} / {b} is no integer", "Real numbers cannot be computed with; use \\div.")
    return a // b


def power(a: Value, b: Value) -> Value:
    """a ^ b, for b >= 0."""
    numbers("^", a, b)
    if b < 0 or b > _LARGEST_POWER:
        raise Fault(f"the exponent of ^ must be in 0..{_LARGEST_POWER}, and is {b}")
    if a == 0 and b == 0:
        raise Fault("0 ^ 0 is not defined")
    return a**b


def interval(a: Value, b: Value) -> Interval:
    """a .. b"""
    numbers("..", a, b)
    return Interval(a, b)


def _infix(symbol: str) -> Callable[[Sequence[Code]], str | None]:
    """Python's operator. On operands that may be no integers a unary plus makes Python refuse what is none."""

    def inline(arguments: Sequence[Code]) -> str | None:
        a, b = arguments
        if a.shape.lazy or b.shape.lazy:
            return None
        return f"({_integer(a)} {symbol} {_integer(b)})"

    return inline


def _integer(code: Code) -> str:
    return code.text if code.shape.kind == "int" else f"+{code.text}"


def _minus(arguments: Sequence[Code]) -> str | None:
    return None if arguments[0].shape.lazy else f"(-{arguments[0].text})"


def _table() -> dict[str, Operator]:
    common = {
        **{
            symbol: Operator(_computed(symbol, compute), INT, _infix(symbol))
            for symbol, compute in (("+", operator.add), ("-", operator.sub), ("*", operator.mul))
        },
        **{
            symbol: Operator(_computed(symbol, compare), inline=_infix(symbol), condition=True)
            for symbol, compare in (("<", operator.lt), (">", operator.gt), ("<=", operator.le), (">=", operator.ge))
        },
        "^": Operator(power, INT),
        "\\div": Operator(quotient, INT),
        "%": Operator(remainder, INT),
        "..": Operator(interval, set_of(INT, lazy=True)),
        "Nat": Operator(lambda: Numbers(0), set_of(INT, lazy=True)),
        "Int": Operator(lambda: Numbers(None), set_of(INT, lazy=True)),
        "-.": Operator(_computed("-", operator.neg), INT, _minus),
        "/": Operator(exact_quotient, INT),
    }
    return {f"{module}!{name}": known for module in ("Naturals", "Integers", "Reals") for name, known in common.items()}


OPERATORS = _table()
