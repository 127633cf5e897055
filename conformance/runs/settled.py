"""The part of an explanation that a search has left far behind: a few numbers a step. A state of it is found again from
the last one before it that is remembered."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, overload

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.validation import Entry, Taken
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.system import State

_NONE = -1


class Search(Protocol):
    """Whoever took the steps."""

    def remembers(self, entry: Entry) -> bool:
        """Whether the state of an entry is in memory."""
        ...

    def again(self, before: Entry, action: str | None, event: int | None, wanted: int) -> Entry:
        """The entry with this hash to which a step led from an entry whose state is in memory, with its state."""
        ...


class SettledPath:
    """Steps one after another, the first of them an initial state. `every`: steps from one entry that is kept to the
    next."""

    def __init__(self, search: Search, every: int) -> None:
        self._search, self._every = search, every
        self._hashes, self._fingerprints = array("q"), array("Q")
        self._events, self._folded = array("q"), array("q")
        self._actions: list[str | None] = []
        self._arguments: list[tuple[Value, ...]] = []
        self._same: dict[tuple[Value, ...], tuple[Value, ...]] = {}
        self._kept: list[tuple[int, Entry]] = []
        self._last: tuple[int, Entry] | None = None

    def __len__(self) -> int:
        return len(self._hashes)

    def append(self, entry: Entry, action: str | None, arguments: tuple[Value, ...], event: int | None) -> bool:
        """One more step; whether its state has to be remembered."""
        self._hashes.append(hash(entry))
        self._fingerprints.append(entry.fingerprint)
        self._events.append(_NONE if event is None else event)
        self._folded.append(entry.bindings.prefix.base)
        self._actions.append(action)
        self._arguments.append(self._same.setdefault(arguments, arguments))
        kept = not self._kept or len(self) > self._kept[-1][0] + self._every
        if kept:
            self._kept.append((len(self) - 1, entry))
        return kept

    def cut(self, count: int) -> None:
        """Keep only so many steps."""
        del self._hashes[count:], self._fingerprints[count:], self._events[count:], self._folded[count:]
        del self._actions[count:], self._arguments[count:]
        self._kept = [kept for kept in self._kept if kept[0] < count]
        self._last = None

    def step(self, index: int) -> tuple[int, str | None, tuple[Value, ...], int | None, int]:
        """Of a step: fingerprint, action, arguments, the number of its event, how much was folded."""
        event = self._events[index]
        return (
            self._fingerprints[index], self._actions[index], self._arguments[index],
            None if event == _NONE else event, self._folded[index],
        )  # fmt: skip

    def again(self, start: int, end: int) -> list[tuple[Entry, tuple[str | None, tuple[Value, ...], int | None], int]]:
        """These steps and those before them, from one on whose entry is kept: where they lead to, found again, what
        they are, and how many without an event are in a row."""
        first, row = self._before(start)[0], 0
        while self.step(first - row)[3] is None and row < first:
            row += 1
        found = []
        for number in range(first, end):
            _, action, arguments, event, _ = self.step(number)
            if number > first:
                row = row + 1 if event is None else 0
            found.append((self.entry(number), (action, arguments, event), row))
        return found

    def _before(self, index: int) -> tuple[int, Entry]:
        """The last entry that is kept, up to this step."""
        return self._kept[bisect_right(self._kept, index, key=lambda kept: kept[0]) - 1]

    def entry(self, index: int) -> Entry:
        """Where the search was after a step, found again."""
        start, entry = self._before(index)
        if self._last is not None and start <= self._last[0] <= index and self._search.remembers(self._last[1]):
            start, entry = self._last
        for number in range(start + 1, index + 1):
            event = self._events[number]
            entry = self._search.again(
                entry, self._actions[number], None if event == _NONE else event, self._hashes[number]
            )
        self._last = index, entry
        return entry


class Steps(Sequence[Taken]):
    """The steps of an explanation: so many settled ones, made when they are asked for, and the rest."""

    def __init__(
        self,
        path: SettledPath,
        settled: int,
        events: Sequence[Event],
        state: Callable[[Entry], State],
        rest: Sequence[Taken],
    ) -> None:
        self._path, self._settled, self._events, self._state, self._rest = path, settled, events, state, rest

    def __len__(self) -> int:
        return self._settled + len(self._rest)

    @overload
    def __getitem__(self, index: int) -> Taken: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Taken, ...]: ...

    def __getitem__(self, index: int | slice) -> Taken | tuple[Taken, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(*index.indices(len(self))))
        index = index if index >= 0 else index + len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index >= self._settled:
            return self._rest[index - self._settled]
        fingerprint, action, arguments, event, folded = self._path.step(index)
        tell = None if event is None else partial(self._events.__getitem__, event)
        return Taken(lambda: self._state(self._path.entry(index)), fingerprint, action, arguments, tell, folded)
