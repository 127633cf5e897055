"""A model as somebody sees it who walks through it: what can be done in a state, what each step changes and breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from rmqproof.model.evaluate.blame import Blamer, Reason
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.values import Value
from rmqproof.model.report.behaviour import Behaviour, Origin, Step
from rmqproof.model.report.difference import Change, state_changes
from rmqproof.model.report.text import changes_between, step_title
from rmqproof.model.report.value import Notation
from rmqproof.model.search.system import State
from rmqproof.model.tla.algorithms import AlgorithmStep, algorithm_step
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from rmqproof.version import VERSION

MOST_MOVES = 2_000
"""Steps from one state, or initial states, that are looked at."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A property in a state, or of a step. `holds` None: it has no value there, `error` says why."""

    name: str
    holds: bool | None
    sentence: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A step that is possible. `number` counts from 1; the steps of a state always come in the same order.

    `breaks`: properties that are false after it, or of it. `outside`: the constraints exclude it.
    """

    number: int
    action: str | None
    arguments: tuple[Any, ...]
    title: str
    state: State
    changes: tuple[Change, ...] = field(repr=False)
    breaks: tuple[str, ...] = ()
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Moves:
    """The steps from a state. `error`: why there may be more of them that could not be found."""

    moves: tuple[Move, ...]
    error: TlaError | None = None
    cut: bool = False
    """There are more than were looked at."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not possible with these arguments, in words: the first conjunct that is false, with values."""

    title: str
    text: str
    place: str = ""
    values: tuple[tuple[str, str], ...] = ()


