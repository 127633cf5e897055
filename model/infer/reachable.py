"""Reachable states: all of a small instance, or as many as the limits allow; and how each was reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.report.behaviour import Behaviour, Origin, Step
from rmqproof.model.search.system import State

_WALK = 60
"""Steps of a random walk."""
_BETWEEN = 256
"""States between two looks at the clock."""


@dataclass(slots=True)
class Reachable:
    """`states` in the order of a breadth-first search, each with the number of the one before it and how it was left.

    `whole`: these are all. `violated`: the number of a state that violates something, by name.
    """

    states: list[State] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    whole: bool = False
    violated: dict[str, int] = field(default_factory=dict)
    _numbers: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _came: list[tuple[int, int, tuple[Any, ...]] | None] = field(default_factory=list)

    def steps_to(self, values: tuple[Any, ...]) -> int | None:
        """The fewest steps from an initial state to the state with these values; None where it was not met."""
        number = self._numbers.get(values)
        return None if number is None else self.depth[number]

    def number(self, values: tuple[Any, ...]) -> int:
        """Where a state is that was met."""
        return self._numbers[values]

    def meet(self, state: State, came: tuple[int, int, tuple[Any, ...]] | None) -> bool:
        """Whether the state is new."""
        values = state[:-1]
        if values in self._numbers:
            return False
        self._numbers[values] = len(self.states)
        self.states.append(state)
        self._came.append(came)
        self.depth.append(0 if came is None else self.depth[came[0]] + 1)
        return True

    def forget(self, most: int) -> None:
        """All states but so many, those that were met first."""
        for state in self.states[most:]:
            del self._numbers[state[:-1]]
        for each in (self.states, self.depth, self._came):
            del each[most:]

    def behaviour(self, system: PythonSystem, number: int, violated: str, sentence: str, command: str) -> Behaviour:
        """How a state is reached."""
        path = [number]
        while (came := self._came[path[-1]]) is not None:
            path.append(came[0])
        steps = []
        for index, at in enumerate(reversed(path)):
            came = self._came[at]
            action = None if came is None else system.actions[came[1]]
            arguments = () if came is None else tuple(map(to_itf, came[2]))
            steps.append(Step(index, action, arguments, system.to_itf(self.states[at])))
        names = frozenset(str(value) for value in system.model.model_values)
        return Behaviour(
            tuple(steps[0].state), tuple(steps), None, violated, sentence, Origin(command=command, model_values=names)
        )


def reachable_states(
    system: PythonSystem,
    tests: Mapping[str, Callable[[State], bool]],
    most: int,
    over: Callable[[], bool],
    say: Callable[[int, int], None] = lambda states, depth: None,
) -> Reachable:
    """Explore breadth first until more than `most` states are met, the time is over or something is violated.

    Where there are more, half of them are of random walks. Raise `TlaError` for what cannot be evaluated.
    """
    found = Reachable()

    def met(state: State, came: tuple[int, int, tuple[Any, ...]] | None) -> None:
        if found.meet(state, came):
            for name, test in tests.items():
                if name not in found.violated and not test(state):
                    found.violated[name] = len(found.states) - 1

    for state in system.initial_states():
        if system.within(state):
            met(state, None)
    done = 0
    while done < len(found.states) and not found.violated:
        if len(found.states) > most or (done % _BETWEEN == 0 and over()):
            found.forget(max(most // 2, found.depth.count(0)))
            _wander(system, found, met, most, over)
            return found
        before = found.states[done]
        for action, arguments, after in system.successors(before):
            if system.within(after) and system.allowed(before, after):
                met(after, (done, action, tuple(arguments)))
        done += 1
        if done % _BETWEEN == 0:
            say(len(found.states), found.depth[done - 1])
    found.whole = not found.violated
    return found


def _wander(
    system: PythonSystem,
    found: Reachable,
    met: Callable[[State, tuple[int, int, tuple[Any, ...]] | None], None],
    most: int,
    over: Callable[[], bool],
) -> None:
    """Random walks from states that are known, which lead deeper than the search has come."""
    chance = Random(0)
    for _ in range(most):
        number = chance.randrange(len(found.states))
        for _ in range(_WALK):
            before = found.states[number]
            steps = [
                step
                for step in system.successors(before)
                if system.within(step.state) and system.allowed(before, step.state)
            ]
            if not steps:
                break
            step = chance.choice(steps)
            met(step.state, (number, step.action, tuple(step.arguments)))
            number = found.number(step.state[:-1])
            if len(found.states) > most or found.violated:
                return
        if over():
            return


def spread(states: Sequence[State], most: int) -> list[State]:
    """So many of the states, from all over the order."""
    step = max(1, len(states) // most)
    return list(states[::step][:most])
