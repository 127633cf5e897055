"""How a broker learns its role from the controller and takes it (`ReplicasManager`; RIP-44 "Role switch")."""

from __future__ import annotations

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.parts import MasterInfo
from rmqproof.impl.broker.rules import BrokerState
from rmqproof.impl.broker.sync_state_set import learn
from rmqproof.impl.core.broker_inputs import ConnectToMaster, ContinuePromotion, PollController, Register, SendHeartbeat
from rmqproof.impl.core.broker_outputs import CloseConnection, DisconnectHa, Event, FollowUp, ToController
from rmqproof.impl.core.codes import ConnectionState, ResponseCode
from rmqproof.impl.core.controller_messages import (
    BrokerHeartbeatRequest,
    ElectMasterRequest,
    ElectMasterResponse,
    GetReplicaInfoRequest,
    GetReplicaInfoResponse,
    NotifyBrokerRoleChangedRequest,
    RegisterBrokerRequest,
    RegisterBrokerResponse,
)

_SWITCHING = (Role.PROMOTING, Role.LABELLED)


def _info(
    told: GetReplicaInfoResponse | RegisterBrokerResponse | ElectMasterResponse | NotifyBrokerRoleChangedRequest,
) -> MasterInfo:
    assert told.master_broker_id is not None
    return MasterInfo(
        told.master_epoch, told.master_broker_id, told.master_address, told.sync_state_set, told.sync_state_set_epoch
    )


# --- asking ----------------------------------------------------------------------------------------------------------


def register(broker: BrokerState, _: Register) -> None:
    """The start of a process that has its identity (`startBasicService`): a heartbeat, then RegisterBroker."""
    if broker.role is not Role.FENCED:
        return
    config = broker.config
    send_heartbeat(broker)
    broker.emit(
        ToController(
            RegisterBrokerRequest(config.cluster_name, config.broker_name, config.broker_id, config.broker_address)
        )
    )


def poll_controller(broker: BrokerState, _: PollController) -> None:
    broker.emit(ToController(GetReplicaInfoRequest(broker.config.broker_name)))


def send_heartbeat(broker: BrokerState, _: SendHeartbeat | None = None) -> None:
    if not broker.silent:
        broker.emit(ToController(_heartbeat(broker)))


def _heartbeat(broker: BrokerState) -> BrokerHeartbeatRequest:
    config = broker.config
    return BrokerHeartbeatRequest(
        config.cluster_name,
        config.broker_name,
        config.broker_address,
        config.broker_id,
        config.controller_heart_beat_timeout_mills,
        broker.epoch_file[-1].epoch if broker.epoch_file else -1,
        broker.log_end,
        broker.confirm_offset,
        config.broker_election_priority,
    )


def _ask_for_election(broker: BrokerState, restarted: bool) -> None:
    config = broker.config
    broker.emit(
        ToController(ElectMasterRequest(config.cluster_name, config.broker_name, config.broker_id, restarted=restarted))
    )


# --- being told ------------------------------------------------------------------------------------------------------


def on_registered(broker: BrokerState, told: RegisterBrokerResponse) -> None:
    """A fenced broker hears who leads. Repaired: if it is itself, or nobody, it asks for a new epoch, since requests
    of its earlier life may still be under way and the end of its log may be gone."""
    if broker.role is not Role.FENCED or told.code is not ResponseCode.SUCCESS:
        return
    if told.master_broker_id not in (None, broker.id):
        _obey(broker, _info(told))
    elif not broker.rules.may_resume(broker):
        _ask_for_election(broker, restarted=True)
    elif told.master_broker_id is None:
        _ask_for_election(broker, restarted=False)
    else:
        _obey(broker, _info(told))


def on_replica_info(broker: BrokerState, told: GetReplicaInfoResponse) -> None:
    """The answer to a poll (`syncBrokerMetadata`)."""
    if broker.role in _SWITCHING or told.code is not ResponseCode.SUCCESS:
        return
    if broker.silent and told.master_broker_id != broker.id:
        broker.silent = False
        send_heartbeat(broker)
    if told.master_epoch > broker.master_epoch and told.master_broker_id is not None:
        resumes = broker.role is Role.FENCED and told.master_broker_id == broker.id
        if not resumes or broker.rules.may_resume(broker):
            _obey(broker, _info(told))
    elif told.master_broker_id is None and (broker.role is Role.FENCED or told.master_epoch > broker.master_epoch):
        _ask_for_election(broker, restarted=broker.unknown_restart)
    elif told.master_epoch == broker.master_epoch and broker.role is Role.MASTER:
        learn(broker, told.sync_state_set, told.sync_state_set_epoch)