class Space:
    """The states of a model, found as somebody asks for them. `open_space` makes one."""

    def __init__(self, files: ModelFiles, system: PythonSystem) -> None:
        self.files, self.system, self.model = files, system, system.model
        self.variables: Sequence[str] = system.variables
        config = files.config or config_of(files.spec, files.texts)
        self.origin = Origin(
            specification=str(files.spec),
            config=str(config) if config is not None else "",
            tool=f"rmqproof {VERSION}",
            model_values=frozenset(self.model.model_values),
        )
        self.notation = Notation(self.origin.model_values)
        self._blamer = Blamer(system)
        self._moves: dict[State, Moves] = {}
        self._begins: dict[str | None, AlgorithmStep | None] = {}

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple(self.system.actions)

    def begins(self, action: str | None) -> AlgorithmStep | None:
        """Where a step of this action begins in an algorithm in PlusCal."""
        if action not in self._begins:
            definition = self.model.specification.definitions.get(action or "")
            self._begins[action] = algorithm_step(action, definition.at) if action and definition is not None else None
        return self._begins[action]

    @cached_property
    def initial(self) -> Moves:
        """The initial states, as steps from nowhere."""
        return self._found(None, ((None, (), state) for state in self.system.initial_states()))

    def moves(self, state: State) -> Moves:
        known = self._moves.get(state)
        if known is None:
            if len(self._moves) >= MOST_MOVES:
                self._moves.clear()
            actions = self.system.actions
            found = (
                (actions[transition.action], transition.arguments, transition.state)
                for transition in self.system.successors(state)
            )
            known = self._moves[state] = self._found(state, found)
        return known

    def shown(self, state: State) -> dict[str, Any]:
        """The variables, as ITF."""
        return self.system.to_itf(state)

    def lines(self, state: State, width: int = 100) -> list[tuple[str, list[str]]]:
        """Each variable with the lines of its value."""
        return [(name, self.notation.lines(value, width)) for name, value in self.shown(state).items()]

    def changed(self, changes: Iterable[Change], width: int = 100) -> list[str]:
        """Changes in the words of counterexamples, a line or more for each."""
        text = changes_between(changes, self.origin.model_values, width + 4)
        return [line.removeprefix("    ") for line in text.splitlines()]

    def properties(self, state: State, before: State | None = None) -> list[Standing]:
        """The invariants, and of a step the step properties, in the order of the configuration."""
        found: dict[str, Standing] = {}
        state_properties = list(self.system.invariants)
        if before is None:
            state_properties += self.system.initial_properties
        for prop in state_properties:
            _note(found, _standing(prop.name, prop.sentence, lambda prop=prop: prop.holds(state)))
        for step in self.system.step_properties if before is not None else ():
            _note(found, _standing(step.name, step.sentence, lambda step=step: step.holds(before, state)))
        return list(found.values())

    def why(self, action: str, state: State) -> list[Refusal]:
        """Why an action is not possible, nearest first; of arguments with which it is possible nothing is said.

        Raise `KeyError` for what is no action.
        """
        if action not in self.actions:
            raise KeyError(action)
        possible = {
            (move.action, tuple(map(self.notation.line, move.arguments)))
            for move in self.moves(state).moves
            if not move.outside
        }
        found: list[Refusal] = []
        for reason in self._blamer.reasons(action, state):
            arguments = tuple(self.notation.line(to_itf(value)) for value in reason.arguments or ())
            if reason.arguments is not None and (action, arguments) in possible:
                continue
            if reason.arguments is None and any(action == name for name, _ in possible):
                continue
            refusal = _refusal(action, arguments, reason)
            if refusal not in found:
                found.append(refusal)
        return found

    def behaviour(self, path: Sequence[tuple[Move, State]]) -> Behaviour:
        """A path as a behaviour."""
        steps = tuple(
            Step(index, move.action, move.arguments, self.shown(state), self.begins(move.action))
            for index, (move, state) in enumerate(path)
        )
        return Behaviour(tuple(self.variables), steps, origin=self.origin)

    def _found(self, before: State | None, found: Iterable[tuple[str | None, Sequence[Value], State]]) -> Moves:
        moves: dict[tuple[str | None, tuple[Any, ...], State], Move] = {}
        error: TlaError | None = None
        source = iter(found)
        try:
            for action, arguments, state in islice(source, MOST_MOVES):
                key = (action, tuple(arguments), state)
                if key not in moves:
                    moves[key] = self._move(len(moves) + 1, before, action, arguments, state)
        except TlaError as raised:
            error = raised
        cut = len(moves) == MOST_MOVES
        return Moves(tuple(moves.values()), error, cut)

    def _move(
        self, number: int, before: State | None, action: str | None, arguments: Sequence[Value], state: State
    ) -> Move:
        shown = tuple(map(to_itf, arguments))
        title = step_title(Step(0 if before is None else 1, action, shown, {}), self.notation)
        changes = tuple(state_changes(self.shown(before), self.shown(state))) if before is not None else ()
        breaks = tuple(one.name for one in self.properties(state, before) if not one.holds)
        inside = self.system.within(state) and (before is None or self.system.allowed(before, state))
        return Move(number, action, shown, title, state, changes, breaks, not inside)


def open_space(files: ModelFiles) -> Space:
    """The model without its VIEW and SYMMETRY: states that those identify are different ones to who looks at them.

    Raise `TlaError`.
    """
    model = files.load()
    if model.initial is None or model.next is None:
        missing = "states start" if model.initial is None else "states step"
        raise TlaError(
            f"{files.config or files.spec}: nothing says where {missing}",
            None,
            "Add SPECIFICATION to the configuration, or INIT and NEXT; name it with --config.",
            "config",
        )
    return Space(files, system_of(replace(model, view=None, symmetry=None)))


def _standing(name: str, sentence: str, holds: Any) -> Standing:
    try:
        return Standing(name, bool(holds()), sentence)
    except (TlaError, RecursionError) as error:
        return Standing(name, None, sentence, str(error))


def _note(found: dict[str, Standing], standing: Standing) -> None:
    """A property in several parts stands as the worst of them does."""
    known = found.get(standing.name)
    if known is None or (known.holds and not standing.holds):
        found[standing.name] = standing


def _refusal(action: str, arguments: Sequence[str], reason: Reason) -> Refusal:
    title = f"{action}({', '.join(arguments)})" if arguments else action
    blame = reason.blame
    if blame is None:
        return Refusal(title, "no conjunct about the state alone is false: its next values contradict each other")
    return Refusal(title, blame.text, str(blame.at) if blame.at is not None else "", blame.values)
