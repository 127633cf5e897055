"""What is said about a file that cannot be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass
class DamagedFile(Exception):
    """A file whose content is not what was written. Nothing of it is used."""

    path: Path
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}\n{self.remedy}"
