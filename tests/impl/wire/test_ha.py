"""The HA stream, byte for byte as RIP-44 and the design texts lay it out; any bytes, in any pieces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmqproof.impl.core.replication_messages import (
    Acknowledge,
    EpochEntry,
    Handshake,
    HandshakeReply,
    RequestTransfer,
    ToMaster,
    ToSlave,
    Transfer,
)
from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.impl.wire.ha import (
    AddressHandshake,
    StreamDecoder,
    encode_to_master,
    encode_to_slave,
    from_master,
    from_slave,
    from_slave_by_address,
)

LONGS = st.integers(-(2**63), 2**63 - 1)
OFFSETS = st.integers(0, 2**63 - 1)
EPOCHS = st.integers(0, 2**31 - 1)
ENTRIES = st.builds(EpochEntry, EPOCHS, OFFSETS)
HANDSHAKES = st.builds(Handshake, LONGS, st.integers(-1, 2**31 - 1), st.booleans(), st.booleans())
ADDRESS_HANDSHAKES = st.builds(AddressHandshake, st.text(max_size=12), st.booleans(), st.booleans())
TO_MASTER = HANDSHAKES | st.builds(RequestTransfer, OFFSETS) | st.builds(Acknowledge, OFFSETS)


@st.composite
def to_slave(draw: st.DrawFn) -> ToSlave:
    if draw(st.booleans()):
        entries = tuple(draw(st.lists(ENTRIES, max_size=4)))
        return HandshakeReply(draw(EPOCHS), draw(LONGS), entries[-1].epoch if entries else -1, entries)
    body = draw(st.binary(max_size=40))
    entry = draw(ENTRIES) if body else draw(ENTRIES | st.none())
    return Transfer(draw(LONGS), len(body), entry, draw(LONGS), body)


def in_pieces(data: st.DataObject, content: bytes) -> Iterable[bytes]:
    while content:
        size = data.draw(st.integers(1, len(content)))
        yield content[:size]
        content = content[size:]


Packet = TypeVar("Packet")


def decoded(decoder: StreamDecoder[Packet], pieces: Iterable[bytes]) -> list[Packet]:
    return [packet for piece in pieces for packet in decoder.feed(piece)]


def test_handshake_by_broker_id() -> None:
    """state(4) + two flags(4) + slaveBrokerId(8)"""
    packet = Handshake(7, -1, sync_from_last_file=True, async_learner=False)
    golden = bytes.fromhex("00000001 0001 0000 0000000000000007")
    assert encode_to_master(packet, with_epoch=False) == golden
    assert list(from_slave().feed(golden)) == [packet]


def test_handshake_with_the_master_epoch() -> None:
    packet = Handshake(7, 3, sync_from_last_file=False, async_learner=True)
    golden = bytes.fromhex("00000001 0100 0001 0000000000000007 00000003")
    assert encode_to_master(packet) == golden
    assert list(from_slave().feed(golden)) == [packet]


def test_handshake_by_address() -> None:
    """state(4) + two flags(4) + slaveAddressLength(4) + slaveAddress(50)"""
    packet = AddressHandshake("10.0.0.1:10912", async_learner=True)
    golden = bytes.fromhex("00000001 0000 0001 0000000e") + b"10.0.0.1:10912".ljust(50, b"\0")
    assert len(golden) == 62
    assert encode_to_master(packet) == golden
    assert list(from_slave_by_address().feed(golden)) == [packet]


def test_handshake_reply() -> None:
    """state(4) + bodySize(4) + maxOffset(8) + epoch(4) + n * (epoch(4) + startOffset(8))"""
    packet = HandshakeReply(5, 1738, 5, (EpochEntry(1, 0), EpochEntry(5, 1580)))
    golden = bytes.fromhex(
        "00000001 00000018 00000000000006ca 00000005 00000001 0000000000000000 00000005 000000000000062c"
    )
    assert encode_to_slave(packet) == golden
    assert list(from_master().feed(golden)) == [packet]


def test_transfer() -> None:
    """state(4) + bodySize(4) + offset(8) + epoch(4) + epochStartOffset(8) + confirmOffset(8) + body"""
    packet = Transfer(1580, 3, EpochEntry(5, 1580), 790, b"abc")
    golden = bytes.fromhex("00000002 00000003 000000000000062c 00000005 000000000000062c 0000000000000316 616263")
    assert len(golden) == 36 + 3
    assert encode_to_slave(packet) == golden
    assert list(from_master().feed(golden)) == [packet]


def test_acknowledgement_and_request() -> None:
    """state(4) + maxOffset(8)"""
    assert encode_to_master(Acknowledge(1738)) == bytes.fromhex("00000002 00000000000006ca")
    assert encode_to_master(RequestTransfer(1580)) == bytes.fromhex("00000000 000000000000062c")


@given(st.lists(TO_MASTER, max_size=4), st.data())
def test_a_slaves_stream_in_pieces(packets: list[ToMaster], data: st.DataObject) -> None:
    content = b"".join(encode_to_master(packet) for packet in packets)
    assert decoded(from_slave(), in_pieces(data, content)) == packets


@given(st.lists(ADDRESS_HANDSHAKES | st.builds(Acknowledge, OFFSETS), max_size=3), st.data())
def test_a_stream_by_address_in_pieces(packets: list[AddressHandshake | Acknowledge], data: st.DataObject) -> None:
    content = b"".join(encode_to_master(packet) for packet in packets)
    assert decoded(from_slave_by_address(), in_pieces(data, content)) == packets


@given(st.lists(to_slave(), max_size=4), st.data())
def test_a_masters_stream_in_pieces(packets: list[ToSlave], data: st.DataObject) -> None:
    content = b"".join(encode_to_slave(packet) for packet in packets)
    assert decoded(from_master(), in_pieces(data, content)) == packets


@given(st.binary(max_size=120), st.data())
@pytest.mark.parametrize("decoder", [from_slave, from_slave_by_address, from_master])
def test_arbitrary_bytes(decoder: type[StreamDecoder[object]], content: bytes, data: st.DataObject) -> None:
    try:
        decoded(decoder(), in_pieces(data, content))  # type: ignore[call-arg]
    except ProtocolError as problem:
        assert str(problem)


@given(to_slave(), st.integers(0, 3), st.integers(0, 255))
def test_a_changed_state_or_length_never_reads_beyond(packet: ToSlave, place: int, value: int) -> None:
    for at in (place, 4 + place):
        content = bytearray(encode_to_slave(packet))
        content[at] = value
        try:
            decoded(from_master(), [bytes(content)])
        except ProtocolError as problem:
            assert str(problem)


def test_fifteen_bytes_of_a_handshake_are_not_a_handshake() -> None:
    """RocketMQ's master reads a handshake once 12 bytes are there, and so may take a wrong brokerId (hazard F-11)."""
    decoder = from_slave()
    content = encode_to_master(Handshake(2**40 + 7, -1), with_epoch=False)
    assert [list(decoder.feed(content[i : i + 1])) for i in range(15)] == [[]] * 15
    assert decoder.incomplete == 15
    assert list(decoder.feed(content[15:])) == [Handshake(2**40 + 7, -1)]


def test_after_a_protocol_error_nothing_more_is_read() -> None:
    decoder = from_master()
    with pytest.raises(ProtocolError, match="no packet begins with the state 9"):
        list(decoder.feed(b"\0\0\0\x09"))
    with pytest.raises(ProtocolError):
        list(decoder.feed(encode_to_slave(Transfer(0, 0, None, 0))))
