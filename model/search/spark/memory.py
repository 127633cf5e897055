"""What a limit for an executor leaves to each of its parts."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1 << 20
LEAST_HEAP = 512 * MEGABYTE
BASE = 180 * MEGABYTE
"""Of a Python process with its libraries, before it has any state."""


@dataclass(frozen=True, slots=True)
class Memory:
    """`limit`: bytes for an executor, its JVM and its Python processes together.

    The JVM's heap is a quarter, and 512 MiB at least. The Python processes that run at a time share what is left, or
    half of the limit where that is more, in equal parts; half of what a process has beyond its base is for tables, and
    the other half for the states that come in, are expanded and written. A limit that is too small for all this is
    exceeded, by a heap and a base for each process.
    """

    limit: int

    @property
    def heap(self) -> int:
        return max(LEAST_HEAP, self.limit // 4)

    def tables(self, processes: int) -> int:
        """Bytes for the tables of one of so many processes."""
        share = max(self.limit - self.heap, self.limit // 2) // processes
        return max((share - BASE) // 2, share // 4)
