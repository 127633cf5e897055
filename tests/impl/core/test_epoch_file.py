"""The epoch file against RocketMQ's own tests (EpochFileCacheTest) and runs of the real class.

`{e:start}` below is a file; ends of last entries are the end of the log, handed in. Where the Java keeps a stale end
with an entry (hazard F-9), the core has none.
"""

from __future__ import annotations

import gzip
import json

import pytest

from rmqproof.impl.broker.epoch_file import (
    NO_POINT,
    OPEN_END,
    append_as_shipped,
    append_newer_wins,
    end_of,
    entry_at,
    find_consistent_point,
    find_consistent_point_or_start,
    index_of,
    keep_up_to,
    last_epoch,
    last_start,
    next_entry,
    truncate_prefix_by_offset,
    truncate_suffix_by_epoch,
    truncate_suffix_by_offset,
)
from rmqproof.impl.core.replication_messages import EpochEntry, EpochFile
from tests.impl.core.recording import ANSWERS


def of(entries: dict[int, int]) -> EpochFile:
    return tuple(EpochEntry(epoch, start) for epoch, start in entries.items())


BASE = of({1: 100, 2: 300, 3: 500})


def appended(*entries: tuple[int, int]) -> list[EpochFile]:
    files: list[EpochFile] = [()]
    for entry in entries:
        files.append(append_as_shipped(files[-1], EpochEntry(*entry)))
    return files


def test_three_entries_append_and_have_ends() -> None:
    assert appended((1, 100), (2, 300), (3, 500))[-1] == BASE
    index = index_of(BASE, 2)
    assert index == 1
    assert (BASE[index], end_of(BASE, index, 700)) == (EpochEntry(2, 300), 500)


def test_truncate_suffix_by_offset() -> None:
    assert truncate_suffix_by_offset(BASE, 150) == of({1: 100})
    assert truncate_suffix_by_offset(of({1: 0, 2: 1000}), 900) == of({1: 0})
    assert truncate_suffix_by_offset(of({1: 0, 2: 300}), 0) == ()


def test_entry_at_an_offset() -> None:
    assert entry_at(BASE, 350) == EpochEntry(2, 300)
    file = of({1: 0, 2: 1000})
    epochs = [
        (entry.epoch if (entry := entry_at(file, offset)) else None) for offset in (0, 999, 1000, -1, OPEN_END - 1)
    ]
    assert epochs == [1, 1, 2, None, 2]


@pytest.mark.parametrize(
    ("name", "own", "own_end", "other", "other_end", "point"),
    [
        ("E5", BASE, OPEN_END, of({1: 100, 2: 300, 3: 450}), OPEN_END, 450),
        ("E6", BASE, 700, BASE, 600, 600),
        ("E7", BASE, OPEN_END, of({1: 200, 2: 500}), OPEN_END, NO_POINT),
        ("E8", of({1: 100, 2: 300, 3: 500, 4: 800}), OPEN_END, BASE, 700, 700),
        ("E10", of({1: 0}), 100, of({1: 0}), 100, 100),
        ("E12", of({1: 0, 2: 1000}), 900, of({1: 0, 2: 1000}), 2000, 2000),
        ("E14", of({1: 0, 5: 500}), 900, of({1: 0, 5: 900}), 900, 500),
        ("E17", of({6: 200, 7: 1200, 8: 2250}), 2500, of({6: 200, 7: 1200, 8: 2500}), 2500, 2250),
        ("E19", of({1: 0}), 0, of({2: 0}), 50, NO_POINT),
        ("E20", of({1: 0, 2: 100}), 150, of({1: 0, 2: 100}), 400, 150),
        ("E26", of({1: 0, 3: 500}), 700, of({1: 0, 2: 300, 3: 500}), 900, 700),
        ("E27", of({1: 0, 3: 500}), 700, of({1: 0, 2: 300, 4: 600}), 900, 300),
        ("E29", of({1: 0}), 0, (), 0, NO_POINT),
        ("E29 turned", (), 0, of({1: 0}), 0, NO_POINT),
        ("E30", of({1: 0}), 305, of({1: 0, 3: 310, 4: 400}), 500, 305),
        ("E30 with all entries", of({1: 0}), 305, of({1: 0, 2: 300, 3: 310, 4: 400}), 500, 300),
        ("E31", of({1: 0}), 2, of({1: 0, 4: 2, 5: 3}), 3, 2),
        ("E31 with all entries", of({1: 0}), 2, of({1: 0, 2: 1, 4: 2, 5: 3}), 3, 1),
        ("H1 a restarted master cuts what was never acknowledged", of({1: 0}), 1738, of({1: 0, 2: 1580}), 3160, 1580),
    ],
)
def test_consistent_point(
    name: str, own: EpochFile, own_end: int, other: EpochFile, other_end: int, point: int
) -> None:
    assert find_consistent_point(own, own_end, other, other_end) == point, name
    repaired = 0 if point == NO_POINT else min(point, own_end)
    assert find_consistent_point_or_start(own, own_end, other, other_end) == repaired, name


