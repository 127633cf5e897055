"""What several schedules begin with: a master with messages, and slaves that have copied them."""

from __future__ import annotations

from rmqproof.rocketmq.message_store import MessageStore
from rmqproof.rocketmq.schedules.bench import Bench
from rmqproof.rocketmq.scripted_ha import ScriptedSlave

PAIR = frozenset({1, 2})
ALL_ACK = {"allAckInSyncStateSet": True}


def begin(store: MessageStore, members: frozenset[int]) -> None:
    """Master of epoch 1 with a message; then the set has these members."""
    store.become_master(1, frozenset({1}))
    store.put()
    store.learn(members)


def copied(store: MessageStore, slave: ScriptedSlave) -> None:
    """The slave copies all there is, and acknowledges it."""
    slave.handshake()
    slave.acknowledge(0)
    end = 0
    while end < store.end:
        packet = slave.transfer()
        end = packet.offset + len(packet.body)
    slave.acknowledge(end)


def in_sync(bench: Bench, store: MessageStore, slave: ScriptedSlave) -> None:
    """The slave has copied all there is, and the master knows it."""
    copied(store, slave)
    bench.until(lambda: store.connections.get(slave.broker_id) == store.end, "the slave's ack")
