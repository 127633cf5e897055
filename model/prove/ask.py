"""Whether hypotheses imply a goal: the goal in pieces, each asked in several ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

import z3

from rmqproof.model.prove.grounded import Grounded
from rmqproof.model.prove.logic import Truth, conjunction, implication, let_go_anywhere, term
from rmqproof.model.prove.name_cases import Case, cases_of
from rmqproof.model.prove.named import Named
from rmqproof.model.prove.obligation import Given, Goal, Obligation
from rmqproof.model.prove.open_sets import first
from rmqproof.model.prove.pieces import Axioms, Piece, Written, conjuncts_of, pieces
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.refine import Refinement
from rmqproof.model.prove.second_solver import Core, Opinions, SecondSolver
from rmqproof.model.prove.shared import NamedAndShared
from rmqproof.model.prove.terms import subterms
from rmqproof.model.prove.values import AtomValue, atom_sort

_WORK = 4_000_000
"""Z3's units of work in a second, about."""
_PATIENCE = 60
"""So many times as long a question may take where the machine is busy."""
_GLANCE = 0.3
"""Seconds for finding that a case cannot be."""


def limit(solver: z3.Solver, seconds: float) -> None:
    """Let the solver work for so many seconds, about, of a processor of its own.

    Work is counted, so that the answer does not depend on what else the machine does; the clock ends it much later.
    """
    solver.set("rlimit", max(1, int(seconds * _WORK)))
    solver.set("timeout", max(1, int(seconds * 1000 * _PATIENCE)))


class Extent(Enum):
    """Which hypotheses are taken into a question. A proof from some of them is a proof."""

    # a key is a name such as b1 in log[b1]
    NEAR = "about the same variables, and no other keys of functions"
    SAME = "about the same variables"
    STEP = "about the same variables and those on which the step depends, and no other keys of functions"
    OWN = "about no other keys of functions"
    SELF = "the same part of a conjunction that is to be kept, and what is no part of it, such as the step's conditions"
    USED = "lemmas that are used, before a step without choices, the same part, and what is no part of the conjunction"
    FALSE = "those that are false in what a search without them was left with, one after the other"
    CORE = "those that a proof for few elements needs, and what is no part of the conjunction"
    MORE = "those that a proof for one element more needs besides"
    ALL = "all"


class Naming(Enum):
    """Of which names what is said of all names is used."""

    ALL = "of those that come up"
    FEW = "of those, but names bring forth names only so far"
    SHARED = "as with few, and formulas that differ in their terms only are said once"
    LEAST = "as with few, and what the goal says there is, is looked for among what hypotheses say there is"
    LEAST_SHARED = "both"
    GROUND = "of those that come up before the search, with few"
    LEAST_GROUND = "of those that come up before the search, with least"


@dataclass(frozen=True, slots=True)
class Attempt:
    """How Z3 is asked: for how large a share of the time, with which hypotheses, and how it instantiates them.

    With `relevancy` 0 also terms of alternatives that the search has not taken yet instantiate quantifiers.
    """

    share: float
    part: Extent
    model_based: bool = False
    relevancy: int = 2
    named: Naming | None = None
    """What is said of all names is used of those that are named (`named`); None: as Z3 likes."""
    eager: float = 10.0
    """Terms that took more steps of instantiation than so many to make are instantiated last."""
    cases: bool = False
    """A question for each way in which names of the goal and of the step may be the same."""


# Where one with relevancy 2 has an answer it is quick; those with relevancy 0 use up their share, so they come late.
_ATTEMPTS = (
    Attempt(0.05, Extent.USED),
    Attempt(0.05, Extent.NEAR),
    Attempt(0.05, Extent.STEP),
    Attempt(0.05, Extent.OWN),
    Attempt(0.05, Extent.SAME),
    Attempt(0.1, Extent.ALL),
    Attempt(0.1, Extent.NEAR),
    Attempt(0.2, Extent.STEP),
    Attempt(0.1, Extent.SAME, True),
    Attempt(0.2, Extent.OWN),
    Attempt(0.3, Extent.ALL),
    Attempt(0.1, Extent.NEAR, True),
    Attempt(0.15, Extent.ALL, True),
    Attempt(0.1, Extent.NEAR, False, 0),
    Attempt(0.15, Extent.ALL, False, 0),
    Attempt(0.5, Extent.ALL, True, 0),
)
_GLANCES = 6

