"""The step in which a recorded broker was killed: its writes are done, or some of them, and its line is missing.

The line of a step comes after its writes and before anything of it leaves the node. So a kill in between leaves a disk
that no line explains. Before the writes of a step the broker therefore notes here what they will change; the next life
finds a note without a line, looks what the disk holds, and

- writes the line, if the disk shows that the step was taken. Writes of it that are still to come, the epoch file and
  the confirmOffset, are done first: the specification takes the step as a whole.
- undoes the new epoch of a batch of which nothing was appended; then nothing of the step is left.

A note is a line of JSON in `traces/<node>.pending`, written at once, so that a kill leaves the whole of it, or a torn
one, and then no write of the step was begun. Without a trace there are no notes: recovery alone decides.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmqproof.impl.core.replication_messages import EpochEntry, EpochFile
from rmqproof.impl.core.writes import WriteCheckpoint, WriteEpochFile
from rmqproof.impl.runtime.events import Trace
from rmqproof.impl.storage.broker_store import BrokerStore


@dataclass(frozen=True)
class OnDisk:
    """What the writes of a step can change. Offsets in bytes."""

    log_end: int
    epoch_file: EpochFile
    confirm_offset: int

    def record(self) -> list[Any]:
        return [self.log_end, [[e.epoch, e.start_offset] for e in self.epoch_file], self.confirm_offset]


def _on_disk(record: Sequence[Any]) -> OnDisk:
    log_end, entries, confirm_offset = record
    return OnDisk(log_end, tuple(EpochEntry(*entry) for entry in entries), confirm_offset)


@dataclass(frozen=True)
class PendingStep:
    """A step before its first write. `sequence` is the number that its first line will have."""

    sequence: int
    action: str | None
    arguments: tuple[Any, ...]
    received: tuple[str, ...]
    link: str
    before: OnDisk
    after: OnDisk

    def line(self) -> bytes:
        record = {**self.__dict__, "before": self.before.record(), "after": self.after.record()}
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def pending_step(content: bytes) -> PendingStep | None:
    """The note in a file; None if there is none, or a torn one."""
    first, end, _ = content.partition(b"\n")
    if not end:
        return None
    try:
        found = json.loads(first)
    except ValueError:
        return None
    return PendingStep(
        found["sequence"],
        found["action"],
        tuple(found["arguments"]),
        tuple(found["received"]),
        found["link"],
        _on_disk(found["before"]),
        _on_disk(found["after"]),
    )


class PendingSteps:
    """The notes of one node, in one file."""

    def __init__(self, trace_file: Path) -> None:
        self._path = trace_file.with_suffix(".pending")
        self._descriptor: int | None = None

    def begin(self, step: PendingStep) -> None:
        """Note a step whose first write comes next."""
        if self._descriptor is None:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        line = step.line()
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, line, 0)

    def unwritten(self, trace: Trace) -> PendingStep | None:
        """The step that was begun and has no line."""
        try:
            found = pending_step(self._path.read_bytes())
        except FileNotFoundError:
            return None
        return found if found is not None and found.sequence > trace.sequence else None

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def settle(step: PendingStep, store: BrokerStore, trace: Trace) -> None:
    """Complete or undo what a killed process had begun, and write its line if the step was taken."""
    if not _was_taken(step, store):
        if store.stored().epoch_file != step.before.epoch_file:
            store.do(WriteEpochFile(step.before.epoch_file))
        return
    if store.stored().epoch_file != step.after.epoch_file:
        store.do(WriteEpochFile(step.after.epoch_file))
    confirm_offset = min(step.after.confirm_offset, store.log.end)
    if store.stored().confirm_offset != confirm_offset:
        store.do(WriteCheckpoint(confirm_offset))
    log = store.log
    detail: dict[str, Any] = {"written": "by the next life"}
    if step.after.log_end > step.before.log_end:
        first = log.count_before(step.before.log_end)
        detail["ids"] = [log[i].message.key for i in range(first, len(log))]
    trace.write(
        step.action, step.arguments, received=step.received, state={"link": step.link, **_state(store)}, detail=detail
    )


def _was_taken(step: PendingStep, store: BrokerStore) -> bool:
    """The log is written before the confirmOffset, and cut before the epoch file; a batch's epoch is written before its
    bytes. A log that is cut in memory only (as shipped) does not show it."""
    before, after, found = step.before, step.after, store.stored()
    if after.log_end > before.log_end:
        return found.log_end > before.log_end
    if found.log_end < before.log_end:
        return True
    return (before.epoch_file != after.epoch_file == found.epoch_file) or (
        before.confirm_offset != after.confirm_offset == found.confirm_offset
    )


def _state(store: BrokerStore) -> Mapping[str, Any]:
    """What the disk holds, as the specification's `disk` has it; how much was flushed is not known."""
    log, found = store.log, store.stored()
    last = log[len(log) - 1] if len(log) else None
    epochs = [e.epoch for e in found.epoch_file if last is not None and e.start_offset <= last.start]
    return {
        "disk": {
            "logEnd": len(log),
            "lastEntry": None if last is None else {"id": last.message.key, "epoch": epochs[-1] if epochs else 0},
            "epochFile": [{"epoch": e.epoch, "start": log.count_before(e.start_offset)} for e in found.epoch_file],
            "confirm": log.count_before(found.confirm_offset),
        }
    }