def on_elected(broker: BrokerState, told: ElectMasterResponse) -> None:
    """The answer to the own request (`brokerElect`). A fenced one obeys only the answer that gives it a new epoch.

    A controller that knows no `restarted`, as the Java's (`ElectMasterRequestHeader` has no such field), gives none
    while it hears the master that it has stored (`ReplicasInfoManager.electMaster`): this broker is silent until it is
    missed.
    """
    if told.master_broker_id is None or broker.role in _SWITCHING:
        return
    if told.code not in (ResponseCode.SUCCESS, ResponseCode.CONTROLLER_MASTER_STILL_EXIST):
        return
    if told.restarted:
        if broker.role is not Role.FENCED or told.master_broker_id != broker.id:
            return
        if told.code is ResponseCode.SUCCESS:
            _obey(broker, _info(told), Event("RestartedBrokerIsElected", (broker.id,)))
        else:
            broker.unknown_restart = broker.silent = True
    elif broker.role is not Role.FENCED or broker.rules.may_resume(broker):
        _obey(broker, _info(told))


def on_notice(broker: BrokerState, told: NotifyBrokerRoleChangedRequest) -> None:
    """A notification of an election, perhaps a late one (`changeBrokerRole`)."""
    if broker.role not in _SWITCHING and broker.rules.heeds_notice(broker):
        _obey(broker, _info(told), Event("ReceiveNotice", (broker.id, told.master_epoch)))


def _obey(broker: BrokerState, info: MasterInfo, cause: Event | None = None) -> None:
    if info.epoch <= broker.master_epoch:
        return
    broker.unknown_restart = broker.silent = False
    if info.master_id == broker.id:
        change_to_master(broker, info, cause or Event("BecomeMaster", (broker.id,)))
    else:
        change_to_slave(broker, info, cause or Event("BecomeSlave", (broker.id,)))


# --- changeToMaster --------------------------------------------------------------------------------------------------


def change_to_master(broker: BrokerState, info: MasterInfo, cause: Event) -> None:
    """The first of three steps: epoch and SyncStateSet are known, the connections of the old role end."""
    members = broker.rules.sync_state_set_at_promotion(broker, info)
    broker.master_epoch, broker.master_id, broker.master_address = info.epoch, broker.id, broker.config.broker_address
    broker.sync_state_set, broker.sync_state_set_epoch = members, info.sync_state_set_epoch
    broker.pending = frozenset()
    again = broker.role is Role.MASTER
    log_end = broker.log_end if again else broker.rules.log_at_promotion(broker)
    confirm_offset = broker.rules.confirm_at_promotion(broker, members, log_end)
    if again:  # changeToMasterWhenLastRoleIsMaster: connections are kept
        broker.set_confirm_offset(confirm_offset)
        _record_epoch(broker)
        broker.emit(cause)
        return
    end_connections(broker)
    broker.role = Role.PROMOTING
    broker.truncate(log_end, erase=True)
    broker.set_confirm_offset(confirm_offset)
    broker.emit(cause)
    broker.emit(FollowUp(ContinuePromotion()))


def continue_promotion(broker: BrokerState, _: ContinuePromotion) -> None:
    """Second step: the epoch begins at the end of the log. Third: puts are accepted."""
    if broker.role is Role.PROMOTING:
        _record_epoch(broker)
        broker.role = Role.LABELLED
        broker.emit(Event("NewMasterRecordsEpoch", (broker.id,)))
        broker.emit(FollowUp(ContinuePromotion()))
    elif broker.role is Role.LABELLED:
        broker.role = Role.MASTER
        broker.emit(Event("NewMasterOpensForPuts", (broker.id,)))


def _record_epoch(broker: BrokerState) -> None:
    broker.write_epoch_file(
        broker.rules.epoch_file_at_promotion(broker.epoch_file, broker.master_epoch, broker.log_end)
    )


# --- changeToSlave ---------------------------------------------------------------------------------------------------


def change_to_slave(broker: BrokerState, info: MasterInfo, cause: Event) -> None:
    """Puts that wait fail, the connections of the old role end; a slave whose master stays keeps its connection."""
    same_master = broker.role is Role.SLAVE and broker.master_id == info.master_id
    broker.role = Role.SLAVE
    broker.master_epoch, broker.master_id, broker.master_address = info.epoch, info.master_id, info.address
    broker.rules.sets_after_demotion(broker)
    broker.rules.waiting_after_demotion(broker)
    if not same_master:
        end_connections(broker)
    if not broker.config.keep_confirm_offset:
        broker.set_confirm_offset(0)
    broker.emit(cause)
    if not same_master:
        broker.emit(FollowUp(ConnectToMaster()))


def end_connections(broker: BrokerState) -> None:
    for number in broker.connections:
        broker.emit(CloseConnection(number))
    broker.connections = {}
    if broker.client_state is not ConnectionState.READY:
        broker.emit(DisconnectHa())
    broker.client_state, broker.reported_offset = ConnectionState.READY, -1
