"""The elements of sets in order, remembered."""

from __future__ import annotations

from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.order import Key, order
from rmqproof.model.evaluate.support import in_turn
from rmqproof.model.evaluate.values import Value

_LIMIT = 200_000


class OrderMemo(dict[Value, tuple[Value, ...]]):
    """`memo[items]` are the elements of a frozenset in order; `memo.of(items)` those of any set."""

    __slots__ = ("_keys",)

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[Value, Key] = {}

    def __missing__(self, items: Value) -> tuple[Value, ...]:
        if type(items) is not frozenset:
            return tuple(in_turn(items))
        if len(self) >= _LIMIT:
            self.clear()
        result = self[items] = tuple(sorted(items, key=self._key)) if len(items) > 1 else tuple(items)
        return result

    def of(self, items: Value) -> tuple[Value, ...]:
        """Raise `Fault` when `items` is no set, or cannot be enumerated."""
        if type(items) is frozenset:
            return self[items]
        return tuple(items.elements() if isinstance(items, LazySet) else in_turn(items))

    def _key(self, item: Value) -> Key:
        if type(item) is int or type(item) is str:
            return order(item)
        key = self._keys.get(item)
        if key is None:
            if len(self._keys) >= _LIMIT:
                self._keys.clear()
            key = self._keys[item] = order(item)
        return key
