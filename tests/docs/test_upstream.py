"""Reports for apache/rocketmq: one for whatever was seen and nobody reported; each says what docs/releases.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.docs import upstream
from tools.docs.bugs import DOCS, seen_on
from tools.docs.log_lines import block, telling, with_lines

REPORTED = {"F-44", "F-49"}
"""Hazards that are reports, too: #10578, #9942."""


def test_every_page_says_what_was_seen() -> None:
    found = upstream.reports()
    assert len(found) >= 20
    for report in found:
        assert upstream.filled(report) == report.path.read_text(encoding="utf-8"), report.path
    readme = (upstream.FOLDER / "README.md").read_text(encoding="utf-8")
    assert readme == upstream.index(found)
    assert readme.index("truncation-keeps-epochs.md) |") < readme.index("stale-end-offset.md")


def test_what_the_newest_release_does_has_a_report() -> None:
    schedules = {report.schedule for report in upstream.reports()}
    unreported = {name for name, seen in seen_on().items() if upstream.NEWEST in seen and not name.startswith("#")}
    assert unreported - REPORTED - schedules == set()
    assert len(unreported) >= 20


def test_the_hazards_have_their_column() -> None:
    text = (DOCS / "hazards.md").read_text(encoding="utf-8")
    assert upstream.hazards(text) == text
    (row,) = [line for line in text.splitlines() if line.startswith("| F-12 |")]
    assert row.endswith(f"{upstream.NEWEST} |")


def test_fifteen_reports_are_seen_before_and_not_after() -> None:
    releases = sorted({each for seen in seen_on().values() for each in seen})
    gone = [
        name
        for name, seen in seen_on().items()
        if (name.startswith("#") or name in REPORTED) and seen and seen[-1] != releases[-1]
    ]
    assert len(gone) >= 15


def test_a_page_that_lacks_something_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# Title\n\n**Severity.** not so bad.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="names no severity"):
        upstream.reports(tmp_path)
    never = upstream.Report(tmp_path / "one.md", "Title", upstream.SEVERITIES[0], "F-99")
    with pytest.raises(ValueError, match="was not seen on any release"):
        upstream.filled(never)


@pytest.mark.parametrize("report", upstream.reports(), ids=lambda report: report.path.stem)
def test_a_committer_can_act_on_it(report: upstream.Report) -> None:
    text = report.path.read_text(encoding="utf-8")
    parts = ("Configuration", "Steps", "Expected", "Log lines", "Why", "Picture", "The smallest change that helps")
    assert [part for part in parts if f"**{part}.**" not in text] == []
    assert "**What happened.**" in text or "**What happens.**" in text
    assert "What it costs" in text


def test_log_lines_are_those_about_it_and_take_the_place_of_their_own() -> None:
    about = "INFO RocketmqStore Notify the syncStateSet has been changed into [1]."
    logged = ["INFO RocketmqCommon Try to start service thread", about, about, "INFO RocketmqStore load over"]
    assert telling(logged) == [about]
    report = upstream.Report(upstream.FOLDER / "one.md", "One", "", "F-1")
    page = with_lines("**What happened.** it.\n\n**Why.** so.\n", block(report, logged))
    assert f"```\n{about}\n```\n\n**Why.**" in page
    again = with_lines(page, block(report, []))
    assert about not in again and again.count("**Log lines.**") == 1 and again.endswith("\n\n**Why.** so.\n")
