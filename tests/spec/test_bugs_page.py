"""docs/bugs.md and docs/bugs/ are what their generator makes of spec/bugs, traces and docs/releases.md."""

from __future__ import annotations

import re

from tools.docs.bug_pages import INDEX, PAGES, documents
from tools.docs.bugs import BUGS, REPORTED, TRACES, bugs, definition, releases_of, seen_on


def test_the_pages_are_current() -> None:
    wanted = documents()
    stale = [path.name for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    assert not stale, "run `make bugs`"
    assert set(PAGES.glob("*.md")) | {INDEX} == wanted.keys(), "run `make bugs`"


def test_every_module_has_a_page_with_a_failure_and_its_fix() -> None:
    entries = bugs()
    assert {bug.module.name for bug in entries} == {path.name for path in BUGS.glob("*.tla")}
    assert len(entries) > 40
    assert not [bug.name for bug in entries if all(config.fails for config in bug.configs)]


def test_the_index_names_every_page() -> None:
    text = INDEX.read_text("utf-8")
    assert not [bug.name for bug in bugs() if f"](bugs/{bug.name}.md)" not in text]


def test_every_bug_says_where_it_comes_from() -> None:
    """Reported so, inferred, or read from the code; and of a report in which releases it is."""
    assert not [bug.name for bug in bugs() if bug.report.split(":")[0] not in REPORTED]
    assert not [bug.name for bug in bugs() if bug.kind in ("Issue", "Hazard") and not bug.releases]


def test_what_is_or_was_a_rule_of_rocketmq_names_class_and_method() -> None:
    """Whatever is reported, inferred or read from the code; what RocketMQ never did, or promises, is not there."""
    real = [bug for bug in bugs() if bug.report.split(":")[0] in ("reported", "inferred", "read from the code")]
    assert len(real) > 90
    assert not [bug.name for bug in real if not re.search(r"\b[A-Z]\w+[a-z]\w*\.[a-z]\w+", bug.code)]


def test_a_reported_defect_names_its_thread_and_the_release_of_its_repair() -> None:
    """`Issue9711`: its REPORT says what #9711 reports; its RELEASES where it begins and ends, or that it has no end."""
    issues = [bug for bug in bugs() if re.match(r"Issue\d", bug.name)]
    silent = [bug.name for bug in issues if f"#{re.findall(r'[0-9]+', bug.name)[0]}" not in bug.report]
    assert not silent
    vague = [bug.name for bug in issues if not re.search(r"\d\.\d\.\d|^none; never|^all\b|^never", bug.releases)]
    assert not vague


def test_every_report_without_a_module_says_what_was_reported_and_where_it_ends() -> None:
    text = (INDEX.parent / "hazards.md").read_text("utf-8")
    table = text.split("## Reported defects without a module of their own")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("| Z")
    ]
    assert len(rows) > 25
    assert not [row for row in rows if len(row) != 6 or not all(row)]


def test_what_was_seen_on_a_release_is_in_the_index() -> None:
    """The rows of docs/releases.md that have a module are found by it, so that none gets lost in a renaming."""
    listed = bugs()
    found = {key for key in seen_on() if any(key in bug.ids for bug in listed)}
    assert {"InsufficientRemoval", "#9689", "F-12", "F-14", "F-16", "F-17", "F-18", "F-19", "F-1"} <= found
    (removal,) = (bug for bug in listed if bug.name == "InsufficientRemoval")
    assert releases_of(removal).startswith("5.4.0")


def test_steps_are_told_in_words() -> None:
    """For readers who know RocketMQ and no TLA+: no step is the name of an action."""
    for page in PAGES.glob("*.md"):
        assert not re.findall(r"^\d+\. [A-Z]\w+(?:\(.*|\.)$", page.read_text("utf-8"), re.MULTILINE), page.name


def test_reported_defects_have_their_counterexamples_and_pictures() -> None:
    reported = [bug.name for bug in bugs() if bug.kind == "Issue"]
    assert len(reported) >= 25
    assert not [
        name for name in reported if not all((TRACES / f"{name}.{end}").exists() for end in ("itf.json", "svg"))
    ]


def test_a_confirmed_hazard_names_the_code() -> None:
    """Settings, steps, code path, repair, check: what a committer needs."""
    hazards = [bug for bug in bugs() if bug.kind == "Hazard"]
    assert len(hazards) >= 25
    for bug in hazards:
        assert re.search(r"\b[A-Z]\w+\.\w+", bug.code), f"{bug.name}: no code path"
        assert any(config.path.stem.endswith("Fixed") for config in bug.configs)
        assert "Repaired: " in " ".join(bug.about.split()), f"{bug.name}: no repair"


def test_a_rule_is_shown_as_the_bug_s_own_specification_has_it() -> None:
    """`MayAppend` is a rule of Controller mode and another one of master and slave."""
    of = {bug.name: definition("MayAppend", bug.module) for bug in bugs()}
    assert of["PutAfterDemotion"].startswith("MayAppend(b) ==")
    assert of["Issue4554"].startswith("MayAppend == Up(0)")
