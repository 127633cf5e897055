"""How long a search will still take, where that can be said: where its end is known and not only its beginning."""

from __future__ import annotations

from dataclasses import field

from rmqproof.model.checking.expectation import ExpectationError, read_expectation
from rmqproof.model.checking.options import Options
from rmqproof.model.records import dataclass
from rmqproof.model.search.control import Progress
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.config_file import config_text
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError


@dataclass(slots=True)
class TimeLeft:
    """`states`: so many distinct ones there are, or are looked at; `behaviours`: so many random ones are drawn;
    `seconds`: it ends then. None: that is not known."""

    states: int | None = None
    behaviours: int | None = None
    seconds: float | None = None
    _first: Progress | None = field(default=None, init=False)

    def after(self, progress: Progress) -> float | None:
        """Seconds, at the speed since the first report: what a resumed search found before is none of it."""
        first = self._first
        if first is None or progress.total < first.total:
            self._first = progress
            return self._until_its_end(progress)
        ends = [self._until_its_end(progress)]
        if self.behaviours is not None:
            ends.append(_left(progress.queue, first.queue - progress.queue, progress.seconds - first.seconds))
        elif self.states is not None:
            found = progress.distinct - first.distinct
            ends.append(_left(self.states - progress.distinct, found, progress.seconds - first.seconds))
        return min((end for end in ends if end is not None), default=None)

    def _until_its_end(self, progress: Progress) -> float | None:
        return max(0.0, self.seconds - progress.seconds) if self.seconds is not None else None


def _left(left: int, done: int, seconds: float) -> float | None:
    return left * seconds / done if left >= 0 and done > 0 else None


def time_left(files: ModelFiles, options: Options) -> TimeLeft:
    """What the options and the EXPECT line of the configuration say of the end."""
    if options.simulate is not None:
        return TimeLeft(behaviours=options.simulate, seconds=options.max_seconds)
    states = _expected(files)
    if options.max_states is not None:
        states = min(states, options.max_states) if states is not None else options.max_states
    return TimeLeft(states, seconds=options.max_seconds)


def _expected(files: ModelFiles) -> int | None:
    try:
        expectation = read_expectation(config_text(files.config, files.texts))
    except (ExpectationError, TlaError):
        return None
    if expectation is None or expectation.verdict is not Verdict.SUCCESS:
        return None  # of a search that a violation ends the engine decides how many are found
    return dict(expectation.counts).get("distinct")


def in_words(seconds: float) -> str:
    """`about 40 s`, `about 12 min`, `about 3 h 20 min`."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    return f"about {minutes // 60} h {minutes % 60} min"
