"""The epoch file in RocketMQ's format (`EpochFileCache`, `CheckpointFile`; RIP-44 "Epoch file").

    <number of entries>
    <CRC32 of the entry lines, each with its line end, & 0x7FFFFFFF, decimal; 0: not checked>
    <epoch>-<startOffset>          one line an entry, ascending

The previous content is kept in `<file>.bak`. RocketMQ reads that when the file itself is damaged; this store does not:
the older file lacks the newest epoch, and a log under the wrong epoch is cut at the wrong place.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rmqproof.impl.core.replication_messages import EpochEntry
from rmqproof.impl.storage.errors import DamagedFile
from rmqproof.impl.storage.files import Files, delete, replace

NAME = "epochFileCheckpoint"
CRC_NOT_CHECKED = 0
LARGEST_EPOCH = 2**31 - 1
LARGEST_OFFSET = 2**63 - 1


def epoch_file_crc(lines: str) -> int:
    """The checksum over all entry lines, line ends included."""
    return zlib.crc32(lines.encode()) & 0x7FFFFFFF


def encode_epoch_file(entries: Iterable[EpochEntry]) -> bytes:
    entries = list(entries)
    lines = "".join(f"{entry.epoch}-{entry.start_offset}\n" for entry in entries)
    return f"{len(entries)}\n{epoch_file_crc(lines)}\n{lines}".encode()


def decode_epoch_file(content: bytes) -> list[EpochEntry]:
    """The entries; ValueError says what is wrong with the content."""
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        raise ValueError("it holds bytes that are not text") from None
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) < 3 or lines[-1] != "":
        raise ValueError("it ends in the middle of a line" if text else "it is empty")
    count, crc, *entry_lines = lines[:-1]
    expected = _number(count, "the number of entries", LARGEST_EPOCH)
    stored = _number(crc, "the CRC32", 0x7FFFFFFF)
    if expected != len(entry_lines):
        raise ValueError(f"line 1 announces {expected} entries, {len(entry_lines)} follow")
    end = "\r\n" if "\r\n" in text else "\n"
    actual = epoch_file_crc("".join(line + end for line in entry_lines))
    if stored not in (CRC_NOT_CHECKED, actual):
        raise ValueError(f"line 2 says CRC32 {stored}, the entries have {actual}")
    entries = [_entry(line, number) for number, line in enumerate(entry_lines, 3)]
    for number, (before, after) in enumerate(pairwise(entries), 4):
        if after.epoch <= before.epoch or after.start_offset <= before.start_offset:
            line, line_before = (f"{entry.epoch}-{entry.start_offset}" for entry in (after, before))
            raise ValueError(f"line {number}: {line} does not come after {line_before}")
    return entries


def _entry(line: str, number: int) -> EpochEntry:
    epoch, dash, start = line.partition("-")
    if not dash:
        raise ValueError(f"line {number}: {line!r} is not <epoch>-<startOffset>")
    return EpochEntry(
        _number(epoch, f"the epoch in line {number}", LARGEST_EPOCH),
        _number(start, f"the offset in line {number}", LARGEST_OFFSET),
    )


def _number(text: str, what: str, largest: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or int(text) > largest:
        raise ValueError(f"{what} is {text!r}, not a number from 0 to {largest}")
    return int(text)


@dataclass(frozen=True)
class EpochFile:
    """The epoch file of one store."""

    files: Files
    path: Path

    @property
    def backup(self) -> Path:
        return self.path.with_name(self.path.name + ".bak")

    def load(self) -> list[EpochEntry]:
        """The entries, none if the file was never written; DamagedFile if it cannot be trusted."""
        if not self.files.exists(self.path):
            if self.files.exists(self.backup):
                raise DamagedFile(self.path, f"it is missing, though {self.backup.name} is there", self._remedy())
            return []
        try:
            return decode_epoch_file(self.files.read(self.path))
        except ValueError as problem:
            raise DamagedFile(self.path, str(problem), self._remedy()) from None

    def store(self, entries: Iterable[EpochEntry]) -> None:
        """Make these the content, durably. An empty list removes the files: RocketMQ reads no file as no entries."""
        entries = list(entries)
        if not entries:
            delete(self.files, self.backup)
            delete(self.files, self.path)
            return
        if self.files.exists(self.path):
            replace(self.files, self.backup, self.files.read(self.path))
        replace(self.files, self.path, encode_epoch_file(entries))

    def _remedy(self) -> str:
        return (
            "Remove the whole store of this broker, so that it copies the log of its master anew; or restore the file "
            f"by hand from {self.backup.name} if that holds the newest epoch of this broker's log."
        )
