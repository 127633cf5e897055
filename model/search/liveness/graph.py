"""The behaviour graph: every reachable state and every step, stuttering steps included."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.search.liveness.code import GraphCode, Labels
from rmqproof.model.search.liveness.formula import And, Atom, Formula, Or, Predicate, Truth, predicates_of
from rmqproof.model.search.liveness.storage import Numbers, Storage
from rmqproof.model.search.system import State, System

Stop = Callable[[int], bool]
Key = Callable[[int], Hashable]
Test = Callable[[int, int], bool]
"""Of a state and a step from it, by their numbers."""
_ASK = 4096
"""Predicates evaluated between two questions whether to stop."""
_REMEMBERED = 1 << 18
"""Answers of a predicate that are kept by what it reads."""
_TRIED = 1 << 12
"""Evaluations of a predicate after which answers are kept by what it reads only if half of the questions were so."""


@dataclass(slots=True)
class BehaviourGraph:
    """`states` by number, `initial` ones; the steps from state n are the numbers `first[n]` to `first[n + 1] - 1`,
    and step e leads to state `heads[e]`. One of them is the stuttering step, to n itself; there are no two alike.
    Numbers are in the order of discovery, whatever explored the states.

    `states` may make a state when it is asked for one. `keys`, where it is there, gives for some variables (None: all)
    a function from a state's number to what is equal for states in which those variables have equal values.
    """

    states: Sequence[State] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    first: Numbers = field(default_factory=lambda: array("Q", [0]))
    heads: Numbers = field(default_factory=lambda: array("I"))
    keys: Callable[[frozenset[int] | None], Key] | None = None
    storage: Storage = field(default_factory=Storage)
    """For whatever a check has to remember of the graph."""
    code: GraphCode | None = None
    """Machine code for what is done on the graph."""
    labels: Labels | None = None
    """Machine code of predicates."""

    def __len__(self) -> int:
        return len(self.states)

    def steps(self, state: int) -> range:
        return range(self.first[state], self.first[state + 1])


def heads_of(number: int, heads: Iterable[int]) -> dict[int, None]:
    """Where the steps of state `number` lead, stuttering included, each once and in order."""
    return dict.fromkeys((*heads, number))


class GraphStopped(Exception):  # a request, not an error
    """The exploration was asked to stop."""


class Recorder:
    """Builds a graph from what an exploration meets, in breadth-first order. States with one name are one."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._first: array[int] = array("Q", [0])
        self._all: array[int] = array("I")
        self.graph = BehaviourGraph(self._states, first=self._first, heads=self._all)
        self._numbers: dict[Any, int] = {}
        self._heads: list[int] = []

    def start(self, name: Any, state: State) -> None:
        """An initial state inside the constraints."""
        if name not in self._numbers:
            self.graph.initial.append(len(self._states))
            self._number(name, state)

    def step(self, name: Any, state: State) -> None:
        """A step, inside the constraints, from the first state that is not closed."""
        known = self._numbers.get(name)
        self._heads.append(known if known is not None else self._number(name, state))

    def close(self) -> None:
        """There are no more steps from that state."""
        self._all.extend(heads_of(len(self._first) - 1, self._heads))
        self._first.append(len(self._all))
        self._heads = []

    def _number(self, name: Any, state: State) -> int:
        number = self._numbers[name] = len(self._states)
        self._states.append(state)
        return number


def behaviour_graph(system: System, name: Callable[[State], Any], stop: Stop = lambda states: False) -> BehaviourGraph:
    """Explore the states inside the constraints. States with the same `name` are one.

    `stop` is asked before each state is expanded, with the number of states known. Raise `GraphStopped` when it says
    so.
    """
    recorder = Recorder()
    for state in system.initial_states():
        if system.within(state):
            recorder.start(name(state), state)
    graph = recorder.graph
    constrained = system.has_constraints
    expanded = 0
    while expanded < len(graph):
        if stop(len(graph)):
            raise GraphStopped
        before = graph.states[expanded]
        for _, _, after in system.successors(before):
            if not constrained or (system.within(after) and system.allowed(before, after)):
                recorder.step(name(after), after)
        recorder.close()
        expanded += 1
    return graph


@dataclass(slots=True)
class _Answers:
    """Of a predicate, by state or step: 0 not evaluated, 1 false, 2 true; two bits each, the first in the lowest of
    a byte. `by_key`: by the values of what it reads."""

    places: Any
    key: Key | None
    labelled: bool = False
    """Machine code has evaluated it wherever it can."""
    by_key: dict[Hashable, int] = field(default_factory=dict)
    met: int = 0
    """Questions that `by_key` answered."""
    evaluated: int = 0


