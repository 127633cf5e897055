"""Packed states back to values, for a reader that meets the same parts again and again."""

from __future__ import annotations

from rmqproof.model.evaluate.values import Value
from rmqproof.model.types.domain import Type

from .decode import Decoder
from .layout import Layout
from .packing import bits_of

_MOST = 1 << 16
"""Values of a type that are remembered."""


class CachingDecoder(Decoder):
    """Decodes each part of a state once: the same bits of a type give the same value, and the same object."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._tables: dict[int, tuple[Type, int, dict[int, Value]]] = {}

    def variable(self, place: int, bits: int) -> Value:
        """The value of the variable at this place of the layout, from its bits."""
        return self._read(self.layout.types[place], bits)[0]

    def _read(self, type_: Type, bits: int) -> tuple[Value, int]:
        table = self._tables.get(id(type_))
        if table is None:  # which keeps the type, so that its id stays its own
            table = self._tables[id(type_)] = (type_, bits_of(self.routines, type_), {})
        _, width, known = table
        low = bits & ((1 << width) - 1)
        if low in known:
            return known[low], width
        value = super()._read(type_, low)[0]
        if len(known) >= _MOST:
            known.clear()
        known[low] = value
        return value, width
