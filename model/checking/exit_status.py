"""Exit statuses: TLC's, and what a shell expects besides."""

from __future__ import annotations

from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.result import Failure, Result, Stopped, Verdict
from rmqproof.model.tla.source import TlaError

DIFFERS = 1
"""`--expect`: something else happened than the configuration says."""
USAGE = 2
EVALUATION, INVARIANT_EVALUATION, PROPERTY_EVALUATION = 75, 76, 77
SYSTEM = 153
INTERRUPTED = 130

OF_VERDICT = {
    Verdict.SUCCESS: 0,
    Verdict.ASSUMPTION: 10,
    Verdict.DEADLOCK: 11,
    Verdict.SAFETY: 12,
    Verdict.LIVENESS: 13,
}
OF_KIND = {
    "assert": 14,
    "evaluation": EVALUATION,
    "property": PROPERTY_EVALUATION,
    "parse": 150,
    "config": 151,
    "system": SYSTEM,
}
OF_STOP = {Stopped.INTERRUPTED: INTERRUPTED, Stopped.STATES: 152, Stopped.SECONDS: 152, Stopped.ASKED: 152}


def of_result(result: Result) -> int:
    if result.judged.refuted:  # an error of the project
        return SYSTEM
    if result.verdict in OF_VERDICT:
        return OF_VERDICT[result.verdict]
    if result.failure is not None:
        return _of_failure(result.failure)
    if result.stopped is not None:
        return OF_STOP[result.stopped]
    return PROPERTY_EVALUATION


def of_error(error: Exception) -> int:
    if isinstance(error, TlaError):
        return OF_KIND.get(error.kind, SYSTEM)
    return USAGE if isinstance(error, CheckpointError) else SYSTEM


def _of_failure(failure: Failure) -> int:
    status = of_error(failure.error)
    if isinstance(failure.error, RecursionError | ValueError):
        status = EVALUATION
    # to TLC what fails at an initial state, or in a step property, is the evaluation of the specification
    if status == EVALUATION and failure.during.startswith("invariant") and len(failure.behaviour) != 1:
        return INVARIANT_EVALUATION
    if status == EVALUATION and "liveness property" in failure.during:
        return PROPERTY_EVALUATION
    return status
