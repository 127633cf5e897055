"""A behaviour as text: the initial state whole, then what each step changes.

Steps are numbered from 1, so that the last number is the depth of the counterexample, as TLC counts it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rich.console import Console
from rich.text import Text

from rmqproof.model.records import dataclass
from rmqproof.model.report.behaviour import Behaviour, Origin, Step, Value
from rmqproof.model.report.console import breaks_lines
from rmqproof.model.report.difference import (
    Change,
    DomainChanged,
    Replaced,
    SequenceChanged,
    SetChanged,
    ValuePath,
    state_changes,
)
from rmqproof.model.report.value import Notation, sequence_elements, set_elements
from rmqproof.model.tla.algorithms import AlgorithmStep

_HEAD, _NAME, _OLD, _NEW, _BAD = "bold", "cyan", "red", "green", "bold red"
_INDENT = "    "
_SMALLEST = 40


def print_behaviour(behaviour: Behaviour, console: Console, full: bool = False) -> None:
    """Print to `console`, as wide as it is, in colours where it has them."""
    text = _Writer(behaviour, max(console.width, _SMALLEST), full, breaks_lines(console)).text()
    console.print(text, soft_wrap=True, highlight=False)


def behaviour_text(behaviour: Behaviour, width: int = 100, full: bool = False) -> Text:
    """The text in lines of at most `width` columns, as far as values can be broken; `.plain` is it without colours.

    `full` writes every state whole instead of what changed.
    """
    return _Writer(behaviour, max(width, _SMALLEST), full).text()


def changes_text(behaviour: Behaviour, index: int, width: int = 100) -> str:
    """What step `index` changes (what it holds, for the initial state), without its title and without colours."""
    return _Writer(behaviour, width, full=False).step(index).plain.rstrip("\n")


def changes_between(changes: Iterable[Change], model_values: Collection[str], width: int = 100) -> str:
    """Changes that are no step of a behaviour, in the same words."""
    nothing = Behaviour((), (), origin=Origin(model_values=frozenset(model_values)))
    return _Writer(nothing, width, full=False).changed(changes).plain.rstrip("\n")


def step_title(step: Step, notation: Notation, initial: bool = True) -> str:
    """`Action(arguments)`, or what stands for it where there is no action."""
    if step.action is None:
        return "A step" if step.index else "Initial state" if initial else "Some state"
    arguments = ", ".join(notation.line(argument) for argument in step.arguments)
    return f"{step.action}({arguments})" if arguments else step.action


@dataclass(frozen=True, slots=True)
class Ending:
    """What comes after the last step: how the behaviour goes on, what it violates, what that means for a user."""

    onward: str = ""
    verdict: str = ""
    sentence: str = ""


def ending(behaviour: Behaviour) -> Ending:
    """The closing words on a behaviour; empty strings where there is nothing to say."""
    last = len(behaviour.steps)
    onward = verdict = ""
    if behaviour.loop is not None:
        first = behaviour.loop + 1
        onward = f"Nothing happens after step {last}." if first == last else f"Then it goes on as from step {first}."
    if is_deadlock(behaviour):
        verdict = f"Deadlock: in step {last} no action is enabled."
    elif behaviour.violated:
        verdict = f"{behaviour.violated} is violated" + ("." if behaviour.loop is not None else f" in step {last}.")
    return Ending(onward, verdict, behaviour.sentence)


def is_deadlock(behaviour: Behaviour) -> bool:
    """Whether what is wrong with the behaviour is that it cannot go on."""
    return behaviour.violated.lower() == "deadlock"


class _Writer:
    def __init__(self, behaviour: Behaviour, width: int, full: bool, breaks: bool = True) -> None:
        self._behaviour = behaviour
        self._breaks = breaks
        self._width = width
        self._full = full
        self._notation = Notation(behaviour.origin.model_values)
        self._text = Text()

    def text(self) -> Text:
        for step in self._behaviour.steps:
            marked = self._behaviour.loop == step.index and step.index + 1 < len(self._behaviour.steps)
            self._title(step)
            if marked:
                self._lines(_INDENT, ["(the steps from here on repeat for ever)"], "dim")
            self.step(step.index)
            self._text.append("\n")
        words = ending(self._behaviour)
        for line, style in ((words.onward, ""), (words.verdict, _BAD), (words.sentence, "")):
            if line:
                self._paragraph(line, style)
        if self._behaviour.fairness:
            self._text.append("\n")
            self._lines("", ["Fair because of each fairness condition:"], _HEAD)
            for line in self._behaviour.fairness:
                self._paragraph(line, "", _INDENT)
        self._text.rstrip()
        return self._text

    def step(self, index: int) -> Text:
        state = self._behaviour.steps[index].state
        before = self._behaviour.steps[index - 1].state if index else {}
        if self._full or before.keys() != state.keys():  # an ALIAS may show something else of every state
            self._state(state)
        else:
            self.changed(state_changes(before, state))
        return self._text

    def _title(self, step: Step) -> None:
        number = f"{step.index + 1}. "
        title = number + step_title(step, self._notation, self._behaviour.initial)
        if len(title) <= self._width or not step.arguments:
            self._lines("", [title], _HEAD)
        else:
            self._lines("", [f"{number}{step.action}("], _HEAD)
            for argument in step.arguments:
                self._lines(_INDENT, self._notation.lines(argument, self._width - len(_INDENT)), _HEAD)
            self._lines(" " * len(number), [")"], _HEAD)
        if step.algorithm is not None:
            self._algorithm(step.algorithm, len(title))

    def _algorithm(self, begins: AlgorithmStep, column: int) -> None:
        """On the line of the title where there is room; always there where lines are not broken."""
        words = begins.words
        for said in (begins.told, words):
            if not self._breaks or column + 3 + len(said) <= self._width:
                self._text.right_crop(1)
                self._text.append(f"   {said}\n", "dim")
                return
        self._lines(_INDENT, [words], "dim")

    def _state(self, state: Mapping[str, Value]) -> None:
        for name, value in state.items():
            head = f"{_INDENT}/\\ {name} = "
            lines = self._notation.lines(value, self._width - len(head))
            if len(lines) > 1 and len(head) > self._width // 3:
                self._text.append(f"{_INDENT}/\\ ").append(name, _NAME).append(" =\n")
                self._lines(_INDENT + "     ", self._notation.lines(value, self._width - len(_INDENT) - 5))
                continue
            self._text.append(f"{_INDENT}/\\ ").append(name, _NAME).append(" = ").append(lines[0] + "\n")
            self._lines(" " * len(head), lines[1:])

    def changed(self, changes: Iterable[Change]) -> Text:
        some = False
        for change in changes:
            some = True
            match change:
                case Replaced(before=before, after=after):
                    self._replaced(change.path, before, after)
                case SetChanged() if self._few(change.before) and self._few(change.after):
                    self._replaced(change.path, change.before, change.after)
                case SetChanged():
                    self._listed(
                        change.path, [("", item) for item in change.removed], [("", item) for item in change.added]
                    )
                case SequenceChanged():
                    self._sequence(change)
                case DomainChanged():
                    self._listed(change.path, self._pairs(change.removed), self._pairs(change.added))
        if not some:
            self._lines(_INDENT, ["(nothing changes)"], "dim")
        return self._text

    def _replaced(self, path: ValuePath, before: Value, after: Value) -> None:
        name = self._notation.path(path)
        old, new = self._notation.line(before), self._notation.line(after)
        if len(_INDENT) + len(name) + len(old) + len(new) + len(":  -> ") <= self._width:
            self._text.append(_INDENT).append(name, _NAME).append(": ")
            self._text.append(old, _OLD).append(" -> ").append(new, _NEW).append("\n")
        else:
            self._text.append(_INDENT).append(name, _NAME).append(":\n")
            room = self._width - len(_INDENT) - 4
            self._marked("-", self._notation.lines(before, room), _OLD)
            self._marked("+", self._notation.lines(after, room), _NEW)

    def _sequence(self, change: SequenceChanged) -> None:
        old, new = self._notation.line(change.before), self._notation.line(change.after)
        name = self._notation.path(change.path)
        if change.kept == 0 or len(_INDENT) + len(name) + len(old) + len(new) + len(":  -> ") <= self._width:
            self._replaced(change.path, change.before, change.after)
            return
        for position, item in enumerate(change.removed, change.kept + 1):
            self._listed((*change.path, position), [("", item)], [])
        for position, item in enumerate(change.added, change.kept + 1):
            self._listed((*change.path, position), [], [("", item)])

    def _listed(self, path: ValuePath, removed: list[tuple[str, Value]], added: list[tuple[str, Value]]) -> None:
        entries = [("-", *item, _OLD) for item in removed] + [("+", *item, _NEW) for item in added]
        name = self._notation.path(path)
        if len(entries) == 1:
            mark, head, value, style = entries[0]
            line = head + self._notation.line(value)
            if len(_INDENT) + len(name) + len(": + ") + len(line) <= self._width:
                self._text.append(_INDENT).append(name, _NAME).append(": ").append(f"{mark} {line}\n", style)
                return
        self._text.append(_INDENT).append(name, _NAME).append(":\n")
        for mark, head, value, style in entries:
            lines = self._notation.lines(value, self._width - len(_INDENT) - 4 - len(head))
            self._marked(mark, [head + lines[0], *(" " * len(head) + line for line in lines[1:])], style)

    def _marked(self, mark: str, lines: list[str], style: str) -> None:
        self._text.append(f"{_INDENT}  {mark} {lines[0]}\n", style)
        self._lines(_INDENT + "    ", lines[1:], style)

    def _lines(self, indent: str, lines: Iterable[str], style: str = "") -> None:
        for line in lines:
            self._text.append(f"{indent}{line}\n", style)

    def _paragraph(self, text: str, style: str, indent: str = "") -> None:
        if not self._breaks:
            self._lines(indent, [text], style)
            return
        line = indent
        for word in text.split():
            if line.strip() and len(line) + 1 + len(word) > self._width:
                self._text.append(line + "\n", style)
                line = indent * 2
            line += (" " if line.strip() else "") + word
        self._text.append(line + "\n", style)

    def _pairs(self, pairs: Iterable[tuple[Value, Value]]) -> list[tuple[str, Value]]:
        return [(f"{self._notation.line(key)} :> ", item) for key, item in pairs]

    def _few(self, value: Value) -> bool:
        """A set that reads best whole: elements that are no structures, in a third of a line."""
        elements = set_elements(value) or []
        plain = all(not isinstance(item, dict) or "#bigint" in item for item in elements)
        return (
            plain
            and not any(sequence_elements(item) for item in elements)
            and (len(self._notation.line(value)) <= self._width // 3)
        )
