"""A file system in memory that can crash: between any two operations, with or without what was not synchronized."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


class Crash(Exception):
    """The simulated process or machine stopped here."""


Change = tuple[str, int, bytes]
"""`write` (from 0, everything), `write_at` or `truncate`, with the place in the file and the bytes."""


@dataclass
class _File:
    """One file. `durable` is what the last synchronize left, `pending` the changes since, oldest first."""

    durable: bytes = b""
    pending: list[Change] = field(default_factory=list)

    def content(self) -> bytes:
        return _changed(self.durable, self.pending)


def _changed(content: bytes, changes: list[Change]) -> bytes:
    result = bytearray(content)
    for kind, start, value in changes:
        if kind == "write_at":
            result.extend(bytes(max(0, start - len(result))))
            result[start : start + len(value)] = value
        else:
            del result[start:]
            result += value
    return bytes(result)


Choose = Callable[[int], int]
"""A number in 0..n for the argument n: how much of n unsynchronized changes (or bytes) survives."""


def nothing(_: int) -> int:
    return 0


def everything(count: int) -> int:
    return count


class SimulatedFiles:
    """`Files` in memory. With `crash_at = n` the n-th changing operation (from 1) raises Crash and is not done."""

    def __init__(self, crash_at: int | None = None) -> None:
        self.operations = 0
        self.crash_at = crash_at
        self._names: dict[Path, _File] = {}
        self._durable_names: dict[Path, _File] = {}
        self._pending_names: list[tuple[str, Path, Path | _File]] = []
        self._folders: set[Path] = set()

    # What happens to it

    def after_process_crash(self) -> SimulatedFiles:
        """What the next process finds: the kernel still has every change."""
        return self.after_machine_crash(everything)

    def after_machine_crash(self, survives: Choose = nothing) -> SimulatedFiles:
        """What the next process finds: synchronized state, and of the later changes a part from the front."""
        names = dict(self._durable_names)
        for kind, path, other in self._pending_names[: survives(len(self._pending_names))]:
            _apply_name(names, kind, path, other)
        found = SimulatedFiles()
        found._folders = set(self._folders)
        copies: dict[int, _File] = {}
        for path, file in names.items():
            if id(file) not in copies:
                copies[id(file)] = _File(_surviving(file, survives))
            found._names[path] = copies[id(file)]
        found._durable_names = dict(found._names)
        return found

    def damage(self, path: Path, content: bytes) -> None:
        """Put other bytes in place, as a bad disk does."""
        self._names[path] = self._durable_names[path] = _File(content)

    # Files

    def make_folder(self, folder: Path) -> None:
        self._folders.add(folder)

    def names(self, folder: Path) -> list[str]:
        return sorted(path.name for path in self._names if path.parent == folder)

    def exists(self, path: Path) -> bool:
        return path in self._names

    def read(self, path: Path) -> bytes:
        return self._file(path).content()

    def read_at(self, path: Path, start: int, size: int) -> bytes:
        return self._file(path).content()[start : start + size]

    def write(self, path: Path, content: bytes) -> None:
        self._step()
        self._made(path).pending.append(("write", 0, content))

    def write_at(self, path: Path, start: int, content: bytes) -> None:
        self._step()
        self._made(path).pending.append(("write_at", start, content))

    def truncate(self, path: Path, size: int) -> None:
        self._step()
        self._file(path).pending.append(("truncate", size, b""))

    def rename(self, old: Path, new: Path) -> None:
        self._step()
        self._file(old)
        self._change_name("rename", old, new)

    def remove(self, path: Path) -> None:
        self._step()
        self._change_name("remove", path, self._file(path))

    def synchronize(self, path: Path) -> None:
        self._step()
        file = self._file(path)
        file.durable = file.content()
        file.pending.clear()

    def synchronize_folder(self, folder: Path) -> None:
        self._step()
        left: list[tuple[str, Path, Path | _File]] = []
        for change in self._pending_names:
            if change[1].parent == folder:
                _apply_name(self._durable_names, *change)
            else:
                left.append(change)
        self._pending_names = left

    def close(self) -> None:
        pass

    # Inside

    def _step(self) -> None:
        self.operations += 1
        if self.operations == self.crash_at:
            raise Crash(f"operation {self.operations}")

    def _file(self, path: Path) -> _File:
        if path not in self._names:
            raise FileNotFoundError(path)
        return self._names[path]

    def _made(self, path: Path) -> _File:
        if path not in self._names:
            self._change_name("make", path, _File())
        return self._names[path]

    def _change_name(self, kind: str, path: Path, other: Path | _File) -> None:
        _apply_name(self._names, kind, path, other)
        self._pending_names.append((kind, path, other))


def _apply_name(names: dict[Path, _File], kind: str, path: Path, other: Path | _File) -> None:
    if kind == "make":
        assert isinstance(other, _File)
        names[path] = other
    elif kind == "remove":
        names.pop(path, None)
    else:
        assert isinstance(other, Path)
        if path in names:
            names[other] = names.pop(path)


def _surviving(file: _File, survives: Choose) -> bytes:
    kept = survives(len(file.pending))
    changes = list(file.pending[:kept])
    if kept < len(file.pending):
        kind, start, value = file.pending[kept]
        if kind == "write_at":
            changes.append((kind, start, value[: survives(len(value))]))
    return _changed(file.durable, changes)
