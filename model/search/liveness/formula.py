"""Temporal formulas over predicates of states and steps, in negation normal form.

The constructors (`conjunction`, `disjunction`, `always`, `eventually`, `negation`) simplify: constants disappear,
`[]` goes into conjunctions and `<>` into disjunctions, and what only speaks of the end of a behaviour (`[]<>p`, `<>[]p`
and combinations of these) is pulled out from under `[]` and `<>`, which do not change it. So a fairness condition ends
up as a conjunct of its own, which the search handles without an automaton.

A step predicate is meant to be true or false of stuttering steps as TLA+ has it: [A]_v is true, <<A>>_v false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from rmqproof.model.records import dataclass


@dataclass(eq=False, slots=True)
class Predicate:
    """`test(state)`, or `test(before, after)` where `step`. `text` is what a person reads.

    `reads`: the indexes of the variables that it depends on, before or after a step; None: possibly all. `stuttering`:
    its truth where nothing changes, where that is the same in every state. `source`: what it was made from, for who can
    make machine code of that. `needs`: of a step, what is true of the state before wherever it is true: ENABLED.
    `asks`: its truth depends on where the search is.
    """

    test: Callable[..., bool] = field(repr=False)
    step: bool = False
    text: str = ""
    reads: frozenset[int] | None = None
    stuttering: bool | None = None
    source: Any = field(default=None, repr=False)
    needs: Predicate | None = field(default=None, repr=False, compare=False)
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Atom:
    predicate: Predicate
    positive: bool = True


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Always:
    body: Formula


@dataclass(frozen=True, slots=True)
class Eventually:
    body: Formula


Formula = Truth | Atom | And | Or | Always | Eventually

TRUE, FALSE = Truth(True), Truth(False)


def conjunction(parts: Iterable[Formula]) -> Formula:
    return _combination(And, parts, TRUE, FALSE)


def disjunction(parts: Iterable[Formula]) -> Formula:
    return _combination(Or, parts, FALSE, TRUE)


def always(body: Formula) -> Formula:
    """`[] body`."""
    if isinstance(body, Truth | Always) or is_limit(body):
        return body
    if isinstance(body, And) and not is_proposition(body):
        return conjunction(always(part) for part in body.parts)
    if isinstance(body, Or):
        limits, others = _split(body.parts)
        if limits:
            return disjunction([*limits, always(disjunction(others))])
    return Always(body)


def eventually(body: Formula) -> Formula:
    """`<> body`."""
    if isinstance(body, Truth | Eventually) or is_limit(body):
        return body
    if isinstance(body, Or) and not is_proposition(body):
        return disjunction(eventually(part) for part in body.parts)
    if isinstance(body, And):
        limits, others = _split(body.parts)
        if limits:
            return conjunction([*limits, eventually(conjunction(others))])
    return Eventually(body)


def negation(formula: Formula) -> Formula:
    match formula:
        case Truth(value):
            return Truth(not value)
        case Atom(predicate, positive):
            return Atom(predicate, not positive)
        case And(parts):
            return disjunction(negation(part) for part in parts)
        case Or(parts):
            return conjunction(negation(part) for part in parts)
        case Always(body):
            return eventually(negation(body))
        case Eventually(body):
            return always(negation(body))


def is_proposition(formula: Formula) -> bool:
    """Without temporal operators: it speaks of one step."""
    if isinstance(formula, And | Or):
        return all(is_proposition(part) for part in formula.parts)
    return isinstance(formula, Truth | Atom)


def infinitely_often(formula: Formula) -> Formula | None:
    """p, where the formula is `[]<>p` for a proposition p."""
    if isinstance(formula, Always) and isinstance(formula.body, Eventually) and is_proposition(formula.body.body):
        return formula.body.body
    return None


def from_some_point_on(formula: Formula) -> Formula | None:
    """p, where the formula is `<>[]p` for a proposition p."""
    if isinstance(formula, Eventually) and isinstance(formula.body, Always) and is_proposition(formula.body.body):
        return formula.body.body
    return None


def is_limit(formula: Formula) -> bool:
    """Whether the formula has the same truth at every point of a behaviour, whatever the behaviour."""
    match formula:
        case Truth():
            return True
        case And(parts) | Or(parts):
            return all(is_limit(part) for part in parts)
        case Always(Eventually(_)) | Eventually(Always(_)):
            return True
    return False


def predicates_of(formula: Formula) -> list[Predicate]:
    """The predicates in a formula, each once."""
    found: dict[Predicate, None] = {}
    todo = [formula]
    while todo:
        match todo.pop():
            case Atom(predicate):
                found[predicate] = None
            case And(parts) | Or(parts):
                todo += reversed(parts)
            case Always(body) | Eventually(body):
                todo.append(body)
    return list(found)


def _split(parts: Iterable[Formula]) -> tuple[list[Formula], list[Formula]]:
    limits: list[Formula] = []
    others: list[Formula] = []
    for part in parts:
        (limits if is_limit(part) else others).append(part)
    return limits, others


def _combination(kind: Any, parts: Iterable[Formula], neutral: Truth, absorbing: Truth) -> Formula:
    flat: dict[Formula, None] = {}
    for part in parts:
        for piece in part.parts if isinstance(part, kind) else (part,):
            if piece == absorbing:
                return absorbing
            if piece != neutral:
                flat[piece] = None
    if not flat:
        return neutral
    return next(iter(flat)) if len(flat) == 1 else kind(tuple(flat))


def speaks_of_steps(formula: Formula) -> bool:
    """Whether a proposition has a step predicate."""
    if isinstance(formula, And | Or):
        return any(speaks_of_steps(part) for part in formula.parts)
    return isinstance(formula, Atom) and formula.predicate.step
