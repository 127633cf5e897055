"""Packets between a slave (HAClient) and the broker that it copies from (HAConnection).

`AutoSwitchHAClient`, `AutoSwitchHAConnection`. Offsets are bytes of the commit log. Two fields and one packet are not
in the Java: the handshake carries the master epoch in both directions, and after the cut the slave names the offset
from which it wants bytes (`RequestTransfer`), so that an acknowledgement speaks about nothing but flushed bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class EpochEntry(NamedTuple):
    """A master epoch and the log offset at which it began; a line `epoch-startOffset` of the epoch file."""

    epoch: int
    start_offset: int


EpochFile: TypeAlias = tuple[EpochEntry, ...]
"""Ascending. The end of an entry is the start of the next, of the last one the end of the log."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """Slave to master, first packet."""

    slave_broker_id: int
    master_epoch: int
    sync_from_last_file: bool = False
    async_learner: bool = False


@dataclass(frozen=True, slots=True)
class HandshakeReply:
    """Master to slave. `last_epoch` is the epoch of the last entry, -1 without entries."""

    master_epoch: int
    max_offset: int
    last_epoch: int
    entries: EpochFile


@dataclass(frozen=True, slots=True)
class RequestTransfer:
    """Slave to master: the log is cut, send from this offset."""

    offset: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Master to slave. `entry` is the epoch of the first byte, None in a header that only brings `confirm_offset`.

    The core that sends names offset and `size`; whoever sends the packet reads `body` from the log. The core that
    receives looks at `body`.
    """

    offset: int
    size: int
    entry: EpochEntry | None
    confirm_offset: int
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Slave to master: the log is stored up to this offset."""

    offset: int


ToMaster: TypeAlias = Handshake | RequestTransfer | Acknowledge
ToSlave: TypeAlias = HandshakeReply | Transfer
