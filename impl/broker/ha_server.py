"""The master's end of replication (`AutoSwitchHAConnection`): handshake, transfer, acknowledgement."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.epoch_file import last_epoch
from rmqproof.impl.broker.parts import HaConnection
from rmqproof.impl.broker.rules import BrokerState
from rmqproof.impl.core.broker_inputs import (
    CheckWaitingPuts,
    ExpandSyncStateSet,
    FromSlave,
    SendBatch,
    SendConfirmOffset,
    ShrinkSyncStateSet,
    SlaveConnected,
    SlaveDisconnected,
)
from rmqproof.impl.core.broker_outputs import CloseConnection, Event, FollowUp, SendToSlave
from rmqproof.impl.core.replication_messages import (
    Acknowledge,
    Handshake,
    HandshakeReply,
    RequestTransfer,
    Transfer,
)


def on_connected(broker: BrokerState, given: SlaveConnected) -> None:
    broker.connections = {**broker.connections, given.connection: HaConnection()}


def on_disconnected(broker: BrokerState, given: SlaveDisconnected) -> None:
    """A slave's connection ended (`removeConnection`). As shipped a member leaves also when an older one of its
    connections ends (hazard F-77)."""
    gone = broker.connections.get(given.connection)
    if gone is None:
        return
    broker.connections = {number: c for number, c in broker.connections.items() if number != given.connection}
    if gone.slave_id < 0:
        return
    left = broker.connection_of(gone.slave_id) is None
    if left:
        broker.emit(Event("MasterNoticesLostConnection", (broker.id, gone.slave_id)))
    if gone.slave_id in broker.sync_state_set and (left or broker.rules.older_connections_count):
        broker.emit(FollowUp(ShrinkSyncStateSet(gone.slave_id)))


def on_packet(broker: BrokerState, given: FromSlave) -> None:
    connection = broker.connections.get(given.connection)
    if connection is None:
        return
    match given.packet:
        case Handshake():
            _handshake(broker, given.connection, connection, given.packet)
        case RequestTransfer():
            _put(broker, given.connection, replace(connection, next_offset=given.packet.offset))
        case Acknowledge():
            _acknowledge(broker, given.connection, connection, given.packet.offset)


def _put(broker: BrokerState, number: int, connection: HaConnection) -> None:
    broker.connections = {**broker.connections, number: connection}


def _close(broker: BrokerState, number: int) -> None:
    broker.connections = {other: c for other, c in broker.connections.items() if other != number}
    broker.emit(CloseConnection(number))


def _handshake(broker: BrokerState, number: int, connection: HaConnection, packet: Handshake) -> None:
    """Show the epoch file to a slave that knows the same epoch. Of a slave only the newest connection counts."""
    if not broker.rules.handshake_allowed(broker, True, packet.master_epoch):
        _close(broker, number)
        return
    if not broker.rules.older_connections_count:
        for other, known in broker.connections.items():
            if known.slave_id == packet.slave_broker_id and other != number:
                _close(broker, other)
    _put(
        broker, number, replace(connection, slave_id=packet.slave_broker_id, async_learner=packet.async_learner, ack=-1)
    )
    reply = HandshakeReply(broker.master_epoch, broker.log_end, last_epoch(broker.epoch_file), broker.epoch_file)
    broker.emit(SendToSlave(number, reply))


def _acknowledge(broker: BrokerState, number: int, connection: HaConnection, offset: int) -> None:
    """A slave holds the log up to an offset. One behind the own log end is a lie (hazard F-13)."""
    slave = connection.slave_id
    if slave < 0 or (offset > broker.log_end and not broker.rules.acks_beyond_log_accepted):
        _close(broker, number)
        return
    if offset <= connection.ack:
        return
    _put(broker, number, replace(connection, ack=offset))
    if broker.rules.ack_moves_confirm(broker, slave):
        broker.set_confirm_offset(broker.rules.confirm_with(broker, broker.sync_state_set, broker.union, broker.acks()))
    broker.emit(Event("MasterReceivesAck", (slave,)))
    if broker.role is Role.MASTER and slave not in broker.union:
        broker.emit(FollowUp(ExpandSyncStateSet(slave)))
    if broker.waiting:
        broker.emit(FollowUp(CheckWaitingPuts()))


def send_batch(broker: BrokerState, given: SendBatch) -> None:
    """Send the next bytes, or a header that brings a new epoch without bytes (`transferToSlave`)."""
    connection = broker.connections.get(given.connection)
    if connection is None or not 0 <= connection.next_offset <= broker.log_end:
        return
    batch = broker.rules.next_batch(broker, connection, given.boundary)
    if batch.size == 0 and (batch.entry is None or batch.entry.epoch == connection.last_label):
        return
    more = connection.next_offset < broker.log_end  # an empty batch with which an epoch begins counts, too
    packet = Transfer(connection.next_offset, batch.size, batch.entry, broker.rules.read_limit(broker))
    _put(
        broker,
        given.connection,
        replace(
            connection,
            next_offset=connection.next_offset + batch.size,
            last_label=batch.entry.epoch if batch.entry is not None else connection.last_label,
            transfer_epoch=batch.transfer_epoch,
            transfer_end=batch.transfer_end,
            master_end=broker.rules.master_end_at_transfer(broker) if more else connection.master_end,
        ),
    )
    broker.emit(SendToSlave(given.connection, packet))


def send_confirm_offset(broker: BrokerState, given: SendConfirmOffset) -> None:
    connection = broker.connections.get(given.connection)
    if connection is not None and connection.next_offset >= 0:
        packet = Transfer(connection.next_offset, 0, None, broker.rules.read_limit(broker))
        broker.emit(SendToSlave(given.connection, packet))
