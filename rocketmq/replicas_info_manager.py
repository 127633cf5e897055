"""`ReplicasInfoManager` of a release, in the JVM of this process: put into a state, asked, and read.

It is the controller's state machine: with DLedger a request is decided on the state of the moment and its events are
applied when the log has them, with JRaft at once, by `RaftReplicasInfoManager`, which extends it. Liveness comes as
data: the predicate and the heartbeats that `DefaultElectPolicy` asks for are given to it.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.codes import NO_BROKER_ID
from rmqproof.rocketmq.controller_state import ControllerState, InSync, Liveness, RealAnswer, Replicas

_MANAGER = "org.apache.rocketmq.controller.impl.manager"
_EVENT = "org.apache.rocketmq.controller.impl.event"
_HEADER = "org.apache.rocketmq.remoting.protocol.header.controller"
_FAR_AWAY = 2**62
"""Milliseconds: a heartbeat that never expires."""
_NOW = 1
"""Milliseconds: when a controller on JRaft is asked, which looks whether heartbeats have expired."""
_KEPT = 2_000


class ReplicasInfoManager:
    """The class of one release. `jpype` is the module with a running JVM."""

    name = "ReplicasInfoManager"

    def __init__(self, jpype: Any) -> None:
        self._jpype = jpype
        find = jpype.JClass
        self._config = find("org.apache.rocketmq.common.ControllerConfig")
        self._manager = find(f"{_MANAGER}.{self.name}")
        self._replica_info = find(f"{_MANAGER}.BrokerReplicaInfo")
        self._sync_state_info = find(f"{_MANAGER}.SyncStateInfo")
        self._policy = find("org.apache.rocketmq.controller.elect.impl.DefaultElectPolicy")
        self._live_info = find("org.apache.rocketmq.controller.impl.heartbeat.BrokerLiveInfo")
        self._sync_state_set = find("org.apache.rocketmq.remoting.protocol.body.SyncStateSet")
        self._hash_set = find("java.util.HashSet")
        self._array_list = find("java.util.ArrayList")
        self._long = find("java.lang.Long")
        tables = find(f"{_MANAGER}.ReplicasInfoManager")
        self._tables = tuple(self._field(tables, name) for name in ("replicaInfoTable", "syncStateSetInfoTable"))
        self._next_id = self._field(self._replica_info, "nextAssignBrokerId")
        self._epochs = tuple(self._field(self._sync_state_info, name) for name in ("masterEpoch", "syncStateSetEpoch"))
        self._master = self._field(self._sync_state_info, "masterBrokerId")
        self._members = self._field(self._sync_state_info, "syncStateSet")
        self._broker_ids = self._field(self._replica_info, "brokerIdInfo")
        self._json = find("org.apache.rocketmq.remoting.protocol.RemotingSerializable").toJson
        self._managers: dict[tuple[ControllerState, bool], Any] = {}
        self._living: dict[int, Any] = {}
        jproxy = jpype.JProxy
        self._alive = jproxy("org.apache.rocketmq.controller.helper.BrokerValidPredicate", dict={"check": self._check})
        self._getter = "org.apache.rocketmq.controller.helper.BrokerLiveInfoGetter"
        self._elect_policy = self._policy(self._alive, jproxy(self._getter, dict={"get": self._get}))
        self.serialises = hasattr(self._manager, "serialize")
        """Whether the release can save the state itself (`serialize`, since 5.2.0)."""
        self.restored = 0
        """States that went through the release's own serialisation and were the same afterwards."""

    def _field(self, owner: Any, name: str) -> Any:
        found = owner.class_.getDeclaredField(name)
        found.setAccessible(True)
        return found

    def _check(self, _cluster: Any, _broker_name: Any, broker_id: Any) -> bool:
        return broker_id is not None and int(broker_id) in self._living

    def _get(self, _cluster: Any, _broker_name: Any, broker_id: Any) -> Any:
        return self._living.get(int(broker_id))

    # --- the state ---------------------------------------------------------------------------------------------------

    def made(self, state: ControllerState, unclean: bool = False) -> Any:
        """A manager in this state."""
        config = self._config()
        config.setEnableElectUncleanMaster(unclean)
        manager = self._manager(config)
        name, replicas, in_sync = state.broker_name, state.replicas, state.in_sync
        if replicas is not None:
            info = self._replica_info(replicas.cluster_name, name)
            for broker_id, address, code in replicas.brokers:
                info.addBroker(self._id(broker_id), address, code)
            self._next_id.get(info).set(replicas.next_assign_broker_id)
            self._tables[0].get(manager).put(name, info)
        if in_sync is not None:
            known = self._sync_state_info(in_sync.cluster_name, name)
            self._epochs[0].get(known).set(in_sync.master_epoch)
            self._epochs[1].get(known).set(in_sync.sync_state_set_epoch)
            self._master.set(known, self._id(in_sync.master_broker_id))
            self._members.set(known, self._set(in_sync.sync_state_set))
            self._tables[1].get(manager).put(name, known)
        if not self.serialises:
            return manager
        restored = self._manager(config)
        restored.deserializeFrom(manager.serialize())
        if self.read(restored, name) != state:
            raise AssertionError(f"serialize and deserializeFrom change {state}")
        self.restored += 1
        return restored

    def _undecided(self, state: ControllerState, unclean: bool) -> Any:
        """A manager in this state for decisions, which change nothing; the last ones are kept."""
        found = self._managers.get((state, unclean))
        if found is None:
            if len(self._managers) >= _KEPT:
                self._managers.clear()
            found = self._managers[state, unclean] = self.made(state, unclean)
        return found

    def read(self, manager: Any, name: str) -> ControllerState:
        info, known = (table.get(manager).get(name) for table in self._tables)
        replicas = in_sync = None
        if info is not None:
            # the identities at once, as JSON: a call a field would take most of the time of a comparison
            found = json.loads(_strict(str(self._json(self._broker_ids.get(info), False))))
            replicas = Replicas(
                str(info.getClusterName()),
                int(info.getNextAssignBrokerId()),
                tuple((i, *(found[str(i)][each] for each in ("object1", "object2"))) for i in sorted(map(int, found))),
            )
        if known is not None:
            shown = json.loads(str(self._json(known, False)))
            in_sync = InSync(
                shown["clusterName"],
                shown["masterEpoch"],
                shown["syncStateSetEpoch"],
                frozenset(shown["syncStateSet"]),
                shown.get("masterBrokerId"),
            )
        return ControllerState(name, replicas, in_sync)

    # --- requests ----------------------------------------------------------------------------------------------------

    def ask(
        self, state: ControllerState, request: messages.ControllerRequest, living: Liveness, unclean: bool
    ) -> tuple[RealAnswer, ControllerState]:
        """The answer to a request in a state, and the state once its events are applied.

        `AssertionError` when the decision alone changed the state, or a refusal did.
        """
        self._hear(living)
        manager = self._undecided(state, unclean)
        try:
            result = self._asked(manager, request, *self._liveness(manager, state, request, living))
        except self._jpype.JException as error:
            return RealAnswer(raised=_raised(error)), self._unchanged(manager, state, request)
        answer = self._answer(result)
        self._unchanged(manager, state, request)
        if not answer.events:
            return answer, state
        manager = self.made(state, unclean)
        try:
            for event in result.getEvents():
                manager.applyEvent(event)
        except self._jpype.JException as error:
            answer = replace(answer, raised=_raised(error))
        return answer, self.read(manager, state.broker_name)

    def _unchanged(self, manager: Any, state: ControllerState, request: object) -> ControllerState:
        if self.read(manager, state.broker_name) != state:
            raise AssertionError(f"{request} changed {state} before its events were applied")
        return state

    def apply(self, state: ControllerState, event: tuple[Any, ...]) -> ControllerState:
        """The state after an event, as `RealAnswer.events` shows them, that the controller's log holds."""
        manager = self.made(state)
        manager.applyEvent(self._event(event))
        return self.read(manager, state.broker_name)

    def scan(self, state: ControllerState, living: Liveness) -> bool:
        """Does `scanNeedReelectBrokerSets` report the set, when it is given the predicate "is alive"?"""
        self._hear(living)
        found = self.made(state).scanNeedReelectBrokerSets(self._alive)
        return any(str(each) == state.broker_name for each in found)

    def elect(
        self,
        members: frozenset[int],
        everyone: frozenset[int] | None,
        old: int | None,
        prefer: int | None,
        living: Liveness,
    ) -> int | None:
        """`DefaultElectPolicy.elect`; `everyone` is for unclean elections."""
        self._hear(living)
        chosen = self._elect_policy.elect(
            "c",
            "b",
            self._set(members),
            None if everyone is None else self._set(everyone),
            self._id(old),
            self._id(prefer),
        )
        return None if chosen is None else int(chosen)

    def _liveness(
        self, manager: Any, state: ControllerState, request: messages.ControllerRequest, living: Liveness
    ) -> tuple[Any, Any]:
        """The predicate "is alive", and the policy of elections, that the manager is asked with."""
        return self._alive, self._elect_policy

    def _hear(self, living: Liveness) -> None:
        self._living = {broker_id: self._heard(broker_id, info) for broker_id, info in living}

    def _heard(self, broker_id: int, info: BrokerLiveInfo) -> Any:
        return self._live_info(
            "b",
            f"broker-{broker_id}",
            broker_id,
            0,
            _FAR_AWAY,
            None,
            info.epoch,
            info.max_offset,
            self._jpype.java.lang.Integer(info.election_priority),
            info.confirm_offset,
        )

    def _asked(self, manager: Any, request: messages.ControllerRequest, alive: Any, policy: Any) -> Any:
        find = self._jpype.JClass
        match request:
            case messages.GetNextBrokerIdRequest():
                header = find(f"{_HEADER}.register.GetNextBrokerIdRequestHeader")
                return manager.getNextBrokerId(header(request.cluster_name, request.broker_name))
            case messages.ApplyBrokerIdRequest():
                header = find(f"{_HEADER}.register.ApplyBrokerIdRequestHeader")
                wanted = self._id(request.broker_id)
                return manager.applyBrokerId(
                    header(request.cluster_name, request.broker_name, wanted, request.register_check_code)
                )
            case messages.RegisterBrokerRequest():
                header = find(f"{_HEADER}.register.RegisterBrokerToControllerRequestHeader")
                who = self._id(request.broker_id)
                made = header(request.cluster_name, request.broker_name, who, request.broker_address)
                return manager.registerBroker(made, alive)
            case messages.ElectMasterRequest():
                header = find(f"{_HEADER}.ElectMasterRequestHeader")
                if request.broker_id == NO_BROKER_ID and not request.designate_elect:
                    # null before 5.2.0, and -1 since: the release's own word for "the controller asks"
                    made = header.ofControllerTrigger(request.broker_name)
                else:
                    trigger = header.ofAdminTrigger if request.designate_elect else header.ofBrokerTrigger
                    made = trigger(request.cluster_name, request.broker_name, self._id(request.broker_id))
                return manager.electMaster(made, policy)
            case messages.AlterSyncStateSetRequest():
                header = find(f"{_HEADER}.AlterSyncStateSetRequestHeader")
                epoch = self._jpype.java.lang.Integer(request.master_epoch)
                made = header(request.broker_name, self._id(request.master_broker_id), epoch)
                members = self._set(request.new_sync_state_set)
                proposed = self._sync_state_set(members, request.sync_state_set_epoch)
                return manager.alterSyncStateSet(made, proposed, alive)
            case messages.GetReplicaInfoRequest():
                return manager.getReplicaInfo(find(f"{_HEADER}.GetReplicaInfoRequestHeader")(request.broker_name))
            case messages.GetSyncStateDataRequest():
                return manager.getSyncStateData(self._array_list(list(request.broker_names)), alive)
            case messages.CleanBrokerDataRequest():
                header = find(f"{_HEADER}.admin.CleanControllerBrokerDataRequestHeader")
                ids = None if request.broker_ids is None else ";".join(map(str, request.broker_ids))
                made = header(request.cluster_name, request.broker_name, ids, request.clean_living_broker)
                return manager.cleanBrokerData(made, alive)
        raise TypeError(f"{type(request).__name__} does not go to ReplicasInfoManager")

    def _answer(self, result: Any) -> RealAnswer:
        header: dict[str, Any] = {}
        response = result.getResponse()
        if response is not None:
            for name in _READ:
                if hasattr(response, f"get{name}"):
                    value = getattr(response, f"get{name}")()
                    if value is not None:
                        header[name] = str(value) if name == "MasterAddress" else int(value)
        body = result.getBody()
        text = bytes(body).decode("utf-8") if body is not None else ""
        remark = result.getRemark()
        return RealAnswer(
            int(result.getResponseCode()),
            "" if remark is None else str(remark),
            header,
            json.loads(_strict(text)) if text else None,
            tuple(self._plain(event) for event in result.getEvents() or ()),
        )

    # --- events ------------------------------------------------------------------------------------------------------

    def _plain(self, event: Any) -> tuple[Any, ...]:
        kind = str(event.getEventType().name())
        match kind:
            case "ALTER_SYNC_STATE_SET_EVENT":
                return kind, frozenset(int(each) for each in event.getNewSyncStateSet())
            case "ELECT_MASTER_EVENT":
                master = event.getNewMasterBrokerId()
                return kind, bool(event.getNewMasterElected()), None if master is None else int(master)
            case "APPLY_BROKER_ID_EVENT":
                found = event.getClusterName(), event.getBrokerAddress(), event.getRegisterCheckCode()
                return kind, int(event.getNewBrokerId()), *(str(each) for each in found)
            case "CLEAN_BROKER_DATA_EVENT":
                ids = event.getBrokerIdSetToClean()
                return kind, None if ids is None else frozenset(int(each) for each in ids)
            case "UPDATE_BROKER_ADDRESS":
                return kind, int(event.getBrokerId()), str(event.getClusterName()), str(event.getBrokerAddress())
        raise TypeError(f"{kind} is an event that nobody told us of")

    def _event(self, event: tuple[Any, ...]) -> Any:
        find = self._jpype.JClass
        match event:
            case ("ALTER_SYNC_STATE_SET_EVENT", name, members):
                return find(f"{_EVENT}.AlterSyncStateSetEvent")(name, self._set(members))
            case ("ELECT_MASTER_EVENT", name, None):
                return find(f"{_EVENT}.ElectMasterEvent")(False, name)
            case ("ELECT_MASTER_EVENT", name, new):
                return find(f"{_EVENT}.ElectMasterEvent")(name, self._id(new))
            case ("APPLY_BROKER_ID_EVENT", name, cluster, address, broker_id, code):
                return find(f"{_EVENT}.ApplyBrokerIdEvent")(cluster, name, address, broker_id, code)
            case ("CLEAN_BROKER_DATA_EVENT", name, ids):
                return find(f"{_EVENT}.CleanBrokerDataEvent")(name, None if ids is None else self._set(ids))
            case ("UPDATE_BROKER_ADDRESS", name, cluster, address, broker_id):
                made = find(f"{_EVENT}.UpdateBrokerAddressEvent")
                return made(cluster, name, address, self._id(broker_id))
        raise TypeError(f"{event} is no event")

    def _id(self, broker_id: int | None) -> Any:
        return None if broker_id is None else self._long.valueOf(broker_id)

    def _set(self, members: frozenset[int]) -> Any:
        made = self._hash_set()
        for member in sorted(members):
            made.add(self._id(member))
        return made


