"""64-bit fingerprints of states, the same in every process and run.

Zobrist style: the exclusive or, over the variables, of a digest of (index of the variable, value). A step that changes
two variables out of ten changes two digests, and a digest is looked up after the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from rmqproof.model.evaluate.comparison import Mark, check_marks, mark_of
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.values import Boolean, Domain, Function, ModelValue, Value

_ATOMS = frozenset((int, str, Boolean, ModelValue))
_LIMIT = 1_000_000
"""Remembered encodings and digests (each table); then the table starts afresh."""


class Encoder:
    """Canonical bytes of values: two values have the same bytes exactly when they are equal.

    `encode` raises `Fault` for a set of values that cannot be compared: TLC cannot sort it, and so not store it.
    """

    __slots__ = ("_domains", "_known", "_marks")

    def __init__(self) -> None:
        self._marks: dict[Value, Mark] = {}
        self._known: dict[Value, bytes] = {}
        self._domains: dict[Domain, bytes] = {}

    def encode(self, value: Value) -> bytes:
        kind = type(value)
        if kind is int:
            return b"i%d;" % value
        if kind is str:
            data = value.encode("utf-8", "surrogatepass")
            return b"s%d:%b" % (len(data), data)
        if kind is Boolean:
            return b"T" if value.truth else b"F"
        if kind is ModelValue:
            data = value.name.encode("utf-8")
            return b"m%d:%b" % (len(data), data)
        known = self._known.get(value)
        if known is not None:
            return known
        result = self.encode_once(value)
        if len(self._known) >= _LIMIT:
            self._known.clear()
        self._known[value] = result
        return result

    def encode_once(self, value: Value) -> bytes:
        """The same, of a value that will not be met again, though its parts: the hash of a large one costs much."""
        encode = self.encode
        kind = type(value)
        if kind is frozenset:
            if len(value) > 1:
                check_marks(frozenset(map(self._mark, value)), value)
            result = b"{%b}" % b"".join(sorted(map(encode, value)))
        elif kind is tuple:
            result = b"<%b>" % b"".join(map(encode, value))
        elif kind is Function:
            result = b"[%b%b]" % (self._domain(value[0]), b"".join(map(encode, value[1:])))
        elif kind in _ATOMS:
            return encode(value)
        else:
            raise Fault(f"a state holds {show(value)}, which is not enumerable", "Keep a finite set in a variable.")
        return b"#" + blake2b(result, digest_size=16).digest() if len(result) > 64 else result

    def forget(self) -> None:
        """Free what is remembered; it is computed again where it is needed."""
        self._marks.clear()
        self._known.clear()

    def _mark(self, value: Value) -> Mark:
        kind = type(value)
        if kind is int or kind is str:
            return kind
        mark = self._marks.get(value)
        if mark is None:
            if len(self._marks) >= _LIMIT:
                self._marks.clear()
            mark = self._marks[value] = mark_of(value)
        return mark

    def _domain(self, domain: Domain) -> bytes:
        known = self._domains.get(domain)
        if known is None:
            check_marks(frozenset(map(self._mark, domain.keys)), domain.keys)
            known = self._domains[domain] = b"".join(map(self.encode, domain.keys)) + b":"
        return known


class Digests(dict[Value, int]):
    """The digests of one variable's values: `digests[value]` computes what it has not met."""

    __slots__ = ("_encoder", "_person")

    def __init__(self, index: int, encoder: Encoder) -> None:
        super().__init__()
        self._person = b"%d" % index
        self._encoder = encoder

    def __missing__(self, value: Value) -> int:
        if len(self) >= _LIMIT:
            self.clear()
        data = self._encoder.encode_once(value)
        digest = int.from_bytes(blake2b(data, digest_size=8, person=self._person).digest(), "little")
        self[value] = digest
        return digest

    def forget(self) -> None:
        """Free the digests and what the encoder remembers."""
        self.clear()
        self._encoder.forget()


def forget(tables: Sequence[Digests]) -> None:
    """Free what these tables remember of values, for long walks through states that do not come again."""
    for table in tables:
        table.forget()


def digest_tables(count: int) -> tuple[Digests, ...]:
    """A table for each of `count` variables."""
    encoder = Encoder()
    return tuple(Digests(index, encoder) for index in range(count))


def fingerprint(values: Sequence[Value], tables: Sequence[Digests]) -> int:
    """The fingerprint of a state with these values."""
    result = 0
    for table, value in zip(tables, values, strict=True):
        result ^= table[value]
    return result
