"""Loss of power: of a broker's log, queues and checkpoint only what it had forced to its disk is left.

How that is known: a library of a few lines of C (`forced.c`) is preloaded into the broker. It sees each msync, fsync
and fdatasync of the process, and keeps the bytes as they are at that moment, beside the store. Bytes that were written
and never forced are lost, which is the worst that a machine may do; the kernel may have written some of them. Other
files (settings, topics, the epoch file, the broker's identity) stay as they are: RocketMQ forces none of them
(`MixAll.string2File`).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from rmqproof.rocketmq.errors import RocketmqError

_SOURCE = Path(__file__).with_name("forced.c")
_FORCED_ONLY = ("commitlog/", "consumequeue/", "index/", "checkpoint")
_COMPILERS = ("cc", "gcc", "clang")


def build(folder: Path, compilers: Sequence[str] = _COMPILERS) -> Path:
    """The library, made by the first compiler that there is. Raise `RocketmqError` where none makes it."""
    compiler = next((found for name in compilers if (found := shutil.which(name)) is not None), None)
    remedy = "Install gcc or clang (Linux), or leave out the losses of power."
    if compiler is None:
        raise RocketmqError("There is no C compiler for the library that sees what is forced to the disk.", remedy)
    library = folder / "forced.so"
    done = subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"], capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RocketmqError(f"{compiler} does not compile {_SOURCE.name}: {done.stderr.strip()[:500]}", remedy)
    return library


def environment(library: Path, store: Path, kept: Path) -> dict[str, str]:
    """Of a broker whose store is there, and what it forces is kept there."""
    return {"LD_PRELOAD": str(library), "RMQPROOF_STORE": str(store), "RMQPROOF_FORCED": str(kept)}


def lose_power(store: Path, kept: Path) -> None:
    """Its process has ended; what it had not forced is zeros."""
    for path in sorted(store.rglob("*")):
        name = path.relative_to(store).as_posix()
        if not path.is_file() or not name.startswith(_FORCED_ONLY):
            continue
        size = path.stat().st_size
        forced = kept / name
        path.unlink()
        if forced.is_file():
            shutil.copyfile(forced, path)
        with path.open("ab") as file:
            file.truncate(size)
