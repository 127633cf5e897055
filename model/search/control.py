"""When a search stops early, reports and saves: limits, interruption, progress, checkpoints.

A search looks at its `Control` between two states, where it has whole states only: that is when it can be saved. But a
state may have very many successors, or it may take very long to find one. Inside of it (`inside`) the search looks now
and then, and whoever handles signals calls `alarm`, which ends it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from time import monotonic
from typing import NoReturn, TypeVar

from rmqproof.model.records import dataclass
from rmqproof.model.search.lengths import Lengths
from rmqproof.model.search.result import Stopped
from rmqproof.model.search.sample import Sample


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search is. `queue`: states known and not yet expanded; `rate`: generated a second, lately."""

    total: int
    distinct: int
    queue: int
    depth: int
    seconds: float
    rate: float
    lengths: Lengths | None = None
    """Of a simulation."""


_Asked = TypeVar("_Asked")


class Halted(BaseException):  # control flow, not an error
    """The search is to end in the middle of a state, or before its first one."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """From when on a search goes another way. It finds the same, but for which of several shortest behaviours."""

    first_look: float = 0.3
    """Seconds that the Python engine gets before a compiler is started beside it: most models of tests are done by
    then."""
    grace: float = 1.0
    """Seconds in which a search may come to the end of a state before it is ended in the middle of it."""
    slice: float = 0.25
    """Seconds that machine code searches between two looks at the clock, the keyboard and the progress line."""
    watched: int = 1 << 21
    """States after which somebody may look at those of machine code, and again whenever there are twice as many."""
    recorded: int = 1 << 17
    """States after which liveness is checked for the first time on those that Python has found."""
    growth: float = 4.0
    """So many times as many states there are before liveness is checked on them once more while a search goes on."""
    patience: float = 4.0
    """So many times as long as the search took until then such a check may take; else it is left."""
    rest: float = 1.0
    """So many times as long as such a check took the search goes on at least before the next."""
    regions: int = 1_000_000
    """Generated states from which on the whole graph is not stored where regions of it are enough for liveness."""
    again: int = 50_000_000
    """Generated states up to which a violation found in a region is sought again in the whole graph, as other engines
    do: there are several shortest behaviours."""
    narrow: bool = False
    """Machine code begins with hardly any room for sequences, sets and functions, so that all of them have to grow."""


TUNED = Tuning()


@dataclass(slots=True)
class Control:
    """What may happen between two states of a search. `interrupt` and `alarm` may be called from a signal handler."""

    max_states: int | None = None
    max_seconds: float | None = None
    on_progress: Callable[[Progress], None] | None = None
    on_initial: Callable[[int, int], None] | None = None
    """Told how many initial states were generated, and how many of them differ, once that is known."""
    progress_seconds: float = 5.0
    on_checkpoint: Callable[[], None] | None = None
    checkpoint_seconds: float = 60.0
    tuning: Tuning = TUNED
    lengths: Lengths | None = None
    """Those of the behaviours of a simulation, while it goes on."""
    alone: bool = False
    """The search in Python is to keep to one processor, for now."""
    met: Sample | None = None
    """Of the states that a search in Python has met."""
    started: float = field(default_factory=monotonic)
    stopped: Stopped | None = None
    inside: list[bool] = field(default_factory=lambda: [False])
    """Its only element: whether the search is in the middle of a state, where `alarm` may end it."""
    _cancel: Callable[[], bool] | None = None
    _next_progress: float = 0.0
    _next_checkpoint: float = 0.0
    _last: tuple[float, int] = (0.0, 0)

    def start(self) -> None:
        """Set the clock; what `interrupt` did before stays."""
        self.started = now = monotonic()
        self._next_progress = now + self.progress_seconds
        self._next_checkpoint = now + self.checkpoint_seconds
        self._last = (now, 0)

    @property
    def interrupted(self) -> bool:
        return self.stopped is Stopped.INTERRUPTED

    @contextmanager
    def preparing(self, cancel: Callable[[], bool]) -> Iterator[None]:
        """Nothing is explored inside, and nothing there looks at this control. Raise `Halted` once interrupted.

        `cancel` is called first: true where what goes on will soon come to its end and is not to be left as it is.
        """
        if self.interrupted:
            raise Halted
        self._cancel = cancel
        try:
            yield
        except Exception:
            if not self.interrupted:
                raise
        finally:
            self._cancel = None
        if self.interrupted:
            raise Halted

    def unless_interrupted(self, ask: Callable[[], _Asked], instead: Callable[[], _Asked]) -> _Asked:
        """What `ask` gives, which looks at no control; `instead` where it is interrupted, which ends it at once."""
        try:
            with self.preparing(lambda: False):
                return ask()
        except Halted:
            return instead()

    def interrupt(self) -> None:
        """The search is to stop. Raise `Halted` where it is `preparing` and that cannot be cancelled."""
        self.stopped = Stopped.INTERRUPTED
        cancel, self._cancel = self._cancel, None
        if cancel is not None and not cancel():
            raise Halted

    def alarm(self) -> None:
        """Call now and then once the time is over, or an interruption was asked for. Raise `Halted` inside a state."""
        if self.stopped is None and self.max_seconds is not None and self.seconds() >= self.max_seconds:
            self.stopped = Stopped.SECONDS
        if self.stopped is not None and self.inside[0]:
            self.halt()

    def halt(self) -> NoReturn:
        """End the search in the middle of a state. It is not `inside` while it unwinds: no alarm raises it again."""
        self.inside[0] = False
        raise Halted

    def go_on_halting(self) -> None:
        """Call where `Halted` was raised and lost: the next alarm raises it again."""
        self.inside[0] = True

    def must_stop(self, distinct: int) -> bool:
        """Whether a limit is reached or a stop was asked for; nothing is reported or saved."""
        if self.stopped is None and self.max_states is not None and distinct >= self.max_states:
            self.stopped = Stopped.STATES
        if self.stopped is None and self.max_seconds is not None and self.seconds() >= self.max_seconds:
            self.stopped = Stopped.SECONDS
        return self.stopped is not None

    def seconds(self) -> float:
        return monotonic() - self.started

    def tell(self, total: int, distinct: int, queue: int, depth: int) -> None:
        """Report, when it is time to."""
        now = monotonic()
        if now >= self._next_progress and self.on_progress is not None:
            self._report(now, total, distinct, queue, depth)

    def should_stop(self, total: int, distinct: int, queue: int, depth: int) -> bool:
        """Call between two states: report and save when it is time to, and say whether to stop."""
        if self.must_stop(distinct):
            return True
        now = monotonic()
        if now >= self._next_progress and self.on_progress is not None:
            self._report(now, total, distinct, queue, depth)
        if now >= self._next_checkpoint and self.on_checkpoint is not None:
            self.on_checkpoint()
            self._next_checkpoint = monotonic() + self.checkpoint_seconds
        return False

    def _report(self, now: float, total: int, distinct: int, queue: int, depth: int) -> None:
        then, before = self._last
        before = before if before <= total else 0  # it started over
        rate = (total - before) / (now - then) if now > then else 0.0
        self._last = (now, total)
        self._next_progress = now + self.progress_seconds
        assert self.on_progress is not None
        self.on_progress(Progress(total, distinct, queue, depth, now - self.started, rate, self.lengths))
