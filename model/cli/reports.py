"""What a check came to, for CI systems, in the formats of `--report`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rmqproof.model.checking.outcome import Outcome, PropertyOutcome, Standing
from rmqproof.model.cli.report_option import Report
from rmqproof.model.report.cases import Came, Case, Check, Diagnostic, Format, Level
from rmqproof.model.report.github import github
from rmqproof.model.report.junit import junit
from rmqproof.model.report.markdown import markdown
from rmqproof.model.report.sarif import sarif
from rmqproof.model.report.text import behaviour_text
from rmqproof.model.search.result import FindingKind, Verdict
from rmqproof.model.tla.algorithms import began_at
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import Location, Source, TlaError

FILES: Mapping[str, Format] = MappingProxyType({"junit": junit, "sarif": sarif, "markdown": markdown})
"""What writes each of `report_option.FORMATS`."""
_SEARCH = "search"
"""The check of a model that is of no property."""
_EXPECT = re.compile(r"^[ \t]*\\\*[ \t]*EXPECT\b.*$", re.MULTILINE)
_CARELESS = {FindingKind.NO_STATES, FindingKind.NO_PROPERTIES, FindingKind.NOT_CHECKED, FindingKind.TRIVIAL}
"""Findings that say that something was not checked."""


def write_reports(
    reports: Sequence[Report],
    outcomes: Sequence[Outcome],
    left: Sequence[ModelFiles],
    expect: bool,
    to_stderr: bool = False,
) -> None:
    """`left`: the models that were not begun. Raise `OSError`."""
    cases = [case_of(outcome, expect) for outcome in outcomes]
    write_cases(reports, [*cases, *(_not_begun(files) for files in left)], to_stderr)


def write_cases(reports: Sequence[Report], cases: Sequence[Case], to_stderr: bool = False) -> None:
    """Raise `OSError`."""
    for report in reports:
        if report.file is None:
            (sys.stderr if to_stderr else sys.stdout).write(github(cases))
        else:
            report.file.write_bytes(FILES[report.form](cases).encode("utf-8", "replace"))


def case_of(outcome: Outcome, expect: bool) -> Case:
    """What came of a model, with `expect` judged by its EXPECT line."""
    result = outcome.result
    good = not (outcome.difference if expect else outcome.status)
    text = behaviour_text(outcome.shown).plain if outcome.shown is not None else ""
    return Case(
        outcome.files.name,
        str(outcome.files.config or outcome.files.spec),
        str(result.verdict),
        good,
        result.seconds,
        result.distinct,
        result.total,
        result.depth,
        tuple(_expected(outcome) if expect else _checks(outcome)),
        tuple(_problems(outcome, expect, good)),
        "" if good else text,
    )


def _not_begun(files: ModelFiles) -> Case:
    check = Check(_SEARCH, Came.SKIPPED, "not begun, since the run was interrupted")
    return Case(files.name, str(files.config or files.spec), "not begun", False, checks=(check,))


def _expected(outcome: Outcome) -> Iterator[Check]:
    """One check, that what the configuration says happens; then the properties that nobody checked."""
    difference = outcome.difference
    wrong = Came.ERROR if outcome.result.verdict is Verdict.ERROR else Came.FAILED
    cause = outcome.result.message if difference and wrong is Came.ERROR else ""
    yield Check(f"EXPECT {outcome.expectation}", wrong if difference else Came.PASSED, difference, cause)
    for prop in outcome.properties:
        if prop.standing is Standing.NOT_CHECKED:
            yield Check(prop.name, Came.SKIPPED, str(prop.standing))


def _checks(outcome: Outcome) -> Iterator[Check]:
    """One for each property, and one for the search where that says more."""
    for prop in outcome.properties:
        if prop.standing is Standing.VIOLATED:
            yield Check(prop.name, Came.FAILED, _violated(prop))
        elif prop.standing is Standing.HOLDS:
            yield Check(prop.name, Came.PASSED)
        else:
            yield Check(prop.name, Came.SKIPPED, str(prop.standing))
    told = any(prop.standing is Standing.VIOLATED for prop in outcome.properties)
    if outcome.status and not told:
        yield Check(_SEARCH, Came.ERROR, outcome.result.message or str(outcome.result.verdict))
    elif not outcome.properties:
        yield Check(_SEARCH, Came.PASSED)


def _problems(outcome: Outcome, expect: bool, good: bool) -> Iterator[Diagnostic]:
    result = outcome.result
    if expect and not good:
        gone = result.verdict is Verdict.SUCCESS
        failing = outcome.expectation is not None and outcome.expectation.verdict is not Verdict.SUCCESS
        rule = "expected-failure-does-not-happen" if gone and failing else "not-as-expected"
        yield Diagnostic(rule, Level.ERROR, f"Not as expected: {outcome.difference}.", _expect_at(outcome.files))
    if not good:
        yield from _wrong(outcome)
    for prop in outcome.properties:
        if prop.standing is Standing.NOT_CHECKED:
            at = outcome.places.get(prop.name)
            yield Diagnostic("property-not-checked", Level.WARNING, f"{prop.name} was not checked.", at)
    for finding in result.findings:
        level = Level.WARNING if finding.kind in _CARELESS else Level.NOTE
        rule = str(finding.kind).replace(" ", "-")
        yield Diagnostic(rule, level, finding.sentence, outcome.places.get(finding.subject))


def _wrong(outcome: Outcome) -> Iterator[Diagnostic]:
    """The violated properties, each at its definition, with the action that broke it; else what stopped the search."""
    result = outcome.result
    rule = str(result.verdict).replace(" ", "-")
    violated = {prop.name: prop for prop in outcome.properties if prop.standing is Standing.VIOLATED}
    for violation in result.violations:
        # no single step breaks a liveness property
        action = violation.behaviour[-1].action if violation.behaviour and violation.loop is None else None
        place = outcome.places.get(action) if action is not None else None
        if action is not None and place is not None:
            place = began_at(action, place)
        prop = violated.get(violation.name)
        said = _violated(prop) if prop is not None else result.message
        related = ((f"{action} is the step that leads there: {said}", place),) if place is not None else ()
        kind = str(violation.kind.verdict).replace(" ", "-")
        yield Diagnostic(kind, Level.ERROR, said, outcome.places.get(violation.name), related)
    if not result.violations and result.verdict is not Verdict.SUCCESS:
        error = outcome.error if outcome.error is not None else result.failure.error if result.failure else None
        at = error.at if isinstance(error, TlaError) else None
        yield Diagnostic(rule, Level.ERROR, result.message or str(result.verdict), at)


def _violated(prop: PropertyOutcome) -> str:
    said = f"{prop.name} is violated" + (f" at depth {prop.depth}" if prop.depth is not None else "")
    return f"{said}. {prop.sentence}".strip()


def _expect_at(files: ModelFiles) -> Location | None:
    """The EXPECT line."""
    if files.config is None or (found := _EXPECT.search(files.config_text)) is None:
        return None
    # a section of a .tla stands further down than its text says; the line is looked for in the file itself
    source = Source.read(files.config)
    start = source.text.find(found[0].strip())
    if start < 0:
        return None
    line = source.text.count("\n", 0, start) + 1
    column = start - source.text.rfind("\n", 0, start)
    return Location(source, line, column, line, column + len(found[0].strip()))
