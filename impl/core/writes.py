"""What a broker core wants done to its disk. The runtime does them in the order in which a step gives them, each one
durable before the next and before any packet of the same step leaves (`AppendLog` is durable with the next flush).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rmqproof.impl.core.replication_messages import EpochFile


@dataclass(frozen=True, slots=True)
class AppendLog:
    """Append `body` at `offset`, which is the log's end. `flush`: not done before it is on the disk (SYNC_FLUSH)."""

    offset: int
    body: bytes
    flush: bool


@dataclass(frozen=True, slots=True)
class FlushLog:
    """Flush the log up to `offset` some time soon, and tell the core with `LogFlushed`."""

    offset: int


@dataclass(frozen=True, slots=True)
class TruncateLog:
    """Cut the log to `offset` bytes. `erase`: nothing behind it may come back after a crash."""

    offset: int
    erase: bool


@dataclass(frozen=True, slots=True)
class WriteEpochFile:
    """Replace the whole file; also by an empty one."""

    entries: EpochFile


@dataclass(frozen=True, slots=True)
class WriteCheckpoint:
    confirm_offset: int


@dataclass(frozen=True, slots=True)
class WriteTemporaryIdentity:
    """`brokerIdentity-temp`: the id that the broker applies for."""

    cluster_name: str
    broker_name: str
    broker_id: int
    register_check_code: str


@dataclass(frozen=True, slots=True)
class WriteIdentity:
    """`brokerIdentity`: the id that the broker owns."""

    cluster_name: str
    broker_name: str
    broker_id: int


@dataclass(frozen=True, slots=True)
class DeleteTemporaryIdentity:
    pass


Write: TypeAlias = (
    AppendLog
    | FlushLog
    | TruncateLog
    | WriteEpochFile
    | WriteCheckpoint
    | WriteTemporaryIdentity
    | WriteIdentity
    | DeleteTemporaryIdentity
)


@dataclass(frozen=True, slots=True)
class StoredBroker:
    """What recovery found on a broker's disk. `log_end`: the end of the last whole message, now flushed."""

    log_end: int = 0
    epoch_file: EpochFile = ()
    confirm_offset: int = 0
    led_before: bool = False
    """It was master in an earlier life. No rule of today asks for it (#6508 did)."""