# Where sets may have any number of elements. What is about few names is tried first: most steps leave most parts alone.
_OPEN_ATTEMPTS = (
    Attempt(0.03, Extent.SELF, named=Naming.ALL),
    Attempt(0.05, Extent.USED, named=Naming.SHARED),
    Attempt(0.05, Extent.USED, named=Naming.LEAST_GROUND),
    Attempt(0.05, Extent.USED, named=Naming.ALL),
    Attempt(0.05, Extent.CORE, named=Naming.SHARED),
    Attempt(0.1, Extent.CORE, named=Naming.LEAST_GROUND),
    Attempt(0.1, Extent.CORE, named=Naming.GROUND),
    Attempt(0.05, Extent.SAME, named=Naming.ALL, eager=1.5),
    Attempt(0.15, Extent.FALSE, named=Naming.LEAST_GROUND),
    Attempt(0.2, Extent.FALSE, named=Naming.LEAST_GROUND, cases=True),
    Attempt(0.3, Extent.FALSE, named=Naming.GROUND),
    Attempt(0.3, Extent.FALSE, named=Naming.GROUND, cases=True),
    Attempt(0.05, Extent.CORE, named=Naming.ALL, eager=1.5),
    Attempt(0.1, Extent.CORE, named=Naming.FEW),
    Attempt(0.1, Extent.CORE, named=Naming.ALL),
    Attempt(0.1, Extent.ALL, named=Naming.ALL, eager=1.5),
    Attempt(0.05, Extent.SELF),
    Attempt(0.1, Extent.SAME),
    Attempt(0.1, Extent.ALL),
    Attempt(0.2, Extent.CORE, named=Naming.SHARED),
    Attempt(0.4, Extent.CORE, named=Naming.FEW),
    Attempt(0.3, Extent.CORE, named=Naming.FEW, eager=1.5),
    Attempt(0.2, Extent.CORE, named=Naming.LEAST_SHARED),
    Attempt(0.3, Extent.CORE, named=Naming.LEAST, eager=1.5),
    Attempt(0.2, Extent.MORE, named=Naming.SHARED),
    Attempt(0.6, Extent.MORE, named=Naming.LEAST_SHARED),
    Attempt(0.6, Extent.MORE, named=Naming.FEW),
    Attempt(0.3, Extent.ALL, named=Naming.SHARED),
    Attempt(0.3, Extent.CORE, named=Naming.ALL, eager=3.5),
    Attempt(0.3, Extent.CORE, named=Naming.ALL, eager=1.5),
    Attempt(0.3, Extent.ALL, named=Naming.ALL, eager=3.5),
    Attempt(0.1, Extent.SAME, True),
    Attempt(0.15, Extent.ALL, True),
    Attempt(0.15, Extent.ALL, False, 0),
    Attempt(0.5, Extent.ALL, True, 0),
)
_FEW = 2
_NAME = re.compile(r"\w+(?=[\[.])")
_MOST_OF_A_CORE = 0.1
"""The share of an attempt that finds out which formulas are needed."""
_TAKEN = "taken!"
_TOGETHER = (Attempt(0.05, Extent.STEP), Attempt(0.05, Extent.ALL))


def ask(parts: Sequence[Truth], attempt: Attempt, timeout: float) -> z3.CheckSatResult:
    whole = conjunction(parts)
    if isinstance(whole, bool):
        return z3.sat if whole else z3.unsat
    return look(parts, attempt, timeout)[0]


