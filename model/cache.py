"""Where what takes long to make is kept from one run to the next.

What is read from there runs as code, so the folder is the user's alone (0700, as a key's), and each file carries a
digest: what was damaged, by a full disk say, is made again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path


class Untrusted(OSError):
    """The cache is not used; the message says why, and what to do."""


def cache_folder() -> Path:
    """RMQPROOF_CACHE, else the user's cache folder."""
    given = os.environ.get("RMQPROOF_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rmqproof"


def private_folder() -> Path:
    """The cache folder, made where it is not there. Raise `Untrusted` where others could have written into it."""
    folder = cache_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
        if not hasattr(os, "geteuid"):  # no users as POSIX has them; a folder below the home is one's own there
            return folder
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise Untrusted(f"The cache {folder} is not used: it belongs to another user. {_REMEDY}")
        if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise Untrusted(f"The cache {folder} is not used: other users can write into it. {_REMEDY}")
        if stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)
    except Untrusted:
        raise
    except OSError as error:
        raise Untrusted(f"The cache {folder} cannot be used: {error.strerror}. {_REMEDY}") from error
    return folder


_REMEDY = "Remove it, or set RMQPROOF_CACHE to a folder of your own."


@lru_cache(maxsize=8)
def made_by(*packages: str) -> str:
    """What tells this version of these packages of the checker from another: their files' sizes and times."""
    root = Path(__file__).parent
    return "\n".join(sorted(part for name in packages for part in _files(root / name)))


def _files(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir() and entry.name != "__pycache__":
                yield from _files(Path(entry.path))
            elif entry.is_file():
                status = entry.stat()
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def keep(name: str, text: str) -> None:
    """Keep a text under this name; where that is not possible, it is not kept."""
    keep_bytes(name, text.encode())


def keep_bytes(name: str, content: bytes) -> None:
    """Keep what is no text, likewise."""
    try:
        put(private_folder() / name, f"{digest_of(content)}\n".encode() + content)
    except OSError:
        return


def put(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raise `OSError`."""
    number, scratch = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        os.replace(scratch, path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def kept(name: str) -> str | None:
    """The text that was kept under this name, as it was."""
    content = kept_bytes(name)
    try:
        return content.decode() if content is not None else None
    except ValueError:
        return None


def kept_bytes(name: str) -> bytes | None:
    """What was kept under this name, as it was."""
    try:
        digest, _, content = (private_folder() / name).read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if digest == digest_of(content).encode() else None
