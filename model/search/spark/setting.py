"""How a search on Spark is set up, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from rmqproof.model.search.spark.memory import Memory
from rmqproof.model.search.spark.store import Store

HAND_OVER = 100_000
"""States of a level from which on Spark takes over: below, starting a job takes longer than the level."""
LEAST_INCOMING = 16 << 20
"""Bytes of what comes for an owner below which nothing is gained by files."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How a search is set up. `hand_over`: the smallest level that Spark expands. `beside`: until Spark has started
    this process goes on; without it, it waits.

    `memory`: of an executor; without it each process has `table_bytes` for its tables. `incoming_bytes`: what comes for
    an owner goes to files where it is more; None: a part of the memory of the tables.
    """

    store: Store
    partitions: int = 2
    hand_over: int = HAND_OVER
    beside: bool = False
    table_bytes: int = 1 << 30
    incoming_bytes: int | None = None
    memory: Memory | None = None
    edges: bool = False
    resume: bool = False
    identity: str = ""
    description: str = ""
    tool: str = ""
    engine: str = "python"
    """Which kernel: what a store says of it."""
    model: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Measure:
    """What a search cost, for reports: sums over all tasks."""

    claims: int = 0
    shuffled: int = 0
    """Bytes of claims and of what was granted."""
    file_bytes: int = 0
    table_bytes: int = 0
    rebuilt: int = 0
    dropped: int = 0
    """Claims that were dropped before a level was complete, as memory was short."""
    spilled: int = 0
    """How often what came for an owner in a level went to files."""
    again: int = 0
    """How often a part had to compute the states of a level again."""
    handed_over: int = 0
    """The first level that Spark expanded; 0: none."""
    levels: list[tuple[int, int, float]] = field(default_factory=list)
    """For each job: the last level, the states it found, its seconds."""
