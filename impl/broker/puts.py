"""Producers and consumers at a broker (`CommitLog.asyncPutMessage`, `GroupTransferService`)."""

from __future__ import annotations

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.parts import WaitingPut
from rmqproof.impl.broker.rules import BrokerState
from rmqproof.impl.core.broker_inputs import CheckWaitingPuts, LogFlushed, Put, PutTimedOut, Read, ReportOffset
from rmqproof.impl.core.broker_outputs import Event, FollowUp, PutAnswer, ReadAnswer
from rmqproof.impl.core.codes import ConnectionState, PutStatus


def put(broker: BrokerState, given: Put) -> None:
    """Append, and wait for the copies. The checks are part of the append: no demotion in between (hazard F-37)."""
    refusal = broker.rules.may_append(broker, given.admitted)
    if refusal is not None:
        broker.emit(PutAnswer(given.token, refusal))
        return
    offset = broker.log_end
    broker.append(given.body)
    broker.waiting = (*broker.waiting, WaitingPut(given.token, offset, broker.log_end))
    broker.emit(Event("AppendPut", (broker.id,)))
    broker.emit(FollowUp(CheckWaitingPuts(given.token)))


def check_waiting(broker: BrokerState, given: CheckWaitingPuts) -> None:
    """Answer the producers whose message has copies enough."""
    for waiting in broker.waiting:
        asked = given.token is None or waiting.token == given.token
        if (
            asked
            and waiting.next_offset <= broker.log_end
            and broker.rules.may_acknowledge(broker, waiting.next_offset)
        ):
            broker.waiting = tuple(other for other in broker.waiting if other != waiting)
            broker.emit(Event("AcknowledgePut", (broker.id, waiting.token)))
            broker.emit(PutAnswer(waiting.token, PutStatus.PUT_OK, waiting.offset))


def timed_out(broker: BrokerState, given: PutTimedOut) -> None:
    """The producer is told that it is not known how many copies there are; the message stays in the log."""
    for waiting in broker.waiting:
        if waiting.token == given.token:
            broker.waiting = tuple(other for other in broker.waiting if other != waiting)
            broker.emit(PutAnswer(waiting.token, PutStatus.FLUSH_SLAVE_TIMEOUT, waiting.offset))


def read(broker: BrokerState, _: Read) -> None:
    served = broker.role is not Role.FENCED
    broker.emit(ReadAnswer(min(broker.rules.read_limit(broker), broker.log_end) if served else None))


def on_flushed(broker: BrokerState, given: LogFlushed) -> None:
    """Flushed bytes count as a copy, so the confirmOffset may move, producers may be answered, a slave may report."""
    if given.offset <= broker.flushed:
        return
    broker.flushed = min(given.offset, broker.log_end)
    broker.set_confirm_offset(broker.rules.confirm_after_flush(broker))
    broker.emit(Event("BytesAreFlushed", (broker.id,)))
    if broker.waiting:
        broker.emit(FollowUp(CheckWaitingPuts()))
    if broker.client_state is ConnectionState.TRANSFER:
        broker.emit(FollowUp(ReportOffset()))
