"""Partitions without privileges: a node holds back what it exchanges with peers that it was told not to reach.

Every connection is gated by the node that opened it, in both directions. Bytes are delayed, not dropped, as TCP does
in a partition: a connection that lives until the partition heals delivers then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


class Gate:
    """Which addresses (`host:port`) this node cannot reach."""

    def __init__(self) -> None:
        self._blocked: frozenset[str] = frozenset()
        self._changed = asyncio.Event()

    @property
    def blocked(self) -> frozenset[str]:
        return self._blocked

    def block(self, addresses: Iterable[str]) -> None:
        """Block exactly these from now on."""
        self._blocked = frozenset(addresses)
        self._changed.set()
        self._changed = asyncio.Event()

    async def passing(self, address: str) -> None:
        """Return when the address can be reached."""
        while address in self._blocked:
            await self._changed.wait()
