"""What brokers make of their epoch entries after a restart, in a handshake, and when a role ends: on real stores, and
with the other end of the HA stream in our hands."""

from __future__ import annotations

import threading
from pathlib import Path

from rmqproof.impl.core.replication_messages import EpochEntry, HandshakeReply, Transfer
from rmqproof.rocketmq.java_fields import field_of
from rmqproof.rocketmq.message_store import MessageStore
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR
from rmqproof.rocketmq.scripted_ha import ScriptedMaster, ScriptedSlave

_ALONE = frozenset({1})
_OFTEN = {**ALL_ACK, "haSendHeartbeatInterval": 100}  # a slave without news reports when it is time for a heartbeat


def _two_epochs(store: MessageStore, last_waits: bool = False) -> int:
    """Two messages in epoch 1 and one in epoch 2; where the first message ends."""
    store.become_master(1, _ALONE)
    store.put()
    first = store.end
    store.put()
    store.become_master(2, _ALONE)
    if last_waits:
        store.learn(PAIR)
        store.begin_put()
    else:
        store.put()
    return first


def _lost_from(store: MessageStore, left: int) -> MessageStore:
    """The machine crashed: what the log had from `left` on was not on the disk. Use as a context."""
    restarted = store.again(clean=False)
    for file in sorted((store.folder / "commitlog").iterdir()):
        start = max(left - int(file.name), 0)
        with file.open("r+b") as stream:
            stream.seek(start)
            stream.write(bytes(file.stat().st_size - start))
    return restarted


def recovery_keeps_entries(bench: Bench) -> Seen:
    with bench.store() as store:
        first = _two_epochs(store)
        with _lost_from(store, first) as restarted:
            end, entries = restarted.end, restarted.entries
    return Seen(
        entries[-1][1] > end,
        f"a machine crash leaves {end} bytes of the log; after the restart the epochs and their starts are {entries}",
    )


def reported_beyond_the_log(bench: Bench) -> Seen:
    with bench.store(1, slaveTimeout=20_000, **_OFTEN) as one, bench.store(2, **_OFTEN) as two:
        first = _two_epochs(two)
        _two_epochs(one, last_waits=True)
        future = one.begin_put()
        with _lost_from(two, first) as slave:
            slave.follow(one.port, 2)
            bench.until(lambda: one.connections.get(2, -1) >= 0, "the slave's report")
            reported, has = one.connections[2], slave.end
            status = one.status_of(future) if reported >= one.end else "no answer"
    return Seen(
        reported > has,
        f"a slave whose machine crashed has {has} bytes of its log and its epoch file whole: it reports {reported} of "
        f"the master's {one.end}; a put that waits for it gets {status}",
    )


def unreadable_file(bench: Bench) -> Seen:
    with bench.store(1, **_OFTEN) as one, bench.store(2, **_OFTEN) as two:
        one.become_master(1, _ALONE)
        one.put(b"message 1")
        one.become_master(2, _ALONE)
        two.become_master(1, _ALONE)
        two.put(b"message 2")
        again = two.again()
        for name in ("epochFileCheckpoint", "epochFileCheckpoint.bak"):
            Path(two.folder, name).write_text("2\n1\n1-0\n", encoding="ascii")  # an entry is missing
        with again as slave:
            read = slave.entries
            one.proposed.clear()
            slave.follow(one.port, 2)
            bench.until(lambda: one.connections.get(2) == one.end, "the slave's report")
            kept = b"message 2" in slave.bytes_of(0, slave.end)
            bench.until(lambda: PAIR in one.proposed, "the proposal")
    return Seen(
        kept and not read,
        f"broker 2 has message 2 where the master has message 1; its epoch file is damaged, its entries are {read}: it "
        f"follows, message 2 is {'still there' if kept else 'cut'}, and it is proposed for the SyncStateSet",
    )


def deposed_master_is_followed(bench: Bench) -> Seen:
    with bench.store(1, slaveTimeout=20_000, **_OFTEN) as old, bench.store(2, **_OFTEN) as slave:
        old.become_master(1, _ALONE)
        old.put()
        slave.follow(old.port, 2)
        bench.until(lambda: old.connections.get(2) == old.end == slave.end, "the slave's report")
        old.learn(PAIR)
        status = old.put()
    return Seen(
        status == "PUT_OK",
        f"broker 2 obeys epoch 2 and comes to the master of epoch 1: its handshake names no epoch, it is served, and a "
        f"put of epoch 1 that waits for it gets {status}",
    )


