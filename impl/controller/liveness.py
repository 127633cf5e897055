"""Which brokers are alive, by their heartbeats (`DefaultBrokerHeartbeatManager`, `RaftBrokerHeartBeatManager`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rmqproof.impl.core.controller_messages import BrokerHeartbeatRequest


@dataclass(frozen=True, slots=True)
class BrokerLiveInfo:
    """Times in milliseconds. The rest ranks candidates of an election."""

    timeout_millis: int
    last_update: int
    epoch: int = -1
    max_offset: int = -1
    confirm_offset: int = -1
    election_priority: int = 2**31 - 1

    def alive(self, now: int) -> bool:
        return self.last_update + self.timeout_millis >= now


BrokerKey: TypeAlias = tuple[str, int]
"""brokerName and brokerId."""
LiveTable: TypeAlias = Mapping[BrokerKey, BrokerLiveInfo]


def live_info(request: BrokerHeartbeatRequest, now: int) -> BrokerLiveInfo:
    return BrokerLiveInfo(
        request.timeout_millis,
        now,
        request.epoch,
        request.max_offset,
        request.confirm_offset,
        request.election_priority,
    )


def without(table: LiveTable, keys: frozenset[BrokerKey]) -> LiveTable:
    return {key: info for key, info in table.items() if key not in keys}


def is_alive(table: LiveTable, key: BrokerKey, now: int) -> bool:
    info = table.get(key)
    return info is not None and info.alive(now)


def expired(table: LiveTable, now: int) -> tuple[BrokerKey, ...]:
    return tuple(sorted(key for key, info in table.items() if not info.alive(now)))
