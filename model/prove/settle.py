"""Is a lemma true? Z3 is asked twice: for a proof without bounds, and for a countermodel within bounds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import z3

from rmqproof.model.prove.countermodel import Countermodel, confirm, read_countermodel
from rmqproof.model.prove.logic import Truth, conjunction, negation, term
from rmqproof.model.prove.problem import WHOLE, Goal, Problem, Share, Subject, numbers_in, problems_of
from rmqproof.model.prove.theorems import Lemma

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"
_WORK = 4_000_000
"""Z3's units of work in a second, about."""
_PATIENCE = 20
_SMALL = (1, 2, 4, 8)
"""A countermodel is wanted with numbers as small as these, if there is one."""
_MODELS = 3
"""So many models of each size are shown to the interpreter."""


@dataclass(frozen=True, slots=True)
class Part:
    """The answer about one conjunct of the goal and one way to take a step."""

    step: str
    goal: str
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


def settle(
    subject: Subject, lemma: Lemma, timeout: float, used: tuple[Lemma, ...] = (), share: Share = WHOLE
) -> Verdict:
    """Prove or refute; `timeout` in seconds is for each question. Raise `Untranslatable`.

    `share`: only these ways to take the step; whether the hypotheses are satisfiable is asked in the first share.
    """
    start = time.monotonic()
    witness = satisfied(subject, lemma, timeout) if share.first else True
    reason = ""
    counter: Countermodel | None = None
    parts: tuple[Part, ...] = ()
    verdict = UNKNOWN
    for kind in (REFUTED, PROVED) if lemma.expected == REFUTED else (PROVED, REFUTED):
        if kind == PROVED:
            parts = prove_parts(subject, lemma, timeout, used, share)
            if all(part.verdict == PROVED for part in parts):
                verdict = PROVED
                break
            reason = open_parts(parts)
        else:
            counter = refuted(subject, lemma, timeout, share)
            if counter is not None and counter.confirmed:
                verdict, reason = REFUTED, ""
                break
            if counter is not None:
                reason = counter.doubt
    seconds = time.monotonic() - start
    return Verdict(lemma, verdict, seconds, witness, counter if verdict == REFUTED else None, reason, parts)


def open_parts(parts: Sequence[Part]) -> str:
    """What is not proved, in words."""
    left = [part for part in parts if part.verdict != PROVED]
    named = sorted({f"{part.step}: {part.goal}".strip(": ") for part in left} - {""})
    return "; ".join(named) or "the solver gave up"


def prove_parts(
    subject: Subject, lemma: Lemma, timeout: float, used: tuple[Lemma, ...] = (), share: Share = WHOLE
) -> tuple[Part, ...]:
    """Whether each way to take the step keeps each conjunct of the goal, without bounds."""
    found: list[Part] = []
    for problem in problems_of(subject, lemma, None, used, share):
        found += prove_problem(problem, timeout)
    return tuple(found)


def prove_problem(problem: Problem, timeout: float) -> list[Part]:
    """An answer for each conjunct of the goal; one for all where there is nothing to ask."""
    found = []
    start = time.monotonic()
    for goal in problem.goals:
        if goal.truth is True:
            continue
        proved = follows(problem, goal, timeout)
        now = time.monotonic()
        found.append(Part(problem.title, goal.name, PROVED if proved else UNKNOWN, now - start))
        start = now
    return found or [Part(problem.title, "", PROVED, time.monotonic() - start)]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """How Z3 is asked: for how large a share of the time, with which hypotheses, and how it instantiates them.

    With `relevancy` 0 also terms of alternatives that the search has not taken yet instantiate quantifiers.
    """

    share: float
    related: bool
    model_based: bool
    relevancy: int


# Where one with relevancy 2 has an answer it is quick; those with relevancy 0 use up their share, so they come late.
_ATTEMPTS = (
    _Attempt(0.3, False, False, 2),
    _Attempt(0.15, False, True, 2),
    _Attempt(0.1, True, True, 2),
    _Attempt(0.15, False, False, 0),
    _Attempt(0.1, True, False, 0),
    _Attempt(0.5, False, True, 0),
)


