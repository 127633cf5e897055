"""The events of a long run, out of the way until they are asked for.

An event takes three kilobytes while its objects are there, and a run of hours has a million. They are kept in blocks,
pickled and compressed; of these as many are unpacked as nodes are looked at in turn. Lists that grow with the run stay
as they are, once each.
"""

from __future__ import annotations

import io
import pickle
import zlib
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, overload

from rmqproof.conformance.runs.event import Event, GrowingList

_BLOCK = 64
_UNPACKED = 64
"""Blocks."""
_fields_of = attrgetter(*(each.name for each in fields(Event)))


class _Events(Sequence[Event]):
    """A part of it is a list."""

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...

    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self.at(number) for number in range(*index.indices(len(self)))]
        return self.at(index)

    @abstractmethod
    def at(self, index: int) -> Event: ...


class PackedEvents(_Events):
    """Events that are there in a packed form; the same one is a new object each time that its block is unpacked."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._blocks: list[bytes] = []
        self._last: list[Event] = []
        self._unpacked: dict[int, list[Event]] = {}
        self._lists: list[GrowingList] = []
        self._numbers: dict[int, int] = {}
        """Of the lists, by `id`."""
        for event in events:
            self.append(event)

    def append(self, event: Event) -> None:
        self._last.append(event)
        if len(self._last) == _BLOCK:
            content = io.BytesIO()
            _Pickler(content, self._number).dump(list(map(_fields_of, self._last)))
            self._blocks.append(zlib.compress(content.getvalue(), 1))
            self._last = []

    def __len__(self) -> int:
        return _BLOCK * len(self._blocks) + len(self._last)

    def at(self, index: int) -> Event:
        number, inside = divmod(index if index >= 0 else index + len(self), _BLOCK)
        return self._block(number)[inside]

    def __iter__(self) -> Iterator[Event]:
        for number in range(len(self._blocks) + 1):
            yield from self._block(number)

    def _block(self, number: int) -> list[Event]:
        if number == len(self._blocks):
            return self._last
        found = self._unpacked.pop(number, None)
        if found is None:
            if len(self._unpacked) >= _UNPACKED:
                del self._unpacked[next(iter(self._unpacked))]
            content = io.BytesIO(zlib.decompress(self._blocks[number]))
            found = [Event(*each) for each in _Unpickler(content, self._lists).load()]
        self._unpacked[number] = found
        return found

    def _number(self, growing: GrowingList) -> int:
        number = self._numbers.get(id(growing))
        if number is None:
            number = self._numbers[id(growing)] = len(self._lists)
            self._lists.append(growing)
        return number


class _Pickler(pickle.Pickler):
    def __init__(self, content: io.BytesIO, number: Callable[[GrowingList], int]) -> None:
        super().__init__(content, pickle.HIGHEST_PROTOCOL)
        self._number = number

    def persistent_id(self, found: Any) -> int | None:
        return self._number(found) if type(found) is GrowingList else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, content: io.BytesIO, lists: Sequence[GrowingList]) -> None:
        super().__init__(content)
        self._lists = lists

    def persistent_load(self, number: int) -> GrowingList:
        return self._lists[number]


class ChosenEvents(_Events):
    """Events of a sequence, in an order; each as a function makes it."""

    def __init__(
        self, events: Sequence[Event], indices: Sequence[int], change: Callable[[Event], Event] | None = None
    ) -> None:
        self._events, self._indices, self._change = events, indices, change

    def __len__(self) -> int:
        return len(self._indices)

    def at(self, index: int) -> Event:
        found = self._events[self._indices[index]]
        return found if self._change is None else self._change(found)

    def __iter__(self) -> Iterator[Event]:
        for index in range(len(self)):
            yield self[index]
