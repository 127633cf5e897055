"""Folds over sets, functions, sequences and bags.

The order is that of TLC's own implementations: a fold over a set or a function starts at the first element in order and
passes the element before what was folded so far; the text of the modules says the same for operators that are
associative and commutative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazyFunction, frozen, in_order, plain
from rmqproof.model.evaluate.library.arguments import integer, mapping, sequence
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.operations import apply
from rmqproof.model.evaluate.shape import INT
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.value_order import current
from rmqproof.model.evaluate.values import Value, pairs_of

Binary = Callable[[Value, Value], Value]
Unary = Callable[[Value], Value]


def _over(op: Binary, base: Value, items: Iterable[Value]) -> Value:
    folded = plain(base)
    for item in items:
        folded = plain(op(item, folded))
    return folded


def map_then_fold_set(op: Binary, base: Value, f: Unary, pick: Unary, items: Value) -> Value:
    """What is picked first stands outermost."""
    rest = set(frozen(items))
    picked = []
    while rest:
        chosen = plain(pick(frozenset(rest)))
        if chosen not in rest:
            raise Fault(f"MapThenFoldSet picks {shorten(chosen)}, which is not in the set that is left")
        rest.discard(chosen)
        picked.append(chosen)
    return _over(op, base, (f(item) for item in reversed(picked)))


def fold_set(op: Binary, base: Value, items: Value) -> Value:
    return _over(op, base, in_order(items))


def reduce_set(op: Binary, items: Value, base: Value) -> Value:
    return fold_set(op, base, items)


def sum_set(items: Value) -> int:
    return sum(integer(item, "SumSet") for item in frozen(items))


def product_set(items: Value) -> int:
    return reduce(lambda product, item: product * integer(item, "ProductSet"), frozen(items), 1)


def map_then_sum_set(f: Unary, items: Value) -> int:
    return sum(integer(f(item), "MapThenSumSet") for item in in_order(items))


def fold_function(op: Binary, base: Value, f: Value) -> Value:
    return _over(op, base, (value for _, value in current().pairs(mapping(f, "FoldFunction"))))


def fold_function_on_set(op: Binary, base: Value, f: Value, indices: Value) -> Value:
    return _over(op, base, (apply(f, index) for index in _indices(f, indices, "FoldFunctionOnSet")))


def sum_function(f: Value) -> int:
    return sum(integer(value, "SumFunction") for _, value in pairs_of(mapping(f, "SumFunction")))


def sum_function_on_set(f: Value, indices: Value) -> int:
    return sum(integer(apply(f, index), "SumFunctionOnSet") for index in _indices(f, indices, "SumFunctionOnSet"))


def _indices(f: Value, indices: Value, operator: str) -> tuple[Value, ...]:
    """In order; what they are indices of must be a function also where there are none."""
    if not isinstance(f, LazyFunction):
        mapping(f, operator)
    return in_order(indices)


def fold_left(op: Binary, base: Value, items: Value) -> Value:
    folded = plain(base)
    for item in sequence(items, "FoldLeft"):
        folded = plain(op(folded, item))
    return folded


def fold_right(op: Binary, items: Value, base: Value) -> Value:
    return _over(op, base, reversed(sequence(items, "FoldRight")))


def fold_left_domain(op: Binary, base: Value, items: Value) -> Value:
    return fold_left(op, base, tuple(range(1, len(sequence(items, "FoldLeftDomain")) + 1)))


def fold_right_domain(op: Binary, items: Value, base: Value) -> Value:
    return fold_right(op, tuple(range(1, len(sequence(items, "FoldRightDomain")) + 1)), base)


def fold_bag(op: Binary, base: Value, bag: Value) -> Value:
    """Every copy of an element in turn; what was folded so far comes first."""
    folded = plain(base)
    for element, copies in current().pairs(mapping(bag, "FoldBag")):
        if integer(copies, "FoldBag") < 1:
            raise Fault(f"FoldBag needs a bag, and is given {shorten(bag)}")
        for _ in range(copies):
            folded = plain(op(folded, element))
    return folded


def fold_set_left(op: Binary, base: Value, items: Value) -> Value:
    """Apalache's: what was folded so far comes first."""
    folded = plain(base)
    for item in in_order(items):
        folded = plain(op(folded, item))
    return folded


OPERATORS: Final = {
    "Folds!MapThenFoldSet": Operator(map_then_fold_set),
    "FiniteSetsExt!FoldSet": Operator(fold_set),
    "FiniteSetsExt!ReduceSet": Operator(reduce_set),
    "FiniteSetsExt!SumSet": Operator(sum_set, INT),
    "FiniteSetsExt!ProductSet": Operator(product_set, INT),
    "FiniteSetsExt!MapThenSumSet": Operator(map_then_sum_set, INT),
    "Functions!FoldFunction": Operator(fold_function),
    "Functions!FoldFunctionOnSet": Operator(fold_function_on_set),
    "Functions!SumFunction": Operator(sum_function, INT),
    "Functions!SumFunctionOnSet": Operator(sum_function_on_set, INT),
    "SequencesExt!FoldSeq": Operator(fold_function),
    "SequencesExt!FoldLeft": Operator(fold_left),
    "SequencesExt!FoldRight": Operator(fold_right),
    "SequencesExt!FoldLeftDomain": Operator(fold_left_domain),
    "SequencesExt!FoldRightDomain": Operator(fold_right_domain),
    "BagsExt!FoldBag": Operator(fold_bag),
    "Apalache!ApaFoldSet": Operator(fold_set_left),
    "Apalache!ApaFoldSeqLeft": Operator(fold_left),
}
