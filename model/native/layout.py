"""Where the variables of a state lie in its packed words.

A word has 63 bits, not 64: packed states are columns of Arrow and Spark, whose longs are signed, so that a word is
never negative there and words compare as numbers everywhere alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Type

from .packing import bits_of
from .representation import Atoms
from .routines import Routines

WORD_BITS = 63
FULL = (1 << WORD_BITS) - 1
"""A word with all its bits."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each variable lies in a packed state: (bit, bits)."""

    variables: tuple[core.Variable, ...]
    types: tuple[Type, ...]
    spans: tuple[tuple[int, int], ...]
    atoms: Atoms
    universe: int
    """See `Capacity.universe`."""

    @property
    def words(self) -> int:
        return words_of(max((at + bits for at, bits in self.spans), default=0))

    def masks(self, variables: Iterable[core.Variable]) -> list[int]:
        """For each word, the bits of these variables."""
        whole = 0
        for variable in variables:
            position, bits = self.spans[variable.index]
            whole |= ((1 << bits) - 1) << position
        return [whole >> WORD_BITS * i & FULL for i in range(self.words)]


def words_of(bits: int) -> int:
    """The words that so many bits take, one at least."""
    return max(1, (bits + WORD_BITS - 1) // WORD_BITS)


def layout_of(types: dict[core.Variable, Type], routines: Routines) -> Layout:
    """The variables one after the other; one that fits a word does not straddle two."""
    at, spans = 0, []
    for type_ in types.values():
        bits = bits_of(routines, type_)
        if bits <= WORD_BITS and at % WORD_BITS + bits > WORD_BITS:
            at += WORD_BITS - at % WORD_BITS
        spans.append((at, bits))
        at += bits
    return Layout(tuple(types), tuple(types.values()), tuple(spans), routines.atoms, routines.structures.universe)