def follows(problem: Problem, goal: Goal, timeout: float) -> bool:
    """Whether Z3 finds that the hypotheses imply this conjunct. False also where it gives up."""
    if z3.is_and(goal.truth):
        return all(follows(problem, replace(goal, truth=part), timeout) for part in goal.truth.children())
    refuted_ = negation(goal.truth)
    variables = {index for index, _ in goal.reads}
    about = frozenset(path for h in problem.hypotheses for path in h.reads or () if path[0] in variables)
    several = any(h.reads is not None and not h.reads <= about for h in problem.hypotheses)
    for attempt in _ATTEMPTS:
        if attempt.related and not several:
            continue
        given = problem.given(about if attempt.related else None)
        answer = _asked([*given, refuted_], attempt, timeout)
        if answer == z3.unsat:
            return True
        if answer == z3.sat and not attempt.related:
            return False
    return False


def _asked(parts: Sequence[Truth], attempt: _Attempt, timeout: float) -> z3.CheckSatResult:
    whole = conjunction(parts)
    if isinstance(whole, bool):
        return z3.sat if whole else z3.unsat
    solver = z3.SimpleSolver()
    solver.set("auto_config", False)
    solver.set("mbqi", attempt.model_based)
    solver.set("relevancy", attempt.relevancy)
    limit(solver, timeout * attempt.share)
    solver.add(*(term(part) for part in parts))
    return solver.check()


def limit(solver: z3.Solver, seconds: float) -> None:
    """Let the solver work for so many seconds, about, of a processor of its own.

    Work is counted, so that the answer does not depend on what else the machine does; the clock ends it much later.
    """
    solver.set("rlimit", max(1, int(seconds * _WORK)))
    solver.set("timeout", max(1, int(seconds * 1000 * _PATIENCE)))


def satisfied(subject: Subject, lemma: Lemma, timeout: float) -> bool | None:
    """Whether some model, which the interpreter confirms, satisfies the hypotheses."""
    return True if _search(subject, replace(lemma, expected=REFUTED), timeout, goal=False) else None


def refuted(subject: Subject, lemma: Lemma, timeout: float, share: Share = WHOLE) -> Countermodel | None:
    """A countermodel within the lemma's bounds, if there is one; a confirmed one if possible."""
    return _search(subject, lemma, timeout, goal=True, share=share)


def _search(subject: Subject, lemma: Lemma, timeout: float, goal: bool, share: Share = WHOLE) -> Countermodel | None:
    doubtful: Countermodel | None = None
    end = time.monotonic() + timeout
    for problem in problems_of(subject, lemma, lemma.bounds, (), share):
        if time.monotonic() > end:
            break
        for model in smallest(problem, goal, end):
            found = confirm(subject.model, lemma, read_countermodel(problem, model), goal)
            if found.confirmed:
                return found
            doubtful = found
    return doubtful if goal else None


def smallest(problem: Problem, goal: bool, end: float) -> Iterator[z3.ModelRef]:
    """Models with small numbers first, as far as there are any. With `goal` such that falsify the goal.

    More than one, for CHOOSE may take something else in the model than the interpreter does.
    """
    parts = (problem.refutation() if goal else problem.given()) + problem.within_scope()
    if conjunction(parts) is False:
        return
    solver = z3.SimpleSolver()
    solver.add(*(term(part) for part in parts))
    values = [*problem.bindings.values(), *(problem.now or ()), *problem.free.values()]
    numbers = numbers_in(values)
    for limit in (*_SMALL, None):
        solver.push()
        if limit is not None:
            for number in numbers:
                solver.add(number <= limit, number >= -1)
        for _ in range(_MODELS):
            left = end - time.monotonic()
            if left <= 0:
                return
            solver.set("timeout", max(1, int(left * 1000)))
            if solver.check() != z3.sat:
                break
            model = solver.model()
            yield model
            if not numbers:
                return
            solver.add(z3.Or(*(number != model.eval(number, model_completion=True) for number in numbers)))
        solver.pop()
