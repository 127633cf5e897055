"""TLA+ values as Python objects.

    integer            int
    string             str
    TRUE, FALSE        the two `Boolean`s (never Python's bool: True == 1 would merge states that differ)
    model value        `ModelValue`, one object per name
    finite set         frozenset of values
    tuple, sequence, function with domain 1..n      tuple; the empty function is ()
    other functions, records                        `Function`: (domain, value of first key, value of second key, …)

Equal values are equal Python objects: `==` and `hash` are those of the built-in types. Sets that are not enumerated
(`Nat`, `SUBSET S`, …) are in `lazy`; of these only infinite ones stand inside another value, and in no state.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from threading import Lock
from typing import Any, Final
from weakref import WeakValueDictionary

from rmqproof.model.evaluate.faults import Fault

ENDLESS = "a set that cannot be enumerated is compared as it is described"
Value = Any
"""One of the above. A static type would be a recursive union that helps no reader and no checker."""


class Boolean:
    """TRUE or FALSE."""

    __slots__ = ("name", "truth")

    def __init__(self, truth: bool) -> None:
        self.truth = truth
        self.name = "TRUE" if truth else "FALSE"

    def __bool__(self) -> bool:
        return self.truth

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return boolean, (self.truth,)


TRUE: Final = Boolean(True)
FALSE: Final = Boolean(False)


def boolean(truth: bool) -> Boolean:
    return TRUE if truth else FALSE


def letter_of(name: str) -> str:
    """`A` for the model value `A_p1`: a typed one in TLC's sense; else empty."""
    return name[0] if len(name) > 2 and name[1] == "_" and name[0].isalpha() else ""


