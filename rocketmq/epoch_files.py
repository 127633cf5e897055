"""Two epoch files of a broker set, compared as RocketMQ's handshake does.

Read are the file `epochFileCheckpoint` (class CheckpointFile) and the output of `mqadmin getBrokerEpoch`. What the
logs have in common is found as in EpochFileCache.findConsistentPoint; offsets are bytes of the commit log.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

_ENTRY = re.compile(r"EpochEntry\{epoch=(-?\d+), startOffset=(-?\d+), endOffset=(-?\d+)\}")
_FIELD = re.compile(r"#(clusterName|brokerName|brokerAddr|brokerId)\t(.*)")
UNBOUNDED = 2**63 - 1
"""Java's Long.MAX_VALUE: the end of an entry that nothing follows."""


class EpochError(Exception):
    """A file that cannot be read: its name, what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An epoch, the offset at which it began, and where it ended (`UNBOUNDED`: not known)."""

    epoch: int
    start: int
    end: int = UNBOUNDED


@dataclass(frozen=True, slots=True)
class EpochFile:
    """The entries of one broker. `log_end` is its commit log's max offset where it is known, `log_start` its min."""

    name: str
    entries: tuple[Entry, ...]
    log_start: int
    log_end: int | None = None

    def ending_at(self, log_start: int | None, log_end: int | None) -> EpochFile:
        """With the bounds of the log; the last entry ends at its end, if it reaches that far (as the class does)."""
        entries = list(self.entries)
        if log_end is not None and entries and entries[-1].start <= log_end:
            entries[-1] = replace(entries[-1], end=log_end)
        return EpochFile(
            self.name,
            tuple(entries),
            self.log_start if log_start is None else log_start,
            self.log_end if log_end is None else log_end,
        )


# --- reading -------------------------------------------------------------------------------------------------------


def read_epochs(source: str) -> EpochFile:
    """`FILE`, or `FILE@2` for broker 2 of an output about several brokers. Raise `EpochError`."""
    path, at, broker_id = source.rpartition("@")
    if not at or not broker_id.isdigit() or Path(source).exists():
        path, broker_id = source, ""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise EpochError(
            f"{path}: this is no text. Give an epochFileCheckpoint or what getBrokerEpoch printed."
        ) from None
    except OSError as error:
        raise EpochError(f"{path}: {error.strerror}") from None
    if "EpochEntry{" in text or text.lstrip().startswith("#"):
        return _of_output(path, text, broker_id)
    if broker_id:
        raise EpochError(f"{path}: this is an epoch file, of one broker; leave out @{broker_id}.")
    return _of_file(path, text)


def _of_file(path: str, text: str) -> EpochFile:
    lines = text.splitlines()
    remedy = f"The broker would take {path}.bak, if that is whole."
    if len(lines) < 2 or not lines[0].strip().isdigit() or not lines[1].strip().isdigit():
        raise EpochError(
            f"{path}:1: an epoch file begins with the number of its entries and their CRC32, a line each. {remedy}"
        )
    count, crc = int(lines[0]), int(lines[1])
    entries: list[Entry] = []
    for number, line in enumerate(lines[2:], 3):
        match = re.fullmatch(r"(-?\d+)-(-?\d+)", line.strip())
        if match is None:
            raise EpochError(f"{path}:{number}: {line!r} is no `epoch-startOffset`. {remedy}")
        entries.append(Entry(int(match[1]), int(match[2])))
    if count != len(entries):
        raise EpochError(f"{path}:1: it says {count} entries, and has {len(entries)}. {remedy}")
    sums = {zlib.crc32("".join(line + end for line in lines[2:]).encode()) & 0x7FFFFFFF for end in ("\n", "\r\n")}
    if crc not in (0, *sums):  # 0: the class does not check
        raise EpochError(f"{path}:2: the CRC32 is {crc}, and of these lines it is {min(sums)}. {remedy}")
    return EpochFile(path, _linked(path, entries), entries[0].start if entries else 0)


