"""What generated programs depend on, and what was learned of them: keys of what is kept for the next time."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from rmqproof.model.cache import keep, kept


def key_of(*parts: object) -> str:
    """A digest of what a program is made from, and of what makes it."""
    return hashlib.sha256("\0".join([_makers(), *map(str, parts)]).encode()).hexdigest()[:40]


@lru_cache(maxsize=1)
def _makers() -> str:
    """What tells this version of the compiler and of the front end from another: their files' sizes and times."""
    root = Path(__file__).parents[1]
    return "\n".join(
        sorted(part for name in ("native", "actions", "types", "tla", "evaluate") for part in _files(root / name))
    )


def _files(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir() and entry.name != "__pycache__":
                yield from _files(Path(entry.path))
            elif entry.is_file():
                status = entry.stat()
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"


def keep_growths(key: str, growths: Sequence[int]) -> None:
    """What had to be widened before a search came to its end: the next one begins so."""
    keep(f"{key}.growths", json.dumps([*growths]))


def kept_growths(key: str) -> list[int]:
    """What was widened the last time; nothing where that is not known."""
    try:
        return [int(index) for index in json.loads(kept(f"{key}.growths") or "[]")]
    except (ValueError, TypeError):
        return []


def seconds_without(identity: str) -> float:
    """What the Python engine's whole search of a model took, the last time that it ended before the program was ready;
    0: that is not known."""
    try:
        return float((kept(f"{key_of(identity)}.seconds") if identity else None) or 0)
    except ValueError:
        return 0.0


def keep_seconds_without(identity: str, seconds: float) -> None:
    if identity:
        keep(f"{key_of(identity)}.seconds", f"{seconds:.3f}")


def pays(identity: str) -> bool:
    """Whether the compiled program of a model was ready before the Python engine had searched it."""
    return bool(identity) and kept(f"{key_of(identity)}.pays") is not None


def keep_that_it_pays(identity: str) -> None:
    if identity and not pays(identity):
        keep(f"{key_of(identity)}.pays", "")
