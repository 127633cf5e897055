"""What is left of the machine's memory, asked while a set is built whose size nobody knows before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_UNWATCHED = 5_000_000
"""So many elements are no matter."""
_BETWEEN = 1 << 18
"""So many elements pass between two looks, afterwards."""
_AS_MUCH_AGAIN = 2
"""What was listed so far is kept once more, in a larger table, before the list is given up."""


def used() -> int | None:
    """Bytes of this process in memory; None where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def left() -> int | None:
    """Bytes that processes can still get, of the machine's memory or of the container's; None likewise."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        found = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, ValueError, KeyError):
        return None
    try:
        group = Path("/sys/fs/cgroup")
        most, taken = (int((group / name).read_text()) for name in ("memory.max", "memory.current"))
    except (OSError, ValueError):
        return found
    return min(found, most - taken)


Asked = Callable[[], int | None]


def watched(elements: Iterator[T], left: Asked = left, used: Asked = used) -> Iterator[T]:
    """The elements; raise `MemoryError` before what is made of them takes all memory, where the system tells."""
    return chain(islice(elements, _UNWATCHED), _watched(elements, left, used))


def _watched(elements: Iterator[T], left: Asked, used: Asked) -> Iterator[T]:
    begun: int | None = None
    for number, element in enumerate(elements):
        if number == 0:  # nearly all sets have ended before, and to ask the system takes longer than they do
            begun = used()
        elif number % _BETWEEN == 0 and begun is not None:
            now, more = used(), left()
            if now is not None and more is not None and more < _AS_MUCH_AGAIN * (now - begun):
                raise MemoryError
        yield element