class RaftReplicasInfoManager(ReplicasInfoManager):
    """That of a controller on JRaft, which keeps heartbeats itself, by cluster, set and id, and says who is alive.

    Asked as by `JRaftControllerStateMachine`. A broker that lives is heard of in each cluster that the state or the
    request names.
    """

    name = "RaftReplicasInfoManager"

    def __init__(self, jpype: Any) -> None:
        super().__init__(jpype)
        find = jpype.JClass
        self._heartbeat = find("org.apache.rocketmq.controller.impl.task.RaftBrokerHeartBeatEventRequest")
        self._identity = find("org.apache.rocketmq.controller.impl.heartbeat.BrokerIdentityInfo")
        self._valid = find(f"{_MANAGER}.RaftReplicasInfoManager$BrokerValidPredicateWithInvokeTime")
        self._live_table = self._field(self._manager, "brokerLiveTable")

    def _liveness(
        self, manager: Any, state: ControllerState, request: messages.ControllerRequest, living: Liveness
    ) -> tuple[Any, Any]:
        tables = (state.replicas, state.in_sync, request)
        clusters = {name for each in tables if (name := getattr(each, "cluster_name", None))}
        self._live_table.get(manager).clear()
        for cluster in sorted(clusters):
            for broker_id, info in living:
                who = self._identity(cluster, state.broker_name, self._id(broker_id))
                manager.onBrokerHeartBeat(self._heartbeat(who, self._heard(broker_id, info)))
        alive = self._valid(_NOW, manager)
        heard = self._jpype.JProxy(self._getter, dict={"get": manager.getBrokerLiveInfo})
        return alive, self._policy(alive, heard)


_READ = ("NextBrokerId", "MasterBrokerId", "MasterAddress", "MasterEpoch", "SyncStateSetEpoch", "NewSyncStateSetEpoch")
"""Fields of response headers."""


def _raised(error: Any) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0]


def _strict(text: str) -> str:
    """fastjson leaves keys that are numbers unquoted."""
    return re.sub(r"([{,])(-?\d+):", r'\1"\2":', text)
