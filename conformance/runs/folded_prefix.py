"""What is taken out of the model's states while they are compared with a long run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.evaluate.values import Value


@dataclass(slots=True)
class _Store:
    """Everything that was folded one after another. The prefixes of one run are prefixes of few of these, so that
    thousands of them take the room of one."""

    entries: list[Value] = field(default_factory=list)
    places: dict[Value, int] = field(default_factory=dict)
    """Of ids."""
    names: dict[str, tuple[Value, int]] = field(default_factory=dict)
    """The id that a name stands for, and its place."""


@dataclass(frozen=True, eq=False, slots=True)
class FoldedPrefix:
    """A prefix of the logs, of `base` entries: the entries, what names of the run stand for their ids, and more that
    whoever took them out (`Folding`) needs to put them back.

    Two with the same entries are equal.
    """

    base: int = 0
    more: Any = None
    _store: _Store = field(default_factory=_Store)

    @property
    def entries(self) -> tuple[Value, ...]:
        return tuple(self._store.entries[: self.base])

    def ids(self) -> frozenset[Value]:
        return frozenset(id_ for id_, place in self._store.places.items() if place < self.base)

    def holds(self, id_: Value) -> bool:
        place = self._store.places.get(id_)
        return place is not None and place < self.base

    def known(self, name: str) -> Value | None:
        """The id in this prefix that a name stands for."""
        found = self._store.names.get(name)
        return found[0] if found is not None and found[1] < self.base else None

    def names(self) -> Iterator[tuple[str, Value]]:
        for name, (value, place) in self._store.names.items():
            if place < self.base:
                yield name, value

    def grown(
        self, entries: Sequence[Value], ids: Sequence[Value], names: Mapping[str, Value], more: Any
    ) -> FoldedPrefix:
        """With these on top; `ids[i]` is that of `entries[i]`."""
        store = self._store
        if len(store.entries) != self.base:
            store = _Store(
                store.entries[: self.base],
                {id_: place for id_, place in store.places.items() if place < self.base},
                {name: found for name, found in store.names.items() if found[1] < self.base},
            )
        elif not self.base:
            store = _Store()
        for place, (entry, id_) in enumerate(zip(entries, ids, strict=True), self.base):
            store.entries.append(entry)
            store.places[id_] = place
        for name, value in names.items():
            store.names[name] = (value, store.places[value])
        return FoldedPrefix(self.base + len(entries), more, store)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, FoldedPrefix) or self.base != other.base or self.more != other.more:
            return False
        return self._store is other._store or self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.base, self._store.entries[self.base - 1] if self.base else None))


EMPTY = FoldedPrefix()
