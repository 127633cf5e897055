"""FiniteSets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from rmqproof.model.evaluate.combined_sets import Combined, United
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import Filtered, LazySet
from rmqproof.model.evaluate.lazy_sets import Functions, Powerset, Products, Records
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
    """IsFiniteSet(items), as TLC answers it (`Value.isFinite`): by the sets in the description, also where one of them
    is empty."""
    set_needed(items, "IsFiniteSet")
    return _is_finite(items)


def _is_finite(items: Any) -> bool:
    match items:
        case Functions(domain=domain, range=range_):
            return _is_finite(domain) and _is_finite(range_)
        case Records(sets=sets) | Products(factors=sets) | United(sets=sets):
            return all(map(_is_finite, sets))
        case Powerset(base=base):
            return _is_finite(base)
        case Filtered(base=base):
            return _is_finite(base) or _not_said(items)
        case Combined(operator=operator, left=left, right=right):
            if operator == "\\cup":
                return _is_finite(left) and _is_finite(right)
            return _is_finite(left) or ((_is_finite(right) or _not_said(items)) and operator == "\\cap")
    return not isinstance(items, LazySet) or not items.infinite


def _not_said(items: Any) -> NoReturn:
    raise Fault(f"whether {shorten(items)} is finite cannot be said", "Write it as a subset of a finite set.")


def _cardinality(arguments: Sequence[Code]) -> str | None:
    (items,) = arguments
    return f"len({items.text})" if items.shape.kind == "set" and not items.shape.lazy else None


OPERATORS = {
    "FiniteSets!Cardinality": Operator(cardinality, INT, _cardinality, lazy=True),
    "FiniteSets!IsFiniteSet": Operator(is_finite, condition=True, lazy=True),
}
