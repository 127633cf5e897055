"""The report as JUnit's XML, in the form that Jenkins' schema has: a suite for each model, a case for each check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from rmqproof.model.report.cases import Came, Case, Check

_ELEMENT = {Came.FAILED: "failure", Came.ERROR: "error", Came.SKIPPED: "skipped"}
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot have, however it is written."""


def junit(cases: Sequence[Case]) -> str:
    """Seconds of a model stand at its suite; a search checks all properties at once, so its cases have none."""
    root = ElementTree.Element("testsuites", {"name": "rmqproof", **_counts(cases)})
    for case in cases:
        root.append(_suite(case))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(case: Case) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": _legal(case.name), **_counts([case], skipped=True)})
    properties = ElementTree.SubElement(suite, "properties")
    facts = {"file": case.file, "verdict": case.verdict} | {
        name: str(number)
        for name, number in (("distinct", case.distinct), ("total", case.total), ("depth", case.depth))
    }
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": _legal(value)})
    for check in case.checks:
        suite.append(_case(case, check))
    notes = "\n".join(f"{problem.level}: {problem.message}" for problem in case.problems)
    if notes:
        ElementTree.SubElement(suite, "system-out").text = _legal(notes)
    return suite


def _case(case: Case, check: Check) -> ElementTree.Element:
    element = ElementTree.Element(
        "testcase", {"name": _legal(check.name), "classname": _legal(case.name), "time": "0.000"}
    )
    if check.came is Came.PASSED:
        return element
    inner = ElementTree.SubElement(element, _ELEMENT[check.came], {"message": _legal(check.message)})
    if check.came is not Came.SKIPPED:
        inner.set("type", _legal(case.verdict))
        inner.text = _legal("\n\n".join(part for part in (check.message, check.cause, case.text) if part))
    return element


def _counts(cases: Sequence[Case], skipped: bool = False) -> dict[str, str]:
    numbers = {
        "tests": sum(len(case.checks) for case in cases),
        "failures": sum(case.count(Came.FAILED) for case in cases),
        "errors": sum(case.count(Came.ERROR) for case in cases),
    }
    if skipped:
        numbers["skipped"] = sum(case.count(Came.SKIPPED) for case in cases)
    return {name: str(n) for name, n in numbers.items()} | {"time": f"{sum(case.seconds for case in cases):.3f}"}


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
