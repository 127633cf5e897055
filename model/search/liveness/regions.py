"""Where the cycles that solve a problem can lie, told by what single states satisfy.

A problem that asks for nothing but a limit, or for something from some point on (`<>F`), can be begun in any reachable
state. So the states before that point need no edges: only those count in which a solution can begin, and from there
those in which it can go on. `[]<>` and `~>` of a property leave a small part of most graphs:

    P ~> Q      begins in states with P and without Q, goes on in states without Q
    WF_v(A)     begins and goes on where A is enabled
    <>[]P       begins in states without P, one of which every cycle has, and goes on anywhere
    <>P         begins in initial states without P, goes on in states without P
"""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Or,
    Truth,
    conjunction,
    disjunction,
)
from rmqproof.model.search.liveness.problem import Problem


@dataclass(frozen=True, slots=True)
class Region:
    """`problem` is to be solved by behaviours that begin in a reachable state (`anywhere`) or in an initial one.

    Every solution begins in a state that satisfies `entries`, or from some point on passes such a state again and
    again; where there are several, each of them is enough. All its states from there on satisfy `stay`. Both are
    propositions of a state.
    """

    problem: Problem
    anywhere: bool
    entries: tuple[Formula, ...]
    stay: Formula

    @property
    def whole(self) -> bool:
        """Nothing is known to lie outside."""
        return self.anywhere and self.stay == TRUE and TRUE in self.entries


def region(problem: Problem) -> Region:
    """Where to look for solutions of a problem."""
    rest = problem.rest
    if rest == TRUE:
        stay = of_state(problem.lasting)
        often = [of_state(recurring) for recurring in problem.recurring]
        entries = tuple(conjunction((stay, formula)) for formula in often if formula != TRUE)
        return Region(problem, True, entries or (stay,), stay)
    anywhere = isinstance(rest, Eventually)
    if isinstance(rest, Eventually):
        rest = rest.body
    stay = _throughout(rest)
    return Region(replace(problem, rest=rest), anywhere, (conjunction((_at_first(rest), stay)),), stay)


def of_state(formula: Formula) -> Formula:
    """What a proposition of a step says of the state before it: the strongest consequence that is seen at once."""
    match formula:
        case Atom(predicate):
            return TRUE if predicate.step else formula
        case And(parts):
            return conjunction(map(of_state, parts))
        case Or(parts):
            return disjunction(map(of_state, parts))
        case Truth():
            return formula
    raise TypeError(f"{formula} is not a proposition")


def standing(problem: Problem) -> Formula | None:
    """What a state must satisfy for standing still in it for ever to solve a problem; None where that cannot be said of
    the state alone, since the truth of a predicate of stuttering steps is not known beforehand."""
    parts = [problem.lasting, *problem.recurring, problem.rest]
    parts += [disjunction((choice.lasting, choice.recurring)) for choice in problem.choices]
    told = [_of_stuttering(part) for part in parts]
    return None if None in told else conjunction(part for part in told if part is not None)


def _of_stuttering(formula: Formula) -> Formula | None:
    match formula:
        case Atom(predicate, positive) if predicate.step:
            return None if predicate.stuttering is None else Truth(predicate.stuttering is positive)
        case Always(body) | Eventually(body):
            return _of_stuttering(body)
        case And(parts) | Or(parts):
            told = [_of_stuttering(part) for part in parts]
            if None in told:
                return None
            join = conjunction if isinstance(formula, And) else disjunction
            return join(part for part in told if part is not None)
    return formula


def _at_first(formula: Formula) -> Formula:
    """What it says of the first state."""
    match formula:
        case And(parts):
            return conjunction(map(_at_first, parts))
        case Or(parts):
            return disjunction(map(_at_first, parts))
        case Always(body):
            return _at_first(body)
        case Eventually():
            return TRUE
    return of_state(formula)


def _throughout(formula: Formula) -> Formula:
    """What it says of every state."""
    match formula:
        case And(parts):
            return conjunction(map(_throughout, parts))
        case Or(parts):
            return disjunction(map(_throughout, parts))
        case Always(body):
            return _at_first(body)
    return formula if formula == FALSE else TRUE
