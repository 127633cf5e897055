"""A walk through a model: step by step, back, at random, to a state that an expression describes.

A path is the numbers of the choices that were made, the initial state's first: `1.3.2`. The steps of a state always
come in the same order, so the numbers lead to the same state again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import NamedTuple, Protocol

from rmqproof.model.evaluate.itf import from_itf
from rmqproof.model.explore.evaluation import Evaluation, Found
from rmqproof.model.explore.language import Language
from rmqproof.model.explore.space import Move, Moves, Refusal, Space, Standing
from rmqproof.model.explore.watching import Watched
from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

MOST_SEARCHED = 100_000
"""States that a jump looks at, if nothing else is said."""


class Visit(NamedTuple):
    """A state of a walk, and the step that led there."""

    move: Move
    state: State


Meanwhile = Callable[[], AbstractContextManager[None]]
"""Within it the engine may be asked by somebody else."""


class Stored(Protocol):
    """All states of a model, kept somewhere."""

    @property
    def size(self) -> int: ...

    def shortest(self, expression: str, meanwhile: Meanwhile) -> Behaviour | None:
        """A shortest behaviour to a state of which it is true; `meanwhile` somebody else looks. Raise `TlaError`."""
        ...


class NoSuchStep(Exception):
    """There is no step like that; the message says which there are."""


@dataclass(frozen=True, slots=True)
class Jump:
    """What a search came to. `moves`: the way to the state, None where none was found; `looked_at` states.

    `whole`: every state that can be reached from here was looked at.
    """

    moves: tuple[Move, ...] | None
    looked_at: int
    whole: bool


@dataclass
class Session:
    """`watched` are evaluated in every state; a primed one of the step that led there."""

    space: Space
    path: list[Visit] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    loop: int | None = None

    def __post_init__(self) -> None:
        self.language = Language(self.space.files)
        if not self.path and len(self.space.initial.moves) == 1:
            self.start(1)

    # --- where we are ------------------------------------------------------------------------------------------

    @property
    def here(self) -> Visit:
        """Raise `NoSuchStep` where no initial state was chosen."""
        if not self.path:
            raise NoSuchStep(f"Choose an initial state first, 1 to {len(self.space.initial.moves)}.")
        return self.path[-1]

    @property
    def choices(self) -> Moves:
        """The steps from here; before the first one the initial states."""
        return self.space.moves(self.path[-1].state) if self.path else self.space.initial

    @property
    def numbers(self) -> tuple[int, ...]:
        """The path."""
        return tuple(visit.move.number for visit in self.path)

    @property
    def properties(self) -> list[Standing]:
        """How the properties stand here, and of the step that led here."""
        before = self.path[-2].state if len(self.path) > 1 else None
        return self.space.properties(self.here.state, before)

    @property
    def violated(self) -> tuple[str, ...]:
        return tuple(standing.name for standing in self.properties if not standing.holds)

    @property
    def texts(self) -> dict[str, str]:
        """The variables here, each in one line."""
        notation = self.space.notation
        return {name: notation.line(value) for name, value in self.space.shown(self.here.state).items()}

    @property
    def behaviour(self) -> Behaviour:
        """The walk, as reports have it."""
        return self.space.behaviour(self.path)

    # --- steps -------------------------------------------------------------------------------------------------

    def start(self, number: int = 1) -> Visit:
        """Begin anew, in an initial state."""
        self.path = self.path[:0]
        return self.step(number)

    def step(self, number: int) -> Visit:
        """Make the step of this number. Raise `NoSuchStep`."""
        moves = self.choices.moves
        if not 1 <= number <= len(moves):
            what = "steps from here" if self.path else "initial states"
            raise NoSuchStep(f"There is no {number}: there are {len(moves)} {what}.")
        return self._go(moves[number - 1])

    def take(self, title: str) -> Visit:
        """Make the step of this action, as `Take(w1)` or, where it is the only one of that name, `Take`."""
        wanted = "".join(title.split())
        moves = self.choices.moves
        found = [move for move in moves if "".join(move.title.split()) == wanted]
        found = found or [move for move in moves if move.action == title.strip()]
        if len(found) != 1:
            titles = ", ".join(f"{move.number}. {move.title}" for move in (found or moves)) or "none"
            raise NoSuchStep(f"{title} is {'not possible' if not found else 'several steps'} here: {titles}.")
        return self._go(found[0])

    def back(self, steps: int = 1) -> None:
        """Take back the last steps, the initial state never."""
        del self.path[max(len(self.path) - steps, 1) :]

    def walk(self, numbers: Sequence[int]) -> None:
        """Begin anew and make these choices, as `numbers` has them. Raise `NoSuchStep`."""
        path = self.path
        self.path = []
        try:
            for number in numbers:
                self.step(number)
        except NoSuchStep:
            self.path = path
            raise

    def random(self, seed: int, steps: int = 20) -> int:
        """Go on at random, not beyond the constraints, up to what a step violates and the one before did not; how many
        were made."""
        chance = Random(seed)
        for made in range(steps):
            moves = [move for move in self.choices.moves if not move.outside]
            if not moves:
                return made
            before = self.path[-1].move.breaks if self.path else ()
            move = chance.choice(moves)
            self._go(move)
            if not set(move.breaks) <= set(before):
                return made + 1
        return steps

    def follow(self, behaviour: Behaviour) -> None:
        """Begin anew and go through the states of a behaviour. Raise `TlaError` where it is none of the model."""
        path = self.path
        self.path = []
        names = self.space.origin.model_values
        for number, step in enumerate(behaviour.steps, 1):
            found = self._to(step, names)
            if found is None:
                self.path = path
                title = f"step {number} ({step.action})" if step.action else f"state {number}"
                raise TlaError(
                    f"{title} of the trace is none of this model",
                    None,
                    "It was made with another specification or configuration.",
                    "system",
                )
            self._go(found)
        self.loop = behaviour.loop

    def _to(self, step: Step, names: frozenset[str]) -> Move | None:
        """The choice that leads to the state of a step, by its action if there is one."""
        try:
            values = tuple(from_itf(step.state.get(name), names) for name in self.space.variables)
        except ValueError:
            return None
        found = [move for move in self.choices.moves if self.space.system.values(move.state) == values]
        return next((move for move in found if move.action == step.action), found[0] if found else None)

    def _go(self, move: Move) -> Visit:
        self.path.append(Visit(move, move.state))
        return self.path[-1]

    # --- questions ---------------------------------------------------------------------------------------------

    def why(self, action: str) -> list[Refusal]:
        """Why an action is not possible here, nearest first. Raise `NoSuchStep` for what is no action."""
        state = self.here.state
        try:
            return self.space.why(action, state)
        except KeyError:
            raise NoSuchStep(f"{action} is no action; there are {', '.join(self.space.actions)}.") from None

    def value(self, text: str) -> Found:
        """The value of an expression here; a primed one speaks of the step that led here. Raise `TlaError`."""
        return self.found(Evaluation.of(self.language, text), len(self.path) - 1)

    def found(self, evaluation: Evaluation, index: int) -> Found:
        """The value of an expression in a state of the walk. Raise `TlaError`."""
        if evaluation.level == core.TEMPORAL:
            return evaluation.over(self.behaviour)
        if evaluation.level == core.CONSTANT or not self.path:
            return evaluation.found(at=index + 1)
        if evaluation.level == core.STATE:
            return evaluation.found(self.path[index].state, at=index + 1)
        if index == 0:
            raise evaluation.wrong("this speaks of a step, and none led here", "Make a step first.")
        return evaluation.found(self.path[index - 1].state, self.path[index].state, index)

    def watch(self, text: str) -> None:
        """Watch an expression from now on. Raise `TlaError`."""
        self.watched.append(Watched.of(self.language, text))

    def define(self, text: str) -> None:
        """A definition that expressions may use from now on. Raise `TlaError`."""
        self.language = self.language.defining(text)

    # --- searches ----------------------------------------------------------------------------------------------

    def find(self, text: str, most: int = MOST_SEARCHED, seconds: float = 60.0) -> Jump:
        """The shortest way from here to a state of which an expression is true, or whose last step makes it true.

        Raise `TlaError` where it has no value in a state. The session stays where it is: `go` takes the way.
        """
        evaluation = Evaluation.of(self.language, text)
        if evaluation.level > core.ACTION:
            raise evaluation.wrong("this speaks of a whole behaviour", "Describe a state, or a step with primes.")
        starts = [self.path[-1].state] if self.path else [move.state for move in self.space.initial.moves]
        search = _Search(self.space, evaluation, most, seconds)
        states = search.run(starts)
        return Jump(None if states is None else tuple(self._moves_to(states)), len(search.parents), search.whole)

    def go(self, jump: Jump) -> None:
        """Take the way that was found."""
        for move in jump.moves or ():
            self._go(move)

    def _moves_to(self, states: Sequence[State]) -> Iterator[Move]:
        """The steps through these states, the first of which is where we are, if we are somewhere."""
        choices = self.space.moves(states[0]) if self.path else self.space.initial
        for state in states[1:] if self.path else states:
            yield next(move for move in choices.moves if move.state == state)
            choices = self.space.moves(state)


class _Search:
    """Breadth-first, for a state or a step of which an expression is true."""

    def __init__(self, space: Space, wanted: Evaluation, most: int, seconds: float) -> None:
        self.system, self.wanted, self.most = space.system, wanted, most
        self.steps = wanted.level == core.ACTION
        self.parents: dict[State, State | None] = {}
        self.whole = False
        self._end = monotonic() + seconds

    def run(self, starts: Iterable[State]) -> list[State] | None:
        """The states on the way, from the first one on; None: none was found."""
        self.parents = dict.fromkeys(starts)
        level = list(self.parents)
        if not self.steps:
            for state in level:
                if self.wanted.holds(state):
                    return self._way(state)
        while level:
            following: list[State] = []
            for state in level:
                if len(self.parents) >= self.most or monotonic() > self._end:
                    return None
                for after in self._after(state):
                    new = after not in self.parents
                    if new:
                        self.parents[after] = state
                        following.append(after)
                    if self.steps and self.wanted.holds(state, after):
                        return [*self._way(state), after]
                    if not self.steps and new and self.wanted.holds(after):
                        return self._way(after)
            level = following
        self.whole = True
        return None

    def _after(self, state: State) -> Iterator[State]:
        system = self.system
        for transition in system.successors(state):
            after = transition.state
            if not system.has_constraints or (system.within(after) and system.allowed(state, after)):
                yield after

    def _way(self, state: State) -> list[State]:
        found = []
        place: State | None = state
        while place is not None:
            found.append(place)
            place = self.parents[place]
        return found[::-1]
