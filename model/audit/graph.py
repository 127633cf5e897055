"""The reachable states of a model with what an audit asks of them, by the Python engine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from rmqproof.model.search.system import State, System
from rmqproof.model.tla.source import TlaError

NO_VALUE = "no value"
"""What a model violates that cannot be evaluated."""
DEADLOCK = "deadlock"
_BETWEEN = 64
"""States between two looks at the clock."""


@dataclass(slots=True)
class Space:
    """`states` by fingerprint, the first of each; `steps` are pairs of fingerprints. `violated` has names of properties
    with the fingerprint of the (first) state that shows it. `came` says how a state was reached: from where, by what.
    `whole`: everything was explored that the limits of the model allow; `error` is why it could not be evaluated."""

    states: dict[int, State] = field(default_factory=dict)
    initial: set[int] = field(default_factory=set)
    steps: set[tuple[int, int]] = field(default_factory=set)
    taken: list[int] = field(default_factory=list)
    """Of each action, from how many states it leads on."""
    violated: dict[str, int] = field(default_factory=dict)
    came: dict[int, tuple[int, int]] = field(default_factory=dict)
    cut: bool = False
    """Whether a constraint leaves something out."""
    beyond: set[tuple[int | None, State]] = field(default_factory=set)
    """What it leaves out: states with the one from which a step leads there. Properties are asked of them, too."""
    whole: bool = False
    error: str = ""

    def looked_at(self) -> Iterator[State]:
        """The states of which properties were asked."""
        yield from self.states.values()
        yield from (state for _, state in self.beyond)

    def steps_looked_at(self) -> Iterator[tuple[State, State]]:
        yield from ((self.states[one], self.states[other]) for one, other in self.steps)
        yield from ((self.states[one], other) for one, other in self.beyond if one is not None)

    def path(self, state: int) -> list[int]:
        """The actions from an initial state to this one."""
        actions = []
        while state in self.came:
            state, action = self.came[state]
            actions.append(action)
        return actions[::-1]


@dataclass(slots=True)
class _Exploring:
    system: System
    space: Space
    asked: Collection[str]
    pending: deque[int] = field(default_factory=deque)

    def start(self, state: State) -> None:
        """Look at an initial state."""
        space = self.space
        if self.system.has_constraints and not self.system.within(state):
            mark = 0
            self.leave(state, None)
        else:
            mark = self.meet(state, None)
            space.initial.add(mark)
        for first in self.system.initial_properties:
            if first.name in self.asked and not first.holds(state):
                space.violated.setdefault(first.name, mark)

    def meet(self, state: State, came: tuple[int, int] | None) -> int:
        """The fingerprint of a state within the constraints, looked at if it is new."""
        mark = self.system.fingerprint(state)
        space = self.space
        if mark in space.states:
            return mark
        space.states[mark] = state
        if came is not None:
            space.came[mark] = came
        self.pending.append(mark)
        self.look(state, mark)
        return mark

    def leave(self, state: State, before: int | None) -> None:
        """Look at a state beyond the constraints."""
        space = self.space
        space.cut = True
        if (before, state) not in space.beyond:
            space.beyond.add((before, state))
            self.look(state, before or 0)

    def look(self, state: State, mark: int) -> None:
        """Ask the invariants of a state that `mark` shows, or the state before it."""
        space = self.space
        for invariant in self.system.invariants:
            if invariant.name in self.asked and invariant.name not in space.violated and not invariant.holds(state):
                space.violated[invariant.name] = mark

    def suffices(self, states: int) -> bool:
        """Whether all properties are violated, or one is and there are more than so many states."""
        violated = self.space.violated
        return bool(violated) and (len(violated) == len(self.asked) or len(self.space.states) > states)

    def expand(self, mark: int) -> None:
        space, system = self.space, self.system
        state = space.states[mark]
        taken: set[int] = set()
        alone = True
        for action, _, after in system.successors(state):
            alone = False
            taken.add(action)
            if system.has_constraints and not (system.within(after) and system.allowed(state, after)):
                target = mark
                self.leave(after, mark)
            else:
                target = self.meet(after, (mark, action))
                space.steps.add((mark, target))
            for step in system.step_properties:
                if step.name in self.asked and step.name not in space.violated and not step.holds(state, after):
                    space.violated[step.name] = target
        for action in taken:
            while len(space.taken) <= action:
                space.taken.append(0)
            space.taken[action] += 1
        if alone and system.check_deadlock and DEADLOCK in self.asked:
            space.violated.setdefault(DEADLOCK, mark)


def explored(
    system: System,
    properties: Sequence[str],
    most: int,
    over: Callable[[], bool],
    once_violated: int | None = None,
) -> Space:
    """The states, breadth first, as far as `most` of them and until `over()`. `properties` are looked at; nothing more
    is explored once all of them are violated, or one of them and there are `once_violated` states (None: all the
    same)."""
    space = Space()
    exploring = _Exploring(system, space, set(properties))
    try:
        for state in system.initial_states():
            exploring.start(state)
        done = 0
        while exploring.pending:
            if len(space.states) > most or (done % _BETWEEN == 0 and over()):
                return space
            if once_violated is not None and exploring.suffices(once_violated):
                return space
            exploring.expand(exploring.pending.popleft())
            done += 1
        space.whole = True
    except (TlaError, RecursionError) as error:
        space.error = str(error).partition("\n")[0]
        space.violated[NO_VALUE] = 0
    return space
