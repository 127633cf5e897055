"""The file system behind a store: where it is, and how a file gets its name.

A file is written under a temporary name and moved. Locally a move is a rename. An object store copies the object, which
appears whole or not at all, and removes the first: nobody sees a part of a file there either. Where a move does not
replace what is there (HDFS), that is removed before.
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from rmqproof.model.search.spark.arrow import FileSystem, fs, pa

LOCAL = ("", "file")
BY_JAVA = (*LOCAL, "hdfs", "viewfs")
"""Schemes that Spark reads by itself as it comes; what has another is read by pyarrow in its Python workers."""

WITHOUT_FOLDERS = ("s3", "gcs", "abfs")
REPLACING = ("local", *WITHOUT_FOLDERS)
"""Kinds of file systems where a file takes the place of another by a move: one that fails there is a failure."""

_DELAYED = "allow_delayed_open"


class StoreError(Exception):
    """A store is missing, damaged or of another model. The message names the file and says what to do."""


@dataclass(frozen=True, slots=True)
class Temporary:
    """A file that is being written, and the name that it will get."""

    system: FileSystem
    path: str
    target: str

    def put_in_place(self) -> int:
        """Give the file its name. Returns its size in bytes. Raise `OSError`."""
        size = int(self.system.get_file_info(self.path).size)
        try:
            self.system.move(self.path, self.target)
        except OSError:
            there = self.system.get_file_info(self.target).type == fs.FileType.File
            if self.system.type_name in REPLACING or not there:
                raise
            self.system.delete_file(self.target)
            self.system.move(self.path, self.target)
        return size

    def remove(self) -> None:
        """Remove what was written so far, as far as that is possible."""
        with suppress(OSError):
            self.system.delete_file(self.path)


def temporary(system: FileSystem, target: str) -> Temporary:
    """A name in the folder of `target`, which is made. Files whose names begin with _ are nobody's. Raise `OSError`."""
    folder, _, last = target.rpartition("/")
    if system.type_name not in WITHOUT_FOLDERS:
        system.create_dir(folder, recursive=True)
    return Temporary(system, f"{folder}/_{last}.{uuid.uuid4().hex[:12]}", target)


def file_system(uri: str) -> tuple[FileSystem, str]:
    """The file system that a path or a URI speaks of, and the path on it. Raise `StoreError`."""
    # connections do not outlive a fork
    return _opened(uri, os.getpid())


@lru_cache(maxsize=8)
def _opened(uri: str, process: int) -> tuple[FileSystem, str]:
    if "://" not in uri:
        return fs.LocalFileSystem(), str(Path(uri).absolute())
    try:
        system, path = _from_uri(uri)
    except (pa.ArrowException, ImportError, OSError, ValueError) as error:
        why = str(error).replace(uri, shown(uri))
        raise StoreError(f"{shown(uri)}: no file system can be opened by this name ({why}).") from None
    return system, str(path).rstrip("/")


def _from_uri(uri: str) -> tuple[FileSystem, str]:
    known = fs.FileSystem.from_uri
    found: tuple[FileSystem, str]
    if scheme_of(uri) == "s3" and _DELAYED not in uri:
        try:
            # a small object takes one request and not three
            found = known(f"{uri}{'&' if '?' in uri else '?'}{_DELAYED}=true")
        except pa.ArrowInvalid:  # a PyArrow that is too old for this option, or there is something else wrong
            found = known(uri)
    else:
        found = known(uri)
    return found


def scheme_of(uri: str) -> str:
    """Empty for a path."""
    return urlsplit(uri).scheme if "://" in uri else ""


def shown(uri: str) -> str:
    """A URI as messages show it: without a name and a password, and without options."""
    if "://" not in uri:
        return uri.rstrip("/")
    parts = urlsplit(uri)
    place = parts.netloc.rpartition("@")[2]
    return SplitResult(parts.scheme, place, parts.path.rstrip("/"), "", "").geturl()
