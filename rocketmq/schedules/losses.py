"""Acknowledged messages that are lost with allAckInSyncStateSet=true and clean elections, on real stores."""

from __future__ import annotations

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.controller_state import ControllerState
from rmqproof.rocketmq.message_store import MessageStore
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR
from rmqproof.rocketmq.scripted_ha import ScriptedSlave


def _follows(bench: Bench, slave: MessageStore, master: MessageStore, epoch: int) -> None:
    """The slave has all of the master's log, and the master knows it."""
    slave.follow(master.port, epoch)
    bench.until(lambda: not slave.reconnects(), "the slave's connection")
    bench.until(lambda: master.connections.get(slave.broker_id) == master.end == slave.end, "the slave's ack")


def _joins_and_is_elected(bench: Bench, proposed: frozenset[int]) -> int | None:
    """Whom the real controller makes master when broker 1, master of epoch 4, has proposed this set and dies."""
    state = controller_state(4, 4, frozenset({1}), 1)
    alter = messages.AlterSyncStateSetRequest("broker-a", 1, 4, proposed, 4)
    state = bench.manager.ask(state, alter, alive(1, 2, 3), False)[1]
    return _elected(bench, state)


def file_is_not_cut_with_the_log(bench: Bench) -> Seen:
    """An election makes the set the master alone, as in `ReplicasInfoManager.electMaster`; it grows by proposals."""
    often = {**ALL_ACK, "haSendHeartbeatInterval": 100}  # a slave reports first when it is time for a heartbeat
    with bench.store(1, **often) as one, bench.store(2, **often) as two, bench.store(3, **often) as three:
        one.become_master(1, frozenset({1}))
        one.put(b"message 1")
        start = one.end
        _follows(bench, two, one, 1)
        two.stop_following()
        one.become_master(2, frozenset({1}))
        _follows(bench, three, one, 2)
        one.learn(frozenset({1, 2, 3}))  # broker 2 is in the set, and has no connection
        one.begin_put(b"message 2")
        bench.until(lambda: three.end == one.end > start, "the copy of message 2")
        three.stop_following()
        two.become_master(3, frozenset({2}))
        _follows(bench, one, two, 3)
        two.learn(PAIR)
        status = two.put(b"message 3")
        files = one.entries, two.entries
        one.become_master(4, frozenset({1}))
        one.proposed.clear()
        _follows(bench, three, one, 4)
        joined = frozenset({1, 3})
        bench.until(lambda: joined in one.proposed, "the proposal")
        acknowledged = [b"message 3" in store.bytes_of(start, store.end) for store in (one, three)]
    elected = _joins_and_is_elected(bench, joined)
    return Seen(
        status == "PUT_OK" and acknowledged == [True, False] and elected == 3,
        f"broker 1 follows broker 2 in epoch 3, message 2 is cut off, and its file says {files[0]} where broker 2 has "
        f"{files[1]}; message 3 gets {status}; broker 1 leads epoch 4, broker 3 comes back with message 2, follows and "
        f"is proposed; message 3 is on broker 1: {acknowledged[0]}, on broker 3: {acknowledged[1]}; broker 1 dies, "
        f"elected is broker {elected}",
    )


def two_slaves_join_together(bench: Bench) -> Seen:
    """Each proposal leaves in its order, with the numbers of the moment when it is sent, as in
    `ReplicasManager.doReportSyncStateSetChanged`; the answer to the second one has not come yet."""
    with bench.store(1, slaveTimeout=20_000, **ALL_ACK) as master:
        master.become_master(1, frozenset({1}))
        with ScriptedSlave(master, 2) as second, ScriptedSlave(master, 3) as third:
            for slave in (second, third):
                slave.handshake()
                slave.acknowledge(0)
            bench.until(lambda: len(set(master.proposed)) == 2, "both proposals")
            proposed = list(dict.fromkeys(master.proposed))
            state = _stored(bench, controller_state(1, 1, frozenset({1}), 1), proposed[0])
            assert state.in_sync is not None
            master.learn(state.in_sync.sync_state_set)
            future = master.begin_put()
            copying = second if 2 in proposed[0] else third
            packet = copying.transfer()
            copying.acknowledge(packet.offset + len(packet.body))
            state = _stored(bench, state, proposed[1])
            status = master.status_of(future)
    assert state.in_sync is not None
    members = sorted(state.in_sync.sync_state_set)
    elected = _elected(bench, state)
    return Seen(
        status == "PUT_OK" and elected not in (None, copying.broker_id),
        f"brokers 2 and 3 catch up together: proposed are {[sorted(each) for each in proposed]}; the first is stored "
        f"and answered, a message that broker {copying.broker_id} has gets {status}, the second is stored: the "
        f"controller has {members}; the master dies before it hears that, elected is broker {elected}",
    )


def acknowledged_between_check_and_mark(bench: Bench) -> Seen:
    """The thread that checks is held where it looks into the epoch cache, which no put needs."""
    with bench.store(slaveTimeout=20_000, **ALL_ACK) as master:
        master.become_master(1, frozenset({1}))
        with ScriptedSlave(master, 2) as slave:
            slave.handshake()
            with master.epochs_held():
                slave.acknowledge(0)
                bench.until(lambda: master.checking, "the check")
                status, end = master.put(), master.end
                asked = sorted(master.asked)
            bench.until(lambda: PAIR in master.proposed, "the proposal")
            acked = master.connections[2]
    elected = _elected(bench, _stored(bench, controller_state(1, 1, frozenset({1}), 1), PAIR))
    return Seen(
        status == "PUT_OK" and acked < end and elected == 2,
        f"broker 2 has all of an empty log, which the master finds; before it marks broker 2 a put asks {asked} and "
        f"gets {status}; then [1, 2] is proposed and stored; the master dies, elected is broker {elected}, which has "
        f"{acked} bytes of {end}",
    )


def _stored(bench: Bench, state: ControllerState, members: frozenset[int]) -> ControllerState:
    """The controller's state after broker 1 has sent this set, with the numbers that it has."""
    assert state.in_sync is not None
    numbers = state.in_sync.master_epoch, members, state.in_sync.sync_state_set_epoch
    request = messages.AlterSyncStateSetRequest("broker-a", 1, *numbers)
    return bench.manager.ask(state, request, alive(1, 2, 3), False)[1]


def _elected(bench: Bench, state: ControllerState) -> int | None:
    elect = messages.ElectMasterRequest("DefaultCluster", "broker-a", -1)
    found = bench.manager.ask(state, elect, alive(2, 3), False)[0].header.get("MasterBrokerId")
    return None if found is None else int(found)


LOSSES = (
    Schedule(
        "InsufficientTruncation",
        "a truncation cuts the log and not the epoch file, and a later one keeps other messages than the master has",
        "three real stores, epochs 1 to 4",
        file_is_not_cut_with_the_log,
        "EpochFileAfterHandshake",
    ),
    Schedule(
        "InsufficientExpansion",
        "two slaves that join together: the second proposal takes the first one back (#9897)",
        "connect both, ack both, put, elect",
        two_slaves_join_together,
        "SentAtOnce",
    ),
    Schedule(
        "F-48",
        "a message is acknowledged between the check of a slave and the mark of the set with it",
        "connect, check, put, mark, elect",
        acknowledged_between_check_and_mark,
    ),
)
