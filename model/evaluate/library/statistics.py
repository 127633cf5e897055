"""Statistics: the chi-square test of goodness of fit."""

from __future__ import annotations

import math
from typing import Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.library.arguments import integer, mapping, string
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.values import Value, pairs_of


def chi_square(expected: Value, actual: Value, alpha: Value) -> bool:
    """TRUE when the counts do not speak against the distribution at the level alpha, a decimal in a string."""
    want = [integer(count, "ChiSquare") for _, count in pairs_of(mapping(expected, "ChiSquare"))]
    have = [integer(count, "ChiSquare") for _, count in pairs_of(mapping(actual, "ChiSquare"))]
    if len(want) != len(have) or len(want) < 2 or min(want) <= 0:
        raise Fault("ChiSquare needs two functions with the same two or more arguments, the expected counts positive")
    try:
        level = float(string(alpha, "ChiSquare"))
    except ValueError:
        raise Fault(f"ChiSquare needs a decimal as its level of significance, and is given {alpha!r}") from None
    scale = sum(have) / sum(want)
    statistic = sum((h - w * scale) ** 2 / (w * scale) for w, h in zip(want, have, strict=True))
    return _upper_gamma((len(want) - 1) / 2, statistic / 2) >= level


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x): a series below a + 1, else Lentz's continued fraction.

    Source: Abramowitz and Stegun, 6.5.29 and 6.5.31.
    """
    if x <= 0:
        return 1.0
    factor = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - factor * total
    b = x + 1 - a
    c = 1e300
    d = fraction = 1 / b
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return factor * fraction


OPERATORS: Final = {"Statistics!ChiSquare": Operator(chi_square, condition=True)}
