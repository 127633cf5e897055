"""The controller's core: a request, the time and a tie-break in; the answer, events and messages out.

Sources: RIP-44; `ReplicasInfoManager`, `ControllerManager`, `DLedgerController`, `JRaftControllerStateMachine`. The
runtime replicates the inputs, with their time and tie-break, and every node takes the same steps (as with JRaft).
"""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.impl.controller.broker_set import AfterCleaning, BrokerSet, apply_event
from rmqproof.impl.controller.decisions import Decision, decide
from rmqproof.impl.controller.liveness import (
    expired,
    is_alive,
    live_info,
    without,
)
from rmqproof.impl.controller.state import ControllerState
from rmqproof.impl.core.codes import NO_BROKER_ID
from rmqproof.impl.core.controller_io import (
    AlterSyncStateSetEvent,
    BrokerChannelClosed,
    CleanBrokerDataEvent,
    ControllerEvent,
    ControllerInput,
    ControllerOutput,
    ControllerStep,
    ControllerTrace,
    ElectionNeeded,
    ElectMasterEvent,
    InactiveBrokers,
    LeaderChanged,
    Notify,
    ScanInactiveMasters,
)
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    BrokerHeartbeatRequest,
    ElectMasterRequest,
    NotifyBrokerRoleChangedRequest,
)


class Controller(ControllerState):
    """One controller."""

    # --- steps -----------------------------------------------------------------------------------------------------

    def step(self, given: ControllerInput, now: int, order: Sequence[int] = ()) -> ControllerStep:
        """Take one input at the time `now` (milliseconds). `order`: who is preferred among equal candidates."""
        match given:
            case BrokerHeartbeatRequest():
                return self._heartbeat(given, now)
            case InactiveBrokers():
                return self._gone(expired(self.live, now), now)
            case BrokerChannelClosed():
                key = (given.broker_name, given.broker_id)
                return self._gone((key,) if key in self.live else (), now)
            case ScanInactiveMasters():
                found = [name for name in sorted(self.sets) if self.needs_election(name, now)]
                return ControllerStep(outputs=tuple(self._elections(found, now)))
            case LeaderChanged():
                return self._new_leader()
        decision = self.decided(given, now, order)
        if not self.rules.decided_when_applied:
            return ControllerStep(decision.response, _traces(given, decision), decision.events)
        outputs = [*_traces(given, decision)]
        for event in decision.events:
            quiet = isinstance(given, ElectMasterRequest) and given.restarted
            outputs += self.apply(event, notify=not quiet)
        return ControllerStep(decision.response, tuple(outputs))

    def decided(self, request: ControllerInput, now: int, order: Sequence[int]) -> Decision:
        """What is answered to a request and what has to be logged; nothing is changed."""
        return decide(self, request, now, order)

    def applied(self, before: BrokerSet, event: ControllerEvent) -> BrokerSet:
        """The broker set after an event of the log."""
        return apply_event(before, event, self._after_cleaning(before))

    def apply(self, event: ControllerEvent, notify: bool = True) -> list[ControllerOutput]:
        """Apply an event of the log, whatever has happened since it was decided on; whom to notify."""
        after = self.applied(self.broker_set(event.broker_name), event)
        self.sets = {**self.sets, event.broker_name: after}
        outputs: list[ControllerOutput] = []
        if not self.rules.decided_when_applied:
            outputs.append(ControllerTrace("ControllerAppliesEvent", event.broker_name))
        elected = isinstance(event, ElectMasterEvent) and event.new_master_broker_id is not None
        if elected and notify and self.config.notify_broker_role_changed:
            outputs += _notifications(after)
        return outputs

    # --- heartbeats ------------------------------------------------------------------------------------------------

    def _heartbeat(self, request: BrokerHeartbeatRequest, now: int) -> ControllerStep:
        key = (request.broker_name, request.broker_id)
        known = is_alive(self.live, key, now)
        self.live = {**self.live, key: self.rules.kept_heartbeat(self.live.get(key), live_info(request, now))}
        if known:
            return ControllerStep()
        return ControllerStep(outputs=(ControllerTrace("HeartbeatArrives", key[0], (key[1],)),))

    def _gone(self, keys: tuple[tuple[str, int], ...], now: int) -> ControllerStep:
        """Brokers that are given up. If one of them is a master, an election is needed (`onBrokerInactive`)."""
        if not keys:
            return ControllerStep()
        self.live = without(self.live, frozenset(keys))
        outputs: list[ControllerOutput] = [ControllerTrace("HeartbeatExpires", name, (i,)) for name, i in keys]
        masters = {name for name, i in keys if self.broker_set(name).master_broker_id == i}
        return ControllerStep(outputs=(*outputs, *self._elections(sorted(masters), now)))

    def _elections(self, names: Sequence[str], now: int) -> list[ControllerOutput]:
        return [
            ElectionNeeded(ElectMasterRequest(state.cluster_name, name, NO_BROKER_ID))
            for name in names
            for state in (self.broker_set(name),)
            if self.rules.inactive_master_is_found(state, self.is_alive_in(name, now))
        ]

    def _new_leader(self) -> ControllerStep:
        if not self.live:
            return ControllerStep()
        self.live = {}
        return ControllerStep(outputs=(ControllerTrace("ControllerFailsOver", ""),))

    def _after_cleaning(self, state: BrokerSet) -> AfterCleaning:
        rules = self.rules
        return AfterCleaning(
            rules.epoch_after_clean(state),
            rules.sss_epoch_after_clean(state),
            rules.master_after_clean(state),
            rules.sync_state_set_after_clean(state),
            rules.next_id_after_clean(state),
            rules.cleaning_keeps_numbers,
        )


