"""Handshake, truncation and transfer against RIP-44 and AutoSwitchHATest."""

from __future__ import annotations

import pytest

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.readings import SHIPPED_BROKER, broker_rules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import (
    CloseConnection,
    ConnectHa,
    DisconnectHa,
    PutAnswer,
    SendToMaster,
    SendToSlave,
)
from rmqproof.impl.core.codes import ConnectionState, PutStatus
from rmqproof.impl.core.replication_messages import (
    Acknowledge,
    EpochEntry,
    Handshake,
    HandshakeReply,
    RequestTransfer,
    Transfer,
)
from rmqproof.impl.core.writes import (
    AppendLog,
    StoredBroker,
    TruncateLog,
    WriteCheckpoint,
    WriteEpochFile,
)
from tests.impl.core.brokers import (
    MESSAGE,
    acknowledge,
    connect,
    copy_all,
    follow,
    info,
    lead,
    of,
    pair,
    put,
    start,
)

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


def test_a_batch_below_the_end_of_the_log_ends_the_connection() -> None:
    """What the slave has already is not appended again."""
    master, slave = pair({1, 2})
    put(master, 2)
    copy_all(slave, master, MESSAGE * 2)
    outputs = slave.step(inputs.FromMaster(Transfer(158, 158, EpochEntry(1, 0), 0, MESSAGE)))
    assert [type(output) for output in outputs] == [DisconnectHa] and slave.log_end == 316


def test_an_empty_log_takes_its_first_batch_at_any_offset_as_shipped() -> None:
    """`AutoSwitchHAClient.HAClientReader.processReadResult` compares the offsets only if the slave's is not 0."""
    packet = Transfer(1024, 158, EpochEntry(1, 0), 0, MESSAGE)
    for rules, end in ((None, 0), (broker_rules(SHIPPED_BROKER), 1024 + 158)):
        _, slave = pair({1, 2}, rules=rules)
        outputs = slave.step(inputs.FromMaster(packet))
        assert (slave.log_end, slave.flushed) == (end, end)
        assert any(isinstance(o, AppendLog) and o.offset == 1024 for o in outputs) == bool(end)
        outputs = slave.step(inputs.FromMaster(Transfer(0, 158, EpochEntry(1, 0), 0, MESSAGE)))
        assert any(isinstance(output, DisconnectHa) for output in outputs) == bool(end)


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
