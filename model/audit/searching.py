"""Mutants by a whole search of an engine: liveness, and models that are too large to compare their graphs in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from rmqproof.model.audit.graph import NO_VALUE
from rmqproof.model.audit.mutation import Mutant, mutated
from rmqproof.model.audit.scoring import Fate, Trial
from rmqproof.model.checking.audience import SILENT
from rmqproof.model.checking.exploring import searched
from rmqproof.model.checking.opening import subject_of
from rmqproof.model.checking.options import Options
from rmqproof.model.search.result import Finding, PropertyKind, Result, Stopped, Verdict
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError

LONGEST = 20.0
"""Seconds for one search."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the time for everything is over, by the clock of `time.monotonic`; called: whether it is."""

    at: float

    def __call__(self) -> bool:
        return monotonic() > self.at

    @property
    def search(self) -> float:
        """Seconds that one more search may take."""
        return max(0.1, min(LONGEST, self.at - monotonic()))


def search_of(
    model: core.Model, files: ModelFiles, keep_going: bool = False, engine: str = "auto", seconds: float = LONGEST
) -> Result:
    """What an engine finds in so many seconds. Raise `TlaError`, and `KeyboardInterrupt` where it was interrupted.

    The reference evaluator looks at no states again: `check` asks it of one model, and here it is half of the time.
    """
    subject = replace(subject_of(model, files), judge=None, identity="")  # its texts are those of another model, too
    if subject.liveness is not None:
        subject.liveness.prepare()
    options = Options(engine=engine, max_seconds=seconds, keep_going=keep_going)
    result = searched(subject, options, SILENT, subject.liveness)
    if result.stopped is Stopped.INTERRUPTED:
        raise KeyboardInterrupt
    return result


def liveness_of(
    model: core.Model, files: ModelFiles, over: Deadline, keep_going: bool = False
) -> tuple[str, ...] | None:
    """The liveness properties that the model violates; None where that was not found out."""
    if over():
        return None
    try:
        result = search_of(model, files, keep_going, engine="python", seconds=over.search)
    except (TlaError, RecursionError):
        return None
    if result.stopped is not None or result.failure is not None:
        return None
    return tuple(each.name for each in result.violations if each.kind is PropertyKind.LIVENESS)


def by_search(
    model: core.Model,
    files: ModelFiles,
    mutants: Sequence[Mutant],
    expected: Sequence[str],
    over: Deadline,
    differ: Callable[[Iterable[Finding]], None],
) -> Iterator[Trial]:
    """What becomes of mutants by verdict and counts. `expected` are properties that do not hold anyway; `differ` is
    told what was found."""
    if over():
        return
    base = search_of(model, files, keep_going=True, seconds=over.search)
    differ(base.findings)
    if base.stopped is not None:
        return
    for mutant in mutants:
        if over():
            return
        with mutated(model, mutant) as changed:
            try:
                result = search_of(changed, files, seconds=over.search)
            except (TlaError, RecursionError):
                yield Trial(mutant, Fate.KILLED, (NO_VALUE,))
                continue
        differ(result.findings)
        killers = tuple(each.name for each in result.violations if each.name not in expected)
        if killers:
            yield Trial(mutant, Fate.KILLED, killers)
        elif result.failure is not None or (result.verdict is Verdict.ERROR and result.stopped is None):
            yield Trial(mutant, Fate.KILLED, (NO_VALUE,))
        elif result.stopped is not None or (result.distinct, result.total) != (base.distinct, base.total):
            more = result.distinct - base.distinct
            yield Trial(
                mutant,
                Fate.SURVIVED if result.stopped is None else Fate.OPEN,
                more_states=max(more, 0),
                fewer_states=max(-more, 0),
                more_steps=max(result.total - base.total, 0),
                fewer_steps=max(base.total - result.total, 0),
            )
        else:
            yield Trial(mutant, Fate.EQUIVALENT)
