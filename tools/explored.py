"""A system that was explored before, as a system whose states are numbers.

A simulation of it takes the same behaviours, since it looks at fingerprints and at the order of successors only, and
evaluates nothing. For models without step properties and without a check for deadlocks, in which nothing is undefined.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from rmqproof.model.search.system import State, StateProperty, StepProperty, System, Transition


class Explored:
    """All states of a system inside its constraints, beyond a violation, too. `bad`: of each, a violated invariant."""

    variables = ("number",)
    actions = ("step",)
    initial_properties: tuple[StateProperty, ...] = ()
    step_properties: tuple[StepProperty, ...] = ()
    check_deadlock = False
    has_constraints = False

    def __init__(self, system: System) -> None:
        if system.step_properties or system.check_deadlock:
            raise ValueError("of what was explored only invariants are known")
        self.invariants = (StateProperty("invariants", lambda number: not self.bad[number]),)
        self.prints: list[int] = []
        self.bad: list[bool] = []
        self._later: list[array[int]] = []
        numbers: dict[int, int] = {}
        waiting: list[State] = []

        def number(state: State) -> int:
            known = system.fingerprint(state)
            if known not in numbers:
                numbers[known] = len(numbers)
                self.prints.append(known)
                self.bad.append(not all(prop.holds(state) for prop in system.invariants))
                waiting.append(state)
            return numbers[known]

        self._starts = [number(state) for state in system.initial_states() if system.within(state)]
        for place, state in enumerate(waiting):  # it grows
            inside = [t for t in system.successors(state) if system.within(t.state) and system.allowed(state, t.state)]
            self._later.append(array("l", [number(transition.state) for transition in inside]))
            waiting[place] = None

    def initial_states(self) -> Iterator[State]:
        return iter(self._starts)

    def successors(self, state: State) -> list[Transition]:
        return [Transition(0, (), later) for later in self._later[state]]

    def fingerprint(self, state: State) -> int:
        return self.prints[state]

    def within(self, state: State) -> bool:
        return True

    def allowed(self, before: State, after: State) -> bool:
        return True
