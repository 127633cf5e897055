"""The commit log: segments, recovery, truncation, damage."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.impl.storage.commit_log import CommitLog
from rmqproof.impl.storage.errors import DamagedFile
from rmqproof.impl.storage.files import RealFiles
from rmqproof.impl.storage.message import MAGIC, UNIQUE_KEY, Message, decode_message, encode_message
from rmqproof.impl.storage.simulated_files import SimulatedFiles

FOLDER = Path("/store/commitlog")
SEGMENT = 420


def message(number: int, size: int = 20) -> Message:
    return Message("TopicTest", bytes([number % 256]) * size, {UNIQUE_KEY: f"m{number}"})


def log_of(files: SimulatedFiles, sizes: list[int]) -> CommitLog:
    log = CommitLog(files, FOLDER, SEGMENT)
    for number, size in enumerate(sizes):
        log.append(message(number, size))
    return log


def keys(log: CommitLog) -> list[str]:
    return [log[i].message.key for i in range(len(log))]


SIZES = st.lists(st.integers(0, 250), max_size=12)


def test_record_layout() -> None:
    """RocketMQ's MessageExtEncoder: 91 bytes around body, topic and properties; total size, magic and offset first."""
    record = encode_message(Message("FooBar", b"Once", {"a": "b"}, queue_offset=5), 1580)
    assert len(record) == 91 + 4 + 6 + 4 + 20
    assert record[:8] == len(record).to_bytes(4, "big") + MAGIC.to_bytes(4, "big")
    assert record[20:28] == (5).to_bytes(8, "big")
    assert record[28:36] == (1580).to_bytes(8, "big")
    crc = f"{zlib.crc32(record[:-20]) & 0x7FFFFFFF:010d}"
    assert record[84:] == b"\0\0\0\x04Once\x06FooBar\0\x18a\x01b\x02__CRC32#\x01" + crc[::-1].encode() + b"\x02"


def test_a_record_of_rocketmq_is_read() -> None:
    """Written by a broker process of 5.5.0 with enabledAppendPropCRC=true; `UtilAll.crc32` drops the highest bit."""
    body, topic = b"fourth", b"TopicTest"
    properties = (
        b"MSG_REGION\x01DefaultRegion\x02UNIQ_KEY\x01d4468a1b7b3a\x02CLUSTER\x01DefaultCluster\x02TRACE_ON\x01true\x02"
        b"__CRC32#\x010854468160\x02"
    )
    start = bytes.fromhex(
        "000000d2daa320a777a314700000000000000000000000000000000300000000000001b900000000"
        "000001a2093a7d5b7f00000100009726000001a2093a7d837f0000010000559700000000000000000000000000000006"
    )
    record = start + body + bytes([len(topic)]) + topic + len(properties).to_bytes(2, "big") + properties
    assert len(record) == 210
    message = decode_message(record, 441)
    assert (message.body, message.topic, message.key) == (body, "TopicTest", "d4468a1b7b3a")


@given(st.integers(0, 90 + 4 + 6 + 4 + 20), st.integers(1, 255))
def test_a_changed_byte_of_a_record_is_noticed(place: int, change: int) -> None:
    record = bytearray(encode_message(Message("FooBar", b"Once", {"a": "b"}, queue_offset=5), 1580))
    record[place] ^= change
    with pytest.raises(ValueError):
        decode_message(bytes(record), 1580)


@given(
    st.builds(
        Message,
        topic=st.text(alphabet="abcÄ", max_size=60),
        body=st.binary(max_size=300),
        properties=st.dictionaries(st.text(alphabet="kq", min_size=1), st.text(alphabet="v ü", max_size=9), max_size=3),
        queue_id=st.integers(0, 2**31 - 1),
        queue_offset=st.integers(0, 2**63 - 1),
        born_time=st.integers(0, 2**63 - 1),
        born_host=st.just(("10.1.2.3", 65535)),
    ),
    st.integers(0, 2**63 - 1),
)
def test_message_round_trip(given_message: Message, offset: int) -> None:
    assert decode_message(encode_message(given_message, offset), offset) == given_message


@given(st.binary(max_size=200))
def test_message_arbitrary_bytes(record: bytes) -> None:
    with pytest.raises(ValueError):
        decode_message(record, 0)


@given(SIZES)
def test_messages_come_back_after_a_restart(sizes: list[int]) -> None:
    files = SimulatedFiles()
    log = log_of(files, sizes)
    log.flush()
    found = CommitLog(files.after_machine_crash(), FOLDER, SEGMENT)
    assert keys(found) == keys(log)
    assert [found[i] for i in range(len(found))] == [log[i] for i in range(len(log))]
    assert found.flushed == found.end >= found.end_of(len(found))


@given(SIZES, st.data())
def test_a_slave_that_gets_whole_messages_has_the_same_bytes(sizes: list[int], data: st.DataObject) -> None:
    master = log_of(SimulatedFiles(), sizes)
    slave = CommitLog(SimulatedFiles(), FOLDER, SEGMENT)
    while slave.end < master.end_of(len(master)):
        batch = master.read(slave.end, master.boundary(slave.end, data.draw(st.integers(1, 900))))
        assert slave.append_bytes(slave.end, batch)
    assert keys(slave) == keys(master)
    assert slave.read(0, slave.end) == master.read(0, slave.end)


