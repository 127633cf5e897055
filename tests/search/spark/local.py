"""Searches with owner partitions in this process, without a JVM."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.search.result import Result
from rmqproof.model.search.spark.search import SparkSearch
from rmqproof.model.search.spark.setting import Setting
from rmqproof.model.search.spark.store import Store
from rmqproof.model.search.spark.system_kernel import SystemKernel, decode
from rmqproof.model.search.system import System


class InHand:
    """A recipe for a kernel that never leaves the process."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.key = "in hand"

    def kernel(self) -> SystemKernel:
        return SystemKernel(self.system)


def search_of(system: System, folder: Path, partitions: int = 2, control=None, spark=None, **setting) -> SparkSearch:
    recipe = InHand(system)
    given = Setting(Store(str(folder)), partitions, **setting)
    return SparkSearch(system, recipe, recipe.kernel(), decode, given, control=control, spark=spark)


def explore(system: System, folder: Path, partitions: int = 2, **setting) -> Result:
    return search_of(system, folder, partitions, **setting).run()
