"""The HA stream between a slave and its master, big-endian (RIP-44 "Replication protocol"; AutoSwitchHAConnection).

    slave to master
      HANDSHAKE, by brokerId   int state=1, short isSyncFromLastFile, short isAsyncLearner, long slaveBrokerId      16
      HANDSHAKE, by address    int state=1, short, short, int slaveAddressLength, 50 bytes slaveAddress             62
      ACK                      int state=2, long maxOffset                                                          12
    master to slave
      HANDSHAKE                int state=1, int bodySize, long maxOffset, int epoch, body                           20 +
                               body: (int epoch, long startOffset) for each entry of the epoch file
      TRANSFER                 int state=2, int bodySize, long offset, int epoch, long epochStartOffset,
                               long confirmOffset, body                                                             36 +

Two things are not in the texts. The slave's handshake can carry its master epoch: then the short isSyncFromLastFile has
the bit 0x0100, and an int follows the 16 bytes. And after its cut a slave says from where it wants bytes (RocketMQ
takes that from the first ACK): int state=0, long offset. A TRANSFER header that only brings the confirmOffset has
epoch -1 and epochStartOffset -1.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from rmqproof.impl.core.codes import ConnectionState
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

ADDRESS_SIZE = 50
LARGEST_BODY = 64 * 1024 * 1024
"""A body beyond this is taken for damage, not for data."""

_STATE = struct.Struct(">i")
_HANDSHAKE = struct.Struct(">ihhq")
_ADDRESS_HANDSHAKE = struct.Struct(f">ihhi{ADDRESS_SIZE}s")
_EPOCH = struct.Struct(">i")
_OFFSET = struct.Struct(">iq")
_REPLY = struct.Struct(">iiqi")
_ENTRY = struct.Struct(">iq")
_TRANSFER = struct.Struct(">iiqiqq")
_WITH_EPOCH = 0x0100
NO_EPOCH = -1
NO_OFFSET = -1


@dataclass(frozen=True, slots=True)
class AddressHandshake:
    """The first packet of a slave in the older form, which names it by its address."""

    slave_address: str
    sync_from_last_file: bool = False
    async_learner: bool = False


# --- encoding --------------------------------------------------------------------------------------------------------


def encode_to_master(packet: ToMaster | AddressHandshake, with_epoch: bool = True) -> bytes:
    """A slave's packet. Without `with_epoch` the handshake is exactly RocketMQ's."""
    match packet:
        case Handshake():
            flag = int(packet.sync_from_last_file) | (_WITH_EPOCH if with_epoch else 0)
            plain = _HANDSHAKE.pack(ConnectionState.HANDSHAKE, flag, int(packet.async_learner), packet.slave_broker_id)
            return plain + _EPOCH.pack(packet.master_epoch) if with_epoch else plain
        case AddressHandshake():
            address = packet.slave_address.encode()
            if len(address) > ADDRESS_SIZE:
                raise ValueError(f"the address {packet.slave_address!r} has more than {ADDRESS_SIZE} bytes")
            return _ADDRESS_HANDSHAKE.pack(
                ConnectionState.HANDSHAKE,
                int(packet.sync_from_last_file),
                int(packet.async_learner),
                len(address),
                address,
            )
        case RequestTransfer():
            return _OFFSET.pack(ConnectionState.READY, packet.offset)
        case Acknowledge():
            return _OFFSET.pack(ConnectionState.TRANSFER, packet.offset)


def encode_to_slave(packet: ToSlave) -> bytes:
    """A master's packet."""
    match packet:
        case HandshakeReply():
            body = b"".join(_ENTRY.pack(*entry) for entry in packet.entries)
            head = _REPLY.pack(ConnectionState.HANDSHAKE, len(body), packet.max_offset, packet.master_epoch)
            return head + body
        case Transfer():
            entry = packet.entry or EpochEntry(NO_EPOCH, NO_OFFSET)
            head = _TRANSFER.pack(
                ConnectionState.TRANSFER, len(packet.body), packet.offset, *entry, packet.confirm_offset
            )
            return head + packet.body


# --- decoding --------------------------------------------------------------------------------------------------------

Packet = TypeVar("Packet")
Found = tuple[Packet, int]
"""A packet and how many bytes it took."""


class StreamDecoder(Generic[Packet]):
    """Cuts a stream into packets, however it arrives in pieces."""

    def __init__(self, read: Callable[[bytes], Found[Packet] | None]) -> None:
        """`read` gives the first packet of the bytes, None if it is not complete, or raises ProtocolError."""
        self._read = read
        self._rest = b""
        self._problem: ProtocolError | None = None

    def feed(self, data: bytes) -> Iterator[Packet]:
        """The packets that are complete now. After a ProtocolError every further call raises it again."""
        self._rest += data
        while True:
            if self._problem is not None:
                raise self._problem
            try:
                found = self._read(self._rest)
            except ProtocolError as problem:
                self._problem = problem
                self._rest = b""
                raise
            if found is None:
                return
            packet, size = found
            self._rest = self._rest[size:]
            yield packet

    @property
    def incomplete(self) -> int:
        """How many bytes of a packet that is not complete have arrived."""
        return len(self._rest)


