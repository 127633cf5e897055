"""Which hypotheses a proof needs, found by what is false in the values that a search without them was left with.

With few hypotheses, said of few names (`grounded`), Z3 ends soon. Where there is no contradiction it has values of which
all of these are true, as far as it looked. Hypotheses that are false of these values are what was missing: some of
them are taken, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import z3

from rmqproof.model.prove.grounded import Grounded
from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.pieces import Piece, is_of_all
from rmqproof.model.prove.terms import subterms
from rmqproof.model.prove.values import atom_sort

_ROUNDS = 16
_TAKEN = 3
"""So many hypotheses are taken at once, short ones first."""

Look = Callable[[Sequence[Truth], bool], tuple[z3.CheckSatResult, z3.ModelRef | None]]
"""Z3's answer to a question, and the values that it was left with; whether it tries what is said of all of these."""


_CASES = 9


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """A piece of a goal where some names are the same. `apart`: equations of names that are not."""

    piece: Piece
    apart: tuple[z3.BoolRef, ...] = ()

    def without_apart(self, parts: Sequence[Truth]) -> list[Truth]:
        """With the equations of what is not the same taken for false."""
        if not self.apart:
            return list(parts)
        pairs = [(equation, z3.BoolVal(False)) for equation in self.apart]
        simple = [part if isinstance(part, bool) else z3.substitute(part, *pairs) for part in parts]
        return [*simple, *map(z3.Not, self.apart)]


def cases_of_names(piece: Piece, names: Sequence[z3.ExprRef]) -> list[Case]:
    """The cases in which a name that stands for all is one of these, and in which it is none of them.

    Only where that is asked in the piece: in each case Z3 sees of which name it is.
    """
    terms = [part for part in piece.refutation if not isinstance(part, bool)]
    asked = {node.get_id(): node for node in subterms(terms) if _are_names(node)}
    cases = [Case(piece)]
    for name in {node.get_id(): node for node in subterms(terms) if is_of_all(node) and node.sort() == atom_sort()}.values():
        of_name = [e for e in asked.values() if any(e.arg(i).eq(name) for i in (0, 1))]
        others = [other for other in names if any(e.arg(0).eq(other) or e.arg(1).eq(other) for e in of_name)]
        if others and len(cases) * (len(others) + 1) <= _CASES:
            cases = [made for case in cases for made in _cases(case, name, others)]
    return cases


def _cases(case: Case, name: z3.ExprRef, others: Sequence[z3.ExprRef]) -> Iterator[Case]:
    def made(change: Callable[[z3.ExprRef], z3.ExprRef]) -> Piece:
        parts = [part if isinstance(part, bool) else change(part) for part in (*case.piece.premises, case.piece.conclusion)]
        return Piece(tuple(parts[:-1]), parts[-1])

    for other in others:
        yield Case(made(lambda part, other=other: z3.substitute(part, (name, other))), case.apart)  # type: ignore[misc]
    apart = tuple(e for other in others for e in (name == other, other == name))
    pairs = [(equation, z3.BoolVal(False)) for equation in apart]
    yield Case(made(lambda part: z3.substitute(part, *pairs)), (*case.apart, *apart))


def _are_names(e: z3.ExprRef) -> bool:
    return bool(e.decl().kind() == z3.Z3_OP_EQ and e.arg(0).sort() == atom_sort())


@dataclass(frozen=True, eq=False, slots=True)
class Refinement:
    """One question. `question` and `said` give it with these hypotheses, as it stands and of few names.

    `always`: what is no part of the invariant, such as the step's conditions; `others`: the hypotheses that are, by
    name, in the order in which they are taken.
    """

    always: Sequence[Truth]
    others: Sequence[tuple[str, z3.ExprRef]]
    question: Callable[[Sequence[Truth]], list[Truth]]
    said: Callable[[Grounded, list[Truth]], list[Truth]]
    look: Look

    def enough(self, names: Grounded, first: frozenset[str]) -> list[Truth] | None:
        """The question with hypotheses from which it follows; None where none were found. `first`: these are taken."""
        taken = [part for name, part in self.others if name in first]
        known = {part.get_id() for part in taken}
        for _ in range(_ROUNDS):
            question = self.question([*self.always, *taken])
            said = self.said(names, question)
            if names.has_too_many:
                return None
            for model_based in (False, True):
                answer, values = self.look(said, model_based)
                if answer == z3.unsat:
                    return question
                missing = [] if values is None else list(islice(self._false(names, values, known), _TAKEN))
                if missing:
                    break
            else:
                return None
            taken += missing
            known |= {part.get_id() for part in missing}
        return None

    def _false(self, names: Grounded, values: z3.ModelRef, known: set[int]) -> Iterator[z3.ExprRef]:
        for _, part in self.others:
            if part.get_id() not in known and z3.is_false(values.eval(names.of_these(part))):
                yield part
