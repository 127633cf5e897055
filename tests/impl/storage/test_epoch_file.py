"""The epoch file in RocketMQ's format: golden bytes, round trips, damage (EpochFileCacheTest; RIP-44 "Epoch file")."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmqproof.impl.core.replication_messages import EpochEntry
from rmqproof.impl.storage.epoch_file import EpochFile, decode_epoch_file, encode_epoch_file, epoch_file_crc
from rmqproof.impl.storage.errors import DamagedFile
from rmqproof.impl.storage.simulated_files import SimulatedFiles

PATH = Path("/store/epochFileCheckpoint")


@st.composite
def epoch_lists(draw: st.DrawFn) -> list[EpochEntry]:
    size = draw(st.integers(0, 6))
    epochs = sorted(draw(st.sets(st.integers(0, 2**31 - 1), min_size=size, max_size=size)))
    starts = sorted(draw(st.sets(st.integers(0, 2**63 - 1), min_size=size, max_size=size)))
    return [EpochEntry(epoch, start) for epoch, start in zip(epochs, starts, strict=True)]


def test_golden_bytes() -> None:
    """What RocketMQ's CheckpointFile writes for {1: 0, 2: 300} on Linux."""
    assert encode_epoch_file([EpochEntry(1, 0), EpochEntry(2, 300)]) == b"2\n1061013654\n1-0\n2-300\n"
    assert epoch_file_crc("1-0\n2-300\n") == 1061013654


def test_crc_zero_is_not_checked() -> None:
    assert decode_epoch_file(b"1\n0\n7-42\n") == [EpochEntry(7, 42)]


def test_happens_before_line_ends() -> None:
    lines = "1-0\r\n2-300\r\n"
    assert decode_epoch_file(f"2\r\n{epoch_file_crc(lines)}\r\n{lines}".encode()) == [(1, 0), (2, 300)]


@given(epoch_lists())
def test_round_trip(entries: list[EpochEntry]) -> None:
    assert decode_epoch_file(encode_epoch_file(entries)) == entries
    file = EpochFile(SimulatedFiles(), PATH)
    file.store(entries)
    assert file.load() == entries


@given(epoch_lists().filter(bool), st.data())
def test_every_truncation_is_refused(entries: list[EpochEntry], data: st.DataObject) -> None:
    content = encode_epoch_file(entries)
    cut = data.draw(st.integers(0, len(content) - 1))
    with pytest.raises(ValueError):
        decode_epoch_file(content[:cut])


@given(epoch_lists().filter(bool), st.data())
def test_a_changed_digit_is_refused(entries: list[EpochEntry], data: st.DataObject) -> None:
    content = bytearray(encode_epoch_file(entries))
    place = data.draw(st.sampled_from([i for i, byte in enumerate(content) if chr(byte).isdigit()]))
    content[place] = data.draw(st.sampled_from([d for d in b"0123456789" if d != content[place]]))
    try:
        found = decode_epoch_file(bytes(content))
    except ValueError:
        return
    # A stored 0 means "not checked", and a leading zero is the same number.
    assert found == entries or content.split(b"\n")[1].strip(b"0") == b""


@given(st.binary(max_size=200) | st.text(alphabet="0123456789-\n\r ", max_size=60).map(str.encode))
def test_arbitrary_bytes_are_refused_or_read(content: bytes) -> None:
    try:
        entries = decode_epoch_file(content)
    except ValueError as problem:
        assert str(problem)
    else:
        assert decode_epoch_file(encode_epoch_file(entries)) == entries


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"1\n5\n1-0", "it ends in the middle of a line"),
        (b"2\n0\n1-0\n", "line 1 announces 2 entries, 1 follow"),
        (b"x\n0\n", "the number of entries is 'x', not a number from 0 to 2147483647"),
        (b"1\n5\n1-0\n", "line 2 says CRC32 5, the entries have"),
        (b"1\n0\n1:0\n", "line 3: '1:0' is not <epoch>-<startOffset>"),
        (b"2\n0\n2-0\n1-5\n", "line 4: 1-5 does not come after 2-0"),
        (b"2\n0\n1-7\n2-7\n", "line 4: 2-7 does not come after 1-7"),
        (b"\xff\n0\n", "it holds bytes that are not text"),
    ],
)
def test_a_damaged_file_is_refused_with_name_reason_and_remedy(content: bytes, reason: str) -> None:
    files = SimulatedFiles()
    files.damage(PATH, content)
    with pytest.raises(DamagedFile) as refused:
        EpochFile(files, PATH).load()
    assert str(refused.value).startswith(f"{PATH}: {reason}")
    assert "epochFileCheckpoint.bak" in refused.value.remedy


def test_the_backup_is_the_content_before_and_is_not_read_silently() -> None:
    files = SimulatedFiles()
    file = EpochFile(files, PATH)
    file.store([EpochEntry(1, 0)])
    file.store([EpochEntry(1, 0), EpochEntry(2, 300)])
    assert decode_epoch_file(files.read(file.backup)) == [(1, 0)]
    files.remove(PATH)
    with pytest.raises(DamagedFile, match="it is missing, though"):
        file.load()


def test_an_empty_list_stays_empty_after_a_restart() -> None:
    """RocketMQ never writes an empty list, so the old entries come back (vector E15)."""
    files = SimulatedFiles()
    file = EpochFile(files, PATH)
    file.store([EpochEntry(1, 0), EpochEntry(2, 300)])
    file.store([EpochEntry(1, 0)])
    file.store([])
    assert EpochFile(files.after_machine_crash(), PATH).load() == []
