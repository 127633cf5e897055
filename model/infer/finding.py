"""The search for an inductive invariant: counterexamples to induction, and candidates that exclude them.

What holds in the states that are known and excludes most of the counterexamples is assumed, something that every step
keeps if there is such; it becomes a conjunct if the others are not kept without it. So it goes on until Z3 finds no
step that breaks a conjunct, or no candidate excludes one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Protocol

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.infer.clauses import elements, hitting_sets
from rmqproof.model.infer.induction import Breach, Induction, OutOfTime
from rmqproof.model.infer.reachable import Reachable, spread
from rmqproof.model.infer.rows import Space, State
from rmqproof.model.infer.stages import Names, Stage
from rmqproof.model.infer.vocabulary import Clause, Vocabulary, plain
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

_SAMPLE = 120
"""Candidates are made from so many reachable states; those in which one fails are added."""
_POOL = 24
"""So many counterexamples are looked for before a candidate is chosen."""
_FOCUS = 3
"""For so many of them candidates are made."""
_EACH = 60
"""So many candidates of a size for each binding."""
_TRIED = 30
"""So many of the best are asked about one by one."""
_SEEDS = range(8)
_SIMPLER = 0.03
"""As much as excluding this part of the counterexamples counts each step by which a candidate is shorter."""
_WITHDRAWN = 20
"""So many conjuncts are withdrawn before the search gives up."""


_TOGETHER, _MORE, _MOST = 30, 4, 480
"""Candidates asked about together where states are stored elsewhere: at first, so often as many next, at most."""


class Stored(Protocol):
    """The reachable states, kept elsewhere: `size` of them."""

    @property
    def size(self) -> int: ...

    def failing(self, formulas: Sequence[str]) -> list[State | None]:
        """For each formula a state in which it is false, or has no value; None where it holds in all."""

    def shortest(self, expression: str) -> Behaviour | None:
        """A shortest behaviour to a state of which the expression is true."""


@dataclass(frozen=True, eq=False, slots=True)
class Conjunct:
    """A part of the invariant. `name` of a definition; empty for one that was found."""

    text: str
    formula: core.Expression
    name: str = ""
    clause: Clause | None = None


@dataclass(eq=False)
class Finding:
    """The state of a search. `tell` is called with a line for each step of it."""

    words: Vocabulary
    reachable: Reachable
    induction: Induction
    conjuncts: list[Conjunct]
    stages: Sequence[Stage]
    tell: Callable[[str], None] = lambda text: None
    added: Callable[[], None] = lambda: None
    """Called when a conjunct was added."""
    over: Callable[[], bool] = lambda: False
    """Whether the time is over."""
    stored: Stored | None = None
    """More states than `reachable` has."""
    spare: list[Conjunct] = field(default_factory=list)
    """What holds in the states that are known, too. It is assumed, and becomes a conjunct if the others are not kept
    without it."""
    tried: int = 0
    """Candidates that were looked at."""
    left: Breach | None = None
    """A counterexample that no candidate excludes."""
    out_of_time: bool = False
    _pool: list[Breach] = field(default_factory=list)
    _withdrawn: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._system = PythonSystem(plain(self.words.model))
        self._met: list[State] = []  # of the states that are stored elsewhere
        self._held: set[Clause] = set()  # in every state that was explored
        self._sample: list[State] = spread(self.reachable.states, _SAMPLE)
        self._spaces: dict[tuple[Names, int], Space] = {}

    @property
    def assumed(self) -> list[core.Expression]:
        return [conjunct.formula for conjunct in (*self.conjuncts, *self.spare)]

    def run(self) -> bool:
        """Search; whether the conjunction is one that Z3 finds no step to break."""
        try:
            return self._run()
        except OutOfTime:
            self.out_of_time, self.left = True, next(iter(self._pool), None)
            return False

    def _run(self) -> bool:
        while True:
            self._fill()
            if not self._pool:
                if self._needed():
                    continue
                return True
            if self.over():
                raise OutOfTime
            chosen = self._choose()
            if chosen is not None:
                self.add(chosen)
            elif not self._withdraw(self._pool[0]):
                self.left = self._pool[0]
                return False

    def add(self, clause: Clause) -> None:
        """Assume a candidate."""
        conjunct = Conjunct(self.words.text(clause), self.words.formula(clause), clause=clause)
        self.spare.append(conjunct)
        before = len(self._pool)
        self._pool = [breach for breach in self._pool if not self.excludes(clause, breach)]
        self.added()
        self.tell(f"+ {conjunct.text}   (excludes {before - len(self._pool)} of {before})")

    def _withdraw(self, breach: Breach) -> bool:
        """Do without a conjunct that cannot be kept: one that was found, or hinted at."""
        broken = next((c for c in self.conjuncts if c.formula is breach.goal), None)
        if broken is not None and (broken.name or len(self._withdrawn) >= _WITHDRAWN):
            return False
        if broken is not None:
            self.conjuncts.remove(broken)
            self._withdrawn.add(broken.text)
            self.tell(f"- {broken.text}   (nothing excludes a step that breaks it)")
        self._pool = []
        return True

    # --- counterexamples -------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Have some counterexamples, if there are any."""
        if self._pool:
            return
        seen: set[tuple[object, ...]] = set()
        goals = [conjunct.formula for conjunct in self.conjuncts]
        for breach in self.induction.breaches(self.assumed, goals, _SEEDS):
            if breach.before not in seen:
                seen.add(breach.before)
                self._pool.append(breach)
            if len(self._pool) >= _POOL:
                break
        if self._pool:
            self.tell(f"{len(self._pool)} counterexamples to induction")

    def _needed(self) -> bool:
        """Make conjuncts of what is spare and without which some step breaks the others; whether there was any."""
        goals = [conjunct.formula for conjunct in self.conjuncts]
        self.spare.sort(key=lambda conjunct: (bool(conjunct.name), len(conjunct.text)))
        left = list(self.spare)
        while left:
            conjunct = left.pop()
            assumed = [other.formula for other in (*self.conjuncts, *left)]
            if next(self.induction.breaches(assumed, goals), None) is not None:
                self.spare.remove(conjunct)
                self.conjuncts.append(conjunct)
                self.tell(f"needed: {conjunct.text}")
        return len(goals) < len(self.conjuncts)

    def excludes(self, clause: Clause, breach: Breach) -> bool:
        """Whether the candidate is false in the state before a step."""
        space = self.space(clause.names, max((self.words.atoms[x >> 1].level for x in clause.literals), default=0))
        return space.fails(clause, _state(breach))

    # --- candidates ------------------------------------------------------------------------------------------------

    def _choose(self) -> Clause | None:
        """A candidate that holds in the reachable states and excludes a counterexample: the best that was found."""
        for stage in self.stages:
            found: dict[Clause, int] = {}
            for breach in self._pool[:_FOCUS]:
                for clause in self._candidates(breach, stage):
                    if clause not in found and self.words.text(clause) not in self._withdrawn:
                        found[clause] = sum(self.excludes(clause, other) for other in self._pool)
            self.tried += len(found)
            best = sorted(found, key=lambda clause: (self._rank(found[clause], clause), self.words.text(clause)))
            holding = self._holding(best)
            kept: list[Clause] = []
            for clause in holding:
                kept.append(clause)
                formula = self.words.formula(clause)
                if self.induction.keeps([*self.assumed, formula], formula):
                    return clause
                if len(kept) >= _TRIED:
                    break
            if kept:
                return kept[0]
        return None

    def _rank(self, excluded: int, clause: Clause) -> float:
        """The smaller, the better: it excludes many, and is simple."""
        return self.words.cost(clause) * _SIMPLER - excluded / len(self._pool)

    def _holding(self, clauses: Sequence[Clause]) -> Iterator[Clause]:
        """Those that hold in every reachable state that is known."""
        holding = filter(self._holds_here, clauses)
        if self.stored is None:
            yield from holding
            return
        most = _TOGETHER
        while together := list(islice(holding, most)):
            most = min(_MOST, most * _MORE)
            failing = self.stored.failing(list(map(self.words.text, together)))
            found = [(*state[:-1], 0) for state in failing if state is not None]
            self._met += found
            self._sample += found
            held = [clause for clause, state in zip(together, failing, strict=True) if state is None]
            self.tell(f"{len(held)} of {len(together)} candidates hold in all {self.stored.size:,} states")
            yield from held

    def test_of(self, clause: Clause) -> Callable[[State], bool]:
        """Whether a candidate holds in a state. It does not where it has no value."""
        test = self._system.state_condition(self.words.formula(clause))

        def holds(state: State) -> bool:
            try:
                return bool(test(state))
            except TlaError:
                return False

        return holds

    def _holds_here(self, clause: Clause) -> bool:
        holds = self.test_of(clause)
        states = self._met if clause in self._held else chain(self._met, self.reachable.states)
        failing = next((state for state in states if not holds(state)), None)
        if failing is None:
            self._held.add(clause)
        elif failing not in self._sample:
            self._sample.append(failing)
        return failing is None

    def _candidates(self, breach: Breach, stage: Stage) -> Iterator[Clause]:
        state = _state(breach)
        for names in stage.prefixes:
            if self.over():
                return
            space = self.space(names, stage.level)
            space.show(self._sample)
            cost = [self.words.atoms[atom].cost + 1 for atom in space.atoms]
            for row in sorted(space.rows(state)):
                different = [known ^ row for known in space.known]
                for places in hitting_sets(different, space.mask, cost, stage.literals, _EACH):
                    yield space.against(row, elements(places))

    def space(self, names: Names, level: int) -> Space:
        """What the atoms over these names are worth in states."""
        if (names, level) not in self._spaces:
            self._spaces[names, level] = Space(self.words, self._system, names, level)
        return self._spaces[names, level]


def _state(breach: Breach) -> State:
    return (*breach.before, 0)
