"""Acknowledged messages that are lost with allAckInSyncStateSet=true and clean elections, on two real stores."""

from __future__ import annotations

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.message_store import MessageStore
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR
from rmqproof.rocketmq.scripted_ha import ScriptedMaster, ScriptedSlave


def _follows(bench: Bench, slave: MessageStore, master: MessageStore, epoch: int) -> None:
    """The slave has all of the master's log, and the master knows it."""
    slave.follow(master.port, epoch)
    bench.until(lambda: master.connections.get(slave.broker_id) == master.end == slave.end, "the slave's ack")


def _elected_when_1_dies(bench: Bench, epoch: int) -> int | None:
    """Whom the real controller makes master, when the SyncStateSet is [1, 2] and broker 1 dies."""
    request = messages.ElectMasterRequest("DefaultCluster", "broker-a", -1)
    answer, _ = bench.manager.ask(controller_state(epoch, epoch, PAIR, 1), request, alive(2), False)
    found = answer.header.get("MasterBrokerId")
    return None if found is None else int(found)


def file_is_not_cut_with_the_log(bench: Bench) -> Seen:
    with bench.store(1, **ALL_ACK) as one, bench.store(2, **ALL_ACK) as two, ScriptedMaster() as way:
        one.become_master(1, frozenset({1}))
        one.put()
        _follows(bench, two, one, 1)
        two.stop_following()
        one.become_master(2, PAIR)
        one.begin_put()  # nobody acknowledges it
        two.become_master(3, frozenset({2}))
        _follows(bench, one, two, 3)
        two.learn(PAIR)
        status, end = two.put(b"acknowledged"), two.end
        files = one.entries, two.entries
        one.become_master(4, PAIR)
        with ScriptedSlave(one, 2) as asking:
            reply = asking.handshake()
        two.follow(way.port, 4)
        way.accept()
        way.send(reply)
        bench.until(lambda: str(two.ha.getHAClient().getCurrentState().name()) == "TRANSFER", "the cut")
        left = two.end
    elected = _elected_when_1_dies(bench, 4)
    return Seen(
        status == "PUT_OK" and left < end and elected == 2,
        f"broker 1 follows broker 2 in epoch 3, its log is cut, and its file says {files[0]} where broker 2 has "
        f"{files[1]}; a put gets {status}, the log ends at {end}; broker 1 leads epoch 4, broker 2 connects and is cut "
        f"to {left}; broker 1 dies, elected is broker {elected}",
    )


LOSSES = (
    Schedule(
        "InsufficientTruncation",
        "a truncation cuts the log and not the epoch file, and a later one cuts acknowledged messages",
        "two real stores, epochs 1 to 4",
        file_is_not_cut_with_the_log,
        "EpochFileAfterHandshake",
    ),
)
