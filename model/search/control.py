"""When a search stops early, reports and saves: limits, interruption, progress, checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from rmqproof.model.search.result import Stopped


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search is. `queue`: states known and not yet expanded; `rate`: generated a second, lately."""

    total: int
    distinct: int
    queue: int
    depth: int
    seconds: float
    rate: float


@dataclass(slots=True)
class Control:
    """What may happen between two states of a search. `interrupt()` may be called from a signal handler."""

    max_states: int | None = None
    max_seconds: float | None = None
    on_progress: Callable[[Progress], None] | None = None
    progress_seconds: float = 5.0
    on_checkpoint: Callable[[], None] | None = None
    checkpoint_seconds: float = 60.0
    started: float = field(default_factory=monotonic)
    stopped: Stopped | None = None
    _next_progress: float = 0.0
    _next_checkpoint: float = 0.0
    _last: tuple[float, int] = (0.0, 0)

    def start(self) -> None:
        """Set the clock; what `interrupt` did before stays."""
        self.started = now = monotonic()
        self._next_progress = now + self.progress_seconds
        self._next_checkpoint = now + self.checkpoint_seconds
        self._last = (now, 0)

    def interrupt(self) -> None:
        self.stopped = Stopped.INTERRUPTED

    def seconds(self) -> float:
        return monotonic() - self.started

    def should_stop(self, total: int, distinct: int, queue: int, depth: int) -> bool:
        """Call between two states: report and save when it is time to, and say whether to stop."""
        if self.stopped is not None:
            return True
        if self.max_states is not None and distinct >= self.max_states:
            self.stopped = Stopped.STATES
            return True
        now = monotonic()
        if self.max_seconds is not None and now - self.started >= self.max_seconds:
            self.stopped = Stopped.SECONDS
            return True
        if now >= self._next_progress and self.on_progress is not None:
            self._report(now, total, distinct, queue, depth)
        if now >= self._next_checkpoint and self.on_checkpoint is not None:
            self.on_checkpoint()
            self._next_checkpoint = monotonic() + self.checkpoint_seconds
        return False

    def _report(self, now: float, total: int, distinct: int, queue: int, depth: int) -> None:
        then, before = self._last
        rate = (total - before) / (now - then) if now > then else 0.0
        self._last = (now, total)
        self._next_progress = now + self.progress_seconds
        assert self.on_progress is not None
        self.on_progress(Progress(total, distinct, queue, depth, now - self.started, rate))
