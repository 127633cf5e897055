"""What slaves copy beside the log: offsets that may come before the messages they stand for."""

from __future__ import annotations

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state
from rmqproof.rocketmq.schedules.broker_parts import HALF, SYSTEM_GROUP, BrokerParts
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR

_OFTEN = {**ALL_ACK, "haSendHeartbeatInterval": 100}


def looked_at_before_it_is_copied(bench: Bench) -> Seen:
    """[1, 2] is proposed and stored, its answer has not come: what is read is what the master has (F-22)."""
    with (
        bench.store(1, **_OFTEN) as master,
        bench.store(2, **_OFTEN) as slave,
        BrokerParts(bench.jpype, master) as one,
        BrokerParts(bench.jpype, slave) as two,
    ):
        master.become_master(1, frozenset({1}))
        half = master.result_of(one.half_message())
        slave.follow(master.port, 1)
        bench.until(lambda: PAIR in master.proposed and slave.end == master.end, "the copy of the half message")
        slave.stop_following()
        bench.until(lambda: not master.connections, "the end of the connection")
        code = one.commits(half)
        bench.until(lambda: one.messages("topic") == 1, "the message")

        def looked_at() -> bool:
            one.checks_transactions()
            return one.offset(SYSTEM_GROUP, HALF) == 1

        bench.until(looked_at, "the check")
        two.copies_offsets(one)
        copied = two.offset(SYSTEM_GROUP, HALF)
        elected = _elected(bench)
        slave.become_master(2, frozenset({2}))
        bench.until(lambda: slave.behind == 0, "the dispatch")
        two.checks_transactions()
        has, halves = two.messages("topic"), two.messages(HALF)
        two.put_back(SYSTEM_GROUP, HALF)
        two.checks_transactions()  # what it would have done with its own offset
        bench.until(lambda: two.messages(HALF) == halves + 1, "another half message, to be asked about")
    return Seen(
        code == 0 and elected == 2 and copied == 1 and has == 0 and halves == 1,
        f"a transaction is committed with code {code}; the slave has the half message, and as offset of "
        f"{SYSTEM_GROUP} {copied}; elected is broker {elected}: it has {has} such messages, and its check passes over "
        f"the {halves} half message, which it would ask about with an offset of its own",
    )


def given_before_the_checkpoint_is_copied(bench: Bench) -> Seen:
    """The slave hangs; it is a member. A checkpoint whose copies come too late counts as stored."""
    settings = {**_OFTEN, "timerWheelEnable": True, "slaveTimeout": 500}
    with bench.store(1, **settings) as master, bench.store(2, **settings) as slave:
        pop = {"enablePopBufferMerge": False}
        with BrokerParts(bench.jpype, master, **pop) as one, BrokerParts(bench.jpype, slave, **pop) as two:
            master.become_master(1, frozenset({1}))
            one.leads()
            one.commits_what_was_popped()
            master.put()
            slave.follow(master.port, 1)
            bench.until(lambda: PAIR in master.proposed and slave.end == master.end, "the copy of the message")
            master.learn(PAIR)
            bench.until(lambda: one.messages("topic") == 1, "the message")
            slave.stop_following()
            given = one.pops("group")
            bench.until(lambda: one.offset("group", "topic") == 1, "the group's offset")
            two.copies_offsets(one)
            copied, elected = two.offset("group", "topic"), _elected(bench)
            slave.become_master(2, frozenset({2}))
            two.leads()
            bench.until(lambda: slave.behind == 0, "the dispatch")
            ends, again = (slave.end, master.end), two.pops("group")
            two.put_back("group", "topic")
            found = two.pops("group")
    return Seen(
        given and copied == 1 and elected == 2 and not again and found,
        f"a message is given to a consumer, its checkpoint is stored at the master, whose log ends at {ends[1]}; the "
        f"slave's ends at {ends[0]}, and it has the group's offset {copied}; elected is broker {elected}: it gives the "
        f"message {'again' if again else 'to nobody, which it would do with an offset of its own'}",
    )


def _elected(bench: Bench) -> int | None:
    """Who follows broker 1, when the controller has stored [1, 2]."""
    elect = messages.ElectMasterRequest("DefaultCluster", "broker-a", -1)
    answer, _ = bench.manager.ask(controller_state(1, 2, PAIR, 1), elect, alive(2), False)
    found = answer.header.get("MasterBrokerId")
    return None if found is None else int(found)


OFFSETS = (
    Schedule(
        "F-51",
        "offsets of the broker's own services are copied ahead of the log",
        "half, copy, commit, check, copy offsets, elect",
        looked_at_before_it_is_copied,
        "OffsetsMayBeCopied",
    ),
    Schedule(
        "F-52",
        "a group's offset is copied ahead of its POP checkpoint",
        "put, copy, pop, copy offsets, elect, pop",
        given_before_the_checkpoint_is_copied,
        "OffsetsMayBeCopied",
    ),
)
