"""Where what takes long to make is kept from one run to the next."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """RMQPROOF_CACHE, else the user's cache folder."""
    given = os.environ.get("RMQPROOF_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rmqproof"


def keep(name: str, text: str) -> None:
    """Keep a text under this name; where that is not possible, it is not kept."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number, scratch = tempfile.mkstemp(dir=folder)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(scratch, folder / name)
    except OSError:
        return


def kept(name: str) -> str | None:
    """The text that was kept under this name."""
    try:
        return (cache_folder() / name).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
