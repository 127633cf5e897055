"""What is added to the result of a search: the reference evaluator's word, liveness left out, post-conditions."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.checking.options import Options
from rmqproof.model.checking.subject import Subject
from rmqproof.model.judge.judge import REPORT
from rmqproof.model.search.result import Finding, FindingKind, Judged, Result, Stopped, Verdict
from rmqproof.model.tla.source import TlaError

NOT_JUDGED = "The reference evaluator was not asked: formulas of the model ask where the search is (TLCGet, TLCSet)."


def judged_by_reference(subject: Subject, result: Result) -> Result:
    """The result, its counterexamples replayed by the reference evaluator; an error where it does not confirm them."""
    if result.violations and result.violation is not None:
        judged = Judged(left_out=NOT_JUDGED)
        if subject.judge is not None:
            judged = subject.judge.replay(result.violations)
        result = replace(result, judged=judged)
    elif result.verdict is Verdict.SUCCESS and subject.judge is None:
        result = replace(result, judged=Judged(left_out=NOT_JUDGED))
    elif subject.judge is not None and result.failure is not None and _is_of_evaluation(result.failure.error):
        result = replace(result, judged=subject.judge.failed(result.failure))
    return _unless_refuted(result)


def _is_of_evaluation(error: Exception) -> bool:
    return isinstance(error, TlaError) and error.kind == "evaluation"


def with_constants_judged(subject: Subject, result: Result) -> Result:
    """What is said of a constant that is not TRUE; an error where the reference evaluator finds them all to be."""
    if subject.judge is None:
        return result
    judged = subject.judge.constants(result.message)
    return _unless_refuted(replace(result, judged=replace(judged, replayed=False)))


def _unless_refuted(result: Result) -> Result:
    if not result.judged.refuted:
        return result
    message = f"The result ({result.verdict}) is wrong. {result.judged.refuted}.\n{REPORT}"
    return replace(result, verdict=Verdict.ERROR, message=message, violations=(), failure=None, exhaustive=False)


def without_liveness(subject: Subject, result: Result, options: Options) -> Result:
    """A model with properties that were not checked is not a success, unless the user left them out."""
    unchecked = [prop.name for prop in subject.properties if not prop.checked]
    if not unchecked:
        return result
    said = [
        Finding(FindingKind.NOT_CHECKED, name, f"{name} is a liveness property: it was not checked.")
        for name in unchecked
    ]
    result = result.with_findings(*said)
    if options.ignore_liveness or result.verdict is not Verdict.SUCCESS:
        return result
    names = ", ".join(unchecked)
    message = (
        f"{names}: liveness is not checked, so this is no success; all else holds. "
        "--ignore-liveness leaves such properties out."
    )
    return replace(result, verdict=Verdict.ERROR, message=message)


def with_postcondition(subject: Subject, result: Result) -> Result:
    """TLC evaluates POSTCONDITION after a search without an error, and files a false one under assumptions.

    It does so too where the specification has ended the search.
    """
    asked = result.verdict is Verdict.ERROR and result.stopped is Stopped.ASKED
    if not asked and (result.verdict is not Verdict.SUCCESS or not result.exhaustive):
        return result
    try:
        false = subject.false_postcondition(result)
        message = f"The postcondition {false} is false." if false is not None else ""
    except TlaError as error:
        message = f"A postcondition cannot be evaluated.\n{error}"
    return replace(result, verdict=Verdict.ASSUMPTION, message=message) if message else result


def with_draws(subject: Subject, result: Result) -> Result:
    """A success that rests on what was drawn at random is one of that alone: properties are undecided."""
    if subject.drawn is None or result.verdict is not Verdict.SUCCESS or not result.exhaustive:
        return result
    message = f"No violation with what was drawn at random ({subject.drawn}): nothing is proved."
    return replace(result, message=message, exhaustive=False)


def with_possible(subject: Subject, result: Result) -> Result:
    """TLC files what should be possible, and is not, under assumptions too; only a whole search can tell."""
    if subject.impossible is None or result.verdict is not Verdict.SUCCESS or not result.exhaustive:
        return result
    findings = tuple(f for f in result.findings if f.kind is not FindingKind.CONSTRAINT_CUT_NOTHING)
    result = replace(result, findings=findings)
    missed = subject.impossible()
    if not missed:
        return result
    message = (
        f"Not possible, though the configuration says so: no reachable state or step makes {', '.join(missed)} true."
    )
    return replace(result, verdict=Verdict.ASSUMPTION, message=message)
