"""The states of a model in the order in which TLC's one worker meets them: a second walk, after the search.

Machine code keeps no states for others, so whoever writes them down goes through them again with the Python engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.report.behaviour import Step
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.search.system import State


@dataclass(frozen=True, slots=True)
class Met:
    """A state that is met: an initial one, or by a step. `level` counts from 1; `inside`: the constraints leave it."""

    state: State
    level: int
    new: bool
    inside: bool
    before: State | None = None
    step: Step | None = None
    """Without its state."""


class Visit:
    """`result`: of the search, which is followed to where it ended. `deepest`: states of this level have no steps."""

    def __init__(self, system: PythonSystem, result: Result, deepest: int | None = None) -> None:
        self.system, self.deepest = system, deepest
        whole = result.verdict is Verdict.SUCCESS or result.exhaustive
        self._left = None if whole else result.total
        self._known: set[int] = set()

    def states(self) -> Iterator[Met]:
        """Raise `TlaError` where the search had an error, too."""
        system, level = self.system, 1
        following: list[State] = []
        for state in system.initial_states():
            yield self._met(state, level, following)
            if self._ended():
                return
        while following and (self.deepest is None or level < self.deepest):
            level, states, following = level + 1, following, []
            for before in states:
                for action, arguments, state in system.successors(before):
                    step = Step(1, system.actions[action], tuple(map(to_itf, arguments)), {})
                    yield self._met(state, level, following, before, step)
                    if self._ended():
                        return

    def _met(
        self, state: State, level: int, following: list[State], before: State | None = None, step: Step | None = None
    ) -> Met:
        """One that is outside of the constraints is known to nobody: it is new each time."""
        system = self.system
        inside = system.within(state) and (before is None or system.allowed(before, state))
        mark = system.fingerprint(state)
        new = mark not in self._known
        if new and inside:
            self._known.add(mark)
            following.append(state)
        return Met(state, level, new, inside, before, step)

    def _ended(self) -> bool:
        """Whether the search had come no further."""
        if self._left is not None:
            self._left -= 1
        return self._left == 0


def levels(visit: Visit) -> tuple[int, list[tuple[int, int]]]:
    """How many initial states were generated; of each level, how many states are new and how many steps they have."""
    initial, new, steps = 0, [0], [0]
    for met in visit.states():
        while len(new) < met.level:
            new.append(0)
            steps.append(0)
        new[met.level - 1] += met.new and met.inside
        if met.level == 1:
            initial += 1
        else:
            steps[met.level - 2] += 1
    return initial, list(zip(new, steps, strict=True))
