"""What the controller's replicated log holds, and what a controller core gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rmqproof.impl.core.controller_messages import (
    ControllerRequest,
    ControllerResponse,
    Members,
    NotifyBrokerRoleChangedRequest,
)


@dataclass(frozen=True, slots=True)
class ApplyBrokerIdEvent:
    """Event type 2."""

    cluster_name: str
    broker_name: str
    broker_address: str
    new_broker_id: int
    register_check_code: str
    async_learner: bool = False


@dataclass(frozen=True, slots=True)
class AlterSyncStateSetEvent:
    """Event type 1."""

    broker_name: str
    new_sync_state_set: Members


@dataclass(frozen=True, slots=True)
class ElectMasterEvent:
    """Event type 3; `new_master_broker_id` None is newMasterElected=false: then the set stays whatever it is."""

    broker_name: str
    new_master_broker_id: int | None
    sync_state_set: Members = frozenset()


@dataclass(frozen=True, slots=True)
class CleanBrokerDataEvent:
    """Event type 5; `broker_ids` None cleans the whole broker set."""

    broker_name: str
    broker_ids: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class UpdateBrokerAddressEvent:
    """Event type 6."""

    cluster_name: str
    broker_name: str
    broker_address: str
    broker_id: int


ControllerEvent: TypeAlias = (
    ApplyBrokerIdEvent | AlterSyncStateSetEvent | ElectMasterEvent | CleanBrokerDataEvent | UpdateBrokerAddressEvent
)


@dataclass(frozen=True, slots=True)
class InactiveBrokers:
    """Timer: take brokers out of the table whose heartbeat is older than their time-out (scanNotActiveBroker)."""


@dataclass(frozen=True, slots=True)
class BrokerChannelClosed:
    """The connection over which a broker's heartbeats came has ended."""

    broker_name: str
    broker_id: int


@dataclass(frozen=True, slots=True)
class ScanInactiveMasters:
    """Timer of the leader: look for broker sets whose master is not alive (scanNeedReelectBrokerSets)."""


@dataclass(frozen=True, slots=True)
class LeaderChanged:
    """This controller leads now; it has heard no heartbeats yet."""


ControllerCommand: TypeAlias = InactiveBrokers | BrokerChannelClosed | ScanInactiveMasters | LeaderChanged
ControllerInput: TypeAlias = ControllerRequest | ControllerCommand


@dataclass(frozen=True, slots=True)
class Notify:
    """Tell a broker about an election; one-way."""

    broker_id: int
    broker_address: str
    notification: NotifyBrokerRoleChangedRequest


@dataclass(frozen=True, slots=True)
class ElectionNeeded:
    """A master is gone: feed the ElectMaster request of the controller itself back, as a step of its own."""

    request: ControllerRequest


@dataclass(frozen=True, slots=True)
class ControllerTrace:
    """A step of the protocol was taken: the action as in spec/core/ControllerMode.tla, its arguments as brokerIds."""

    action: str
    broker_name: str
    arguments: tuple[int, ...] = ()


ControllerOutput: TypeAlias = Notify | ElectionNeeded | ControllerTrace


@dataclass(frozen=True, slots=True)
class ControllerStep:
    """What became of one input. `undecided` are events that the replicated log has to hold before they are applied
    (only where DecidedWhenApplied is replaced); else everything is applied already."""

    response: ControllerResponse | None = None
    outputs: tuple[ControllerOutput, ...] = ()
    undecided: tuple[ControllerEvent, ...] = ()
