"""A broker's disk, and what the writes of its core do to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rmqproof.impl.core.broker_outputs import BrokerOutput
from rmqproof.impl.core.replication_messages import EpochFile
from rmqproof.impl.core.writes import AppendLog, FlushLog, StoredBroker, TruncateLog, WriteCheckpoint, WriteEpochFile


@dataclass(frozen=True, slots=True)
class Disk:
    """A message is one byte, its id; so offsets are numbers of messages."""

    log: bytes = b""
    flushed: int = 0
    epoch_file: EpochFile = ()
    confirm_offset: int = 0
    residue: bytes = b""
    """Bytes behind the end of the log that a truncation left there."""
    identity: bool = True

    def after(self, output: BrokerOutput) -> Disk:
        """The disk after a write; other outputs leave it as it is."""
        match output:
            case AppendLog():
                if output.offset != len(self.log):
                    raise ValueError(f"a log of {len(self.log)} bytes cannot be continued at {output.offset}")
                log = self.log + output.body
                flushed = len(log) if output.flush else self.flushed
                return replace(self, log=log, flushed=flushed, residue=self.residue[len(output.body) :])
            case FlushLog():
                return self  # it happens when `flush` is called
            case TruncateLog():
                log = self.log[: output.offset]
                residue = b"" if output.erase else self.log[output.offset :] + self.residue
                return replace(self, log=log, flushed=min(self.flushed, len(log)), residue=residue)
            case WriteEpochFile():
                return replace(self, epoch_file=output.entries)
            case WriteCheckpoint():
                return replace(self, confirm_offset=output.confirm_offset)
        return self

    def flush(self) -> Disk:
        return replace(self, flushed=len(self.log))

    def lose_tail(self, kept: int) -> Disk:
        """The machine fails; of the bytes that were not flushed the first ones are left, and a hole behind them."""
        return replace(self, log=self.log[:kept], flushed=kept, residue=b"")

    def recover(self) -> tuple[Disk, StoredBroker]:
        """What a starting process finds: every whole message counts, also behind where the log was cut in memory."""
        log = self.log + self.residue
        disk = replace(self, log=log, flushed=len(log), residue=b"")
        return disk, StoredBroker(len(log), self.epoch_file, self.confirm_offset)
