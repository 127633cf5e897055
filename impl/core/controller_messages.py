"""Requests to the controller and their answers (RIP-44, "Controller API"; `ReplicasInfoManager`).

A `brokerId` is a positive int, given once and kept on the broker's disk. Addresses are attributes, not identities.
Where a field of the Java header is null, it is None here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rmqproof.impl.core.codes import ResponseCode

BrokerId: TypeAlias = int
Members: TypeAlias = frozenset[int]


@dataclass(frozen=True, slots=True)
class GetNextBrokerIdRequest:
    cluster_name: str
    broker_name: str


@dataclass(frozen=True, slots=True)
class ApplyBrokerIdRequest:
    """`register_check_code` is `address;milliseconds`; the same code may apply for the same id again."""

    cluster_name: str
    broker_name: str
    broker_id: BrokerId
    register_check_code: str
    async_learner: bool = False


@dataclass(frozen=True, slots=True)
class RegisterBrokerRequest:
    cluster_name: str
    broker_name: str
    broker_id: BrokerId
    broker_address: str


@dataclass(frozen=True, slots=True)
class ElectMasterRequest:
    """Sent by a broker for itself, by an administrator (`designate_elect`), or by the controller (`broker_id` -1).

    `restarted`: the broker lost what it knew, so it must not go on in an epoch that it may have served before; it asks
    to be elected anew, cleanly. Not in the Java.
    """

    cluster_name: str
    broker_name: str
    broker_id: BrokerId
    designate_elect: bool = False
    restarted: bool = False


@dataclass(frozen=True, slots=True)
class AlterSyncStateSetRequest:
    broker_name: str
    master_broker_id: BrokerId
    master_epoch: int
    new_sync_state_set: Members
    sync_state_set_epoch: int


@dataclass(frozen=True, slots=True)
class GetReplicaInfoRequest:
    broker_name: str


@dataclass(frozen=True, slots=True)
class GetSyncStateDataRequest:
    broker_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CleanBrokerDataRequest:
    """`broker_ids` None: the whole broker set."""

    cluster_name: str
    broker_name: str
    broker_ids: tuple[BrokerId, ...] | None = None
    clean_living_broker: bool = False


@dataclass(frozen=True, slots=True)
class BrokerHeartbeatRequest:
    """One-way. Offsets only rank candidates of an election; `election_priority`: the smaller is preferred."""

    cluster_name: str
    broker_name: str
    broker_address: str
    broker_id: BrokerId
    timeout_millis: int = 10_000
    epoch: int = -1
    max_offset: int = -1
    confirm_offset: int = -1
    election_priority: int = 2**31 - 1


ControllerRequest: TypeAlias = (
    GetNextBrokerIdRequest
    | ApplyBrokerIdRequest
    | RegisterBrokerRequest
    | ElectMasterRequest
    | AlterSyncStateSetRequest
    | GetReplicaInfoRequest
    | GetSyncStateDataRequest
    | CleanBrokerDataRequest
    | BrokerHeartbeatRequest
)


@dataclass(frozen=True, slots=True)
class GetNextBrokerIdResponse:
    code: ResponseCode
    next_broker_id: BrokerId = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ApplyBrokerIdResponse:
    code: ResponseCode
    remark: str = ""


@dataclass(frozen=True, slots=True)
class RegisterBrokerResponse:
    """The master's fields are filled only while the master is alive; the set always, unless the code is an error."""

    code: ResponseCode
    master_broker_id: BrokerId | None = None
    master_address: str | None = None
    master_epoch: int = 0
    sync_state_set: Members = frozenset()
    sync_state_set_epoch: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ElectMasterResponse:
    """SUCCESS and CONTROLLER_MASTER_STILL_EXIST both name a master. `restarted` repeats the request's."""

    code: ResponseCode
    master_broker_id: BrokerId | None = None
    master_address: str | None = None
    master_epoch: int = 0
    sync_state_set: Members = frozenset()
    sync_state_set_epoch: int = 0
    restarted: bool = False
    remark: str = ""


@dataclass(frozen=True, slots=True)
class AlterSyncStateSetResponse:
    """On SUCCESS the set that is stored and its new number."""

    code: ResponseCode
    sync_state_set: Members = frozenset()
    sync_state_set_epoch: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class GetReplicaInfoResponse:
    code: ResponseCode
    master_broker_id: BrokerId | None = None
    master_address: str | None = None
    master_epoch: int = 0
    sync_state_set: Members = frozenset()
    sync_state_set_epoch: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """One replica in GetSyncStateData."""

    broker_id: BrokerId
    broker_address: str
    alive: bool


@dataclass(frozen=True, slots=True)
class BrokerSetState:
    broker_name: str
    master_broker_id: BrokerId | None
    master_address: str | None
    master_epoch: int
    sync_state_set_epoch: int
    in_sync_replicas: tuple[ReplicaState, ...] = ()
    not_in_sync_replicas: tuple[ReplicaState, ...] = ()


@dataclass(frozen=True, slots=True)
class GetSyncStateDataResponse:
    code: ResponseCode
    broker_sets: tuple[BrokerSetState, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True)
class CleanBrokerDataResponse:
    code: ResponseCode
    remark: str = ""


@dataclass(frozen=True, slots=True)
class BrokerHeartbeatResponse:
    """Never sent: heartbeats are one-way."""

    code: ResponseCode


ControllerResponse: TypeAlias = (
    GetNextBrokerIdResponse
    | ApplyBrokerIdResponse
    | RegisterBrokerResponse
    | ElectMasterResponse
    | AlterSyncStateSetResponse
    | GetReplicaInfoResponse
    | GetSyncStateDataResponse
    | CleanBrokerDataResponse
    | BrokerHeartbeatResponse
)


@dataclass(frozen=True, slots=True)
class NotifyBrokerRoleChangedRequest:
    """From the controller to every living member after an election; one-way, may be lost or late."""

    broker_name: str
    master_broker_id: BrokerId
    master_address: str | None
    master_epoch: int
    sync_state_set_epoch: int
    sync_state_set: Members = field(default_factory=frozenset)
