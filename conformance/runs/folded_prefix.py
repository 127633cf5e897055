"""What is taken out of the model's states while they are compared with a long run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.evaluate.values import Value


@dataclass(frozen=True, slots=True)
class Kept:
    """What stays in the logs: what lies above `base`, of it what is `looked` at, in ranges of offsets, one after the
    other, and where each log ends."""

    base: int = 0
    looked: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class _Store:
    """Everything that was folded one after another. The prefixes of one run are prefixes of few of these, so that
    thousands of them take the room of one."""

    entries: list[Value] = field(default_factory=list)
    indexes: dict[Value, int] = field(default_factory=dict)
    """Of ids."""
    names: dict[str, tuple[Value, int]] = field(default_factory=dict)
    """The id that a name stands for, and its index."""
    marked: dict[Value, int] = field(default_factory=dict)
    """Of some ids."""
    rows: list[Value] = field(default_factory=list)


@dataclass(frozen=True, eq=False, slots=True)
class Folded:
    """What is taken out of the logs, up to the offset `base`. Nothing in it has a name in the run."""

    base: int = 0

    @property
    def rows(self) -> tuple[Value, ...]:
        """The first rows of what is written down of these logs, such as their epochs, that were taken out, too."""
        return ()

    def hides(self, lowest: int | None, highest: int | None) -> bool:
        """Whether something is taken out that lies between these offsets (`highest` None: no end)."""
        return bool(self.base) and lowest is not None and lowest <= self.base

    def is_beyond(self, kept: Kept) -> bool:
        """Whether something is taken out that is to be kept."""
        return self.base > kept.base

    def holds(self, id_: Value) -> bool:
        return False

    def known(self, name: str) -> Value | None:
        """The id in it that a name stands for."""
        return None

    def names(self) -> Iterator[tuple[str, Value]]:
        return iter(())


@dataclass(frozen=True, eq=False, slots=True)
class FoldedPrefix(Folded):
    """A prefix of the logs, of `base` entries: the entries, what names of the run stand for their ids, which ids are
    marked, and more that whoever took them out (`Folding`) needs to put them back; of the rows the first `row_count`.

    Two with the same entries are equal.
    """

    row_count: int = 0
    more: Any = None
    _store: _Store = field(default_factory=_Store)

    @property
    def entries(self) -> tuple[Value, ...]:
        return tuple(self._store.entries[: self.base])

    @property
    def rows(self) -> tuple[Value, ...]:
        return tuple(self._store.rows[: self.row_count])

    def ids(self) -> frozenset[Value]:
        return frozenset(id_ for id_, index in self._store.indexes.items() if index < self.base)

    def marked(self) -> frozenset[Value]:
        """The marked ids in it."""
        return frozenset(id_ for id_, index in self._store.marked.items() if index < self.base)

    def holds(self, id_: Value) -> bool:
        index = self._store.indexes.get(id_)
        return index is not None and index < self.base

    def known(self, name: str) -> Value | None:
        found = self._store.names.get(name)
        return found[0] if found is not None and found[1] < self.base else None

    def names(self) -> Iterator[tuple[str, Value]]:
        for name, (value, index) in self._store.names.items():
            if index < self.base:
                yield name, value

    def grown(
        self,
        entries: Sequence[Value],
        ids: Sequence[Value],
        names: Mapping[str, Value],
        marked: Iterable[Value],
        rows: Sequence[Value],
        more: Any,
    ) -> FoldedPrefix:
        """With these on top; `ids[i]` is that of `entries[i]`."""
        store = self._store
        if len(store.entries) != self.base or len(store.rows) != self.row_count:
            store = _Store(
                store.entries[: self.base],
                {id_: index for id_, index in store.indexes.items() if index < self.base},
                {name: found for name, found in store.names.items() if found[1] < self.base},
                {id_: index for id_, index in store.marked.items() if index < self.base},
                store.rows[: self.row_count],
            )
        elif not self.base:
            store = _Store()
        for index, (entry, id_) in enumerate(zip(entries, ids, strict=True), self.base):
            store.entries.append(entry)
            store.indexes[id_] = index
        for name, value in names.items():
            store.names[name] = (value, store.indexes[value])
        store.marked.update((id_, store.indexes[id_]) for id_ in marked)
        store.rows += rows
        return FoldedPrefix(self.base + len(entries), self.row_count + len(rows), more, store)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, FoldedPrefix) or self.base != other.base or self.row_count != other.row_count:
            return False
        if self.more != other.more:
            return False
        if self._store is other._store:
            return True
        return self.entries == other.entries and self.rows == other.rows and self.marked() == other.marked()

    def __hash__(self) -> int:
        return hash((self.base, self._store.entries[self.base - 1] if self.base else None))


EMPTY = FoldedPrefix()
