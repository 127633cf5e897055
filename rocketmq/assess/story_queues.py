"""What lies between the log and consumers in an operator's words: consume queues."""

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
"""By action of `spec/ConsumeQueues.tla`."""


def tale_of_queues(variables: tuple[str, ...], first: Mapping[str, object]) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for this module."""
    if {"reput", "queue", "confirm"} <= set(variables):
        return "A master has message 1 of a queue, at 0, confirmed and dispatched.", CONSUME_QUEUES
    return None
