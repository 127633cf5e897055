"""The broker's roles against the order of `ReplicasManager` and `AutoSwitchHAService` (RIP-44 "Role switch")."""

from __future__ import annotations

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import BrokerConfig, Role
from rmqproof.impl.broker.readings import SHIPPED_BROKER, broker_rules
from rmqproof.impl.broker.rules import BrokerRules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import (
    CloseConnection,
    DisconnectHa,
    Event,
    FollowUp,
    PutAnswer,
    ReadAnswer,
    ToController,
)
from rmqproof.impl.core.codes import ConnectionState, PutStatus, ResponseCode
from rmqproof.impl.core.controller_messages import (
    ElectMasterRequest,
    ElectMasterResponse,
    NotifyBrokerRoleChangedRequest,
    RegisterBrokerResponse,
)
from rmqproof.impl.core.replication_messages import EpochEntry
from rmqproof.impl.core.writes import StoredBroker, WriteCheckpoint, WriteEpochFile
from tests.impl.core.brokers import (
    MESSAGE,
    connect,
    copy_all,
    follow,
    info,
    lead,
    of,
    put,
    start,
    statuses,
)

# --- starting --------------------------------------------------------------------------------------------------------


def test_a_process_starts_fenced() -> None:
    """#6508: neither puts nor reads before the controller gave it a role."""
    broker = start(1, StoredBroker(1580, of({1: 0}), 790))
    assert (broker.role, broker.log_end, broker.flushed, broker.confirm_offset) == (Role.FENCED, 1580, 1580, 790)
    assert statuses(put(broker)) == [PutStatus.SERVICE_NOT_AVAILABLE]
    assert broker.step(inputs.Read()) == [ReadAnswer(None)]


def test_recovery_cuts_the_epoch_file_and_the_confirm_offset() -> None:
    """Hazard F-10, #6703: the log lost its unflushed end in a machine crash."""
    broker, outputs = Broker.start(BrokerConfig(1), BrokerRules(), StoredBroker(900, of({1: 0, 2: 900, 3: 1000}), 1000))
    assert outputs == [
        WriteEpochFile(of({1: 0, 2: 900})),
        WriteCheckpoint(900),
        Event("BrokerRestarts", (1,)),
    ]
    assert (broker.epoch_file, broker.confirm_offset) == (of({1: 0, 2: 900}), 900)


def test_registering_sends_a_heartbeat_first() -> None:
    broker = start(1, StoredBroker(1580, of({1: 0}), 790))
    heartbeat, register = broker.step(inputs.Register())
    assert isinstance(heartbeat, ToController) and isinstance(register, ToController)
    assert type(heartbeat.request).__name__ == "BrokerHeartbeatRequest"
    assert (heartbeat.request.epoch, heartbeat.request.max_offset) == (1, 1580)  # type: ignore[union-attr]
    assert type(register.request).__name__ == "RegisterBrokerRequest"


def test_a_restarted_master_asks_for_a_new_epoch() -> None:
    """Repaired: RegisterBroker, GetReplicaInfo and late notifications do not make it master again."""
    broker = start(1, StoredBroker(10, of({1: 0}), 0))
    told = RegisterBrokerResponse(ResponseCode.SUCCESS, 1, "here", 1, frozenset({1}), 1)
    (asked,) = broker.step(told)
    assert asked == ToController(ElectMasterRequest("DefaultCluster", "broker-a", 1, restarted=True))
    assert broker.step(info(1, 1, {1}, 1)) == []
    assert broker.step(NotifyBrokerRoleChangedRequest("broker-a", 1, "here", 1, 1, frozenset({1}))) == []
    assert broker.step(ElectMasterResponse(ResponseCode.SUCCESS, 1, "here", 2, frozenset({1}), 2)) == []
    lead(broker, 2)


def test_a_restarted_master_goes_on_as_shipped() -> None:
    """Hazard F-19: the entry of its epoch moves to the end of its log."""
    broker = start(1, StoredBroker(900, of({1: 0, 5: 500}), 0), broker_rules(SHIPPED_BROKER))
    broker.step(RegisterBrokerResponse(ResponseCode.SUCCESS, 1, "here", 5, frozenset({1}), 1))
    broker.step(inputs.ContinuePromotion())
    assert broker.epoch_file == of({1: 0, 5: 900})


def test_a_fenced_broker_without_a_master_asks_for_one() -> None:
    broker = start(1)
    (asked,) = broker.step(info(None, 0, set(), 0))
    assert asked == ToController(ElectMasterRequest("DefaultCluster", "broker-a", 1))
    (asked,) = broker.step(RegisterBrokerResponse(ResponseCode.SUCCESS))
    assert asked == ToController(ElectMasterRequest("DefaultCluster", "broker-a", 1, restarted=True))


# --- changeToMaster --------------------------------------------------------------------------------------------------


def test_change_to_master_step_by_step() -> None:
    """`AutoSwitchHAService.changeToMaster`: connections end, the epoch is recorded, then puts are accepted."""
    broker = start(2, StoredBroker(1580, of({1: 0}), 1000))
    follow(broker, 1, 1)
    connection = start(1)
    lead(connection, 1)
    outputs = broker.step(info(2, 2, {2}, 5))
    assert outputs == [Event("BecomeMaster", (2,)), FollowUp(inputs.ContinuePromotion())]
    assert (broker.role, broker.sync_state_set, broker.sync_state_set_epoch) == (Role.PROMOTING, frozenset({2}), 5)
    assert statuses(put(broker)) == [PutStatus.SERVICE_NOT_AVAILABLE]
    assert broker.step(info(1, 3, {1}, 6)) == [], "the monitor is held"
    outputs = broker.step(inputs.ContinuePromotion())
    assert outputs[0] == WriteEpochFile(of({1: 0, 2: 1580}))
    assert statuses(put(broker)) == [PutStatus.SERVICE_NOT_AVAILABLE]
    broker.step(inputs.ContinuePromotion())
    assert (broker.role, broker.confirm_offset) == (Role.MASTER, 1000)
    assert broker.step(inputs.Read()) == [ReadAnswer(1580)], "what it received is kept and shown (#5209)"
    assert statuses(put(broker)) == [PutStatus.PUT_OK]
    assert broker.step(inputs.ContinuePromotion()) == []


