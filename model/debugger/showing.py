"""What a client sees of a walk that stands still: frames, scopes, the source, values of expressions.

The stack is the walk: its frames are the states from the present one down to the initial one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rmqproof.model.debugger.arguments import BadRequest
from rmqproof.model.debugger.tree import Part, Tree, variables
from rmqproof.model.debugger.walk import Walk
from rmqproof.model.explore.evaluation import Evaluation, Found
from rmqproof.model.explore.space import Move, Moves
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, Source, TlaError

Json = dict[str, Any]
_NAME = re.compile(r"\w+")


class View:
    """What is shown of a walk. `line`, `column`: what is added to those of the protocol, which may count from 0."""

    def __init__(self, walk: Walk, line: int = 0, column: int = 0) -> None:
        self.walk, self.line, self.column = walk, line, column
        self.space = walk.space
        self.tree = Tree(self.space.notation)
        self._sources: list[Source] = []
        self._evaluations: dict[tuple[str, tuple[str, ...]], Evaluation] = {}

    # --- places ----------------------------------------------------------------------------------------------------

    def place(self, at: Location | None) -> Json:
        """A place as frames and breakpoints have it; nothing where it is not known."""
        if at is None:
            return {}
        line, column, end_line, end_column = at.in_file
        return {
            "source": self.source(at.source),
            "line": line + self.line,
            "column": column + self.column,
            "endLine": end_line + self.line,
            "endColumn": end_column + self.column,
        }

    def source(self, source: Source) -> Json:
        """A file, or the text of a module that is none."""
        path = Path(source.name)
        if path.is_file():
            return {"name": path.name, "path": str(path.resolve())}
        if source not in self._sources:
            self._sources.append(source)
        return {"name": path.name, "sourceReference": self._sources.index(source) + 1}

    def text_of(self, reference: int) -> str:
        if not 1 <= reference <= len(self._sources):
            raise BadRequest(f"There is no source {reference}.")
        return self._sources[reference - 1].text

    def sources(self) -> list[Json]:
        """The files of the model."""
        model = self.space.model
        specification = model.specification
        places = [each.at.source for each in specification.definitions.values()]
        places += [variable.at.source for variable in specification.variables]
        return list({source.name: self.source(source) for source in places if Path(source.name).is_file()}.values())

    # --- frames ----------------------------------------------------------------------------------------------------

    def frames(self) -> list[Json]:
        """The present state first."""
        path = self.walk.path
        if not path:
            count = len(self.space.initial.moves)
            return [{"id": 1, "name": f"Choose one of {count} initial states", **self._or_nowhere(self._initial())}]
        frames = []
        for index in reversed(range(len(path))):
            at = self.at(path[index].move)
            stops = [stop.at for stop in self.walk.reason.stops if stop.at is not None]
            if index == len(path) - 1 and stops:
                at = stops[0]
            name = f"{index + 1}: {path[index].move.title}"
            frames.append({"id": index + 1, "name": name, "canRestart": True, **self._or_nowhere(at)})
        return frames

    def _or_nowhere(self, at: Location | None) -> Json:
        return self.place(at) or {"line": 0, "column": 0}

    def at(self, move: Move) -> Location | None:
        """Where the action of a step stands, of a step from nowhere the initial predicate."""
        if move.action is None and move in self.space.initial.moves:
            return self._initial()
        definition = self.space.model.specification.definitions.get(move.action or "")
        if definition is not None:
            return definition.at
        relation = self.space.model.next
        return relation.at if relation is not None else None

    def _initial(self) -> Location | None:
        node = self.space.model.initial
        return node.definition.at if isinstance(node, core.Call) else node.at if node is not None else None

    def index(self, frame: int | None) -> int:
        """The state of a frame, counted from 0; without a frame the present one. Raise `BadRequest`."""
        count = max(len(self.walk.path), 1)
        if frame is None:
            return count - 1
        if not 1 <= frame <= count:
            raise BadRequest(f"There is no frame {frame}.")
        return frame - 1

    def state(self, index: int) -> State | None:
        return self.walk.path[index].state if self.walk.path else None

    def moves(self, index: int) -> Moves:
        """The steps that are possible in the state of a frame."""
        state = self.state(index)
        return self.space.initial if state is None else self.space.moves(state)

    # --- scopes ----------------------------------------------------------------------------------------------------

    def scopes(self, index: int) -> list[Json]:
        path = self.walk.path
        if not path:
            return [self._scope("Initial states", self._listed(index))]
        found = [self._scope("State", variables(self.space.shown(path[index].state)), presentationHint="locals")]
        if path[index].move.arguments or path[index].move.changes:
            found.append(self._scope("Step to here", self._step(index), presentationHint="arguments"))
        found.append(self._scope("Steps from here", self._listed(index)))
        found.append(self._scope("Properties", self._properties(index)))
        if self.space.model.specification.constants:
            found.append(self._scope("Constants", None, lazy=lambda: list(self._constants()), expensive=True))
        return found

    def _scope(self, name: str, parts: list[Part] | None, lazy: Any = None, **more: Any) -> Json:
        number = self.tree.number(lazy if lazy is not None else lambda: parts or [])
        return {"name": name, "variablesReference": number, "expensive": False, **more}

    def _step(self, index: int) -> list[Part]:
        """What the step was given, and what it changed."""
        path = self.walk.path
        given = [Part(name, value, name) for name, value in self.arguments(index)]
        if index == 0:
            return given
        before, after = (self.space.shown(path[at].state) for at in (index - 1, index))
        return given + self._changes(before, after)

    def _changes(self, before: dict[str, Any], after: dict[str, Any]) -> list[Part]:
        line = self.space.notation.line

        def part(name: str) -> Part:
            inner = [Part("before", before[name]), Part("after", after[name])]
            return Part(name, text=f"{line(before[name])} → {line(after[name])}", parts=lambda: inner)

        return [part(name) for name in after if before[name] != after[name]]

    def _listed(self, index: int) -> list[Part]:
        """The steps, each to be opened for what it changes."""
        state, moves = self.state(index), self.moves(index)
        found = []
        for move in moves.moves:
            if state is None:
                shown = self.space.shown(move.state)
                found.append(Part(f"{move.number}", text=self._line(shown), parts=lambda shown=shown: variables(shown)))  # type: ignore[misc]
            else:
                found.append(self._move(move, self.space.shown(state)))
        if moves.error is not None:
            found.append(Part("error", text=moves.error.message))
        return found

    def _move(self, move: Move, before: dict[str, Any]) -> Part:
        marks = [f"violates {', '.join(move.breaks)}"] if move.breaks else []
        marks += ["outside of the constraints"] if move.outside else []
        inner = self._changes(before, self.space.shown(move.state))
        changed = ", ".join(part.name for part in inner)
        text = "; ".join([*marks, f"changes {changed}" if changed else "changes nothing"])
        return Part(f"{move.number}. {move.title}", text=text, parts=lambda: inner)

    def _line(self, shown: dict[str, Any]) -> str:
        return ", ".join(f"{name} = {self.space.notation.line(value)}" for name, value in shown.items())

    def _properties(self, index: int) -> list[Part]:
        path = self.walk.path
        before = path[index - 1].state if index else None
        words = {True: "holds", False: "violated", None: "has no value: "}
        return [
            Part(one.name, text=words[one.holds] + one.error.partition("\n")[0])
            for one in self.space.properties(path[index].state, before)
        ]

    def _constants(self) -> Iterator[Part]:
        for constant in self.space.model.specification.constants:
            if constant.arity == 0:
                found = self.found(constant.name, 0)
                text = found.text if found.error is not None else ""
                yield Part(constant.name, found.value, constant.name, text=text)

    def arguments(self, index: int) -> list[tuple[str, Any]]:
        """The parameters of the action that led to a state, with their values."""
        if not self.walk.path:
            return []
        move = self.walk.path[index].move
        definition = self.space.model.specification.definitions.get(move.action or "")
        names = [name.name for name in definition.parameters if not name.arity] if definition is not None else []
        return list(zip(names, move.arguments, strict=False)) if len(names) == len(move.arguments) else []

    # --- expressions -----------------------------------------------------------------------------------------------

    def found(self, text: str, index: int) -> Found:
        """The value of an expression in the state of a frame; a primed one speaks of the step that led there.

        The parameters of that step's action are known by their names. Raise `TlaError`.
        """
        words = set(_NAME.findall(text))
        line = self.space.notation.line
        given = tuple(f"{name} == {line(value)}" for name, value in self.arguments(index) if name in words)
        session = self.walk.session
        key = (text, (*session.language.definitions, *given))
        evaluation = self._evaluations.get(key)
        if evaluation is None:
            language = session.language
            for definition in given:
                language = language.defining(definition)
            evaluation = self._evaluations[key] = Evaluation.of(language, text)
        return session.found(evaluation, index)

    def evaluated(self, text: str, index: int) -> Json:
        """The same as a client has it. Raise `TlaError`, also for what has no value."""
        found = self.found(text, index)
        if found.error is not None:
            raise found.error
        name = text.strip() if _NAME.fullmatch(text.strip()) else f"({text.strip()})"
        shown = self.tree.shown(Part("", found.value, name))
        shown["result"] = found.text if found.value is None else shown.pop("value")
        return {key: shown[key] for key in shown if key in ("result", "type", "variablesReference", "indexedVariables")}

    def interpolated(self, text: str, before: State | None, after: State) -> str:
        """A log line with the expressions in its braces as they are at a step, before it where they have no primes."""

        def value(found: re.Match[str]) -> str:
            try:
                evaluation = Evaluation.of(self.walk.session.language, found[1])
                here = before if before is not None else after
                return evaluation.found(*((here,) if evaluation.level <= core.STATE else (before, after))).text
            except TlaError as error:
                return f"({error.message})"

        return re.sub(r"\{([^{}]+)\}", value, text)
