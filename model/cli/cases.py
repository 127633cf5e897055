"""Reports for CI of comparisons, recorded runs and proofs, and of what could not even be begun."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rmqproof.conformance.exploration import Conformance
from rmqproof.conformance.report import difference_text, sentence
from rmqproof.conformance.report import verdict as conform_verdict
from rmqproof.conformance.runs.report import answer_line, rejection
from rmqproof.conformance.runs.validation import Answer, Validation
from rmqproof.model.prove.answers import Answer as Proof
from rmqproof.model.report.cases import Came, Case, Check, Diagnostic, Level
from rmqproof.model.report.text import behaviour_text
from rmqproof.model.tla.source import TlaError


def error_case(name: str, file: Path, error: Exception) -> Case:
    """What ended a command before it had an answer."""
    cause = error if isinstance(error, TlaError) else error.__cause__
    at = cause.at if isinstance(cause, TlaError) else None
    message = str(error)
    problem = Diagnostic("error", Level.ERROR, message, at)
    return Case(name, str(file), "error", False, checks=(Check(name, Came.ERROR, message),), problems=(problem,))


def conform_case(result: Conformance, name: str, file: Path) -> Case:
    """A check for each action of the model, and one for what is of none."""
    return Case(
        name,
        str(file),
        "conforms" if result.conforms else "differs" if result.differences else "not decided",
        result.conforms,
        result.seconds,
        result.states,
        result.edges,
        result.depth,
        tuple(_actions(result)),
        tuple(Diagnostic("difference", Level.ERROR, sentence(found, result)) for found in result.differences)
        + tuple(Diagnostic("not-conforming", Level.ERROR, said) for said in result.problems),
        "\n\n".join(difference_text(result, found) for found in result.differences[:3]),
    )


def _actions(result: Conformance) -> Iterator[Check]:
    wrong: dict[str, list[str]] = {}
    for found in result.differences:
        wrong.setdefault(found.asked.action, []).append(sentence(found, result))
    for action in dict.fromkeys((*result.actions, *wrong)):
        if action in wrong:
            yield Check(action, Came.FAILED, "\n".join(wrong[action]))
        elif result.tally.edges.get(action):
            yield Check(action, Came.PASSED)
        else:
            yield Check(action, Came.SKIPPED, "no step of it was performed")
    if not result.conforms and not result.differences:
        yield Check("conformance", Came.ERROR, conform_verdict(result))


def validation_case(result: Validation, runs: Sequence[Path]) -> Case:
    first = answer_line(result)
    came = {Answer.YES: Came.PASSED, Answer.NO: Came.FAILED, Answer.UNKNOWN: Came.ERROR}[result.answer]
    good = came is Came.PASSED
    text = "" if good else "\n".join([first, *rejection(result)])
    problems = () if good else (Diagnostic("run-not-explained", Level.ERROR, first),)
    name = " ".join(run.name for run in runs)
    check = Check(name, came, "" if good else first)
    return Case(
        name, str(runs[0]), str(result.answer), good, result.seconds, checks=(check,), problems=problems, text=text
    )


def lemma_cases(answers: Sequence[Proof], files: Mapping[str, Path]) -> list[Case]:
    """A case for each module, a check for each lemma."""
    by_module: dict[str, list[Proof]] = {}
    for answer in answers:
        by_module.setdefault(answer.module, []).append(answer)
    return [_of_module(module, found, files[module]) for module, found in by_module.items()]


def _of_module(module: str, answers: Sequence[Proof], file: Path) -> Case:
    wrong = [answer for answer in answers if not answer.as_expected]
    checks = []
    for answer in answers:
        refuted = answer.verdict in ("refuted", "vacuous") or answer.expected == "refuted"
        came = Came.PASSED if answer.as_expected else Came.FAILED if refuted else Came.ERROR
        checks.append(Check(answer.name, came, "" if answer.as_expected else _said(answer)))
    return Case(
        module,
        str(file),
        "as expected" if not wrong else "not as expected",
        not wrong,
        sum(answer.seconds for answer in answers),
        checks=tuple(checks),
        problems=tuple(Diagnostic(f"lemma-{each.verdict}", Level.ERROR, _said(each)) for each in wrong),
        text="\n\n".join(behaviour_text(each.countermodel).plain for each in wrong if each.countermodel is not None),
    )


def _said(answer: Proof) -> str:
    reason = f" ({answer.reason})" if answer.reason else ""
    return f"{answer.name} is {answer.verdict}, expected is {answer.expected}{reason}. {answer.sentence}".strip()
