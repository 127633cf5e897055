"""Which predicates of the liveness check are to be compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rmqproof.model.evaluate.abstract_enabled import AbstractEnabled
from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import Predicate
from rmqproof.model.tla import core


@dataclass(frozen=True, slots=True)
class Wanted:
    """An expression of a state, or of a step. `standing`: variables that are primed in it and that no state has, each
    with the expression whose value it has now."""

    expression: core.Expression
    step: bool
    standing: tuple[tuple[core.Variable, core.Expression], ...] = ()


def wanted(predicate: Predicate) -> Wanted | None:
    """What is to be compiled; None where it was not made from an expression."""
    source = predicate.source
    if isinstance(source, AbstractEnabled):
        return Wanted(source.expression, predicate.step, source.standing)
    return Wanted(cast(core.Expression, source), predicate.step) if isinstance(source, core.Node) else None


def compilable(predicates: Sequence[Predicate]) -> tuple[list[Predicate], list[Wanted]]:
    """Those that were made from expressions, and what of them is to be compiled."""
    known = [(predicate, wanted(predicate)) for predicate in predicates]
    return [p for p, label in known if label is not None], [label for _, label in known if label is not None]
