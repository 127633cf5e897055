"""The HA stream as RocketMQ has it, for peers that are RocketMQ: what wire/ha.py adds to it is left out.

A slave's handshake carries no epoch, its first report says from where it wants bytes, and a header that brings only a
confirmOffset repeats the epoch entry of the one before (`AutoSwitchHAClient`, `AutoSwitchHAConnection`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rmqproof.impl.core.replication_messages import (
    Acknowledge,
    EpochEntry,
    Handshake,
    RequestTransfer,
    ToMaster,
    ToSlave,
    Transfer,
)
from rmqproof.impl.wire.ha import NO_EPOCH, encode_to_master


@dataclass(slots=True)
class SlavesEnd:
    """Of one connection. `reported`: the last report, which is said again where nothing else is: a master of RocketMQ
    gives up who is silent."""

    reported: bytes = b""

    def encoded(self, packet: ToMaster) -> bytes:
        if isinstance(packet, Handshake):
            return encode_to_master(packet, with_epoch=False)
        self.reported = encode_to_master(Acknowledge(packet.offset))
        return self.reported


@dataclass(slots=True)
class MastersEnd:
    """Of one connection; `plain` once the slave's handshake came without an epoch."""

    plain: bool = False
    asked: bool = False
    entry: EpochEntry | None = None

    def received(self, packet: ToMaster) -> tuple[ToMaster, ...]:
        """What a slave's packet says."""
        if isinstance(packet, Handshake):
            self.plain = packet.master_epoch == NO_EPOCH
        if self.plain and not self.asked and isinstance(packet, Acknowledge):
            self.asked = True
            return RequestTransfer(packet.offset), packet
        return (packet,)

    def sent(self, packet: ToSlave) -> ToSlave | None:
        """The packet for the slave, or None where it would not understand it."""
        if not self.plain or not isinstance(packet, Transfer):
            return packet
        if packet.entry is not None:
            self.entry = packet.entry
            return packet
        return None if self.entry is None else replace(packet, entry=self.entry)
