"""What may be asked of a check."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from rmqproof.model.records import dataclass
from rmqproof.model.search.control import TUNED, Tuning


@dataclass(frozen=True, slots=True)
class SparkOptions:
    """`memory`: bytes for an executor, its JVM and its Python processes. `partitions` None: as many as the master has
    processors. `store` None: a folder that is gone afterwards. `incoming_bytes`: as in `Setting`."""

    master: str = "local[*]"
    partitions: int | None = None
    store: str | None = None
    edges: bool = False
    memory: int | None = None
    resume: bool = False
    hand_over: int | None = None
    incoming_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """`engine`: `auto`, `python` (`interpreter` is an old name of it), `native` or `spark`. `workers` None: as many as
    pay. `seed` None: chosen and printed."""

    engine: str = "auto"
    workers: int | None = None
    deadlock: bool = True
    checkpoint: Path | None = None
    checkpoint_seconds: float = 60.0
    resume: bool = False
    simulate: int | None = None
    depth: int = 100
    seed: int = 0
    swarm: bool = False
    guided: bool = False
    """A simulation that goes where its behaviours have not been."""
    keep_going: bool = False
    max_states: int | None = None
    max_seconds: float | None = None
    ignore_liveness: bool = False
    final_liveness: bool = False
    """Liveness is checked once, when all states are known, and not before."""
    memory: int | None = None
    """Bytes, beyond which the native engine's states go to disk. None: no limit."""
    fingerprint_bits: int = 64
    """Of a state in machine code: 64, or 128. Where other engines search, and in the graph of liveness, it is 64."""
    evaluations: bool = False
    """Count how often each expression is evaluated: by the Python engine, with one worker."""
    spark: SparkOptions = field(default_factory=SparkOptions)
    tuning: Tuning = TUNED

    def __post_init__(self) -> None:
        if self.engine == "interpreter":
            object.__setattr__(self, "engine", "python")
        if self.evaluations:
            object.__setattr__(self, "engine", "python")
            object.__setattr__(self, "workers", 1)


DEFAULTS = Options()


class SparkUnavailable(Exception):
    """The Spark engine cannot run here; the message says what to do."""
