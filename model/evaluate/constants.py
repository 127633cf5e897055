"""Values that are known while code is generated: in which form they are kept, and their shapes."""

from __future__ import annotations

from rmqproof.model.evaluate.combined_sets import Listed, United
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import Filtered, LazyFunction, LazySet
from rmqproof.model.evaluate.lazy_sets import Functions, Interval, Powerset, Products, Records, Subsets
from rmqproof.model.evaluate.shape import ANY, INT, LAZY, Shape, set_of, shape_of
from rmqproof.model.evaluate.values import Value

_NORMALISE = 300
"""A constant lazy set with at most so many elements becomes a frozenset."""
_ASKED = (Powerset, Subsets, Functions, Records, Products, United)
"""What is in them is asked part by part, which is an error of a value of another kind: no element need be compared."""
_CANDIDATES = 100_000
"""A constant {x \\in S : P} or UNION is listed beforehand when S, or its sets, have at most so many elements."""


def normal_constant(value: Value) -> Value:
    """The value in normal form, unless it is large."""
    if isinstance(value, LazySet) and not _is_counted(value):
        return value
    if isinstance(value, Filtered | United) and _is_asked(value):
        return Listed(value.frozen, _described(value))
    if isinstance(value, LazySet) and not isinstance(value, (*_ASKED, Listed)) and value.size is not None:
        return value.frozen if value.size <= _NORMALISE else value
    if type(value) is LazyFunction and (not isinstance(value.domain, LazySet) or not value.domain.infinite):
        count = len(value.domain)
        if count <= _NORMALISE:
            try:
                return value.frozen()
            except Fault:
                return value
    return value


def is_small(value: LazySet) -> bool:
    """Whether a constant set is described, and small enough to be listed as well; or is listed."""
    if isinstance(value, Listed):
        return True
    return isinstance(value, _ASKED) and _is_counted(value) and value.size is not None and value.size <= _NORMALISE


def _is_asked(value: LazySet) -> bool:
    return isinstance(_described(value), _ASKED)


def _described(value: LazySet) -> LazySet:
    """What describes the candidates for elements, without the tests that they pass."""
    if isinstance(value, Filtered):
        return _described(value.base)
    return value.described if isinstance(value, Listed) else value


def _is_counted(value: LazySet) -> bool:
    """Whether it takes little time to find out how many elements there are."""
    if isinstance(value, Filtered):
        return not value.infinite and _is_counted(value.base) and (value.base.size or 0) <= _CANDIDATES
    if isinstance(value, United):
        parts = [items for items in value.sets if isinstance(items, LazySet)]
        return all(map(_is_counted, parts)) and sum(items.size or 0 for items in parts) <= _CANDIDATES
    return True


def shape_of_constant(value: Value) -> Shape:
    if isinstance(value, LazySet) and is_small(value):
        return set_of(shape_of(value.frozen).element, lazy=True)
    if isinstance(value, LazySet):
        return set_of(INT if isinstance(value, Interval) else ANY, lazy=True)
    return LAZY if type(value) is LazyFunction else shape_of(value)
