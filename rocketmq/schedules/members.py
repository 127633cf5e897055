"""Who counts as a member, and for what: on a real store, with slaves whose bytes are in our hands."""

from __future__ import annotations

import threading

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.java_fields import field_of
from rmqproof.rocketmq.message_store import id_of
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR, begin, in_sync
from rmqproof.rocketmq.scripted_ha import ScriptedSlave

_PATIENCE_MS = 200
_LATE_MS = 2 * _PATIENCE_MS


def silent_slave_counts_as_caught_up(bench: Bench) -> Seen:
    with bench.store(haMaxTimeSlaveNotCatchup=_PATIENCE_MS, **ALL_ACK) as store:
        begin(store, PAIR)
        with ScriptedSlave(store, 2) as slave:
            slave.handshake()
            slave.acknowledge(0)
            bench.until(lambda: store.connections.get(2) == 0, "the slave's only word")
            said = int(bench.jpype.java.lang.System.currentTimeMillis())
            times = field_of(store.ha, "connectionCaughtUpTimeTable").get(store.ha)
            clock = bench.jpype.java.lang.System.currentTimeMillis

            def counted() -> int:
                return max(map(int, times.values().toArray()), default=0) - said

            bench.until(lambda: counted() > _LATE_MS or int(clock()) > said + 3 * _LATE_MS, "the time")
            after, acked = counted(), store.connections.get(2)
            shrink = getattr(store.ha, "maybeShrinkSyncStateSet", None) or store.ha.maybeShrinkInSyncStateSet
            try:
                left = str(sorted(id_of(each) for each in shrink()))
            except bench.jpype.JException:  # up to 5.1.3 it raises an error at the first that it takes out (#7219)
                left = "nothing, by an error"
    return Seen(
        after > _LATE_MS,
        f"broker 2 is sent all and has acknowledged {acked} of {store.end} for longer than haMaxTimeSlaveNotCatchup: "
        f"the check leaves {left}",
    )


def read_beyond_a_proposal(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        begin(store, frozenset({1}))
        with ScriptedSlave(store, 2) as slave:
            in_sync(bench, store, slave)
            bench.until(lambda: PAIR in store.proposed, "the proposal")
            has = store.end
            store.begin_put()
            confirmed, asked = store.confirmed, sorted(store.asked)
    return Seen(
        confirmed > has and asked == [1, 2],
        f"[1, 2] is proposed and not answered, an acknowledgement asks {asked}; broker 2 has {has} bytes of "
        f"{store.end}: consumers read up to {confirmed}",
    )


def proposal_of_an_earlier_reign(bench: Bench) -> Seen:
    """The one thread that hands proposals over is busy, as with a request that gets no answer."""
    free = threading.Event()
    with bench.store(**ALL_ACK) as store:
        begin(store, frozenset({1}))
        busy = bench.jpype.JProxy("java.lang.Runnable", dict={"run": lambda: free.wait() and None})
        field_of(store.ha, "executorService").get(store.ha).submit(busy)
        with ScriptedSlave(store, 2) as slave:
            in_sync(bench, store, slave)
            # up to 5.1.0 nobody is told of a proposal that waits
            bench.until(lambda: 2 in store.asked or store.by_address, "the proposal")
        store.become_master(3, frozenset({1}))
        early = PAIR in store.proposed
        free.set()
        done = bench.jpype.JProxy("java.lang.Runnable", dict={"run": lambda: None})
        field_of(store.ha, "executorService").get(store.ha).submit(done).get()
        late = PAIR in store.proposed
    code = ""
    if late and not store.by_address:
        request = messages.AlterSyncStateSetRequest("broker-a", 1, 3, PAIR, 3)
        answer, _ = bench.manager.ask(controller_state(3, 3, frozenset({1}), 1), request, alive(1, 2), False)
        code = f"; with the numbers of epoch 3 the controller answers code {answer.code}"
    return Seen(
        late and not early,
        f"[1, 2] is proposed in epoch 1 and waits; in epoch 3 it is {'handed over' if late else 'gone'}{code}",
    )


MEMBERS = (
    Schedule("F-15", "a hung slave counts as caught up", "connect, say nothing", silent_slave_counts_as_caught_up),
    Schedule("F-22", "the local set's size decides what consumers read", "propose, put", read_beyond_a_proposal),
    Schedule(
        "F-28",
        "a proposal of an earlier reign is sent in a later one",
        "propose, hold, lead anew",
        proposal_of_an_earlier_reign,
        "SentAtOnce",
    ),
)
