"""Save a search so that it survives `kill -9`, and take it up again.

A checkpoint is a folder. `fingerprints-N` and `parents-N` only grow; `queue-K` is written anew each time; the manifest
names them, with the lengths and digests that count, and is put in place last by a rename. Whatever is killed at
whatever moment, the manifest on disk describes a whole checkpoint: bytes beyond the lengths it names are ignored.

The queue is a pickle of states, which are data: reading it runs nothing (see `StateReader`).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import pickle
import platform
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.breadth_first import Search
from rmqproof.model.search.fingerprint_set import FingerprintSet
from rmqproof.model.search.pickled import StateReader
from rmqproof.model.search.result import PropertyKind, Step, Violation
from rmqproof.model.search.state_queue import StateQueue
from rmqproof.model.search.statistics import Counters

MANIFEST = "manifest.json"
FORMAT = 4
LOCK = "lock"
CHUNK = 10_000
_COUNTS = ("expanded", "level", "level_end", "depth", "spoken", "seconds")


class CheckpointError(Exception):
    """A checkpoint is missing, damaged or of another model. The message names the file and says what to do."""


@contextlib.contextmanager
def locked(folder: Path, what: str) -> Iterator[None]:
    """The folder of a checkpoint, for this process alone; `what` it does there, for others to read.

    Raise `CheckpointError` while another process is at it, `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOCK
    file = _lock(path)
    try:
        os.ftruncate(file, 0)
        os.write(file, f"process {os.getpid()} on {platform.node()} ({what})".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)
        with contextlib.suppress(OSError):
            folder.rmdir()  # of a search that has ended nothing is left


def _lock(path: Path) -> int:
    try:
        import fcntl
    except ImportError:
        raise CheckpointError(
            f"{path.parent}: this system has no locks of files as POSIX has them, so no search is saved."
        ) from None
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(file, 1000).decode(errors="replace") or "another process"
            os.close(file)
            raise CheckpointError(
                f"{path.parent}: {holder} is searching with this checkpoint. "
                "Wait until it has ended, or end it, or name another folder."
            ) from None
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS):
                os.close(file)
                raise
            return file  # a file system without locks
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        os.close(file)  # whoever held it has just removed it


def changed_input(inputs: Mapping[str, str]) -> str | None:
    """The first of these files that is no more what it was."""
    for name, digest in inputs.items():
        try:
            found = hashlib.sha256(Path(name).read_bytes()).hexdigest()
        except OSError:
            found = ""
        if found != digest:
            return name
    return None


@dataclass(slots=True)
class _Column:
    """A file that only grows, of which `items` are written; `digest` is of exactly those."""

    name: str
    items: int
    digest: Any


class Checkpoint:
    """The checkpoint in `folder` of the model that `identity` stands for (a digest of specification and options)."""

    def __init__(
        self,
        folder: Path,
        identity: str,
        description: str = "",
        inputs: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`inputs`: the files that the model has read so far, each with the SHA-256 of what was there."""
        self.folder = folder
        self.identity = identity
        self.description = description
        self.inputs = inputs
        self._inputs: dict[str, str] = {}
        self._columns: dict[str, _Column] = {}
        self._number = 0

    @property
    def exists(self) -> bool:
        return (self.folder / MANIFEST).exists()

    def save(self, search: Search, seconds: float) -> None:
        """Write everything that has come since the last `save`. `seconds` is the time spent so far.

        Raise `OSError` when it cannot be written; the previous checkpoint then still holds.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self._columns:
            self._begin()
        self._append("fingerprints", search.seen.fingerprints)
        self._append("parents", search.seen.parents)
        self._number += 1
        queue = f"queue-{self._number}"
        digest = self._write_queue(queue, search)
        manifest = {
            "format": FORMAT,
            "identity": self.identity,
            "description": self.description,
            "byteorder": sys.byteorder,
            "inputs": self._inputs | dict(self.inputs()),
            "columns": {
                key: {"file": column.name, "items": column.items, "digest": column.digest.hexdigest()}
                for key, column in self._columns.items()
            },
            "queue": {"file": queue, "items": len(search.queue), "digest": digest},
            "counts": {name: getattr(search, name) for name in _COUNTS} | {"seconds": seconds},
            "counters": asdict(search.counters),
        }
        self._write_manifest(manifest)
        self._sweep({queue, MANIFEST, *(column.name for column in self._columns.values())})

    def remove(self) -> None:
        """Remove the files of this checkpoint, and the folder when nothing else is in it."""
        (self.folder / MANIFEST).unlink(missing_ok=True)
        self._sweep(set())
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def load(self) -> Search:
        """The saved search. Raise `CheckpointError` when it cannot be trusted to be this model's."""
        manifest = self._read_manifest()
        columns = {key: self._read_column(manifest, key) for key in ("fingerprints", "parents")}
        queue, violations = self._read_queue(manifest)
        search = Search(
            seen=FingerprintSet.of(columns["fingerprints"], columns["parents"]),
            queue=queue,
            counters=Counters(**manifest["counters"]),
            violations=violations,
            **manifest["counts"],
        )
        if search.expanded + len(queue) != len(search.seen) or len(search.seen) != len(search.seen.seen):
            raise self._refuse(MANIFEST, "its counts contradict each other")
        return search

    # --- writing -----------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """New files, under names that no older checkpoint in the folder uses."""
        used = [int(path.name.rpartition("-")[2]) for path in self.folder.glob("*-*") if path.name[-1].isdigit()]
        self._number = max(used, default=0)
        for key in ("fingerprints", "parents"):
            self._columns[key] = _Column(f"{key}-{self._number + 1}", 0, _hash())

    def _append(self, key: str, items: array[int]) -> None:
        column = self._columns[key]
        fresh = items[column.items :].tobytes()
        with (self.folder / column.name).open("ab" if column.items else "wb") as file:
            file.truncate(column.items * items.itemsize)
            file.write(fresh)
            _flush(file)
        column.items = len(items)
        column.digest.update(fresh)

    def _write_queue(self, name: str, search: Search) -> str:
        digest = _hash()
        with (self.folder / name).open("wb") as file:
            states = iter(search.queue)
            for part in (_plain(search.violations), *iter(lambda: list(islice(states, CHUNK)), [])):
                content = pickle.dumps(part, protocol=pickle.HIGHEST_PROTOCOL)
                digest.update(content)
                file.write(content)
            _flush(file)
        return str(digest.hexdigest())

    def _write_manifest(self, manifest: dict[str, Any]) -> None:
        temporary = self.folder / f"{MANIFEST}.new"
        body = json.dumps(manifest, indent=1, sort_keys=True)
        with temporary.open("wb") as file:
            file.write(
                json.dumps({"digest": _digest(body.encode()), "body": manifest}, indent=1, sort_keys=True).encode()
            )
            _flush(file)
        temporary.replace(self.folder / MANIFEST)
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _sweep(self, keep: set[str]) -> None:
        """Remove the files of older checkpoints in this folder, and nothing else."""
        for prefix in ("fingerprints", "parents", "queue"):
            for path in self.folder.glob(f"{prefix}-*"):
                if path.name not in keep and path.name.removeprefix(f"{prefix}-").isdigit():
                    path.unlink()

    # --- reading -----------------------------------------------------------------------------------------------

    def _read_manifest(self) -> dict[str, Any]:
        try:
            document = json.loads((self.folder / MANIFEST).read_bytes())
            manifest: dict[str, Any] = document["body"]
            if _digest(json.dumps(manifest, indent=1, sort_keys=True).encode()) != document["digest"]:
                raise ValueError
        except FileNotFoundError:
            raise CheckpointError(
                f"{self.folder}: there is no checkpoint in this folder. Leave out --resume to start from the beginning."
            ) from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._refuse(MANIFEST, "it is damaged") from None
        except OSError as error:
            raise self._refuse(MANIFEST, f"it cannot be read ({error.strerror})") from None
        if manifest["format"] != FORMAT or manifest["byteorder"] != sys.byteorder:
            raise self._refuse(
                MANIFEST, "it was written by another version of this program or on another kind of machine"
            )
        if manifest["identity"] != self.identity:
            raise self._refuse(
                MANIFEST,
                f"it belongs to another model ({manifest['description']}): the specification, the configuration or an "
                "option has changed since",
            )
        changed = changed_input(manifest["inputs"])
        if changed is not None:
            raise self._refuse(MANIFEST, f"{changed}, which the specification reads, has changed since")
        self._inputs = manifest["inputs"]
        return manifest

    def _read_column(self, manifest: dict[str, Any], key: str) -> array[int]:
        entry = manifest["columns"][key]
        items = array("Q" if key == "fingerprints" else "I")
        content = self._content(entry["file"])[: entry["items"] * items.itemsize]
        if len(content) != entry["items"] * items.itemsize or _digest(content) != entry["digest"]:
            raise self._refuse(entry["file"], "it is damaged")
        items.frombytes(content)
        column = _Column(entry["file"], entry["items"], _hash())
        column.digest.update(content)
        self._columns[key] = column
        return items

    def _read_queue(self, manifest: dict[str, Any]) -> tuple[StateQueue, dict[str, Violation]]:
        entry = manifest["queue"]
        content = self._content(entry["file"])
        if _digest(content) != entry["digest"]:
            raise self._refuse(entry["file"], "it is damaged")
        self._number = int(entry["file"].rpartition("-")[2])
        try:
            parts = list(_unpickle_all(content))
        except pickle.UnpicklingError as error:
            raise self._refuse(entry["file"], f"it is no queue of states ({error})") from None
        return StateQueue(chain.from_iterable(parts[1:])), _violations(parts[0])

    def _content(self, name: str) -> bytes:
        try:
            return (self.folder / name).read_bytes()
        except OSError as error:
            raise self._refuse(name, f"it cannot be read ({error.strerror})") from None

    def _refuse(self, name: str, why: str) -> CheckpointError:
        return CheckpointError(
            f"{self.folder / name}: this checkpoint cannot be resumed, because {why}. "
            "Leave out --resume, or name another folder, to start from the beginning."
        )


def _unpickle_all(content: bytes) -> Sequence[Any]:
    file = io.BytesIO(content)
    parts = []
    while file.tell() < len(content):
        parts.append(StateReader(file).load())
    return parts


def _plain(violations: Mapping[str, Violation]) -> list[tuple[Any, ...]]:
    """Violations without the classes that they are made of."""
    return [
        (
            name,
            (str(each.kind), each.name, each.sentence),
            [(step.action, step.arguments, step.state) for step in each.behaviour],
            each.loop,
            each.fairness,
        )
        for name, each in violations.items()
    ]


def _violations(plain: Sequence[tuple[Any, ...]]) -> dict[str, Violation]:
    return {
        key: Violation(PropertyKind(kind), name, sentence, tuple(Step(*step) for step in steps), loop, fairness)
        for key, (kind, name, sentence), steps, loop, fairness in plain
    }


def _hash() -> Any:
    return hashlib.blake2b(digest_size=16)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _flush(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())
