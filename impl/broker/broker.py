"""One broker: its state, and one step after the other.

`Broker.step` takes what happened and returns what is to be done, in order. There is no clock, no chance, no disk: the
offsets and the epoch file here mirror what the disk holds once the writes of the steps are done.
Sources: `ReplicasManager`, `AutoSwitchHAService`, `CommitLog`, RIP-44.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.impl.broker import ha_client, ha_server, puts, roles, sync_state_set
from rmqproof.impl.broker.config import BrokerConfig, FlushDiskType, Role
from rmqproof.impl.broker.parts import HaConnection, QueuedProposal, WaitingPut
from rmqproof.impl.broker.rules import BrokerRules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import controller_messages as controller
from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.broker_outputs import BrokerOutput, Event
from rmqproof.impl.core.codes import ConnectionState
from rmqproof.impl.core.controller_messages import Members
from rmqproof.impl.core.replication_messages import EpochFile
from rmqproof.impl.core.writes import AppendLog, FlushLog, StoredBroker, TruncateLog, WriteCheckpoint, WriteEpochFile

NOBODY: Members = frozenset()


class Broker:
    """Attributes hold immutable values only, so a copy is shallow. Made by `start`."""

    def __init__(self, config: BrokerConfig, rules: BrokerRules) -> None:
        self.config, self.rules = config, rules
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
        # Both ends of replication.
        self.client_state = ConnectionState.READY
        self.reported_offset = -1
        """The last offset that this slave acknowledged on its connection."""
        self.connections: Mapping[int, HaConnection] = {}
        """By the runtime's number; the newest last."""
        self._out: list[BrokerOutput] = []

    @classmethod
    def start(
        cls, config: BrokerConfig, rules: BrokerRules, stored: StoredBroker | None = None
    ) -> tuple[Broker, list[BrokerOutput]]:
        """A process begins with what recovery found, and waits, fenced, for the controller."""
        found = stored if stored is not None else StoredBroker()
        broker = cls(config, rules)
        broker.log_end = broker.flushed = found.log_end
        broker.epoch_file, broker.confirm_offset = found.epoch_file, found.confirm_offset
        broker.write_epoch_file(rules.epoch_file_after_restart(found.epoch_file, found.log_end))
        broker.set_confirm_offset(rules.confirm_after_restart(found.confirm_offset, found.log_end))
        rules.role_after_restart(broker, found.led_before)
        broker.emit(Event("BrokerRestarts", (broker.id,)))
        return broker, broker._taken()

    def step(self, given: BrokerInput) -> list[BrokerOutput]:
        """What is to be done because of `given`, in this order. What does not apply here changes nothing."""
        _STEPS[type(given)](self, given)
        return self._taken()

    def copy(self) -> Broker:
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new._out = []
        return new

    def state(self) -> dict[str, Any]:
        """What changes, by attribute: plain data."""
        return {name: value for name, value in self.__dict__.items() if name not in _FIXED}

    def set_state(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)

    def _taken(self) -> list[BrokerOutput]:
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


_FIXED = frozenset({"config", "rules", "_out"})

_STEPS: Mapping[type, Any] = {
    inputs.Register: roles.register,
    inputs.PollController: roles.poll_controller,
    inputs.SendHeartbeat: roles.send_heartbeat,
    inputs.ContinuePromotion: roles.continue_promotion,
    controller.RegisterBrokerResponse: roles.on_registered,
    controller.GetReplicaInfoResponse: roles.on_replica_info,
    controller.ElectMasterResponse: roles.on_elected,
    controller.NotifyBrokerRoleChangedRequest: roles.on_notice,
    controller.AlterSyncStateSetResponse: sync_state_set.on_altered,
    inputs.ExpandSyncStateSet: sync_state_set.expand,
    inputs.ShrinkSyncStateSet: sync_state_set.shrink,
    inputs.SendQueuedProposal: sync_state_set.send_queued,
    inputs.CheckWaitingPuts: puts.check_waiting,
    inputs.Put: puts.put,
    inputs.PutTimedOut: puts.timed_out,
    inputs.Read: puts.read,
    inputs.LogFlushed: puts.on_flushed,
    inputs.ConnectToMaster: ha_client.connect,
    inputs.MasterConnected: ha_client.on_connected,
    inputs.MasterDisconnected: ha_client.on_disconnected,
    inputs.FromMaster: ha_client.on_packet,
    inputs.ReportOffset: ha_client.report,
    inputs.SlaveConnected: ha_server.on_connected,
    inputs.SlaveDisconnected: ha_server.on_disconnected,
    inputs.FromSlave: ha_server.on_packet,
    inputs.SendBatch: ha_server.send_batch,
    inputs.SendConfirmOffset: ha_server.send_confirm_offset,
}
