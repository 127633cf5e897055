"""Defects that were reported and repaired, on the store and its replication: seen on a release that has them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.replication_messages import EpochEntry, HandshakeReply, RequestTransfer, Transfer
from rmqproof.impl.wire.ha import encode_to_master
from rmqproof.rocketmq.message_store import MessageStore, id_of
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR, begin, in_sync
from rmqproof.rocketmq.scripted_ha import ScriptedMaster, ScriptedSlave

_THREE = frozenset({1, 2, 3})
_COMPUTED_SECONDS = 10


def expanded_while_the_answer_is_lost(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        begin(store, frozenset({1}))
        with ScriptedSlave(store, 2) as slave:
            in_sync(bench, store, slave)
            bench.until(lambda: PAIR in store.proposed, "the proposal")
            status = store.put()  # the slave says nothing any more
    return Seen(
        status == "PUT_OK",
        f"the master proposes [1, 2], the controller stores it and its answer is lost; a put that broker 2 does not "
        f"acknowledge gets {status}",
    )


def a_member_without_connection(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        begin(store, _THREE)
        with ScriptedSlave(store, 2) as slave:
            in_sync(bench, store, slave)
            store.begin_put()
            packet = slave.transfer()
            end = packet.offset + len(packet.body)
            slave.acknowledge(end)
            bench.until(lambda: store.connections.get(2) == end, "the ack")
            with contextlib.suppress(TimeoutError):  # it is computed after the ack is known
                bench.until(lambda: store.confirmed == end, "the confirmOffset", _COMPUTED_SECONDS)
            confirmed = store.confirmed
    return Seen(
        confirmed == end,
        f"members 1, 2, 3; broker 3 is not connected, broker 2 acknowledges {end}: the confirmOffset is {confirmed}",
    )


def a_connection_without_ack(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        begin(store, _THREE)
        with ScriptedSlave(store, 3) as third:
            with ScriptedSlave(store, 2) as slave:
                in_sync(bench, store, slave)
                in_sync(bench, store, third)
                before = store.confirmed
            bench.until(lambda: 2 not in store.connections, "the end of the connection")
            store.learn(_THREE)  # the controller has heard nothing of it
            with ScriptedSlave(store, 2) as slave:
                slave.handshake()
                bench.until(lambda: 2 in store.connections, "the handshake")
                store.learn(_THREE)
                after = store.confirmed
    return Seen(
        after < 0 <= before,
        f"broker 2 connects anew and has not acknowledged yet: the confirmOffset goes from {before} to {after}",
    )


@contextlib.contextmanager
def _half_confirmed(bench: Bench, store: MessageStore) -> Iterator[None]:
    """Two messages, of which the other member has one. It stays connected: without it the set may shrink, and then both
    messages are confirmed."""
    store.become_master(1, frozenset({1}))
    store.put()
    first = store.end
    store.learn(PAIR)
    with ScriptedSlave(store, 2) as slave:
        in_sync(bench, store, slave)
        bench.until(lambda: store.confirmed == first, "the confirmOffset")
        store.begin_put()
        bench.until(lambda: store.dispatched == 1, "the consume queue")
        yield


def dispatched_after_a_restart(bench: Bench) -> Seen:
    with (
        bench.store(**ALL_ACK) as store,
        _half_confirmed(bench, store),
        store.again(clean=False) as restarted,
    ):
        confirmed, after = restarted.confirmed, restarted.dispatched  # what recovery has dispatched
    return Seen(
        after > 1,
        f"messages 1 and 2 are in the log, 1 is confirmed; after the process was killed, with no role, the "
        f"confirmOffset is {confirmed} and consumers find {after} messages",
    )


def queue_offset_is_given_twice(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store, _half_confirmed(bench, store), store.again() as restarted:
        restarted.learn(PAIR)
        restarted.become_master(2, PAIR)
        given = restarted.queue_offset_of(restarted.begin_put())
    return Seen(
        given < 2,
        f"messages 1 and 2 have queue offsets 0 and 1, 1 is confirmed; after a restart as master the next one gets "
        f"queue offset {given}",
    )


def confirmed_zero_is_computed_anew(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        store.become_master(1, PAIR)
        with ScriptedSlave(store, 2) as slave:
            store.begin_put()
            slave.handshake()
            bench.until(lambda: 2 in store.connections, "the handshake")
            confirmed, end = store.confirmed, store.end
    return Seen(
        confirmed != 0,
        f"an empty master, a message that broker 2 has not acknowledged: the confirmOffset is {confirmed} of {end}",
    )


def cut_from_the_wrong_place(bench: Bench) -> Seen:
    with bench.store() as source:
        source.become_master(1, frozenset({1}))
        ends = []
        for size in (200, 1, 60):
            source.put(b"x" * size)
            ends.append(source.end)
        with source.again(started=False) as store:  # so that nothing is dispatched behind our back
            store.confirm(ends[1])
            left = int(store.ha.truncateInvalidMsg())
            cut = store.end
    return Seen(
        cut < ends[1],
        f"a log of three whole messages to {ends[-1]}, confirmed to {ends[1]}, nothing dispatched yet: "
        f"truncateInvalidMsg returns {left}, left are {cut} bytes",
    )


def unexpected_state(bench: Bench) -> Seen:
    with bench.store() as store:
        begin(store, PAIR)
        with ScriptedSlave(store, 2) as slave:
            in_sync(bench, store, slave)
            slave.send(encode_to_master(RequestTransfer(0)))  # state 0, which no slave has in a connection
            states: list[str] = []

            def done() -> bool:
                states[:] = [str(each.getCurrentState().name()) for each in store.ha.getConnectionList()]
                return states in ([], ["READY"], ["SHUTDOWN"])

            bench.until(done, "what the master makes of it")
    stays = states == ["READY"]
    what = "the connection stays, and its thread reads that packet again and again" if stays else "the connection ends"
    return Seen(stays, f"a slave sends a packet of state 0: {what}")


def shrink_raises(bench: Bench) -> Seen:
    with bench.store() as store:
        begin(store, _THREE)
        shrink = getattr(store.ha, "maybeShrinkSyncStateSet", None) or store.ha.maybeShrinkInSyncStateSet  # until 5.1.0
        try:
            left = sorted(id_of(each) for each in shrink())
        except bench.jpype.JException as error:
            name = type(error).__name__.split(".")[-1]
            return Seen(True, f"members 1, 2, 3, and 2 and 3 never connected: maybeShrinkSyncStateSet throws {name}")
    return Seen(False, f"members 1, 2, 3, and 2 and 3 never connected: shrunk to {left}")


def two_connections_end_together(bench: Bench) -> Seen:
    with bench.store() as store:
        begin(store, _THREE)
        with ScriptedSlave(store, 2) as one, ScriptedSlave(store, 3) as other:
            in_sync(bench, store, one)
            in_sync(bench, store, other)
            store.learn(_THREE)
            store.proposed.clear()
        # both threads of a connection propose
        bench.until(lambda: len(set(store.proposed)) == 2, "a proposal for each")
        proposals = list(dict.fromkeys(store.proposed))
        proposed = [sorted(each) for each in proposals]
        stored = None if store.by_address else _stored(bench, proposals)
    then = "" if stored is None else f"; each is sent when the one before is answered, and the controller has {stored}"
    return Seen(
        proposed[-1] != [1],
        f"members 1, 2, 3; the connections of 2 and 3 end, no answer has come yet: proposed are {proposed}{then}",
    )


def _stored(bench: Bench, proposed: list[frozenset[int]]) -> list[int]:
    """What the controller has of the set [1, 2, 3] after these proposals of broker 1.

    Each has the numbers of the moment when it is sent, as in `ReplicasManager.doReportSyncStateSetChanged`. All brokers
    are heard."""
    state = controller_state(1, 1, _THREE, 1)
    for members in proposed:
        assert state.in_sync is not None
        numbers = state.in_sync.master_epoch, members, state.in_sync.sync_state_set_epoch
        request = messages.AlterSyncStateSetRequest("broker-a", 1, *numbers)
        state = bench.manager.ask(state, request, alive(1, 2, 3), False)[1]
    assert state.in_sync is not None
    return sorted(state.in_sync.sync_state_set)


def epoch_is_cut_and_forgotten(bench: Bench) -> Seen:
    with bench.store() as source:
        source.become_master(1, frozenset({1}))
        source.put()
        end = source.end
        log = source.bytes_of(0, end)
    first, second = EpochEntry(1, 0), EpochEntry(2, end)
    with bench.store() as store, ScriptedMaster(store) as master:
        store.follow(master.port, 2)
        master.accept()
        master.send(
            HandshakeReply(2, end, 2, (first, second)), Transfer(0, end, first, end, log), Transfer(end, 0, second, end)
        )
        bench.until(lambda: store.entries == [first, second] and store.behind == 0 < store.dispatched, "both epochs")
        master.close()
        bench.until(store.reconnects, "the end of the connection")
        master.accept()
        master.send(HandshakeReply(2, end, 2, (first, second)), Transfer(end, 0, second, end))
        master.send(Transfer(end, 0, second, end - 1))
        bench.until(lambda: store.confirmed == end - 1, "the last header")
        entries = [tuple(each) for each in store.entries]
    return Seen(
        entries != [tuple(first), tuple(second)],
        f"the master's epochs are 1 from 0 and 2 from {end}, where the log ends; a slave that connected twice has "
        f"{entries}",
    )


REPORTED = (
    Schedule(
        "#5663",
        "the set that acknowledges is the old one until the answer comes",
        "propose, put",
        expanded_while_the_answer_is_lost,
        "AckSet",
    ),
    Schedule(
        "#6662",
        "a member without connection does not hold the confirmOffset back",
        "members 1, 2, 3, connect 2, put",
        a_member_without_connection,
        "ConfirmWith",
    ),
    Schedule(
        "#6728",
        "a new connection sets the confirmOffset to -1",
        "connect 2 anew",
        a_connection_without_ack,
        "ConfirmWith",
    ),
    Schedule(
        "#6609",
        "a restart dispatches what is not confirmed",
        "put twice, ack one, restart",
        dispatched_after_a_restart,
        "ConfirmAfterRestart",
    ),
    Schedule(
        "#6665",
        "incomplete messages are looked for at the wrong place",
        "append, confirm, truncateInvalidMsg",
        cut_from_the_wrong_place,
    ),
    Schedule("#6306", "an unexpected state keeps a thread busy for ever", "send state 0", unexpected_state),
    Schedule("#7219", "shrinking the set raises an error", "shrink", shrink_raises, "ShrinkCheckEnds"),
    Schedule(
        "#7441",
        "a confirmOffset of 0 counts as none",
        "empty master, put",
        confirmed_zero_is_computed_anew,
        "ReadLimit",
    ),
    Schedule(
        "#7689",
        "a queue offset is given to two messages",
        "put twice, ack one, restart as master, put",
        queue_offset_is_given_twice,
    ),
    Schedule(
        "#9897",
        "two connections that end together: the second proposal takes the first one back",
        "end both",
        two_connections_end_together,
        "SentAtOnce",
    ),
    Schedule(
        "F-49",
        "a slave that connects again loses the newest epoch from its file (#9942)",
        "connect, end, connect",
        epoch_is_cut_and_forgotten,
        "EpochFileAfterHandshake",
    ),
)
