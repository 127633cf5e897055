"""Checkpoint and broker identity."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmqproof.impl.storage.checkpoint import SIZE, Checkpoint, CheckpointFile, decode_checkpoint
from rmqproof.impl.storage.errors import DamagedFile
from rmqproof.impl.storage.identity import NAME, TEMPORARY_NAME, Identity, IdentityFiles, decode_identity
from rmqproof.impl.storage.simulated_files import SimulatedFiles

LONGS = st.integers(0, 2**63 - 1)
NAMES = st.text(min_size=1, max_size=20).filter(lambda text: not set(text) & set("#\r\n") and text.isprintable())


@given(st.builds(Checkpoint, LONGS, LONGS, LONGS, LONGS, LONGS))
def test_checkpoint_round_trip(checkpoint: Checkpoint) -> None:
    assert decode_checkpoint(checkpoint.encode()) == checkpoint


def test_checkpoint_has_the_confirm_offset_where_rocketmq_reads_it() -> None:
    content = Checkpoint(1, 2, 3, 4, 790).encode()
    assert len(content) == SIZE
    assert struct.unpack_from(">q", content, 32) == (790,)
    assert decode_checkpoint(content[:40].ljust(SIZE, b"\0")) == Checkpoint(1, 2, 3, 4, 790)


@given(st.binary(max_size=64).map(lambda start: start.ljust(SIZE, b"\0")) | st.binary(max_size=100))
def test_checkpoint_arbitrary_bytes(content: bytes) -> None:
    try:
        decode_checkpoint(content)
    except ValueError as problem:
        assert str(problem)


@given(st.builds(Checkpoint, LONGS, LONGS, LONGS, LONGS, LONGS), st.integers(0, 39), st.integers(1, 255))
def test_checkpoint_a_changed_byte_is_refused(checkpoint: Checkpoint, place: int, change: int) -> None:
    content = bytearray(checkpoint.encode())
    content[place] ^= change
    with pytest.raises(ValueError):
        decode_checkpoint(bytes(content))


def test_a_checkpoint_that_is_not_durable_is_seen_by_the_next_process() -> None:
    files = SimulatedFiles()
    file = CheckpointFile(files, Path("/s/checkpoint"))
    for offset in (1, 2, 3):
        file.store(Checkpoint(confirm_offset=offset), durable=False)
    after = files.after_process_crash()
    assert CheckpointFile(after, Path("/s/checkpoint")).load() == Checkpoint(confirm_offset=3)
    assert CheckpointFile(files.after_machine_crash(), Path("/s/checkpoint")).load() == Checkpoint(confirm_offset=1)


def test_a_damaged_checkpoint_is_named() -> None:
    files = SimulatedFiles()
    files.damage(Path("/s/checkpoint"), b"short")
    with pytest.raises(DamagedFile, match="/s/checkpoint: it has 5 bytes, not 4096"):
        CheckpointFile(files, Path("/s/checkpoint")).load()


@given(NAMES, NAMES, LONGS, st.none() | NAMES)
def test_identity_round_trip(cluster: str, name: str, number: int, code: str | None) -> None:
    identity = Identity(cluster, name, number, code)
    assert decode_identity(identity.encode(), temporary=code is not None) == identity


@given(st.binary(max_size=40), st.booleans())
def test_identity_arbitrary_bytes(content: bytes, temporary: bool) -> None:
    try:
        decode_identity(content, temporary)
    except ValueError as problem:
        assert str(problem)


def test_identity_lines_are_rocketmqs() -> None:
    files = IdentityFiles(SimulatedFiles(), Path("/s"))
    files.store_temporary(Identity("c", "b", 2, "127.0.0.1:9;1700000000000"))
    assert files.files.read(Path("/s") / TEMPORARY_NAME) == b"c#b#2#127.0.0.1:9;1700000000000"
    files.store(Identity("c", "b", 2))
    assert files.files.read(Path("/s") / NAME) == b"c#b#2"
    assert files.load_temporary() is None
    assert files.load() == Identity("c", "b", 2)


@pytest.mark.parametrize("content", [b"", b"c#b", b"c#b#x", b"c##1", b"c#b#1#code", b"\xff#b#1"])
def test_a_damaged_identity_is_named(content: bytes) -> None:
    files = SimulatedFiles()
    files.damage(Path("/s") / NAME, content)
    with pytest.raises(DamagedFile, match="/s/brokerIdentity: "):
        IdentityFiles(files, Path("/s")).load()
