"""Room for the states that another search of the model has met: bounds need not be found too small by a search in C."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from rmqproof.model.evaluate.values import Value

from .encode import Encoder
from .layout import Layout

Met = Callable[[], Sequence[Sequence[Value]]]
"""Values of the variables in some states that another search has met so far, the newest last. Asked in any thread."""
NEWEST = 8
"""States that are looked at again and again while something is compiled: what grows is largest there."""


def narrow(layout: Layout, states: Sequence[Sequence[Value]]) -> int | None:
    """The number of a variable for whose value in one of these states the layout has no room."""
    encoder = Encoder(layout)
    for values in reversed(states):
        try:
            encoder.state(values)
        except (ValueError, KeyError, TypeError):
            return encoder.misfit(values)
    return None


class Outgrown(threading.Event):
    """Set as soon as `cancelled` is, or a layout is known to be too small."""

    def __init__(self, cancelled: threading.Event, layout: Layout, met: Met) -> None:
        super().__init__()
        self._cancelled, self._layout, self._met = cancelled, layout, met

    def is_set(self) -> bool:
        return self._cancelled.is_set() or narrow(self._layout, self._met()[-NEWEST:]) is not None
