"""The controllers' own replication, what brokers have beside the log, and routes, in an operator's words."""

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
"""By action of `spec/protocols/ControllerRaft.tla`."""


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
"""By action of `spec/protocols/Metadata.tla`."""


def _registers(step: Step) -> str:
    broker, server = step.arguments
    has = "has the clients" if step.of("route", server) == broker else "is refused"
    return f"{broker} registers with {server} as the master of epoch {step.of('leads', broker)}, and {has}."


def _learns(step: Step) -> str:
    (broker,) = step.arguments
    epoch = step.of("leads", broker)
    return f"{broker} learns that it is {f'master of epoch {epoch}' if epoch else 'no master any more'}."


ROUTES: Mapping[str, Tell] = {
    "ControllerElectsMaster": lambda s: (
        f"{s.arguments[0]} is elected master of epoch {s.after['controller']['epoch']}."
    ),
    "BrokerLearnsRole": _learns,
    "MasterRegisters": _registers,
    "SlaveRegisters": lambda s: f"{s.arguments[0]} registers with {s.arguments[1]} as a slave.",
    "BrokerExpires": lambda s: f"{s.arguments[1]} has not heard {s.arguments[0]} for long, and drops it.",
}
"""By action of `spec/protocols/Routes.tla`."""


def tale_of_controllers(
    variables: tuple[str, ...], first: Mapping[str, object]
) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for these modules."""
    if {"leads", "serves", "waits"} <= set(variables):
        return "Three controllers; the first one leads and serves.", RAFT
    if {"table", "disk", "copy"} <= set(variables):
        return f"{first['master']} is master; no topic was created yet.", METADATA
    if {"route", "live", "leads"} <= set(variables):
        return "A broker set with a controller; its brokers register with each nameserver.", ROUTES
    return None
