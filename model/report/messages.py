"""Finds the messages of a behaviour: what is put into a set or bag in one step and leaves it in a later one.

A variable holds messages when it is a set of records, or a bag of them (a function from records to positive numbers),
in every state. A message is received in a step
  * that takes it out, when the action has it as an argument or nothing else is taken out;
  * that has it as an argument although it stays (specifications that never take messages out).
Taken out otherwise, it was dropped.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from rmqproof.model.report.behaviour import Behaviour, Value
from rmqproof.model.report.value import canonical, function_pairs, integer, is_record, set_elements

_SOURCES = ("from", "src", "source", "sender", "msource", "frm", "mfrom")
_DESTINATIONS = ("to", "dst", "dest", "destination", "receiver", "mdest", "mto")
_KINDS = ("type", "kind", "mtype", "tag")


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was sent in step `sent` (0: it is there from the start) and handled or dropped in `ended`.

    `named` is true when the action of step `ended` has it as an argument.
    """

    content: Mapping[str, Value]
    variable: str
    sent: int
    ended: int
    dropped: bool
    named: bool

    @property
    def source(self) -> Value | None:
        """The field that names the sender, if there is one."""
        return _first(self.content, _SOURCES)

    @property
    def destination(self) -> Value | None:
        """The field that names the receiver, if there is one."""
        return _first(self.content, _DESTINATIONS)

    @property
    def kind(self) -> str:
        """The field that names the kind of message, or the variable."""
        kind = _first(self.content, _KINDS)
        return kind if isinstance(kind, str) else self.variable


def message_variables(behaviour: Behaviour) -> tuple[str, ...]:
    """The variables that hold messages."""
    return tuple(
        name
        for name in behaviour.variables
        if all(_contents(step.state[name]) is not None for step in behaviour.steps)
        and any(_contents(step.state[name]) for step in behaviour.steps)
    )


def messages(behaviour: Behaviour) -> list[Message]:
    """Every message that is received or dropped, in the order in which that happens."""
    found: list[Message] = []
    for name in message_variables(behaviour):
        found += _messages_in(behaviour, name)
    return sorted(found, key=lambda message: (message.ended, message.sent))


def _messages_in(behaviour: Behaviour, name: str) -> list[Message]:
    found = []
    under_way: dict[Hashable, list[int]] = {}
    before: dict[Hashable, tuple[Mapping[str, Value], int]] = {}
    for step in behaviour.steps:
        now = _contents(step.state[name]) or {}
        handled = {canonical(argument) for argument in step.arguments}
        gone = [key for key in before if before[key][1] > now.get(key, ({}, 0))[1]]
        for key in before:
            sent = under_way[key]
            if key in gone:
                dropped = key not in handled and len(gone) > 1
                for _ in range(before[key][1] - now.get(key, ({}, 0))[1]):
                    found.append(Message(before[key][0], name, sent.pop(0), step.index, dropped, key in handled))
            elif key in handled:
                found.append(Message(before[key][0], name, sent[0], step.index, False, True))
        for key, (_, count) in now.items():
            new = count - before.get(key, ({}, 0))[1]
            under_way.setdefault(key, []).extend([step.index] * max(new, 0))
        before = now
    return found


def _contents(value: Value) -> dict[Hashable, tuple[Mapping[str, Value], int]] | None:
    """Each message by its canonical form, and how many times it is there; None when `value` holds no messages."""
    elements = set_elements(value)
    if elements is not None:
        counted = [(item, 1) for item in elements]
    else:
        pairs = function_pairs(value)
        if pairs is None and value != {"#tup": []}:
            return None
        counted = [(key, integer(item) or 0) for key, item in pairs or []]
    if not all(is_record(item) and item and count > 0 for item, count in counted):
        return None
    return {canonical(item): (item, count) for item, count in counted}


def _first(content: Mapping[str, Value], names: tuple[str, ...]) -> Value | None:
    return next((content[name] for name in names if name in content), None)
