"""Settings of a broker, by the names of `BrokerConfig` and `MessageStoreConfig`, and the roles it can have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FlushDiskType(Enum):
    SYNC_FLUSH = "SYNC_FLUSH"
    """An append is on the disk when it returns."""
    ASYNC_FLUSH = "ASYNC_FLUSH"


class Role(Enum):
    """`BrokerRole`, and what the Java says with the FENCED bit and with the progress of changeToMaster."""

    FENCED = "FENCED"
    """The process has started; neither puts nor reads until the controller gave it a role."""
    SLAVE = "SLAVE"
    PROMOTING = "PROMOTING"
    """Within changeToMaster: the old connections are gone, the epoch is not recorded."""
    LABELLED = "LABELLED"
    """Within changeToMaster: the epoch is recorded, puts are not accepted."""
    MASTER = "SYNC_MASTER"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    broker_id: int
    cluster_name: str = "DefaultCluster"
    broker_name: str = "broker-a"
    broker_address: str = ""
    all_ack_in_sync_state_set: bool = False
    in_sync_replicas: int = 1
    min_in_sync_replicas: int = 1
    async_learner: bool = False
    ha_transfer_batch_size: int = 32 * 1024
    """Bytes."""
    flush_disk_type: FlushDiskType = FlushDiskType.ASYNC_FLUSH
    controller_heart_beat_timeout_mills: int = 10_000
    broker_election_priority: int = 2**31 - 1
    keep_confirm_offset: bool = True
    """False: a slave has no confirmOffset, and it begins with 0 in every role. Only for comparing with models that do
    not track it."""
