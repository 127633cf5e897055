"""Which properties could not have failed: what they assume was true of no state, or of no step, that a search met."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.search.system import Assuming, State, StateProperty, StepProperty, System


class Idle:
    """The properties of a system that have had nothing to say so far; `spoken` has a bit for each that had.

    One is asked no more once it has spoken. One that cannot be evaluated is taken to have. `states` and `steps`: those
    that are still asked, of states and of steps.
    """

    def __init__(self, system: System, spoken: int = 0) -> None:
        states: Sequence[StateProperty] = system.idle if isinstance(system, Assuming) else ()
        steps: Sequence[StepProperty] = system.idle_steps if isinstance(system, Assuming) else ()
        self._names = [prop.name for prop in states] + [step.name for step in steps]
        self.states = dict(enumerate(prop.holds for prop in states))
        self.steps = dict(enumerate((prop.holds for prop in steps), len(states)))
        self.spoken = 0
        self.take(spoken)

    def take(self, spoken: int) -> None:
        """What else has spoken, in another process or before a resume."""
        self.spoken |= spoken
        for pending in (self.states, self.steps):
            for number in [number for number in pending if self.spoken >> number & 1]:
                del pending[number]

    def meet(self, state: State) -> None:
        """A state whose invariants hold."""
        self._ask(self.states, state)

    def step(self, before: State, after: State) -> None:
        self._ask(self.steps, before, after)

    def _ask(self, pending: dict[int, Callable[..., bool]], *states: State) -> None:
        for number, holds in list(pending.items()):
            try:
                idle = holds(*states)
            except Exception:  # of which nothing can be said; where it matters the property says so itself
                idle = False
            if not idle:
                self.take(1 << number)

    @property
    def names(self) -> list[str]:
        """The properties that have not spoken."""
        return idle_names(self._names, self.spoken)


def idle_names(names: Sequence[str], spoken: int) -> list[str]:
    """The names without a bit in `spoken`, each once."""
    return list(dict.fromkeys(name for number, name in enumerate(names) if not spoken >> number & 1))
