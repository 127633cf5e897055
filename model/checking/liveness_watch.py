"""Judge liveness while the states of a search in machine code are at hand."""

from __future__ import annotations

from dataclasses import field, replace
from time import monotonic
from typing import TYPE_CHECKING

from rmqproof.model.checking.liveness import Exploring, Liveness
from rmqproof.model.records import dataclass
from rmqproof.model.search.result import Result, Violation

if TYPE_CHECKING:
    from rmqproof.model.native.run import Run


@dataclass(slots=True)
class LivenessWatch:
    """See `Watch`. `judged`: the result, where the states were enough for a verdict."""

    live: Liveness
    exploring: Exploring
    judged: Result | None = None
    _looked: int = 0
    _violations: list[Violation] = field(default_factory=list)

    def over(self, run: Run) -> bool:
        self._violations = self.live.look(run, self.exploring, self._looked)
        self._looked = run.numbers().distinct
        return bool(self._violations)

    def ended(self, run: Run, result: Result) -> None:
        if self._violations:
            self.judged = self.live.violated_already(result, self._violations)
            return
        started = monotonic()
        found = self.live.judge_run(run, result, self.exploring)
        if found is not None:
            self.judged = replace(found, seconds=found.seconds + monotonic() - started)
