"""What the inferred types say of the domains of functions on 1..n, as formulas that may become conjuncts.

`prove` takes such a function for a sequence of any length, so that a conjunct which applies it to a number may have no
value. In the states that are searched for counterexamples the domain is what the types say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rmqproof.model.infer.dimensions import Dimensions
from rmqproof.model.infer.grammar import Grammar, Name
from rmqproof.model.infer.sorts import Sort
from rmqproof.model.infer.vocabulary import quantified
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Seq, Type

_LARGEST = 24
"""Larger domains are left out, as they are of candidates."""


def domain_facts(
    types: Mapping[core.Variable, Type], sorts: Sequence[Sort], names: Sequence[Name], dimensions: Dimensions
) -> list[str]:
    """For each function on 1..n in the state that its domain is that set. `names`: one of each constant set."""
    found: dict[str, None] = {}
    for term in Grammar(types, sorts, dimensions).terms(names, len(names)):
        match term.type:
            case Seq(least=least, most=most) if term.state and least == most and most and most <= _LARGEST:
                used = [name for name in names if name in term.uses]
                found[quantified(used, f"DOMAIN {term.text} = {_set_of(most, sorts)}")] = None
    return list(found)


def _set_of(most: int, sorts: Sequence[Sort]) -> str:
    """`1 .. most` as the specification writes it, else its elements: it may not know the operator."""
    numbers = range(1, most + 1)
    written = (sort.text for sort in sorts if sort.elements == frozenset(numbers))
    return next(written, f"{{{', '.join(map(str, numbers))}}}")
