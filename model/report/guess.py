"""What a space-time diagram shows of a specification that nobody described: processes guessed from the states.

The processes are the domain that most variables are functions on (of model values or strings; of 1..n, where actions
take such numbers). A step happens on the process whose part of those variables changes, first of all when it is an
argument of the action; where only other variables change, on a lane of its own for what is not divided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise, takewhile

from rmqproof.model.report.behaviour import Behaviour, Step, Value
from rmqproof.model.report.chart import Arrow, Cell, Lane, Legend, Life, Note, Strip
from rmqproof.model.report.difference import (
    Change,
    DomainChanged,
    Replaced,
    SequenceChanged,
    SetChanged,
    ValuePath,
    state_changes,
)
from rmqproof.model.report.messages import Message, message_variables
from rmqproof.model.report.processes import State
from rmqproof.model.report.value import (
    Field,
    Notation,
    canonical,
    function_pairs,
    integer,
    is_record,
    sequence_elements,
)

_LEADING = re.compile(r"leader|master|primary", re.IGNORECASE)
_DOWN = re.compile(r"down|crashed|dead|stopped|failed|lost", re.IGNORECASE)
_MOST_NOTES = 6
_MOST_SHADES = 6
_SHORT = 8
_LONG = 40
_IDENTITY = ("id", "value", "val", "key")
_EPOCH = ("epoch", "term", "ballot", "view")


class Guess:
    """The processes of any behaviour."""

    def __init__(self, behaviour: Behaviour) -> None:
        self._notation = Notation(behaviour.origin.model_values)
        self._messages = message_variables(behaviour)
        keys, self._divided = _processes(behaviour)
        self._names = {canonical(key): self._notation.line(key) for key in keys}
        self._shared = _shared_name(
            [name for name in behaviour.variables if name not in self._divided and name not in self._messages],
            set(self._names.values()),
        )
        self._kept = self._kept_messages(behaviour)
        lanes = [Lane(name, name) for name in self._names.values()]
        needed = not lanes or any(
            self.actor(behaviour.steps[step.index - 1], step) == self._shared for step in behaviour.steps[1:]
        )
        self._lanes = (Lane(self._shared, self._shared), *lanes) if needed else tuple(lanes)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return self._lanes

    def actor(self, before: Step, step: Step) -> str:
        changes = state_changes(before.state, step.state)
        touched = [name for change in changes if (name := self._owner(change.path))]
        named = self._among(step.arguments)
        both = [name for name in named if name in touched]
        if both or touched:
            return (both or touched)[0]
        only_messages = all(change.path[0] in self._messages for change in changes)
        return named[0] if named and only_messages else self._addressed(step) if only_messages else self._shared

    def exchanges(self, before: Step, step: Step) -> list[Arrow]:
        named = self._among(step.arguments)
        heard = self._heard(before, step, named)
        if heard:
            return [heard]
        if self.actor(before, step) == self._shared and named:
            return [Arrow(named[0], step.index, self._shared, step.index)]
        return []

    def route(self, message: Message, sender: str, receiver: str) -> Arrow | None:
        source = self._names.get(canonical(message.source), sender)
        destination = self._names.get(canonical(message.destination), receiver)
        # A field may name where a message goes while another process takes it away.
        head = destination if destination == receiver else receiver
        return Arrow(source, message.sent, head, message.ended, message.kind, message.dropped)

    def standing(self, lane: str, state: State) -> list[Note]:
        values = self._own(lane, state)
        notes = [
            Note(f"{name} = {self._notation.line(value)}")
            for name, value in values
            if sequence_elements(value) is None and len(self._notation.line(value)) <= 3 * _SHORT
        ]
        return notes[:_MOST_NOTES]

    def notes(self, lane: str, before: Step, step: Step) -> list[Note]:
        actor = self.actor(before, step)
        stripped = {strip.label for strip in self.strips(lane, step.state)}
        texts: list[str] = []
        for change in state_changes(before.state, step.state):
            if change.path[0] in self._messages:
                continue
            if (self._owner(change.path) or actor) == lane:
                texts += self._described(change, lane, stripped)
        if len(texts) > _MOST_NOTES:
            texts = [*texts[: _MOST_NOTES - 1], f"… {len(texts) - _MOST_NOTES + 1} more"]
        return [Note(text) for text in texts]

    def strips(self, lane: str, state: State) -> tuple[Strip, ...]:
        return tuple(Strip(label, self._cells(elements)) for label, elements in self._sequences(lane, state))

    def _sequences(self, lane: str, state: State) -> list[tuple[str, Sequence[Value]]]:
        """What the strips show, with their labels."""
        found: list[tuple[str, Sequence[Value]]] = []
        for name, value in self._own(lane, state):
            parts = [(f"{name}.{key}", item) for key, item in value.items()] if is_record(value) else [(name, value)]
            for label, item in parts:
                elements = sequence_elements(item)
                if elements is not None:
                    found.append((label, elements))
        return found

    def life(self, lane: str, state: State) -> Life:
        for _, value in self._own(lane, state) if lane != self._shared else []:
            for word in value.values() if is_record(value) else [value]:
                if isinstance(word, str) and _LEADING.fullmatch(word):
                    return Life.LEADING
                if isinstance(word, str) and _DOWN.fullmatch(word):
                    return Life.DOWN
        return Life.PLAIN

    def legend(self, behaviour: Behaviour) -> Legend:
        """Which fields the cells of records show, where they do not say it themselves."""
        labels: dict[str, list[str]] = {}
        shades: dict[int, str] = {}
        for step in behaviour.steps:
            for lane in self._lanes:
                for label, elements in self._sequences(lane.name, step.state):
                    meaning = self._meaning(elements)
                    shades |= self._shades(elements)
                    known = labels.setdefault(meaning, []) if meaning else []
                    if label not in known:
                        known.append(label)
        cells = tuple(Cell(shades[shade], shade) for shade in sorted(shades)[:_MOST_SHADES])
        return Legend(cells, tuple(f"{', '.join(names)}: {meaning}" for meaning, names in labels.items()))

    def _shades(self, elements: Sequence[Value]) -> dict[int, str]:
        """The shades of cells that do not say themselves what coloured them."""
        found: dict[int, str] = {}
        for element in elements:
            if is_record(element) and any(name in element for name in _IDENTITY):
                colour = next((name for name in _EPOCH if name in element), None)
                number = integer(element[colour]) if colour is not None else None
                if number is not None and number >= 0:
                    found[number] = f"{colour} {number}"
        return found

    def _meaning(self, elements: Sequence[Value]) -> str:
        """The fields that the cells show, and the one that colours them; empty where they have none or name them."""
        first = next((element for element in elements if is_record(element)), None)
        if first is None:
            return ""
        inner = next((name for name in _IDENTITY if name in first), None)
        if inner is None and self._are_short(elements):
            return ""
        colour = next((name for name in _EPOCH if name in first), None)
        shown = inner if inner is not None else ", ".join(first)
        return f"{shown}, coloured by {colour}" if colour is not None and colour != shown else shown

    def _addressed(self, step: Step) -> str:
        """Where the message goes that an action is about (one that loses it, say)."""
        for argument in step.arguments:
            if is_record(argument):
                message = Message(argument, "", step.index, step.index, False, True)
                for place in (message.destination, message.source):
                    if canonical(place) in self._names:
                        return self._names[canonical(place)]
        return self._shared

    def _heard(self, before: Step, step: Step, named: list[str]) -> Arrow | None:
        """The message that an action speaks of by its name, where messages are never taken out."""
        actor, action = self.actor(before, step), (step.action or "").lower()
        for sent, source, content, kind in reversed(self._kept):
            about = {self._names[name] for name in map(canonical, content.values()) if name in self._names}
            if sent < step.index and kind.lower() in action and about <= set(named) and source != actor:
                return Arrow(source, sent, actor, step.index, kind)
        return None

    def _kept_messages(self, behaviour: Behaviour) -> list[tuple[int, str, Mapping[str, Value], str]]:
        """Step, lane, content and kind of what is put into sets of messages that never shrink."""
        changes = [
            (before, step, change)
            for before, step in pairwise(behaviour.steps)
            for change in state_changes(before.state, step.state)
            if isinstance(change, SetChanged) and change.path[0] in self._messages
        ]
        shrinking = {change.path[0] for _, _, change in changes if change.removed}
        kept = []
        for before, step, change in changes:
            for content in change.added if change.path[0] not in shrinking else ():
                message = Message(content, str(change.path[0]), step.index, step.index, False, False)
                source = self._names.get(canonical(message.source), self.actor(before, step))
                kept.append((step.index, source, content, message.kind))
        return kept

    def _own(self, lane: str, state: State) -> list[tuple[str, Value]]:
        if lane == self._shared:
            return [
                (name, value)
                for name, value in state.items()
                if name not in self._divided and name not in self._messages
            ]
        return [
            (name, item)
            for name in self._divided
            for key, item in _pairs(state[name])
            if self._names.get(canonical(key)) == lane
        ]

    def _owner(self, path: ValuePath) -> str:
        if len(path) < 2 or path[0] not in self._divided:
            return ""
        part = path[1]
        return self._names.get(canonical(part.name if isinstance(part, Field) else part), "")

    def _among(self, arguments: tuple[Value, ...]) -> list[str]:
        return [self._names[name] for name in map(canonical, arguments) if name in self._names]

    def _described(self, change: Change, lane: str, stripped: set[str]) -> list[str]:
        owned = self._owner(change.path) == lane
        path = (change.path[0], *change.path[2:]) if owned else change.path
        name = self._notation.path(path)
        if any(name == label or name.startswith(f"{label}[") for label in stripped):
            return []
        match change:
            case Replaced(before=before, after=after):
                return [f"{name}: {self._notation.line(before)} → {self._notation.line(after)}"]
            case SequenceChanged(after=after):
                return [f"{name}: {self._notation.line(after)}"]
            case SetChanged(removed=removed, added=added, after=after):
                whole = f"{name}: {self._notation.line(after)}"
                if len(whole) <= 4 * _SHORT:
                    return [whole]
                marked = [("− ", item) for item in removed] + [("+ ", item) for item in added]
                return [f"{name} {mark}{self._notation.line(item)}" for mark, item in marked]
            case DomainChanged(removed=lost, added=won):
                marked = [("− ", key) for key, _ in lost] + [("+ ", key) for key, _ in won]
                return [f"{name} {mark}{self._notation.line(key)}" for mark, key in marked]

    def _cells(self, elements: Sequence[Value]) -> tuple[Cell, ...]:
        """Named fields, where records that have no name of their own are short enough for that."""
        named = self._are_short(elements)
        return tuple(self._cell(element, named) for element in elements)

    def _are_short(self, elements: Sequence[Value]) -> bool:
        return sum(len(self._cell(element, True).text) for element in elements) <= _LONG

    def _cell(self, element: Value, named: bool) -> Cell:
        if not is_record(element):
            return Cell(_cut(self._notation.line(element)))
        shade = next((integer(element[name]) or 0 for name in _EPOCH if name in element), 0)
        inner = next((element[name] for name in _IDENTITY if name in element), None)
        if inner is not None:
            return Cell(_cut(self._notation.line(inner)), max(shade, 0))
        fields = ((name, self._notation.line(value)) for name, value in element.items())
        return Cell(_cut(", ".join(f"{name} {text}" if named else text for name, text in fields), _LONG), max(shade, 0))


def _processes(behaviour: Behaviour) -> tuple[list[Value], tuple[str, ...]]:
    """The processes, and the variables that are functions on them."""
    arguments = {canonical(argument) for step in behaviour.steps for argument in step.arguments}
    known = arguments | {canonical(name) for name in behaviour.origin.model_values}
    domains: dict[str, frozenset[Hashable]] = {}
    keys: dict[Hashable, Value] = {}
    for name in behaviour.variables:
        in_each = [_domain(step.state[name], known, arguments) for step in behaviour.steps]
        first = in_each[0]
        if first and all(set(map(canonical, domain)) == set(map(canonical, first)) for domain in in_each):
            domains[name] = frozenset(map(canonical, first))
            keys |= {canonical(key): key for key in first}
    if not domains:
        return [], ()
    order = list(domains.values())
    best = max(order, key=lambda domain: (Counter(order)[domain], -order.index(domain)))
    return [keys[key] for key in keys if key in best], tuple(name for name in domains if domains[name] == best)


def _domain(value: Value, known: set[Hashable], arguments: set[Hashable]) -> list[Value]:
    """The arguments of `value` if it is a function on what can be processes, else nothing."""
    domain = [key for key, _ in _pairs(value)]
    names = {canonical(key) for key in domain}
    if all(isinstance(key, str) for key in domain):
        return domain if names <= known or (isinstance(value, dict) and "#map" in value) else []
    numbers = all(integer(key) is not None for key in domain)
    return domain if numbers and len(domain) > 1 and names & arguments else []


def _pairs(value: Value) -> list[tuple[Value, Value]]:
    elements = sequence_elements(value)
    if elements is not None:
        return list(enumerate(elements, 1))
    return function_pairs(value) or []


def _shared_name(variables: list[str], taken: set[str]) -> str:
    """What to call the lane of the variables that no process owns: what their names begin with, if they agree."""
    agreed = takewhile(lambda letters: len(set(letters)) == 1, zip(*variables, strict=False))
    prefix = "".join(letters[0] for letters in agreed).rstrip("_")
    name = prefix if len(prefix) > 1 else "state"
    return name if name not in taken else f"{name} (shared)"


def _cut(text: str, most: int = _SHORT) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
