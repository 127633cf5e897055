"""POP in an operator's words: spec/protocols/Pop.tla and PopActing.tla."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.model.report.value import sequence_elements, set_elements
from rmqproof.rocketmq.assess.story_acting import Step, Tell


def _log(state: Mapping[str, Any]) -> list[Any]:
    return sequence_elements(state["log"]) or []


def _given(step: Step) -> str:
    (consumer,) = step.arguments
    message = step.of("reading", consumer, step.before)
    stored = len(_log(step.after)) > len(_log(step.before))
    if step.of("buffer", message, step.before)["is"]:
        return f"{consumer} is given message {message}, too."
    where = "stored" if stored else "in the master's memory"
    return f"{consumer} is given message {message}; the checkpoint is {where}."


def _acks(step: Step) -> str:
    consumer, message = step.arguments
    stored = len(_log(step.after)) > len(_log(step.before))
    where = "stored" if stored else "in the master's memory"
    return f"{consumer} has handled message {message} and acknowledges it; that is {where}."


def _revival(step: Step) -> str:
    record = _log(step.before)[step.after["offsets"]["revived"] - 1]
    if record["kind"] != "Checkpoint" or len(_log(step.after)) == len(_log(step.before)):
        if step.before["reviving"] == step.after["reviving"]:
            return f"The revival passes message {record['message']}'s {record['kind'].lower()}: nothing is to be done."
        return f"The time of message {record['message']} is over: it is being read, and the revival goes on."
    return f"The time of message {record['message']} is over: it is stored again in the retry topic."


def _elected(step: Step) -> str:
    has = len(_log(step.after))
    return (
        f"The slave is elected, with {has or 'none'} of the checkpoints and acknowledgements; "
        f"the group's offset is {step.after['offsets']['group']}."
    )


def _escapes(step: Step) -> bool:
    return bool(step.before["elsewhere"] != step.after["elsewhere"])


def _acting_given(step: Step) -> str:
    (consumer,) = step.arguments
    message = step.of("reading", consumer, step.before)
    where = "in another set" if _escapes(step) else "in the slave's memory"
    return f"{consumer} is given message {message} by the slave; the checkpoint is {where}."


def _acting_acks(step: Step) -> str:
    consumer, message = step.arguments
    kept = "in the slave's memory" if step.before["buffer"] != step.after["buffer"] else "nowhere"
    where = "in another set" if _escapes(step) else kept
    return f"{consumer} has handled message {message} and acknowledges it; that is {where}."


def _acting_revival(step: Step) -> str:
    record = _log(step.before)[step.after["offsets"]["revived"] - 1]
    message = record["message"]
    if record["kind"] != "Checkpoint" or _log(step.before).count({**record, "kind": "Ack"}):
        return f"The slave's revival passes message {message}'s {record['kind'].lower()}: nothing is to be done."
    if _escapes(step):
        return f"The time of message {message} is over: it is stored again in another set."
    return f"The time of message {message} is over: it can be stored nowhere, and the slave's revival goes on."


def _route(step: Step) -> str:
    (queues,) = step.arguments
    return "The slave's route has " + ("other queues." if set_elements(queues) else "no other set.")


POP: Mapping[str, Tell] = {
    "PopBegins": lambda s: f"{s.arguments[0]} asks, and message {s.of('reading', s.arguments[0])} is read for it.",
    "PopEnds": _given,
    "LockExpires": lambda s: f"A minute has passed: the lock that {s.arguments[0]}'s request holds is dropped.",
    "ConsumerAcks": _acks,
    "CheckpointIsStored": lambda s: f"The checkpoint of message {s.arguments[0]} has waited long enough: it is stored.",
    "OffsetIsCommitted": lambda s: f"The group's offset goes over message {s.after['offsets']['group']}.",
    "RevivalPasses": _revival,
    "RetryIsStored": lambda s: f"Message {s.arguments[0]} is stored again in the retry topic.",
    "SlaveCopies": lambda s: f"The slave copies record {s.after['copied']} of the log.",
    "SlaveSynchronizes": lambda s: "The slave copies the offsets of the consumers.",
    "MasterRestarts": lambda s: "The master's process ends and starts again: what was in memory is gone.",
    "SlaveIsElected": _elected,
    "MasterGoesAway": lambda s: "The master is away, and the slave acts for it: it hands out and revives.",
    "MasterReturns": lambda s: "The master is back, with the slave's offsets.",
    "RouteChanges": _route,
    "ActingPopEnds": _acting_given,
    "ActingAcks": _acting_acks,
    "CheckpointEscapes": lambda s: f"The checkpoint of message {s.arguments[0]} is stored in another set.",
    "ActingRevivalPasses": _acting_revival,
}
"""By action of `spec/protocols/Pop.tla` and `PopActing.tla`."""


def tale_of_pop(variables: tuple[str, ...], first: Mapping[str, object]) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for this module."""
    if {"reading", "locked", "given"} <= set(variables):
        return "A queue whose messages a master and a slave have; nobody was given one.", POP
    return None
