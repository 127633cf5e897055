"""Registration, the upgrade to Controller mode, expired log heads, the search for the controllers' leader and
retries of clients in an operator's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.model.report.value import sequence_elements, set_elements
from rmqproof.rocketmq.assess.story_acting import Step, Tell


def _id(step: Step) -> Any:
    """The id that a replica has, or had before the step."""
    (replica, *_) = step.arguments
    return step.of("identity", replica)["id"] or step.of("identity", replica, step.before)["id"]


def _reads(step: Step) -> str:
    return f"{step.arguments[0]} asks for the next brokerId and is told {_id(step)}."


def _fails(step: Step) -> str:
    what = "is applied, but its answer is lost" if step.before["table"] != step.after["table"] else "is lost"
    return f"{step.arguments[0]}'s application for brokerId {_id(step)} {what}."


REGISTRATION: Mapping[str, Tell] = {
    "GetNextBrokerId": _reads,
    "AttemptIsMade": _reads,
    "ApplyBrokerId": lambda s: f"{s.arguments[0]} applies for brokerId {_id(s)}, and has it.",
    "ApplyBrokerIdFails": _fails,
    "ApplyBrokerIdIsLost": _fails,
    "ApplyBrokerIdIsRefused": lambda s: f"{s.arguments[0]} applies for brokerId {_id(s)}, and is refused.",
    "RegisterBroker": lambda s: f"{s.arguments[0]} registers under brokerId {_id(s)}.",
    "UnknownBrokerTakesNewIdentity": lambda s: f"The controller does not know {s.arguments[0]}, which gives its id up.",
    "ProcessCrashes": lambda s: f"The process of {s.arguments[0]} ends.",
    "ProcessRestarts": lambda s: f"{s.arguments[0]} starts again.",
    "MetadataIsCleaned": lambda s: "An administrator cleans the broker set's metadata.",
}
"""By action of `spec/protocols/Registration.tla` and `RegistrationProgress.tla`."""


def _log(step: Step, broker: Any, state: Mapping[str, Any] | None = None) -> list[Any]:
    return sequence_elements(step.of("replica", broker, state)["log"]) or []


def _connects(step: Step) -> str:
    (slave,) = step.arguments
    cut = [message for message in _log(step, slave, step.before) if message not in _log(step, slave)]
    what = f" and cuts off message {', '.join(map(str, cut))}" if cut else ", and keeps its log as it is"
    return f"{slave} connects to its master{what}."


UPGRADE: Mapping[str, Tell] = {
    "ProcessStarts": lambda s: f"{s.arguments[0]} is started in Controller mode.",
    "BecomeMaster": lambda s: (
        f"{s.arguments[0]} is elected, alone in the SyncStateSet, epoch {s.after['controller']['epoch']}."
    ),
    "BecomeSlave": lambda s: f"{s.arguments[0]} becomes a slave.",
    "SlaveConnectsAndTruncates": _connects,
    "SlaveAppends": lambda s: f"{s.arguments[0]} receives message {_log(s, s.arguments[0])[-1]}.",
    "SlaveJoins": lambda s: f"{s.arguments[0]} has caught up and joins the SyncStateSet.",
    "AppendPut": lambda s: f"{s.arguments[0]} appends message {_log(s, s.arguments[0])[-1]}.",
    "AcknowledgePut": lambda s: f"The producer is told SEND_OK for message {s.arguments[0]}.",
    "ProcessEnds": lambda s: f"The process of {s.arguments[0]} ends.",
}
"""By action of `spec/protocols/Upgrade.tla`."""

HEADS: Mapping[str, Tell] = {
    "SlaveConnects": lambda s: (
        f"The slave meets its master: case {s.after['handshake']['figure']}; it does: {s.after['handshake']['did']}."
    ),
    "SlaveCopies": lambda s: f"The slave copies; its log ends at {s.after['slave']['max']}.",
    "SlaveIsOvertaken": lambda s: "The master has deleted what the slave asks for next.",
    "AppendPut": lambda s: f"The master appends; its log ends at {s.after['master']['max']}.",
    "FileExpires": lambda s: f"A file of the master expires; its log begins at {s.after['master']['min']}.",
}
"""By action of `spec/protocols/LogHeads.tla`."""


def _scans(step: Step) -> str:
    if step.before["broker"]["tasks"] != step.after["broker"]["tasks"]:
        return "The broker's scan asks whether each controller can be reached."
    if step.after["broker"]["scans"]:
        return "The scan's pool is full; it will ask again."
    return "The scan's pool is full and refuses a task: the scan ends for ever."


def _checked(step: Step) -> str:
    (controller,) = step.arguments
    there = controller in (set_elements(step.after["broker"]["available"]) or [])
    return f"The check finds {controller} {'reachable' if there else 'not reachable'}."


def _heartbeats(step: Step) -> str:
    old, new = (set_elements(state["heard"]) or [] for state in (step.before, step.after))
    return f"The broker's heartbeat reaches {' and '.join(each for each in new if each not in old)}."


DISCOVERY: Mapping[str, Tell] = {
    "Scan": _scans,
    "ReachabilityIsChecked": _checked,
    "AskForLeader": lambda s: f"The broker asks {s.arguments[0]} who leads, and is told {s.after['broker']['known']}.",
    "SendHeartbeats": _heartbeats,
    "HeartbeatExpires": lambda s: f"To {s.arguments[0]} the broker is dead: no heartbeat came.",
    "ControllerFailsOver": lambda s: f"{s.arguments[0]} becomes the controllers' leader.",
    "ControllerLearnsLeader": lambda s: f"{s.arguments[0]} learns who leads.",
    "NetworkBreaks": lambda s: f"The network between the broker and {s.arguments[0]} is slow or gone.",
    "NetworkHeals": lambda s: f"The broker reaches {s.arguments[0]} again.",
    "ChannelSticks": lambda s: f"The channel to {s.arguments[0]} that the check looks at stays inactive.",
}
"""By action of `spec/protocols/ControllerDiscovery.tla`."""


def _handled(step: Step) -> str:
    (place,) = step.arguments
    message = (sequence_elements(step.of("queue", place)) or [])[step.of("consumer", place, step.before)["next"]]
    again = step.of("handled", message)
    more = f", for the {'second' if again == 2 else f'{again}th'} time" if again > 1 else ""
    return f"The consumer handles message {message} of {place}{more}."


def _sends(what: str) -> Tell:
    return lambda s: f"The producer sends message {s.before['sending']['id']} to {s.arguments[0]}{what}"


CLIENTS: Mapping[str, Tell] = {
    "MessageIsSent": _sends(" and is told SEND_OK."),
    "AnswerIsLost": _sends("; it is stored, and the answer is lost."),
    "RequestIsLost": _sends("; the request is lost."),
    "MessageIsHandled": _handled,
    "OffsetIsCommitted": lambda s: f"The consumer commits its offset of {s.arguments[0]}.",
    "ConsumerRestarts": lambda s: "The consumer starts again, at what it has committed.",
}
"""By action of `spec/protocols/ClientRetries.tla`."""


def tale_elsewhere(variables: tuple[str, ...], first: Mapping[str, Any]) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for these modules."""
    names = set(variables)
    if {"table", "identity", "process"} <= names:
        return "Replicas start without an id.", REGISTRATION
    if {"replica", "acknowledged", "controller"} <= names:
        return "An old master and its slave are stopped; the master has acknowledged all of its log.", UPGRADE
    if {"queue", "sending", "told"} <= names:
        return "A producer, a consumer group, and a queue in each broker set.", CLIENTS
    if {"leader", "view", "heard"} <= names:
        return f"A broker starts; {first['leader']} leads the controllers.", DISCOVERY
    if {"handshake", "slave", "master"} <= names:
        master, slave = first["master"], first["slave"]
        return (
            f"The master's log goes from {master['min']} to {master['max']}, the slave's from {slave['min']} to "
            f"{slave['max']}.",
            HEADS,
        )
    return None
