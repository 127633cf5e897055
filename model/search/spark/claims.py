"""Claims on the way: a part that has generated a state claims its fingerprint, and the owner grants it to the first.

A claim is a fingerprint with the order of the step (rows.py) and the part that made it. What is granted is told by its
order alone, which is unique in a level.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.arrow import pa

EACH = 20
"""Bytes of a claim in memory."""
_HEADER = struct.Struct("<QQ")
_COUNT = struct.Struct("<Q")
_CODEC = "zstd"


@dataclass(frozen=True, slots=True)
class Claims:
    """Columns of claims; `parts`: who made them."""

    fingerprints: NDArray[np.uint64]
    orders: NDArray[np.uint64]
    parts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.fingerprints)

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Claims:
        return Claims(self.fingerprints[which], self.orders[which], self.parts[which])


def together(claims: Sequence[Claims]) -> Claims:
    if len(claims) == 1:
        return claims[0]
    return Claims(
        np.concatenate([np.empty(0, np.uint64), *(some.fingerprints for some in claims)]),
        np.concatenate([np.empty(0, np.uint64), *(some.orders for some in claims)]),
        np.concatenate([np.empty(0, np.int32), *(some.parts for some in claims)]),
    )


def claims_to_blob(fingerprints: NDArray[np.uint64], orders: NDArray[np.uint64], part: int) -> bytes:
    """Of one part. Nothing makes fingerprints shorter; orders, most of which rise, are told by their differences."""
    return _HEADER.pack(len(fingerprints), part) + fingerprints.tobytes() + numbers_to_blob(orders)


def claims_from_blob(blob: bytes) -> Claims:
    count, part = _HEADER.unpack_from(blob)
    fingerprints = np.frombuffer(blob, np.uint64, count, _HEADER.size)
    orders = numbers_from_blob(memoryview(blob)[_HEADER.size + fingerprints.nbytes :])
    return Claims(fingerprints, orders, np.full(count, part, np.int32))


def numbers_to_blob(numbers: NDArray[np.uint64]) -> bytes:
    """Their differences, a plane for each byte of the words, compressed."""
    differences = np.diff(numbers, prepend=np.uint64(0))
    planes = np.ascontiguousarray(differences.view(np.uint8).reshape(-1, 8).T)
    return _COUNT.pack(len(numbers)) + bytes(pa.compress(planes, codec=_CODEC, asbytes=True))


def numbers_from_blob(blob: bytes | memoryview) -> NDArray[np.uint64]:
    (count,) = _COUNT.unpack_from(blob)
    planes = pa.decompress(blob[_COUNT.size :], 8 * count, codec=_CODEC, asbytes=True)
    differences = np.ascontiguousarray(np.frombuffer(planes, np.uint8).reshape(8, count).T).view(np.uint64).reshape(-1)
    return np.cumsum(differences, dtype=np.uint64)
