"""The HA stream as RocketMQ has it: what its peers get and send."""

from __future__ import annotations

from rmqproof.impl.core.replication_messages import (
    Acknowledge,
    EpochEntry,
    Handshake,
    HandshakeReply,
    RequestTransfer,
    Transfer,
)
from rmqproof.impl.wire.ha import NO_EPOCH, encode_to_master, from_slave
from rmqproof.impl.wire.rocketmq_ha import MastersEnd, SlavesEnd

ENTRY = EpochEntry(2, 100)


def test_a_slave_says_what_rocketmqs_says() -> None:
    end = SlavesEnd()
    assert end.reported == b""
    assert end.encoded(Handshake(7, 3)).hex() == "00000001000000000000000000000007"
    assert end.encoded(RequestTransfer(100)).hex() == "000000020000000000000064", "a report, not the state 0"
    assert end.encoded(Acknowledge(200)) == end.reported == encode_to_master(Acknowledge(200))


def test_the_first_report_asks_for_bytes() -> None:
    end, decoder = MastersEnd(), from_slave()
    greeting, report = decoder.feed(
        encode_to_master(Handshake(7, 3), with_epoch=False) + encode_to_master(Acknowledge(5))
    )
    assert end.received(greeting) == (Handshake(7, NO_EPOCH),)
    assert end.received(report) == (RequestTransfer(5), Acknowledge(5))
    assert end.received(Acknowledge(9)) == (Acknowledge(9),)


def test_a_slave_of_ours_asks_itself() -> None:
    end = MastersEnd()
    assert end.received(Handshake(7, 3)) == (Handshake(7, 3),)
    assert end.received(Acknowledge(5)) == (Acknowledge(5),)
    alone = Transfer(100, 0, None, 90)
    assert end.sent(alone) == alone


def test_a_header_alone_repeats_the_entry() -> None:
    """A slave of RocketMQ would append an entry of epoch -1 to its file."""
    end = MastersEnd(plain=True)
    reply = HandshakeReply(2, 100, 2, (ENTRY,))
    assert end.sent(reply) == reply
    assert end.sent(Transfer(100, 0, None, 90)) is None
    batch = Transfer(100, 50, ENTRY, 90)
    assert end.sent(batch) == batch
    assert end.sent(Transfer(150, 0, None, 150)) == Transfer(150, 0, ENTRY, 150)
