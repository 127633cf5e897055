"""Propositions on the states and steps of a behaviour graph."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import field
from itertools import islice
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import And, Atom, Formula, Or, Predicate, Truth, predicates_of
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped, Key
from rmqproof.model.search.liveness.moments import Moments

Test = Callable[[int, int], bool]
"""Of a state and a step from it, by their numbers."""
_ASK = 4096
"""Predicates evaluated between two questions whether to stop."""
_REMEMBERED = 1 << 18
"""Answers of a predicate that are kept by what it reads."""
_STEPS = 50_000
"""Steps that are asked about a predicate though no answer about them is needed."""
_ALL_KNOWN = bytes(byte for byte in range(256) if all(byte >> shift & 3 for shift in (0, 2, 4, 6)))
"""Bytes in which each of four answers is known."""
_TRIED = 1 << 12
"""Evaluations of a predicate after which answers are kept by what it reads only if half of the questions were so."""


@dataclass(slots=True)
class _Answers:
    """Of a predicate, by state or step: 0 not evaluated, 1 false, 2 true; two bits each, the first in the lowest of
    a byte. `by_key`: by the values of what it reads."""

    bits: Any
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

    `moments`: where the search was, for predicates that ask.
    """

    def __init__(
        self, graph: BehaviourGraph, stop: Callable[[], bool] = lambda: False, moments: Moments | None = None
    ) -> None:
        self.graph, self.stop, self.moments = graph, stop, moments
        self.evaluated = 0
        """Calls of predicates so far."""
        self._asked = 0
        self._known: dict[Predicate, _Answers] = {}
        self._tests: dict[Formula, Test] = {}

    def take_over(self, part: Evaluation) -> None:
        """Know what was found out on a part of the graph: its states are the first ones here, with the same keys."""
        closed = part.graph.closed
        states = len(part.graph.first) - 1
        steps = part.graph.first[closed if closed is not None else states]
        for predicate, known in part._known.items():
            answers = self._answers(predicate)
            full = (steps if predicate.step else states) // 4
            answers.bits[:full] = known.bits[:full]
            if answers.key is not None and known.key is not None:
                answers.by_key, answers.met, answers.evaluated = known.by_key, known.met, known.evaluated

    def holds(self, formula: Formula, tail: int, step: int) -> bool:
        """Whether the proposition is true of step number `step`, from state `tail`."""
        return self.test(formula)(tail, step)

    def test(self, formula: Formula) -> Test:
        """The proposition as a function, for whoever asks it often."""
        if formula not in self._tests:
            self._tests[formula] = self._test(formula)
        return self._tests[formula]

    def bits(self, predicate: Predicate) -> Any:
        """What is known of a predicate, as `_Answers` has it."""
        return self._answers(predicate).bits

    def answer(self, predicate: Predicate, tail: int, step: int) -> int:
        """What is not known yet: 1 false, 2 true."""
        return self._find(predicate, self._answers(predicate), tail, step)

    def prepare(self, *formulas: Formula) -> None:
        """Have machine code, where there is some, evaluate all predicates of formulas for all states and steps."""
        labels = self.graph.labels
        if labels is None:
            return
        known = {predicate: self._answers(predicate) for formula in formulas for predicate in predicates_of(formula)}
        wanted = [(predicate, answers.bits) for predicate, answers in known.items() if not answers.labelled]
        if wanted:
            labels.fill(self.graph, wanted, self.stop)
        for answers in known.values():
            answers.labelled = True

    def everywhere(self, predicates: Iterable[Predicate]) -> None:
        """Evaluate predicates of states for all of them, and of steps for all, as TLC does when it stores a state and
        its steps. Raise what one raises.

        Of the steps that machine code has no answer for the first `_STEPS` are asked, for each predicate; a step of
        fairness where it is enabled.
        """
        for predicate in sorted(dict.fromkeys(predicates), key=lambda predicate: predicate.step):
            known = self._answers(predicate)
            if predicate.step:
                self._on_steps(predicate, known)
            else:
                for state in _unknown(known.bits, len(self.graph)):
                    self._find(predicate, known, state, 0)

    def _on_steps(self, predicate: Predicate, known: _Answers) -> None:
        first = self.graph.first
        if known.labelled:  # few are left, and they are found block by block
            for step in islice(_unknown(known.bits, len(self.graph.heads)), _STEPS):
                self._find(predicate, known, bisect_right(first, step) - 1, step)
            return
        bits, left = known.bits, _STEPS
        enabled = None if predicate.needs is None else self._atom(predicate.needs, True)
        for tail in range(len(self.graph)):
            if enabled is not None and not enabled(tail, 0):
                continue
            for step in range(first[tail], first[tail + 1]):
                if not bits[step >> 2] >> ((step & 3) << 1) & 3:
                    self._find(predicate, known, tail, step)
                    left -= 1
            if left < 0:
                return

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
        bits, find, wanted = known.bits, self._find, 2 if positive else 1

        def of_step(tail: int, step: int) -> bool:
            found = bits[step >> 2] >> ((step & 3) << 1) & 3 or find(predicate, known, tail, step)
            return bool(found == wanted)

        def of_state(tail: int, step: int) -> bool:
            found = bits[tail >> 2] >> ((tail & 3) << 1) & 3 or find(predicate, known, tail, step)
            return bool(found == wanted)

        return of_step if predicate.step else of_state

    def _answers(self, predicate: Predicate) -> _Answers:
        known = self._known.get(predicate)
        if known is None:
            graph = self.graph
            zeros = graph.storage.zeros((len(graph.heads if predicate.step else graph.states) + 3) // 4)
            by_number = not (predicate.step and graph.after)
            key = graph.keys(predicate.reads) if graph.keys is not None and self.moments is None and by_number else None
            known = self._known[predicate] = _Answers(zeros, key)
        return known

    def _find(self, predicate: Predicate, known: _Answers, tail: int, step: int) -> int:
        found = self._answer(predicate, known, tail, step)
        number = step if predicate.step else tail
        known.bits[number >> 2] |= found << ((number & 3) << 1)
        return found

    def _answer(self, predicate: Predicate, known: _Answers, tail: int, step: int) -> int:
        self._asked += 1
        if self._asked % _ASK == 0 and self.stop():
            raise GraphStopped
        states = self.graph.states
        head = self.graph.heads[step] if predicate.step else tail
        other = self.graph.after.get(step) if predicate.step else None
        if predicate.step and head == tail and other is None and predicate.stuttering is not None:
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
        if self.moments is not None:
            self.moments.expanded(tail)
        if predicate.step:
            found = predicate.test(states[tail], states[head] if other is None else other)
        else:
            found = predicate.test(states[tail])
        answer = 2 if found else 1
        if known.key is not None:
            if known.evaluated % _TRIED == 0 and known.met < known.evaluated:
                known.key = None
                known.by_key.clear()
            elif len(known.by_key) < _REMEMBERED:
                known.by_key[key] = answer
        return answer


def _unknown(bits: Any, count: int) -> Iterator[int]:
    """The numbers below `count` of which the answer is not known, while answers are filled in."""
    for start in range(0, len(bits), _ASK):
        block = bytes(bits[start : start + _ASK])
        whole = max(0, min(len(block), count // 4 - start))  # bytes of which all four numbers are below `count`
        begin = start + whole if not block[:whole].translate(None, _ALL_KNOWN) else start
        for number in range(4 * begin, min(4 * (start + len(block)), count)):
            if not bits[number >> 2] >> ((number & 3) << 1) & 3:
                yield number


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