def _of_output(path: str, text: str, broker_id: str) -> EpochFile:
    blocks: list[tuple[dict[str, str], list[Entry]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        field, entry = _FIELD.match(line.strip()), _ENTRY.search(line)
        if field is not None:
            if not blocks or blocks[-1][1] or field[1] in blocks[-1][0]:
                blocks.append(({}, []))
            blocks[-1][0][field[1]] = field[2].strip()
        elif entry is not None:
            if not blocks:
                blocks.append(({}, []))
            blocks[-1][1].append(Entry(int(entry[1]), int(entry[2]), int(entry[3])))
        elif line.startswith("#Epoch"):
            raise EpochError(f"{path}:{number}: {line!r} is no `EpochEntry{{epoch=…, startOffset=…, endOffset=…}}`.")
    chosen = [block for block in blocks if not broker_id or block[0].get("brokerId") == broker_id]
    if len(chosen) != 1:
        known = ", ".join(block[0].get("brokerId", "?") for block in blocks)
        raise EpochError(f"{path}: it tells of the brokers {known or 'none'}; choose one with {path}@<brokerId>.")
    fields, entries = chosen[0]
    name = f"broker {fields['brokerId']} of {fields.get('brokerName', '?')}" if "brokerId" in fields else path
    end = entries[-1].end if entries and entries[-1].end != UNBOUNDED else None
    return EpochFile(name, _linked(path, entries), entries[0].start if entries else 0, end)


def _linked(path: str, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Each entry ends where the next one starts. Raise `EpochError` unless both fields rise."""
    for one, other in pairwise(entries):
        if other.epoch <= one.epoch or other.start <= one.start:
            raise EpochError(
                f"{path}: epoch {other.epoch} from {other.start} does not come after epoch {one.epoch} from "
                f"{one.start}: both must rise."
            )
    ends = [entry.start for entry in entries[1:]]
    return tuple(
        replace(entry, end=end) for entry, end in zip(entries, [*ends, *(e.end for e in entries[-1:])], strict=True)
    )


# --- comparing -----------------------------------------------------------------------------------------------------


def consistent_point(local: Sequence[Entry], other: Sequence[Entry]) -> int:
    """Where the logs of two brokers part, as EpochFileCache.findConsistentPoint; -1 without a common entry."""
    by_epoch = {entry.epoch: entry for entry in other}
    for entry in reversed(local):
        found = by_epoch.get(entry.epoch)
        if found is not None and found.start == entry.start:
            return min(entry.end, found.end)
    return -1


CASES = {
    "1-1": "the slave is new or was away for long: all it has is older than what the master kept. It skips what the "
    "master lacks and copies from the master's min offset.",
    "1-2": "the slave lags behind, and has messages that the master deleted: it follows from the consistent point.",
    "2-2": "the slave lags behind or is even: it follows from the consistent point.",
    "1-3": "the slave has more than the master, and messages that the master deleted: the logs may part before the "
    "slave's end. Messages that were not confirmed are cut.",
    "2-3": "the slave has more than the master: the logs may part before the slave's end. Messages that were not "
    "confirmed are cut.",
    "3-3": "all that the slave has lies beyond the master's end. This should not happen: the master lost data and was "
    "elected uncleanly. Look before you let the slave connect.",
}
"""The six ways in which a slave's log can lie beside its master's: interval of its min, interval of its max."""


def watermark_case(master_min: int, master_max: int, slave_min: int, slave_max: int) -> str:
    """Which of the six cases two logs are; intervals are below the master's min (1), within (2), beyond its max (3)."""
    if slave_min > master_max:
        return "3-3"
    if slave_max <= master_min:
        return "1-1"
    return f"{1 if slave_min < master_min else 2}-{3 if slave_max > master_max else 2}"


@dataclass(frozen=True, slots=True)
class EpochComparison:
    """What a handshake of the slave with the master would do.

    `point`: as shipped, -1 when there is no common entry. `cut`: bytes that the slave loses, None where its end is not
    known. `kept`: the slave's entries afterwards. `case` is empty where an end is not known. `warnings` are sentences.
    """

    master: EpochFile
    slave: EpochFile
    point: int
    cut: int | None
    kept: tuple[Entry, ...]
    dropped: tuple[Entry, ...]
    case: str
    warnings: tuple[str, ...]


def compare(master: EpochFile, slave: EpochFile) -> EpochComparison:
    """The handshake of a slave, seen from its side."""
    point = consistent_point(slave.entries, master.entries)
    end = slave.log_end
    cut = max(0, end - point) if end is not None and point >= 0 else None
    kept = tuple(entry for entry in slave.entries if entry.start < point) if point >= 0 else slave.entries
    dropped = tuple(entry for entry in slave.entries if entry not in kept)
    case = ""
    if end is not None and master.log_end is not None:
        case = watermark_case(master.log_start, master.log_end, slave.log_start, end)
    return EpochComparison(master, slave, point, cut, kept, dropped, case, tuple(_warnings(master, slave, point)))


def _warnings(master: EpochFile, slave: EpochFile, point: int) -> list[str]:
    found = []
    if not slave.entries:
        found.append("The slave's file is empty: it cuts nothing and follows from its own end, whatever it holds.")
    elif point < 0:
        found.append(
            "No entry is common: the handshake fails, and is tried again for ever. Remove the slave's log and "
            "epoch file, once you know that the master has everything."
        )
    masters = {entry.epoch: entry for entry in master.entries}
    for entry in slave.entries:
        other = masters.get(entry.epoch)
        if other is not None and other.start != entry.start:
            found.append(
                f"Epoch {entry.epoch} starts at {other.start} on the master and at {entry.start} on the slave: "
                "one of the files was moved or damaged, and what the point is worth is not known."
            )
    for file in (master, slave):
        if file.entries and file.log_end is not None and file.entries[-1].start > file.log_end:
            found.append(
                f"{file.name}: epoch {file.entries[-1].epoch} starts at {file.entries[-1].start}, beyond the log's end "
                f"{file.log_end}: the log lost its tail after the file was written."
            )
    if slave.log_end is not None and point > slave.log_end:
        found.append(
            f"The point lies beyond the slave's end {slave.log_end}: it would report offsets that it does not have."
        )
    if slave.entries and master.entries and slave.entries[-1].epoch > master.entries[-1].epoch:
        found.append(
            f"The slave knows epoch {slave.entries[-1].epoch} and the master only {master.entries[-1].epoch}: are "
            "the two files the right way round?"
        )
    return found
