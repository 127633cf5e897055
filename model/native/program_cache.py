"""Programs that were generated before: a model whose text has not changed is not compiled to C again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from rmqproof.model.cache import keep, kept

from .description import Description, DescriptionError, description_of
from .program import Program


def kept_program(key: str) -> Program | None:
    """The program that was kept under this key."""
    text = kept(f"{key}.json")
    if text is None:
        return None
    try:
        content = json.loads(text)
        described = description_of(content["description"], Path(f"{key}.json"))
        labels = tuple(bool(label) for label in content["labels"])
        return Program(content["source"], described.layout, described.actions, (), described.signatures, labels)
    except (ValueError, KeyError, TypeError, DescriptionError):
        return None


def keep_program(key: str, described: Description, program: Program) -> None:
    content = {"description": described.to_json(), "source": program.source, "labels": program.labels}
    keep(f"{key}.json", json.dumps(content))


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
