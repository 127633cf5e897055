"""Bitwise: natural numbers as strings of bits."""

from __future__ import annotations

from typing import Final

from rmqproof.model.evaluate.library.arguments import natural
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.shape import INT
from rmqproof.model.evaluate.values import Value


def bit_and(a: Value, b: Value) -> int:
    return natural(a, "&") & natural(b, "&")


def bit_or(a: Value, b: Value) -> int:
    return natural(a, "|") | natural(b, "|")


def bit_xor(a: Value, b: Value) -> int:
    return natural(a, "^^") ^ natural(b, "^^")


def bit_not(a: Value) -> int:
    """Every bit up to the highest, inverted."""
    number = natural(a, "Not")
    return number ^ ((1 << number.bit_length()) - 1)


def shift_right(a: Value, places: Value) -> int:
    return natural(a, "shiftR") >> natural(places, "shiftR")


OPERATORS: Final = {
    "Bitwise!&": Operator(bit_and, INT),
    "Bitwise!|": Operator(bit_or, INT),
    "Bitwise!^^": Operator(bit_xor, INT),
    "Bitwise!Not": Operator(bit_not, INT),
    "Bitwise!shiftR": Operator(shift_right, INT),
}
