"""What an event says of a value: parts of it, and names for values that only the model knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rmqproof.conformance.runs.event import GrowingList, Offset, Symbol
from rmqproof.conformance.runs.folded_prefix import EMPTY, Folded
from rmqproof.model.evaluate.itf import from_itf
from rmqproof.model.evaluate.values import Function, ModelValue, Value

Pattern = Any
"""ITF with null for what is not known, `Symbol`s and `Offset`s; a plain object is about the keys that it has, a `#map`
has all; `{"#has": [...]}` is a set with these and perhaps more."""


class Bindings:
    """Which value each symbol stands for; two symbols never stand for one. Immutable, with a quick hash.

    There is one for each message of a long run, so they share what they have in common: `_old` and `_old_names` are
    never changed, and what came since is in `_new`, which is short. `prefix` holds what the state does not, of
    logs that grow (see folding.py).
    """

    __slots__ = ("_hash", "_new", "_old", "_old_names", "prefix")

    def __init__(
        self,
        old: Mapping[str, Value],
        old_names: Mapping[Value, str],
        new: Mapping[str, Value],
        hash_: int,
        prefix: Folded = EMPTY,
    ) -> None:
        self._old, self._old_names, self._new, self._hash, self.prefix = old, old_names, new, hash_, prefix

    def bound(self, name: str, value: Value) -> Bindings | None:
        """With one more; the same if it is known, None where it contradicts."""
        known = self.known(name)
        if known is not None:
            return self if known == value else None
        if self.name_of(value) is not None or self.prefix.holds(value):
            return None
        new = {**self._new, name: value}
        old, names = self._old, self._old_names
        if len(new) > _SHORT:
            old, new = {**old, **new}, {}
            names = {inside: key for key, inside in old.items()}
        return Bindings(old, names, new, self._hash ^ hash((name, value)), self.prefix)

    def known(self, name: str) -> Value | None:
        """What a name stands for; None: not known yet."""
        for values in (self._new, self._old):
            if name in values:
                return values[name]
        return self.prefix.known(name)

    def name_of(self, value: Value) -> str | None:
        """The name of a value that is not in the folded prefix."""
        if value in self._old_names:
            return self._old_names[value]
        return next((name for name, inside in self._new.items() if inside == value), None)

    def items(self) -> list[tuple[str, Value]]:
        """Names and values, without those in the folded prefix."""
        return [*self._old.items(), *self._new.items()]

    def with_prefix(self, prefix: Folded) -> Bindings:
        """With another prefix: the names of values that are in it are there, and only there."""
        inside = self.items() if prefix.base > self.prefix.base else [*self.items(), *self.prefix.names()]
        values = {name: value for name, value in inside if prefix.known(name) is None}
        hash_ = 0
        for item in values.items():
            hash_ ^= hash(item)
        return Bindings(values, {value: name for name, value in values.items()}, {}, hash_, prefix)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Bindings) or self._hash != other._hash or self.prefix != other.prefix:
            return False
        return (self._old is other._old and self._new == other._new) or dict(self.items()) == dict(other.items())


_SHORT = 32
NOTHING = Bindings({}, {}, {}, 0)


def match(pattern: Pattern, value: Value, bindings: Bindings, names: frozenset[str]) -> Iterator[Bindings]:
    """The ways in which a value is what a pattern says. `names`: the model values."""
    kind = type(pattern)
    if pattern is None:
        yield bindings
    elif kind is Symbol:
        found = bindings.bound(pattern.name, value)
        if found is not None:
            yield found
    elif kind is Offset:
        if type(value) is int and value + bindings.prefix.base == pattern.number:
            yield bindings
    elif kind is dict:
        yield from _match_object(pattern, value, bindings, names)
    elif kind is list or kind is tuple:
        yield from _match_sequence(pattern, value, bindings, names)
    elif kind is GrowingList:
        rest = unfolded(pattern, bindings)
        if rest is not None:
            yield from _match_sequence(rest, value, bindings, names)
    elif value == from_itf(pattern, names) or (type(value) is ModelValue and value.name == pattern):
        yield bindings


def _match_object(
    pattern: Mapping[str, Any], value: Value, bindings: Bindings, names: frozenset[str]
) -> Iterator[Bindings]:
    if "#set" in pattern:
        if type(value) is frozenset and len(value) == len(pattern["#set"]):
            yield from _match_set(list(pattern["#set"]), value, bindings, names)
        return
    if "#has" in pattern:
        if type(value) is frozenset:
            yield from _match_some(list(pattern["#has"]), value, bindings, names)
        return
    if "#tup" in pattern:
        yield from _match_sequence(pattern["#tup"], value, bindings, names)
        return
    if "#bigint" in pattern:
        if value == int(pattern["#bigint"]):
            yield bindings
        return
    if type(value) is Function or type(value) is tuple:
        pairs = dict(value.items()) if type(value) is Function else dict(enumerate(value, 1))
        items = pattern["#map"] if "#map" in pattern else list(pattern.items())
        if "#map" in pattern and len(items) != len(pairs):
            return
        yield from _match_pairs(items, pairs, bindings, names)


def _match_pairs(
    items: list[Any], pairs: Mapping[Value, Value], bindings: Bindings, names: frozenset[str]
) -> Iterator[Bindings]:
    if not items:
        yield bindings
        return
    (key, inside), *rest = items
    for spelling in _keys(key, pairs):
        for found in match(inside, pairs[spelling], bindings, names):
            yield from _match_pairs(rest, pairs, found, names)
        return


def _keys(key: Any, pairs: Mapping[Value, Value]) -> Iterator[Value]:
    """The key of a function that a text stands for: a string, a model value, a number."""
    for candidate in pairs:
        if candidate == key or (type(candidate) is ModelValue and candidate.name == key) or str(candidate) == key:
            yield candidate


def _match_sequence(items: Any, value: Value, bindings: Bindings, names: frozenset[str]) -> Iterator[Bindings]:
    if type(value) is not tuple or len(value) != len(items):
        return
    for index, (item, inside) in enumerate(zip(items, value, strict=True), 1):
        ways = list(match(item, inside, bindings, names))
        if len(ways) != 1:
            for found in ways:
                yield from _match_sequence(items[index:], value[index:], found, names)
            return
        (bindings,) = ways
    yield bindings


def _match_set(
    items: list[Any], value: frozenset[Value], bindings: Bindings, names: frozenset[str]
) -> Iterator[Bindings]:
    if not items:
        if not value:
            yield bindings
        return
    for element in value:
        for found in match(items[0], element, bindings, names):
            yield from _match_set(items[1:], value - {element}, found, names)


def _match_some(
    items: list[Any], value: frozenset[Value], bindings: Bindings, names: frozenset[str]
) -> Iterator[Bindings]:
    if not items:
        yield bindings
        return
    first = items[0]
    known = bindings.known(first.name) if type(first) is Symbol else None
    for element in value if known is None else value & {known}:
        for found in match(first, element, bindings, names):
            yield from _match_some(items[1:], value - {element}, found, names)


def unfolded(pattern: GrowingList, bindings: Bindings) -> Sequence[Any] | None:
    """What it says of the entries that are not folded; None where it begins otherwise than those that are."""
    rows = bindings.prefix.rows
    return pattern.items[len(rows) :] if pattern.values[: len(rows)] == rows else None


def has_symbols(pattern: Pattern) -> bool:
    """Whether it depends on what names of the run stand for."""
    if type(pattern) is dict:
        return any(map(has_symbols, pattern.values()))
    if type(pattern) is list or type(pattern) is tuple:
        return any(map(has_symbols, pattern))
    return type(pattern) is Symbol


def shown(pattern: Pattern) -> Any:
    """A pattern as ITF for a report: symbols as strings, what is not known as a question mark."""
    if pattern is None:
        return {"#unserializable": "?"}
    if isinstance(pattern, Symbol):
        return {"#unserializable": pattern.name}
    if isinstance(pattern, Offset):
        return pattern.number
    if isinstance(pattern, dict) and "#has" in pattern:
        return {"#set": [*map(shown, pattern["#has"]), {"#unserializable": "…"}]}
    if isinstance(pattern, dict):
        return {key: shown(item) for key, item in pattern.items()}
    if isinstance(pattern, GrowingList):
        return shown(pattern.items)
    if isinstance(pattern, list | tuple):
        return [shown(item) for item in pattern]
    return pattern