def from_slave() -> StreamDecoder[ToMaster]:
    """What a master reads from a slave that names itself by brokerId."""
    return StreamDecoder(_read_to_master)


def from_slave_by_address() -> StreamDecoder[ToMaster | AddressHandshake]:
    """What a master reads from a slave that names itself by address."""
    return StreamDecoder(_read_to_master_by_address)


def from_master() -> StreamDecoder[ToSlave]:
    """What a slave reads from its master."""
    return StreamDecoder(_read_to_slave)


def _read_to_master(data: bytes) -> Found[ToMaster] | None:
    state = _state(data)
    if state is None:
        return None
    if state in (ConnectionState.READY, ConnectionState.TRANSFER):
        if len(data) < _OFFSET.size:
            return None
        _, offset = _OFFSET.unpack_from(data)
        if offset < 0:
            raise ProtocolError(f"a slave spoke about the offset {offset}")
        packet = RequestTransfer(offset) if state == ConnectionState.READY else Acknowledge(offset)
        return packet, _OFFSET.size
    if len(data) < _HANDSHAKE.size:
        return None
    _, flag, learner, broker_id = _HANDSHAKE.unpack_from(data)
    from_last_file, asynchronous = _flag(flag & ~_WITH_EPOCH), _flag(learner)
    if not flag & _WITH_EPOCH:
        return Handshake(broker_id, NO_EPOCH, from_last_file, asynchronous), _HANDSHAKE.size
    size = _HANDSHAKE.size + _EPOCH.size
    if len(data) < size:
        return None
    (epoch,) = _EPOCH.unpack_from(data, _HANDSHAKE.size)
    return Handshake(broker_id, epoch, from_last_file, asynchronous), size


def _read_to_master_by_address(data: bytes) -> Found[ToMaster | AddressHandshake] | None:
    if _state(data) != ConnectionState.HANDSHAKE:
        found = _read_to_master(data)
        return None if found is None else (found[0], found[1])
    if len(data) < _ADDRESS_HANDSHAKE.size:
        return None
    _, flag, learner, size, address = _ADDRESS_HANDSHAKE.unpack_from(data)
    if not 0 <= size <= ADDRESS_SIZE:
        raise ProtocolError(f"a slave's address cannot have {size} bytes")
    try:
        text = address[:size].decode()
    except UnicodeDecodeError:
        raise ProtocolError("a slave's address is not UTF-8") from None
    return AddressHandshake(text, _flag(flag), _flag(learner)), _ADDRESS_HANDSHAKE.size


def _read_to_slave(data: bytes) -> Found[ToSlave] | None:
    state = _state(data)
    if state is None:
        return None
    if state == ConnectionState.HANDSHAKE:
        return _read_handshake_reply(data)
    if state == ConnectionState.TRANSFER:
        return _read_transfer(data)
    raise ProtocolError("a master does not send packets of the state READY")


def _read_handshake_reply(data: bytes) -> Found[HandshakeReply] | None:
    if len(data) < _REPLY.size:
        return None
    _, size, max_offset, master_epoch = _REPLY.unpack_from(data)
    if not 0 <= size <= LARGEST_BODY or size % _ENTRY.size:
        raise ProtocolError(f"epoch entries cannot have {size} bytes")
    if len(data) < _REPLY.size + size:
        return None
    entries = tuple(EpochEntry(*pair) for pair in _ENTRY.iter_unpack(data[_REPLY.size : _REPLY.size + size]))
    last_epoch = entries[-1].epoch if entries else NO_EPOCH
    return HandshakeReply(master_epoch, max_offset, last_epoch, entries), _REPLY.size + size


def _read_transfer(data: bytes) -> Found[Transfer] | None:
    if len(data) < _TRANSFER.size:
        return None
    _, size, offset, epoch, epoch_start, confirm_offset = _TRANSFER.unpack_from(data)
    if not 0 <= size <= LARGEST_BODY:
        raise ProtocolError(f"a batch cannot have {size} bytes")
    if len(data) < _TRANSFER.size + size:
        return None
    entry = None if epoch == NO_EPOCH and epoch_start == NO_OFFSET else EpochEntry(epoch, epoch_start)
    if entry is None and size:
        raise ProtocolError("a batch with a body names no epoch")
    body = data[_TRANSFER.size : _TRANSFER.size + size]
    return Transfer(offset, size, entry, confirm_offset, body), _TRANSFER.size + size


def _state(data: bytes) -> ConnectionState | None:
    """The state that the first packet names; None while its four bytes are not there."""
    if len(data) < _STATE.size:
        return None
    (number,) = _STATE.unpack_from(data)
    if number not in (ConnectionState.READY, ConnectionState.HANDSHAKE, ConnectionState.TRANSFER):
        raise ProtocolError(f"no packet begins with the state {number}")
    return ConnectionState(number)


def _flag(number: int) -> bool:
    if number not in (0, 1):
        raise ProtocolError(f"a flag is 0 or 1, not {number}")
    return number == 1