def look(parts: Sequence[Truth], attempt: Attempt, timeout: float) -> tuple[z3.CheckSatResult, z3.ModelRef | None]:
    """The answer, and the values with which the search ended if it did not break off."""
    context, alone = apart(parts)
    solver = solver_for(attempt, timeout, context)
    solver.add(*alone)
    answer = solver.check()
    broken_off = answer == z3.unknown and "incomplete" not in solver.reason_unknown()
    return answer, None if answer == z3.unsat or broken_off else solver.model().translate(z3.main_ctx())


def core_of(parts: Sequence[Truth], attempt: Attempt, timeout: float) -> list[int] | None:
    """By their indices some of the formulas, few, that Z3 finds to contradict each other; None: it finds none."""
    context, alone = apart(parts)
    solver = solver_for(attempt, timeout, context)
    solver.set("core.minimize", True)
    for number, part in enumerate(alone):
        solver.assert_and_track(part, f"{_TAKEN}{number}")
    if solver.check() != z3.unsat:
        return None
    return sorted(int(str(name).removeprefix(_TAKEN)) for name in solver.unsat_core())


def apart(parts: Sequence[Truth]) -> tuple[z3.Context, list[z3.BoolRef]]:
    """The same formulas in a context of their own.

    In one that is shared terms have numbers by when they were made, and by these Z3 takes one or another first: what it
    finds would depend on what it was asked before.
    """
    context = let_go_anywhere(z3.Context())
    return context, z3.And(*map(term, parts)).translate(context).children()


