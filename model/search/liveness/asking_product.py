"""The product of a graph and an automaton whose formula asks where the search is when it meets a state (`Moments`).

A node is a state, a state of the automaton, and the answers that were found when a step led there. Where TLC finds a
new node of a state that it has expanded before, it goes through the steps of that state once more, and asks then.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence

from rmqproof.model.search.liveness.automaton import Automaton
from rmqproof.model.search.liveness.evaluation import Evaluation, Test
from rmqproof.model.search.liveness.formula import Atom, Predicate
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped, Product
from rmqproof.model.search.liveness.moments import Moments
from rmqproof.model.search.liveness.product import Way
from rmqproof.model.search.system import State

Answers = tuple[bool, ...]
Node = tuple[int, int, Answers]
"""A state, a state of the automaton, and what the predicates that ask were when the state was met."""


class _Known(Evaluation):
    """An evaluation in which the predicates that ask have the answers of the node that is looked at."""

    def __init__(self, whole: Evaluation, asking: Sequence[Predicate]) -> None:
        super().__init__(whole.graph, whole.stop)
        self._whole, self._places = whole, {predicate: place for place, predicate in enumerate(asking)}
        self.answers: Answers = ()

    def _atom(self, predicate: Predicate, positive: bool) -> Test:
        place = self._places.get(predicate)
        if place is None:
            return self._whole.test(Atom(predicate, positive))
        return lambda tail, step: self.answers[place] is positive


def asking_product(
    graph: BehaviourGraph, automaton: Automaton, evaluation: Evaluation, asking: Sequence[Predicate], moments: Moments
) -> Product:
    """What both can do together; `asking` are predicates of states in the automaton's formula."""
    return _Exploration(graph, automaton, evaluation, asking, moments).run()


class _Exploration:
    def __init__(
        self,
        graph: BehaviourGraph,
        automaton: Automaton,
        evaluation: Evaluation,
        asking: Sequence[Predicate],
        moments: Moments,
    ) -> None:
        self.graph, self.automaton, self.asking, self.moments = graph, automaton, asking, moments
        self.known = _Known(evaluation, asking)
        self.ways: dict[int, list[Way]] = {}
        self.edges: dict[Node, list[tuple[Node, int, int]]] = {}
        """What each node leads to, by which step of the graph and keeping which promises."""
        self.waiting: defaultdict[int, dict[Node, None]] = defaultdict(dict)
        """By a state that is not expanded yet, its nodes."""

    def run(self) -> Product:
        starts = []
        for number, state in enumerate(self.graph.initial):
            self.moments.begun(number)
            node = state, 0, self._answers(self.graph.states[state])
            starts.append(node)
            self.waiting[state][node] = None
        for state in range(len(self.graph)):
            if self.known.stop():
                raise GraphStopped
            todo = list(self.waiting.pop(state, ()))
            while todo:
                todo.extend(self._expand(todo.pop(), state))
        return self._numbered(starts)

    def _expand(self, node: Node, at: int) -> list[Node]:
        """Find where a node leads, while state `at` is expanded; which nodes are to be expanded then as well."""
        if node in self.edges:
            return []
        state, location, answers = node
        heads = {step: self._head(step, at, state) for step in self.graph.steps(state)}
        found: dict[tuple[Node, int, int], None] = {}
        self.known.answers = answers
        for way in self._ways(location):
            if way.of_state(state, 0):
                for step, (head, met) in heads.items():
                    if way.of_step is None or way.of_step(state, step):
                        found[(head, way.target, met), step, way.kept] = None
        self.edges[node] = list(found)
        more = []
        for reached, _, _ in found:
            if reached[0] > at:
                self.waiting[reached[0]][reached] = None
            else:
                more.append(reached)
        return more

    def _head(self, step: int, at: int, before: int) -> tuple[int, Answers]:
        """Where a step leads, and what is answered there."""
        head = self.graph.heads[step]
        self.moments.met(head, before, at)
        return head, self._answers(self.graph.after.get(step, self.graph.states[head]))

    def _answers(self, state: State) -> Answers:
        return tuple([predicate.test(state) for predicate in self.asking])

    def _ways(self, location: int) -> list[Way]:
        if location not in self.ways:
            self.ways[location] = [Way.of(move, self.known) for move in self.automaton.moves(location)]
        return self.ways[location]

    def _numbered(self, starts: list[Node]) -> Product:
        """The product with its nodes in breadth-first order."""
        numbers = {node: number for number, node in enumerate(dict.fromkeys(starts))}
        count = len(numbers)
        nodes = list(numbers)
        states, heads, steps = array("I"), array("I"), array("Q")
        first, kept = array("Q", [0]), []
        for node in nodes:  # which grows
            states.append(node[0])
            for reached, step, promises in self.edges[node]:
                if reached not in numbers:
                    numbers[reached] = len(nodes)
                    nodes.append(reached)
                heads.append(numbers[reached])
                steps.append(step)
                kept.append(promises)
            first.append(len(heads))
        return Product(count, states, first, heads, steps, kept, self.automaton.all_kept)
