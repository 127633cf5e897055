"""A piece of a goal in cases: which names of it and of the step are the same.

What a step changes for one name depends on whether a name that the goal is about is that one. In each case that is
known before the search, so that what is said of the next state is said without asking.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import z3

from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.pieces import Piece, is_of_all
from rmqproof.model.prove.terms import subterms
from rmqproof.model.prove.values import atom_sort

_MOST = 9
"""With more cases the time is better spent on the piece as it stands."""


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """A piece where some names are the same. `apart`: equations of names that are not."""

    piece: Piece
    apart: tuple[z3.BoolRef, ...] = ()

    def said(self, parts: Sequence[Truth]) -> list[Truth]:
        """With the equations of what is not the same taken for false."""
        return [*_replaced(parts, [(equation, z3.BoolVal(False)) for equation in self.apart]), *self.unlike]

    @property
    def unlike(self) -> list[Truth]:
        """That they are not the same."""
        return list(map(z3.Not, self.apart))


def cases_of(piece: Piece, names: Sequence[z3.ExprRef]) -> list[Case]:
    """The cases in which a name that stands for all is one of these, and in which it is none of them.

    Only where the piece asks whether they are the same.
    """
    nodes = list(subterms(part for part in piece.refutation if not isinstance(part, bool)))
    asked = [node for node in nodes if node.decl().kind() == z3.Z3_OP_EQ and node.arg(0).sort() == atom_sort()]
    found = [Case(piece)]
    for name in (node for node in nodes if node.sort() == atom_sort() and is_of_all(node)):
        pairs = [{e.arg(0).get_id(), e.arg(1).get_id()} for e in asked]
        others = [other for other in names if {name.get_id(), other.get_id()} in pairs]
        if others and len(found) * (len(others) + 1) <= _MOST:
            found = [made for case in found for made in _cases(case, name, others)]
    return found


def _cases(case: Case, name: z3.ExprRef, others: Sequence[z3.ExprRef]) -> Iterator[Case]:
    for other in others:
        yield Case(_piece(case.piece, [(name, other)]), case.apart)
    apart = [equation for other in others for equation in (name == other, other == name)]
    yield Case(_piece(case.piece, [(e, z3.BoolVal(False)) for e in apart]), (*case.apart, *apart))


def _piece(piece: Piece, pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> Piece:
    *premises, conclusion = _replaced([*piece.premises, piece.conclusion], pairs)
    return Piece(tuple(premises), conclusion)


def _replaced(parts: Sequence[Truth], pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> list[Truth]:
    return [part if isinstance(part, bool) or not pairs else z3.substitute(part, *pairs) for part in parts]