def no_common_entry(bench: Bench) -> Seen:
    with bench.store(1, **_OFTEN) as one, bench.store(2, **_OFTEN) as two:
        one.become_master(2, _ALONE)
        one.put()
        two.become_master(1, _ALONE)
        two.put()
        two.follow(one.port, 3)
        bench.until(lambda: bool(one.ha.getConnectionList().toArray()), "the connection")

        def over() -> bool:
            return not one.ha.getConnectionList().toArray() or one.connections.get(2, -1) > 0

        bench.until(over, "the end of the handshake")
        refused, entries = one.connections.get(2, -1) <= 0, two.entries
    done = "ends the connection, and will do so each time" if refused else "goes on"
    return Seen(
        refused,
        f"the master has epochs {one.entries}, the slave {entries}: without an entry in common the slave {done}",
    )


def bytes_without_a_header(bench: Bench) -> Seen:
    """A broker that was master serves whoever connects to it also as slave; then its epoch is cut."""
    with bench.store() as store, ScriptedMaster(store) as master:
        store.become_master(1, _ALONE)
        store.put()
        boundary = store.end
        store.become_master(2, _ALONE)
        store.put()
        end = store.end
        log = store.bytes_of(0, end)
        store.follow(master.port, 3)
        master.accept()
        with ScriptedSlave(store, 9) as late:
            late.handshake()
            late.acknowledge(end)
            bench.until(lambda: len(store.ha.getConnectionList().toArray()) == 1, "the connection")
            (connection,) = store.ha.getConnectionList().toArray()
            chosen = field_of(connection, "currentTransferEpoch")
            bench.until(lambda: int(chosen.get(connection)) == 2, "the choice of an epoch")
            first, third = EpochEntry(1, 0), EpochEntry(3, boundary)
            master.send(HandshakeReply(3, end + boundary, 3, (first, third)))
            bench.until(lambda: (2, boundary) not in store.entries or store.end < end, "the cut")
            cut = store.entries
            master.send(Transfer(boundary, len(log), third, boundary, log))
            bench.until(lambda: store.end == boundary + len(log), "the bytes of epoch 3")
            sent = late.receive(4)
    state = int.from_bytes(sent, "big")
    bare = sent == log[end - boundary : end - boundary + 4]
    return Seen(
        bare,
        f"a connection is at {end} in epoch 2 when its broker, a slave now, cuts epoch 2 (left is {cut}) and copies "
        f"more: what is sent next begins with {'the bytes of a message' if bare else f'a header of state {state}'}",
    )


def entry_at_the_end_is_cut(bench: Bench) -> Seen:
    """What is dispatched stands still, as when a promotion comes before the dispatch of the last batch."""
    with bench.store() as store:
        store.become_master(1, _ALONE)
        store.put()
        bench.until(lambda: store.behind == 0, "the dispatch")
        dispatching = field_of(store.store, "reputMessageService").get(store.store)
        dispatching.shutdown()
        store.put()
        store.ha.changeToMasterWhenLastRoleIsMaster(2)
        before, behind = store.entries, store.behind
        waiting = threading.Thread(target=lambda: store.become_master(3, _ALONE), daemon=True)
        waiting.start()  # it waits for the dispatch, after what is asked here
        bench.until(lambda: store.entries[-1][0] == 3, "the entry of epoch 3")
        after = store.entries
        dispatching.setReputFromOffset(store.end)
        waiting.join()
    return Seen(
        before[-1] not in after,
        f"the dispatch is {behind} bytes behind: the entries are {before}, after changeToMaster(3) {after}",
    )


EPOCH_ENTRIES = (
    Schedule("F-8", "an unreadable epoch file is taken for a new replica's", "damage, follow", unreadable_file),
    Schedule("F-10", "recovery does not cut the epoch file", "lose a tail, restart", recovery_keeps_entries),
    Schedule("F-13", "an ack beyond the own log", "lose a tail, follow", reported_beyond_the_log),
    Schedule("F-25", "no epoch in the handshake", "follow a deposed master, put", deposed_master_is_followed),
    Schedule("F-36", "no common epoch entry", "follow", no_common_entry),
    Schedule("F-75", "bytes without a header", "connect, cut the epoch, copy", bytes_without_a_header, "NextBatch"),
    Schedule("F-76", "a promotion drops the entry at the end of the log", "hold the dispatch", entry_at_the_end_is_cut),
)
