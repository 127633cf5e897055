"""Random simulation in machine code: behaviour by behaviour what the Python engine would do with the same seed."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from random import Random

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.search.control import Control
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.search.system import State

from .encode import DoesNotFit
from .kernel import Kernel


class NativeSimulation(Simulation):
    """As `Simulation`, with the same result. The kernel is closed by who made it."""

    def __init__(
        self,
        kernel: Kernel,
        system: PythonSystem,
        *,
        behaviours: int,
        depth: int,
        seed: int,
        control: Control | None = None,
        swarm: bool = False,
    ) -> None:
        super().__init__(
            system, behaviours=behaviours, depth=depth, seed=seed, control=control, engine="native", swarm=swarm
        )
        self.kernel, self.interpreted = kernel, system
        names = {name: i for i, name in enumerate(system.actions)}
        self._actions = [names.get(name) for name in kernel.description.actions]
        self._starts: ctypes.Array[ctypes.c_uint64] | None = None

    def _behave(self, random: Random, starts: Sequence[State], likings: Sequence[int]) -> None:
        """A behaviour that ends well is counted here; any other is repeated by the Python engine, which judges it."""
        if self._starts is None:
            try:
                packed = [self.kernel.encode(self.interpreted.values(state)) for state in starts]
            except DoesNotFit:
                packed = []
            self._starts = (ctypes.c_uint64 * (len(packed) * self.kernel.words))(
                *(w for words in packed for w in words)
            )
        if not len(self._starts) or self.control.max_states is not None or None in self._actions:
            super()._behave(random, starts, likings)
            return
        state = (ctypes.c_uint32 * 625)(*random.getstate()[1])
        counters = self.kernel.simulate(state, self._starts, len(starts), self.depth, self._ranked(likings))
        if counters is None:
            super()._behave(random, starts, likings)
            return
        self.visited += counters[0]
        self._behaved(counters[0])
        self.counters.cut += counters[1]
        for number, action in enumerate(self._actions):
            assert action is not None
            enabled, generated, taken = counters[2 + 3 * number : 5 + 3 * number]
            self.counters.enabled[action] += enabled
            self.counters.generated[action] += generated
            self.counters.distinct[action] += taken

    def _ranked(self, likings: Sequence[int]) -> list[tuple[int, int]]:
        """The kernel's actions with their weights, in the order of the Python engine's actions."""
        ranks = sorted((action, number) for number, action in enumerate(self._actions) if action is not None)
        return [(number, likings[action]) for action, number in ranks] if likings else []