@given(SIZES.filter(bool), st.data())
def test_truncation_at_a_message_is_durable(sizes: list[int], data: st.DataObject) -> None:
    files = SimulatedFiles()
    log = log_of(files, sizes)
    log.flush()
    count = data.draw(st.integers(0, len(sizes)))
    log.truncate(log.end_of(count))
    found = CommitLog(files.after_machine_crash(), FOLDER, SEGMENT)
    assert keys(found) == keys(log) == [f"m{i}" for i in range(count)]
    found.append(message(99))
    assert keys(found) == [*keys(log), "m99"]


@given(SIZES.filter(bool), st.data())
@settings(max_examples=60)
def test_every_torn_end_is_cut_to_whole_messages(sizes: list[int], data: st.DataObject) -> None:
    files = SimulatedFiles()
    log = log_of(files, sizes)
    last = FOLDER / files.names(FOLDER)[-1]
    content = files.read(last)
    cut = data.draw(st.integers(0, len(content)))
    zeros = data.draw(st.integers(0, SEGMENT - len(content)))
    files.damage(last, content[:cut] + (bytes(zeros) if cut < len(content) else b""))
    found = CommitLog(files, FOLDER, SEGMENT)
    assert keys(found) == keys(log)[: len(found)]
    assert all(log[i].end <= int(last.name) + cut for i in range(len(found)))


def test_a_truncation_that_does_not_erase_comes_back() -> None:
    """As shipped (apache/rocketmq #10666); with messages of other sizes what comes back is cut to whole ones."""
    files = SimulatedFiles()
    log = log_of(files, [20, 20, 20])
    log.truncate(log.end_of(1), erase=False)
    assert keys(log) == ["m0"]
    log.append(message(7))
    log.flush()
    assert keys(CommitLog(files, FOLDER, SEGMENT, residue_allowed=True)) == ["m0", "m7", "m2"]
    log.truncate(log.end_of(1), erase=False)
    log.append(message(8, 5))
    log.flush()
    assert keys(CommitLog(files, FOLDER, SEGMENT, residue_allowed=True)) == ["m0", "m8"]


def test_a_truncation_within_a_message_is_refused() -> None:
    log = log_of(SimulatedFiles(), [20, 20])
    with pytest.raises(ValueError, match=f"offset {log.end - 1} is not the beginning of a message"):
        log.truncate(log.end - 1)
    assert len(log) == 2


def test_a_batch_for_another_place_or_of_half_messages_changes_nothing() -> None:
    master = log_of(SimulatedFiles(), [20, 20])
    slave = CommitLog(SimulatedFiles(), FOLDER, SEGMENT)
    batch = master.read(0, master.end)
    for offset, content, reason in (
        (5, batch, "the batch begins at offset 5, this log ends at 0"),
        (0, batch[:-1], "the batch ends within a message"),
        (0, b"x" * 100, "no message begins at offset 0"),
        (0, batch[:90] + b"x" + batch[91:], "the message at offset 0 is damaged"),
    ):
        with pytest.raises(ValueError, match=reason):
            slave.append_bytes(offset, content)
        assert slave.end == 0


@pytest.mark.parametrize("where", ["first segment", "middle of the last segment", "gap", "foreign name", "too long"])
def test_damage_is_refused_with_the_name_of_the_file(where: str) -> None:
    files = SimulatedFiles()
    log_of(files, [100] * 7)
    names = files.names(FOLDER)
    assert len(names) >= 3
    target = FOLDER / names[0 if where == "first segment" else -1]
    if where == "gap":
        files.remove(FOLDER / names[1])
        target = FOLDER / names[2]
    elif where == "foreign name":
        target = FOLDER / "notes.txt"
        files.damage(target, b"")
    elif where == "too long":
        target = FOLDER / names[0]
        files.damage(target, files.read(target) + b"x")
    else:
        if where == "middle of the last segment":
            names_before = files.read(target)
            files.damage(target, names_before + bytes(SEGMENT - len(names_before)))
        content = bytearray(files.read(target))
        content[90] ^= 1
        if where == "middle of the last segment":
            content[240:250] = b"not zeros!"
        files.damage(target, bytes(content))
    with pytest.raises(DamagedFile) as refused:
        CommitLog(files, FOLDER, SEGMENT)
    assert refused.value.path == target
    assert refused.value.remedy


def test_on_the_real_disk(tmp_path: Path) -> None:
    files = RealFiles()
    log = CommitLog(files, tmp_path / "commitlog", SEGMENT)
    for number in range(9):
        log.append(message(number))
    assert log.flush() == log.end
    log.truncate(log.end_of(7))
    assert len(log.read(0, log.end)) == log.end
    files.close()
    found = CommitLog(RealFiles(), tmp_path / "commitlog", SEGMENT)
    assert keys(found) == [f"m{i}" for i in range(7)]
    assert found.count_before(found[3].start) == 3


def test_an_empty_log_may_begin_with_any_segment() -> None:
    """As a slave of RocketMQ with syncFromLastFile begins (`AutoSwitchHAClient`); it is found again so."""
    files = SimulatedFiles()
    log = CommitLog(files, FOLDER, SEGMENT)
    record = encode_message(message(7), 2 * SEGMENT)
    with pytest.raises(ValueError, match="this log ends at 0"):
        log.append_bytes(SEGMENT + 1, record)
    log.append_bytes(2 * SEGMENT, record)
    assert (log.start, log.end, keys(log)) == (2 * SEGMENT, 2 * SEGMENT + len(record), ["m7"])
    again = CommitLog(files, FOLDER, SEGMENT)
    assert (again.start, again.end, keys(again)) == (log.start, log.end, ["m7"])
    with pytest.raises(ValueError, match="the batch begins at offset"):
        again.append_bytes(5 * SEGMENT, record)
