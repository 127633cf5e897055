"""What every kernel says of states and steps, and how a search goes on when it cannot go on with that kernel.

A kernel takes packed states in blocks and gives their successors in columns. One is compiled (`native.kernel`, and
graph code over it), one runs Python functions (`search.spark.system_kernel`); the codes below are those of kernel.c.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Protocol, TypeVar


class Code(IntEnum):
    """What a kernel says of a state, a step, or the expansion of a state."""

    HOLDS = 0
    BROKEN_INVARIANT = 1
    BROKEN_INITIAL_PROPERTY = 2
    BROKEN_STEP_PROPERTY = 3
    NOT_EVALUATED = 4
    """An expression has no value: the Python engine, asked about the same state, says which."""
    TOO_SMALL = 5
    """The packed states have no room for a value: the kernel has to be made anew, with more."""
    NO_SUCCESSOR = 6


class PackedSteps(Protocol):
    """Successors of packed states, in one fixed order, one entry for each way to reach one: see native/kernel.py."""

    @property
    def count(self) -> int: ...
    @property
    def states(self) -> bytes:
        """uint64 × words."""
        ...

    @property
    def fingerprints(self) -> bytes:
        """uint64."""
        ...

    @property
    def parents(self) -> bytes:
        """uint32, the row of the block."""
        ...

    @property
    def inside(self) -> bytes:
        """uint8: the constraints keep it."""
        ...

    @property
    def verdicts(self) -> bytes:
        """uint8, for each successor."""
        ...

    @property
    def outcomes(self) -> bytes:
        """uint8, for each row."""
        ...


class TooSmall(Exception):
    """The packed states have no room for a value. `variable`: of which one, -1 for what lies between variables; None
    where only the kernel knows (`narrow`)."""

    def __init__(self, variable: int | None = None) -> None:
        super().__init__("a value does not fit the packed states")
        self.variable = variable


class NotEvaluated(Exception):
    """An expression has no value in some state."""


class Disagreement(Exception):
    """A kernel and the Python engine do not see the same: the kernel has no further part in the search.

    `refuted`: the reference evaluator says that the kernel is wrong; else it has no answer, or was not asked.
    """

    def __init__(self, message: str, refuted: bool = False) -> None:
        super().__init__(message)
        self.refuted = refuted


Found = TypeVar("Found")


def until_it_fits(attempt: Callable[[], Found], widen: Callable[[int], None]) -> Found:
    """What the attempt comes to, made again with wider bounds as often as it raises `TooSmall`.

    `widen(variable)` makes a kernel with wider bounds; it ends the tries by raising (`NotCompilable` where a value
    grows without end). Whatever else the attempt raises is the caller's to fall back on.
    """
    while True:
        try:
            return attempt()
        except TooSmall as error:
            variable = -1 if error.variable is None else error.variable
        widen(variable)
