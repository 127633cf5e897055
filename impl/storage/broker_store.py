"""The store of one broker: opens all files, and does the writes that the core asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rmqproof.impl.core.writes import (
    AppendLog,
    DeleteTemporaryIdentity,
    FlushLog,
    StoredBroker,
    TruncateLog,
    Write,
    WriteCheckpoint,
    WriteEpochFile,
    WriteIdentity,
    WriteTemporaryIdentity,
)
from rmqproof.impl.storage import checkpoint, epoch_file
from rmqproof.impl.storage.checkpoint import CheckpointFile
from rmqproof.impl.storage.commit_log import DEFAULT_SEGMENT_SIZE, CommitLog
from rmqproof.impl.storage.epoch_file import EpochFile
from rmqproof.impl.storage.files import Files
from rmqproof.impl.storage.identity import Identity, IdentityFiles


class BrokerStore:
    """DamagedFile on opening if one of the files cannot be trusted."""

    def __init__(
        self,
        files: Files,
        folder: Path,
        segment_size: int = DEFAULT_SEGMENT_SIZE,
        residue_allowed: bool = False,
        log: CommitLog | None = None,
    ) -> None:
        """`log`: where it is known what recovery would find in its files."""
        self.files = files
        self.folder = folder
        files.make_folder(folder)
        self.identity = IdentityFiles(files, folder)
        self._epochs = EpochFile(files, folder / epoch_file.NAME)
        self._checkpoints = CheckpointFile(files, folder / checkpoint.NAME)
        self._checkpoint = self._checkpoints.load()
        self._checkpoint_is_durable = True
        self._entries = tuple(self._epochs.load())
        self.log = log if log is not None else CommitLog(files, folder / "commitlog", segment_size, residue_allowed)

    def stored(self) -> StoredBroker:
        """What recovery found."""
        return StoredBroker(self.log.end, self._entries, self._checkpoint.confirm_offset)

    def do(self, write: Write) -> None:
        """When this returns, the write is durable; an `AppendLog` without flush after the next `log.flush`, a
        checkpoint after the next `save_checkpoint`."""
        match write:
            case AppendLog():
                self.log.append_bytes(write.offset, write.body)
                if write.flush:
                    self.log.flush()
            case FlushLog():
                pass
            case TruncateLog():
                self.log.truncate(write.offset, write.erase)
            case WriteEpochFile():
                self._epochs.store(write.entries)
                self._entries = write.entries
            case WriteCheckpoint():
                self._checkpoint = replace(self._checkpoint, confirm_offset=write.confirm_offset)
                self._checkpoints.store(self._checkpoint, durable=False)
                self._checkpoint_is_durable = False
            case WriteTemporaryIdentity():
                self.identity.store_temporary(
                    Identity(write.cluster_name, write.broker_name, write.broker_id, write.register_check_code)
                )
            case WriteIdentity():
                self.identity.store(Identity(write.cluster_name, write.broker_name, write.broker_id))
            case DeleteTemporaryIdentity():
                self.identity.delete_temporary()

    def save_checkpoint(self) -> None:
        """Once a second, and at the end."""
        if not self._checkpoint_is_durable:
            self._checkpoint = replace(self._checkpoint, master_flushed=self.log.flushed)
            self._checkpoints.store(self._checkpoint)
            self._checkpoint_is_durable = True

    def close(self) -> None:
        self.log.flush()
        self.save_checkpoint()
        self.files.close()
