"""What a real controller holds of one broker set and what it answers, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rmqproof.impl.controller.broker_set import BrokerIdentity, BrokerSet
from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core.codes import FIRST_BROKER_CONTROLLER_ID

Liveness = tuple[tuple[int, BrokerLiveInfo], ...]
"""The living brokers of the set with what their heartbeats said, by brokerId."""


@dataclass(frozen=True, slots=True)
class Replicas:
    """`BrokerReplicaInfo`: brokerId to address and check code."""

    cluster_name: str
    next_assign_broker_id: int
    brokers: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class InSync:
    """`SyncStateInfo`."""

    cluster_name: str
    master_epoch: int
    sync_state_set_epoch: int
    sync_state_set: frozenset[int]
    master_broker_id: int | None


@dataclass(frozen=True, slots=True)
class ControllerState:
    """One broker set in the two tables of `ReplicasInfoManager`; it may be in one of them only."""

    broker_name: str
    replicas: Replicas | None = None
    in_sync: InSync | None = None


@dataclass(frozen=True, slots=True)
class RealAnswer:
    """`ControllerResult`: its code and remark, the response header's fields that are not null, and what the body says.

    `raised`: the class and message of an exception instead.
    """

    code: int = 0
    remark: str = ""
    header: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    events: tuple[tuple[Any, ...], ...] = ()
    raised: str = ""


def state_of(known: BrokerSet) -> ControllerState:
    """Our state as the real one. A set that is not registered is in neither table."""
    if not known.registered:
        return ControllerState(known.broker_name)
    return ControllerState(
        known.broker_name,
        Replicas(
            known.cluster_name,
            known.next_assign_broker_id,
            tuple((i, each.address, each.register_check_code) for i, each in sorted(known.brokers.items())),
        ),
        InSync(
            known.cluster_name,
            known.master_epoch,
            known.sync_state_set_epoch,
            known.sync_state_set,
            known.master_broker_id,
        ),
    )


def broker_set_of(state: ControllerState, before: BrokerSet) -> BrokerSet:
    """The real state as ours. `before` says which brokers are learners: RocketMQ's controller does not know."""
    replicas, in_sync = state.replicas, state.in_sync
    if replicas is None or in_sync is None:
        following = replicas.next_assign_broker_id if replicas is not None else FIRST_BROKER_CONTROLLER_ID
        return BrokerSet(before.cluster_name, before.broker_name, next_assign_broker_id=following)
    learners = before.learners()
    return BrokerSet(
        in_sync.cluster_name,
        before.broker_name,
        registered=True,
        next_assign_broker_id=replicas.next_assign_broker_id,
        brokers={i: BrokerIdentity(address, code, i in learners) for i, address, code in replicas.brokers},
        master_epoch=in_sync.master_epoch,
        sync_state_set_epoch=in_sync.sync_state_set_epoch,
        sync_state_set=in_sync.sync_state_set,
        master_broker_id=in_sync.master_broker_id,
    )
