"""On `DefaultMessageStore`, `AutoSwitchHAService`, `AutoSwitchHAConnection`, `GroupTransferService`, with slaves whose
bytes are in our hands."""

from __future__ import annotations

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR, begin, copied, in_sync
from rmqproof.rocketmq.scripted_ha import ScriptedSlave


def acknowledged_alone_after_a_broken_connection(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        begin(store, PAIR)
        with ScriptedSlave(store, 2) as slave:
            in_sync(bench, store, slave)
        bench.until(lambda: not store.connections, "the end of the connection")
        status, asked = store.put(), sorted(store.asked)
    state = controller_state(1, 1, PAIR, 1)  # the controller has heard nothing of it
    request = messages.ElectMasterRequest("DefaultCluster", "broker-a", -1)
    answer, _ = bench.manager.ask(state, request, alive(2), False)
    lost = status == "PUT_OK" and answer.header.get("MasterBrokerId") == 2
    return Seen(
        lost,
        f"the slave's connection ends, the controller is not reached; a put asks {asked} and gets {status}; "
        f"the master dies, elected is broker {answer.header.get('MasterBrokerId')}, which has not got it",
    )


def connections_are_counted(bench: Bench) -> Seen:
    with bench.store(slaveTimeout=20_000, **ALL_ACK) as store:
        begin(store, frozenset({1, 2, 3}))
        with ScriptedSlave(store, 2) as one, ScriptedSlave(store, 2) as other:
            for slave in (one, other):
                copied(store, slave)
            bench.until(lambda: len(list(store.ha.getConnectionList())) == 2, "both connections")
            future = store.begin_put()
            for slave in (one, other):
                packet = slave.transfer()
                slave.acknowledge(packet.offset + len(packet.body))
            status = store.status_of(future)
    return Seen(
        status == "PUT_OK",
        f"members 1, 2, 3; broker 2 is connected twice, as after a half-open connection, 3 is not: a put gets {status}",
    )


def acks_of_an_earlier_reign(bench: Bench) -> Seen:
    with bench.store(slaveTimeout=20_000, inSyncReplicas=3) as store:
        store.become_master(1, frozenset({1, 2, 3}))
        with ScriptedSlave(store, 3) as silent:
            with ScriptedSlave(store, 2) as elected:
                for slave in (silent, elected):
                    slave.handshake()
                    slave.acknowledge(0)
                future = store.begin_put()
                packet = silent.transfer()
                silent.acknowledge(packet.offset + len(packet.body))
                bench.until(lambda: store.connections.get(3) == store.end, "the ack of 3")
            bench.until(lambda: 2 not in store.connections, "the end of 2's connection")
            elect_again = getattr(store.ha, "changeToMasterWhenLastRoleIsMaster", store.ha.changeToMaster)
            elect_again(3)
            with ScriptedSlave(store, 2) as follower:
                copied(store, follower)
                status = store.status_of(future)
    return Seen(
        status == "PUT_OK",
        "inSyncReplicas=3; in epoch 1 broker 3 acknowledges a put and is not heard of again, as when it follows "
        "broker 2 in epoch 2 and cuts it, while its connection stays open; master again in epoch 3, broker 2 "
        f"acknowledges: the put gets {status}",
    )


def older_connection_ends(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        begin(store, PAIR)

        def acks() -> list[int]:
            return [int(each.getSlaveAckOffset()) for each in store.ha.getConnectionList().toArray()]

        with ScriptedSlave(store, 2) as new:
            with ScriptedSlave(store, 2) as old:
                for slave in (old, new):
                    copied(store, slave)
                bench.until(lambda: acks() == [store.end, store.end], "both acks")
                store.begin_put()
                packet = new.transfer()
                new.acknowledge(packet.offset + len(packet.body))
                bench.until(lambda: store.end in acks(), "the newer one's ack")
                confirmed, known = int(store.ha.computeConfirmOffset()), sorted(acks())
            bench.until(lambda: len(acks()) == 1 and bool(store.proposed), "the end of the older one")
            proposed, asked, status = sorted(store.proposed[-1]), sorted(store.asked), store.put()
            assert store.connections.keys() == {2}, "broker 2 is connected"
    return Seen(
        2 not in proposed,
        f"member 2 is connected twice and has acknowledged {known}: computeConfirmOffset says {confirmed}; the "
        f"older connection ends: {proposed} is proposed, a put that broker 2 has not copied yet asks {asked} and gets "
        f"{status}",
    )


def old_label_in_a_new_epoch(bench: Bench) -> Seen:
    with bench.store() as store:
        store.become_master(1, PAIR)
        store.put()
        with ScriptedSlave(store, 2) as slave:
            in_sync(bench, store, slave)
            store.ha.changeToMasterWhenLastRoleIsMaster(2)
            start = store.end
            store.put()
            packet = slave.transfer()
            assert packet.entry is not None and packet.offset == start
            label = packet.entry.epoch
    return Seen(label == 1, f"the master goes from epoch 1 to 2; the bytes of epoch 2 carry label {label}")


def label_of_the_next_epoch(bench: Bench) -> Seen:
    with bench.store() as store:
        store.become_master(1, PAIR)
        store.put()
        boundary = store.end
        store.become_master(2, PAIR)
        store.put()
        with ScriptedSlave(store, 2) as slave:
            slave.handshake()
            slave.acknowledge(0)
            packet = slave.transfer()
            assert packet.entry is not None
            label, end = packet.entry.epoch, packet.offset + len(packet.body)
    return Seen(
        label == 2 and end == boundary,
        f"epoch 1 is from 0 to {boundary}; a batch from {packet.offset} to {end} carries label {label}",
    )


def same_epoch_is_labelled_anew(bench: Bench) -> Seen:
    with bench.store() as store:
        store.become_master(1, PAIR)
        store.put()
        store.become_master(1, PAIR)
        entries = [(int(each.getEpoch()), int(each.getStartOffset())) for each in store.ha.getEpochEntries()]
        end = store.end
    return Seen(
        entries != [(1, 0)], f"master of epoch 1 twice, with {end} bytes between: its file says epoch-start {entries}"
    )


def entry_at_the_same_offset(bench: Bench) -> Seen:
    with bench.store() as store:
        store.become_master(1, PAIR)
        obeyed = store.become_master(2, PAIR)
        entries = [(int(each.getEpoch()), int(each.getStartOffset())) for each in store.ha.getEpochEntries()]
    return Seen(
        obeyed and entries == [(1, 0)],
        f"epochs 1 and 2 begin at offset 0: changeToMaster(2) says {obeyed}, the file says {entries}",
    )


def fresh_connection_is_skipped(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        begin(store, PAIR)
        with ScriptedSlave(store, 2) as slave:
            slave.handshake()
            bench.until(lambda: 2 in store.connections, "the handshake")
            confirmed = int(store.ha.computeConfirmOffset())
            acked, end = store.connections[2], store.end
    return Seen(
        confirmed == end and acked <= 0,
        f"member 2 has acknowledged {acked}; computeConfirmOffset says {confirmed} of {end}",
    )


def confirm_offset_moves_back(bench: Bench) -> Seen:
    with bench.store(**ALL_ACK) as store:
        store.become_master(1, frozenset({1}))
        store.put()
        first = store.end
        store.put()
        before = int(store.store.getConfirmOffset())
        with ScriptedSlave(store, 2) as slave:
            slave.handshake()
            slave.acknowledge(first)
            bench.until(lambda: store.connections.get(2) == first, "the ack")
            store.learn(PAIR)
            after = int(store.store.getConfirmOffset())
    return Seen(after < before, f"the set grows from [1] to [1, 2]: the confirmOffset goes from {before} to {after}")


def minimum_is_asked_before_only(bench: Bench) -> Seen:
    with bench.store(minInSyncReplicas=2, slaveTimeout=20_000, **ALL_ACK) as store:
        store.become_master(1, PAIR)
        with ScriptedSlave(store, 2) as slave:
            slave.handshake()
            bench.until(lambda: 2 in store.connections, "the handshake")
            future = store.begin_put()
            store.learn(frozenset({1}))
            status = store.status_of(future)
    return Seen(
        status == "PUT_OK",
        f"minInSyncReplicas=2; while a put waits the set shrinks to [1]: it gets {status}, with one copy",
    )


def handshake_in_two_parts(bench: Bench) -> Seen:
    with bench.store() as store:
        store.become_master(1, PAIR)
        store.put()
        with ScriptedSlave(store, 2) as slave:
            slave.send(slave.greeting()[:12])
            bench.until(lambda: bool(store.ha.getConnectionList()), "the connection")
            try:
                slave.packet()  # the master answers before the packet is whole
            except (TimeoutError, ConnectionError):
                return Seen(False, "the master waits for the rest of the handshake, or closes the connection")
            known = list(store.connections)
    return Seen(known != [2], f"12 of the 16 bytes of broker 2's handshake are there: the master answers slave {known}")


REPLICATION = (
    Schedule(
        "InsufficientRemoval",
        "a broken connection shrinks the set that acknowledges before the controller agrees",
        "connect, break, put, elect",
        acknowledged_alone_after_a_broken_connection,
        "AckSet",
    ),
    Schedule(
        "#9689",
        "bytes of a new epoch carry the old label",
        "epoch 1, epoch 2, put",
        old_label_in_a_new_epoch,
        "NextBatch",
    ),
    Schedule(
        "F-20",
        "an epoch that begins where the last one does is refused",
        "master twice",
        entry_at_the_same_offset,
        "EpochFileAtPromotion",
    ),
    Schedule("F-11", "a handshake that is read in two parts", "12 bytes", handshake_in_two_parts),
    Schedule(
        "F-12", "a cut batch carries the next epoch's label", "two epochs, copy", label_of_the_next_epoch, "NextBatch"
    ),
    Schedule("F-14", "the confirmOffset moves back", "grow the set", confirm_offset_moves_back, "ConfirmWith"),
    Schedule(
        "F-16", "connections are counted, not replicas", "connect 2 twice, put", connections_are_counted, "Holders"
    ),
    Schedule(
        "F-79",
        "acknowledgements of an earlier reign are counted",
        "3 acknowledges, elected again, 2 acknowledges",
        acks_of_an_earlier_reign,
        "TakeMastership",
    ),
    Schedule(
        "F-77",
        "the end of an older connection takes out a slave that has come back",
        "connect 2 twice, end the older one",
        older_connection_ends,
    ),
    Schedule(
        "F-17",
        "minInSyncReplicas is asked before the append only",
        "put, shrink",
        minimum_is_asked_before_only,
        "MayAcknowledge",
    ),
    Schedule(
        "F-18",
        "a fresh connection is skipped by the confirmOffset",
        "connect",
        fresh_connection_is_skipped,
        "ConfirmWith",
    ),
    Schedule(
        "F-19",
        "the same epoch is labelled anew",
        "master of 1 twice",
        same_epoch_is_labelled_anew,
        "EpochFileAtPromotion",
    ),
)
