"""One broker: its state, and one step after the other.

`Broker.step` takes what happened and returns what is to be done, in order. There is no clock, no chance, no disk.
Sources: `ReplicasManager`, `AutoSwitchHAService`, `CommitLog`, RIP-44.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.impl.broker import ha_client, ha_server, puts, roles, sync_state_set
from rmqproof.impl.broker.config import BrokerConfig
from rmqproof.impl.broker.rules import BrokerRules, BrokerState
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import controller_messages as controller
from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.broker_outputs import BrokerOutput, Event
from rmqproof.impl.core.writes import StoredBroker


class Broker(BrokerState):
    """Made by `start`."""

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
        return broker, broker.taken()

    def step(self, given: BrokerInput) -> list[BrokerOutput]:
        """What is to be done because of `given`, in this order. What does not apply here changes nothing."""
        _STEPS[type(given)](self, given)
        return self.taken()


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
