"""Which conjuncts an inductive invariant can do without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.infer.finding import Conjunct
from rmqproof.model.infer.induction import Induction, OutOfTime


def minimised(
    conjuncts: Sequence[Conjunct],
    kept: frozenset[str],
    induction: Induction,
    cost: Callable[[Conjunct], int],
) -> list[Conjunct]:
    """The conjuncts without those that the others are inductive without; those whose texts are in `kept` stay.

    The costly ones are tried first, until the time is over.
    """
    left = list(conjuncts)
    for conjunct in sorted(conjuncts, key=cost, reverse=True):
        if conjunct.text in kept:
            continue
        rest = [other for other in left if other is not conjunct]
        formulas = [other.formula for other in rest]
        try:
            if next(induction.breaches(formulas, formulas), None) is None:
                left = rest
        except OutOfTime:
            break
    return left
