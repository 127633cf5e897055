"""What a configuration says to be possible (`_POSSIBLE`): some state, or some step, of which each formula is true.

It is looked at where TLC does: state formulas like constraints, of every state that the constraints leave; actions like
action constraints, of every step. An action of a step, or a state, that is cut shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.evaluate.program import State
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.tla.core import STATE, Definition


class PossibleWatch:
    """Is shown the states and steps of a search. `counts`: of how many each formula was true, as often as met."""

    def __init__(self, system: PythonSystem, definitions: Sequence[Definition]) -> None:
        self.names = [definition.name for definition in definitions]
        self.counts = dict.fromkeys(self.names, 0)
        self._states: list[tuple[str, Callable[[State], bool]]] = []
        self._steps: list[tuple[str, Callable[[State, State], bool]]] = []
        for definition in definitions:
            if definition.level <= STATE:
                self._states.append((definition.name, system.state_condition(definition.body)))
            else:
                self._steps.append((definition.name, system.step_condition(definition.body)))

    def state(self, state: State) -> bool:
        """Always true, as a constraint that cuts nothing."""
        for name, holds in self._states:
            self.counts[name] += holds(state)
        return True

    def step(self, before: State, after: State) -> bool:
        """Always true."""
        for name, holds in self._steps:
            self.counts[name] += holds(before, after)
        return True

    def missed(self) -> list[str]:
        """What was never true, in the order of the configuration."""
        return [name for name, count in self.counts.items() if not count]
