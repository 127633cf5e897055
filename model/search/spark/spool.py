"""What a part has generated in a level waits on the local disk until the owners have said which of it is new.

Whoever finds nothing there, or not all of it, computes it again: a spool saves time, and nothing rests on it. Any
process of the machine finds what another one has put there.
"""

from __future__ import annotations

import os
import struct
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from rmqproof.model.search.spark.rows import Rows, from_blob, to_blob

_LENGTH = struct.Struct("<Q")


class Spool:
    """A folder. None: one of its own, which is gone with it."""

    def __init__(self, folder: Path | None = None) -> None:
        self._own = tempfile.TemporaryDirectory(prefix="rmqproof-spool-") if folder is None else None
        self.folder = Path(self._own.name) if self._own is not None else folder

    def writer(self, job: str, level: int, part: int) -> SpoolWriter:
        """For what a part generates from its states of `level`."""
        return SpoolWriter(self._folder() / f"{_name(job, level, part)}{uuid.uuid4().hex[:12]}")

    def rows(self, job: str, level: int, part: int) -> Iterator[Rows] | None:
        """What was written for it, in that sequence; None where there is nothing."""
        for path in self._folder().glob(f"{_name(job, level, part)}*"):
            with suppress(OSError):
                return _read(path.open("rb"))
        return None

    def remove(self, job: str, level: int, part: int) -> None:
        for path in self._folder().glob(f"{_name(job, level, part)}*"):
            with suppress(OSError):
                path.unlink()

    def _folder(self) -> Path:
        assert self.folder is not None
        return self.folder


class SpoolWriter:
    """Used with `with`: the file gets its name at its end, unless there was an error or no room."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._temporary().open("wb")

    def _temporary(self) -> Path:
        return self._path.with_name(f"_{self._path.name}")

    def add(self, rows: Rows) -> None:
        if self._file is None:
            return
        blob = to_blob(rows)
        try:
            self._file.write(_LENGTH.pack(len(blob)))
            self._file.write(blob)
        except OSError:
            self._give_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._give_up()
        if self._file is None:
            return
        try:
            self._file.close()
            self._temporary().replace(self._path)
        except OSError:
            self._give_up()

    def _give_up(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()
        with suppress(OSError):
            self._temporary().unlink()


def _name(job: str, level: int, part: int) -> str:
    return f"{job}-{level:05}-{part:05}-"


def _read(file: IO[bytes]) -> Iterator[Rows]:
    with file:
        while header := file.read(_LENGTH.size):
            yield from_blob(file.read(_LENGTH.unpack(header)[0]))


def spool_of_executor() -> Spool:
    """In a folder that Spark removes with the executor, where Spark says which."""
    folders = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    return Spool(Path(folders[0] or tempfile.gettempdir()) / "rmqproof-spool")
