"""The fingerprints that an owner has seen: in memory, where they fit."""

from __future__ import annotations

import ctypes
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Fingerprints = NDArray[np.uint64]


class FingerprintTable(Protocol):
    """A growing set of fingerprints."""

    def __len__(self) -> int: ...

    @property
    def bytes(self) -> int:
        """Memory that the table takes."""
        ...

    def add(self, fingerprints: Fingerprints) -> NDArray[np.bool_]:
        """Take these in, in order, and say for each whether it was new."""
        ...

    def has(self, fingerprints: Fingerprints) -> NDArray[np.bool_]: ...


class SetTable:
    """A Python set: for kernels in Python, which take far longer for a state than this does."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def __len__(self) -> int:
        return len(self._seen)

    @property
    def bytes(self) -> int:
        return 80 * len(self._seen)

    def add(self, fingerprints: Fingerprints) -> NDArray[np.bool_]:
        seen, fresh = self._seen, np.zeros(len(fingerprints), np.bool_)
        for position, fingerprint in enumerate(fingerprints.tolist()):
            if fingerprint not in seen:
                seen.add(fingerprint)
                fresh[position] = True
        return fresh

    def has(self, fingerprints: Fingerprints) -> NDArray[np.bool_]:
        seen = self._seen
        return np.fromiter((f in seen for f in fingerprints.tolist()), np.bool_, len(fingerprints))


class CompiledTable:
    """Open addressing in C (`table.c`), 8 bytes a slot, at most four fifths full."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._table = library.rmq_table_new()
        if not self._table:
            raise MemoryError("no memory for a table of fingerprints")

    def __del__(self) -> None:
        if getattr(self, "_table", None):
            self._library.rmq_table_free(self._table)

    def __len__(self) -> int:
        return int(self._library.rmq_table_count(self._table))

    @property
    def bytes(self) -> int:
        return int(self._library.rmq_table_bytes(self._table))

    def add(self, fingerprints: Fingerprints) -> NDArray[np.bool_]:
        return self._each(self._library.rmq_table_add, fingerprints)

    def has(self, fingerprints: Fingerprints) -> NDArray[np.bool_]:
        return self._each(self._library.rmq_table_has, fingerprints)

    def _each(self, function: Any, fingerprints: Fingerprints) -> NDArray[np.bool_]:
        given = np.ascontiguousarray(fingerprints, np.uint64)
        answers = np.empty(len(given), np.uint8)
        if function(self._table, given.ctypes.data, len(given), answers.ctypes.data) != 0:
            raise MemoryError("no memory for a table of fingerprints")
        return answers.view(np.bool_)


def load_table(path: str) -> ctypes.CDLL:
    """The library that `table.c` was compiled to."""
    library = ctypes.CDLL(path)
    pointer, number = ctypes.c_void_p, ctypes.c_uint64
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "rmq_table_new": (pointer, []),
        "rmq_table_free": (None, [pointer]),
        "rmq_table_count": (number, [pointer]),
        "rmq_table_bytes": (number, [pointer]),
        "rmq_table_add": (ctypes.c_int, [pointer, pointer, number, pointer]),
        "rmq_table_has": (ctypes.c_int, [pointer, pointer, number, pointer]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
