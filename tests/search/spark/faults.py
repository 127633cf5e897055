"""Systems and kernels with faults: importable by Spark's workers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmqproof.model.search.spark.system_kernel import SystemKernel
from rmqproof.model.search.system import StateProperty, System

from ..toys import Graph, jugs, two_phase


class Fault(Exception):
    """Raised once by a faulty kernel."""


def kill_worker() -> None:
    """The Python process of this task dies."""
    os.kill(os.getpid(), signal.SIGKILL)


def kill_executor() -> None:
    """The executor of this task dies: the JVM that started the daemon that started this process."""
    daemon = os.getppid()
    executor = int(Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()[1])
    for process, name in ((daemon, b"pyspark"), (executor, b"CoarseGrainedExecutorBackend")):
        if name not in Path(f"/proc/{process}/cmdline").read_bytes():
            raise RuntimeError(f"process {process} is not the {name.decode()} of this task: nothing is killed")
    os.kill(executor, signal.SIGKILL)
    os.kill(daemon, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    """The task fails, and its process lives on with whatever it holds."""
    raise Fault("this task was meant to fail")


def dawdle() -> None:
    """So slow that a second attempt starts."""
    time.sleep(12)


class _FaultyKernel(SystemKernel):
    def __init__(self, system: System, recipe: FaultyRecipe) -> None:
        super().__init__(system)
        self.recipe = recipe

    def expand(self, states):
        found = super().expand(states)
        self.recipe.happen("expand")
        return found

    def check(self, states, initial):
        found = super().check(states, initial)
        self.recipe.happen("check")
        return found


@dataclass(frozen=True)
class FaultyRecipe:
    """A kernel to which `fault` happens once in all processes together.

    `where`: `expand`: while a level is expanded; `check`: before a part writes the states that it keeps. `once` is the
    file by which the processes agree; `process` is the one that is spared.
    """

    make: Callable[..., System]
    arguments: tuple[Any, ...]
    fault: Callable[[], None]
    where: str
    after: int
    once: Path
    process: int

    @property
    def key(self) -> str:
        return f"faulty {self.once}"

    def kernel(self) -> SystemKernel:
        return _FaultyKernel(self.make(*self.arguments), self)

    def happen(self, where: str) -> None:
        if where != self.where or os.getpid() == self.process:
            return
        with (self.once.with_suffix(".calls")).open("ab") as calls:
            calls.write(b".")
        if self.once.with_suffix(".calls").stat().st_size <= self.after:
            return
        try:
            self.once.touch(exist_ok=False)
        except FileExistsError:
            return
        self.fault()


def never_four() -> System:
    """Die Hard with the property that the big jug never holds 4 gallons."""
    return jugs(invariants=[StateProperty("BigNotFour", lambda at: at[0] != 4)])


def of_graph(graph: Graph) -> System:
    return graph.toy()


__all__ = ["FaultyRecipe", "dawdle", "fail", "kill_executor", "kill_worker", "never_four", "of_graph", "two_phase"]
