"""What the events of the controller's log add up to, per broker name (`ReplicasInfoManager`, RIP-44)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rmqproof.impl.core.codes import FIRST_BROKER_CONTROLLER_ID
from rmqproof.impl.core.controller_io import (
    AlterSyncStateSetEvent,
    ApplyBrokerIdEvent,
    CleanBrokerDataEvent,
    ControllerEvent,
    ElectMasterEvent,
    UpdateBrokerAddressEvent,
)
from rmqproof.impl.core.controller_messages import Members


@dataclass(frozen=True, slots=True)
class BrokerIdentity:
    """Who holds a brokerId. The address may change, the check code identifies the holder."""

    address: str
    register_check_code: str
    async_learner: bool = False


@dataclass(frozen=True, slots=True)
class BrokerSet:
    """`BrokerReplicaInfo` and `SyncStateInfo` of one broker name.

    `registered` is False for a set that was cleaned: then only what must not be given out twice is left.
    """

    cluster_name: str
    broker_name: str
    registered: bool = False
    next_assign_broker_id: int = FIRST_BROKER_CONTROLLER_ID
    brokers: Mapping[int, BrokerIdentity] = field(default_factory=dict)
    master_epoch: int = 0
    sync_state_set_epoch: int = 0
    sync_state_set: Members = frozenset()
    master_broker_id: int | None = None

    def address(self, broker_id: int | None) -> str | None:
        known = self.brokers.get(broker_id) if broker_id is not None else None
        return known.address if known is not None else None

    def learners(self) -> Members:
        return frozenset(broker_id for broker_id, known in self.brokers.items() if known.async_learner)


@dataclass(frozen=True, slots=True)
class AfterCleaning:
    """What cleaning a whole broker set leaves (rules EpochAfterClean and so on)."""

    master_epoch: int
    sync_state_set_epoch: int
    master_broker_id: int | None
    sync_state_set: Members
    next_assign_broker_id: int
    keeps_numbers: bool = False
    """Cleaning only some brokers gives the set no new number, and leaves the master named."""


def apply_event(state: BrokerSet, event: ControllerEvent, after_cleaning: AfterCleaning) -> BrokerSet:
    """The state after an event. Nothing is checked here: the log's events are facts (`applyEvent`)."""
    match event:
        case AlterSyncStateSetEvent():
            if not state.registered:
                return state
            return replace(
                state,
                sync_state_set=event.new_sync_state_set,
                sync_state_set_epoch=state.sync_state_set_epoch + 1,
            )
        case ElectMasterEvent(new_master_broker_id=None):
            return replace(state, master_broker_id=None, master_epoch=state.master_epoch + 1)
        case ElectMasterEvent():
            return replace(
                state,
                master_broker_id=event.new_master_broker_id,
                master_epoch=state.master_epoch + 1,
                sync_state_set=event.sync_state_set,
                sync_state_set_epoch=state.sync_state_set_epoch + 1,
            )
        case ApplyBrokerIdEvent():
            return _with_broker(state, event, after_cleaning.keeps_numbers)
        case UpdateBrokerAddressEvent():
            known = state.brokers.get(event.broker_id)
            if known is None:  # cleaned in between; the Java raises here (hazard F-26)
                return state
            return _with(state, event.broker_id, replace(known, address=event.broker_address))
        case CleanBrokerDataEvent():
            return _cleaned(state, event, after_cleaning)


def _with(state: BrokerSet, broker_id: int, identity: BrokerIdentity) -> BrokerSet:
    return replace(state, brokers={**state.brokers, broker_id: identity})


def _with_broker(state: BrokerSet, event: ApplyBrokerIdEvent, anew: bool) -> BrokerSet:
    """The counter rises by one whatever the id was (`BrokerReplicaInfo.addBroker`). The set keeps the cluster of its
    first broker; one that is not registered begins `anew` as shipped (`ReplicasInfoManager.handleApplyBrokerId`)."""
    if anew and not state.registered:
        state = BrokerSet(event.cluster_name, event.broker_name)
    if state.registered and event.new_broker_id in state.brokers:
        return state
    identity = BrokerIdentity(event.broker_address, event.register_check_code, event.async_learner)
    return replace(
        _with(state, event.new_broker_id, identity),
        cluster_name=state.cluster_name if state.registered else event.cluster_name,
        registered=True,
        next_assign_broker_id=state.next_assign_broker_id + 1,
    )


def _cleaned_as_shipped(state: BrokerSet, ids: Sequence[int]) -> BrokerSet:
    """No number rises and the master stays named. What is empty then, the brokers or the SyncStateSet, is removed from
    its table alone (`ReplicasInfoManager.handleCleanBrokerDataEvent`)."""
    if not state.registered:
        return state
    left = {broker_id: known for broker_id, known in state.brokers.items() if broker_id not in ids}
    kept = state.sync_state_set - frozenset(ids)
    found = replace(state, brokers=left, sync_state_set=kept, registered=bool(left and kept))
    if not left:
        found = replace(found, next_assign_broker_id=FIRST_BROKER_CONTROLLER_ID)
    return found if kept else replace(found, master_epoch=0, sync_state_set_epoch=0, master_broker_id=None)


def _cleaned(state: BrokerSet, event: CleanBrokerDataEvent, after: AfterCleaning) -> BrokerSet:
    if after.keeps_numbers and event.broker_ids:
        return _cleaned_as_shipped(state, event.broker_ids)
    left = {} if event.broker_ids is None else {i: b for i, b in state.brokers.items() if i not in event.broker_ids}
    if not left:
        return BrokerSet(
            state.cluster_name,
            state.broker_name,
            next_assign_broker_id=after.next_assign_broker_id,
            master_epoch=after.master_epoch,
            sync_state_set_epoch=after.sync_state_set_epoch,
            sync_state_set=after.sync_state_set,
            master_broker_id=after.master_broker_id,
        )
    # Repaired (hazards F-2, F-3): the set gets a new number when it shrinks, and a master that is cleaned is none. Then
    # the epoch rises, so that those who are left learn of a newer one without a master and ask for an election.
    members = state.sync_state_set & left.keys()
    deposed = state.master_broker_id is not None and state.master_broker_id not in left
    return replace(
        state,
        brokers=left,
        master_epoch=after.master_epoch if deposed else state.master_epoch,
        sync_state_set=frozenset(members),
        sync_state_set_epoch=state.sync_state_set_epoch + (1 if members != state.sync_state_set else 0),
        master_broker_id=None if deposed else state.master_broker_id,
    )
