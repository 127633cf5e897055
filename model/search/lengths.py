"""How long the behaviours of a simulation are: mean and variance as TLC computes them, in whole numbers."""

from __future__ import annotations

from math import floor, sqrt

from rmqproof.model.records import dataclass


@dataclass(slots=True)
class Lengths:
    """Welford's algorithm, but for fractions (tlc2.tool.SimulationWorker.SimulationWorkerStatistics.collectPostTrace):
    the mean is that of TLC for the same lengths in the same order, and not the true one."""

    count: int = 0
    mean: int = 0
    squares: int = 0

    def add(self, length: int) -> None:
        self.count += 1
        before = length - self.mean
        self.mean += before // self.count if before >= 0 else -(-before // self.count)
        self.squares += before * (length - self.mean)

    @property
    def variance(self) -> int:
        return floor(self.squares / (self.count + 1) + 0.5)

    @property
    def deviation(self) -> int:
        return floor(sqrt(self.squares / (self.count + 1)) + 0.5)
