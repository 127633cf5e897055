"""SyncStateSet, acknowledgement and confirmOffset against RIP-44 and AutoSwitchHATest."""

from __future__ import annotations

from rmqproof.impl.broker.config import FlushDiskType
from rmqproof.impl.broker.readings import broker_rules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import (
    Event,
    FollowUp,
    PutAnswer,
    ReadAnswer,
)
from rmqproof.impl.core.codes import PutStatus, ResponseCode
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    AlterSyncStateSetResponse,
)
from rmqproof.impl.core.writes import AppendLog, FlushLog, WriteCheckpoint
from tests.impl.core.brokers import (
    MESSAGE,
    acknowledge,
    connect,
    copy_all,
    follow,
    info,
    lead,
    pair,
    put,
    requests,
    start,
    statuses,
)

# --- the SyncStateSet ------------------------------------------------------------------------------------------------


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


def test_only_a_members_ack_moves_the_confirm_offset_as_shipped() -> None:
    """`AutoSwitchHAService.updateConfirmOffsetWhenSlaveAck` asks the local set (hazard F-47)."""
    for replaced, confirmed in (({}, 158), ({"AckMovesConfirm": "AckMovesConfirmAsShipped"}, 0)):
        master, slave = pair(rules=broker_rules(replaced))
        copy_all(slave, master, b"")
        master.step(inputs.ExpandSyncStateSet(2))
        put(master)
        copy_all(slave, master, MESSAGE)
        assert (master.sync_state_set, master.pending, master.confirm_offset) == ({1}, {1, 2}, confirmed)


def test_a_poll_of_another_epoch_teaches_nothing() -> None:
    """After a cleaning as shipped the controller counts from 0 again; the number of such a set means something else."""
    master, _ = pair({1, 2})
    master.step(info(1, 0, {1}, 9))
    assert (master.sync_state_set, master.sync_state_set_epoch) == (frozenset({1, 2}), 1)
    master.step(info(1, 1, {1}, 9))
    assert (master.sync_state_set, master.sync_state_set_epoch) == (frozenset({1}), 9)


def test_a_new_reign_begins_without_the_proposals_of_the_last() -> None:
    """As slave in between, and elected again as master: nobody waits for a member that was proposed then."""
    master, slave = pair()
    copy_all(slave, master, b"")
    master.step(inputs.ExpandSyncStateSet(2))
    assert master.pending == {1, 2}
    again = master.copy()
    lead(again, 2)
    assert again.pending == frozenset()
    learned = master.copy()
    learned.step(info(1, 1, {1, 2}, 2))
    assert (learned.sync_state_set, learned.pending) == (frozenset({1, 2}), frozenset())
    follow(master, 3, 2)
    assert (master.pending, master.connections) == (frozenset(), {})
    lead(master, 3)
    assert master.pending == frozenset()
