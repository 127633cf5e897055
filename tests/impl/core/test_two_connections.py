"""Two connections of one slave: it has come back, and the master has not noticed that the older one is dead.

As shipped they are held to what releases did: 103 bytes a message there, 158 here (`rmqproof rocketmq schedules 5.5.0
--only F-16 --only F-77`).
"""

from __future__ import annotations

from typing import Any

import pytest

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.readings import SHIPPED_BROKER, broker_rules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import Event, FollowUp
from rmqproof.impl.core.replication_messages import Acknowledge
from tests.impl.core.brokers import MESSAGE, connect, copy_all, pair, put

ONE, TWO = len(MESSAGE), 2 * len(MESSAGE)
SHIPPED = broker_rules(SHIPPED_BROKER)


def twice(**config: Any) -> Broker:
    """The master: slave 2 has the first message by connection 0 and, come back as connection 1, both."""
    master, slave = pair({1, 2}, **config)
    put(master)
    copy_all(slave, master, MESSAGE)
    slave.step(inputs.MasterDisconnected())
    assert connect(slave, master, 1)
    put(master)
    copy_all(slave, master, 2 * MESSAGE, 1)
    master.step(inputs.FromSlave(1, Acknowledge(TWO)))
    return master


def test_the_older_one_holds_the_confirm_offset_back_as_shipped() -> None:
    """`AutoSwitchHAService.computeConfirmOffset`: the minimum over all connections."""
    master = twice(rules=SHIPPED)
    assert [(c.slave_id, c.ack) for c in master.connections.values()] == [(2, ONE), (2, TWO)]
    assert (master.log_end, master.confirm_offset) == (TWO, ONE)
    master.step(inputs.SlaveDisconnected(0))
    assert master.confirm_offset == ONE, "an end of a connection computes nothing"
    master.step(inputs.Put(TWO, MESSAGE))
    master.step(inputs.FromSlave(1, Acknowledge(TWO + ONE)))
    assert master.confirm_offset == TWO + ONE


def test_the_newer_one_counts_where_it_is_behind_as_shipped() -> None:
    """The order of the connections says nothing: the slave that has come back has less than before."""
    master, slave = pair({1, 2}, rules=SHIPPED)
    put(master, 2)
    copy_all(slave, master, 2 * MESSAGE)
    assert master.confirm_offset == TWO
    slave.step(inputs.MasterDisconnected())
    assert connect(slave, master, 1)
    assert master.confirm_offset == TWO, "one that has not acknowledged is passed over"
    master.step(inputs.FromSlave(1, Acknowledge(ONE)))
    assert master.confirm_offset == ONE


def test_only_the_newest_counts_repaired() -> None:
    master = twice()
    assert [(c.slave_id, c.ack) for c in master.connections.values()] == [(2, TWO)]
    assert (master.confirm_offset, master.step(inputs.SlaveDisconnected(0))) == (TWO, [])


@pytest.mark.parametrize("shipped", [True, False])
def test_f77_the_end_of_the_older_one_takes_the_slave_out_as_shipped(shipped: bool) -> None:
    """`AutoSwitchHAService.removeConnection` does not ask whether the slave has another one."""
    master = twice(rules=SHIPPED) if shipped else twice()
    outputs = master.step(inputs.SlaveDisconnected(0))
    assert (FollowUp(inputs.ShrinkSyncStateSet(2)) in outputs) is shipped
    assert not [o for o in outputs if isinstance(o, Event)], "the slave has not left"
    last = master.step(inputs.SlaveDisconnected(1))
    assert FollowUp(inputs.ShrinkSyncStateSet(2)) in last
    assert Event("MasterNoticesLostConnection", (1, 2)) in last