def test_a_slave_that_becomes_master_leaves_its_master() -> None:
    master, slave = start(1), start(2)
    lead(master, 1)
    follow(slave, 1, 1)
    assert connect(slave, master)
    assert DisconnectHa() in slave.step(info(2, 2, {2}, 5))
    assert slave.client_state is ConnectionState.READY


def test_a_master_that_is_elected_again_keeps_its_connections() -> None:
    """`changeToMasterWhenLastRoleIsMaster`; the next header brings the new epoch (#9689)."""
    master, slave = start(1), start(2)
    lead(master, 1)
    follow(slave, 1, 1)
    assert connect(slave, master)
    put(master)
    copy_all(slave, master, MESSAGE)
    outputs = master.step(info(1, 2, {1}, 2))
    assert outputs == [WriteEpochFile(of({1: 0, 2: 158})), Event("BecomeMaster", (1,))]
    assert master.role is Role.MASTER
    (header,) = copy_all(slave, master, MESSAGE)
    assert (header.size, header.entry) == (0, EpochEntry(2, 158))
    assert slave.epoch_file == of({1: 0, 2: 158})


def test_a_master_that_is_elected_again_computes_its_confirm_offset_as_shipped() -> None:
    """`ReplicasManager.changeToMaster` hands the set over first, `AutoSwitchHAService.setSyncStateSet` computes."""
    for rules, confirmed in ((BrokerRules(), 0), (broker_rules(SHIPPED_BROKER), len(MESSAGE))):
        master = start(1, rules=rules)
        lead(master, 1, {1, 2})
        put(master)
        assert master.confirm_offset == 0
        master.step(info(1, 2, {1}, 2))
        assert (master.master_epoch, master.confirm_offset) == (2, confirmed)


def test_two_elections_without_a_message_leave_the_newer_epoch() -> None:
    """#9942; as shipped the newer one has no entry."""
    for rules, expected in ((BrokerRules(), of({3: 0})), (broker_rules(SHIPPED_BROKER), of({1: 0}))):
        broker = start(1, rules=rules)
        broker.step(info(1, 1, {1}, 1) if rules.may_resume(broker) else _elected(1, 1))
        for _ in range(2):
            broker.step(inputs.ContinuePromotion())
        for epoch in (2, 3):
            broker.step(info(1, epoch, {1}, epoch))
        assert broker.epoch_file == expected


def _elected(broker_id: int, epoch: int) -> ElectMasterResponse:
    return ElectMasterResponse(ResponseCode.SUCCESS, broker_id, "here", epoch, frozenset({broker_id}), epoch, True)


def test_only_a_greater_epoch_is_obeyed() -> None:
    broker = start(1)
    lead(broker, 3)
    for epoch in (2, 3):
        assert broker.step(NotifyBrokerRoleChangedRequest("broker-a", 2, "b2", epoch, 9, frozenset({2}))) == []
        assert broker.step(info(2, epoch, {2}, 0)) == []
    broker.step(NotifyBrokerRoleChangedRequest("broker-a", 2, "b2", 4, 9, frozenset({2})))
    assert (broker.role, broker.master_id, broker.master_epoch) == (Role.SLAVE, 2, 4)


# --- changeToSlave ---------------------------------------------------------------------------------------------------


def test_change_to_slave() -> None:
    """Connections end, waiting producers are told, the set is forgotten."""
    master, slave = start(1), start(2)
    lead(master, 1, {1, 2})
    follow(slave, 1, 1)
    connect(slave, master, 7)
    assert put(master) == []
    outputs = master.step(info(2, 2, {2}, 2))
    assert outputs == [
        PutAnswer(0, PutStatus.FLUSH_SLAVE_TIMEOUT, 0),
        CloseConnection(7),
        Event("BecomeSlave", (1,)),
        FollowUp(inputs.ConnectToMaster()),
    ]
    assert (master.sync_state_set, master.pending, master.waiting) == (frozenset(), frozenset(), ())
    assert statuses(put(master)) == [PutStatus.SERVICE_NOT_AVAILABLE]


def test_a_slave_whose_master_stays_keeps_its_connection() -> None:
    """`changeToSlaveWhenMasterNotChange`."""
    master, slave = start(1), start(2)
    lead(master, 1)
    follow(slave, 1, 1)
    connect(slave, master)
    assert slave.step(info(1, 2, {1}, 2)) == [Event("BecomeSlave", (2,))]
    assert (slave.client_state, slave.master_epoch) == (ConnectionState.TRANSFER, 2)


def test_a_slave_that_learns_of_an_epoch_without_a_master_asks_for_one() -> None:
    """#4450."""
    slave = start(2)
    follow(slave, 1, 1)
    assert slave.step(info(None, 1, {1}, 1)) == []
    (asked,) = slave.step(info(None, 2, {1}, 1))
    assert asked == ToController(ElectMasterRequest("DefaultCluster", "broker-a", 2))
