"""Columns of numbers in memory, and beyond a limit in files without a name, mapped into memory to be read."""

from __future__ import annotations

import mmap
import os
import tempfile
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

_PIECE = 1 << 18
"""Bytes that a column gathers before it writes them to its file."""


class Numbers(Protocol):
    """What a finished column can do: an array, or a view of a file."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...


class Storage:
    """Where columns are kept. `limit`: bytes in memory, beyond which they go to files in `folder`; None: no limit."""

    def __init__(self, limit: int | None = None, folder: Path | None = None) -> None:
        self.limit, self.folder = limit, folder
        self.used = 0
        """Bytes of columns in memory."""
        self.filed = 0
        """Bytes of columns in files."""

    @property
    def full(self) -> bool:
        return self.limit is not None and self.used > self.limit

    def column(self, kind: str) -> Column:
        """An empty column of numbers of this kind (`array`'s type codes)."""
        return Column(self, kind)

    def zeros(self, count: int) -> Any:
        """`count` bytes that are 0 and can be set. On disk only those that are set take room."""
        if self.limit is None or self.used + count <= self.limit:
            self.used += count
            return bytearray(count)
        self.filed += count
        with self.file() as file:
            file.truncate(max(1, count))
            return mmap.mmap(file.fileno(), max(1, count))

    def file(self) -> Any:
        """An open file without a name: nothing is left of it, however the process ends."""
        return tempfile.TemporaryFile(dir=self.folder)


class Column:
    """A growing column. `finished` gives the numbers; after that it grows no more."""

    def __init__(self, storage: Storage, kind: str) -> None:
        self.storage, self.kind = storage, kind
        self._tail: array[Any] = array(kind)
        self._width = self._tail.itemsize
        self._counted = 0
        self._file: Any = None
        self._written = 0
        """Numbers in the file."""

    def __len__(self) -> int:
        return self._written + len(self._tail)

    def append(self, number: int) -> None:
        self._tail.append(number)
        if len(self._tail) * self._width >= self._counted + _PIECE:
            self._count()

    def extend(self, numbers: Iterable[int]) -> None:
        self._tail.extend(numbers)
        if len(self._tail) * self._width >= self._counted + _PIECE:
            self._count()

    def extend_bytes(self, content: bytes | memoryview) -> None:
        """Numbers as they lie in memory."""
        self._tail.frombytes(content)
        if len(self._tail) * self._width >= self._counted + _PIECE:
            self._count()

    def read(self, start: int, stop: int) -> bytes:
        """The numbers from `start` to before `stop`, as they lie in memory. Raise `OSError`."""
        found = b""
        if start < self._written:
            end = min(stop, self._written)
            size = (end - start) * self._width
            found = os.pread(self._file.fileno(), size, start * self._width)
            if len(found) != size:
                raise OSError("a file of the liveness check is too short")
            start = end
        if start < stop:
            found += self._tail[start - self._written : stop - self._written].tobytes()
        return found

    def finished(self) -> Numbers:
        """The whole column. Raise `OSError` where it cannot be written."""
        if self._file is None:
            return self._tail
        self._flush()
        self._file.flush()
        # nothing is written, but machine code takes no read-only buffer
        view = mmap.mmap(self._file.fileno(), self._written * self._width, access=mmap.ACCESS_COPY)
        self._file.close()
        numbers: Any = memoryview(view)
        return numbers.cast(self.kind)  # type: ignore[no-any-return]

    def _count(self) -> None:
        size = len(self._tail) * self._width
        self.storage.used += size - self._counted
        self._counted = size
        if self._file is not None or self.storage.full:
            self._flush()

    def _flush(self) -> None:
        if self._file is None:
            self._file = self.storage.file()
        content = self._tail.tobytes()
        self._file.write(content)
        self._file.flush()
        self.storage.filed += len(content)
        self.storage.used -= self._counted
        self._written += len(self._tail)
        self._tail, self._counted = array(self.kind), 0
