"""The slave's end of replication (`AutoSwitchHAClient`): connect, cut the log, copy, acknowledge."""

from __future__ import annotations

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.epoch_file import NO_POINT
from rmqproof.impl.broker.rules import BrokerState
from rmqproof.impl.core.broker_inputs import (
    ConnectToMaster,
    FromMaster,
    MasterConnected,
    MasterDisconnected,
    ReportOffset,
)
from rmqproof.impl.core.broker_outputs import ConnectHa, DisconnectHa, Event, FollowUp, SendToMaster
from rmqproof.impl.core.codes import ConnectionState
from rmqproof.impl.core.replication_messages import Acknowledge, Handshake, HandshakeReply, RequestTransfer, Transfer
from rmqproof.impl.core.writes import FlushLog


def connect(broker: BrokerState, _: ConnectToMaster) -> None:
    if broker.role is Role.SLAVE and broker.master_id is not None and broker.client_state is ConnectionState.READY:
        broker.emit(ConnectHa(broker.master_id, broker.master_address))


def on_connected(broker: BrokerState, _: MasterConnected) -> None:
    if broker.role is not Role.SLAVE or broker.client_state is not ConnectionState.READY:
        broker.emit(DisconnectHa())
        return
    broker.client_state = ConnectionState.HANDSHAKE
    handshake = Handshake(broker.id, broker.master_epoch, async_learner=broker.config.async_learner)
    broker.emit(SendToMaster(handshake))


def on_disconnected(broker: BrokerState, _: MasterDisconnected) -> None:
    broker.client_state, broker.reported_offset = ConnectionState.READY, -1


def _disconnect(broker: BrokerState) -> None:
    broker.client_state, broker.reported_offset = ConnectionState.READY, -1
    broker.emit(DisconnectHa())


def on_packet(broker: BrokerState, given: FromMaster) -> None:
    """A packet that does not belong to the state of the connection ends it."""
    match given.packet, broker.client_state:
        case HandshakeReply() as reply, ConnectionState.HANDSHAKE:
            _truncate(broker, reply)
        case Transfer() as packet, ConnectionState.TRANSFER:
            _receive(broker, packet)
        case _, ConnectionState.READY:
            pass
        case _:
            _disconnect(broker)


def _truncate(broker: BrokerState, reply: HandshakeReply) -> None:
    """Cut the log to where it agrees with the master's, and take over the master's epochs up to there (`doTruncate`).

    The log is cut first: after a crash in between, recovery cuts the epoch file to the log.
    """
    rules = broker.rules
    if not rules.handshake_allowed(broker, False, reply.master_epoch):
        _disconnect(broker)
        return
    point = rules.truncation_point(broker.epoch_file, broker.log_end, reply.entries, reply.max_offset)
    if point == NO_POINT:
        _disconnect(broker)
        return
    first_ack = rules.first_ack(point, broker.log_end)
    broker.truncate(point, rules.erased_when_truncated)
    broker.write_epoch_file(rules.epoch_file_after_handshake(broker.epoch_file, reply.entries, point))
    broker.client_state, broker.reported_offset = ConnectionState.TRANSFER, first_ack
    broker.emit(Event("SlaveConnectsAndTruncates", (broker.id,)))
    broker.emit(SendToMaster(RequestTransfer(broker.log_end)))
    if first_ack >= 0:
        broker.emit(SendToMaster(Acknowledge(first_ack)))
    if broker.flushed < broker.log_end:
        broker.emit(FlushLog(broker.log_end))
    broker.emit(FollowUp(ReportOffset()))


def _receive(broker: BrokerState, packet: Transfer) -> None:
    """The header's epoch is recorded before its bytes; the confirmOffset comes last, as far as the log reaches."""
    if packet.offset != broker.log_end:
        if broker.log_end or not broker.rules.empty_log_takes_any_offset:
            _disconnect(broker)
            return
        if packet.body:  # the log begins there
            broker.log_end = broker.flushed = packet.offset
    before = broker.confirm_offset
    labelled = packet.entry is not None and broker.write_epoch_file(
        broker.rules.epoch_file_on_header(broker.epoch_file, packet.entry)
    )
    if packet.body:
        broker.append(packet.body)
    if broker.config.keep_confirm_offset:
        confirm = broker.rules.confirm_on_slave(packet.confirm_offset, broker.log_end, broker.confirm_offset)
        broker.set_confirm_offset(confirm)
    else:
        broker.set_confirm_offset(0)
    if packet.body or labelled:
        broker.emit(Event("SlaveAppendsBatch", (broker.id,)))
        broker.emit(FollowUp(ReportOffset()))
    elif broker.confirm_offset != before:
        broker.emit(Event("SlaveLearnsConfirmOffset", (broker.id,)))


def report(broker: BrokerState, _: ReportOffset) -> None:
    """Acknowledge what counts as a copy, if the master does not know it (`reportSlaveMaxOffset`)."""
    durable = broker.rules.durable_end(broker)
    if broker.client_state is ConnectionState.TRANSFER and durable > broker.reported_offset:
        broker.reported_offset = durable
        broker.emit(SendToMaster(Acknowledge(durable)))
