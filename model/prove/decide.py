"""Is a lemma true? Z3 is asked twice: for a proof without bounds, and for a countermodel within bounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

import z3

from rmqproof.model.prove.ask import Z3_ALONE, Asked, Asker, Asking, Needed, limit
from rmqproof.model.prove.cores import Cores
from rmqproof.model.prove.countermodel import Countermodel, confirm, read_countermodel
from rmqproof.model.prove.effort import Unmade
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.logic import Truth, conjunction, term
from rmqproof.model.prove.obligation import EVERYTHING, Goal, Obligation, Selection, numbers_in
from rmqproof.model.prove.second_solver import Opinions
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.ways import Likeness, Way, cases_of, likeness

PROVED, REFUTED, UNKNOWN, VACUOUS, DISPUTED = "proved", "refuted", "unknown", "vacuous", "disputed"
_SMALL = (1, 2, 4, 8)
"""A countermodel is wanted with numbers as small as these, if there is one."""
NO_WAY: tuple[Way, ...] = ()
"""As a share: what is to be shown for whichever way, that the hypotheses have values."""
_MODELS = 3
"""So many models of each size are shown to the Python engine."""


@dataclass(frozen=True, slots=True)
class Part:
    """The answer about one conjunct of the goal and one way to take a step."""

    step: str
    """Empty for what is the same for all ways."""
    goal: str
    verdict: str
    seconds: float
    second: Opinions = field(default_factory=Opinions)
    """What a second solver said of what Z3 proved, for this part and those before it that say nothing of their own."""


@dataclass(frozen=True, eq=False, slots=True)
class Verdict:
    """What is known of a lemma. `satisfiable`: its hypotheses hold in some model; None: not known.

    `verdict` is `proved` only where Z3 found that no model without bounds falsifies it, nor makes its truth depend on
    what has no value, and the Python engine confirmed values that satisfy the hypotheses; `refuted` only where it
    confirmed the countermodel; `vacuous` where the hypotheses contradict each other; `disputed` where a second solver
    says the opposite of Z3.
    """

    lemma: Lemma
    verdict: str
    seconds: float
    satisfiable: bool | None
    countermodel: Countermodel | None = None
    reason: str = ""
    parts: tuple[Part, ...] = field(default_factory=tuple)
    second: Opinions = field(default_factory=Opinions)
    """What a second solver said of what the verdict rests on."""

    @property
    def as_expected(self) -> bool:
        return self.verdict == self.lemma.expected and self.satisfiable is True


def decide(
    subject: Subject,
    lemma: Lemma,
    timeout: float,
    used: tuple[Lemma, ...] = (),
    asked: Asked = Z3_ALONE,
    share: Sequence[Way] | None = None,
    first: bool = True,
) -> Verdict:
    """Prove or refute; `timeout` in seconds is for each question. Raise `Untranslatable`.

    `share`: only these ways to take the step. `first`: it is also asked whether the hypotheses are satisfiable.
    """
    start = time.monotonic()
    witness = satisfied(subject, lemma, timeout, asked=asked) if first else None
    reason = ""
    counter: Countermodel | None = None
    parts: tuple[Part, ...] = ()
    verdict = UNKNOWN
    for kind in (REFUTED, PROVED) if lemma.expected == REFUTED else (PROVED, REFUTED):
        if kind == PROVED:
            parts, left = _parts_and_reason(subject, lemma, timeout, used, asked, share)
            if all(part.verdict == PROVED for part in parts):
                verdict = PROVED
                break
            reason = left
        else:
            titles = None if share is None else frozenset(part.step for part in parts if part.verdict != PROVED)
            counter = refuted(subject, lemma, timeout, Selection(titles), asked)
            if counter is not None and counter.confirmed:
                verdict, reason = REFUTED, ""
                break
            if counter is not None:
                reason = f"{reason} ({counter.doubt})" if reason else counter.doubt
    if verdict == PROVED and first and witness is None:
        verdict, reason = (
            (VACUOUS, CONTRADICTION) if contradicts(subject, lemma, timeout, used) else (UNKNOWN, NO_WITNESS)
        )
    shown = counter if verdict == REFUTED else None
    second = sum((part.second for part in parts), shown.second if shown is not None else Opinions())
    if second.opposite:
        verdict, reason = DISPUTED, DISPUTE
    seconds = time.monotonic() - start
    return Verdict(lemma, verdict, seconds, witness, shown, reason, parts, second)


COUNTERMODEL, WITNESS = "values that falsify it", "values that satisfy its hypotheses"
"""In the place of a part: which values are looked for."""
GAVE_UP = "the solver gave up"
CONTRADICTION = "its hypotheses contradict each other, so it says nothing"
DISPUTE = "Z3 and the second solver say the opposite: one of them, or the translation, is wrong; please report it"
NO_WITNESS = "proved, but no values that satisfy its hypotheses were found: it may say nothing"


def _parts_and_reason(
    subject: Subject, lemma: Lemma, timeout: float, used: tuple[Lemma, ...], asked: Asked, share: Sequence[Way] | None
) -> tuple[tuple[Part, ...], str]:
    """As `prove_parts`, and why not all are proved; nothing is where a question takes too much work to make."""
    try:
        parts = prove_parts(subject, lemma, timeout, used, asked, share)
    except Unmade as error:
        titles = [way.title for way in share or ()] or [""]
        return tuple(Part(title, "", UNKNOWN, 0.0) for title in titles), error.reason
    return parts, open_parts(parts)


def contradicts(subject: Subject, lemma: Lemma, timeout: float, used: tuple[Lemma, ...]) -> bool:
    """Whether Z3 finds that no values at all satisfy the hypotheses, whichever way a step is taken."""
    try:
        return all(Asker(obligation, timeout).impossible() for obligation in obligations_of(subject, lemma, None, used))
    except Unmade:
        return False


def open_parts(parts: Sequence[Part]) -> str:
    """What is not proved, in words."""
    left = [part for part in parts if part.verdict != PROVED]
    named = sorted({f"{part.step}: {part.goal}".strip(": ") for part in left} - {""})
    return "; ".join(named) or GAVE_UP


def prove_parts(
    subject: Subject,
    lemma: Lemma,
    timeout: float,
    used: tuple[Lemma, ...] = (),
    asked: Asked = Z3_ALONE,
    share: Sequence[Way] | None = None,
) -> tuple[Part, ...]:
    """Whether each way to take the step keeps each conjunct of the goal, without bounds.

    Without `share` every way is asked about, also those that differ only in which name is which, and whether the
    hypotheses that are the same for all ways have values. `NO_WAY`: only the latter, which is part of no way.
    """
    found: list[Part] = []
    needed = Cores(subject, lemma, used, timeout).needed if subject.open_sets else None
    if share is None:
        for number, obligation in enumerate(obligations_of(subject, lemma, None, used)):
            if number == 0:
                found += prove_grounds(obligation, timeout, asked, True)
            found += prove_obligation(obligation, timeout, asked, needed=needed)
        return tuple(found)
    if not share:
        for obligation in islice(obligations_of(subject, lemma, None, used), 1):
            found += prove_grounds(obligation, timeout, asked, True)
        return tuple(found)
    like = likeness(subject, lemma)
    for way in share:
        found += prove_way(subject, lemma, way, timeout, used, asked, like, needed)
    return tuple(found)


def prove_way(
    subject: Subject,
    lemma: Lemma,
    way: Way,
    timeout: float,
    used: tuple[Lemma, ...],
    asked: Asked,
    like: Likeness,
    needed: Needed | None = None,
) -> list[Part]:
    """An answer for each conjunct of the goal, over all the cases into which the way falls."""
    start = time.monotonic()
    selection = Selection(frozenset({way.title}), {}, like.partial)
    obligations = list(obligations_of(subject, lemma, None, used, selection))
    cases = cases_of(obligations, selection, like.names)
    answers: dict[str, tuple[bool, float]] = {}
    second = Opinions()
    for case in cases:
        for obligation in obligations if case is selection else obligations_of(subject, lemma, None, used, case):
            for part in prove_obligation(obligation, timeout, asked, case is not selection, needed):
                second += part.second
                if not part.goal and part.verdict == PROVED:
                    continue  # also the answer where there is nothing to ask; a conjunct may have no name, and be open
                proved, seconds = answers.get(part.goal, (True, 0.0))
                answers[part.goal] = (proved and part.verdict == PROVED, seconds + part.seconds)
    asking = sum(seconds for _, seconds in answers.values())
    parts = [Part(way.title, goal, PROVED if proved else UNKNOWN, s) for goal, (proved, s) in answers.items()]
    return [*parts, Part(way.title, "", PROVED, time.monotonic() - start - asking, second)]


def prove_grounds(obligation: Obligation, timeout: float, asked: Asked, common: bool) -> list[Part]:
    """Whether the hypotheses have values: those that all ways have in `common`, or the others."""
    if common:
        asked = replace(asked, tell=partial(_told_of_all, asked.tell))
    found = [part for ground in obligation.on_grounds(common) for part in prove_obligation(ground, timeout, asked)]
    return [replace(part, step="") for part in found] if common else found


def _told_of_all(tell: Callable[[Asking], None], asking: Asking) -> None:
    tell(replace(asking, step=""))


def prove_obligation(
    obligation: Obligation,
    timeout: float,
    asked: Asked = Z3_ALONE,
    is_case: bool = False,
    needed: Needed | None = None,
) -> list[Part]:
    """An answer for each conjunct of the goal; one for all where there is nothing to ask.

    `is_case`: it is one of several cases, some of which cannot be. `needed`: as the asker's.
    """
    start = time.monotonic()
    asker = Asker(obligation, timeout, asked, needed)
    if is_case and asker.impossible():
        return [Part(obligation.title, "", PROVED, time.monotonic() - start, asker.opinions)]
    found = prove_grounds(obligation, timeout, asked, False)
    left = [goal for goal in obligation.goals if goal.truth is not True and not goal.places]
    seconds: dict[int, float] = {}
    glance = len(left) > 1
    while left:
        proved = []
        for goal in left:
            start = time.monotonic()
            asked.tell(Asking(obligation.title, goal.name))
            if asker.follows(goal, glance):
                proved.append(goal)
            seconds[id(goal)] = seconds.get(id(goal), 0.0) + time.monotonic() - start
        left = [goal for goal in left if goal not in proved]
        found += [Part(obligation.title, goal.name, PROVED, seconds[id(goal)]) for goal in proved]
        if not proved and not glance:
            break
        glance = glance and bool(proved)
        kept = {goal.name for goal in obligation.goals} - {goal.name for goal in left}
        asker.assume(
            proved, [later.given for later in obligation.later if later.needs <= kept]
        )  # what holds after the step helps to prove the rest
    found += [Part(obligation.title, goal.name, UNKNOWN, seconds[id(goal)]) for goal in left]
    if not left:
        found += [prove_value(obligation, goal, asker) for goal in obligation.goals if goal.places]
    found = found or [Part(obligation.title, "", PROVED, time.monotonic() - start)]
    return [*found[:-1], replace(found[-1], second=found[-1].second + asker.opinions)]


def prove_value(obligation: Obligation, goal: Goal, asker: Asker) -> Part:
    """Whether what a goal says has a value, after the goals themselves; where not, at which places."""
    start = time.monotonic()
    asker.asked.tell(Asking(obligation.title, goal.name))
    if asker.follows(goal):
        return Part(obligation.title, goal.name, PROVED, time.monotonic() - start)
    places = [p for p, truth in goal.places.items() if not asker.follows(Goal("", truth, goal.reads), True)]
    return Part(obligation.title, f"{goal.name} ({', '.join(places)})", UNKNOWN, time.monotonic() - start)


def satisfied(
    subject: Subject, lemma: Lemma, timeout: float, selection: Selection = EVERYTHING, asked: Asked = Z3_ALONE
) -> bool | None:
    """Whether some model, which the Python engine confirms, satisfies the hypotheses."""
    alone = replace(asked, second=None)  # what is asked of it is about the goal
    return True if _search(subject, replace(lemma, expected=REFUTED), timeout, False, selection, alone) else None


def refuted(
    subject: Subject, lemma: Lemma, timeout: float, selection: Selection = EVERYTHING, asked: Asked = Z3_ALONE
) -> Countermodel | None:
    """A countermodel within the lemma's bounds, if there is one; a confirmed one if possible."""
    return _search(subject, lemma, timeout, True, selection, asked)


