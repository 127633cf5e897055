"""Which hypotheses a proof needs, an unsatisfiable core, where sets have the few elements that the configuration gives.

There a formula about all elements is a formula for each, so that Z3 finds a proof in a moment, and finds it again with
one hypothesis less. Of a set of any size the same few hypotheses are taken first: that they are enough there is a
guess, and where they are not, those are taken that a proof for one element more needs, and others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import z3

from rmqproof.model.prove.ask import Asker, Attempt, Extent, apart, solver_for
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.logic import Truth, conjunction, implication
from rmqproof.model.prove.modules import used_by
from rmqproof.model.prove.obligation import Goal, Obligation, Selection
from rmqproof.model.prove.pieces import Piece, conjuncts_of
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.prove.ways import Likeness, Way, cases_of, likeness, ways_of

_ATTEMPT = Attempt(0.1, Extent.ALL)
_SHORT = 3_000
"""What is not longer costs little, and may be needed where there are more."""

Given = tuple[str, Truth]
"""The name of a hypothesis, and what it says or a conjunct of that."""


@dataclass(eq=False)
class Cores:
    """Of one lemma about steps. `timeout` as for a proof: seconds for a question, about.

    `short`: hypotheses whose text is no longer are not spared.
    """

    subject: Subject
    lemma: Lemma
    used: tuple[Lemma, ...]
    timeout: float
    short: int = 0
    _known: dict[tuple[str, str], frozenset[str] | None] = field(default_factory=dict, init=False)
    _made: dict[str, list[Asker]] = field(default_factory=dict, init=False)

    def needed(self, action: str, goal: str, more: bool = False) -> frozenset[str] | None:
        """The names of hypotheses from which this part follows in every way to take the action; None: not known.

        `more`: with one element more than the configuration has.
        """
        if more:
            return None if self._of_more is None else self._of_more.needed(action, goal)
        if (action, goal) not in self._known:
            found = [_enough(asker, goal, self.short) for asker in self._askers(action)]
            known = [names for names in found if names is not None]
            self._known[action, goal] = frozenset().union(*known) if len(known) == len(found) else None
        return self._known[action, goal]

    @cached_property
    def _of_more(self) -> Cores | None:
        if self.subject.larger is None:
            return None
        larger = replace(self.subject.larger(), most=self.subject.most)
        for lemma in lemmas_of(larger.model.specification):
            if lemma.name == self.lemma.name:
                return Cores(larger, lemma, used_by(larger, lemma), self.timeout, _SHORT)
        return None

    @cached_property
    def _few(self) -> Subject:
        return replace(self.subject, open_sets=())

    @cached_property
    def _like(self) -> Likeness:
        return likeness(self._few, self.lemma)

    @cached_property
    def _ways(self) -> Sequence[Way]:
        return ways_of(self._few, self.lemma, self._like)

    def _askers(self, action: str) -> list[Asker]:
        """One for each way to take the action, and for each case into which it falls."""
        if action not in self._made:
            made = self._made[action] = []
            for way in (way for way in self._ways if way.action == action):
                selection = Selection(frozenset({way.title}), {}, self._like.partial)
                obligations = list(self._obligations(selection))
                for case in cases_of(obligations, selection, self._like.names):
                    some = obligations if case is selection else self._obligations(case)
                    askers = [Asker(obligation, self.timeout) for obligation in some if obligation.step]
                    made += [asker for asker in askers if case is selection or not asker.impossible()]
        return self._made[action]

    def _obligations(self, selection: Selection) -> Iterator[Obligation]:
        return obligations_of(self._few, self.lemma, None, self.used, selection)


def core_of(asker: Asker, goal: Goal) -> frozenset[str] | None:
    """Names of hypotheses from which Z3 proves this part of the goal; None: it does not.

    Those of what holds after the step, used where what holds before it is not enough, have a prime.
    """
    obligation = asker.obligation
    pieces, before = list(asker.open_pieces(goal)), _before(obligation)
    own = {part.get_id() for part in conjuncts_of(goal.truth) if not isinstance(part, bool)}
    assumed = {name for name, part in before if not isinstance(part, bool) and part.get_id() in own}
    needed = _core(asker, pieces, before)
    if needed is None:
        goals = [each for each in obligation.goals if each is not goal and not each.places]
        needed = _core(asker, pieces, [*before, *_after(goals)])
    if needed is None:
        found = [_used_at_length(asker, piece, goal, before) for piece in pieces]
        known = [names for names in found if names is not None]
        needed = set().union(*known) if len(known) == len(found) else None
    return None if needed is None else frozenset(needed | assumed)


def _used_at_length(asker: Asker, piece: Piece, goal: Goal, given: Sequence[Given]) -> set[str] | None:
    for attempt, question in asker.tries(piece, goal):
        names = _used_in(question, given, attempt, asker.timeout)
        if names is not None:
            return names
    return None


def core_of_impossible(asker: Asker) -> frozenset[str] | None:
    """Names of hypotheses that contradict each other, as far as Z3 finds that at once."""
    needed = _core(asker, [Piece((), False)], _before(asker.obligation))
    return None if needed is None else frozenset(needed)


def _before(obligation: Obligation) -> list[Given]:
    return [(h.name, part) for h in obligation.hypotheses for part in conjuncts_of(h.truth)]


def _after(goals: Sequence[Goal]) -> list[Given]:
    return [(f"{goal.name}'", part) for goal in goals if goal.truth is not True for part in conjuncts_of(goal.truth)]


def _enough(asker: Asker, name: str, short: int) -> frozenset[str] | None:
    """Names of hypotheses from which this part follows; without any longer one than `short` there is no proof at once.

    What holds after the step is used only where what holds before it is not enough.
    """
    obligation = asker.obligation
    goals = [goal for goal in obligation.goals if goal.truth is not True and not goal.places]
    pieces = [piece for goal in goals if goal.name == name for piece in asker.open_pieces(goal)]
    before, after = _before(obligation), _after([goal for goal in goals if goal.name != name])
    needed = _core(asker, pieces, before)
    given = before
    if needed is None:
        given = [*before, *after]
        needed = _core(asker, pieces, given)
    size = {name: sum(len(asker.texts.of(part).text) for n, part in given if n == name) for name in needed or ()}
    for one in sorted(needed or (), key=lambda name: (-size[name], name)):  # what is long costs most
        if needed is not None and one in needed and size[one] > short:
            less = _core(asker, pieces, [(n, part) for n, part in given if n in needed and n != one])
            needed = needed if less is None else less
    trivial = {h.name for h in obligation.hypotheses if h.truth is True}  # what the types say where there are few
    return None if needed is None else frozenset(needed | trivial)


def _core(asker: Asker, pieces: Sequence[Piece], given: Sequence[Given]) -> set[str] | None:
    """The names of what a proof of all pieces uses, or None where none is found at once."""
    whole = Piece((), conjunction(implication(conjunction(p.premises), p.conclusion) for p in pieces))
    for some in ([whole], pieces):
        found: set[str] = set()
        for piece in some:
            names = _used(asker, piece, given)
            if names is None:
                break
            found |= names
        else:
            return found
    return None


def _used(asker: Asker, piece: Piece, given: Sequence[Given]) -> set[str] | None:
    return _used_in(asker.question(piece, [part for _, part in given]), given, _ATTEMPT, asker.timeout)


def _used_in(question: Sequence[Truth], given: Sequence[Given], attempt: Attempt, timeout: float) -> set[str] | None:
    """The names of what a proof uses that Z3 finds in this way, if it does."""
    names: dict[int, str] = {}
    for name, part in given:
        if not isinstance(part, bool):
            names.setdefault(part.get_id(), name)
        elif not part:
            return {name}
    context, alone = apart(question)
    solver = solver_for(attempt, timeout, context)
    tracked: dict[str, str] = {}
    for number, (part, asked) in enumerate(zip(question, alone, strict=True)):
        known = None if isinstance(part, bool) else names.get(part.get_id())
        if known is None:
            solver.add(asked)
        else:
            tracked[f"part!{number}"] = known
            solver.assert_and_track(asked, f"part!{number}")
    return {tracked[str(part)] for part in solver.unsat_core()} if solver.check() == z3.unsat else None
