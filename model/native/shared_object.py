"""A compiled library that travels to other processes, and other machines."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SharedObject:
    """By its path where that can be read, else by its content."""

    path: str
    content: bytes = field(repr=False)

    @classmethod
    def of(cls, path: Path, travels: bool) -> SharedObject:
        return cls(str(path), path.read_bytes() if travels else b"")

    def file(self) -> Path:
        """The file, written in this process where it came with its content."""
        return Path(self.path) if not self.content else _written(self.content)


@lru_cache(maxsize=8)
def _written(content: bytes) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="rmqproof-kernel-"))
    path = folder / f"{hashlib.sha256(content).hexdigest()[:16]}.so"
    path.write_bytes(content)
    return path
