"""Reals, as far as integers go: of the real numbers only the integers are values here."""

from __future__ import annotations

from typing import Final

from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.library.arguments import refuse
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.shape import INT, set_of
from rmqproof.model.evaluate.values import ModelValue, Value


class Reals(LazySet):
    """Real. It holds the integers, cannot be enumerated, and of no other value is it known whether it is a real."""

    def __contains__(self, value: Value) -> bool:
        if type(value) is not int and type(value) is not ModelValue:
            refuse("Reals!Real", "of the real numbers only the integers are values")
        return type(value) is int

    def __str__(self) -> str:
        return "Real"


def infinity() -> Value:
    refuse("Reals!Infinity", "it is no integer")


OPERATORS: Final = {
    "Reals!Real": Operator(Reals, set_of(INT, lazy=True)),
    "Reals!Infinity": Operator(infinity),
}
