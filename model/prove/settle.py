"""Is a lemma true? Z3 is asked twice: for a proof without bounds, and for a countermodel within bounds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import z3

from rmqproof.model.prove.countermodel import Countermodel, confirm, read_countermodel
from rmqproof.model.prove.logic import Truth, conjunction, term
from rmqproof.model.prove.problem import Problem, Subject, numbers_in, problems_of
from rmqproof.model.prove.theorems import Lemma

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"
_SMALL = (1, 2, 4, 8)
"""A countermodel is wanted with numbers as small as these, if there is one."""


@dataclass(frozen=True, slots=True)
class Part:
    """The answer about one way to take a step."""

    name: str
    verdict: str
    seconds: float


@dataclass(frozen=True, eq=False, slots=True)
class Verdict:
    """What is known of a lemma. `satisfiable`: its hypotheses hold in some model; None: not known.

    `verdict` is `proved` only where Z3 found that no model without bounds falsifies it, and `refuted` only where the
    interpreter confirmed the countermodel.
    """

    lemma: Lemma
    verdict: str
    seconds: float
    satisfiable: bool | None
    countermodel: Countermodel | None = None
    reason: str = ""
    parts: tuple[Part, ...] = field(default_factory=tuple)

    @property
    def as_expected(self) -> bool:
        return self.verdict == self.lemma.expected and self.satisfiable is True


def settle(subject: Subject, lemma: Lemma, timeout: float, used: tuple[Lemma, ...] = ()) -> Verdict:
    """Prove or refute within `timeout` seconds, about. Raise `Untranslatable`."""
    start = time.monotonic()
    witness = satisfied(subject, lemma, timeout)
    reason = ""
    counter: Countermodel | None = None
    parts: tuple[Part, ...] = ()
    verdict = UNKNOWN
    for kind in (REFUTED, PROVED) if lemma.expected == REFUTED else (PROVED, REFUTED):
        left = max(1.0, timeout - (time.monotonic() - start))
        if kind == PROVED:
            parts = prove_parts(subject, lemma, left, used)
            if all(part.verdict == PROVED for part in parts):
                verdict = PROVED
                break
            reason = ", ".join(part.name or "the solver gave up" for part in parts if part.verdict != PROVED)
        else:
            counter = refuted(subject, lemma, left)
            if counter is not None and counter.confirmed:
                verdict, reason = REFUTED, ""
                break
            if counter is not None:
                reason = counter.doubt
    seconds = time.monotonic() - start
    return Verdict(lemma, verdict, seconds, witness, counter if verdict == REFUTED else None, reason, parts)


def prove_parts(subject: Subject, lemma: Lemma, timeout: float, used: tuple[Lemma, ...] = ()) -> tuple[Part, ...]:
    """Whether each way to take the step keeps the goal, without bounds."""
    found = []
    for problem in problems_of(subject, lemma, None, used):
        start = time.monotonic()
        proved = unsatisfiable(problem.refutation(), timeout)
        found.append(Part(problem.name, PROVED if proved else UNKNOWN, time.monotonic() - start))
    return tuple(found)


def unsatisfiable(parts: Sequence[Truth], timeout: float) -> bool:
    """Whether Z3 finds that the parts exclude each other. False also where it gives up."""
    whole = conjunction(parts)
    if isinstance(whole, bool):
        return not whole
    for share, model_based in ((0.5, False), (0.5, True)):
        solver = z3.SimpleSolver()
        solver.set("auto_config", False)
        solver.set("mbqi", model_based)
        solver.set("timeout", max(1, int(timeout * share * 1000)))
        solver.add(*(term(part) for part in parts))
        answer = solver.check()
        if answer == z3.unsat:
            return True
        if answer == z3.sat:
            return False
    return False


def satisfied(subject: Subject, lemma: Lemma, timeout: float) -> bool | None:
    """Whether some model, which the interpreter confirms, satisfies the hypotheses."""
    return True if _search(subject, replace(lemma, expected=REFUTED), timeout, goal=False) else None


def refuted(subject: Subject, lemma: Lemma, timeout: float) -> Countermodel | None:
    """A countermodel within the lemma's bounds, if there is one; a confirmed one if possible."""
    return _search(subject, lemma, timeout, goal=True)


def _search(subject: Subject, lemma: Lemma, timeout: float, goal: bool) -> Countermodel | None:
    doubtful: Countermodel | None = None
    end = time.monotonic() + timeout
    for problem in problems_of(subject, lemma, lemma.bounds):
        model = smallest(problem, goal, end)
        if model is None:
            continue
        found = confirm(subject.model, lemma, read_countermodel(problem, model), goal)
        if found.confirmed:
            return found
        doubtful = found
    return doubtful if goal else None


def smallest(problem: Problem, goal: bool, end: float) -> z3.ModelRef | None:
    """A model with small numbers, if there is one. With `goal` one that falsifies the goal."""
    parts = (problem.refutation() if goal else problem.given()) + problem.within_scope()
    if conjunction(parts) is False:
        return None
    solver = z3.SimpleSolver()
    solver.add(*(term(part) for part in parts))
    values = [*problem.bindings.values(), *(problem.now or ()), *problem.free.values()]
    numbers = numbers_in(values)
    for limit in (*_SMALL, None):
        left = end - time.monotonic()
        if left <= 0:
            return None
        solver.set("timeout", max(1, int(left * 1000)))
        solver.push()
        if limit is not None:
            for number in numbers:
                solver.add(number <= limit, number >= -1)
        if solver.check() == z3.sat:
            return solver.model()
        solver.pop()
    return None
