"""The model's states that a search has met: the last ones, and those from which the others can be found again."""

from __future__ import annotations

from rmqproof.model.search.system import State


class States:
    """States by fingerprint. Those that are pinned stay; of the others only so many that were asked for last."""

    __slots__ = ("_pinned", "_recent", "limit")

    def __init__(self, limit: int = 1_024) -> None:
        self.limit = limit
        self._pinned: dict[int, State] = {}
        self._recent: dict[int, State] = {}

    def __len__(self) -> int:
        return len(self._pinned) + len(self._recent)

    def keep(self, fingerprint: int, state: State) -> None:
        if fingerprint in self._pinned:
            return
        recent = self._recent
        recent.pop(fingerprint, None)
        recent[fingerprint] = state
        if len(recent) > self.limit:
            del recent[next(iter(recent))]

    def pin(self, fingerprint: int) -> None:
        """Keep a state that is known now for ever."""
        if fingerprint not in self._pinned:
            self._pinned[fingerprint] = self[fingerprint]
            self._recent.pop(fingerprint, None)

    def unpin(self, fingerprint: int) -> None:
        """Keep it no longer than others."""
        state = self._pinned.pop(fingerprint, None)
        if state is not None:
            self.keep(fingerprint, state)

    def get(self, fingerprint: int) -> State | None:
        """None: it is not known any more."""
        found = self._pinned.get(fingerprint)
        if found is None:
            found = self._recent.pop(fingerprint, None)
            if found is not None:
                self._recent[fingerprint] = found
        return found

    def __getitem__(self, fingerprint: int) -> State:
        found = self.get(fingerprint)
        if found is None:
            raise KeyError(fingerprint)
        return found
