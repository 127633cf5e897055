"""Questions that were answered before, so that what has not changed is not asked again.

A file for each question, named by the hash of the question's text: `proved`, or for how long the solver tried in vain.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import z3

from rmqproof.model.cache import Untrusted, private_folder, put
from rmqproof.model.prove.pieces import Written

_NUMBERED = re.compile(r"\b(?:nowhere|chosen|selected)!\d+")
_WAYS = "8"
"""Changes when questions are asked in other ways: then what was tried in vain is tried again."""
_TRIED = re.compile(rf"([0-9]{{1,9}}(?:\.[0-9]{{1,9}})?) {_WAYS}")
_FORM = "1"
"""Changes when the same text would mean another question."""


@dataclass(frozen=True, slots=True)
class ProofCache:
    """`folder` None: nothing is remembered. `solver`: who answered, with its version."""

    folder: Path | None
    solver: str = field(default_factory=z3.get_version_string)

    @classmethod
    def of_user(cls) -> ProofCache:
        """In the cache folder, unless others could have written into it."""
        try:
            return cls(private_folder() / "proofs")
        except Untrusted:
            return cls(None)

    def of_solver(self, solver: str) -> ProofCache:
        """Where the answers of another solver are kept."""
        return replace(self, solver=solver)

    def key(self, question: Iterable[Written]) -> str:
        """The hash of a question: its formulas in their order, names that merely count replaced by their order."""
        numbers: dict[str, str] = {}

        def renamed(match: re.Match[str]) -> str:
            return numbers.setdefault(match[0], f"#{len(numbers)}")

        digest = hashlib.sha256(f"{_FORM} {self.solver}\n".encode())
        for formula in question:
            if formula.counted:
                digest.update(hashlib.sha256(_NUMBERED.sub(renamed, formula.text).encode()).digest())
            else:
                digest.update(formula.digest)
        return digest.hexdigest()[:40]

    def proved(self, key: str) -> bool:
        return self._read(key) == "proved"

    def tried(self, key: str) -> float:
        """The seconds that were not enough; 0 where it was never asked."""
        found = _TRIED.fullmatch(self._read(key))
        return float(found[1]) if found else 0.0

    def keep(self, key: str, proved: bool, seconds: float) -> None:
        if self.folder is None:
            return
        try:
            path = self._path(key)
            path.parent.mkdir(parents=True, exist_ok=True)
            put(path, b"proved" if proved else f"{seconds:g} {_WAYS}".encode())
        except OSError:
            pass  # a memory that cannot be written costs time, nothing else

    def _path(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / key[:2] / key[2:]

    def _read(self, key: str) -> str:
        if self.folder is None:
            return ""
        try:
            return self._path(key).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):  # what is damaged is asked again
            return ""
