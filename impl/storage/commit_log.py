"""The commit log: messages one after another in segment files that are named by the offset of their first byte.

What `flush` has not yet seen can be lost by a crash, from the end. A record never spans two segments. Bytes after the
end are cut from the disk before a truncation returns (rule 3 of the repaired reading; apache/rocketmq #10666).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rmqproof.impl.storage.errors import DamagedFile
from rmqproof.impl.storage.files import Files
from rmqproof.impl.storage.message import (
    BLANK_HEADER,
    BLANK_MAGIC,
    MAGIC,
    Message,
    blank_record,
    decode_message,
    encode_message,
)

DEFAULT_SEGMENT_SIZE = 64 * 1024 * 1024
"""Bytes of one segment file (`mappedFileSizeCommitLog`, there 1 GiB). The same on all brokers of a set."""

_REMEDY = "Remove the whole store of this broker, so that it copies the log of its master anew."


@dataclass(frozen=True)
class Stored:
    """One message and where it lies; `end` is behind its last byte."""

    start: int
    end: int
    message: Message


class CommitLog:
    """The log of one store. Offsets are in bytes; the log always ends behind a whole message."""

    def __init__(
        self, files: Files, folder: Path, segment_size: int = DEFAULT_SEGMENT_SIZE, residue_allowed: bool = False
    ) -> None:
        """Open and recover. A torn end is cut; anything else that cannot be parsed is a DamagedFile.

        `residue_allowed`: the log was truncated without erasing, so the newest segment may end in anything.
        """
        self._residue_allowed = residue_allowed
        self._files = files
        self._folder = folder
        self.segment_size = segment_size
        self._unsynchronized: set[Path] = set()
        self._folder_changed = False
        self._stored: list[Stored] = []
        self._starts: list[int] = []
        self.start = self.end = self.flushed = 0
        files.make_folder(folder)
        self._recover()
        self.flush()

    # Reading

    def __len__(self) -> int:
        """How many messages the log holds."""
        return len(self._stored)

    def __getitem__(self, ordinal: int) -> Stored:
        """The message with a number, counted from 0."""
        return self._stored[ordinal]

    def count_before(self, offset: int) -> int:
        """How many messages begin before an offset."""
        return bisect_left(self._starts, offset)

    def end_of(self, count: int) -> int:
        """The offset behind the first `count` messages."""
        return self._stored[count - 1].end if count else self.start

    def boundary(self, offset: int, limit: int) -> int:
        """The end of the last message that ends at most `limit` bytes behind an offset; of the first one there if it is
        larger; the offset itself if there is none."""
        first = bisect_left(self._starts, offset)
        chosen = offset
        for number in range(first, len(self._stored)):
            stored = self._stored[number]
            if chosen > offset and stored.end - offset > limit:
                break
            chosen = stored.end
        return chosen

    def read(self, offset: int, end: int) -> bytes:
        """The bytes between two offsets of the log."""
        return b"".join(self._pieces(offset, end))

    # Writing

    def encode(self, message: Message) -> bytes:
        """The bytes that put a message at the end: its record, where needed behind a blank that fills the segment.

        ValueError if the record is too large."""
        room = self.segment_size - self.end % self.segment_size
        record = encode_message(message, self.end)
        if len(record) + BLANK_HEADER.size > self.segment_size:
            raise ValueError(f"a record of {len(record)} bytes does not fit a segment of {self.segment_size}")
        if len(record) + BLANK_HEADER.size <= room:
            return record
        return blank_record(room) + encode_message(message, self.end + room)

    def append(self, message: Message) -> Stored:
        """Put a message at the end. It is not flushed."""
        (stored,) = self.append_bytes(self.end, self.encode(message))
        return stored

    def append_bytes(self, offset: int, content: bytes) -> list[Stored]:
        """Append whole messages that a master sent, from the end of this log on; an empty log may begin anywhere
        between segments.

        ValueError, with nothing written, if the bytes cannot follow here.
        """
        found = self.messages_in(offset, content)
        if offset != self.end:
            self.start = self.end = self.flushed = offset
        while content:
            size = min(len(content), self.segment_size - self.end % self.segment_size)
            self._write(content[:size])
            content = content[size:]
        self._know(found)
        return found

    def messages_in(self, offset: int, content: bytes) -> list[Stored]:
        """The messages of a batch that can follow here; ValueError says why it cannot."""
        begins = not self.end and offset % self.segment_size == 0
        if offset != self.end and not begins:
            raise ValueError(f"the batch begins at offset {offset}, this log ends at {self.end}")
        found = parse(content, offset, self.segment_size)
        if found.problem or found.size < len(content):
            raise ValueError(found.problem or f"the batch ends within a message, at offset {offset + len(content)}")
        return found.stored

    def flush(self) -> int:
        """Make everything durable; the offset up to which it is."""
        self._synchronize()
        self.flushed = self.end
        return self.end

    def truncate(self, offset: int, erase: bool = True) -> None:
        """Cut the log at a message boundary; nothing happens at or behind the end.

        With `erase` it is durable. Without, the bytes behind stay on the disk until others are written over them, and
        come back after a restart (apache/rocketmq #10666).
        """
        if offset >= self.end:
            return
        count = self.count_before(offset)
        boundaries = {self.end_of(count), self._starts[count] if count < len(self) else self.end}
        if offset < self.start or offset not in boundaries:
            raise ValueError(f"offset {offset} is not the beginning of a message of this log")
        if erase:
            self._cut(offset)
        self.end, self.flushed = offset, min(self.flushed, offset)
        del self._stored[count:]
        del self._starts[count:]

    # Files

    def _know(self, stored: list[Stored]) -> None:
        self._stored += stored
        self._starts += [one.start for one in stored]

    def _pieces(self, offset: int, end: int) -> Iterator[bytes]:
        while offset < end:
            size = min(end - offset, self.segment_size - offset % self.segment_size)
            yield self._files.read_at(self._segment(offset), offset % self.segment_size, size)
            offset += size

    def _synchronize(self) -> None:
        if self._folder_changed:
            self._files.synchronize_folder(self._folder)
            self._folder_changed = False
        for path in sorted(self._unsynchronized):
            self._files.synchronize(path)
        self._unsynchronized.clear()

    def _write(self, content: bytes) -> None:
        """Bytes that do not cross the end of a segment. A full segment is durable before the next one begins, so
        that a crash tears only the newest."""
        path = self._segment(self.end)
        if not self._files.exists(path):
            self._synchronize()
            self._folder_changed = True
        self._files.write_at(path, self.end % self.segment_size, content)
        self._unsynchronized.add(path)
        self.end += len(content)

    def _cut(self, offset: int) -> None:
        """Later segments go first, from the last on, so that a crash in between leaves one piece."""
        for first in reversed(self._segments()):
            if first >= offset and first > self.start:
                self._files.remove(self._path(first))
                self._files.synchronize_folder(self._folder)
                self._unsynchronized.discard(self._path(first))
        path = self._segment(offset)
        if self._files.exists(path):
            self._files.truncate(path, offset % self.segment_size)
            self._files.synchronize(path)
            self._unsynchronized.discard(path)

    def _path(self, first: int) -> Path:
        return self._folder / f"{first:020d}"

    def _segment(self, offset: int) -> Path:
        return self._path(offset - offset % self.segment_size)

    def _segments(self) -> list[int]:
        found = []
        for name in self._files.names(self._folder):
            if not (len(name) == 20 and name.isascii() and name.isdigit() and int(name) % self.segment_size == 0):
                reason = f"it is not the name of a segment of {self.segment_size} bytes"
                raise DamagedFile(self._folder / name, reason, "Remove the file if something else put it there.")
            found.append(int(name))
        return found

    def _recover(self) -> None:
        segments = self._segments()
        self.start = self.end = segments[0] if segments else 0
        for first in segments:
            path = self._path(first)
            content = self._files.read(path)
            if first != self.end:
                raise DamagedFile(path, f"the segment before it ends at offset {self.end}", _REMEDY)
            if len(content) > self.segment_size:
                raise DamagedFile(path, f"it has {len(content)} bytes, a segment has {self.segment_size}", _REMEDY)
            found = parse(content, first, self.segment_size)
            self._know(found.stored)
            self.end = first + found.size
            self._unsynchronized.add(path)
            if found.size < len(content):
                # A crash tears only the end of the newest segment.
                torn = first == segments[-1] and (not found.problem or _may_be_torn(content[found.size :]))
                if not torn and not self._residue_allowed:
                    reason = found.problem or f"it ends within a message, at offset {first + len(content)}"
                    raise DamagedFile(path, reason, _REMEDY)
                self._cut(self.end)
                break


@dataclass(frozen=True)
class Parsed:
    """Messages found in bytes of a log, how many bytes they and the blanks take, and why the rest is none.

    Without a problem the rest, if there is any, is the beginning of one more message.
    """

    stored: list[Stored]
    size: int
    problem: str | None = None


def parse(content: bytes, offset: int, segment_size: int) -> Parsed:
    """Read the messages of a log from a message boundary on."""
    stored: list[Stored] = []
    at = 0
    while at < len(content):
        place = offset + at
        room = segment_size - place % segment_size
        if room < BLANK_HEADER.size:
            size, magic = room, BLANK_MAGIC
        elif len(content) - at < BLANK_HEADER.size:
            break
        else:
            size, magic = BLANK_HEADER.unpack_from(content, at)
        if magic not in (MAGIC, BLANK_MAGIC):
            return Parsed(stored, at, f"no message begins at offset {place}: its magic code would be {magic:#x}")
        if not 0 < size <= room or (magic == BLANK_MAGIC and size != room):
            return Parsed(stored, at, f"the record at offset {place} would have {size} bytes, {room} are left there")
        if len(content) - at < size:
            break
        if magic == MAGIC:
            try:
                message = decode_message(content[at : at + size], place)
            except ValueError as problem:
                return Parsed(stored, at, f"the message at offset {place} is damaged: {problem}")
            stored.append(Stored(place, place + size, message))
        at += size
    return Parsed(stored, at)


def _may_be_torn(rest: bytes) -> bool:
    """Can a crash have left these bytes at the end of a log: zeros, or one last record that is not all there?"""
    if len(rest.rstrip(b"\0")) < BLANK_HEADER.size:
        return True
    size, magic = BLANK_HEADER.unpack_from(rest)
    return magic == MAGIC and (size >= len(rest) or not any(rest[size:]))
