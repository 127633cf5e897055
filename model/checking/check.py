"""Check one model: open it, search it, judge what was found, and say what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.audience import SILENT, Audience
from rmqproof.model.checking.expectation import Expectation
from rmqproof.model.checking.exploring import said, searched
from rmqproof.model.checking.judging import (
    judged_by_reference,
    with_constants_judged,
    with_draws,
    with_possible,
    with_postcondition,
    without_liveness,
)
from rmqproof.model.checking.opening import open_subject
from rmqproof.model.checking.options import DEFAULTS, Options
from rmqproof.model.checking.outcome import Outcome, property_outcomes
from rmqproof.model.checking.subject import Subject
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Finding, FindingKind, Result, Verdict
from rmqproof.model.tla.algorithms import stale
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError


@dataclass(frozen=True, slots=True)
class Making:
    """What a check makes for itself: who gives others has a model of other files, or a search that is disturbed."""

    subject: Callable[[ModelFiles, bool, bool], Subject] = open_subject
    control: Callable[..., Control] = Control


def check(
    files: ModelFiles,
    options: Options = DEFAULTS,
    audience: Audience = SILENT,
    expectation: Expectation | None = None,
    making: Making = Making(),
) -> Outcome:
    """Open and search one model. Errors in the specification become an `Outcome` with the verdict `error`.

    Raise `CheckpointError` when the checkpoint to resume is not to be trusted.
    """
    _warn_of_old_translation(files, audience)
    try:
        subject: Subject = making.subject(files, options.deadlock, options.evaluations)
        failed = deeply(_failed_assumption, subject)
        if failed is not None and subject.check_decided is not None:
            subject.check_decided()  # what is wrong with the configuration comes first
        live = subject.liveness if not options.ignore_liveness and options.simulate is None else None
        if live is not None and failed is None:
            live.prepare()
    except (TlaError, RecursionError) as error:
        return _failed(files, error, options, expectation)
    if failed is not None:
        failed = with_constants_judged(subject, failed)
        return Outcome(
            files, failed, property_outcomes(subject.properties, failed), expectation=expectation, places=subject.places
        )
    result = searched(subject, options, audience, live, making.control)
    coverage = subject.coverage() if subject.coverage is not None else None
    if subject.check_decided is not None and _ended_at_once(result):
        try:
            subject.check_decided()
        except TlaError as error:
            wrong = _failed(files, error, options, expectation)
            return replace(wrong, result=with_constants_judged(subject, wrong.result))
    if live is not None and (live.judged or not result.exhaustive):
        subject = replace(subject, properties=tuple(replace(p, checked=True) for p in subject.properties))
    result = without_liveness(subject, result, options)
    if result.failure is None:  # else there is something to be mended first
        result = result.with_findings(*subject.findings)
    if options.simulate is not None and subject.periodic:
        said = f"{subject.periodic} of _PERIODIC is not evaluated; TLC does so every now and then in a simulation."
        result = result.with_findings(Finding(FindingKind.NOT_EVALUATED, subject.periodic, said))
    result = with_draws(subject, with_possible(subject, with_postcondition(subject, result)))
    result = judged_by_reference(subject, result)
    behaviour = shown = _behaviour(subject, result)
    if behaviour is not None:
        shown, about_alias = subject.aliased(behaviour, result.behaviour)
        result = result.with_findings(*about_alias)
    return Outcome(
        files,
        result,
        property_outcomes(subject.properties, result),
        behaviour,
        shown,
        expectation,
        coverage=coverage,
        places=subject.places,
    )


def _ended_at_once(result: Result) -> bool:
    """Whether it is what comes of a search when a constant says that there is nothing to check.

    Such a constant may take long to evaluate, so the search does it, which can be stopped and may be compiled.
    """
    if result.stopped is not None:
        return False
    return result.distinct <= result.initial or (bool(result.behaviour) and len(result.behaviour) == 1)


def _failed_assumption(subject: Subject) -> Result | None:
    """As in TLC, an assumption that cannot be evaluated is one that fails."""
    try:
        message = subject.false_assumption() or ""
    except (TlaError, RecursionError) as error:
        if isinstance(error, TlaError) and error.kind != "evaluation":
            raise
        message = f"An assumption cannot be evaluated.\n{said(error)}"
    return Result(Verdict.ASSUMPTION, 0, 0, 0, 0.0, subject.engine, 1, message) if message else None


def _warn_of_old_translation(files: ModelFiles, audience: Audience) -> None:
    try:
        warning = stale(files.texts.read(files.spec))
    except (OSError, UnicodeDecodeError):
        return  # it is said when it is opened
    if warning:
        audience.warn(warning)


def _failed(files: ModelFiles, error: Exception, options: Options, expectation: Expectation | None) -> Outcome:
    status = exit_status.of_error(error) if isinstance(error, TlaError) else exit_status.EVALUATION
    result = Result(Verdict.ERROR, 0, 0, 0, 0.0, options.engine, 1, message=said(error))
    return Outcome(files, result, expectation=expectation, error_status=status, error=error)


def _behaviour(subject: Subject, result: Result) -> Behaviour | None:
    if not result.behaviour:
        return None
    violation = result.violation
    behaviour = subject.behaviour(
        result.behaviour,
        violation.name if violation is not None else "",
        violation.sentence if violation is not None else "",
        violation.loop if violation is not None else None,
    )
    return behaviour if violation is None else replace(behaviour, fairness=violation.fairness)
