"""Values that stay the same while a loop runs: computed when they are first needed, and kept until the loop has ended.

C text names what it depends on. Names are numbered in the order in which they are given, so that one with a number
below a loop's first was declared before the loop began; text whose other names are all its own means the same in every
turn. As the value is computed where it is first needed, what fails, fails where it did before.
"""

from __future__ import annotations

import re
from dataclasses import field

from rmqproof.model.records import dataclass

from .terms import C

LONGEST = 200_000
"""Longer text is not looked at."""
_NAME = re.compile(r"\b([a-z]+)(\d+)_")
_CALLED = frozenset(["op", "recursive", "function", "constant", "own", "p"])
"""What names of C functions, of constants and of parameters begin with: they mean the same everywhere."""
_REPEATING = re.compile(r"\b(?:for \(|do \{|while \(|recursive\d|function\d)")
_OPERATOR = re.compile(r"\bop\d+_")


@dataclass(slots=True)
class Loop:
    """A loop whose body is being written. Names from number `first` on are given in it."""

    first: int
    kept: dict[str, str] = field(default_factory=dict)
    """Declarations of what is kept while it runs, by the name that stands in the body when it is used."""
    known: dict[object, C] = field(default_factory=dict)
    """Values that are kept, by what they are the values of."""

    def declared(self, body: str) -> str:
        return " ".join(declaration for name, declaration in self.kept.items() if name in body)


def outermost(loops: list[Loop], text: str, first: int) -> Loop | None:
    """The outermost of the loops in which the text means the same in every turn; its own names begin with `first`."""
    if not loops or len(text) > LONGEST:
        return None
    latest = 0
    for match in _NAME.finditer(text):
        number = int(match[2])
        if latest < number < first and match[1] not in _CALLED:
            latest = number
            if latest >= loops[-1].first:
                return None
    return next(loop for loop in loops if loop.first > latest)


def repeats(text: str, operators: set[str]) -> bool:
    """Whether to compute it takes a loop, in itself or in one of the C functions in `operators`."""
    if _REPEATING.search(text):
        return True
    return any(name in operators for name in _OPERATOR.findall(text))
