"""The controllers' own replication, and what brokers have beside the log, in an operator's words."""

from __future__ import annotations

from collections.abc import Mapping

from rmqproof.model.report.value import sequence_elements, set_elements
from rmqproof.rocketmq.assess.story_acting import Step, Tell


def _last(step: Step, variable: str, server: object) -> str:
    """The last entry of a server's log, or of what it has applied."""
    entries = sequence_elements(step.of(variable, server)) or []
    entry = entries[-1]
    if not entry["epoch"]:
        return f"the empty entry of term {entry['term']}"
    return f"the election of {entry['master']} for epoch {entry['epoch']}"


def _copies(step: Step) -> str:
    leader, follower = step.arguments
    if step.of("log", follower) == step.of("log", follower, step.before):
        return f"{follower} hears that {leader} leads."
    shorter = len(sequence_elements(step.of("log", follower)) or []) <= len(
        sequence_elements(step.of("log", follower, step.before)) or []
    )
    more = ", over what it had there" if shorter else ""
    return f"{leader} pushes {_last(step, 'log', follower)} to {follower}{more}."


def _ends(step: Step) -> str:
    (server,) = step.arguments
    told = step.before["answered"] != step.after["answered"]
    return f"{server}'s wait ends: {'SUCCESS is answered' if told else 'no success is answered'}."


RAFT: Mapping[str, Tell] = {
    "LeaderIsElected": lambda s: f"{s.arguments[0]} is elected for term {s.of('term', s.arguments[0])}.",
    "LeaderAppendsEmptyEntry": lambda s: f"{s.arguments[0]} appends the empty entry of its term.",
    "LeaderStartsServing": lambda s: f"{s.arguments[0]} begins to serve.",
    "RoleChangeIsHandled": lambda s: f"{s.arguments[0]} notices that it does not lead any more.",
    "Decide": lambda s: f"{s.arguments[0]} decides {_last(s, 'log', s.arguments[0])}, appends it and waits.",
    "Push": _copies,
    "LeaderApplies": lambda s: (
        f"{s.arguments[0]} takes for committed, and applies, {_last(s, 'applied', s.arguments[0])}."
    ),
    "FollowerApplies": lambda s: f"{s.arguments[1]} applies {_last(s, 'applied', s.arguments[1])}.",
    "WaitEnds": _ends,
}
"""By action of `spec/ControllerRaft.tla`."""


def _creates(step: Step) -> str:
    (item,) = step.arguments
    told = item in (set_elements(step.after["answered"]) or [])
    return f"Topic {item} is created at the master{', which answers SUCCESS' if told else ''}."


def _synchronizes(step: Step) -> str:
    (slave,) = step.arguments
    if step.of("copy", slave)["under"]:
        return f"{slave} fetches the master's topics, and deletes its own."
    kept = "" if step.of("disk", slave) == step.of("table", slave) else ", in memory only"
    return f"{slave} copies the master's topics{kept}."


METADATA: Mapping[str, Tell] = {
    "ItemIsCreated": _creates,
    "CreationIsAnswered": lambda s: f"All brokers have topic {s.arguments[0]}: the master answers SUCCESS.",
    "SlaveSynchronizes": _synchronizes,
    "SynchronizationEnds": lambda s: f"{s.arguments[0]} adds the topics that it has fetched.",
    "ControllerElectsMaster": lambda s: f"{s.arguments[0]} is elected master.",
    "BrokerRestarts": lambda s: f"{s.arguments[0]} restarts, with what is on its disk.",
}
"""By action of `spec/Metadata.tla`."""


def tale_of_controllers(
    variables: tuple[str, ...], first: Mapping[str, object]
) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for these modules."""
    if {"leads", "serves", "waits"} <= set(variables):
        return "Three controllers; the first one leads and serves.", RAFT
    if {"table", "disk", "copy"} <= set(variables):
        return f"{first['master']} is master; no topic was created yet.", METADATA
    return None