def _search(
    subject: Subject,
    lemma: Lemma,
    timeout: float,
    goal: bool,
    selection: Selection = EVERYTHING,
    asked: Asked = Z3_ALONE,
) -> Countermodel | None:
    doubtful: Countermodel | None = None
    end = time.process_time() + timeout
    try:
        for obligation in obligations_of(subject, lemma, lemma.bounds, (), selection):
            if time.process_time() > end:
                break
            asked.tell(Asking(obligation.title, COUNTERMODEL if goal else WITNESS))
            for model, formulas in smallest(obligation, goal, end):
                found = confirm(subject.model, lemma, read_countermodel(obligation, model), goal)
                if found.confirmed:
                    return replace(found, second=asked.second.on_model(formulas)) if asked.second is not None else found
                doubtful = found
    except Unmade:
        pass  # as where the time is over
    return doubtful if goal else None


def smallest(obligation: Obligation, goal: bool, end: float) -> Iterator[tuple[z3.ModelRef, list[Truth]]]:
    """Models with small numbers first, as far as there are any, each with what it satisfies.

    With `goal` such that falsify the goal. `end` is of the processor's time, so that it does not depend on what else
    the machine does.

    More than one, for CHOOSE may take something else in the model than the Python engine does.
    """
    parts = (obligation.refutation() if goal else obligation.given()) + obligation.within_scope()
    if conjunction(parts) is False:
        return
    solver = z3.SimpleSolver()
    solver.add(*(term(part) for part in parts))
    values = [*obligation.bindings.values(), *(obligation.now or ()), *obligation.free.values()]
    numbers = numbers_in(values)
    for largest in (*_SMALL, None):
        solver.push()
        if largest is not None:
            for number in numbers:
                solver.add(number <= largest, number >= -1)
        for _ in range(_MODELS):
            left = end - time.process_time()
            if left <= 0:
                return
            limit(solver, left)
            if solver.check() != z3.sat:
                break
            model = solver.model()
            yield model, list(solver.assertions())
            if not numbers:
                return
            solver.add(z3.Or(*(number != model.eval(number, model_completion=True) for number in numbers)))
        solver.pop()
