"""A formula as problems, one of which a behaviour must solve to satisfy it.

A problem is what TLC calls an order of solution: conditions on what happens infinitely often or from some point on,
which need no automaton, and a rest that does.
"""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import (
    TRUE,
    And,
    Formula,
    Or,
    always,
    conjunction,
    disjunction,
    eventually,
    from_some_point_on,
    infinitely_often,
)

_MOST = 256
"""Alternatives, before a disjunction is left to the automaton."""


@dataclass(frozen=True, slots=True)
class Choice:
    """From some point on always `lasting`, or infinitely often `recurring`: strong fairness, for example."""

    lasting: Formula
    recurring: Formula


@dataclass(frozen=True, slots=True)
class Problem:
    """All of: `lasting` from some point on, each of `recurring` infinitely often, each of `choices`, and `rest`."""

    lasting: Formula
    recurring: tuple[Formula, ...]
    choices: tuple[Choice, ...]
    rest: Formula


def problems(formula: Formula) -> list[Problem]:
    """A behaviour satisfies the formula when it solves one of the problems."""
    return [_problem(alternative) for alternative in _alternatives(formula)]


def _alternatives(formula: Formula) -> list[list[Formula]]:
    """The conjuncts of each disjunct."""
    found: list[list[Formula]] = [[]]
    for part in formula.parts if isinstance(formula, And) else (formula,):
        branches = [[part]] if not isinstance(part, Or) or _choice(part) is not None else list(_branches(part))
        if len(found) * len(branches) > _MOST:
            branches = [[part]]
        found = [[*before, *branch] for before in found for branch in branches]
    return found


def _branches(node: Or) -> Iterator[list[Formula]]:
    often = [p for p in map(infinitely_often, node.parts) if p is not None]
    parts = [part for part in node.parts if infinitely_often(part) is None]
    for part in parts:
        yield from _alternatives(part)
    if often:
        yield [always(eventually(disjunction(often)))]


def _choice(node: Or) -> Choice | None:
    """The disjunction as a choice, where it is one."""
    lasting = [p for p in map(from_some_point_on, node.parts) if p is not None]
    recurring = [p for p in map(infinitely_often, node.parts) if p is not None]
    if len(lasting) == 1 and len(lasting) + len(recurring) == len(node.parts):
        return Choice(lasting[0], disjunction(recurring))
    return None


def _problem(parts: list[Formula]) -> Problem:
    lasting: list[Formula] = []
    recurring: list[Formula] = []
    choices: list[Choice] = []
    rest: list[Formula] = []
    for part in parts:
        choice = _choice(part) if isinstance(part, Or) else None
        if choice is not None:
            choices.append(choice)
        elif (often := infinitely_often(part)) is not None:
            recurring.append(often)
        elif (forever := from_some_point_on(part)) is not None:
            lasting.append(forever)
        else:
            rest.append(part)
    return Problem(conjunction(lasting) if lasting else TRUE, tuple(recurring), tuple(choices), conjunction(rest))
