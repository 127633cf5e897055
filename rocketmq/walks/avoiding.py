"""Another counterexample of a model: the shortest one without steps that the classes do not take."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from rmqproof.conformance.subject import ModelSubject
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.report.behaviour import Behaviour, Step

_MOST_STATES = 150_000
Edge = tuple[Any, str, tuple[Any, ...]]
"""A state, an action, and its arguments as they are shown."""


@dataclass(slots=True)
class Avoided:
    """`actions`: in no state; `edges`: one after the other of them in one state."""

    actions: set[str] = field(default_factory=set)
    edges: set[Edge] = field(default_factory=set)


def another(subject: ModelSubject, behaviour: Behaviour, avoided: Avoided) -> Behaviour | None:
    """A counterexample for the same property. None where there is none, or the model is too large to look."""
    system, name = subject.system, behaviour.violated
    invariants = [each for each in system.invariants if each.name == name]
    steps = [each for each in system.step_properties if each.name == name]
    before: dict[Any, tuple[Any, str, tuple[Any, ...]] | None] = dict.fromkeys(system.initial_states())
    queue = list(before)
    for state in queue:
        for action, arguments, target in _successors(subject, state, avoided):
            if any(not each.holds(state, target) for each in steps):
                return _told(subject, behaviour, before, state, (action, arguments, target))
            if target in before:
                continue
            before[target] = state, action, arguments
            if any(not each.holds(target) for each in invariants):
                return _told(subject, behaviour, before, state, (action, arguments, target))
            if len(before) > _MOST_STATES:
                return None
            queue.append(target)
    return None


def _successors(subject: ModelSubject, state: Any, avoided: Avoided) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    for action, given, target in subject.system.successors(state):
        name, arguments = subject.system.actions[action], tuple(to_itf(each) for each in given)
        if name not in avoided.actions and edge_of(subject, state, name, arguments) not in avoided.edges:
            yield name, arguments, target


def edge_of(subject: ModelSubject, state: Any, action: str | None, arguments: Collection[Any]) -> Edge:
    """`state`: its values; a search has its fingerprint behind them."""
    return state[: len(subject.system.variables)], str(action), tuple(map(repr, arguments))


def _told(
    subject: ModelSubject,
    behaviour: Behaviour,
    before: dict[Any, tuple[Any, str, tuple[Any, ...]] | None],
    state: Any,
    last: tuple[str, tuple[Any, ...], Any],
) -> Behaviour:
    """The way to the state, and the last step."""
    action, arguments, target = last
    way = [(action, arguments, target)]
    link = before[state]
    while link is not None:
        way.append((link[1], link[2], state))
        state = link[0]
        link = before[state]
    found = [Step(0, None, (), subject.system.to_itf(state))]
    for number, (name, given, after) in enumerate(reversed(way), 1):
        found.append(Step(number, name, given, subject.system.to_itf(after)))
    return Behaviour(
        behaviour.variables,
        tuple(found),
        violated=behaviour.violated,
        sentence=behaviour.sentence,
        origin=behaviour.origin,
    )
