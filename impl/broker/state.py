"""What a broker's core knows: what its disk holds, its role, both ends of replication; and how that is changed.

Offsets and the epoch file here mirror what the disk holds once the writes of the steps are done.
Sources: `ReplicasManager`, `AutoSwitchHAService`, `CommitLog`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from rmqproof.impl.broker.config import BrokerConfig, FlushDiskType, Role
from rmqproof.impl.broker.parts import HaConnection, QueuedProposal, WaitingPut
from rmqproof.impl.core.broker_outputs import BrokerOutput
from rmqproof.impl.core.codes import ConnectionState
from rmqproof.impl.core.controller_messages import Members
from rmqproof.impl.core.replication_messages import EpochFile
from rmqproof.impl.core.writes import AppendLog, FlushLog, TruncateLog, WriteCheckpoint, WriteEpochFile

NOBODY: Members = frozenset()


class BrokerData:
    """A broker without the rules that it follows. Attributes hold immutable values only, so a copy is shallow."""

    fixed: ClassVar[frozenset[str]] = frozenset({"config", "_out"})
    """Attributes that are no state."""

    def __init__(self, config: BrokerConfig) -> None:
        self.config = config
        # What the disk holds.
        self.log_end = 0
        """maxPhyOffset, in bytes."""
        self.flushed = 0
        """All bytes before it survive a crash of the machine."""
        self.epoch_file: EpochFile = ()
        self.confirm_offset = 0
        # What the process knows.
        self.role = Role.FENCED
        self.master_epoch = 0
        self.master_id: int | None = None
        self.master_address: str | None = None
        self.sync_state_set: Members = NOBODY
        """As the controller confirmed it last (the Java's local set)."""
        self.sync_state_set_epoch = 0
        self.pending: Members = NOBODY
        """The union of all proposals that are not resolved (the Java's remote set holds the last one)."""
        self.queue: tuple[QueuedProposal, ...] = ()
        self.waiting: tuple[WaitingPut, ...] = ()
        self.unknown_restart = False
        """A controller that knows no restarted brokers, as the Java's, has answered that this one still leads."""
        self.silent = False
        """Until that controller has missed this broker, it sends no heartbeats."""
        # Both ends of replication.
        self.client_state = ConnectionState.READY
        self.reported_offset = -1
        """The last offset that this slave acknowledged on its connection."""
        self.connections: Mapping[int, HaConnection] = {}
        """By the runtime's number; the newest last."""
        self._out: list[BrokerOutput] = []

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new._out = []
        return new

    def state(self) -> dict[str, Any]:
        """What changes, by attribute: plain data."""
        return {name: value for name, value in self.__dict__.items() if name not in self.fixed}

    def set_state(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)

    def taken(self) -> list[BrokerOutput]:
        out, self._out = self._out, []
        return out

    # --- reading ---------------------------------------------------------------------------------------------------

    @property
    def id(self) -> int:
        return self.config.broker_id

    @property
    def union(self) -> Members:
        """The confirmed set and every unresolved proposal: whichever of them the controller has stored, its members
        are in here."""
        return self.sync_state_set | self.pending

    def connection_of(self, slave_id: int) -> HaConnection | None:
        """The newest connection of a slave."""
        found = None
        for connection in self.connections.values():
            if connection.slave_id == slave_id:
                found = connection
        return found

    def acks(self) -> dict[int, int]:
        """The acknowledged offset of every connected slave, on its newest connection."""
        return {c.slave_id: c.ack for c in self.connections.values() if c.slave_id >= 0}

    @property
    def copies_from(self) -> int | None:
        """The broker whose log this slave copies now."""
        return self.master_id if self.client_state is ConnectionState.TRANSFER else None

    # --- changing --------------------------------------------------------------------------------------------------

    def emit(self, output: BrokerOutput) -> None:
        self._out.append(output)

    def append(self, body: bytes) -> None:
        sync = self.config.flush_disk_type is FlushDiskType.SYNC_FLUSH
        self.emit(AppendLog(self.log_end, body, sync))
        self.log_end += len(body)
        if sync:
            self.flushed = self.log_end
        else:
            self.emit(FlushLog(self.log_end))

    def truncate(self, offset: int, erase: bool) -> None:
        if offset >= self.log_end:
            return
        self.emit(TruncateLog(offset, erase))
        self.log_end = offset
        self.flushed = min(self.flushed, offset)
        self.set_confirm_offset(min(self.confirm_offset, offset))

    def write_epoch_file(self, file: EpochFile) -> bool:
        """Whether it is another one."""
        if file == self.epoch_file:
            return False
        self.epoch_file = file
        self.emit(WriteEpochFile(file))
        return True

    def set_confirm_offset(self, offset: int) -> None:
        if offset != self.confirm_offset:
            self.confirm_offset = offset
            self.emit(WriteCheckpoint(offset))
