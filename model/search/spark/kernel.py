"""What the Spark search needs of a model: blocks of states in, columns of successors out.

A kernel runs in every worker. It is made there from a `Recipe`, which travels with the tasks, and it gives the same
columns in every process: successors in one fixed order, and the same fingerprints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.table import FingerprintTable

States = NDArray[Any]
"""Encoded states: (n, words) of uint64 where all have one length, else (n,) objects of type bytes."""
Arguments = NDArray[Any]
"""What actions were called with, likewise: equal rows for equal arguments of one action."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The successors of a block of states, by parent, each parent's in their order.

    Row i is the successor number `ordinals[i]` (from 0) of the state at `parents[i]` of the block. `inside` is false
    for one that the constraints cut. `verdicts` and `properties` speak of the step: constraints, step properties, and
    the invariants of a successor that was cut; `properties` is -1 where nothing is broken. `outcomes` has an entry for
    each state of the block. `arguments`: of the action. `between`: states between the actions of composed steps.
    """

    states: States
    fingerprints: NDArray[np.uint64]
    parents: NDArray[np.int64]
    ordinals: NDArray[np.int64]
    actions: NDArray[np.int16]
    inside: NDArray[np.bool_]
    verdicts: NDArray[np.uint8]
    properties: NDArray[np.int16]
    outcomes: NDArray[np.uint8]
    arguments: Arguments
    between: int = 0


class Kernel(Protocol):
    """One thread's. The columns it returns are the caller's to keep."""

    @property
    def actions(self) -> Sequence[str]: ...

    @property
    def words(self) -> int:
        """64-bit words of an encoded state; 0 where the length varies."""
        ...

    @property
    def argument_words(self) -> int:
        """64-bit words of encoded arguments; 0 where the length varies."""
        ...

    def arguments(self, encoded: Arguments) -> list[str | None]:
        """Each as the text that the store keeps: a JSON array. None where they are not known."""
        ...

    def initial(self) -> Expansion:
        """The initial states, as successors of a single state that does not exist."""
        ...

    def expand(self, states: States) -> Expansion: ...

    def check(self, states: States, initial: bool) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
        """Invariants (and, of initial states, initial properties): a verdict and the first broken property each."""
        ...

    def narrow(self) -> int:
        """After a TOO_SMALL: the variable that it was about, or -1."""
        ...

    def spoken(self) -> int:
        """The properties, as `search.idle` numbers them, whose antecedents were true of what was checked or expanded
        by this kernel."""
        ...

    def table(self) -> FingerprintTable:
        """An empty table."""
        ...


class Recipe(Protocol):
    """A picklable way to make the kernel in another process."""

    @property
    def key(self) -> str:
        """Equal for recipes of equal kernels: a worker makes each once."""
        ...

    def kernel(self) -> Kernel: ...


def join(parts: Sequence[States], words: int) -> States:
    """The states, or the arguments, of these parts, one after the other."""
    if parts:
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
    return np.empty((0, words), np.uint64) if words else np.empty(0, object)
