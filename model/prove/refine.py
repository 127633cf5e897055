"""Which hypotheses a proof needs, found by what is false in the values that a search without them was left with.

With few hypotheses, said of few names (`grounded`), Z3 ends soon. Where there is no contradiction it has values of
which all of these are true, as far as it looked. Hypotheses that are false of these values are what was missing: some
of them are taken, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import z3

from rmqproof.model.prove.grounded import Grounded
from rmqproof.model.prove.logic import Truth

_ROUNDS = 16
_TAKEN = 3
"""So many hypotheses are taken at once, short ones first."""

Look = Callable[[Sequence[Truth], bool], tuple[z3.CheckSatResult, z3.ModelRef | None]]
"""Z3's answer to a question, and the values that it was left with; whether it tries what is said of all of these."""


@dataclass(frozen=True, eq=False, slots=True)
class Refinement:
    """One question. `question` gives it with some hypotheses, `said` what it says of few names.

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
