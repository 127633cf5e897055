"""What the page shows, as JSON: of a model that can be walked through, and of a trace alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import zip_longest
from pathlib import Path
from typing import Any, Protocol

from rmqproof.model.explore.evaluation import Evaluation
from rmqproof.model.explore.export import FORMATS, exported
from rmqproof.model.explore.language import Language
from rmqproof.model.explore.page.charts import chart_json
from rmqproof.model.explore.session import Meanwhile, NoSuchStep, Session, Stored
from rmqproof.model.explore.space import Move, Space
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.difference import state_changes
from rmqproof.model.report.text import changes_between, ending, step_title
from rmqproof.model.report.value import Notation
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import STATE
from rmqproof.model.tla.source import TlaError

Json = dict[str, Any]
_WIDTH = 54
_MOST_EXPORTED = 100_000
"""Steps of a walk that is asked for."""


class Views(Protocol):
    """Answers of JSON. Each raises `TlaError` or `NoSuchStep` with what to tell who asked."""

    meanwhile: Meanwhile

    def model(self) -> Json: ...
    def state(self, id: int, before: int | None = None) -> Json: ...
    def walk(self, numbers: Sequence[int]) -> Json: ...
    def values(self, expression: str, steps: Sequence[Sequence[int | None]]) -> Json: ...
    def why(self, id: int, action: str) -> Json: ...
    def find(self, id: int | None, expression: str) -> Json: ...
    def chart(self, numbers: Sequence[int]) -> Json: ...
    def export(self, numbers: Sequence[int], name: str) -> Json: ...
    def compare(self, left: Sequence[int], right: Sequence[int]) -> Json: ...
    def graph(self, most: int, fold: str = "") -> Json: ...


def state_json(shown: Mapping[str, Any], notation: Notation) -> list[Json]:
    """The variables with the lines of their values."""
    return [{"name": name, "lines": notation.lines(value, _WIDTH)} for name, value in shown.items()]


class ModelViews:
    """Of a model. States have numbers, given as they are met. `given`: behaviours that were named, to begin with."""

    def __init__(
        self,
        space: Space,
        given: Sequence[Behaviour] = (),
        watched: Sequence[str] = (),
        stored: Stored | None = None,
    ) -> None:
        """`stored`: where jumps look."""
        self.space, self.watched, self.stored = space, list(watched), stored
        self.meanwhile: Meanwhile = nullcontext
        self._ids: dict[State, int] = {}
        self._states: list[State] = []
        self.language = Language(space.files)
        self._evaluations: dict[str, Evaluation] = {}
        self.given = [self._numbers(behaviour) for behaviour in given]
        self._verdict = ending(given[0]) if given else None
        for text in watched:
            self._evaluation(text)

    def model(self) -> Json:
        space = self.space
        return {
            "name": space.files.name,
            "specification": space.origin.specification,
            "configuration": space.origin.config,
            "actions": list(space.actions),
            "initial": [self._move(move) for move in space.initial.moves],
            "error": str(space.initial.error) if space.initial.error else "",
            "given": self.given,
            "verdict": self._verdict.verdict if self._verdict else "",
            "sentence": self._verdict.sentence if self._verdict else "",
            "watched": self.watched,
            "formats": list(FORMATS),
            "algorithm": {name: begins.told for name in space.actions if (begins := space.begins(name)) is not None},
            "live": True,
            "stored": self.stored.size if self.stored is not None else 0,
        }

    def state(self, id: int, before: int | None = None) -> Json:
        state = self._state(id)
        moves = self.space.moves(state)
        possible = {move.action for move in moves.moves if not move.outside}
        return {
            "id": id,
            "variables": state_json(self.space.shown(state), self.space.notation),
            "moves": [self._move(move) for move in moves.moves],
            "error": moves.error.render() if moves.error else "",
            "cut": moves.cut,
            "impossible": [action for action in self.space.actions if action not in possible],
            "properties": [
                {"name": one.name, "holds": one.holds, "sentence": one.sentence, "error": one.error}
                for one in self.space.properties(state, None if before is None else self._state(before))
            ],
        }

    def walk(self, numbers: Sequence[int]) -> Json:
        session = self._session(numbers)
        return {"steps": [self._move(visit.move) for visit in session.path]}

    def values(self, expression: str, steps: Sequence[Sequence[int | None]]) -> Json:
        evaluation = self._evaluation(expression)
        found = []
        walked = bool(steps) and steps[0][0] is None  # else a state has no level
        for number, (before, here) in enumerate(steps):
            if evaluation.level == 2 and before is None:
                found.append({"text": "–", "error": False})
                continue
            level = number + (evaluation.level != 2) if walked else 0
            one, other = (
                (self._state(here), None) if evaluation.level != 2 else (self._state(before), self._state(here))
            )
            answer = evaluation.found(one, other, level)
            found.append({"text": answer.as_in_states()[0].partition("\n")[0], "error": answer.error is not None})
        return {"values": found}

    def why(self, id: int, action: str) -> Json:
        try:
            refusals = self.space.why(action, self._state(id))
        except KeyError:
            raise NoSuchStep(f"{action} is no action.") from None
        return {
            "reasons": [
                {
                    "title": one.title,
                    "text": one.text,
                    "place": one.place,
                    "values": [list(pair) for pair in one.values],
                }
                for one in refusals[:50]
            ]
        }

    def find(self, id: int | None, expression: str) -> Json:
        if self.stored is not None and self._evaluation(expression).level <= STATE:
            return self._find_stored(self.stored, expression)
        session = Session(self.space)
        session.path = []
        if id is not None:
            state = self._state(id)
            session.path = [_standing_at(state)]
        jump = session.find(expression)
        steps = None if jump.moves is None else [self._move(move) for move in jump.moves]
        return {"steps": steps, "lookedAt": jump.looked_at, "whole": jump.whole, "anew": False}

    def _find_stored(self, stored: Stored, expression: str) -> Json:
        """The behaviour from the beginning."""
        behaviour = stored.shortest(expression, self.meanwhile)
        steps = None
        if behaviour is not None:
            session = Session(self.space)
            session.follow(behaviour)
            steps = [self._move(visit.move) for visit in session.path]
        return {"steps": steps, "lookedAt": stored.size, "whole": True, "anew": True}

    def chart(self, numbers: Sequence[int]) -> Json:
        return chart_json(self._session(numbers).behaviour)

    def export(self, numbers: Sequence[int], name: str) -> Json:
        return {"text": exported(self._session(numbers), name)}

    def compare(self, left: Sequence[int], right: Sequence[int]) -> Json:
        return compared(self._session(left).behaviour, self._session(right).behaviour)

    def graph(self, most: int, fold: str = "") -> Json:
        from rmqproof.model.explore.page.graph import graph_json

        folding = self._evaluation(fold) if fold.strip() else None
        return graph_json(self.space, most, folding, self._id)

    # --- parts -------------------------------------------------------------------------------------------------

    def _numbers(self, behaviour: Behaviour) -> list[int]:
        session = Session(self.space)
        session.follow(behaviour)
        return list(session.numbers)

    def _session(self, numbers: Sequence[int]) -> Session:
        if len(numbers) > _MOST_EXPORTED:
            raise NoSuchStep(f"A walk has at most {_MOST_EXPORTED:,} steps.")
        session = Session(self.space)
        session.walk(numbers)
        return session

    def _evaluation(self, text: str) -> Evaluation:
        if text not in self._evaluations:
            self._evaluations[text] = Evaluation.of(self.language, text)
        return self._evaluations[text]

    def _id(self, state: State) -> int:
        known = self._ids.get(state)
        if known is None:
            known = self._ids[state] = len(self._states)
            self._states.append(state)
        return known

    def _state(self, id: int | None) -> State:
        if id is None or not 0 <= id < len(self._states):
            raise NoSuchStep("There is no such state: load the page again.")
        return self._states[id]

    def _move(self, move: Move) -> Json:
        return {
            "number": move.number,
            "title": move.title,
            "action": move.action,
            "to": self._id(move.state),
            "changes": self.space.changed(move.changes, _WIDTH),
            "breaks": list(move.breaks),
            "outside": move.outside,
        }


def _standing_at(state: State) -> Any:
    from rmqproof.model.explore.session import Visit

    return Visit(Move(1, None, (), "", state, ()), state)


class TraceViews:
    """Of a trace whose model is not there: its steps alone."""

    def __init__(self, given: Sequence[Behaviour], name: str) -> None:
        self.behaviours, self.name = given, name
        self.meanwhile: Meanwhile = nullcontext
        self._places = [(number, index) for number, one in enumerate(given) for index in range(len(one.steps))]

    def model(self) -> Json:
        first = self.behaviours[0]
        words = ending(first)
        return {
            "name": self.name,
            "specification": first.origin.specification,
            "configuration": first.origin.config,
            "actions": [],
            "initial": [self._move(number, 0) for number in range(len(self.behaviours))],
            "error": "",
            "given": [
                [number + 1, *([1] * (len(behaviour.steps) - 1))] for number, behaviour in enumerate(self.behaviours)
            ],
            "verdict": words.verdict,
            "sentence": words.sentence,
            "watched": [],
            "algorithm": {
                step.action: step.algorithm.told
                for behaviour in self.behaviours
                for step in behaviour.steps
                if step.algorithm is not None
            },
            "formats": [],
            "live": False,
        }

    def state(self, id: int, before: int | None = None) -> Json:
        number, index = self._place(id)
        behaviour = self.behaviours[number]
        onward = index + 1 < len(behaviour.steps)
        return {
            "id": id,
            "variables": state_json(behaviour.steps[index].state, Notation(behaviour.origin.model_values)),
            "moves": [self._move(number, index + 1)] if onward else [],
            "error": "",
            "cut": False,
            "impossible": [],
            "properties": [],
        }

    def walk(self, numbers: Sequence[int]) -> Json:
        if not numbers:
            return {"steps": []}
        number = numbers[0] - 1
        if not 0 <= number < len(self.behaviours) or len(numbers) > len(self.behaviours[number].steps):
            raise NoSuchStep("There is no such walk.")
        return {"steps": [self._move(number, index) for index in range(len(numbers))]}

    def values(self, expression: str, steps: Sequence[Sequence[int | None]]) -> Json:
        raise self._missing()

    def why(self, id: int, action: str) -> Json:
        raise self._missing()

    def find(self, id: int | None, expression: str) -> Json:
        raise self._missing()

    def chart(self, numbers: Sequence[int]) -> Json:
        return chart_json(self.behaviours[numbers[0] - 1 if numbers else 0])

    def export(self, numbers: Sequence[int], name: str) -> Json:
        raise self._missing()

    def compare(self, left: Sequence[int], right: Sequence[int]) -> Json:
        return compared(self.behaviours[left[0] - 1], self.behaviours[right[0] - 1])

    def graph(self, most: int, fold: str = "") -> Json:
        raise self._missing()

    def _missing(self) -> NoSuchStep:
        return NoSuchStep("The specification of this trace is not here: name it with --spec.")

    def _place(self, id: int) -> tuple[int, int]:
        if not 0 <= id < len(self._places):
            raise NoSuchStep("There is no such state.")
        return self._places[id]

    def _move(self, number: int, index: int) -> Json:
        behaviour = self.behaviours[number]
        step = behaviour.steps[index]
        names = behaviour.origin.model_values
        last = index + 1 == len(behaviour.steps) and behaviour.loop is None
        changes = state_changes(behaviour.steps[index - 1].state, step.state) if index else []
        return {
            "number": 1 if index else number + 1,
            "title": step_title(step, Notation(names), behaviour.initial),
            "action": step.action,
            "to": self._places.index((number, index)),
            "changes": _lines(changes_between(changes, names, _WIDTH)) if index else [],
            "breaks": [behaviour.violated] if last and behaviour.violated else [],
            "outside": False,
        }


def compared(left: Behaviour, right: Behaviour) -> Json:
    """Two behaviours side by side: what each step is, and in what the states differ."""
    names = left.origin.model_values | right.origin.model_values
    notation = Notation(names)
    rows = []
    for one, other in zip_longest(left.steps, right.steps):
        differing = state_changes(one.state, other.state) if one is not None and other is not None else []
        rows.append(
            {
                "left": step_title(one, notation, left.initial) if one is not None else "",
                "right": step_title(other, notation, right.initial) if other is not None else "",
                "differences": _lines(changes_between(differing, names, 2 * _WIDTH)) if differing else [],
            }
        )
    return {"rows": rows}


def _lines(text: str) -> list[str]:
    return [line.removeprefix("    ") for line in text.splitlines()]


def name_of(path: Path) -> str:
    return path.name.removesuffix(".json").removesuffix(".itf")


__all__ = ["ModelViews", "NoSuchStep", "TlaError", "TraceViews", "Views", "compared", "name_of"]
