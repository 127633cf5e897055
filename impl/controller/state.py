"""What a controller's core knows: the replicated broker sets, and who is alive.

Sources: `ReplicasInfoManager`, `DefaultBrokerHeartbeatManager`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.controller.config import ControllerConfig, ControllerRules
from rmqproof.impl.controller.liveness import BrokerLiveInfo, LiveTable, is_alive


class ControllerState:
    """Attributes hold immutable values only, so a copy is shallow."""

    def __init__(self, config: ControllerConfig | None = None, rules: ControllerRules | None = None) -> None:
        self.config = config if config is not None else ControllerConfig()
        self.rules = rules if rules is not None else ControllerRules()
        self.sets: Mapping[str, BrokerSet] = {}
        """The replicated state, by broker name."""
        self.live: LiveTable = {}
        """Heartbeats. With DLedger they are not replicated (`LeaderChanged` forgets them)."""

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def state(self) -> dict[str, Any]:
        """What changes: plain data, for snapshots."""
        return {"sets": self.sets, "live": self.live}

    def set_state(self, state: Mapping[str, Any]) -> None:
        self.sets, self.live = state["sets"], state["live"]

    # --- reading ---------------------------------------------------------------------------------------------------

    def broker_set(self, broker_name: str) -> BrokerSet:
        """A set that nobody registered is an empty one."""
        return self.sets.get(broker_name) or BrokerSet("", broker_name)

    def alive(self, broker_name: str, broker_id: int, now: int) -> bool:
        return is_alive(self.live, (broker_name, broker_id), now)

    def is_alive_in(self, broker_name: str, now: int) -> Callable[[int], bool]:
        return lambda broker_id: is_alive(self.live, (broker_name, broker_id), now)

    def live_info_in(self, broker_name: str, now: int) -> Callable[[int], BrokerLiveInfo | None]:
        """What is known of a broker that is alive, else None."""

        def info(broker_id: int) -> BrokerLiveInfo | None:
            found = self.live.get((broker_name, broker_id))
            return found if found is not None and found.alive(now) else None

        return info

    def needs_election(self, broker_name: str, now: int) -> bool:
        """Does the scan find a master that is not alive (`scanNeedReelectBrokerSets`)?"""
        state, alive = self.broker_set(broker_name), self.is_alive_in(broker_name, now)
        if self.rules.scan_wants_another_alive and not any(map(alive, state.brokers)):
            return False
        return self.rules.inactive_master_is_found(state, alive)
