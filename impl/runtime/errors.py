"""What goes wrong with a cluster, for the person who runs it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class ClusterError(Exception):
    cause: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.cause}\n{self.remedy}"


class AddressInUse(ClusterError):
    """Another program listens where a node wants to."""
