"""Ordered messages, and the upgrade from DLedger mode, in an operator's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.model.report.value import function_pairs, sequence_elements
from rmqproof.rocketmq.assess.story_acting import Step, Tell


def _lengths(state: Mapping[str, Any]) -> list[int]:
    """How long each queue is, in the order of the sets."""
    queues = sequence_elements(state["queue"])
    if queues is None:
        queues = [value for _, value in function_pairs(state["queue"]) or []]
    return [len(sequence_elements(queue) or []) for queue in queues]


def _where(step: Step) -> int:
    """The set whose queue grows."""
    before, after = _lengths(step.before), _lengths(step.after)
    return next(at for at, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new)


def _sends(step: Step) -> str:
    return f"The application sends message {step.before['producer']['next']}."


def _handles(step: Step) -> str:
    (at,) = step.arguments
    handled = sequence_elements(step.after["handled"]) or []
    if step.before["handled"] == step.after["handled"]:
        return f"The consumer of set {at} is given a message again."
    return f"The consumer of set {at} handles message {handled[-1]}."


ORDERED: Mapping[str, Tell] = {
    "ApplicationSends": _sends,
    "MessageIsStored": lambda s: (
        f"Message {s.arguments[0]} is stored in set {_where(s)}; the producer is told SEND_OK."
    ),
    "AnswerIsLost": lambda s: f"Message {s.arguments[0]} is stored in set {_where(s)}; the answer is lost.",
    "MasterIsLost": lambda s: f"Set {s.arguments[0]} loses its master.",
    "MasterIsElected": lambda s: f"Set {s.arguments[0]} has a master again.",
    "ConsumerHandles": _handles,
}
"""By action of `spec/protocols/OrderedMessages.tla`."""


EMPTY_UPGRADE: Mapping[str, Tell] = {
    "BrokerStores": lambda s: f"Message {s.arguments[0]} is stored; its producer is told SEND_OK.",
    "ConsumerHandles": lambda s: f"A consumer handles a message; the group's offset is {s.after['offset']}.",
    "OffsetIsCorrected": lambda s: f"A consumer asks beyond the queue, and is sent to {s.after['offset']}.",
    "OperatorForbidsWriting": lambda s: "The operator forbids writing.",
    "OperatorClears": lambda s: f"The operator clears the store; the group's offset is {s.after['offset']}.",
    "BrokerStartsInControllerMode": lambda s: "The broker starts in Controller mode, empty.",
}
"""By action of `spec/protocols/EmptyUpgrade.tla`."""


def tale_of_clients(variables: tuple[str, ...], first: Mapping[str, Any]) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for these modules."""
    if {"serving", "producer", "handled"} <= set(variables):
        return "Each broker set has a master; set 1 is the home of the key.", ORDERED
    if {"mode", "offset", "stored"} <= set(variables):
        return "A broker set in DLedger mode, with an empty queue.", EMPTY_UPGRADE
    return None
