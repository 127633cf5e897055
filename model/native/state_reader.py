"""Packed states as the Python engine's."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.liveness.packed import WORD
from rmqproof.model.search.system import State

from .decode import Decoder
from .layout import Layout

_REMEMBERED = 1 << 17
"""Values of a variable that are remembered."""


class StateReader:
    """From packed words to the Python engine's state, variable by variable: most have few values in many states."""

    def __init__(self, layout: Layout, system: PythonSystem) -> None:
        self.system = system
        self._decoder = Decoder(layout)
        self._variables = [(at, (1 << bits) - 1, dict[int, tuple[Value, int]]()) for at, bits in layout.spans]

    def __call__(self, words: Sequence[int]) -> State:
        """Raise `ValueError` for values that no step of the model gives a variable."""
        content = 0
        for index, word in enumerate(words):
            content |= word << (WORD * index)
        values = []
        fingerprint = 0
        for index, (at, mask, known) in enumerate(self._variables):
            bits = content >> at & mask
            found = known.get(bits)
            if found is None:
                if len(known) >= _REMEMBERED:
                    known.clear()
                found = known[bits] = self.system.value_of_variable(index, self._decoder.variable(index, bits))
            values.append(found[0])
            fingerprint ^= found[1]
        return (*values, fingerprint)
