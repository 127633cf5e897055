"""The number of a state by its fingerprint."""

from __future__ import annotations

from array import array
from typing import Protocol

_FIRST_SLOTS = 1 << 10


class Numbering(Protocol):
    """Fingerprints, numbered from 0 as they come."""

    def __len__(self) -> int: ...

    def known(self, fingerprint: int) -> int | None: ...

    def add(self, fingerprint: int) -> int:
        """The number of one that is not known."""
        ...


class Dictionary:
    """The fastest; about 100 bytes for each fingerprint."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self.known = self._numbers.get

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, fingerprint: int) -> int:
        number = self._numbers[fingerprint] = len(self._numbers)
        return number


class Compact:
    """Open addressing, at most two thirds full: 14 to 20 bytes for each fingerprint; some three times slower."""

    def __init__(self) -> None:
        self._fingerprints: array[int] = array("Q")
        self._slots: array[int] = array("I", bytes(4 * _FIRST_SLOTS))
        self._mask = _FIRST_SLOTS - 1

    def __len__(self) -> int:
        return len(self._fingerprints)

    def known(self, fingerprint: int) -> int | None:
        slots, mask, fingerprints = self._slots, self._mask, self._fingerprints
        place = (fingerprint ^ fingerprint >> 32) & mask
        while number := slots[place]:
            if fingerprints[number - 1] == fingerprint:
                return number - 1
            place = (place + 1) & mask
        return None

    def add(self, fingerprint: int) -> int:
        number = len(self._fingerprints)
        self._fingerprints.append(fingerprint)
        if 3 * number >= 2 * self._mask:
            self._grow()
        else:
            self._place(fingerprint, number)
        return number

    def _place(self, fingerprint: int, number: int) -> None:
        slots, mask = self._slots, self._mask
        place = (fingerprint ^ fingerprint >> 32) & mask
        while slots[place]:
            place = (place + 1) & mask
        slots[place] = number + 1

    def _grow(self) -> None:
        size = 2 * (self._mask + 1)
        self._slots, self._mask = array("I", bytes(4 * size)), size - 1
        for number, fingerprint in enumerate(self._fingerprints):
            self._place(fingerprint, number)
