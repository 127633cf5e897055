"""Check temporal properties on the regions of a search that has stored no steps: see regions.py."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.automaton import Automaton
from rmqproof.model.search.liveness.check import TemporalProperty
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.fair_cycle import Lasso, fair_lasso
from rmqproof.model.search.liveness.formula import TRUE, Atom, Formula, conjunction, disjunction, negation
from rmqproof.model.search.liveness.graph import BehaviourGraph
from rmqproof.model.search.liveness.problem import problems
from rmqproof.model.search.liveness.product import product
from rmqproof.model.search.liveness.region_graph import (
    Marked,
    RegionGraph,
    Searched,
    marked,
    region_graph,
    somewhere,
    together,
)
from rmqproof.model.search.liveness.regions import Region, region, standing
from rmqproof.model.search.system import State

_TRIED = 1 << 20
"""States of which one is looked for from where fairness can be satisfied."""


@dataclass(frozen=True, slots=True)
class FoundBehaviour:
    """The states of a behaviour: from `loop` on they repeat for ever."""

    states: list[State]
    loop: int


@dataclass(frozen=True, slots=True)
class _Explored:
    region: RegionGraph
    evaluation: Evaluation


@dataclass(slots=True)
class RegionCheck:
    """As `LivenessCheck`. `sizes`: states and steps of each region that was explored, for who asks.

    Where the search goes on, or with `most`, what is found is true, but not all is found: with it no region is looked
    at in which more states begin, and of others no steps are derived once more states are known.
    """

    searched: Searched
    fairness: Formula
    most: int | None = None
    sizes: list[tuple[int, int]] = field(default_factory=list)
    _entries: dict[Formula, Marked] = field(default_factory=dict)
    _parts: list[Region] = field(default_factory=list)
    """All regions in which a counterexample may begin anywhere."""
    _shared: tuple[Formula, _Explored] | None = None
    """What was explored last for problems without a rest: those with the same `stay` have it in common."""

    def quick(self, properties: Sequence[TemporalProperty]) -> bool:
        """Whether machine code tells of every state whether it belongs to a region."""
        parts = [part for prop in properties for part in _regions(self.fairness, prop.formula)]
        return all(self.searched.quick(formula) for part in parts for formula in (*part.entries, part.stay))

    def begun(self, properties: Sequence[TemporalProperty]) -> int:
        """In how many states counterexamples may begin that may begin anywhere, those of different kinds counted for
        themselves. Raise as `violated`."""
        regions = [part for prop in properties for part in _regions(self.fairness, prop.formula) if part.anywhere]
        self._entries |= marked(
            self.searched, [entry for part in regions for entry in part.entries if entry not in self._entries]
        )
        self._parts = regions
        return sum(self._fewest(part).count for part in regions)

    def violated(self, properties: Sequence[TemporalProperty]) -> list[tuple[TemporalProperty, FoundBehaviour]]:
        """The properties that do not hold, each name once. Raise what `region_graph` and predicates raise."""
        self.begun(properties)
        marked(self.searched, [Atom(atom) for prop in properties for atom in prop.atoms])  # each needs a value
        found: dict[str, tuple[TemporalProperty, FoundBehaviour]] = {}
        for prop in properties:
            for part in _regions(self.fairness, prop.formula):
                behaviour = self._solution(part) if prop.name not in found else None
                if behaviour is not None:
                    found[prop.name] = (prop, behaviour)
        return list(found.values())

    def stands(
        self, properties: Sequence[TemporalProperty], first: int = 0
    ) -> list[tuple[TemporalProperty, FoundBehaviour]]:
        """The properties that are violated by standing still in a known state from number `first` on, as far as a
        state tells, each name once."""
        stills: dict[str, tuple[TemporalProperty, Formula]] = {}
        for prop in properties:
            parts = [part for part in _regions(self.fairness, prop.formula) if part.anywhere]
            told = [still for still in map(self._still, parts) if still is not None]
            before = [stills[prop.name][1]] if prop.name in stills else []
            stills[prop.name] = prop, disjunction([*before, *told])
        if somewhere(self.searched, disjunction(still for _, still in stills.values()), first) is None:
            return []
        found = []
        for prop, still in stills.values():
            number = somewhere(self.searched, still, first)
            if number is not None:
                states = self.searched.known.path(number)
                found.append((prop, FoundBehaviour(states, len(states) - 1)))
        return found

    def some_fair(self) -> bool | None:
        """Whether some behaviour satisfies the fairness conditions; None: it was not found out."""
        if not len(self.searched.known):
            return None
        parts = [part for part in map(region, problems(self.fairness)) if part.anywhere]
        for part in parts:
            still = self._still(part)
            if still is not None and somewhere(self.searched, still) is not None:
                return True
        last = len(self.searched.known) - 1
        bits = bytearray(last // 8 + 1)
        bits[last >> 3] = 1 << (last & 7)
        for part in parts:
            if self._lasso(part, self._explore(part, Marked(bits, 1), _TRIED)) is not None:
                return True
        return None

    def _still(self, part: Region) -> Formula | None:
        """What a state must satisfy for standing still in it to be a solution; None where that is not told quickly."""
        still = standing(part.problem)
        return still if still is not None and self.searched.quick(still) else None

    def _fewest(self, part: Region) -> Marked:
        """The states in which a region begins: of those that are enough the fewest."""
        return min((self._entries[entry] for entry in part.entries), key=lambda some: some.count)

    def _solution(self, part: Region) -> FoundBehaviour | None:
        begun = self._fewest(part) if part.anywhere else None
        if begun is not None and (not begun.count or (self.most is not None and begun.count > self.most)):
            return None
        explored = self._explored(part, begun)
        lasso = self._lasso(part, explored)
        if lasso is None:
            return None
        graph, numbers = explored.region.graph, explored.region.numbers
        states: list[State] = []
        if numbers is not None:
            states = self.searched.known.path(numbers[lasso.prefix[0]])[:-1]
        states += [graph.states[number] for number in (*lasso.prefix, *lasso.cycle[1:])]
        return FoundBehaviour(states, len(states) - len(lasso.cycle))

    def _explored(self, part: Region, begun: Marked | None) -> _Explored:
        if begun is None or part.problem.rest != TRUE:
            return self._explore(part, begun, self.most)
        if self._shared is None or self._shared[0] != part.stay:
            self._shared = None  # its memory is to be free
            alike = [other for other in self._parts if other.problem.rest == TRUE and other.stay == part.stay]
            self._shared = part.stay, self._explore(part, together([self._fewest(other) for other in alike]), self.most)
        return self._shared[1]

    def _explore(self, part: Region, begun: Marked | None, most: int | None) -> _Explored:
        found = region_graph(self.searched, part, begun, most)
        self.sizes.append((len(found.graph), len(found.graph.heads)))
        return _Explored(found, Evaluation(found.graph, self.searched.stop))

    def _lasso(self, part: Region, explored: _Explored) -> Lasso | None:
        problem, evaluation = part.problem, explored.evaluation
        formulas = [problem.lasting, *problem.recurring, problem.rest]
        formulas += [side for choice in problem.choices for side in (choice.lasting, choice.recurring)]
        evaluation.prepare(*formulas)
        found = product(explored.region.graph, Automaton(problem.rest), evaluation)
        return fair_lasso(found, problem, evaluation, self._before(explored.region))

    def _before(self, explored: RegionGraph) -> Callable[[int], int] | None:
        """How many states precede each of the graph's initial ones, which are in the order of discovery."""
        numbers = explored.numbers
        if numbers is None:
            return None
        known = self.searched.known
        ends: list[int] = []
        """Of the initial states: where those end that so many states precede, counted from the fewest."""
        fewest = known.before(numbers[0])

        def before(initial: int) -> int:
            while not ends or ends[-1] <= initial:
                depth = fewest + len(ends)
                ends.append(bisect_right(numbers, depth, key=known.before))
            return fewest + bisect_right(ends, initial)

        return before


def regions_suffice(fairness: Formula, properties: Sequence[TemporalProperty]) -> bool:
    """Whether every property has regions that are less than everything."""
    return not any(part.whole for prop in properties for part in _regions(fairness, prop.formula))


def _regions(fairness: Formula, formula: Formula) -> list[Region]:
    """Where counterexamples can lie."""
    return [region(problem) for problem in problems(conjunction([fairness, negation(formula)]))]


def behaviour_of(found: FoundBehaviour) -> tuple[BehaviourGraph, Lasso]:
    """A graph of nothing but the behaviour's states, and the behaviour in it."""
    numbers = range(len(found.states))
    graph = BehaviourGraph(found.states, [0])
    return graph, Lasso(tuple(numbers[: found.loop + 1]), tuple(numbers[found.loop :]))