def _notifications(state: BrokerSet) -> list[ControllerOutput]:
    assert state.master_broker_id is not None
    notification = NotifyBrokerRoleChangedRequest(
        state.broker_name,
        state.master_broker_id,
        state.address(state.master_broker_id),
        state.master_epoch,
        state.sync_state_set_epoch,
        state.sync_state_set,
    )
    return [Notify(broker_id, known.address, notification) for broker_id, known in sorted(state.brokers.items())]


def _traces(given: ControllerInput, decision: Decision) -> tuple[ControllerOutput, ...]:
    """What the decision is called in the specification."""
    traces: list[ControllerOutput] = []
    for event in decision.events:
        match given, event:
            case ElectMasterRequest(restarted=True), ElectMasterEvent(new_master_broker_id=int(new)):
                traces.append(ControllerTrace("RestartedBrokerIsElected", event.broker_name, (new,)))
            case ElectMasterRequest(designate_elect=True), ElectMasterEvent(new_master_broker_id=int(new)):
                traces.append(ControllerTrace("AdministratorDesignatesMaster", event.broker_name, (new,)))
            case ElectMasterRequest(broker_id=-1), ElectMasterEvent(new_master_broker_id=int(new)):
                traces.append(ControllerTrace("ControllerElectsMaster", event.broker_name, (new,)))
            case ElectMasterRequest(broker_id=by), ElectMasterEvent(new_master_broker_id=int(new)):
                traces.append(ControllerTrace("BrokerRequestsElection", event.broker_name, (by, new)))
            case _, ElectMasterEvent():
                traces.append(ControllerTrace("ControllerFindsNoMaster", event.broker_name))
            case AlterSyncStateSetRequest(), AlterSyncStateSetEvent():
                traces.append(ControllerTrace("ControllerAcceptsAlter", event.broker_name, (given.master_broker_id,)))
            case _, CleanBrokerDataEvent():
                traces.append(ControllerTrace("MetadataIsCleaned", event.broker_name))
            case _:
                pass
    if isinstance(given, AlterSyncStateSetRequest) and not decision.events:
        traces.append(ControllerTrace("ControllerRejectsAlter", given.broker_name, (given.master_broker_id,)))
    return tuple(traces)