def _is_name(e: z3.ExprRef) -> bool:
    return bool(e.num_args() == 0 and e.sort() == atom_sort() and e.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def _ids(parts: Iterable[Truth]) -> frozenset[int]:
    return frozenset(part.get_id() for part in parts if not isinstance(part, bool))


def solver_for(attempt: Attempt, timeout: float, context: z3.Context) -> z3.Solver:
    """A solver that works in this way, for its share of so many seconds."""
    solver = z3.SimpleSolver(ctx=context)
    solver.set("auto_config", False)
    solver.set("mbqi", attempt.model_based)
    solver.set("relevancy", attempt.relevancy)
    solver.set("qi.eager_threshold", attempt.eager)
    limit(solver, timeout * attempt.share)
    return solver


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked about at present. `step`: in which way it is taken; empty where that is the same for all.

    `without`: the hypothesis that is dropped, if one is.
    """

    step: str
    part: str
    without: str = ""

    def __str__(self) -> str:
        without = f"without {self.without}: " if self.without else ""
        return f"{without}{self.step}: {self.part}" if self.step else f"{without}{self.part}"


@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked: Z3 by `first`, what is remembered of its answers, and a second solver about what it says.

    `tell`: is told of each part when it is its turn.
    """

    cache: ProofCache = field(default_factory=lambda: ProofCache(None))
    second: SecondSolver | None = None
    first: Callable[[Sequence[Truth], Attempt, float], z3.CheckSatResult] = ask
    look: Callable[[Sequence[Truth], Attempt, float], tuple[z3.CheckSatResult, z3.ModelRef | None]] = look
    tell: Callable[[Asking], None] = lambda asking: None


Z3_ALONE = Asked()

Needed = Callable[[str, str, bool], frozenset[str] | None]
"""By the names of an action and of a part of the goal: the hypotheses that a proof for few elements needs, if known.

Of what holds after the step the names have a prime. The last: whether for one element more.
"""


@dataclass(eq=False)
class Asker:
    """Asks the questions of one obligation. `opinions`: what the second solver said of Z3's answers so far."""

    obligation: Obligation
    timeout: float
    asked: Asked = Z3_ALONE
    needed: Needed | None = None
    opinions: Opinions = field(default_factory=Opinions, init=False)

    def __post_init__(self) -> None:
        self.cache = self.asked.cache
        obligation = self.obligation
        self.texts = obligation.texts
        self._given = [(h, part) for h in obligation.hypotheses for part in conjuncts_of(h.truth)]
        self._sure = {part.get_id() for _, part in self._given if not isinstance(part, bool)}
        self._never = any(part is False for _, part in self._given)

    # Writing formulas down is most of the work where there is little to ask: not before it is needed.

    @cached_property
    def _axioms(self) -> Axioms:
        return Axioms(self.obligation.axioms(), self.texts)

    @cached_property
    def _names(self) -> Sequence[Truth]:
        return self.obligation.names()

    def assume(self, goals: Sequence[Goal], lemmas: Sequence[Given] = ()) -> None:
        """Take these, which were proved, as hypotheses from now on, the goals under their names with a prime."""
        known = {h.name for h, _ in self._given}
        self._given += [(h, part) for h in lemmas if h.name not in known for part in conjuncts_of(h.truth)]
        for goal in goals:
            given = Given(f"{goal.name}'", goal.truth, goal.reads)
            self._given += [(given, part) for part in conjuncts_of(goal.truth)]
        for _, part in self._given:
            # what a lemma concludes from hypotheses that stand there as they are needs no Z3
            if z3.is_implies(part) and all(p.get_id() in self._sure for p in conjuncts_of(part.arg(0))):
                self._sure |= {conclusion.get_id() for conclusion in conjuncts_of(part.arg(1))}

    def impossible(self) -> bool:
        """Whether Z3 finds at once that the hypotheses contradict each other, as in a case that cannot be."""
        if not self._never:
            parts = self.question(Piece((), False), [part for _, part in self._given])
            self._never = self.asked.first(parts, Attempt(1, Extent.ALL), _GLANCE) == z3.unsat
            if self._never:
                self._second([parts])
        return self._never

    def follows(self, goal: Goal, glance: bool = False) -> bool:
        """Whether Z3 finds that the hypotheses imply this conjunct. False also where it gives up.

        `glance`: only the attempts that are quick where they succeed.
        """
        if self._never:
            return True
        open_ = list(self.open_pieces(goal))
        return self._together(open_, goal) or all(self._piece(piece, goal, glance) for piece in open_)

    def _together(self, open_: Sequence[Piece], goal: Goal) -> bool:
        """Whether all pieces are proved in one question, which is quicker where they are easy."""
        if len(open_) <= _FEW or self._is_open:
            return not open_
        whole = Piece((), conjunction(implication(conjunction(p.premises), p.conclusion) for p in open_))
        for attempt in _TOGETHER:
            question = self.question(whole, self._selected(whole, goal, attempt.part))
            key = self.cache.key(map(self.texts.of, question))
            if self.cache.proved(key):
                break
            if self.asked.first(question, attempt, self.timeout) == z3.unsat:
                self.cache.keep(key, True, self.timeout)
                break
        else:
            return False
        if self.asked.second is not None:
            for piece in open_:
                self._second_of(piece, goal, self._questions(piece, goal))
        return True

    def _second(self, questions: Iterable[list[Truth]], core: Core = lambda: None) -> None:
        """Put to the second solver what Z3 has proved, with fewer hypotheses first."""
        if self.asked.second is not None:
            by_length = sorted(questions, key=len)
            written = [(question, list(map(self.texts.of, question))) for question in by_length]
            self.opinions += self.asked.second.on_contradiction(written, core)

    def _second_of(self, piece: Piece, goal: Goal, questions: dict[Extent, list[Truth]], *more: list[Truth]) -> None:
        """As `_second`, of all questions by which the piece may be proved."""
        self._second([*questions.values(), *more], lambda: self._core(piece, goal, dict(questions)))

    def _core(self, piece: Piece, goal: Goal, questions: dict[Extent, list[Truth]]) -> list[Truth] | None:
        """Formulas of the first question for which Z3 soon finds that they are enough."""
        for attempt in self._attempts:
            if attempt.share > _MOST_OF_A_CORE or (put := self._put(piece, goal, attempt, questions)) is None:
                continue
            question, asked = put
            core = core_of(asked, attempt, self.timeout)
            if core is not None:  # what is said of names is said formula by formula, and that they are known after that
                return [question[index] for index in core if index < len(question)]
        return None

    def open_pieces(self, goal: Goal) -> Iterator[Piece]:
        """The pieces of the goal but those that are among the hypotheses."""
        for part in conjuncts_of(goal.truth):
            if not isinstance(part, bool) and part.get_id() in self._sure:
                continue
            for piece in pieces(part):
                if piece.conclusion is not True and False not in piece.premises:
                    yield piece

    def _piece(self, piece: Piece, goal: Goal, glance: bool = False) -> bool:
        questions = self._questions(piece, goal)
        keys = {part: self.cache.key(map(self.texts.of, question)) for part, question in questions.items()}
        if any(map(self.cache.proved, keys.values())):
            self._second_of(piece, goal, questions)
            return True
        # what was tried in vain without a lemma is tried again with it
        tried = self.cache.key(map(self.texts.of, [*questions[Extent.ALL], *questions.get(Extent.USED, ())]))
        if self.cache.tried(tried) >= self.timeout:
            return False
        for attempt in self._attempts[:_GLANCES] if glance else self._attempts:
            if attempt.part is Extent.FALSE:
                found = self._by_what_is_false(piece, goal, attempt)
                if found is None:
                    continue
                self.cache.keep(keys[Extent.ALL], True, self.timeout)
                if len(found) == 1:
                    self._second_of(piece, goal, questions, *found)
                else:
                    for question in found:
                        self._second([question])
                return True
            if (put := self._put(piece, goal, attempt, questions)) is None:
                continue
            answer = self.asked.first(put[1], attempt, self.timeout)
            if answer == z3.unsat:
                # what follows from some hypotheses follows from all; which a core has is found out only later
                self.cache.keep(keys.get(attempt.part, keys[Extent.ALL]), True, self.timeout)
                self._second_of(piece, goal, questions)
                return True
            if answer == z3.sat and attempt.part is Extent.ALL and not attempt.named:
                break
        if not glance:
            self.cache.keep(tried, False, self.timeout)
        return False

    def _put(
        self, piece: Piece, goal: Goal, attempt: Attempt, questions: dict[Extent, list[Truth]]
    ) -> tuple[list[Truth], list[Truth]] | None:
        """The question of this attempt, and how it is put to Z3: formula by formula, and more at the end.

        None: there is none. What it takes a while to make is put into `questions`.
        """
        if attempt.part in (Extent.CORE, Extent.MORE) and attempt.part not in questions:
            questions |= self._of_core(piece, goal, attempt.part)
        if attempt.part not in questions:
            return None
        question = questions[attempt.part]
        return question, question if attempt.named is None else self._of_names(piece, question, attempt.named)

    @cached_property
    def _uses(self) -> bool:
        """Whether there are lemmas that stand in the place of other hypotheses."""
        return any(h.derived and self._is_in_place(self.texts.of(part)) for h, part in self._given)

    def _is_in_place(self, lemma: Written) -> bool:
        """Whether a lemma is tried with few hypotheses: one that names no choices, or where there is no step.

        What is chosen in a step is mostly what a lemma of other names chooses too: there it only leads to more names.
        """
        return not lemma.choices or self.obligation.step is None

    @cached_property
    def _is_open(self) -> bool:
        return bool(self.obligation.maker.open_sets)

    @property
    def _attempts(self) -> tuple[Attempt, ...]:
        return _OPEN_ATTEMPTS if self._is_open else _ATTEMPTS

    @cached_property
    def _literals(self) -> frozenset[int]:
        obligation = self.obligation
        known = [AtomValue.of(atom) for atom in obligation.translator.atoms | obligation.atoms]
        known += [first(name) for name in obligation.maker.open_sets]
        return frozenset(name.term.get_id() for name in known)

    @cached_property
    def _named(self) -> dict[Naming, Named]:
        return {
            Naming.ALL: Named(self._literals),
            Naming.FEW: Named(self._literals, few=True),
            Naming.LEAST: Named(self._literals, few=True, least=True),
        }

    @cached_property
    def _of_types(self) -> frozenset[int]:
        """What says of which kind values are: that is used wherever such a value is spoken of."""
        return _ids([*self._names, *self._axioms.always])

    def _of_names(self, piece: Piece, question: list[Truth], naming: Naming) -> list[Truth]:
        """What the question says of all said of the names in the piece, in the step's conditions, and what comes up."""
        if naming in (Naming.GROUND, Naming.LEAST_GROUND):
            return self._grounded(piece, question, Grounded(self._literals, least=naming is Naming.LEAST_GROUND))
        if naming in (Naming.SHARED, Naming.LEAST_SHARED):
            named: Named = NamedAndShared(self._literals, least=naming is Naming.LEAST_SHARED)
        else:
            named = self._named[naming]
        return named.of(self._about(piece), question, self._of_types, _ids(piece.refutation))

    def _grounded(self, piece: Piece, question: list[Truth], names: Grounded) -> list[Truth]:
        of_goal = _ids([*piece.refutation, *self._axioms.of_choices(question)])
        return names.of(self._about(piece), question, self._of_types, of_goal)

    def _about(self, piece: Piece) -> list[Truth]:
        step = self.obligation.step
        return [*piece.refutation, *(step.conditions if step is not None else ())]

    def _by_what_is_false(self, piece: Piece, goal: Goal, attempt: Attempt) -> list[list[Truth]] | None:
        """The questions, one for each case, with hypotheses from which they follow (`refine`)."""
        some = _ids(self._selected(piece, goal, Extent.ALL))
        kept = [(h, part) for h, part in self._given if h.reads is not None and _ids([part]) <= some]
        others = [(h.name, part) for h, part in kept if not isinstance(part, bool)]
        others.sort(key=lambda other: len(self.texts.of(other[1]).text))
        first = frozenset({goal.name, *(self._needed(goal) or ())})
        found = []
        cases = cases_of(piece, self._step_names) if attempt.cases else [Case(piece)]
        if attempt.cases and len(cases) == 1:
            return None  # that was asked before
        for case in cases:
            question = self._refinement(case, others, attempt).enough(
                Grounded(self._literals, least=attempt.named is Naming.LEAST_GROUND), first
            )
            if question is None:
                return None
            found.append(question)
        return found

    def _refinement(self, case: Case, others: Sequence[tuple[str, z3.ExprRef]], attempt: Attempt) -> Refinement:
        return Refinement(
            [part for h, part in self._given if h.reads is None],
            others,
            lambda hypotheses: self.question(case.piece, [*hypotheses, *case.unlike]),
            lambda names, question: case.said(self._grounded(case.piece, question, names)),
            lambda parts, model_based: self.asked.look(parts, replace(attempt, model_based=model_based), self.timeout),
        )

    @cached_property
    def _step_names(self) -> Sequence[z3.ExprRef]:
        """By which the step is taken."""
        step = self.obligation.step
        conditions = [part for part in (step.conditions if step is not None else ()) if not isinstance(part, bool)]
        names = {node.get_id(): node for node in subterms(conditions) if _is_name(node)}
        return [name for key, name in names.items() if key not in self._literals]

    def _questions(self, piece: Piece, goal: Goal) -> dict[Extent, list[Truth]]:
        """The question with all hypotheses, and with fewer where that makes a difference."""
        questions: dict[Extent, list[Truth]] = {}
        sizes: set[int] = set()
        wanted = {attempt.part for attempt in self._attempts}
        for part in (Extent.ALL, Extent.SAME, Extent.OWN, Extent.STEP, Extent.NEAR, Extent.SELF, Extent.USED):
            if part not in wanted or (part is Extent.USED and not self._uses):
                continue
            hypotheses = self._selected(piece, goal, part)
            if part is Extent.USED or len(hypotheses) not in sizes:  # it has what no other has
                sizes.add(len(hypotheses))
                questions[part] = self.question(piece, hypotheses)
        return questions

    def _needed(self, goal: Goal, more: bool = False) -> frozenset[str] | None:
        if self.needed is None or self.obligation.step is None:
            return None
        return self.needed(self.obligation.name, goal.name, more)

    def tries(self, piece: Piece, goal: Goal) -> Iterator[tuple[Attempt, list[Truth]]]:
        """How a piece is asked about, one after another, with hypotheses alone that were given."""
        questions = self._questions(piece, goal)
        for attempt in self._attempts:
            if attempt.part in questions and attempt.named is None:
                yield attempt, questions[attempt.part]

    def _of_core(self, piece: Piece, goal: Goal, part: Extent) -> dict[Extent, list[Truth]]:
        """The question with the hypotheses that a proof for few elements needs, if that is known.

        What one for one element more needs is taken if that is something else.
        """
        names = self._needed(goal)
        if part is Extent.MORE:
            more = self._needed(goal, True)
            if more is None or names is None or more <= names:
                return {}
            names |= more
        if names is None:
            return {}
        some = [truth for given, truth in self._given if given.reads is None or given.name in {goal.name, *names}]
        return {part: self.question(piece, some)}

    def question(self, piece: Piece, hypotheses: Sequence[Truth]) -> list[Truth]:
        """Whether these hypotheses contradict the piece's negation, with all that is known of what they name."""
        formulas = [*hypotheses, *piece.refutation]
        return [*self._names, *self._axioms.needed(formulas), *formulas]

    def _selected(self, piece: Piece, goal: Goal, part: Extent) -> list[Truth]:
        """The hypotheses that go into a question. One that is derived goes in if it names choices, and none of its own,
        and else into the questions that are made for it."""
        asked = list(map(self.texts.of, piece.refutation))
        choices = frozenset().union(self._step.choices, *(written.choices for written in asked))
        keys = frozenset().union(self._step.keys, *(written.keys for written in asked))
        variables = {index for index, _ in goal.reads}
        if part is Extent.STEP:
            variables |= self._of_step
        about = frozenset(path for h in self.obligation.hypotheses for path in h.reads or () if path[0] in variables)
        found = []
        for hypothesis, truth in self._given:
            written = self.texts.of(truth)
            if hypothesis.derived and not (
                self._is_in_place(written) if part is Extent.USED else written.choices and written.choices <= choices
            ):
                continue
            if part in (Extent.OWN, Extent.STEP, Extent.NEAR) and not written.keys <= keys:
                continue
            if part in (Extent.SAME, Extent.NEAR) and not (hypothesis.reads is None or hypothesis.reads <= about):
                continue
            alone = hypothesis.reads is None or hypothesis.name == goal.name
            if part is Extent.SELF and not alone:
                continue
            if part is Extent.USED and not (alone or hypothesis.derived):
                continue
            found.append(truth)
        return found

    @cached_property
    def _of_step(self) -> set[int]:
        """The variables, by their indices, that the step's conditions read."""
        step = self.obligation.step
        texts = [self.texts.of(c).text for c in step.conditions if not isinstance(c, bool)] if step is not None else []
        names = {name for text in (*texts, *self.obligation.maker.known) for name in _NAME.findall(text)}
        return {index for index, name in enumerate(self.obligation.variables) if name in names}

    @cached_property
    def _step(self) -> Written:
        """What the step's conditions and new values speak about."""
        step = self.obligation.step
        conditions = [c for c in step.conditions if not isinstance(c, bool)] if step is not None else []
        written = list(map(self.texts.of, conditions))
        choices = frozenset().union(*(w.choices for w in written))
        return Written("", choices, frozenset(), False, b"", frozenset().union(*(w.keys for w in written)))
