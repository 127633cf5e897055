"""Small transition systems written in Python, with counts known from elsewhere or worked out by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.search.system import StateProperty, StepProperty, Transition


def digest(state: Any) -> int:
    """64 bits of the state, the same in every process."""
    return int.from_bytes(hashlib.blake2b(repr(state).encode(), digest_size=8).digest(), "big")


@dataclass
class Toy:
    """A `System` from two functions."""

    starts: Sequence[Any]
    step: Callable[[Any], Iterator[tuple[int, Any]]]
    actions: Sequence[str] = ("Step",)
    variables: Sequence[str] = ("x",)
    invariants: Sequence[StateProperty] = ()
    initial_properties: Sequence[StateProperty] = ()
    step_properties: Sequence[StepProperty] = ()
    check_deadlock: bool = False
    constraint: Callable[[Any], bool] | None = None
    action_constraint: Callable[[Any, Any], bool] | None = None
    view: Callable[[Any], Any] = field(default=lambda state: state)

    @property
    def has_constraints(self) -> bool:
        return self.constraint is not None or self.action_constraint is not None

    def initial_states(self) -> Iterator[Any]:
        yield from self.starts

    def successors(self, state: Any) -> Iterator[Transition]:
        for action, after in self.step(state):
            yield Transition(action, (action, "argument"), after)

    def fingerprint(self, state: Any) -> int:
        return digest(self.view(state))

    def within(self, state: Any) -> bool:
        return self.constraint is None or self.constraint(state)

    def allowed(self, before: Any, after: Any) -> bool:
        return self.action_constraint is None or self.action_constraint(before, after)


def counter(limit: int, **more: Any) -> Toy:
    """0, 1, …, limit, then a deadlock: limit + 1 states, generated as many, depth as many."""

    def step(x: int) -> Iterator[tuple[int, int]]:
        if x < limit:
            yield 0, x + 1

    return Toy([0], step, actions=("Increment",), **more)


def grid(width: int, height: int, **more: Any) -> Toy:
    """Steps right or up: width × height states, depth width + height - 1."""

    def step(at: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        x, y = at
        if x + 1 < width:
            yield 0, (x + 1, y)
        if y + 1 < height:
            yield 1, (x, y + 1)

    return Toy([(0, 0)], step, actions=("Right", "Up"), variables=("x", "y"), **more)


def jugs(**more: Any) -> Toy:
    """Die Hard: jugs of 3 and 5 gallons. TLC: 16 distinct, 97 generated, depth 8; 4 gallons after 6 steps."""

    def step(at: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        big, small = at
        yield 0, (big, 3)
        yield 1, (5, small)
        yield 2, (big, 0)
        yield 3, (0, small)
        poured = min(small, 5 - big)
        yield 4, (big + poured, small - poured)
        poured = min(big, 3 - small)
        yield 5, (big - poured, small + poured)

    actions = ("FillSmallJug", "FillBigJug", "EmptySmallJug", "EmptyBigJug", "SmallToBig", "BigToSmall")
    return Toy([(0, 0)], step, actions=actions, variables=("big", "small"), **more)


def two_phase(managers: int, **more: Any) -> Toy:
    """Gray and Lamport's two-phase commit. TLC: 288 distinct, 1146 generated, depth 11 with three managers."""
    members = range(managers)

    def step(state: Any) -> Iterator[tuple[int, Any]]:
        rm, tm, prepared, messages = state

        def becomes(i: int, value: str) -> tuple[str, ...]:
            return (*rm[:i], value, *rm[i + 1 :])

        if tm == "init" and len(prepared) == managers:
            yield 0, (rm, "committed", prepared, messages | {"commit"})
        if tm == "init":
            yield 1, (rm, "aborted", prepared, messages | {"abort"})
        for i in members:
            if tm == "init" and i in messages:
                yield 2, (rm, tm, prepared | {i}, messages)
            if rm[i] == "working":
                yield 3, (becomes(i, "prepared"), tm, prepared, messages | {i})
                yield 4, (becomes(i, "aborted"), tm, prepared, messages)
            if "commit" in messages:
                yield 5, (becomes(i, "committed"), tm, prepared, messages)
            if "abort" in messages:
                yield 6, (becomes(i, "aborted"), tm, prepared, messages)

    def view(state: Any) -> Any:
        rm, tm, prepared, messages = state
        return rm, tm, sorted(prepared), sorted(map(str, messages))

    actions = ("Commit", "Abort", "ReceivePrepared", "Prepare", "ChooseToAbort", "ReceiveCommit", "ReceiveAbort")
    start = (("working",) * managers, "init", frozenset(), frozenset())
    return Toy([start], step, actions=actions, variables=("rm", "tm", "prepared", "messages"), view=view, **more)


@dataclass
class Graph:
    """A graph as a system: numbered states, edges (action, target) in order, and sets that say what holds where."""

    initial: list[int]
    edges: list[list[tuple[int, int]]]
    bad: frozenset[int] = frozenset()
    bad_steps: frozenset[tuple[int, int]] = frozenset()
    outside: frozenset[int] = frozenset()
    forbidden: frozenset[tuple[int, int]] = frozenset()
    check_deadlock: bool = False

    def toy(self) -> Toy:
        constrained = bool(self.outside or self.forbidden)
        return Toy(
            self.initial,
            lambda state: iter(self.edges[state]),
            actions=("A", "B", "C"),
            invariants=[StateProperty("Good", lambda state: state not in self.bad)],
            step_properties=[StepProperty("GoodStep", lambda s, t: (s, t) not in self.bad_steps)],
            check_deadlock=self.check_deadlock,
            constraint=(lambda state: state not in self.outside) if constrained else None,
            action_constraint=(lambda s, t: (s, t) not in self.forbidden) if constrained else None,
        )