class Evaluation:
    """Propositions on the steps of a graph; each predicate is evaluated once for each state or step, when asked for,
    and where the graph has keys once for all states with the same values of the variables that it reads.
    """

    def __init__(self, graph: BehaviourGraph, stop: Callable[[], bool] = lambda: False) -> None:
        self.graph, self.stop = graph, stop
        self.evaluated = 0
        """Calls of predicates so far."""
        self._asked = 0
        self._known: dict[Predicate, _Answers] = {}
        self._tests: dict[Formula, Test] = {}

    def holds(self, formula: Formula, tail: int, step: int) -> bool:
        """Whether the proposition is true of step number `step`, from state `tail`."""
        return self.test(formula)(tail, step)

    def test(self, formula: Formula) -> Test:
        """The proposition as a function, for whoever asks it often."""
        if formula not in self._tests:
            self._tests[formula] = self._test(formula)
        return self._tests[formula]

    def places(self, predicate: Predicate) -> Any:
        """What is known of a predicate, as `_Answers` has it."""
        return self._answers(predicate).places

    def answer(self, predicate: Predicate, tail: int, step: int) -> int:
        """What is not known yet: 1 false, 2 true."""
        return self._find(predicate, self._answers(predicate), tail, step)

    def prepare(self, *formulas: Formula) -> None:
        """Have machine code, where there is some, evaluate all predicates of formulas for all states and steps."""
        labels = self.graph.labels
        if labels is None:
            return
        known = {predicate: self._answers(predicate) for formula in formulas for predicate in predicates_of(formula)}
        wanted = [(predicate, answers.places) for predicate, answers in known.items() if not answers.labelled]
        if wanted:
            labels.fill(self.graph, wanted, self.stop)
        for answers in known.values():
            answers.labelled = True

    def everywhere(self, predicates: Iterable[Predicate]) -> None:
        """Evaluate predicates of states for all of them. Raise what one raises."""
        for predicate in dict.fromkeys(predicates):
            test = self.test(Atom(predicate))
            for state in range(len(self.graph)):
                test(state, 0)

    def _test(self, formula: Formula) -> Test:
        match formula:
            case Atom(predicate, positive):
                return self._atom(predicate, positive)
            case And(parts):
                tests = [self.test(part) for part in parts]
                return _all(tests)
            case Or(parts):
                tests = [self.test(part) for part in parts]
                return _any(tests)
            case Truth(value):
                return lambda tail, step: value
        raise TypeError(f"{formula} is not a proposition")

    def _atom(self, predicate: Predicate, positive: bool) -> Test:
        known = self._answers(predicate)
        places, find, wanted = known.places, self._find, 2 if positive else 1

        def of_step(tail: int, step: int) -> bool:
            found = places[step >> 2] >> ((step & 3) << 1) & 3 or find(predicate, known, tail, step)
            return bool(found == wanted)

        def of_state(tail: int, step: int) -> bool:
            found = places[tail >> 2] >> ((tail & 3) << 1) & 3 or find(predicate, known, tail, step)
            return bool(found == wanted)

        return of_step if predicate.step else of_state

    def _answers(self, predicate: Predicate) -> _Answers:
        known = self._known.get(predicate)
        if known is None:
            graph = self.graph
            zeros = graph.storage.zeros((len(graph.heads if predicate.step else graph.states) + 3) // 4)
            key = graph.keys(predicate.reads) if graph.keys is not None else None
            known = self._known[predicate] = _Answers(zeros, key)
        return known

    def _find(self, predicate: Predicate, known: _Answers, tail: int, step: int) -> int:
        found = self._answer(predicate, known, tail, step)
        place = step if predicate.step else tail
        known.places[place >> 2] |= found << ((place & 3) << 1)
        return found

    def _answer(self, predicate: Predicate, known: _Answers, tail: int, step: int) -> int:
        self._asked += 1
        if self._asked % _ASK == 0 and self.stop():
            raise GraphStopped
        states = self.graph.states
        head = self.graph.heads[step] if predicate.step else tail
        if predicate.step and head == tail and predicate.stuttering is not None:
            return 2 if predicate.stuttering else 1
        key: Hashable = None
        if known.key is not None:
            key = (known.key(tail), known.key(head)) if predicate.step else known.key(tail)
            answer = known.by_key.get(key)
            if answer is not None:
                known.met += 1
                return answer
        self.evaluated += 1
        known.evaluated += 1
        found = predicate.test(states[tail], states[head]) if predicate.step else predicate.test(states[tail])
        answer = 2 if found else 1
        if known.key is not None:
            if known.evaluated % _TRIED == 0 and known.met < known.evaluated:
                known.key = None
                known.by_key.clear()
            elif len(known.by_key) < _REMEMBERED:
                known.by_key[key] = answer
        return answer


def _all(tests: list[Test]) -> Test:
    def test(tail: int, step: int) -> bool:
        for each in tests:  # noqa: SIM110, a generator costs more than the tests
            if not each(tail, step):
                return False
        return True

    return test


def _any(tests: list[Test]) -> Test:
    def test(tail: int, step: int) -> bool:
        for each in tests:  # noqa: SIM110, a generator costs more than the tests
            if each(tail, step):
                return True
        return False

    return test


def speaks_of_steps(formula: Formula) -> bool:
    """Whether a proposition has a step predicate."""
    if isinstance(formula, And | Or):
        return any(speaks_of_steps(part) for part in formula.parts)
    return isinstance(formula, Atom) and formula.predicate.step
