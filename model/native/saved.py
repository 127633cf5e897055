"""The native search's checkpoint: a folder that survives `kill -9`, with the states in the order of discovery.

`states` and `parents` only grow; the manifest says how much of them counts, with a checksum, and is put in place
last by a rename. Fingerprints are computed again from the states. Whatever is killed at whatever moment, the manifest
on disk describes a whole checkpoint: bytes beyond the lengths it names are ignored.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.checkpoint import CheckpointError, changed_input

from .native_model import NativeModel
from .run import PARENTS, STATES, Met, Numbers, Run, Status

MANIFEST = "native.json"
FORMAT = 5


@dataclass(frozen=True, slots=True)
class Saved:
    """What a manifest holds. `growths`: how the layout was widened; `layout`: a digest of the program."""

    identity: str
    description: str
    growths: list[int]
    layout: str
    numbers: Numbers
    coverage: list[int]
    violations: list[Met]
    seconds: float


@dataclass(frozen=True, slots=True)
class Folder:
    """The checkpoint of the model that `identity` stands for (a digest of specification and options)."""

    path: Path
    identity: str
    description: str = ""
    inputs: Callable[[], Mapping[str, str]] = field(default=dict, compare=False)
    """As of `Checkpoint`."""

    @property
    def exists(self) -> bool:
        return (self.path / MANIFEST).exists()

    def prepare(self) -> None:
        """Raise `OSError`."""
        self.path.mkdir(parents=True, exist_ok=True)

    def save(self, run: Run, seconds: float) -> None:
        """Write what has come since the last time. Raise `OSError`; the previous checkpoint then still holds."""
        run.save()
        native = run.native
        content = {
            "format": FORMAT,
            "identity": self.identity,
            "description": self.description,
            "byteorder": sys.byteorder,
            "inputs": dict(self.inputs()),
            "growths": native.growths,
            "layout": digest_of(native),
            "numbers": asdict(run.numbers()),
            "coverage": run.coverage(),
            "violations": [asdict(met) for met in run.violations()],
            "seconds": seconds,
        }
        target = self.path / MANIFEST
        scratch = target.with_suffix(".new")
        with scratch.open("w", encoding="utf-8") as file:
            json.dump({"digest": _digest(content), "body": content}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, target)
        with self._directory() as directory:
            os.fsync(directory)

    @contextlib.contextmanager
    def _directory(self) -> Iterator[int]:
        directory = os.open(self.path, os.O_RDONLY)
        try:
            yield directory
        finally:
            os.close(directory)

    def load(self) -> Saved:
        """Raise `CheckpointError` when it cannot be trusted to be this model's."""
        path = self.path / MANIFEST
        try:
            document = json.loads(path.read_bytes())
            content: dict[str, Any] = document.get("body", document)
            if content["format"] == FORMAT and document["digest"] != _digest(content):
                raise ValueError("it is not what was written")
            if content["format"] != FORMAT or content["byteorder"] != sys.byteorder:
                raise CheckpointError(f"{path}: another version or machine wrote it. Start without --resume.")
            saved = Saved(
                content["identity"],
                content["description"],
                content["growths"],
                content["layout"],
                Numbers(**content["numbers"]),
                content["coverage"],
                [Met(**met | {"state": tuple(met["state"])}) for met in content["violations"]],
                content["seconds"],
            )
        except OSError as error:
            raise CheckpointError(
                f"{path}: {error.strerror}. Leave out --resume to start from the beginning."
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise CheckpointError(
                f"{path}: damaged ({error}). Remove the folder and start without --resume."
            ) from error
        if saved.identity != self.identity:
            whose = f" ({saved.description})" if saved.description else ""
            raise CheckpointError(
                f"{self.path}: this checkpoint belongs to another model{whose}, or to the same one with another text "
                "or options. Leave out --resume, or name another folder, to start from the beginning."
            )
        changed = changed_input(content["inputs"])
        if changed is not None:
            raise CheckpointError(
                f"{self.path}: {changed}, which the specification reads, has changed since. "
                "Leave out --resume, or name another folder, to start from the beginning."
            )
        return saved

    def restore(self, run: Run, saved: Saved) -> None:
        """Put the saved search into a fresh run of the same program. Raise `CheckpointError`."""
        if digest_of(run.native) != saved.layout or len(saved.coverage) != 3 * len(run.native.program.actions):
            raise CheckpointError(
                f"{self.path}: another version of rmqproof lays states out differently. "
                "Leave out --resume, or name another folder, to start from the beginning."
            )
        if saved.violations and not run.keep_going:
            raise CheckpointError(f"{self.path}: this search went on after a violation; resume it with --continue.")
        run.set_violations(saved.violations)
        status = run.resume(saved.numbers, saved.coverage)
        if status is Status.NO_MEMORY:
            raise MemoryError("no memory for the saved search")
        if status is not Status.RUNNING:
            raise CheckpointError(
                f"{self.path}: damaged (the states are not those that were saved). "
                "Remove the folder and start without --resume."
            )

    def forget(self) -> None:
        """The states are of no use any more; the files stay."""
        (self.path / MANIFEST).unlink(missing_ok=True)
        for name in (STATES, PARENTS):
            with contextlib.suppress(FileNotFoundError):
                os.truncate(self.path / name, 0)

    def remove(self) -> None:
        """Remove the files of this checkpoint, and the folder when nothing else is in it."""
        for name in (MANIFEST, STATES, PARENTS):
            (self.path / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.path.rmdir()


def _digest(content: dict[str, Any]) -> str:
    """Of all that the manifest says; of what is in the files it has the checksum."""
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()


def digest_of(native: NativeModel) -> str:
    """A digest of everything that states and their order depend on."""
    return hashlib.blake2b(native.program.source.encode(), digest_size=16).hexdigest()
