"""A next-state relation as pieces, whose disjunction it is: each is one alternative with the choices around it.

`Next == \\E p \\in P : Take(p) \\/ Give(p)` has two, `\\E p \\in P : Take(p)` and `\\E p \\in P : Give(p)`. What a
mutant changes is met in some of them; the others do the same steps as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from rmqproof.model.actions.form import Choice, Disjunction, Enter, Inside, Local, form_of
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import children

Sign = tuple[object, ...]
"""What a piece is made of: the bindings, arguments and definitions on the way to its leaf, and the leaf."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`next`: the piece as a next-state relation; `definitions` are those that were made for it, each a definition of
    the specification with one of its alternatives as its body. Pieces with the same `sign` are the same."""

    next: core.Expression
    sign: Sign
    definitions: tuple[core.Definition, ...] = ()

    @property
    def nodes(self) -> list[core.Expression]:
        """What its steps depend on, beside the definitions that it is reached through."""
        found: list[core.Expression] = []
        for each in self.sign:
            if isinstance(each, core.Definition):
                found += [each.body] if each.local else []
            elif not isinstance(each, core.Binding):
                found.append(cast(core.Expression, each))
        return found


def pieces_of(node: core.Expression) -> Iterator[Piece]:
    """The pieces, in the order of the text."""
    match form_of(node):
        case Disjunction(parts=parts) if isinstance(node, core.Builtin):
            for part in parts:
                yield from pieces_of(part)
        case Choice(quantified=quantified):
            around: Sign = tuple(b for binder in quantified.binders for b in binder.bindings)
            around += tuple(child for child in children(quantified) if child is not quantified.body)
            for piece in pieces_of(quantified.body):
                yield replace(piece, next=replace(quantified, body=piece.next), sign=(*around, *piece.sign))
        case Local(let=let):
            for piece in pieces_of(let.body):
                sign = (*let.definitions, *(each.body for each in let.definitions), *piece.sign)
                yield replace(piece, next=replace(let, body=piece.next), sign=sign)
        case Inside(body=body):
            assert isinstance(node, core.Label)
            for piece in pieces_of(body):
                yield replace(piece, next=replace(node, body=piece.next))
        case Enter(call=call) if not call.definition.recursive and not call.definition.local:
            yield from _of_call(call)
        case _:
            yield Piece(node, (node,))


def _of_call(call: core.Call) -> Iterator[Piece]:
    inner = list(pieces_of(call.definition.body))
    if len(inner) == 1:
        yield Piece(call, (call,))
        return
    for piece in inner:
        one = replace(call.definition, body=piece.next)
        sign = (call.definition, *call.arguments, *piece.sign)
        yield Piece(replace(call, definition=one), sign, (one, *piece.definitions))


def with_piece(model: core.Model, piece: Piece) -> core.Model:
    """The model with the steps of the piece alone. The definitions made for it stand beside those of which they are,
    under names that no configuration can ask for: steps are called by definitions of the specification."""
    made = {f"{each.name} {number}": each for number, each in enumerate(piece.definitions)}
    specification = replace(model.specification, definitions={**model.specification.definitions, **made})
    return replace(model, specification=specification, next=piece.next)
