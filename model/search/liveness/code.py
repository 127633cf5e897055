"""What machine code does for a liveness check, where there is some: graphs that are too large for Python.

Every part has the same answer as the Python that stands in for it where there is no compiler.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rmqproof.model.search.liveness.formula import Formula, Predicate

if TYPE_CHECKING:
    from rmqproof.model.search.liveness.automaton import Automaton
    from rmqproof.model.search.liveness.graph import BehaviourGraph, Evaluation
    from rmqproof.model.search.liveness.packed import PackedSteps
    from rmqproof.model.search.liveness.problem import Problem
    from rmqproof.model.search.liveness.product import Product


@dataclass(frozen=True, slots=True)
class Block:
    """What a block of successors adds to a graph: new packed states, where steps lead (uint32), and for each row where
    its steps end (uint64)."""

    states: memoryview
    heads: memoryview
    ends: memoryview


class Numbering(Protocol):
    """States numbered from 0, by their fingerprints, as they come."""

    def __len__(self) -> int: ...
    def initial(self, steps: PackedSteps) -> Block:
        """Those inside the constraints: `heads` are their numbers."""
        ...

    def take(self, steps: PackedSteps, rows: int, base: int, before: int) -> Block:
        """The steps of `rows` states from number `base` on, where `before` steps are known. Raise `TooLarge`."""
        ...


@dataclass(frozen=True, slots=True)
class FairNodes:
    """A part of a product with a fair cycle: its nodes, and for each choice of the problem whether `lasting` has to
    hold of the edges that are used."""

    nodes: array[int]
    chosen: Sequence[bool]


class GraphCode(Protocol):
    """Raise `GraphStopped` when the evaluation's `stop` says so, and what a predicate raises; `TooLarge`."""

    def numbering(self, words: int) -> Numbering:
        """For packed states of so many words."""
        ...

    def product(self, graph: BehaviourGraph, automaton: Automaton, evaluation: Evaluation) -> Product | None:
        """As product.py; None for an automaton that is too large."""
        ...

    def fair_parts(self, product: Product, problem: Problem, evaluation: Evaluation, most: int) -> list[FairNodes]:
        """The parts with a fair cycle, the `most` with the least first nodes, in their order."""
        ...

    def parents(self, product: Product) -> array[int]:
        """For each node that is not initial the one from which it was first reached."""
        ...

    def mark(self, evaluation: Evaluation, formula: Formula, base: int, bits: bytearray) -> int:
        """Set the bits, from `base` on, of the states of the evaluation's graph that satisfy a formula of states.
        Return how many do."""
        ...

    def keep(self, evaluation: Evaluation, formula: Formula, inside: bytearray) -> None:
        """Set to 0 the bytes of the states of the evaluation's graph that do not satisfy a formula of states."""
        ...

    def gather(self, bits: bytearray, base: int, count: int, words: int, states: Any) -> tuple[memoryview, memoryview]:
        """The content (uint64 × words) and the numbers (uint32) of the marked ones of `count` packed states from
        number `base` on."""
        ...


class Labels(Protocol):
    """Predicates as machine code, on the states of one graph."""

    def fill(
        self, graph: BehaviourGraph, wanted: Sequence[tuple[Predicate, Any]], stop: Callable[[], bool]
    ) -> Sequence[Predicate]:
        """Evaluate the predicates for all states or steps: their answers come into the given places (see graph.py),
        except where one has no compiled form or no value. Return those that were evaluated."""
        ...


class TooLarge(Exception):
    """More states or steps than numbers of 32 bits count, or no memory for them."""

    def __init__(self) -> None:
        super().__init__(
            "liveness was not checked: there is no memory for the graph, or it has more than 4,294,967,294 states; "
            "make the model smaller, or leave liveness out with --ignore-liveness"
        )
