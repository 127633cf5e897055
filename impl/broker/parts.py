"""Parts of a broker's state, and the batches that it sends."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.impl.core.controller_messages import Members
from rmqproof.impl.core.replication_messages import EpochEntry


@dataclass(frozen=True, slots=True)
class WaitingPut:
    """A producer waits until the log is stored up to `next_offset` (`GroupCommitRequest`)."""

    token: int
    offset: int
    next_offset: int


@dataclass(frozen=True, slots=True)
class MasterInfo:
    """Who leads, as the controller told it in one way or another."""

    epoch: int
    master_id: int
    address: str | None
    sync_state_set: Members
    sync_state_set_epoch: int


@dataclass(frozen=True, slots=True)
class HaConnection:
    """The master's end of a connection (`AutoSwitchHAConnection`). Offsets are -1 until the slave named them."""

    slave_id: int = -1
    async_learner: bool = False
    ack: int = -1
    """slaveAckOffset"""
    next_offset: int = -1
    """nextTransferFromWhere"""
    last_label: int = -1
    """The epoch in the last header."""
    transfer_epoch: int = 0
    """currentTransferEpoch; the repaired transfer chooses anew for every batch and leaves it 0."""
    transfer_end: int = -1
    """currentTransferEpochEndOffset, -1: open."""
    master_end: int = -1
    """lastMasterMaxOffset; the repaired guard does not ask for it and leaves it -1."""


@dataclass(frozen=True, slots=True)
class QueuedProposal:
    """A SyncStateSet that waits to be proposed, and the number of the set that it was computed from."""

    members: Members
    computed_from: int


@dataclass(frozen=True, slots=True)
class Batch:
    """The next bytes for a slave, and the epoch entry that the header names (None: no header)."""

    size: int
    entry: EpochEntry | None
    transfer_epoch: int = 0
    transfer_end: int = -1