def test_append_as_shipped_refuses_in_silence() -> None:
    """E9, E22."""
    assert append_as_shipped(of({1: 0}), EpochEntry(2, 0)) == of({1: 0})
    file = of({1: 0, 2: 1000})
    assert append_as_shipped(file, EpochEntry(2, 2000)) == file
    assert append_as_shipped(file, EpochEntry(3, 1000)) == file
    assert append_as_shipped(file, EpochEntry(3, 1001)) == of({1: 0, 2: 1000, 3: 1001})


def test_append_repaired_lets_the_newer_epoch_win() -> None:
    """#9942: the epoch that had no bytes loses its entry. A known epoch is never moved (hazard F-19)."""
    assert append_newer_wins(of({1: 0}), EpochEntry(2, 0)) == of({2: 0})
    assert append_newer_wins(of({1: 0, 2: 1000}), EpochEntry(3, 1000)) == of({1: 0, 3: 1000})
    assert append_newer_wins(of({1: 0, 5: 500}), EpochEntry(5, 900)) == of({1: 0, 5: 500})
    assert append_newer_wins(of({1: 0, 5: 500}), EpochEntry(4, 900)) == of({1: 0, 5: 500})


def test_a_master_of_the_same_epoch_relabels_as_shipped() -> None:
    """E13."""
    assert append_as_shipped(truncate_suffix_by_epoch(of({1: 0, 5: 500}), 5), EpochEntry(5, 900)) == of({1: 0, 5: 900})


def test_truncate_by_epoch_and_append() -> None:
    """E23."""
    left = truncate_suffix_by_epoch(of({1: 0, 2: 100, 3: 200}), 2)
    assert left == of({1: 0})
    assert append_as_shipped(left, EpochEntry(4, 60)) == of({1: 0, 4: 60})


def test_truncate_prefix() -> None:
    """E16, E28, H6."""
    assert truncate_prefix_by_offset(of({1: 0, 2: 1570, 3: 3270}), 1570) == of({2: 1570, 3: 3270})
    assert truncate_prefix_by_offset(of({1: 0, 2: 1580, 3: 3280}), 1570) == of({1: 0, 2: 1580, 3: 3280})
    assert truncate_prefix_by_offset(of({1: 0, 2: 1580, 3: 3280}), 1580) == of({2: 1580, 3: 3280})


def test_the_end_of_the_last_entry_is_open_until_the_log_reaches_it() -> None:
    """E24."""
    file = of({1: 0, 2: 100})
    assert end_of(file, 1, 50) == OPEN_END
    assert end_of(file, 1, 100) == 100


def test_neighbours() -> None:
    """E25."""
    file = of({1: 0, 4: 100})
    assert next_entry(file, 1) == EpochEntry(4, 100)
    assert next_entry(file, 4) is None
    assert (last_epoch(()), last_start(()), index_of((), 1), entry_at((), 0)) == (-1, -1, None, None)


def test_keep_up_to_keeps_an_entry_that_begins_at_the_end() -> None:
    assert keep_up_to(of({1: 0, 2: 900, 3: 1000}), 900) == of({1: 0, 2: 900})


def test_every_answer_is_that_of_the_class_of_a_release() -> None:
    """`EpochFileCache` of 5.3.1 (see recording_epochs.py): the entry of an offset, the next one, the consistent point,
    and what appending and cutting leave."""
    lines = json.loads(gzip.decompress((ANSWERS / "EpochFileCache-5.3.1.json.gz").read_bytes()))
    assert len(lines) == 2_500
    for own, end, other, other_end, epoch, offset, answers in lines:
        file, masters = (tuple(EpochEntry(*pair) for pair in each) for each in (own, other))

        def plain(entry: EpochEntry | None) -> list[int] | None:
            return None if entry is None else [entry.epoch, entry.start_offset]

        found = [
            last_epoch(file),
            plain(entry_at(file, offset)),
            plain(next_entry(file, epoch)),
            find_consistent_point(file, end, masters, other_end),
            *(
                [plain(entry) for entry in left]
                for left in (
                    append_as_shipped(file, EpochEntry(epoch, offset)),
                    truncate_suffix_by_epoch(file, epoch),
                    truncate_suffix_by_offset(file, offset),
                    truncate_prefix_by_offset(file, offset),
                )
            ),
        ]
        assert found == answers, (own, end, other, other_end, epoch, offset)
