"""The epoch file: for each master epoch the log offset at which it began (RIP-44 "Log truncation"; `EpochFileCache`).

Pure functions of entries in ascending order. The Java keeps an end with every entry; here the end of the last entry is
the end of the log that the file belongs to, handed in where it matters.
"""

from __future__ import annotations

from rmqproof.impl.core.replication_messages import EpochEntry, EpochFile

OPEN_END = 2**63 - 1
"""The end of a last entry that begins behind the end of the log (`Long.MAX_VALUE`)."""
NO_POINT = -1


def last_epoch(file: EpochFile) -> int:
    """-1 for an empty file."""
    return file[-1].epoch if file else -1


def last_start(file: EpochFile) -> int:
    return file[-1].start_offset if file else -1


def end_of(file: EpochFile, index: int, log_end: int) -> int:
    """Where entry `index` ends (`setLastEpochEntryEndOffset`: only a log that reaches the last entry closes it)."""
    if index + 1 < len(file):
        return file[index + 1].start_offset
    return log_end if file[index].start_offset <= log_end else OPEN_END


def entry_at(file: EpochFile, offset: int) -> EpochEntry | None:
    """The entry that covers an offset; the last one covers all that follows it (`findEpochEntryByOffset`)."""
    index = index_at(file, offset)
    return None if index is None else file[index]


def index_at(file: EpochFile, offset: int) -> int | None:
    for index in range(len(file) - 1, -1, -1):
        if file[index].start_offset <= offset:
            return index
    return None


def index_of(file: EpochFile, epoch: int) -> int | None:
    for index, entry in enumerate(file):
        if entry.epoch == epoch:
            return index
    return None


def next_entry(file: EpochFile, epoch: int) -> EpochEntry | None:
    """The first entry of a greater epoch."""
    return next((entry for entry in file if entry.epoch > epoch), None)


# --- cutting ---------------------------------------------------------------------------------------------------------


def truncate_suffix_by_offset(file: EpochFile, offset: int) -> EpochFile:
    """Entries that begin at or behind an offset go."""
    return tuple(entry for entry in file if entry.start_offset < offset)


def truncate_suffix_by_epoch(file: EpochFile, epoch: int) -> EpochFile:
    """Entries of this epoch and later ones go."""
    return tuple(entry for entry in file if entry.epoch < epoch)


def truncate_prefix_by_offset(file: EpochFile, offset: int) -> EpochFile:
    """What is left when the log before an offset is deleted: an entry goes when its end is not behind the offset."""
    return tuple(entry for index, entry in enumerate(file) if end_of(file, index, OPEN_END) > offset)


def keep_up_to(file: EpochFile, offset: int) -> EpochFile:
    """The entries that speak about a log which ends at an offset; one may begin exactly there."""
    return tuple(entry for entry in file if entry.start_offset <= offset)


# --- appending -------------------------------------------------------------------------------------------------------


def append_newer_wins(file: EpochFile, entry: EpochEntry) -> EpochFile:
    """Repaired: entries that begin at or behind the new one had no bytes and go; a known epoch is never moved."""
    if entry.epoch <= last_epoch(file):
        return file
    return (*truncate_suffix_by_offset(file, entry.start_offset), entry)


def append_as_shipped(file: EpochFile, entry: EpochEntry) -> EpochFile:
    """As `appendEntry`: refused unless both fields rise, and nobody hears of it (#9942, hazard F-20)."""
    if file and (last_epoch(file) >= entry.epoch or last_start(file) >= entry.start_offset):
        return file
    return (*file, entry)


# --- the truncation point --------------------------------------------------------------------------------------------


def find_consistent_point(local: EpochFile, local_end: int, other: EpochFile, other_end: int) -> int:
    """Where two logs agree: from the newest local entry down, the first that the other file has with the same epoch and
    start; they agree up to the smaller of its two ends. NO_POINT without such an entry."""
    for index in range(len(local) - 1, -1, -1):
        same = index_of(other, local[index].epoch)
        if same is not None and other[same] == local[index]:
            return min(end_of(local, index, local_end), end_of(other, same, other_end))
    return NO_POINT


def find_consistent_point_or_start(local: EpochFile, local_end: int, other: EpochFile, other_end: int) -> int:
    """Repaired (hazards F-13, F-36): never behind the own log, and logs without a common entry share the empty log."""
    point = find_consistent_point(local, local_end, other, other_end)
    return 0 if point == NO_POINT else min(point, local_end)