class ModelValue:
    """A value equal to itself only. Made by `model_value`.

    `letter` is `A` for `A_p1`, a typed model value in TLC's sense, else empty.
    """

    __slots__ = ("letter", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.letter = letter_of(name)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return model_value, (self.name,)


@cache
def model_value(name: str) -> ModelValue:
    """The model value of this name."""
    return ModelValue(name)


class Domain:
    """The domain of functions: its keys in an order of their own, and where in a `Function` each key's value stands.

    One object per set of keys (`domain_of`), so that functions on the same domain compare with one identity test.
    """

    __slots__ = ("__weakref__", "at", "keys", "set")
    at: dict[Value, int]

    def __init__(self, keys: tuple[Value, ...], elements: frozenset[Value]) -> None:
        self.keys = keys
        self.set = elements

    def __getattr__(self, name: str) -> dict[Value, int]:
        if name != "at":
            raise AttributeError(name)
        self.at = {key: position for position, key in enumerate(self.keys, 1)}  # many a domain is only compared
        return self.at

    def __repr__(self) -> str:
        return f"Domain{self.keys!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return domain_of, (self.set,)


class Function(tuple[Value, ...]):
    """A function that is no sequence: `(domain, v1, …, vn)`, values in the order of the domain's keys.

    A record is a function whose keys are strings.
    """

    __slots__ = ()

    @property
    def domain(self) -> Domain:
        domain: Domain = self[0]
        return domain

    def items(self) -> Iterator[tuple[Value, Value]]:
        return zip(self[0].keys, self[1:], strict=True)

    def __repr__(self) -> str:
        return " @@ ".join(f"{key!r} :> {value!r}" for key, value in self.items())


# --- order ---------------------------------------------------------------------------------------------------------


Key = tuple[Any, ...]
_REMEMBERED = 1_000
"""Sets, and functions, whose sort keys are remembered; then the table starts afresh."""
_DOMAINS_KEPT = 16_384
"""Domains of which something is remembered though no value may have them any more."""


class Order:
    """`words` are strings in their order. Strings and model values that are not among them come last, by name."""

    __slots__ = ("_deep", "_domains", "_last", "_positions", "_ranks", "_sequences")

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._ranks = {word: rank for rank, word in enumerate(words)}
        self._last = len(self._ranks)
        self._domains: dict[Domain, Key] = {}
        self._positions: dict[Domain, tuple[int, ...]] = {}
        self._sequences: dict[int, Key] = {}
        self._deep: dict[Value, Key] = {}

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self._ranks)

    def word_key(self, text: str) -> tuple[int, str]:
        """The sort key of a string, or of the model value of this name."""
        return self._ranks.get(text, self._last), text

    def key(self, value: Value) -> Key:
        """The sort key of a value in normal form."""
        kind = type(value)
        if kind is int:
            return (2, value)
        if kind is str:
            return (3, self._ranks.get(value, self._last), value)
        if kind is ModelValue:
            return (0, self._ranks.get(value.name, self._last), value.name)
        if kind is Boolean:
            return (1, value.truth)
        if kind is tuple:
            return (5, len(value), self._sequence(len(value)), tuple(map(self.key, value)))
        if kind is not frozenset and kind is not Function:
            raise Fault(f"{value} cannot be put in order: {ENDLESS}", "Put finite sets into a set.")
        found = self._deep.get(value)
        if found is None:
            if len(self._deep) >= _REMEMBERED:
                self._deep.clear()
            found = self._deep[value] = self._set(value) if kind is frozenset else self._function(value)
        return found

    def ordered(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """The values in order."""
        items = list(values)
        if len(items) < 2:
            return tuple(items)
        kinds = set(map(type, items))
        if kinds == {int}:
            return tuple(sorted(items))
        if kinds == {str}:
            return tuple(sorted(items, key=self.word_key))
        if kinds == {tuple} and set(map(type, chain.from_iterable(items))) <= {int}:
            return tuple(sorted(sorted(items), key=len))
        return tuple(sorted(items, key=self.key))

    def pairs(self, value: tuple[Value, ...]) -> Iterable[tuple[Value, Value]]:
        """Arguments and results of a function in normal form, in the order of the arguments."""
        if type(value) is not Function:
            return enumerate(value, 1)
        domain: Domain = value[0]
        return [(domain.keys[position - 1], value[position]) for position in self.positions(domain)]

    def positions(self, domain: Domain) -> tuple[int, ...]:
        """Where the values of a `Function` with this domain stand, in the order of its arguments."""
        found = self._positions.get(domain)
        if found is None:
            if len(self._positions) >= _DOMAINS_KEPT:
                self._positions.clear()
                self._domains.clear()
            found = self._positions[domain] = tuple([domain.at[key] for key in self.ordered(domain.keys)])
        return found

    def _set(self, value: frozenset[Value]) -> Key:
        return (4, len(value), tuple(sorted(map(self.key, value))))

    def _function(self, value: tuple[Value, ...]) -> Key:
        domain, values = value[0], tuple([self.key(value[position]) for position in self.positions(value[0])])
        return (5, len(values), self._domain(domain), values)

    def _domain(self, domain: Domain) -> Key:
        found = self._domains.get(domain)
        if found is None:
            found = tuple([self.key(domain.keys[position - 1]) for position in self.positions(domain)])
            self._domains[domain] = found
        return found

    def _sequence(self, length: int) -> Key:
        found = self._sequences.get(length)
        if found is None:
            found = self._sequences[length] = tuple((2, index) for index in range(1, length + 1))
        return found


BY_NAME: Final = Order()


class _Domains:
    """Each domain that is in use, by its keys, and the last ones that were made."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[frozenset[Value], Domain] = WeakValueDictionary()
        self._last: deque[Domain] = deque(maxlen=_DOMAINS_KEPT)
        self._making = making = Lock()
        if hasattr(os, "register_at_fork"):  # a worker would wait for ever for a thread that it does not have
            os.register_at_fork(before=making.acquire, after_in_parent=making.release, after_in_child=making.release)

    def of(self, keys: frozenset[Value]) -> Domain:
        """The domain with these keys."""
        found = self._known.get(keys)
        return found if found is not None else self._made(keys, lambda: BY_NAME.ordered(keys))

    def with_key(self, domain: Domain, key: Value) -> Domain:
        """A domain with one key more."""
        elements = domain.set | {key}
        found = self._known.get(elements)
        if found is None:
            at = place_in(domain, key)
            found = self._made(elements, lambda: (*domain.keys[:at], key, *domain.keys[at:]))
        return found

    def _made(self, elements: frozenset[Value], keys: Callable[[], tuple[Value, ...]]) -> Domain:
        made = Domain(keys(), elements)
        with self._making:  # another thread may have been faster, and two are not equal
            found = self._known.setdefault(elements, made)
            self._last.append(found)
        return found


_DOMAINS: Final = _Domains()


def domain_of(keys: frozenset[Value]) -> Domain:
    """The domain with these keys."""
    return _DOMAINS.of(keys)


def place_in(domain: Domain, key: Value) -> int:
    """How many keys of a domain come before this one."""
    return bisect_left(domain.keys, BY_NAME.key(key), key=BY_NAME.key)


@cache
def record_domain(names: tuple[str, ...]) -> Domain:
    """The domain of records with these fields."""
    return domain_of(frozenset(names))


@lru_cache(_DOMAINS_KEPT // 8)
def is_sequence_domain(keys: frozenset[Value]) -> bool:
    """Whether a function with these keys is a sequence."""
    return all(type(key) is int and 1 <= key <= len(keys) for key in keys)


def function(pairs: dict[Value, Value]) -> tuple[Value, ...]:
    """The function that maps these keys to these values, in its normal form."""
    keys = frozenset(pairs)
    if is_sequence_domain(keys):
        return tuple(pairs[index] for index in range(1, len(pairs) + 1))
    domain = _DOMAINS.of(keys)
    return Function((domain, *(pairs[key] for key in domain.keys)))


def with_argument(f: Function, key: Value, value: Value) -> tuple[Value, ...]:
    """The function that has one argument more, which `f` does not have."""
    if type(key) is int:  # it may be a sequence then
        return function({**dict(f.items()), key: value})
    at = place_in(f.domain, key) + 1
    return Function((_DOMAINS.with_key(f.domain, key), *f[1:at], value, *f[at:]))


def record(**fields: Value) -> tuple[Value, ...]:
    return function(dict(fields))


def domain_set(value: tuple[Value, ...]) -> frozenset[Value]:
    """DOMAIN of a function in normal form."""
    return value[0].set if type(value) is Function else interval_set(len(value))


@cache
def interval_set(length: int) -> frozenset[int]:
    """1..length"""
    return frozenset(range(1, length + 1))


def pairs_of(value: tuple[Value, ...]) -> Iterable[tuple[Value, Value]]:
    """Arguments and results of a function in normal form, in the order of the domain."""
    return value.items() if type(value) is Function else enumerate(value, 1)


def kind_of(value: Value) -> str:
    """What messages call a value of this kind, with its article."""
    if type(value) is int:
        return "an integer"
    if type(value) is str:
        return "a string"
    if type(value) is Boolean:
        return "a Boolean"
    if type(value) is ModelValue:
        return "a model value"
    if type(value) is tuple:
        return "a tuple or sequence"
    if type(value) is Function:
        return "a record" if all(type(key) is str for key in value[0].keys) else "a function"
    return "a set"
