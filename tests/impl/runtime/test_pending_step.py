"""Every point at which a kill can end a step: what the next life makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from rmqproof.impl.core.replication_messages import EpochEntry
from rmqproof.impl.core.writes import AppendLog, TruncateLog, Write, WriteCheckpoint, WriteEpochFile
from rmqproof.impl.runtime.events import Event, Trace, events_in
from rmqproof.impl.runtime.pending_step import OnDisk, PendingStep, PendingSteps, pending_step, settle
from rmqproof.impl.storage.broker_store import BrokerStore
from rmqproof.impl.storage.files import RealFiles
from rmqproof.impl.storage.message import UNIQUE_KEY, Message, encode_message

FIRST, SECOND = EpochEntry(1, 0), EpochEntry(2, 0)


def record(key: str, offset: int) -> bytes:
    return encode_message(Message(topic="T", body=b"x", properties={UNIQUE_KEY: key}), offset)


SIZE = len(record("m1", 0))


@dataclass(frozen=True)
class Case:
    """A step: its writes in their order; `taken`: how many must be done for the step to count as taken."""

    action: str
    writes: tuple[Write, ...]
    taken: int


CASES = {
    "put": Case("AppendPut", (AppendLog(SIZE, record("m2", SIZE), False),), 1),
    "batch": Case(
        "SlaveAppendsBatch",
        (
            WriteEpochFile((FIRST, EpochEntry(3, SIZE))),
            AppendLog(SIZE, record("m2", SIZE), False),
            WriteCheckpoint(2 * SIZE),
        ),
        2,
    ),
    "header": Case("SlaveAppendsBatch", (WriteEpochFile((FIRST, EpochEntry(3, SIZE))),), 1),
    "truncation": Case(
        "SlaveConnectsAndTruncates", (TruncateLog(0, True), WriteCheckpoint(0), WriteEpochFile((SECOND,))), 1
    ),
    "truncation in memory": Case("SlaveConnectsAndTruncates", (TruncateLog(0, False), WriteEpochFile((SECOND,))), 2),
    "acknowledgement": Case("MasterReceivesAck", (WriteCheckpoint(0),), 1),
}


def begin(folder: Path) -> BrokerStore:
    """One message of epoch 1, confirmed."""
    store = BrokerStore(RealFiles(), folder / "store", residue_allowed=True)
    store.do(WriteEpochFile((FIRST,)))
    store.do(AppendLog(0, record("m1", 0), True))
    store.do(WriteCheckpoint(SIZE))
    return store


def on_disk(store: BrokerStore) -> OnDisk:
    found = store.stored()
    return OnDisk(store.log.end, found.epoch_file, found.confirm_offset)


def after(case: Case, folder: Path) -> OnDisk:
    store = begin(folder)
    for write in case.writes:
        store.do(write)
    return on_disk(store)


@pytest.mark.parametrize(
    ("name", "done"), [(name, done) for name, case in CASES.items() for done in range(len(case.writes) + 1)]
)
def test_a_step_is_whole_or_nothing(name: str, done: int, tmp_path: Path) -> None:
    case, trace_file = CASES[name], tmp_path / "b1.ndjson"
    store, trace = begin(tmp_path), Trace("b1", trace_file)
    trace.write(None)
    before, whole = on_disk(store), after(case, tmp_path / "whole")
    step = PendingStep(2, case.action, ("b1",), ("x",), "b2", before, whole)
    PendingSteps(trace_file).begin(step)
    for write in case.writes[:done]:
        store.do(write)

    again, next_life = BrokerStore(RealFiles(), tmp_path / "store", residue_allowed=True), Trace("b1", trace_file)
    found = PendingSteps(trace_file).unwritten(next_life)
    assert found == step
    settle(found, again, next_life)
    lines = list(events_in(trace_file))
    if done < case.taken:
        assert len(lines) == 1
        assert on_disk(again) == before
    else:
        assert (lines[-1].action, lines[-1].sequence, lines[-1].received) == (case.action, 2, ("x",))
        found_now = on_disk(again)
        assert (found_now.epoch_file, found_now.confirm_offset) == (whole.epoch_file, whole.confirm_offset)
        assert lines[-1].state["link"] == "b2" and lines[-1].state["disk"]["logEnd"] == len(again.log)
    assert PendingSteps(trace_file).unwritten(Trace("b1", trace_file)) == (step if done < case.taken else None)


def test_a_part_of_a_batch_is_a_smaller_batch(tmp_path: Path) -> None:
    """A kill can cut a write to a file short; recovery keeps whole messages."""
    store, trace = begin(tmp_path), Trace("b1", tmp_path / "b1.ndjson")
    body = record("m2", SIZE) + record("m3", 2 * SIZE)
    whole = OnDisk(3 * SIZE, (FIRST,), 3 * SIZE)
    step = PendingStep(1, "SlaveAppendsBatch", ("b1",), (), "b2", on_disk(store), whole)
    store.do(AppendLog(SIZE, body[:SIZE], False))
    settle(step, store, trace)
    (line,) = list(events_in(tmp_path / "b1.ndjson"))
    assert line.detail["ids"] == ["m2"] and on_disk(store).confirm_offset == 2 * SIZE


def test_a_torn_note_and_one_with_its_line_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "b1.ndjson"
    step = PendingStep(1, None, (), (), "NoBroker", OnDisk(0, (), 0), OnDisk(1, (), 0))
    assert pending_step(step.line()) == step
    assert pending_step(step.line()[:-1]) is None and pending_step(b"{\n") is None and pending_step(b"") is None
    assert PendingSteps(path).unwritten(Trace("b1", path)) is None
    pending = PendingSteps(path)
    pending.begin(PendingStep(1, "x" * 500, (), (), "NoBroker", OnDisk(0, (), 0), OnDisk(1, (), 0)))
    pending.begin(step)
    assert pending.unwritten(Trace("b1", path)) == step
    trace = Trace("b1", path)
    trace.write("AppendPut")
    assert pending.unwritten(trace) is None
    pending.close()
    assert isinstance(next(events_in(path)), Event)
