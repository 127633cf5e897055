"""The file operations that storage needs, on the real disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol


class Files(Protocol):
    """A file system as the storage sees it. What is written survives a machine crash only after `synchronize`;
    a new name, a rename and a removal only after `synchronize_folder`."""

    def make_folder(self, folder: Path) -> None: ...

    def names(self, folder: Path) -> list[str]:
        """Names of the files in a folder, sorted; empty if there is no such folder."""
        ...

    def exists(self, path: Path) -> bool: ...

    def read(self, path: Path) -> bytes:
        """The whole content; FileNotFoundError without the file."""
        ...

    def read_at(self, path: Path, start: int, size: int) -> bytes:
        """`size` bytes from `start`, fewer at the end of the file."""
        ...

    def write(self, path: Path, content: bytes) -> None:
        """Replace the content, or make the file. Not atomic: use it on temporary files only."""
        ...

    def write_at(self, path: Path, start: int, content: bytes) -> None:
        """Put bytes over those from `start` on, or behind the end; makes the file. `start` is not beyond its end."""
        ...

    def truncate(self, path: Path, size: int) -> None: ...

    def rename(self, old: Path, new: Path) -> None: ...

    def remove(self, path: Path) -> None: ...

    def synchronize(self, path: Path) -> None: ...

    def synchronize_folder(self, folder: Path) -> None: ...

    def close(self) -> None: ...


class RealFiles:
    """The disk. A file that is written within stays open until `close` or until it is renamed or removed."""

    def __init__(self) -> None:
        self._open: dict[Path, int] = {}

    def make_folder(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)

    def names(self, folder: Path) -> list[str]:
        if not folder.is_dir():
            return []
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_file())

    def exists(self, path: Path) -> bool:
        return path.is_file()

    def read(self, path: Path) -> bytes:
        return path.read_bytes()

    def read_at(self, path: Path, start: int, size: int) -> bytes:
        return os.pread(self._descriptor(path), size, start)

    def write(self, path: Path, content: bytes) -> None:
        self._forget(path)
        with open(path, "wb") as file:
            file.write(content)

    def write_at(self, path: Path, start: int, content: bytes) -> None:
        descriptor = self._descriptor(path)
        view = memoryview(content)
        while view:
            written = os.pwrite(descriptor, view, start)
            view, start = view[written:], start + written

    def truncate(self, path: Path, size: int) -> None:
        os.ftruncate(self._descriptor(path), size)

    def rename(self, old: Path, new: Path) -> None:
        self._forget(old)
        self._forget(new)
        os.replace(old, new)

    def remove(self, path: Path) -> None:
        self._forget(path)
        path.unlink()

    def synchronize(self, path: Path) -> None:
        os.fsync(self._descriptor(path))

    def synchronize_folder(self, folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        for path in list(self._open):
            self._forget(path)

    def _descriptor(self, path: Path) -> int:
        if path not in self._open:
            self._open[path] = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        return self._open[path]

    def _forget(self, path: Path) -> None:
        descriptor = self._open.pop(path, None)
        if descriptor is not None:
            os.close(descriptor)


def replace(files: Files, path: Path, content: bytes) -> None:
    """Give a file new content so that a crash leaves the old content or the new one, and no third thing."""
    temporary = path.with_name(path.name + ".tmp")
    files.write(temporary, content)
    files.synchronize(temporary)
    files.rename(temporary, path)
    files.synchronize_folder(path.parent)


def delete(files: Files, path: Path) -> None:
    """Remove a file for good; nothing happens if it is not there."""
    if files.exists(path):
        files.remove(path)
        files.synchronize_folder(path.parent)
