"""On `EpochFileCache` and its file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen


def cache(bench: Bench, file: Path | None = None, *entries: tuple[int, int]) -> Any:
    """A cache with these entries; with a file it writes them there."""
    find = bench.jpype.JClass
    kind = find("org.apache.rocketmq.store.ha.autoswitch.EpochFileCache")
    entry = bench.first_class(
        "org.apache.rocketmq.remoting.protocol.EpochEntry", "org.apache.rocketmq.common.EpochEntry"
    )
    made = kind(str(file)) if file is not None else kind()
    for epoch, start in entries:
        made.appendEntry(entry(epoch, start))
    return made


def shown(found: Any) -> list[tuple[int, int, int]]:
    """(epoch, start, end) of each entry."""
    return [(int(e.getEpoch()), int(e.getStartOffset()), int(e.getEndOffset())) for e in found.getAllEntries()]


def empty_file_is_not_written(bench: Bench) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "epochFileCheckpoint")
        cache(bench, file, (1, 0), (2, 100)).truncateSuffixByOffset(0)
        again = cache(bench, file)
        again.initCacheFromFile()
        entries = [each[:2] for each in shown(again)]
    return Seen(bool(entries), f"everything is cut, and read again after a restart: {entries}")


def end_is_stale(bench: Bench) -> Seen:
    found = cache(bench, None, (1, 0), (2, 100))
    found.truncateSuffixByOffset(100)
    entry = found.findEpochEntryByOffset(150)
    return Seen(
        entry is None,
        f"epoch 2 is cut, epoch 1 is the last one: offset 150 is in {'no entry' if entry is None else entry}",
    )


def backup_is_older(bench: Bench) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "epochFileCheckpoint")
        cache(bench, file, (1, 0), (2, 100), (3, 200))
        file.write_text("3\n1\n1-0\n2-100\n3-200\n", encoding="ascii")  # another checksum
        again = cache(bench, file)
        try:
            good = bool(again.initCacheFromFile())
        except bench.jpype.JException as error:
            return Seen(False, f"a damaged file: {type(error).__name__.split('.')[-1]} comes out of initCacheFromFile")
        entries = [each[0] for each in shown(again)]
    return Seen(good and entries == [1, 2], f"epochs 1 to 3 were written, the file is damaged: read are {entries}")


def malformed_number_escapes(bench: Bench) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "epochFileCheckpoint")
        cache(bench, file, (1, 0), (2, 100))
        file.write_text("damaged\n", encoding="ascii")
        again = cache(bench, file)
        try:
            good = bool(again.initCacheFromFile())
        except bench.jpype.JException as error:
            name = type(error).__name__.split(".")[-1]
            return Seen(
                True, f"a first line that is no number, and a good backup: {name} comes out of initCacheFromFile"
            )
    return Seen(False, f"initCacheFromFile says {good}, read are {[each[0] for each in shown(again)]}")


def epoch_after_the_last(bench: Bench) -> Seen:
    found = cache(bench, None, (1, 0), (2**31 - 1, 100)).nextEntry(2**31 - 1)
    return Seen(
        found is not None, f"the entry after epoch 2147483647 is {'none' if found is None else int(found.getEpoch())}"
    )


def lines_without_meaning_are_accepted(bench: Bench) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "epochFileCheckpoint")
        file.write_text("2\n0\n2-100\nno entry at all\n1-0\n", encoding="ascii")  # 0: without a checksum
        again = cache(bench, file)
        try:
            good = bool(again.initCacheFromFile())
        except bench.jpype.JException as error:
            return Seen(False, f"{type(error).__name__.split('.')[-1]} comes out of initCacheFromFile")
        entries = shown(again)
    return Seen(
        good and len(entries) == 2,
        "a file of two entries has a third line that is none, the second epoch before the first, and the checksum 0: "
        f"initCacheFromFile says {good}, epochs with their starts and ends are {entries}",
    )


EPOCHS = (
    Schedule("F-7", "an empty epoch file is never written", "cut all, restart", empty_file_is_not_written),
    Schedule("F-9", "a stale end of an entry in memory", "cut, look up", end_is_stale),
    Schedule("F-40", "a malformed epoch file escapes the reader", "damage line 1", malformed_number_escapes),
    Schedule("F-41", "malformed lines are accepted", "another line, another order", lines_without_meaning_are_accepted),
    Schedule("F-42", "the backup is an earlier file", "damage, restart", backup_is_older),
    Schedule("F-45", "the epoch after 2147483647", "ask for it", epoch_after_the_last),
)
