"""What a search needs to know of a system: initial states, successors, properties. No TLA+ here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from rmqproof.model.records import dataclass

State = Any
"""Opaque to the search; hashable, picklable, equal by value."""


class Transition(NamedTuple):
    """A step to `state`. `action` indexes `System.actions`; `arguments` are what the action was called with."""

    action: int
    arguments: tuple[Any, ...]
    state: State


@dataclass(frozen=True, slots=True)
class StateProperty:
    """`holds(state)`; `sentence` says what breaks for a user when it does not."""

    name: str
    holds: Callable[[State], bool]
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class StepProperty:
    """`holds(before, after)` for every step, stuttering included by the formula itself."""

    name: str
    holds: Callable[[State, State], bool]
    sentence: str = ""


class System(Protocol):
    """A transition system with properties. Every iteration order is deterministic."""

    @property
    def variables(self) -> Sequence[str]: ...

    @property
    def actions(self) -> Sequence[str]: ...

    @property
    def invariants(self) -> Sequence[StateProperty]: ...

    @property
    def initial_properties(self) -> Sequence[StateProperty]: ...

    @property
    def step_properties(self) -> Sequence[StepProperty]: ...

    @property
    def check_deadlock(self) -> bool: ...

    @property
    def has_constraints(self) -> bool:
        """False when `within` and `allowed` are always true, so that a search may skip the calls."""
        ...

    def initial_states(self) -> Iterator[State]: ...

    def successors(self, state: State) -> Iterable[Transition]:
        """Every successor once per way to reach it: what TLC counts as generated."""
        ...

    def fingerprint(self, state: State) -> int:
        """64 bits; equal for states that VIEW or SYMMETRY identify; the same in every process and run."""
        ...

    def within(self, state: State) -> bool:
        """The state constraints."""
        ...

    def allowed(self, before: State, after: State) -> bool:
        """The action constraints."""
        ...


@runtime_checkable
class Observing(Protocol):
    """A system with formulas that ask where the search is (TLC's TLCGet).

    A search calls `now` before the initial states (`level` 0) and before it expands a state (`level`: the number of
    states on the way to it, 1 for an initial one), and expands the states one after the other in one process.
    `total`, `distinct`, `queue` and `depth` are the search's counts at that moment. Where `stops` the search ends when
    it has expanded the state that it is at.
    """

    def now(self, level: int, total: int, distinct: int, queue: int, depth: int) -> None: ...

    def stops(self) -> bool:
        """Whether a formula has asked to end the search (`TLCSet("exit", TRUE)`)."""
        ...


@runtime_checkable
class Drawing(Protocol):
    """A system with formulas that may draw at random (TLC's RandomElement).

    What is drawn depends on the state and on `salt`, which a search of random behaviours changes for each step.
    """

    def draw_anew(self, salt: str) -> None: ...


@runtime_checkable
class Composing(Protocol):
    """A system with steps that are several actions, one after the other (`A \\cdot B`).

    TLC counts the states between them as generated: `intermediate[0]` grows by their number while `successors` runs.
    """

    intermediate: list[int]


@runtime_checkable
class Assuming(Protocol):
    """A system that knows what its properties assume. `idle` and `idle_steps` have the names of properties, and hold of
    a state, or of a step, in which that is not true: where they always hold, the property says nothing."""

    @property
    def idle(self) -> Sequence[StateProperty]: ...

    @property
    def idle_steps(self) -> Sequence[StepProperty]: ...


def intermediate_of(system: System) -> list[int]:
    """The count of a `Composing` system; of another, one that stays 0."""
    return system.intermediate if isinstance(system, Composing) else [0]
