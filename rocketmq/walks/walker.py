"""The farther end of a walk: in the process with the JVM, one step at a time."""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import monotonic, sleep
from typing import Any

from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.rocketmq.walks.brokers import Brokers, CannotTake
from rmqproof.rocketmq.walks.held_store import HeldStore

_SETTLE_SECONDS = 10.0


class Walker:
    """One walk after another."""

    def __init__(self, jpype: Any) -> None:
        self._jpype = jpype
        self._brokers: Brokers | None = None
        self._sizes: dict[str, int] = {}

    def open_files(self) -> int:
        return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

    def begin(self, settings: dict[str, Any], ids: dict[str, int], nobody: str, state: Mapping[str, Any]) -> list[str]:
        """What differs from the initial state."""
        if self._brokers is not None:
            self._brokers.end()
        self._brokers = Brokers(self._jpype, settings, self._size(settings), ids, nobody)
        self._brokers.begin(state)
        return self._settled(state)

    def _size(self, settings: dict[str, Any]) -> int:
        """Bytes of a message, measured once."""
        if "message" not in self._sizes:
            with HeldStore(self._jpype, 1, **settings) as store:
                store.lead(1, frozenset({1}))
                store.append(1)
                self._sizes["message"] = store.end
        return self._sizes["message"]

    def take(
        self, action: str, arguments: tuple[Any, ...], before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> list[str]:
        """Take a step; what differs from the state after it."""
        assert self._brokers is not None
        try:
            self._brokers.perform(action, arguments, before, after)
        except (CannotTake, OSError, ProtocolError) as error:
            return [f"{type(error).__name__}: {error}"]
        return self._settled(after)

    def _settled(self, state: Mapping[str, Any]) -> list[str]:
        """What differs once the classes' threads have done what they do; nothing, if it comes to be the state."""
        assert self._brokers is not None
        end = monotonic() + _SETTLE_SECONDS
        while True:
            found = self._brokers.differences(state)
            if not found or monotonic() > end:
                return found
            sleep(0.001)
