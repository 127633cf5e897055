"""The farther end of a walk: in the process with the JVM, one step at a time."""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import monotonic, sleep
from typing import Any

from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.rocketmq.walks.brokers import Brokers, CannotTake
from rmqproof.rocketmq.walks.free_brokers import FreeBrokers
from rmqproof.rocketmq.walks.held_store import HeldStore

_ALONE = {"inSyncReplicas": 1, "minInSyncReplicas": 1}
_SETTLE_SECONDS = 10.0
_STORY_LOOKS = 20
_STORY_PATIENCE_SECONDS = 20


class Walker:
    """One walk after another, or one story."""

    def __init__(self, jpype: Any) -> None:
        self._jpype = jpype
        self._brokers: Brokers | None = None
        self._sizes: dict[str, int] = {}
        self._standing: set[str] = set()

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
            with HeldStore(self._jpype, 1, **{**settings, **_ALONE}) as store:
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
        except (CannotTake, OSError, ProtocolError, self._jpype.JException) as error:
            return [f"{type(error).__name__}: {error}"]
        return self._settled(after)

    # --- a story: it goes on where the classes are elsewhere than the model -------------------------------------------

    def open(self, settings: dict[str, Any], ids: dict[str, int], nobody: str, state: Mapping[str, Any]) -> list[str]:
        """The brokers of the initial state; what differs from it."""
        brokers = FreeBrokers(
            self._jpype, settings, self._size(settings), ids, nobody, patience=_STORY_PATIENCE_SECONDS
        )
        self._brokers, self._standing = brokers, set()
        brokers.begin(state)
        return self._news(state)

    def play(
        self, action: str, arguments: tuple[Any, ...], before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> tuple[str, list[str]]:
        """Why the step was not taken, or nothing; and what differs from the state after it since now."""
        assert self._brokers is not None
        try:
            self._brokers.perform(action, arguments, before, after)
        except (CannotTake, OSError, ProtocolError, self._jpype.JException) as error:
            return f"the class throws {error}" if isinstance(error, self._jpype.JException) else str(error), []
        return "", self._news(after)

    def seen(self) -> tuple[dict[str, Any], list[str]]:
        assert isinstance(self._brokers, FreeBrokers)
        notes, self._brokers.notes = self._brokers.notes, []
        return self._brokers.seen(), notes

    def close(self) -> None:
        if self._brokers is not None:
            self._brokers.end()
            self._brokers = None

    def _news(self, state: Mapping[str, Any]) -> list[str]:
        """What differs since now, once as many looks in a row saw the same: on a busy machine they take longer, too."""
        assert self._brokers is not None
        before: list[str] = []
        looks = 0
        while True:
            found = self._brokers.differences(state)
            news = [each for each in found if each not in self._standing]
            looks = looks + 1 if found == before else 0
            if not news or looks == _STORY_LOOKS:
                self._standing = set(found)
                return news
            before = found
            sleep(0.001)

    def _settled(self, state: Mapping[str, Any]) -> list[str]:
        """What differs once the classes' threads have done what they do; nothing, if it comes to be the state."""
        assert self._brokers is not None
        end = monotonic() + _SETTLE_SECONDS
        while True:
            found = self._brokers.differences(state)
            if not found or monotonic() > end:
                return found
            sleep(0.001)
