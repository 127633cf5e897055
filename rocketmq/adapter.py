"""Our world of brokers with a real controller in it: what it decides, `ReplicasInfoManager` of a release decides.

Every request of the model's steps goes to the real class in the state that it left itself; its answer is what the
brokers hear, and the state that its events make is the controller's. Where the model allows no step the request is made
all the same, and must be refused and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rmqproof.conformance.reference.adapter import ReferenceAdapter
from rmqproof.conformance.reference.settings import Settings
from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.controller.decisions import Decision
from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_io as events
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.codes import ResponseCode
from rmqproof.rocketmq.calls import Call, note
from rmqproof.rocketmq.controller_state import (
    ControllerState,
    Liveness,
    RealAnswer,
    broker_set_of,
    state_of,
)
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.worker import Worker

ELIDED = {
    "controller._real": "The connection to the JVM with the real class; it holds no state of the protocol.",
}
_KEPT = 200_000


class Tally:
    """What was asked of the real class by all processes that were forked since: requests of the model's steps and
    refusals, and how many of them were different ones (in each process)."""

    def __init__(self, calls: Path | None = None) -> None:
        """`calls`: a folder for what was asked and answered, a file a process; see `rmqproof.rocketmq.calls`."""
        self._numbers = get_context("fork").Array("L", 2)
        self.calls = calls

    def add(self, place: int) -> None:
        with self._numbers.get_lock():
            self._numbers[place] += 1

    @property
    def asked(self) -> int:
        return int(self._numbers[0])

    @property
    def different(self) -> int:
        return int(self._numbers[1])


@dataclass(slots=True)
class RealController:
    """The real class with a memory: it is a state machine, so the same request in the same state is asked once."""

    call: Callable[..., Any]
    tally: Tally
    _answers: dict[Any, tuple[RealAnswer, ControllerState]] = field(default_factory=dict)
    _applied: dict[Any, ControllerState] = field(default_factory=dict)

    def ask(
        self, state: ControllerState, request: messages.ControllerRequest, living: Liveness, unclean: bool
    ) -> tuple[RealAnswer, ControllerState]:
        self.tally.add(0)
        key = state, request, living, unclean
        found = self._answers.get(key)
        if found is None:
            self.tally.add(1)
            if len(self._answers) > _KEPT:
                self._answers.clear()
            found = self._answers[key] = self.call("ask", state, request, living, unclean)
            if self.tally.calls is not None:
                note(self.tally.calls, Call(state, request, living, unclean, *found))
        return found

    def apply(self, state: ControllerState, event: tuple[Any, ...]) -> ControllerState:
        self.tally.add(0)
        key = state, event
        if key not in self._applied:
            self.tally.add(1)
            self._applied[key] = self.call("apply", state, event)
        return self._applied[key]


class RocketmqController(Controller):
    """A controller whose decisions are the real ones. Heartbeats come as data, and the environment says when the
    controller looks for a master that is gone."""

    _real: RealController

    def decided(self, request: events.ControllerInput, now: int, order: Sequence[int]) -> Decision:
        assert isinstance(request, messages.ControllerRequest)
        if isinstance(request, messages.ElectMasterRequest) and request.restarted:
            # no such request in RocketMQ; the shipped rules never send one
            return Decision(messages.ElectMasterResponse(ResponseCode.CONTROLLER_ELECT_MASTER_FAILED, restarted=True))
        name = request.broker_names[0] if isinstance(request, messages.GetSyncStateDataRequest) else request.broker_name
        before = self.broker_set(name)
        living = self._living(name, now, order)
        answer, _ = self._real.ask(state_of(before), request, living, self.config.enable_elect_unclean_master)
        return Decision(response_of(request, answer), tuple(event_of(name, event, before) for event in answer.events))

    def applied(self, before: BrokerSet, event: events.ControllerEvent) -> BrokerSet:
        state = self._real.apply(state_of(before), plain_event(event))
        return broker_set_of(state, before)

    def _living(self, name: str, now: int, order: Sequence[int]) -> Liveness:
        """The heartbeats that are alive. Equal candidates are told apart by their priority, in the order wanted."""
        found: list[tuple[int, BrokerLiveInfo]] = []
        for (of, broker_id), info in sorted(self.live.items()):
            if of == name and info.alive(now):
                place = order.index(broker_id) if broker_id in order else len(order)
                priority = info.election_priority if not order else place
                found.append(
                    (
                        broker_id,
                        BrokerLiveInfo(0, 0, info.epoch, info.max_offset, info.confirm_offset, priority),
                    )
                )
        return tuple(found)


class RocketmqAdapter(ReferenceAdapter):
    """Our brokers with the real controller of a release."""

    def __init__(self, release: Release, java: Path | None, tally: Tally, jraft: bool = False) -> None:
        super().__init__()
        self._release, self._java, self._tally, self._jraft = release, java, tally, jraft
        self._worker: Worker | None = None

    def _controller(self, settings: Settings) -> Controller:
        controller = RocketmqController(settings.controller, settings.controller_rules)
        if self._worker is None:
            self._worker = Worker(self._release, self._java, self._jraft)
        controller._real = RealController(self._worker.call, self._tally)
        return controller

    def elided(self) -> Mapping[str, str]:
        return {**super().elided(), **ELIDED}

    def fields(self) -> set[str]:
        return {name for name in super().fields() if not name.startswith("controller._real.")}


def adapter_of(release: Release, java: Path | None, tally: Tally, jraft: bool = False) -> Callable[[], RocketmqAdapter]:
    return partial(RocketmqAdapter, release, java, tally, jraft)


# --- the real answer in our words ------------------------------------------------------------------------------------


def response_of(request: messages.ControllerRequest, answer: RealAnswer) -> messages.ControllerResponse:
    """Raise `ValueError` for a request that does not go to the class."""
    code, header, body = ResponseCode(answer.code), answer.header, answer.body or {}
    master, address = header.get("MasterBrokerId"), header.get("MasterAddress")
    epoch, remark = header.get("MasterEpoch", 0), answer.remark
    members = frozenset(body.get("syncStateSet") or ())
    number = body.get("syncStateSetEpoch", header.get("SyncStateSetEpoch", 0))
    match request:
        case messages.GetNextBrokerIdRequest():
            return messages.GetNextBrokerIdResponse(code, header["NextBrokerId"], remark)
        case messages.ApplyBrokerIdRequest():
            return messages.ApplyBrokerIdResponse(code, remark)
        case messages.RegisterBrokerRequest():
            return messages.RegisterBrokerResponse(code, master, address, epoch, members, number, remark)
        case messages.ElectMasterRequest():
            return messages.ElectMasterResponse(code, master, address, epoch, members, number, remark=remark)
        case messages.AlterSyncStateSetRequest():
            return messages.AlterSyncStateSetResponse(code, members, number, remark)
        case messages.GetReplicaInfoRequest():
            return messages.GetReplicaInfoResponse(code, master, address, epoch, members, number, remark)
        case messages.CleanBrokerDataRequest():
            return messages.CleanBrokerDataResponse(code, remark)
        case messages.GetSyncStateDataRequest():
            return messages.GetSyncStateDataResponse(code, _sets(body), remark)
    raise ValueError(f"{request} does not go to ReplicasInfoManager")


def _sets(body: Mapping[str, Any]) -> tuple[messages.BrokerSetState, ...]:
    def replicas(found: Sequence[Mapping[str, Any]]) -> tuple[messages.ReplicaState, ...]:
        made = [messages.ReplicaState(each["brokerId"], each["brokerAddress"], each["alive"]) for each in found]
        return tuple(sorted(made, key=lambda each: each.broker_id))

    return tuple(
        messages.BrokerSetState(
            name,
            each.get("masterBrokerId"),
            each.get("masterAddress"),
            each["masterEpoch"],
            each["syncStateSetEpoch"],
            replicas(each["inSyncReplicas"]),
            replicas(each["notInSyncReplicas"]),
        )
        for name, each in sorted(body.get("replicasInfoTable", {}).items())
    )


def event_of(name: str, event: tuple[Any, ...], before: BrokerSet) -> events.ControllerEvent:
    """An event as `RealAnswer.events` shows it, in our words."""
    match event:
        case ("ALTER_SYNC_STATE_SET_EVENT", members):
            return events.AlterSyncStateSetEvent(name, members)
        case ("ELECT_MASTER_EVENT", True, new):
            return events.ElectMasterEvent(name, new, frozenset({new}))
        case ("ELECT_MASTER_EVENT", False, _):
            return events.ElectMasterEvent(name, None, before.sync_state_set)
        case ("APPLY_BROKER_ID_EVENT", broker_id, cluster, address, code):
            return events.ApplyBrokerIdEvent(cluster, name, address, broker_id, code)
        case ("CLEAN_BROKER_DATA_EVENT", ids):
            return events.CleanBrokerDataEvent(name, None if ids is None else tuple(sorted(ids)))
        case ("UPDATE_BROKER_ADDRESS", broker_id, cluster, address):
            return events.UpdateBrokerAddressEvent(cluster, name, address, broker_id)
    raise ValueError(f"{event} is no event")


def plain_event(event: events.ControllerEvent) -> tuple[Any, ...]:
    """Our event as `ReplicasInfoManager.apply` takes it."""
    name = event.broker_name
    match event:
        case events.AlterSyncStateSetEvent():
            return "ALTER_SYNC_STATE_SET_EVENT", name, event.new_sync_state_set
        case events.ElectMasterEvent():
            return "ELECT_MASTER_EVENT", name, event.new_master_broker_id
        case events.ApplyBrokerIdEvent():
            return (
                "APPLY_BROKER_ID_EVENT",
                name,
                event.cluster_name,
                event.broker_address,
                event.new_broker_id,
                event.register_check_code,
            )
        case events.CleanBrokerDataEvent():
            return "CLEAN_BROKER_DATA_EVENT", name, None if event.broker_ids is None else frozenset(event.broker_ids)
        case events.UpdateBrokerAddressEvent():
            return "UPDATE_BROKER_ADDRESS", name, event.cluster_name, event.broker_address, event.broker_id
