"""Tests that wait for what a process does. None has a limit of its own: how fast the machine is decides nothing."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path


def wait_until(seen: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> bool:
    """Wait for something that can be observed. False where the process that is to show it has ended before."""
    while not seen():
        if process is not None and process.poll() is not None:
            return seen()
        time.sleep(0.005)
    return True


def written_again(path: Path, times: int = 1) -> Callable[[], bool]:
    """Whether a file, which is replaced whole, was seen to be another one so many times since now."""
    last, count = _version(path), 0

    def seen() -> bool:
        nonlocal last, count
        now = _version(path)
        if now != last:
            last, count = now, count + (now is not None)
        return count >= times

    return seen


def _version(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns
