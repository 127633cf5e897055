"""Bitwise: natural numbers as strings of bits."""

from __future__ import annotations

import operator
from typing import Final

from rmqproof.model.evaluate.library.arguments import natural, taking
from rmqproof.model.evaluate.shape import INT


def inverted(number: int) -> int:
    """Every bit up to the highest, inverted."""
    return number ^ ((1 << number.bit_length()) - 1)


OPERATORS: Final = dict(
    [
        taking("Bitwise!&", operator.and_, natural, natural, shape=INT),
        taking("Bitwise!|", operator.or_, natural, natural, shape=INT),
        taking("Bitwise!^^", operator.xor, natural, natural, shape=INT),
        taking("Bitwise!Not", inverted, natural, shape=INT),
        taking("Bitwise!shiftR", operator.rshift, natural, natural, shape=INT),
    ]
)
