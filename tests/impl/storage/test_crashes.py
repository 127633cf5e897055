"""A crash at every single write leaves a store that can be read, with the old content or the new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.impl.core.replication_messages import EpochEntry
from rmqproof.impl.storage.checkpoint import Checkpoint, CheckpointFile
from rmqproof.impl.storage.commit_log import CommitLog
from rmqproof.impl.storage.epoch_file import EpochFile
from rmqproof.impl.storage.identity import Identity, IdentityFiles
from rmqproof.impl.storage.simulated_files import Choose, Crash, SimulatedFiles, everything, nothing
from tests.impl.storage.test_commit_log import message

STORE = Path("/store")
SEGMENT = 300
IDENTITY = Identity("c", "b", 1, "127.0.0.1:9;17")


class Life:
    """A store at work, and what may be found of it after a crash."""

    def __init__(self, files: SimulatedFiles) -> None:
        self.files = files
        self.epoch_lists: list[list[EpochEntry]] = [[]]
        self.checkpoints: list[Checkpoint] = [Checkpoint()]
        self.keys: list[str] = []
        self.kept = 0

    def store_epochs(self, entries: list[EpochEntry]) -> None:
        self.epoch_lists.append(entries)
        EpochFile(self.files, STORE / "epochs").store(entries)
        self.epoch_lists = [entries]

    def store_checkpoint(self, checkpoint: Checkpoint) -> None:
        self.checkpoints.append(checkpoint)
        CheckpointFile(self.files, STORE / "checkpoint").store(checkpoint)
        self.checkpoints = [checkpoint]

    def run(self) -> None:
        identity = IdentityFiles(self.files, STORE)
        identity.store_temporary(IDENTITY)
        identity.store(IDENTITY)
        log = CommitLog(self.files, STORE / "commitlog", SEGMENT)
        self.store_epochs([EpochEntry(1, 0)])
        for number in range(6):
            self.keys.append(f"m{number}")
            log.append(message(number))
            if number % 2:
                log.flush()
                self.kept = len(log)
        self.store_checkpoint(Checkpoint(confirm_offset=log.end))
        self.store_epochs([EpochEntry(1, 0), EpochEntry(2, log.end)])
        self.kept = 2
        log.truncate(log.end_of(2))
        self.keys = self.keys[:2]
        self.store_epochs([EpochEntry(1, 0)])
        for number in (7, 8, 9):
            self.keys.append(f"m{number}")
            log.append(message(number))
        log.flush()
        self.kept = len(log)
        self.store_epochs([])
        self.store_checkpoint(Checkpoint(confirm_offset=0))
        self.kept = 0
        log.truncate(0)

    def check(self, found: SimulatedFiles) -> None:
        assert EpochFile(found, STORE / "epochs").load() in self.epoch_lists
        assert CheckpointFile(found, STORE / "checkpoint").load() in self.checkpoints
        identity = IdentityFiles(found, STORE)
        assert identity.load() in (None, Identity("c", "b", 1))
        assert identity.load_temporary() in (None, IDENTITY)
        log = CommitLog(found, STORE / "commitlog", SEGMENT)
        keys = [log[i].message.key for i in range(len(log))]
        assert len(keys) >= self.kept
        assert keys == [f"m{i}" for i in range(len(keys))] or keys == self.keys[: len(keys)]


def operations() -> int:
    files = SimulatedFiles()
    Life(files).run()
    return files.operations


OPERATIONS = operations()


def crashed(at: int) -> Life:
    life = Life(SimulatedFiles(crash_at=at))
    with pytest.raises(Crash):
        life.run()
    return life


@pytest.mark.parametrize("survives", [nothing, everything, lambda count: count // 2], ids=["nothing", "all", "half"])
def test_a_crash_at_every_write_leaves_a_readable_store(survives: Choose) -> None:
    assert OPERATIONS >= 80
    for at in range(1, OPERATIONS + 1):
        life = crashed(at)
        life.check(life.files.after_machine_crash(survives))


@given(st.integers(1, OPERATIONS), st.data())
@settings(max_examples=80, deadline=None)
def test_whatever_part_of_the_unsynchronized_writes_survives(at: int, data: st.DataObject) -> None:
    life = crashed(at)
    life.check(life.files.after_machine_crash(lambda count: data.draw(st.integers(0, count))))


@pytest.mark.parametrize("survives", [nothing, lambda count: count // 2], ids=["nothing", "half"])
def test_what_was_flushed_is_there(survives: Choose) -> None:
    """The unflushed tail is lost and nothing else."""
    files = SimulatedFiles()
    log = CommitLog(files, STORE, SEGMENT)
    for number in range(5):
        log.append(message(number))
    log.flush()
    for number in range(5, 9):
        log.append(message(number))
    found = CommitLog(files.after_machine_crash(survives), STORE, SEGMENT)
    assert 5 <= len(found) < 9


def test_the_test_notices_a_file_that_is_written_in_place() -> None:
    """The way RocketMQ writes it (string2File): a crash between the truncation and the write leaves no epoch file."""

    def in_place(files: SimulatedFiles, entries: list[EpochEntry]) -> None:
        file = EpochFile(files, STORE / "epochs")
        content = f"{len(entries)}\n".encode()
        files.write(file.path, b"")
        files.write_at(file.path, 0, content)

    found = _readable_after_any_crash(in_place)
    assert not found


def _readable_after_any_crash(store: Callable[[SimulatedFiles, list[EpochEntry]], None]) -> bool:
    for at in range(1, 20):
        files = SimulatedFiles(crash_at=at)
        try:
            store(files, [EpochEntry(1, 0)])
        except Crash:
            pass
        else:
            return True
        try:
            EpochFile(files.after_process_crash(), STORE / "epochs").load()
        except Exception:
            return False
    return True
