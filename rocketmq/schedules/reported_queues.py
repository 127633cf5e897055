"""Defects that were reported, on what a broker makes of its log and its queues when it is cut, killed, or elected."""

from __future__ import annotations

import threading

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state

_ALONE = frozenset({1})
_CHANGES = 200
_UNIT = 20  # bytes of an entry of a consume queue
_HEADERS = "org.apache.rocketmq.remoting.protocol.header.controller"


def cut_bytes_come_back(bench: Bench) -> Seen:
    """`AutoSwitchHAClient.doTruncate` cuts with `truncateFiles`."""
    with bench.store() as store:
        store.become_master(1, _ALONE)
        store.put(b"message 1")
        cut = store.end
        store.put(b"message 2")
        bench.until(lambda: store.behind == 0, "the dispatch")
        store.store.truncateFiles(cut)
        left = store.end
        with store.again(clean=False) as restarted:
            end = restarted.end
            message = b"message 2" in restarted.bytes_of(0, end)
    return Seen(
        message and end > left,
        f"a log of two messages is cut at {cut} and ends at {left}; the process is killed: after the restart the log "
        f"ends at {end}, and message 2 is {'there again' if message else 'gone'}",
    )


def minimum_stays_above_the_maximum(bench: Bench) -> Seen:
    """What `CleanConsumeQueueService` and a truncation of the log do to a queue, in files of two entries."""
    with bench.store(mappedFileSizeConsumeQueue=2 * _UNIT) as store:
        store.become_master(1, _ALONE)
        ends = []
        for _ in range(5):
            store.put()
            ends.append(store.end)
        bench.until(lambda: store.behind == 0 and store.dispatched == len(ends), "the dispatch")
        queue = store.store.getConsumeQueue("topic", 0)
        kept = ends[3]  # the log begins with the fifth message now
        queue.deleteExpiredFile(kept)
        before = int(queue.getMinOffsetInQueue()), int(queue.getMaxOffsetInQueue())
        store.store.truncateFiles(kept)
        queue.correctMinOffset(kept)
        after = int(queue.getMinOffsetInQueue()), int(queue.getMaxOffsetInQueue())
    return Seen(
        after[0] > after[1],
        f"a queue has entries {before[0]} to {before[1] - 1}, the log is cut before all of them: its minOffset is "
        f"{after[0]}, its maxOffset {after[1]}",
    )


def table_falls_back(bench: Bench) -> Seen:
    """A producer goes on while its master is elected again, up to 200 times: what was given in the moment between two
    steps of the change of role is given once more."""
    with bench.store() as store:
        store.become_master(1, _ALONE)
        elected_again = getattr(store.ha, "changeToMasterWhenLastRoleIsMaster", store.ha.changeToMaster)
        given: list[int] = []
        ended = threading.Event()

        def produce() -> None:
            while not ended.is_set():
                given.append(store.queue_offset_of(store.begin_put()))
                ended.wait(0.0005)

        producer = threading.Thread(target=produce, daemon=True)
        producer.start()
        epoch = 1
        while epoch <= _CHANGES and len(set(given)) == len(given):
            epoch, before = epoch + 1, len(given)
            elected_again(epoch)
            bench.until(lambda: len(given) > before, "another message")  # noqa: B023
        ended.set()
        producer.join()
    twice = len(given) - len(set(given))
    return Seen(
        twice > 0,
        f"a master takes messages while it is elected again: after {epoch - 1} changes of its epoch {twice} of "
        "its messages have a queue offset that another one has",
    )


def learner_is_elected_first(bench: Bench) -> Seen:
    names = ("ElectMasterRequestHeader", "register.RegisterBrokerToControllerRequestHeader")
    fields = [
        str(each.getName())
        for name in names
        for each in bench.jpype.JClass(f"{_HEADERS}.{name}").class_.getDeclaredFields()
    ]
    told = any("learner" in each.lower() for each in fields)
    first = messages.ElectMasterRequest("DefaultCluster", "broker-a", 2)
    answer, after = bench.manager.ask(controller_state(0, 0, frozenset(), None), first, alive(1, 2), False)
    assert after.in_sync is not None
    master = after.in_sync.master_broker_id
    return Seen(
        master == 2 and not told,
        f"broker 2, an asyncLearner, is the first that asks to be elected; its requests say "
        f"{'that it is one' if told else 'nothing of that'}: code {answer.code}, the master is {master}",
    )


REPORTED_QUEUES = (
    Schedule(
        "#10666",
        "bytes that were cut are valid again after a crash",
        "put twice, truncate, kill, restart",
        cut_bytes_come_back,
        "LogAfterRestart",
    ),
    Schedule(
        "#10417",
        "a queue's minimum lies above its maximum after a truncation",
        "put, delete expired files, truncate",
        minimum_stays_above_the_maximum,
        "EmptyQueue",
    ),
    Schedule(
        "#6344",
        "the table of queue offsets falls back when a master is elected again",
        "put, changeToMaster, at once",
        table_falls_back,
        "NextOfQueue",
    ),
    Schedule(
        "#10013",
        "a learner that comes first is elected",
        "elect a learner",
        learner_is_elected_first,
        "FirstElected",
    ),
)
