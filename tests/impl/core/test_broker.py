"""The broker's core against RIP-44, the order of `ReplicasManager` and `AutoSwitchHAService`, and AutoSwitchHATest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import BrokerConfig, FlushDiskType, Role
from rmqproof.impl.broker.readings import SHIPPED_BROKER, broker_rules
from rmqproof.impl.broker.rules import BrokerRules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import (
    CloseConnection,
    ConnectHa,
    DisconnectHa,
    Event,
    FollowUp,
    PutAnswer,
    ReadAnswer,
    SendToMaster,
    SendToSlave,
    ToController,
)
from rmqproof.impl.core.codes import ConnectionState, PutStatus, ResponseCode
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    AlterSyncStateSetResponse,
    ElectMasterRequest,
    ElectMasterResponse,
    GetReplicaInfoResponse,
    NotifyBrokerRoleChangedRequest,
    RegisterBrokerResponse,
)
from rmqproof.impl.core.replication_messages import (
    Acknowledge,
    EpochEntry,
    EpochFile,
    Handshake,
    HandshakeReply,
    RequestTransfer,
    Transfer,
)
from rmqproof.impl.core.writes import (
    AppendLog,
    FlushLog,
    StoredBroker,
    TruncateLog,
    WriteCheckpoint,
    WriteEpochFile,
)

MESSAGE = b"x" * 158
"""As in AutoSwitchHATest: one message has 158 bytes, ten have 1580."""


def of(entries: dict[int, int]) -> EpochFile:
    return tuple(EpochEntry(epoch, start) for epoch, start in entries.items())


def start(
    broker_id: int,
    stored: StoredBroker | None = None,
    rules: BrokerRules | None = None,
    **config: Any,
) -> Broker:
    config = {"all_ack_in_sync_state_set": True, "flush_disk_type": FlushDiskType.SYNC_FLUSH, **config}
    broker, _ = Broker.start(BrokerConfig(broker_id, **config), rules or BrokerRules(), stored)
    return broker


def info(master: int | None, epoch: int, members: set[int], number: int) -> GetReplicaInfoResponse:
    return GetReplicaInfoResponse(ResponseCode.SUCCESS, master, f"b{master}", epoch, frozenset(members), number)


def lead(broker: Broker, epoch: int, members: set[int] | None = None, number: int = 1) -> None:
    """Elected anew, with the answers in time, and changeToMaster done."""
    everybody = members if members is not None else {broker.id}
    broker.step(
        ElectMasterResponse(
            ResponseCode.SUCCESS, broker.id, "here", epoch, frozenset(everybody), number, broker.role is Role.FENCED
        )
    )
    broker.step(inputs.ContinuePromotion())
    broker.step(inputs.ContinuePromotion())
    assert broker.role is Role.MASTER


def follow(broker: Broker, master: int, epoch: int) -> None:
    broker.step(info(master, epoch, {master}, 1))
    assert broker.role is Role.SLAVE


def connect(slave: Broker, master: Broker, number: int = 0) -> bool:
    """Handshake and cut; whether they agreed."""
    slave.step(inputs.ConnectToMaster())
    master.step(inputs.SlaveConnected(number))
    packets = [o.packet for o in slave.step(inputs.MasterConnected()) if isinstance(o, SendToMaster)]
    while packets:
        for output in master.step(inputs.FromSlave(number, packets.pop(0))):
            if isinstance(output, CloseConnection) and output.connection == number:
                slave.step(inputs.MasterDisconnected())
                return False
            if isinstance(output, SendToSlave):
                told = slave.step(inputs.FromMaster(output.packet))
                packets += [o.packet for o in told if isinstance(o, SendToMaster)]
    return slave.client_state is ConnectionState.TRANSFER


def copy_all(slave: Broker, master: Broker, log: bytes, number: int = 0) -> list[Transfer]:
    """Transfer until there is nothing to send, with acknowledgements."""
    sent: list[Transfer] = []
    while True:
        outputs = [o for o in master.step(inputs.SendBatch(number)) if isinstance(o, SendToSlave)]
        for output in outputs:
            assert isinstance(output.packet, Transfer)
            packet = output.packet
            packet = replace(packet, body=log[packet.offset : packet.offset + packet.size])
            sent.append(packet)
            slave.step(inputs.FromMaster(packet))
        acknowledge(slave, master, number)
        if not outputs:
            return sent


def acknowledge(slave: Broker, master: Broker, number: int = 0) -> list[Any]:
    outputs: list[Any] = []
    for output in slave.step(inputs.ReportOffset()):
        if isinstance(output, SendToMaster):
            outputs += master.step(inputs.FromSlave(number, output.packet))
    return outputs


def put(broker: Broker, count: int = 1) -> list[PutAnswer]:
    answers: list[Any] = []
    for _ in range(count):
        answers += broker.step(inputs.Put(broker.log_end, MESSAGE))
    answers += broker.step(inputs.CheckWaitingPuts())
    return [answer for answer in answers if isinstance(answer, PutAnswer)]


def statuses(answers: list[PutAnswer]) -> list[PutStatus]:
    return [answer.status for answer in answers]


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


# --- the SyncStateSet ------------------------------------------------------------------------------------------------


def pair(members: set[int] | None = None, **config: Any) -> tuple[Broker, Broker]:
    """A master of epoch 1 and a slave that is connected."""
    master, slave = start(1, **config), start(2, **config)
    lead(master, 1, members)
    follow(slave, 1, 1)
    assert connect(slave, master)
    return master, slave


def requests(outputs: list[Any]) -> list[AlterSyncStateSetRequest]:
    return [
        o.request for o in outputs if isinstance(o, ToController) and isinstance(o.request, AlterSyncStateSetRequest)
    ]


def test_h3_a_slave_joins_when_it_has_caught_up() -> None:
    """RIP-44 "Expand": the proposal carries the epochs of its computation; its members count from now on (#5798)."""
    master, slave = pair()
    put(master, 10)
    assert requests(master.step(inputs.ExpandSyncStateSet(2))) == []
    copy_all(slave, master, MESSAGE * 10)
    (request,) = requests(master.step(inputs.ExpandSyncStateSet(2)))
    assert request == AlterSyncStateSetRequest("broker-a", 1, 1, frozenset({1, 2}), 1)
    assert (master.sync_state_set, master.union, master.confirm_offset) == (frozenset({1}), frozenset({1, 2}), 1580)
    assert put(master) == [], "H9: both must have it although nobody confirmed the proposal"
    master.step(AlterSyncStateSetResponse(ResponseCode.SUCCESS, frozenset({1, 2}), 2))
    assert (master.sync_state_set, master.pending, master.sync_state_set_epoch) == (frozenset({1, 2}), frozenset(), 2)


def test_h1_h3_without_the_member_nothing_is_acknowledged_nor_confirmed() -> None:
    master, slave = pair({1, 2})
    put(master, 10)
    copy_all(slave, master, MESSAGE * 10)
    assert (
        statuses([a for a in master.step(inputs.CheckWaitingPuts()) if isinstance(a, PutAnswer)])
        == [PutStatus.PUT_OK] * 10
    )
    assert master.confirm_offset == 1580
    outputs = master.step(inputs.SlaveDisconnected(0))
    assert outputs == [Event("MasterNoticesLostConnection", (1, 2)), FollowUp(inputs.ShrinkSyncStateSet(2))]
    assert put(master) == []
    assert (master.log_end, master.confirm_offset) == (1738, 1580)
    assert master.step(inputs.PutTimedOut(1580)) == [PutAnswer(1580, PutStatus.FLUSH_SLAVE_TIMEOUT, 1580)]
    assert master.step(inputs.PutTimedOut(1580)) == []


def test_h2_a_learner_never_joins() -> None:
    master, slave = start(1), start(2, async_learner=True)
    lead(master, 1)
    follow(slave, 1, 1)
    connect(slave, master)
    put(master, 10)
    copy_all(slave, master, MESSAGE * 10)
    assert slave.log_end == 1580
    assert requests(master.step(inputs.ExpandSyncStateSet(2))) == []


def test_a_member_that_lags_leaves() -> None:
    master, _ = pair({1, 2})
    (request,) = requests(master.step(inputs.ShrinkSyncStateSet(2)))
    assert request == AlterSyncStateSetRequest("broker-a", 1, 1, frozenset({1}), 1)
    assert master.union == {1, 2}
    for member in (1, 3):
        assert master.step(inputs.ShrinkSyncStateSet(member)) == []


def test_a_refused_proposal_still_counts() -> None:
    """An earlier one may have been stored; only a greater number resolves."""
    master, _ = pair()
    master.step(inputs.ExpandSyncStateSet(2))
    put(master)
    pending = master.pending
    master.step(AlterSyncStateSetResponse(ResponseCode.CONTROLLER_FENCED_SYNC_STATE_SET_EPOCH))
    master.step(info(1, 1, {1}, 1))
    assert master.pending == pending
    master.step(info(1, 1, {1}, 2))
    assert master.pending == frozenset()


def test_a_master_learns_the_set_though_nobody_leads() -> None:
    """`syncBrokerMetadata` compares epochs before it looks who leads."""
    master, _ = pair()
    assert master.step(info(None, 1, {1, 3}, 4))[-1] == Event("LearnSyncStateSet", (1,))
    assert master.sync_state_set == {1, 3}


def test_proposals_are_remembered_together() -> None:
    """Hazard F-6."""
    master = start(1)
    lead(master, 1)
    for number, slave_id in enumerate((2, 3)):
        slave = start(slave_id)
        follow(slave, 1, 1)
        connect(slave, master, number)
        acknowledge(slave, master, number)
        master.step(inputs.ExpandSyncStateSet(slave_id))
    assert master.union == {1, 2, 3}
    master.rules = broker_rules({"PendingWith": "PendingWithAsShipped"})
    master.pending = frozenset()
    for slave_id in (2, 3):
        master.step(inputs.ExpandSyncStateSet(slave_id))
    assert master.union == {1, 3}


def test_queued_proposals_as_shipped() -> None:
    """#9897: the epochs that are valid when it leaves are put on a set that was computed earlier."""
    master, slave = pair(rules=broker_rules({"SentAtOnce": "SentAtOnceAsShipped"}))
    acknowledge(slave, master)
    assert requests(master.step(inputs.ExpandSyncStateSet(2))) == []
    master.step(info(1, 1, {1, 3}, 5))
    (request,) = requests(master.step(inputs.SendQueuedProposal()))
    assert (request.new_sync_state_set, request.sync_state_set_epoch) == (frozenset({1, 2}), 5)
    assert master.step(inputs.SendQueuedProposal()) == []


# --- acknowledgement -------------------------------------------------------------------------------------------------


def test_in_sync_replicas_without_all_ack() -> None:
    master, slave = pair({1, 2}, all_ack_in_sync_state_set=False, in_sync_replicas=2)
    assert put(master) == []
    assert master.step(inputs.Read()) == [ReadAnswer(158)], "#7657: without all-ack everything is confirmed"
    copy_all(slave, master, MESSAGE)
    assert statuses([a for a in master.step(inputs.CheckWaitingPuts()) if isinstance(a, PutAnswer)]) == [
        PutStatus.PUT_OK
    ]


def test_min_in_sync_replicas_is_asked_before_and_after() -> None:
    """Hazard F-17."""
    master, _ = pair({1, 2}, min_in_sync_replicas=2)
    put(master)
    master.step(info(1, 1, {1}, 2))
    assert master.step(inputs.CheckWaitingPuts()) == []
    assert statuses(put(master)) == [PutStatus.IN_SYNC_REPLICAS_NOT_ENOUGH]


def test_what_is_not_flushed_is_no_copy() -> None:
    """Repaired (InsufficientFlush): neither the master's bytes nor the slave's."""
    master, slave = pair({1, 2}, flush_disk_type=FlushDiskType.ASYNC_FLUSH)
    outputs = master.step(inputs.Put(1, MESSAGE))
    assert outputs[:2] == [AppendLog(0, MESSAGE, False), FlushLog(158)]
    copy_all(slave, master, MESSAGE)
    assert (slave.log_end, slave.flushed, slave.reported_offset) == (158, 0, 0)
    slave.step(inputs.LogFlushed(158))
    acknowledge(slave, master)
    assert master.step(inputs.CheckWaitingPuts()) == []
    assert master.confirm_offset == 0
    outputs = master.step(inputs.LogFlushed(158))
    assert outputs[0] == WriteCheckpoint(158), "the own flush moves the confirmOffset"
    assert [o.status for o in master.step(inputs.CheckWaitingPuts()) if isinstance(o, PutAnswer)] == [PutStatus.PUT_OK]
    assert master.step(inputs.LogFlushed(158)) == []


def test_confirm_offset_is_frozen_by_a_member_that_has_not_acknowledged() -> None:
    """#6662, #6728, hazard F-18."""
    master, slave = pair({1, 2, 3})
    put(master)
    copy_all(slave, master, MESSAGE)
    assert master.confirm_offset == 0
    third = start(3)
    follow(third, 1, 1)
    connect(third, master, 1)
    acknowledge(slave, master)
    assert master.confirm_offset == 0
    copy_all(third, master, MESSAGE, 1)
    assert master.confirm_offset == 158


# --- replication -----------------------------------------------------------------------------------------------------


def test_who_connects_must_know_the_same_epoch() -> None:
    """Hazard F-25, both ways."""
    master, slave = start(1), start(2)
    lead(master, 2)
    follow(slave, 1, 1)
    assert not connect(slave, master)
    assert (slave.client_state, master.connections) == (ConnectionState.READY, {})
    follow(slave, 1, 2)
    assert connect(slave, master)
    other = start(3)
    follow(other, 1, 2)
    other.step(inputs.MasterConnected())
    outputs = other.step(inputs.FromMaster(HandshakeReply(1, 0, -1, ())))
    assert outputs == [DisconnectHa()]


def test_a_slave_answers_no_handshake() -> None:
    """Hazard F-25: the chain of a slave that copies from a slave."""
    middle, slave = start(2), start(3)
    follow(middle, 1, 1)
    follow(slave, 2, 1)
    assert not connect(slave, middle)


def test_h1_a_restarted_master_cuts_what_nobody_had() -> None:
    """AutoSwitchHATest.testConfirmOffset: {1:0} with 1738 bytes meets {1:0, 2:1580}."""
    slave = start(1, StoredBroker(1738, of({1: 0}), 1738))
    master = start(2, StoredBroker(1580, of({1: 0}), 1580))
    lead(master, 2)
    follow(slave, 2, 2)
    slave.step(inputs.MasterConnected())
    outputs = slave.step(inputs.FromMaster(HandshakeReply(2, 1580, 2, of({1: 0, 2: 1580}))))
    assert outputs[:3] == [TruncateLog(1580, True), WriteCheckpoint(1580), WriteEpochFile(of({1: 0, 2: 1580}))]
    assert SendToMaster(RequestTransfer(1580)) in outputs
    assert (slave.log_end, slave.flushed, slave.reported_offset) == (1580, 1580, -1)


def test_h4_changing_roles_many_times() -> None:
    log = MESSAGE * 30
    brokers = {1: start(1), 2: start(2)}
    for epoch, (master, slave) in enumerate(((1, 2), (2, 1), (1, 2)), 1):
        if brokers[master].role is Role.FENCED:
            lead(brokers[master], epoch)
        else:
            brokers[master].step(info(master, epoch, {master}, epoch))
            for _ in range(2):
                brokers[master].step(inputs.ContinuePromotion())
        follow(brokers[slave], master, epoch)
        put(brokers[master], 10)
        assert connect(brokers[slave], brokers[master], epoch)
        copy_all(brokers[slave], brokers[master], log, epoch)
        assert brokers[slave].log_end == 1580 * epoch
    assert brokers[1].epoch_file == brokers[2].epoch_file == of({1: 0, 2: 1580, 3: 3160})


def test_h5_a_new_broker_copies_everything() -> None:
    master, _ = pair()
    put(master, 10)
    third = start(3)
    follow(third, 1, 1)
    connect(third, master, 1)
    sent = copy_all(third, master, MESSAGE * 10, 1)
    assert third.log_end == 1580
    assert sent[0].entry == EpochEntry(1, 0)


def test_no_common_entry_means_the_empty_log() -> None:
    """Hazard F-36; as shipped the slave tries for ever."""
    slave = start(2, StoredBroker(0, of({1: 0})))
    follow(slave, 1, 2)
    slave.step(inputs.MasterConnected())
    slave.step(inputs.FromMaster(HandshakeReply(2, 50, 2, of({2: 0}))))
    assert (slave.client_state, slave.log_end) == (ConnectionState.TRANSFER, 0)
    slave = start(2, StoredBroker(0, of({1: 0})), broker_rules(SHIPPED_BROKER))
    follow(slave, 1, 2)
    slave.step(inputs.MasterConnected())
    assert slave.step(inputs.FromMaster(HandshakeReply(2, 50, 2, of({2: 0})))) == [DisconnectHa()]


def test_f13_a_false_acknowledgement_as_shipped_and_repaired() -> None:
    reply = HandshakeReply(3, 2000, 2, of({1: 0, 2: 1000}))
    stored = StoredBroker(900, of({1: 0, 2: 1000}))
    slave = start(2, stored, broker_rules(SHIPPED_BROKER))
    follow(slave, 1, 3)
    slave.step(inputs.MasterConnected())
    assert SendToMaster(Acknowledge(2000)) in slave.step(inputs.FromMaster(reply))
    slave = start(2, stored)
    follow(slave, 1, 3)
    slave.step(inputs.MasterConnected())
    outputs = slave.step(inputs.FromMaster(reply))
    assert not any(isinstance(o, SendToMaster) and isinstance(o.packet, Acknowledge) for o in outputs)
    master, _ = pair()
    outputs = master.step(inputs.FromSlave(0, Acknowledge(2000)))
    assert outputs == [CloseConnection(0)] and master.connections == {}


def test_a_batch_ends_with_its_epoch() -> None:
    """Hazard F-12: the label belongs to the first byte."""
    master = start(1, StoredBroker(400, of({1: 0, 3: 310, 4: 350})))
    lead(master, 5)
    slave = start(2, StoredBroker(300, of({1: 0})))
    follow(slave, 1, 5)
    connect(slave, master)
    sent = copy_all(slave, master, b"m" * 400)
    assert [(t.offset, t.size, t.entry) for t in sent] == [
        (300, 10, EpochEntry(1, 0)),
        (310, 40, EpochEntry(3, 310)),
        (350, 50, EpochEntry(4, 350)),
        (400, 0, EpochEntry(5, 400)),
    ]
    assert slave.epoch_file == master.epoch_file


def test_a_batch_has_a_size_and_ends_at_a_message() -> None:
    master, _ = pair(ha_transfer_batch_size=400)
    put(master, 5)
    (output,) = (o for o in master.step(inputs.SendBatch(0, boundary=316)) if isinstance(o, SendToSlave))
    assert isinstance(output.packet, Transfer) and (output.packet.offset, output.packet.size) == (0, 316)
    (output,) = (o for o in master.step(inputs.SendBatch(0)) if isinstance(o, SendToSlave))
    assert isinstance(output.packet, Transfer) and (output.packet.offset, output.packet.size) == (316, 400)


def test_a_packet_that_does_not_fit_ends_the_connection() -> None:
    _, slave = pair()
    gap = Transfer(158, 158, EpochEntry(1, 0), 0, MESSAGE)
    assert slave.step(inputs.FromMaster(gap)) == [DisconnectHa()]
    assert slave.step(inputs.FromMaster(gap)) == []
    assert slave.log_end == 0


def test_the_confirm_offset_reaches_the_slave_and_does_not_fall_there() -> None:
    """RIP-44 "Confirm offset"; hazard F-14."""
    master, slave = pair({1, 2})
    put(master, 2)
    copy_all(slave, master, MESSAGE * 2)
    for output in master.step(inputs.SendConfirmOffset(0)):
        assert isinstance(output, SendToSlave)
        slave.step(inputs.FromMaster(output.packet))
    assert slave.confirm_offset == 316
    slave.step(inputs.FromMaster(Transfer(316, 0, None, 158)))
    slave.step(inputs.FromMaster(Transfer(316, 0, None, 999)))
    assert slave.confirm_offset == 316


def test_a_reconnect_supersedes_the_old_connection() -> None:
    """Hazard F-16: as shipped both count."""
    master, slave = pair({1, 2, 3})
    put(master)
    copy_all(slave, master, MESSAGE)
    slave.step(inputs.MasterDisconnected())
    assert connect(slave, master, 1)
    assert list(master.connections) == [1]
    shipped, slave = pair({1, 2, 3}, rules=broker_rules(SHIPPED_BROKER))
    put(shipped)
    copy_all(slave, shipped, MESSAGE)
    slave.step(inputs.MasterDisconnected())
    assert connect(slave, shipped, 1)
    copy_all(slave, shipped, MESSAGE, 1)
    acknowledge(slave, shipped, 1)
    shipped.step(inputs.FromSlave(1, Acknowledge(158)))
    assert [o.status for o in shipped.step(inputs.CheckWaitingPuts()) if isinstance(o, PutAnswer)] == [PutStatus.PUT_OK]


def test_offsets_are_nobodys_before_the_handshake() -> None:
    master = start(1)
    lead(master, 1)
    master.step(inputs.SlaveConnected(0))
    assert master.step(inputs.SendBatch(0)) == []
    assert master.step(inputs.SendConfirmOffset(0)) == []
    assert master.step(inputs.FromSlave(0, Acknowledge(0))) == [CloseConnection(0)]
    assert master.step(inputs.FromSlave(0, Handshake(2, 1))) == []
    master.step(inputs.SlaveConnected(1))
    assert master.step(inputs.SlaveDisconnected(1)) == []


def test_a_connection_that_comes_too_late_is_closed() -> None:
    broker = start(1)
    assert broker.step(inputs.ConnectToMaster()) == []
    assert broker.step(inputs.MasterConnected()) == [DisconnectHa()]
    follow(broker, 2, 1)
    assert broker.step(inputs.ConnectToMaster()) == [ConnectHa(2, "b2")]


def test_a_copy_does_not_see_later_steps() -> None:
    master, _ = pair()
    copy = master.copy()
    kept = copy.state()
    put(master)
    assert copy.state() == kept and master.state() != kept
    copy.set_state(master.state())
    assert copy.log_end == 158


def test_unknown_readings_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="AckSet has no reading Wrong"):
        broker_rules({"AckSet": "Wrong"})
