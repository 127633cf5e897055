"""Reports for CI systems: the structure that their readers ask for, and texts that cannot become markup."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

from rmqproof.model.report.cases import Came, Case, Check, Diagnostic, Level
from rmqproof.model.report.github import github
from rmqproof.model.report.junit import junit
from rmqproof.model.report.markdown import markdown
from rmqproof.model.report.sarif import sarif
from rmqproof.model.tla.source import Location, Source

SOURCE = Source("a b,c:d.tla", "Inv == x < 2\nNext ==\n  x' = x + 1\n")
INV, NEXT = Location(SOURCE, 1, 1, 1, 13), Location(SOURCE, 2, 1, 3, 13)
HOSTILE = "<b>&\x00\x1b[0m ]]> 100%\n::error::```` |"
BAD = Case(
    "Bad<",
    "Bad.cfg",
    "safety failure",
    False,
    1.25,
    distinct=3,
    checks=(
        Check("Inv", Came.FAILED, HOSTILE),
        Check("search", Came.ERROR, "out of memory"),
        Check("Live", Came.SKIPPED, "not checked"),
        Check("TypeOK", Came.PASSED),
    ),
    problems=(
        Diagnostic("safety-failure", Level.ERROR, HOSTILE, INV, (("Next does it", NEXT),)),
        Diagnostic("property-not-checked", Level.WARNING, "Live was not checked."),
    ),
    text="1. Initial state ```` \x00",
)
GOOD = Case("Good", "Good.cfg", "success", True, 0.5, checks=(Check("Inv", Came.PASSED),))


def test_junit_counts_what_it_has() -> None:
    root = ElementTree.fromstring(junit([BAD, GOOD]).encode())
    assert (root.tag, root.attrib["tests"], root.attrib["time"]) == ("testsuites", "5", "1.750")
    bad, good = root
    for suite in (bad, good):
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        for count, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[count]) == len([case for case in cases if case.find(element) is not None])
    assert [element.tag for element in bad] == ["properties", *["testcase"] * 4, "system-out"]
    text = bad.findtext("testcase/failure") or ""
    assert text.startswith("<b>&\ufffd\ufffd[0m ]]> 100%") and text.endswith("1. Initial state ```` \ufffd")


def test_sarif_has_rules_and_places() -> None:
    log = json.loads(sarif([BAD, GOOD]))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    first, second = run["results"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {first["ruleId"], second["ruleId"]}
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b%2Cc%3Ad.tla"
    assert place["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 13}
    (related,) = first["relatedLocations"]
    assert related["physicalLocation"]["region"]["endLine"] == 3
    assert "1. Initial state" in first["message"]["text"]
    assert "1. Initial state" not in second["message"]["text"]
    assert second["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "Bad.cfg"}}


def test_sarif_of_nothing_wrong() -> None:
    (run,) = json.loads(sarif([GOOD]))["runs"]
    assert run["results"] == []


def test_annotations_are_one_line_each_and_escaped() -> None:
    first, second, third = github([BAD, GOOD]).splitlines()
    head, _, text = first.removeprefix("::error ").partition("::")
    assert head == "file=a b%2Cc%3Ad.tla,line=1,endLine=1,col=1,endColumn=13,title=Bad<"
    assert "100%25%0A::error::" in text and text.endswith("\x00")
    assert second == "::error file=a b%2Cc%3Ad.tla,line=2,endLine=3,title=Bad<::Next does it"
    assert third == "::warning file=Bad.cfg,title=Bad<::Live was not checked."


def test_markdown_has_no_markup_of_others() -> None:
    text = markdown([BAD, GOOD])
    assert text.startswith("# rmqproof: 1 of 2 models as wanted\n")
    outside, first, _, inside, *_ = text.split("`````")
    assert "<b>" not in outside and "Bad\\<" in outside
    assert HOSTILE.replace("\n", "\n  ") in first and "1. Initial state ````" in inside
    told = Diagnostic("error", Level.ERROR, HOSTILE.replace("\n", " "))
    assert "- error: \\<b\\>" in markdown([replace(BAD, problems=(told,))])
    assert all(len(row.replace("\\|", "").split("|")) == 9 for row in text.splitlines() if row.startswith("| "))
