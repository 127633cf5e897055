"""The initial states of a program that does not find them, since Init has no form in C (`Program.starts`).

The Python engine finds them, once for a search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Value
from rmqproof.model.records import dataclass
from rmqproof.model.search.control import Control
from rmqproof.model.search.kernel import TooSmall
from rmqproof.model.search.system import State

from .effects import Effects
from .encode import Encoder
from .errors import NotCompilable
from .layout import Layout

LOOK_AFTER = 1024
"""Initial states after which it is asked whether the search is to stop."""


@dataclass(slots=True)
class InitialStates:
    """Those of one search."""

    system: PythonSystem
    control: Control
    effects: Effects
    found: list[State] | None = field(default=None, init=False)

    def packed(self, layout: Layout) -> list[tuple[int, ...]]:
        """In the order in which they are found.

        Raise `NotCompilable` where one has no value, which the Python engine says then, `TooSmall` where the layout has
        no room, `Halted` when the search is to stop.
        """
        if self.found is None:
            with self.effects.noted(again=True), self.control.preparing(lambda: False):
                self.found = self._find()
        encoder = Encoder(layout)
        return [_packed(encoder, self.system.values(state)) for state in self.found or ()]

    def _find(self) -> list[State]:
        found: list[State] = []
        try:
            for number, state in enumerate(self.system.initial_states(), 1):
                found.append(state)
                if not number % LOOK_AFTER and self.control.must_stop(0):
                    break
        except Exception as error:
            raise NotCompilable(None, f"an initial predicate that has no value: {error}") from error
        if self.control.stopped is not None:
            self.control.halt()
        return found


def _packed(encoder: Encoder, values: Sequence[Value]) -> tuple[int, ...]:
    try:
        return encoder.state(values)
    except (ValueError, KeyError, TypeError):
        raise TooSmall(encoder.misfit(values)) from None
