"""Kept requests, asked of another release, or of our controller: what is answered otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.controller.config import SHIPPED_CONTROLLER, ControllerConfig, controller_rules
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.controller.decisions import decide
from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.adapter import response_of
from rmqproof.rocketmq.calls import Call
from rmqproof.rocketmq.controller_state import ControllerState, RealAnswer, broker_set_of, state_of
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.worker import Worker


@dataclass(slots=True)
class Replayed:
    """`asked` requests; `otherwise`: those that were answered otherwise, by what differs (`code`, `state`, …), with the
    first of each."""

    asked: int = 0
    otherwise: Counter[str] = field(default_factory=Counter)
    first: dict[str, tuple[Call, Any]] = field(default_factory=dict)

    def note(self, what: str, call: Call, found: Any) -> None:
        self.otherwise[what] += 1
        self.first.setdefault(what, (call, found))


def replay(calls: Iterable[Call], release: Release, java: Path | None = None) -> Replayed:
    """Ask another release. Raise `RocketmqError`."""
    worker = Worker(release, java)
    result = Replayed()
    try:
        for call in calls:
            answer, after = worker.call("ask", *call.question)
            result.asked += 1
            for what in _differences(call, answer, after):
                result.note(f"{type(call.request).__name__.removesuffix('Request')}: {what}", call, (answer, after))
    finally:
        worker.close()
    return result


def _differences(call: Call, answer: RealAnswer, after: ControllerState) -> Iterable[str]:
    for name in ("code", "remark", "header", "body", "events", "raised"):
        if getattr(call.answer, name) != getattr(answer, name):
            yield name
    if call.after != after:
        yield "state"


# --- our controller --------------------------------------------------------------------------------------------------


def ask_ours(call: Call) -> tuple[messages.ControllerResponse, ControllerState]:
    """Our controller's answer under the shipped rules, and the state after its events."""
    before = broker_set_of(call.before, BrokerSet("", call.before.broker_name))
    controller = Controller(
        ControllerConfig(enable_elect_unclean_master=call.unclean), controller_rules(SHIPPED_CONTROLLER)
    )
    controller.sets = {before.broker_name: before} if before.registered else {}
    controller.live = {(before.broker_name, broker_id): info for broker_id, info in call.living}
    decision = decide(controller, call.request, 0, ())
    for event in decision.events:
        controller.apply(event)
    return decision.response, state_of(controller.broker_set(before.broker_name))


def differences_of_ours(call: Call) -> list[str]:
    """What our controller does otherwise than the real one did: `code`, `remark`, `response`, `state`."""
    if call.answer.raised:
        return []  # the class threw: there is no answer to compare with
    ours, after = ask_ours(call)
    theirs = response_of(call.request, call.answer)
    found = []
    if ours.code != theirs.code:
        found.append("code")
    elif _without_remark(ours) != _without_remark(theirs):
        found.append("response")
    if getattr(ours, "remark", "") != getattr(theirs, "remark", ""):
        found.append("remark")
    if after != call.after and not (_gone(after) and _gone(call.after)):
        found.append("state")
    return found


def _without_remark(response: messages.ControllerResponse) -> dict[str, Any]:
    names = [name for name in type(response).__dataclass_fields__ if name not in ("remark", "restarted")]
    return {name: getattr(response, name) for name in names}


def _gone(state: ControllerState) -> bool:
    """Neither table, or only one of them, has the set: RocketMQ calls it unknown in both cases."""
    return state.replicas is None or state.in_sync is None
