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
Line = tuple[Any, ...]
Situation = tuple[Any, Line]
"""A state, and the proposals that wait in it in their order, where that counts."""
Links = dict[Situation, tuple[Situation, str, tuple[Any, ...]] | None]
SENDS = "SendQueuedProposal"


@dataclass(slots=True)
class Avoided:
    """`actions`: in no state; `edges`: one after the other of them in one state; `out_of_line`: a proposal that is sent
    before one that its broker made earlier."""

    actions: set[str] = field(default_factory=set)
    edges: set[Edge] = field(default_factory=set)
    out_of_line: bool = False


def another(subject: ModelSubject, behaviour: Behaviour, avoided: Avoided) -> Behaviour | None:
    """A counterexample for the same property. None where there is none, or the model is too large to look."""
    system, name = subject.system, behaviour.violated
    invariants = [each for each in system.invariants if each.name == name]
    steps = [each for each in system.step_properties if each.name == name]
    before: Links = dict.fromkeys((each, ()) for each in system.initial_states())
    queue = list(before)
    for situation in queue:
        for action, arguments, target in _successors(subject, situation, avoided):
            if any(not each.holds(situation[0], target[0]) for each in steps):
                return _told(subject, behaviour, before, situation, (action, arguments, target[0]))
            if target in before:
                continue
            before[target] = situation, action, arguments
            if any(not each.holds(target[0]) for each in invariants):
                return _told(subject, behaviour, before, situation, (action, arguments, target[0]))
            if len(before) > _MOST_STATES:
                return None
            queue.append(target)
    return None


def _successors(
    subject: ModelSubject, situation: Situation, avoided: Avoided
) -> Iterator[tuple[str, tuple[Any, ...], Situation]]:
    state, line = situation
    for action, given, target in subject.system.successors(state):
        name, arguments = subject.system.actions[action], tuple(to_itf(each) for each in given)
        if name in avoided.actions or edge_of(subject, state, name, arguments) in avoided.edges:
            continue
        if avoided.out_of_line and name == SENDS and _overtakes(given[0], line):
            continue
        yield name, arguments, (target, _line(subject, line, target) if avoided.out_of_line else ())


def _line(subject: ModelSubject, line: Line, state: Any) -> Line:
    """The proposals that wait to be sent, the oldest first: a set in the model."""
    requests = state[subject.system.variables.index("requests")]
    waiting = {each for each in requests if to_itf(each).get("sent") is False}
    return (*(each for each in line if each in waiting), *sorted(waiting.difference(line), key=repr))


def _overtakes(sent: Any, line: Line) -> bool:
    first = next(each for each in line if to_itf(each)["from"] == to_itf(sent)["from"])
    return bool(first != sent)


def edge_of(subject: ModelSubject, state: Any, action: str | None, arguments: Collection[Any]) -> Edge:
    """`state`: its values; a search has its fingerprint behind them."""
    return state[: len(subject.system.variables)], str(action), tuple(map(repr, arguments))


def _told(
    subject: ModelSubject,
    behaviour: Behaviour,
    before: Links,
    situation: Situation,
    last: tuple[str, tuple[Any, ...], Any],
) -> Behaviour:
    """The way to the situation, and the last step."""
    action, arguments, target = last
    way = [(action, arguments, target)]
    link = before[situation]
    while link is not None:
        way.append((link[1], link[2], situation[0]))
        situation = link[0]
        link = before[situation]
    found = [Step(0, None, (), subject.system.to_itf(situation[0]))]
    for number, (name, given, after) in enumerate(reversed(way), 1):
        found.append(Step(number, name, given, subject.system.to_itf(after)))
    return Behaviour(
        behaviour.variables,
        tuple(found),
        violated=behaviour.violated,
        sentence=behaviour.sentence,
        origin=behaviour.origin,
    )
