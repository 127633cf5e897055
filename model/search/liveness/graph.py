"""A behaviour graph, its products with automata, and the machine code that reads both where they are large.

The graph is every reachable state and every step, stuttering steps included. Every part of the machine code has the
same answer as the Python that stands in for it where there is no compiler.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import field
from typing import Any, Protocol

from rmqproof.model.records import dataclass
from rmqproof.model.search.kernel import PackedSteps
from rmqproof.model.search.liveness.automaton import Automaton
from rmqproof.model.search.liveness.formula import Formula, Predicate
from rmqproof.model.search.liveness.problem import Problem
from rmqproof.model.search.liveness.storage import Numbers, Storage
from rmqproof.model.search.system import State

Stop = Callable[[int], bool]
Key = Callable[[int], Hashable]
Edge = tuple[int, int, int]
"""The node that it leads to, the number of the graph's step, the promises that it keeps (bits)."""


@dataclass(slots=True)
class BehaviourGraph:
    """`states` by number, `initial` ones; the steps from state n are the numbers `first[n]` to `first[n + 1] - 1`,
    and step e leads to state `heads[e]`. One of them is the stuttering step, to n itself; there are no two alike.
    Numbers are in the order of discovery, whatever explored the states.

    Where states that differ are one (what a VIEW does not tell apart), `after` has, by the number of a step, the state
    that it leads to where that is not `states[heads[e]]`; two steps to one number may lead to different states.

    `states` may make a state when it is asked for one. `keys`, where it is there, gives for some variables (None: all)
    a function from a state's number to what is equal for states in which those variables have equal values, or None
    where that is not worth it.
    """

    states: Sequence[State] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    first: Numbers = field(default_factory=lambda: array("Q", [0]))
    heads: Numbers = field(default_factory=lambda: array("I"))
    keys: Callable[[frozenset[int] | None], Key | None] | None = None
    storage: Storage = field(default_factory=Storage)
    """For whatever a check has to remember of the graph."""
    code: GraphCode | None = None
    """Machine code for what is done on the graph."""
    labels: Labels | None = None
    """Machine code of predicates."""
    after: dict[int, State] = field(default_factory=dict)
    closed: int | None = None
    """So many states, the first ones, have all their steps; None: all. The others have but the stuttering one."""
    totals: array[int] = field(default_factory=lambda: array("Q"))
    """By number, how many states had been generated when all steps from that state were known."""
    returning: set[int] = field(default_factory=set)
    """States from which the system has a step to the state itself, where `totals` are known."""

    def __len__(self) -> int:
        return len(self.states)

    def levels(self) -> array[int]:
        """By number, how many states there are on a shortest way to each."""
        found = array("I", [0]) * len(self)
        for state in self.initial:
            found[state] = 1
        for state in range(len(self)):
            for step in self.steps(state):
                found[self.heads[step]] = found[self.heads[step]] or found[state] + 1
        return found

    def steps(self, state: int) -> range:
        return range(self.first[state], self.first[state + 1])


@dataclass(slots=True)
class Product:
    """Nodes are in breadth-first order, the first `starts` of them initial. `states[n]` is the graph's state at node n;
    its edges are those from `first[n]` to `first[n + 1] - 1`: to node `heads[e]`, by the graph's step `steps[e]`,
    keeping the promises `kept[e]`. `kept` None: there are none.
    """

    starts: int
    states: Numbers
    first: Numbers
    heads: Numbers
    steps: Numbers
    kept: Any = None
    all_kept: int = 0
    code: GraphCode | None = None
    _parents: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.states)

    def edges(self, node: int) -> Iterator[Edge]:
        heads, steps, kept = self.heads, self.steps, self.kept
        for edge in range(self.first[node], self.first[node + 1]):
            yield heads[edge], steps[edge], kept[edge] if kept is not None else 0

    def path_to(self, node: int) -> list[int]:
        """Nodes from an initial one to `node`, as few as possible."""
        path = [node]
        while path[-1] >= self.starts:
            path.append(self._parent(path[-1]))
        return path[::-1]

    def begin_late(self, before: Callable[[int], int]) -> None:
        """From now on paths are the shortest where `before(n)` states precede the initial node n; these numbers do not
        fall with n, and no initial node is reached sooner from another one."""
        self._parents = parents = array("I", bytes(4 * len(self)))
        seen = bytearray(len(self))
        first, heads, starts = self.first, self.heads, self.starts
        reached: list[int] = []
        start = level = 0
        while reached or start < starts:
            level = level + 1 if reached else before(start)
            while start < starts and before(start) <= level:
                if not seen[start]:
                    seen[start] = 1
                    reached.append(start)
                start += 1
            tails, reached = reached, []
            for tail in tails:
                for head in heads[first[tail] : first[tail + 1]]:
                    if not seen[head]:
                        seen[head] = 1
                        parents[head] = tail
                        reached.append(head)

    def _parent(self, node: int) -> int:
        """The node from which this one was first reached."""
        if not self._parents and self.code is not None:
            self._parents = self.code.parents(self)
        if not self._parents:
            self._parents = parents = array("I", bytes(4 * len(self)))
            seen, first, heads = self.starts, self.first, self.heads
            # nodes have the numbers in which they were reached
            for tail in range(len(self)):
                for head in heads[first[tail] : first[tail + 1]]:
                    if head == seen:
                        parents[head] = tail
                        seen += 1
        return self._parents[node]


class Answers(Protocol):
    """What is known of predicates on the states and steps of a graph: see `Evaluation`."""

    graph: BehaviourGraph
    stop: Callable[[], bool]

    def bits(self, predicate: Predicate) -> Any: ...
    def answer(self, predicate: Predicate, tail: int, step: int) -> int: ...


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
    """Raise `GraphStopped` when `answers.stop` says so, and what a predicate raises; `TooLarge`."""

    def numbering(self, words: int) -> Numbering:
        """For packed states of so many words."""
        ...

    def product(self, graph: BehaviourGraph, automaton: Automaton, answers: Answers) -> Product | None:
        """As product.py; None for an automaton that is too large."""
        ...

    def fair_parts(self, product: Product, problem: Problem, answers: Answers, most: int) -> list[FairNodes]:
        """The parts with a fair cycle, the `most` with the least first nodes, in their order."""
        ...

    def parents(self, product: Product) -> array[int]:
        """For each node that is not initial the one from which it was first reached."""
        ...

    def mark(self, answers: Answers, formula: Formula, base: int, bits: bytearray) -> int:
        """Set the bits, from `base` on, of the states of the answers' graph that satisfy a formula of states.
        Return how many do."""
        ...

    def keep(self, answers: Answers, formula: Formula, inside: bytearray) -> None:
        """Set to 0 the bytes of the states of the answers' graph that do not satisfy a formula of states."""
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
        """Evaluate the predicates for all states or steps: their answers come into the given bits (see graph.py),
        except where one has no compiled form or no value. Return those that were evaluated."""
        ...


class GraphStopped(Exception):  # a request, not an error
    """The exploration was asked to stop."""


class TooLarge(Exception):
    """More states or steps than numbers of 32 bits count, or no memory for them."""

    def __init__(self) -> None:
        super().__init__(
            "liveness was not checked: there is no memory for the graph, or it has more than 4,294,967,294 states; "
            "make the model smaller, or leave liveness out with --ignore-liveness"
        )
