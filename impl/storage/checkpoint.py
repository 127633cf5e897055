"""The checkpoint (`StoreCheckpoint`): 4096 bytes, five big-endian longs, and behind them the CRC32 of these 40 bytes.

RocketMQ has no checksum there and ignores the bytes; a file without one (0) is read as RocketMQ writes it.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import astuple, dataclass
from pathlib import Path

from rmqproof.impl.storage.errors import DamagedFile
from rmqproof.impl.storage.files import Files, replace

NAME = "checkpoint"
SIZE = 4096
_FIELDS = struct.Struct(">qqqqq")
_CRC = struct.Struct(">I")


@dataclass(frozen=True)
class Checkpoint:
    """Timestamps in milliseconds, offsets in bytes. `master_flushed` is how far the log was known to be on disk."""

    physical_message_time: int = 0
    logical_message_time: int = 0
    index_message_time: int = 0
    master_flushed: int = 0
    confirm_offset: int = 0

    def encode(self) -> bytes:
        fields = _FIELDS.pack(*astuple(self))
        return (fields + _CRC.pack(zlib.crc32(fields))).ljust(SIZE, b"\0")


def decode_checkpoint(content: bytes) -> Checkpoint:
    """ValueError says what is wrong with the content."""
    if len(content) != SIZE:
        raise ValueError(f"it has {len(content)} bytes, not {SIZE}")
    fields = content[: _FIELDS.size]
    (stored,) = _CRC.unpack_from(content, _FIELDS.size)
    if stored not in (0, zlib.crc32(fields)):
        raise ValueError(f"the CRC32 of its fields is {zlib.crc32(fields)}, not {stored}")
    found = Checkpoint(*_FIELDS.unpack(fields))
    if min(astuple(found)) < 0:
        raise ValueError(f"a field is negative: {found}")
    return found


@dataclass(frozen=True)
class CheckpointFile:
    files: Files
    path: Path

    def load(self) -> Checkpoint:
        """What was stored last, zeros before that; DamagedFile if it cannot be trusted."""
        if not self.files.exists(self.path):
            return Checkpoint()
        try:
            return decode_checkpoint(self.files.read(self.path))
        except ValueError as problem:
            remedy = "Remove it: the broker then takes offset 0 as confirmed, until its master tells it more."
            raise DamagedFile(self.path, str(problem), remedy) from None

    def store(self, checkpoint: Checkpoint, durable: bool = True) -> None:
        """Replace the content. Without `durable` it is overwritten in place (44 bytes of one sector, so no mixture of
        old and new can be read) and survives a crash of the machine only after a later durable one."""
        if durable or not self.files.exists(self.path):
            replace(self.files, self.path, checkpoint.encode())
        else:
            self.files.write_at(self.path, 0, checkpoint.encode()[: _FIELDS.size + _CRC.size])
