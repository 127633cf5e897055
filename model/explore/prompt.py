"""What a line typed at a prompt means, and what is answered. No terminal here: text comes in, text goes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rmqproof.model.explore.evaluation import Evaluation
from rmqproof.model.explore.export import exported
from rmqproof.model.explore.language import Language, Unfinished, is_definition
from rmqproof.model.explore.session import NoSuchStep, Session
from rmqproof.model.explore.space import Move
from rmqproof.model.explore.typing import type_of
from rmqproof.model.explore.watching import Watched
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

_OF_EXPRESSIONS = frozenset((":type", ":watch", ":find"))
_MOST_LISTED = 60
_LEVELS = {core.CONSTANT: "constant", core.STATE: "state", core.ACTION: "step", core.TEMPORAL: "behaviour"}


class Prompt:
    """Answers lines. `session` None: there are expressions alone. `done`: the user wants to leave."""

    def __init__(self, session: Session | None, width: int = 100) -> None:
        self.session, self.width = session, width
        self.alone = Language()
        self.done = False
        self._seed = 0

    @property
    def head(self) -> str:
        """What stands before the line: in which state of the walk we are."""
        if self.session is None or not self.session.path:
            return "> "
        return f"{len(self.session.path)}> "

    @property
    def commands(self) -> dict[str, Callable[[str], Iterator[str]]]:
        alone: dict[str, Callable[[str], Iterator[str]]] = {
            ":help": self._help,
            ":type": self._type,
            ":quit": self._quit,
        }
        if self.session is None:
            return alone
        return alone | {
            ":init": self._init,
            ":state": self._state,
            ":steps": self._steps,
            ":step": self._step,
            ":back": self._back,
            ":why": self._why,
            ":check": self._check,
            ":watch": self._watch,
            ":find": self._find,
            ":random": self._random,
            ":path": self._path,
            ":save": self._save,
        }

    def unfinished(self, text: str) -> bool:
        """Whether more lines have to follow."""
        if text.lstrip().startswith(":"):
            name, _, rest = text.strip().partition(" ")
            takes_one = [command for command in self.commands if command.startswith(name)]
            text = rest if takes_one and set(takes_one) <= _OF_EXPRESSIONS else ""
        if not text.strip():
            return False
        try:
            (self.language.defining if is_definition(text) else self.language.read)(text)
        except Unfinished:
            return True
        except TlaError:
            return False
        return False

    @property
    def language(self) -> Language:
        return self.session.language if self.session is not None else self.alone

    def answer(self, text: str) -> Iterator[str]:
        """The lines of the answer."""
        line = text.strip()
        if not line:
            return
        try:
            if line.startswith(":"):
                yield from self._command(line)
            elif is_definition(line):
                self._define(text)
            else:
                yield from self._value(text)
        except TlaError as error:
            yield from error.render().splitlines()
        except NoSuchStep as error:
            yield str(error)
        except RecursionError:
            yield "The evaluation does not end: an operator or function calls itself too deeply."

    def completions(self, text: str) -> list[str]:
        """Words that begin so: commands, or names of the specification."""
        if text.startswith(":"):
            return sorted(name for name in self.commands if name.startswith(text))
        return sorted(name for name in self._names() if name.startswith(text))

    def _names(self) -> Iterator[str]:
        if self.session is not None:
            specification = self.session.space.model.specification
            yield from specification.definitions
            yield from (variable.name for variable in specification.variables)
            yield from (constant.name for constant in specification.constants)
            yield from self.session.space.model.model_values
        else:
            yield from self.alone.read("TRUE").model.specification.definitions

    # --- expressions -------------------------------------------------------------------------------------------

    def _value(self, text: str) -> Iterator[str]:
        found = self.session.value(text) if self.session is not None else Evaluation.of(self.alone, text).found()
        if found.error is not None:
            raise found.error
        yield from found.as_in_states(self.width)

    def _define(self, text: str) -> None:
        if self.session is not None:
            self.session.define(text)
        else:
            self.alone = self.alone.defining(text)

    def _type(self, rest: str) -> Iterator[str]:
        """EXPR: what values it can have, and of what it speaks"""
        asked = self.language.read(rest)
        yield f"{type_of(asked)}  ({_LEVELS[asked.level]})"

    # --- the walk ----------------------------------------------------------------------------------------------

    def _init(self, rest: str) -> Iterator[str]:
        """[N]: begin anew, in initial state N; without N where there are several: list them"""
        session = self._walk
        if rest or len(session.space.initial.moves) == 1:
            session.start(_number(rest, 1))
            yield from self._state("")
            return
        session.path = []
        for move in session.space.initial.moves[:_MOST_LISTED]:
            texts = session.space.lines(move.state, self.width)
            yield f"{move.number}. " + ", ".join(f"{name} = {' '.join(lines)}" for name, lines in texts)
        yield "Choose one: :init N"

    def _state(self, rest: str) -> Iterator[str]:
        """[N]: the variables here, or in state N of the walk; what is watched, what is violated"""
        session = self._walk
        index = _number(rest, len(session.path)) - 1
        if not 0 <= index < len(session.path):
            raise NoSuchStep(f"The walk has {len(session.path)} states.")
        yield f"{index + 1}. {session.path[index].move.title}"
        for name, lines in session.space.lines(session.path[index].state, self.width - 6):
            yield from _headed(f"    {name} = ", lines)
        yield from self._watched(index)
        yield from self._wrong() if index + 1 == len(session.path) else ()

    def _steps(self, rest: str) -> Iterator[str]:
        """: the steps that are possible here, with what each changes"""
        session = self._walk
        if not session.path:
            yield from self._init("")
            return
        moves = session.choices
        for move in moves.moves[:_MOST_LISTED]:
            yield from self._listed(move)
        if len(moves.moves) > _MOST_LISTED:
            yield f"… and {len(moves.moves) - _MOST_LISTED} more"
        if not moves.moves and moves.error is None:
            yield "No step is possible here: a deadlock. :why ACTION says why an action is not."
        if moves.error is not None:
            yield "Further steps cannot be found:"
            yield from moves.error.render().splitlines()

    def _step(self, rest: str) -> Iterator[str]:
        """[N | ACTION(…)]: make a step; without either: list them"""
        session = self._walk
        if not rest:
            yield from self._steps("")
            return
        visit = session.step(int(rest)) if rest.isdigit() else session.take(rest)
        yield from self._made(visit.move)

    def _made(self, move: Move) -> Iterator[str]:
        session = self._walk
        yield f"{len(session.path)}. {move.title}"
        yield from (f"    {line}" for line in session.space.changed(move.changes, self.width - 4))
        if not move.changes and len(session.path) > 1:
            yield "    (nothing changes)"
        yield from self._watched(len(session.path) - 1)
        yield from self._wrong()

    def _back(self, rest: str) -> Iterator[str]:
        """[N]: take back the last step, or the last N"""
        self._walk.back(_number(rest, 1))
        yield from self._state("")

    def _random(self, rest: str) -> Iterator[str]:
        """[N [SEED]]: N steps at random (10); ends after one that violates what was not violated before it"""
        parts = rest.split()
        steps = _number(parts[0] if parts else "", 10)
        self._seed = _number(parts[1] if len(parts) > 1 else "", self._seed + 1)
        before = len(self._walk.path)
        made = self._walk.random(self._seed, steps)
        for index in range(before, before + made):
            yield f"{index + 1}. {self._walk.path[index].move.title}"
        if made < steps and not self._walk.choices.moves:
            yield "No step is possible here."
        yield from self._watched(len(self._walk.path) - 1)
        yield from self._wrong()

    def _find(self, rest: str) -> Iterator[str]:
        """EXPR: go on, by the shortest way, to a state of which EXPR is true (of a step, if it has primes)"""
        session = self._walk
        before = len(session.path)
        jump = session.find(rest)
        if jump.moves is None:
            if jump.whole:
                yield f"There is none among the {jump.looked_at:,} states that can be reached from here."
            else:
                yield f"None was found among the first {jump.looked_at:,} states; `check --break` looks at all."
            return
        session.go(jump)
        for index in range(before, len(session.path)):
            yield f"{index + 1}. {session.path[index].move.title}"
        if before == len(session.path):
            yield "It is true here."
        yield from self._watched(len(session.path) - 1)
        yield from self._wrong()

    def _why(self, rest: str) -> Iterator[str]:
        """ACTION[(…)]: why it is not possible here: its first conjunct that is false, with values"""
        name = re.match(r"[\w!]*", rest.strip())
        refusals = self._walk.why(name[0] if name is not None else rest)
        if "(" in rest:
            asked = "".join(rest.split())
            possible = any("".join(move.title.split()) == asked for move in self._walk.choices.moves)
            of_these = [one for one in refusals if "".join(one.title.split()) == asked]
            refusals = of_these if of_these or possible else refusals
        if not refusals:
            yield f"{rest} is possible here: :steps"
        for refusal in refusals[:_MOST_LISTED]:
            yield f"{refusal.title}: {refusal.text}"
            yield from (f"    {text} = {value}" for text, value in refusal.values)
            if refusal.place:
                yield f"    at {refusal.place}"

    def _check(self, rest: str) -> Iterator[str]:
        """: how the properties stand here"""
        for standing in self._walk.properties:
            verdict = "holds" if standing.holds else "VIOLATED" if standing.holds is False else "has no value"
            yield f"{standing.name}: {verdict}"
            yield from (f"    {line}" for line in standing.error.splitlines())

    def _watch(self, rest: str) -> Iterator[str]:
        """[EXPR]: show it in every state from now on; without EXPR: forget what is watched"""
        if not rest:
            self._walk.watched.clear()
            return
        self._walk.watch(rest)
        for index in range(len(self._walk.path)):
            found = self._walk.found(self._walk.watched[-1].evaluation, index)
            yield from _headed(f"{index + 1}. ", found.as_in_states(self.width - 6))

    def _path(self, rest: str) -> Iterator[str]:
        """: the steps of the walk; the numbers lead there again"""
        for index, visit in enumerate(self._walk.path):
            yield f"{index + 1}. {visit.move.title}"
        yield "numbers: " + " ".join(map(str, self._walk.numbers))

    def _save(self, rest: str) -> Iterator[str]:
        """FILE: write the walk, as the name says: .itf.json, .tla, .py (a test), .txt"""
        path = Path(rest.strip())
        text = exported(self._walk, path.name)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            yield f"{path}: {error.strerror}"
            return
        yield f"{path} is written."

    def _help(self, rest: str) -> Iterator[str]:
        """: this"""
        yield "EXPR                     its value here; with primes, of the step that led here"
        yield "NAME == EXPR             a definition"
        for name, command in self.commands.items():
            words, _, what = (command.__doc__ or "").partition(":")
            yield f"{name} {words}".strip().ljust(24) + f" {what.strip()}"

    def _quit(self, rest: str) -> Iterator[str]:
        """: leave"""
        self.done = True
        return iter(())

    # --- parts -------------------------------------------------------------------------------------------------

    @property
    def _walk(self) -> Session:
        assert self.session is not None
        return self.session

    def _command(self, line: str) -> Iterator[str]:
        name, _, rest = line.partition(" ")
        found = [known for known in self.commands if known.startswith(name)]
        exact = [known for known in found if known == name]
        if len(exact or found) != 1:
            said = ", ".join(found or self.commands)
            yield f"{name} is {'several commands' if found else 'no command'}: {said}"
            return
        yield from self.commands[(exact or found)[0]](rest.strip())

    def _listed(self, move: Move) -> Iterator[str]:
        marks = [f"violates {', '.join(move.breaks)}"] if move.breaks else []
        marks += ["outside of the constraints"] if move.outside else []
        yield f"{move.number}. {move.title}" + (f"   [{'; '.join(marks)}]" if marks else "")
        lines = self._walk.space.changed(move.changes, self.width - 4)
        yield from (f"    {line}" for line in lines)

    def _watched(self, index: int) -> Iterator[str]:
        watched: Sequence[Watched] = self._walk.watched
        for one in watched:
            try:
                found = self._walk.found(one.evaluation, index)
            except TlaError:
                continue  # it speaks of a step, and none led here
            yield from _headed(f"  > {one.name} = ", found.as_in_states(self.width - 6))

    def _wrong(self) -> Iterator[str]:
        for standing in self._walk.properties:
            if not standing.holds:
                yield f"  ! {standing.name} {'is violated' if standing.holds is False else 'has no value'}." + (
                    f" {standing.sentence}" if standing.sentence else ""
                )


def _headed(head: str, lines: Sequence[str]) -> Iterator[str]:
    yield head + lines[0]
    yield from (" " * len(head) + line for line in lines[1:])


def _number(text: str, default: int) -> int:
    if not text:
        return default
    if not text.isdigit():
        raise NoSuchStep(f"{text} is no number.")
    return int(text)
