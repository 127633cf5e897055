"""The arguments of the action that a step comes from, packed beside the step.

A step's words begin with 16 bits that number its signature: the types of the values that follow, each packed as a
variable of that type is. Signature 0: there are none to tell, as for an initial state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from rmqproof.model.records import dataclass
from rmqproof.model.types.domain import Type

from .errors import NotCompilable
from .layout import words_of
from .packing import bits_of, packing
from .representation import bounded

if TYPE_CHECKING:
    from .context import Context
    from .terms import C

Signature = tuple[Type, ...] | None
"""None: the arguments have no packed form."""
NUMBER_BITS = 16
LARGEST = 1 << 12
"""Bits of a step's arguments: what is larger is left out."""


@dataclass(slots=True)
class Signatures:
    """The signatures of a program, numbered from 0."""

    expressions: Context
    found: list[Signature] = field(default_factory=lambda: [None])
    bits: int = NUMBER_BITS

    @property
    def words(self) -> int:
        return words_of(self.bits)

    def put(self, arguments: Sequence[C]) -> str:
        """Statements that put these values beside the step that is emitted."""
        x = self.expressions
        target, x.target = x.target, -1
        try:
            stored = [x.to(value, bounded(x.settle(value.type), x.capacity)) for value in arguments]
            ends, at = [], NUMBER_BITS
            for value in stored:
                at += bits_of(x.routines, value.type)
                ends.append(at)
            if at > LARGEST:
                return ""
            steps = []
            for value, end in zip(stored, ends, strict=True):
                name = x.name("a")
                packed = packing(x.routines, value.type, name, end - bits_of(x.routines, value.type))
                if packed:
                    steps.append(f"{{ {x.c_type(value.type)} {name} = {value.code}; {' '.join(packed)} }}")
        except NotCompilable:
            return ""
        finally:
            x.target = target
        self.bits = max(self.bits, at)
        signature = tuple(value.type for value in stored)
        if signature not in self.found:
            self.found.append(signature)
        number = self.found.index(signature)
        place = "W *w = c->arguments + c->count * ARGUMENT_WORDS;"
        return f"{{ {place} put_(w, 0, {NUMBER_BITS}, {number}); {' '.join(steps)} }} "


__all__ = ["NUMBER_BITS", "Signature", "Signatures"]
