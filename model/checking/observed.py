"""A model whose formulas ask where the search is: `TLCGet("level")`, `TLCGet("distinct")`, registers of TLCSet.

TLC's level is that of the state a formula is evaluated in: of the successor in constraints, invariants and VIEW, of the
state that is being expanded in the next-state relation, action constraints and step properties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar

from rmqproof.model.checking.possible import PossibleWatch
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.search.system import State, StateProperty, StepProperty

_Told = TypeVar("_Told")


class ObservedSystem:
    """A `PythonSystem` that is told where the search is (`search.system.Observing`).

    `watch` sees the states and steps that the constraints leave.
    """

    def __init__(self, inner: PythonSystem, watch: PossibleWatch | None = None) -> None:
        self.inner = inner
        self.watch = watch
        self.variables: Sequence[str] = inner.variables
        self.actions: Sequence[str] = inner.actions
        self.check_deadlock = inner.check_deadlock
        self.has_constraints = inner.has_constraints or watch is not None
        self.invariants: Sequence[StateProperty] = [self._above(prop) for prop in inner.invariants]
        self.initial_properties: Sequence[StateProperty] = [self._above(prop) for prop in inner.initial_properties]
        self.step_properties: Sequence[StepProperty] = inner.step_properties
        self.intermediate = inner.intermediate
        self._started = monotonic()

    def now(self, level: int, total: int, distinct: int, queue: int, depth: int) -> None:
        runtime = self.inner.runtime
        runtime.level, runtime.generated, runtime.distinct = level, total, distinct
        runtime.queue, runtime.diameter, runtime.duration = queue, depth, int(monotonic() - self._started)

    def stops(self) -> bool:
        return self.inner.runtime.exit

    def draw_anew(self, salt: str) -> None:
        self.inner.draw_anew(salt)

    def initial_states(self) -> Iterator[State]:
        return self.inner.initial_states()

    def successors(self, state: State) -> Any:
        return self.inner.successors(state)

    def fingerprint(self, state: State) -> int:
        return self._one_above(self.inner.fingerprint, state)

    def within(self, state: State) -> bool:
        inside = self._one_above(self.inner.within, state)
        return inside and (self.watch is None or self._one_above(self.watch.state, state))

    def allowed(self, before: State, after: State) -> bool:
        return self.inner.allowed(before, after) and (self.watch is None or self.watch.step(before, after))

    def _above(self, prop: StateProperty) -> StateProperty:
        return replace(prop, holds=lambda state: self._one_above(prop.holds, state))

    def _one_above(self, test: Callable[[State], _Told], state: State) -> _Told:
        runtime = self.inner.runtime
        runtime.level += 1
        try:
            return test(state)
        finally:
            runtime.level -= 1
