"""The controller's steps of a story, asked of `ReplicasInfoManager` of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.codes import NO_BROKER_ID, ResponseCode
from rmqproof.rocketmq.controller_state import ControllerState, InSync, Liveness, RealAnswer, Replicas

State = Mapping[str, Any]
_CLUSTER, _NAME = "DefaultCluster", "broker-a"
HEARTBEATS = frozenset(["HeartbeatArrives", "HeartbeatExpires", "ControllerFailsOver"])
"""Who is alive comes as data."""
REQUESTS = frozenset(
    [
        *("ControllerElectsMaster", "ControllerFindsNoMaster", "BrokerRequestsElection"),
        *("AdministratorDesignatesMaster", "ControllerAcceptsAlter", "MetadataIsCleaned", "ControllerAppliesEvent"),
    ]
)
ELECTED = "RestartedBrokerIsElected"
"""A request to the controller, which decides it here, and the broker's change of role."""
STEPS = HEARTBEATS | REQUESTS


@dataclass(slots=True)
class ControllerSteps:
    """`ask`, `apply`: the class's. `ids`: the brokerIds of the model's brokers."""

    ask: Callable[..., tuple[RealAnswer, ControllerState]]
    apply: Callable[..., ControllerState]
    ids: Mapping[str, int]
    unclean: bool
    state: ControllerState
    decided: list[tuple[Any, ...]] = field(default_factory=list)
    """Events that the controller's log holds and that are not applied yet."""

    def take(
        self, action: str, arguments: tuple[Any, ...], before: State, after: State, heard: Mapping[str, tuple[int, int]]
    ) -> str:
        """Why the class is elsewhere than the model after the step, or nothing. `heard`: epoch and end of each
        broker's log, from its heartbeats."""
        if action in HEARTBEATS:
            return ""
        if action == "ControllerAppliesEvent":
            self.state = self.apply(self.state, self.decided.pop(0))
        else:
            order = after["controller"]["master"]
            alive = before["controller"]["alive"]["#set"]
            if action == ELECTED:  # who asks has sent a heartbeat
                alive = {*alive, *arguments}
            living = self._living(alive, heard, order)
            waits = len(after["events"]["#tup"]) > len(before["events"]["#tup"])
            request = self._cleaning(before, after) if action == "MetadataIsCleaned" else None
            refused = self._asked(request or self._request(action, arguments), living, waits)
            if refused:
                return refused
            if action == "MetadataIsCleaned":
                self._register(living)
        return self._difference(after["controller"])

    def _asked(self, request: messages.ControllerRequest, living: Liveness, waits: bool) -> str:
        answer, state = self.ask(self.state, request, living, self.unclean)
        if answer.raised:
            return f"the controller throws {answer.raised}"
        if waits:
            self.decided += [_with_name(event) for event in answer.events]
        else:
            self.state = state
        nobody = isinstance(request, messages.ElectMasterRequest) and request.broker_id == NO_BROKER_ID
        if answer.code and not nobody:
            return f"the controller answers {ResponseCode(answer.code).name}: {answer.remark}"
        return ""

    def _register(self, living: Liveness) -> None:
        for number, _ in living:
            who = messages.ApplyBrokerIdRequest(_CLUSTER, _NAME, number, f"127.0.0.1:{number};1")
            self._asked(who, living, False)

    def _request(self, action: str, arguments: tuple[Any, ...]) -> messages.ControllerRequest:
        match action:
            case "ControllerElectsMaster" | "ControllerFindsNoMaster":
                return messages.ElectMasterRequest(_CLUSTER, _NAME, NO_BROKER_ID)
            case "BrokerRequestsElection" | "RestartedBrokerIsElected":
                return messages.ElectMasterRequest(_CLUSTER, _NAME, self.ids[arguments[0]])
            case "AdministratorDesignatesMaster":
                return messages.ElectMasterRequest(_CLUSTER, _NAME, self.ids[arguments[0]], True)
            case "ControllerAcceptsAlter":
                (given,) = arguments
                members = frozenset(self.ids[each] for each in given["members"]["#set"])
                return messages.AlterSyncStateSetRequest(
                    _NAME, self.ids[given["from"]], given["masterEpoch"], members, given["sssEpoch"]
                )
        raise ValueError(f"{action} is no request")

    def _cleaning(self, before: State, after: State) -> messages.ControllerRequest:
        """Of the dead master alone where the model keeps its name, otherwise of the whole set."""
        master = after["controller"]["master"]
        if master in self.ids and master == before["controller"]["master"]:
            return messages.CleanBrokerDataRequest(_CLUSTER, _NAME, (self.ids[master],))
        return messages.CleanBrokerDataRequest(_CLUSTER, _NAME, None, True)

    def _living(self, alive: Iterable[str], heard: Mapping[str, tuple[int, int]], first: str) -> Liveness:
        """Equal candidates are told apart by their priority; the model's choice comes first."""
        found = []
        for name in sorted(alive):
            epoch, end = heard[name]
            found.append((self.ids[name], BrokerLiveInfo(0, 0, epoch, end, -1, int(name != first))))
        return tuple(found)

    def _difference(self, wanted: Mapping[str, Any]) -> str:
        known = self.state.in_sync
        master = self.ids.get(wanted["master"])
        members = frozenset(self.ids[each] for each in wanted["sss"]["#set"])
        model = wanted["masterEpoch"], wanted["sssEpoch"], members, master
        if known is None:
            return "the controller knows nothing of the brokers" if wanted["masterEpoch"] else ""
        real = known.master_epoch, known.sync_state_set_epoch, known.sync_state_set, known.master_broker_id
        names = "masterEpoch", "syncStateSetEpoch", "syncStateSet", "master"
        found = [
            f"{name}: model {_shown(a)}, class {_shown(b)}"
            for name, a, b in zip(names, model, real, strict=True)
            if a != b
        ]
        return f"the controller is elsewhere: {'; '.join(found)}" if found else ""


def first_state(state: State, ids: Mapping[str, int]) -> ControllerState:
    """The class's state for the model's initial one: all brokers are registered."""
    known = state["controller"]
    brokers = tuple((i, f"127.0.0.1:{i}", f"127.0.0.1:{i};1") for i in sorted(ids.values()))
    members = frozenset(ids[each] for each in known["sss"]["#set"])
    return ControllerState(
        _NAME,
        Replicas(_CLUSTER, len(ids) + 1, brokers),
        InSync(_CLUSTER, known["masterEpoch"], known["sssEpoch"], members, ids.get(known["master"])),
    )


def _with_name(event: tuple[Any, ...]) -> tuple[Any, ...]:
    """An event of an answer as `apply` takes it."""
    match event:
        case ("ELECT_MASTER_EVENT", elected, new):
            return "ELECT_MASTER_EVENT", _NAME, new if elected else None
        case (kind, *rest):
            return (kind, _NAME, *rest)
    raise ValueError(f"{event} is no event")


def _shown(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value
