"""spec/core/ControllerOnly.tla on a controller: any request of anybody is asked, and has the answer that the model has.

The controller is the class of a release, or ours under the shipped rules: a function that gives the answer's code and
the state after its events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rmqproof.conformance.adapter import Answer, Value
from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.codes import NO_BROKER_ID, ResponseCode
from rmqproof.rocketmq.adapter import RealController, Tally
from rmqproof.rocketmq.calls import Call
from rmqproof.rocketmq.controller_state import ControllerState, Liveness, RealAnswer
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.replaying import ask_ours
from rmqproof.rocketmq.worker import Worker

SPECIFICATION = "ControllerOnly"
Asked = Callable[[ControllerState, messages.ControllerRequest, Liveness, bool], tuple[int, ControllerState]]
"""The code of an answer, and the state after it."""

_CLUSTER, _NAME = "DefaultCluster", "broker-a"
_ELSEWHERE = "Of brokers and clients; here they only ask."
ELIDED = {
    **dict.fromkeys(("events", "disk", "broker", "link", "connection", "requests", "notices"), _ELSEWHERE),
    **dict.fromkeys(("history", "used"), "Ghosts of ControllerMode; no step changes them."),
}
_EITHER = ("INVALID_REPLICAS", "BROKER_NOT_ALIVE")


class ControllerOnlyAdapter:
    """Held are the state of the two tables and who is alive; the rest comes from the controller."""

    def __init__(self, controller: Callable[[], Asked]) -> None:
        """`controller` is called once, in the process that uses it."""
        self._controller = controller

    def start(self, constants: Mapping[str, Value]) -> int:
        self._ask = self._controller()
        first = constants["FirstId"]
        others = sorted(name for name in constants["Broker"]["#set"] if name != first)
        self._names = [first, *others]
        self._ids = {name: number for number, name in enumerate(self._names, 1)}
        self._nobody = constants["NoBroker"]
        self._unclean = bool(constants.get("UncleanElection", False))
        self._most_epoch = constants["MaxEpoch"]
        self._most_number = self._most_epoch + constants.get("MaxAlters", 0) + constants.get("MaxCleans", 0)

        self._alive = frozenset(self._ids.values())
        self._state = ControllerState(_NAME)
        if constants["FirstMaster"] != self._nobody:
            for broker_id in sorted(self._alive):
                self._take(messages.ApplyBrokerIdRequest(_CLUSTER, _NAME, broker_id, _check_code(broker_id)))
            self._take(messages.ElectMasterRequest(_CLUSTER, _NAME, self._ids[constants["FirstMaster"]]))
        self._first = self.snapshot()
        return 1

    def initial(self, index: int) -> None:
        self.restore(self._first)

    def snapshot(self) -> Any:
        return self._state, self._alive

    def restore(self, snapshot: Any) -> None:
        self._state, self._alive = snapshot

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        if action in ("BrokerIsHeard", "BrokerIsSilent"):
            broker_id = self._ids[arguments[0]]
            if (broker_id in self._alive) == (action == "BrokerIsHeard"):
                return Answer.REFUSED
            self._alive ^= {broker_id}
            return Answer.PERFORMED
        if action not in ACTIONS:
            return Answer.UNSUPPORTED
        request, order, code = self._request(action, arguments)
        if isinstance(request, messages.ElectMasterRequest) and request.designate_elect and request.broker_id < 0:
            return Answer.REFUSED  # an administrator names a broker
        answered, after = self._asked(request, order)
        if self._code(answered, request) != code or not self._within(after):
            return Answer.REFUSED
        changed = after != self._state
        if changed != (action in _STORED) and (changed or action not in _IDEMPOTENT):
            return Answer.REFUSED
        if action == "MasterIsElected" and self._master(after) != self._ids[arguments[2]]:
            return Answer.REFUSED
        self._state = after
        return Answer.PERFORMED

    def observe(self) -> Mapping[str, Value]:
        state, known = self._state, self._state.in_sync
        registered = [each[0] for each in state.replicas.brokers] if state.replicas is not None else []
        tables = {"replicas": state.replicas, "inSync": known}
        return {
            "controller": {
                "masterEpoch": known.master_epoch if known is not None else 0,
                "master": self._name(known.master_broker_id if known is not None else None),
                "sss": self._set(known.sync_state_set if known is not None else ()),
                "sssEpoch": known.sync_state_set_epoch if known is not None else 0,
                "alive": self._set(self._alive),
            },
            "tables": {"#set": sorted(name for name, table in tables.items() if table is not None)},
            "registered": self._set(registered),
        }

    def elided(self) -> Mapping[str, str]:
        return ELIDED

    # --- requests ----------------------------------------------------------------------------------------------------

    def _request(
        self, action: str, arguments: tuple[Value, ...]
    ) -> tuple[messages.ControllerRequest, tuple[int, ...], str]:
        """The request, whom a ranking of equal candidates should prefer, and the code that is expected."""
        match action, arguments:
            case "AlterIsStored", (who, members, epoch, number):
                return self._alter(who, members, epoch, number), (), "SUCCESS"
            case "AlterIsRefused", (who, members, epoch, number, code):
                return self._alter(who, members, epoch, number), (), code
            case "MasterIsElected", (who, designated, new):
                return self._election(who, designated), (self._ids[new],), "SUCCESS"
            case "ElectionIsRefused", (who, designated, code):
                return self._election(who, designated), (), code
            case "NobodyIsElected", ():
                return self._election(self._nobody, False), (), "MASTER_NOT_AVAILABLE"
            case "BrokersAreCleaned", (ids, living):
                return self._cleaning(ids, living), (), "SUCCESS"
            case "CleaningIsRefused", (ids, living):
                return self._cleaning(ids, living), (), "INVALID_CLEAN_BROKER_METADATA"
            case ("BrokerIdIsApplied" | "BrokerIdIsRefused") as what, (who,):
                broker_id = self._ids[who]
                applied = messages.ApplyBrokerIdRequest(_CLUSTER, _NAME, broker_id, _check_code(broker_id))
                return applied, (), "SUCCESS" if what == "BrokerIdIsApplied" else "BROKER_ID_INVALID"
            case "BrokerIsRegistered", (who, code):
                broker_id = self._ids[who]
                return messages.RegisterBrokerRequest(_CLUSTER, _NAME, broker_id, _address(broker_id)), (), code
            case "ReplicaInfoIsAnswered", (code,):
                return messages.GetReplicaInfoRequest(_NAME), (), code
        raise ValueError(f"{action} is no action of {SPECIFICATION}")

    def _alter(self, who: str, members: Value, epoch: int, number: int) -> messages.AlterSyncStateSetRequest:
        return messages.AlterSyncStateSetRequest(_NAME, self._ids[who], epoch, self._of(members), number)

    def _election(self, who: str, designated: bool) -> messages.ElectMasterRequest:
        return messages.ElectMasterRequest(_CLUSTER, _NAME, self._ids.get(who, NO_BROKER_ID), designated)

    def _cleaning(self, ids: Value, living: bool) -> messages.CleanBrokerDataRequest:
        return messages.CleanBrokerDataRequest(_CLUSTER, _NAME, tuple(sorted(self._of(ids))) or None, living)

    def _asked(self, request: messages.ControllerRequest, order: tuple[int, ...] = ()) -> tuple[int, ControllerState]:
        """Equal candidates are told apart by their priority: whom the model wants comes first."""
        living = tuple((each, BrokerLiveInfo(0, 0, 1, 0, 0, 0 if each in order else 1)) for each in sorted(self._alive))
        return self._ask(self._state, request, living, self._unclean)

    def _code(self, answered: int, request: messages.ControllerRequest) -> str:
        """The name of a code. Which of two wrong members is named first is the order of a HashSet."""
        name: str = ResponseCode(answered).name.removeprefix("CONTROLLER_")
        if name in _EITHER and isinstance(request, messages.AlterSyncStateSetRequest):
            replicas = self._state.replicas
            registered = {each[0] for each in replicas.brokers} if replicas is not None else set()
            known = request.new_sync_state_set & registered
            if known != request.new_sync_state_set and not known <= self._alive:
                return " or ".join(_EITHER)
        return name

    def _take(self, request: messages.ControllerRequest) -> None:
        self._state = self._asked(request)[1]

    def _within(self, after: ControllerState) -> bool:
        """Are the numbers those of the model?"""
        known = after.in_sync
        return known is None or (
            known.master_epoch <= self._most_epoch and known.sync_state_set_epoch <= self._most_number
        )

    def _master(self, state: ControllerState) -> int | None:
        return state.in_sync.master_broker_id if state.in_sync is not None else None

    def _name(self, broker_id: int | None) -> str:
        return str(self._nobody if broker_id is None else self._names[broker_id - 1])

    def _set(self, ids: Any) -> Value:
        return {"#set": sorted(self._names[each - 1] for each in ids)}

    def _of(self, members: Value) -> frozenset[int]:
        return frozenset(self._ids[each] for each in members["#set"])


ACTIONS = frozenset(
    [
        "AlterIsStored",
        "AlterIsRefused",
        "MasterIsElected",
        "ElectionIsRefused",
        "NobodyIsElected",
        "BrokersAreCleaned",
        "CleaningIsRefused",
        "BrokerIdIsApplied",
        "BrokerIdIsRefused",
        "BrokerIsRegistered",
        "ReplicaInfoIsAnswered",
    ]
)
_STORED = {"AlterIsStored", "MasterIsElected", "NobodyIsElected", "BrokersAreCleaned", "BrokerIdIsApplied"}
_IDEMPOTENT = {"BrokersAreCleaned", "BrokerIdIsApplied"}
"""They may be accepted and change nothing."""


def _address(broker_id: int) -> str:
    return f"127.0.0.1:{10000 + broker_id}"


def _check_code(broker_id: int) -> str:
    return f"{_address(broker_id)};{broker_id}"


# --- who is asked ----------------------------------------------------------------------------------------------------


def real(release: Release, java: Path | None, tally: Tally, jraft: bool = False) -> Callable[[], ControllerOnlyAdapter]:
    """The class of a release, in a JVM that starts with the adapter."""
    return partial(ControllerOnlyAdapter, partial(_class_of, release, java, tally, jraft))


def _class_of(release: Release, java: Path | None, tally: Tally, jraft: bool) -> Asked:
    controller = RealController(Worker(release, java, jraft).call, tally)

    def ask(
        state: ControllerState, request: messages.ControllerRequest, living: Liveness, unclean: bool
    ) -> tuple[int, ControllerState]:
        answer, after = controller.ask(state, request, living, unclean)
        return answer.code, after

    return ask


class OurController(ControllerOnlyAdapter):
    """Our controller under the shipped rules, for `rmqproof conform --adapter`."""

    def __init__(self) -> None:
        super().__init__(lambda: _ours)


def _ours(
    state: ControllerState, request: messages.ControllerRequest, living: Liveness, unclean: bool
) -> tuple[int, ControllerState]:
    response, after = ask_ours(Call(state, request, living, unclean, RealAnswer(), state))
    return int(response.code), after
