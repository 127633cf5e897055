"""The total order of values, in which sets are enumerated and CHOOSE looks for its witness.

Model values, Booleans, integers, strings, sets, functions; sets by their number of elements, then element by element;
functions by the size of the domain, then the domain, then the values. Strings and model values come in the order in
which TLC first met them (`model.tla.reading_order`), which differs from model to model: an `Order` knows it. Where TLC
compares two values at all this is its order.

Code that runs for a system finds that system's order by `current`; the system says `use` before it runs any. It is a
context variable, so that systems in one process, or in threads, do not disturb each other. Without one the order is
`BY_NAME`, which is also the order in which functions keep their arguments: how a value is stored depends on no model.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, Final

from rmqproof.model.evaluate.values import Boolean, Domain, Function, ModelValue, Value

Key = tuple[Any, ...]


class Order:
    """`words` are strings in their order. Strings and model values that are not among them come last, by name."""

    __slots__ = ("_domains", "_last", "_places", "_sequences")

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._places = {word: place for place, word in enumerate(words)}
        self._last = len(self._places)
        self._domains: dict[Domain, tuple[Key, tuple[int, ...]]] = {}
        self._sequences: dict[int, Key] = {}

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self._places)

    def place(self, text: str) -> tuple[int, str]:
        """The sort key of a string, or of the model value of this name."""
        return self._places.get(text, self._last), text

    def key(self, value: Value) -> Key:
        """The sort key of a value in normal form."""
        kind = type(value)
        if kind is int:
            return (2, value)
        if kind is str:
            return (3, self._places.get(value, self._last), value)
        if kind is ModelValue:
            return (0, self._places.get(value.name, self._last), value.name)
        if kind is Boolean:
            return (1, value.truth)
        if kind is frozenset:
            return (4, len(value), tuple(sorted(map(self.key, value))))
        if kind is Function:
            domain, places = self._domain(value[0])
            return (5, len(value) - 1, domain, tuple([self.key(value[place]) for place in places]))
        if kind is tuple:
            return (5, len(value), self._sequence(len(value)), tuple(map(self.key, value)))
        raise TypeError(f"{value!r} is no value in normal form")

    def ordered(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """The values in order."""
        items = list(values)
        if len(items) < 2:
            return tuple(items)
        kinds = set(map(type, items))
        if kinds == {int}:
            return tuple(sorted(items))
        if kinds == {str}:
            return tuple(sorted(items, key=self.place))
        return tuple(sorted(items, key=self.key))

    def pairs(self, value: tuple[Value, ...]) -> Iterable[tuple[Value, Value]]:
        """Arguments and results of a function in normal form, in the order of the arguments."""
        if type(value) is not Function:
            return enumerate(value, 1)
        domain: Domain = value[0]
        return [(domain.keys[place - 1], value[place]) for place in self._domain(domain)[1]]

    def places(self, domain: Domain) -> tuple[int, ...]:
        """Where the values of a `Function` with this domain stand, in the order of its arguments."""
        return self._domain(domain)[1]

    def _domain(self, domain: Domain) -> tuple[Key, tuple[int, ...]]:
        """The domain's own key, and where the values of its arguments in order stand."""
        found = self._domains.get(domain)
        if found is None:
            keys = self.ordered(domain.keys)
            found = tuple(map(self.key, keys)), tuple([domain.at[key] for key in keys])
            self._domains[domain] = found
        return found

    def _sequence(self, length: int) -> Key:
        found = self._sequences.get(length)
        if found is None:
            found = self._sequences[length] = tuple((2, index) for index in range(1, length + 1))
        return found


BY_NAME: Final = Order()
_CURRENT: ContextVar[Order] = ContextVar("order", default=BY_NAME)


def current() -> Order:
    """The order of the system whose code runs."""
    return _CURRENT.get()


def use(order: Order) -> None:
    """From now on, in this thread, code runs for a system with this order."""
    if _CURRENT.get() is not order:
        _CURRENT.set(order)


def ordered(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values in the current order."""
    return _CURRENT.get().ordered(values)
