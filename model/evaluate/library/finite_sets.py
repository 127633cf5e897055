"""FiniteSets."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.library.operator import Code, Operator
from rmqproof.model.evaluate.operations import set_needed
from rmqproof.model.evaluate.shape import INT
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Value


def cardinality(items: Value) -> int:
    """Cardinality(items)"""
    set_needed(items, "Cardinality")
    size = items.size if isinstance(items, LazySet) else len(items)
    if size is None:
        raise Fault(f"Cardinality of {shorten(items)}, which is not finite")
    return int(size)


def is_finite(items: Value) -> bool:
    """IsFiniteSet(items)"""
    set_needed(items, "IsFiniteSet")
    return not isinstance(items, LazySet) or items.size is not None


def _cardinality(arguments: Sequence[Code]) -> str | None:
    (items,) = arguments
    return f"len({items.text})" if items.shape.kind == "set" and not items.shape.lazy else None


OPERATORS = {
    "FiniteSets!Cardinality": Operator(cardinality, INT, _cardinality, lazy=True),
    "FiniteSets!IsFiniteSet": Operator(is_finite, condition=True, lazy=True),
}
