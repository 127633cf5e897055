"""What lies between the log and consumers in an operator's words: consume queues, half messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.model.report.value import sequence_elements
from rmqproof.rocketmq.assess.story_acting import Step, Tell


def _log(state: Mapping[str, Any]) -> list[Any]:
    return sequence_elements(state["log"]) or []


def _units(state: Mapping[str, Any]) -> list[Any]:
    return sequence_elements(state["queue"]["units"]) or []


def _newest(step: Step) -> str:
    return f"message {len(_log(step.after))}, at {_log(step.after)[-1]['at']} in its queue"


def _dispatched(step: Step) -> str:
    message = step.after["reput"]
    if len(_units(step.after)) == len(_units(step.before)):
        return f"Message {message} is dispatched, and passed over: the queue has something there already."
    return f"Message {message} is dispatched into its queue."


def _reads(step: Step) -> str:
    return f"A consumer reads at {step.after['consumer'] - 1}, and goes on at {step.after['consumer']}."


def _cut(step: Step) -> str:
    (kept,) = step.arguments
    queue = step.after["queue"]
    ends = f"the queue goes from {queue['min']} to {queue['first'] + len(_units(step.after))}"
    return f"The slave cuts its log behind message {kept}, since its master has other messages; {ends}."


def _elected(step: Step) -> str:
    (alone,) = step.arguments
    if alone:
        return "The broker is elected, alone in the SyncStateSet: all that it has is confirmed."
    known = step.after["confirm"]
    return f"It is still master, with others in the SyncStateSet; it knows message {known} as confirmed."


CONSUME_QUEUES: Mapping[str, Tell] = {
    "SlaveCopies": lambda s: f"The slave copies {_newest(s)}.",
    "MasterPuts": lambda s: f"The master takes {_newest(s)}.",
    "ConfirmOffsetRises": lambda s: f"Message {s.after['confirm']} is confirmed.",
    "MessageIsDispatched": _dispatched,
    "ConsumerReads": _reads,
    "LogIsCut": _cut,
    "MessageExpires": lambda s: (
        f"Message {s.after['head']} is so old that it is deleted; the queue begins at {s.after['queue']['min']}."
    ),
    "BrokerIsElected": _elected,
    "MasterOpens": lambda s: f"The master opens; the next message comes at {s.after['next']}.",
    "MasterIsElectedAgain": lambda s: f"The master is elected again; the next message comes at {s.after['next']}.",
    "MasterRestarts": lambda s: "The master's process restarts.",
    "BrokerBecomesSlave": lambda s: "Another broker is elected, this one becomes its slave.",
}
"""By action of `spec/protocols/ConsumeQueues.tla`."""


def _executed(step: Step) -> str:
    (end,) = step.arguments
    new = _log(step.after)[len(_log(step.before)) :]
    if not new:
        if step.before["batch"] != step.after["batch"]:
            return f"The rollback of transaction {end['tx']} is executed; its op message waits in memory."
        return f"The request of transaction {end['tx']} is refused: its half message is not there."
    op = "written with it" if len(new) > 1 else "waits in memory"
    return (
        f"The commit of transaction {end['tx']} is executed: message {new[0]['tx']} is delivered, its op message {op}."
    )


def _half(step: Step) -> Any:
    """The transaction of the half message that the step is about."""
    return _log(step.before)[step.arguments[0] - 1]["tx"]


def _slave_elected(step: Step) -> str:
    looked = step.after["looked"]
    where = f"half messages were looked at up to {looked}" if looked else "no half message was looked at"
    has = len(_log(step.after))
    return f"The slave is elected, with {has} message{'s' if has != 1 else ''} in its log; as it knows {where}."


TRANSACTIONS: Mapping[str, Tell] = {
    "HalfArrives": lambda s: f"The half message of transaction {_log(s.after)[-1]['tx']} is stored.",
    "HalfIsAnswered": lambda s: (
        f"Its producer is told SEND_OK; transaction {_half(s)} ends with {s.arguments[1]}, which is on its way."
    ),
    "EndIsLost": lambda s: f"The request of transaction {s.arguments[0]['tx']} is lost.",
    "EndIsExecuted": _executed,
    "OpIsWritten": lambda s: f"The op message of transaction {_half(s)} is stored.",
    "HalfIsPassed": lambda s: f"The master looks at the half message of transaction {_half(s)}, and finds its op.",
    "HalfIsPutBack": lambda s: (
        f"The half message of transaction {_half(s)} has no op: it is put back, its producer asked."
    ),
    "SlaveCopies": lambda s: f"The slave copies message {s.after['copied']} of the log.",
    "SlaveSynchronizes": lambda s: "The slave copies how far half messages were looked at.",
    "MasterRestarts": lambda s: "The master's process restarts: what was in memory is gone.",
    "SlaveIsElected": _slave_elected,
}
"""By action of `spec/protocols/Transactions.tla`."""


def tale_of_queues(variables: tuple[str, ...], first: Mapping[str, object]) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for these modules."""
    if {"reput", "queue", "confirm"} <= set(variables):
        return "A master has message 1 of a queue, at 0, confirmed and dispatched.", CONSUME_QUEUES
    if {"batch", "decided", "ends"} <= set(variables):
        return "A master and a slave; no half message is stored.", TRANSACTIONS
    return None
