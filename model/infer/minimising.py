"""Which conjuncts an inductive invariant can do without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.infer.finding import Conjunct
from rmqproof.model.infer.induction import Induction


def minimised(
    conjuncts: Sequence[Conjunct],
    kept: frozenset[str],
    induction: Induction,
    cost: Callable[[Conjunct], int],
    over: Callable[[], bool],
) -> list[Conjunct]:
    """The conjuncts without those that the others are inductive without; those whose texts are in `kept` stay.

    The costly ones are tried first.
    """
    left = list(conjuncts)
    for conjunct in sorted(conjuncts, key=cost, reverse=True):
        if conjunct.text in kept or over():
            continue
        rest = [other for other in left if other is not conjunct]
        formulas = [other.formula for other in rest]
        if next(induction.breaches(formulas, formulas), None) is None:
            left = rest
    return left
