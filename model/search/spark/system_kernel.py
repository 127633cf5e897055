"""A kernel for any `System` in Python: states travel as pickles."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.idle import Idle
from rmqproof.model.search.kernel import Code
from rmqproof.model.search.pickled import StateReader
from rmqproof.model.search.spark.kernel import Arguments, Expansion, States
from rmqproof.model.search.spark.rows import as_objects
from rmqproof.model.search.spark.table import FingerprintTable, SetTable
from rmqproof.model.search.system import State, System, intermediate_of


def encode(state: State) -> bytes:
    return pickle.dumps(state, protocol=5)


def decode(record: bytes) -> State:
    """Raise `pickle.UnpicklingError` for what is no state."""
    return StateReader(io.BytesIO(record)).load()


def shown(arguments: Sequence[Any]) -> str:
    """Arguments as a JSON array, where they are what JSON knows."""
    return json.dumps(list(arguments), ensure_ascii=False, default=str)


@dataclass(slots=True)
class _Columns:
    states: list[bytes] = field(default_factory=list)
    fingerprints: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ordinals: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    arguments: list[bytes] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)
    verdicts: list[int] = field(default_factory=list)
    properties: list[int] = field(default_factory=list)

    def expansion(self, outcomes: list[int], between: int) -> Expansion:
        return Expansion(
            as_objects(self.states),
            np.array(self.fingerprints, np.uint64),
            np.array(self.parents, np.int64),
            np.array(self.ordinals, np.int64),
            np.array(self.actions, np.int16),
            np.array(self.inside, np.bool_),
            np.array(self.verdicts, np.uint8),
            np.array(self.properties, np.int16),
            np.array(outcomes, np.uint8),
            as_objects(self.arguments),
            between,
        )


class SystemKernel:
    """Expands the states of a system one after the other."""

    words = 0
    argument_words = 0

    def __init__(
        self,
        system: System,
        table: Callable[[], FingerprintTable] = SetTable,
        show: Callable[[Sequence[Any]], str] = shown,
    ) -> None:
        """`show`: the text of an action's arguments."""
        self.system = system
        self._table = table
        self._show = show
        self._intermediate = intermediate_of(system)
        self._idle = Idle(system)

    @property
    def actions(self) -> Sequence[str]:
        return self.system.actions

    def table(self) -> FingerprintTable:
        return self._table()

    def narrow(self) -> int:
        return -1

    def arguments(self, encoded: Arguments) -> list[str | None]:
        return [text.decode() for text in encoded]

    def spoken(self) -> int:
        return self._idle.spoken

    def initial(self) -> Expansion:
        columns = _Columns()
        found = ((0, (), state) for state in self.system.initial_states())
        outcome = self._take(columns, 0, None, found)
        return columns.expansion([outcome], 0)

    def expand(self, states: States) -> Expansion:
        columns, outcomes = _Columns(), []
        before = self._intermediate[0]
        for position, record in enumerate(states):
            parent = decode(record)
            found = ((step.action, step.arguments, step.state) for step in self.system.successors(parent))
            outcome = self._take(columns, position, parent, found)
            if outcome == Code.HOLDS and self.system.check_deadlock and columns.parents[-1:] != [position]:
                outcome = Code.NO_SUCCESSOR
            outcomes.append(outcome)
        return columns.expansion(outcomes, self._intermediate[0] - before)

    def check(self, states: States, initial: bool) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
        verdicts, properties = np.zeros(len(states), np.uint8), np.full(len(states), -1, np.int16)
        if self._idle.states or self.system.invariants or (initial and self.system.initial_properties):
            for position, record in enumerate(states):
                verdicts[position], properties[position] = self._check(decode(record), initial)
        return verdicts, properties

    def _take(
        self, columns: _Columns, position: int, parent: Any, found: Iterable[tuple[int, tuple[Any, ...], State]]
    ) -> int:
        ordinal = 0
        try:
            for action, arguments, state in found:
                inside, fingerprint, verdict, number = self._judge(parent, state)
                columns.states.append(encode(state))
                columns.fingerprints.append(fingerprint)
                columns.parents.append(position)
                columns.ordinals.append(ordinal)
                columns.actions.append(action)
                columns.arguments.append(self._show(arguments).encode())
                columns.inside.append(inside)
                columns.verdicts.append(verdict)
                columns.properties.append(number)
                ordinal += 1
        except Exception:
            return Code.NOT_EVALUATED
        return Code.HOLDS

    def _judge(self, parent: Any, state: State) -> tuple[bool, int, int, int]:
        system = self.system
        inside, fingerprint = True, 0
        try:
            if system.has_constraints:
                inside = system.within(state) and (parent is None or system.allowed(parent, state))
            if inside:
                fingerprint = system.fingerprint(state)
            else:
                verdict, number = self._check(state, parent is None)
                if verdict != Code.HOLDS:
                    return inside, fingerprint, verdict, number
            if parent is not None:
                for number, step in enumerate(system.step_properties):
                    if not step.holds(parent, state):
                        return inside, fingerprint, Code.BROKEN_STEP_PROPERTY, number
                if self._idle.steps:
                    self._idle.step(parent, state)
        except Exception:
            return inside and fingerprint != 0, fingerprint, Code.NOT_EVALUATED, -1
        return inside, fingerprint, Code.HOLDS, -1

    def _check(self, state: State, initial: bool) -> tuple[int, int]:
        try:
            for number, invariant in enumerate(self.system.invariants):
                if not invariant.holds(state):
                    return Code.BROKEN_INVARIANT, number
            if initial:
                for number, prop in enumerate(self.system.initial_properties):
                    if not prop.holds(state):
                        return Code.BROKEN_INITIAL_PROPERTY, number
            if self._idle.states:
                self._idle.meet(state)
        except Exception:
            return Code.NOT_EVALUATED, -1
        return Code.HOLDS, -1


@dataclass(frozen=True, slots=True)
class SystemRecipe:
    """A kernel from a function that gives the system, and what it is called with; both are picklable."""

    make: Callable[..., System]
    arguments: tuple[Any, ...] = ()

    @property
    def key(self) -> str:
        return hashlib.sha256(pickle.dumps((self.make, self.arguments))).hexdigest()

    def kernel(self) -> SystemKernel:
        return SystemKernel(self.make(*self.arguments))
