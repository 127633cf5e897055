"""Judge liveness while a search goes on, on what it has found so far.

What is found so far is a part of the graph. A fair cycle of the part is one of the whole, since ENABLED is evaluated
and not read off the steps: a state that was not expanded yet is one whose steps are not known, and can stand still
where that is fair. So what is violated here is violated; where nothing is, the search goes on, and the check at its end
is what counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from time import monotonic
from typing import TYPE_CHECKING

from rmqproof.model.checking.liveness import Exploring, Liveness
from rmqproof.model.records import dataclass
from rmqproof.model.search.control import Control
from rmqproof.model.search.liveness.recorder import Recorder
from rmqproof.model.search.result import Result, Violation

if TYPE_CHECKING:
    from rmqproof.model.native.run import Run


@dataclass(slots=True)
class Pace:
    """When liveness is checked in the middle of a search, so that all these checks cost little beside it.

    The numbers are those of its `Tuning`.
    """

    growth: float
    patience: float
    rest: float
    _states: int = 0
    """Known at the last check."""
    _searched: float = 0.0
    """Seconds of search before it."""
    _took: float = 0.0
    _since: float = field(default_factory=monotonic)

    @classmethod
    def of(cls, control: Control) -> Pace:
        return cls(control.tuning.growth, control.tuning.patience, control.tuning.rest)

    def due(self, states: int) -> bool:
        """Whether to check now that so many states are known."""
        if states < self.growth * self._states:
            return False
        return self.rest * self._took <= monotonic() - self._since

    @contextmanager
    def checking(self, states: int) -> Iterator[float]:
        """Around a check: the time, of `monotonic`, when it is to be left."""
        began = monotonic()
        self._states = states
        self._searched += began - self._since
        try:
            yield began + self.patience * self._searched
        finally:
            self._since = monotonic()
            self._took = self._since - began


@dataclass(slots=True)
class RecordedWatch:
    """Looks at what a search in Python has recorded: see `BreadthFirst`. `violations`: what ended it."""

    live: Liveness
    recorder: Recorder
    control: Control
    """That of the search."""
    pace: Pace
    violations: list[Violation] = field(default_factory=list)

    def over(self, states: int) -> bool:
        """Whether the search, which knows so many states, may end."""
        if states < self.control.tuning.recorded or not self.pace.due(states):
            return False
        with self.pace.checking(states) as until:

            def stop() -> bool:
                return self.control.must_stop(states) or monotonic() > until

            self.violations = self.live.violated_so_far(self.recorder.so_far(), stop)
        return bool(self.violations)


@dataclass(slots=True)
class LivenessWatch:
    """Looks at a search in machine code: see `Watch`. `judged`: the result, where the states were enough for a verdict.
    `pace` None: not before the search has ended."""

    live: Liveness
    exploring: Exploring
    pace: Pace | None
    judged: Result | None = None
    _looked: int = 0
    _violations: list[Violation] = field(default_factory=list)

    def over(self, run: Run) -> bool:
        if self.pace is None:
            return False
        states = run.numbers().distinct
        if self.pace.due(states):
            with self.pace.checking(states) as until:
                self._violations = self.live.look(run, self.exploring, self._looked, until)
        else:
            self._violations = self.live.look(run, self.exploring, self._looked)
        self._looked = states
        return bool(self._violations)

    def ended(self, run: Run, result: Result) -> None:
        if self._violations:
            self.judged = self.live.violated_already(result, self._violations)
            return
        started = monotonic()
        found = self.live.judge_run(run, result, self.exploring)
        if found is not None:
            self.judged = replace(found, seconds=found.seconds + monotonic() - started)
