"""The elements of sets in order, remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.support import choose_from, in_turn
from rmqproof.model.evaluate.values import Key, Order, Value

_LIMIT = 200_000


class OrderMemo(dict[Value, tuple[Value, ...]]):
    """`memo[items]` are the elements of a frozenset in order; `memo.of(items)` those of any set."""

    __slots__ = ("_keys", "_order")

    def __init__(self, order: Order) -> None:
        super().__init__()
        self._order = order
        self._keys: dict[Value, Key] = {}

    def __missing__(self, items: Value) -> tuple[Value, ...]:
        if type(items) is not frozenset:
            return tuple(in_turn(items))
        if len(self) >= _LIMIT:
            self.clear()
        result = self[items] = tuple(sorted(items, key=self._key)) if len(items) > 1 else tuple(items)
        return result

    def of(self, items: Value) -> Iterable[Value]:
        """The elements of any set, to go through once. Raise `Fault` when it is no set, or cannot be enumerated."""
        return self[items] if type(items) is frozenset else in_turn(items)

    def one_by_one(self, items: Value) -> Iterable[Value]:
        """The same; nothing is asked of an element before it comes."""
        return items.one_by_one() if isinstance(items, LazySet) else self.of(items)

    def choose(self, items: Value, test: Callable[[Value], bool]) -> Value:
        """The first element of a set that satisfies the test."""
        return choose_from(self.of(items), test, items)

    def _key(self, item: Value) -> Key:
        if type(item) is int or type(item) is str:
            return self._order.key(item)
        key = self._keys.get(item)
        if key is None:
            if len(self._keys) >= _LIMIT:
                self._keys.clear()
            key = self._keys[item] = self._order.key(item)
        return key
