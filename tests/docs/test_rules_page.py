"""docs/rules.md is what its command prints, and what the classes did is not what the sources are said to exclude."""

from __future__ import annotations

from tools.docs import rules
from tools.docs.bugs import DOCS, bugs, outcomes


def test_the_page_is_as_printed() -> None:
    assert (DOCS / "rules.md").read_text(encoding="utf-8") == rules.page()


def test_every_cell_was_looked_up() -> None:
    """A module that says its releases says it of each column."""
    rows = [
        [cell.strip() for cell in line.split("|")]
        for line in (DOCS / "rules.md").read_text(encoding="utf-8").splitlines()
    ]
    assert [row[1] for row in rows if "?" in row] == []


def test_what_was_seen_is_not_excluded_by_the_sources() -> None:
    """What a module's RELEASES call repaired must not be seen by a schedule of that module's own id."""
    wrong = [
        (bug.name, version)
        for bug in bugs()
        if bug.releases
        for name, row in outcomes().items()
        if name in {bug.name, f"#{bug.name.removeprefix('Issue')}"}
        for version, word in row
        if word == "seen" and rules.by_the_sources(bug.releases, version) == "–"
    ]
    assert wrong == []


def test_the_words_of_a_cell() -> None:
    assert rules.by_the_sources("5.0.0 and 5.1.0; fixed in 5.1.1", "5.1.0") == "yes"
    assert rules.by_the_sources("5.0.0 and 5.1.0; fixed in 5.1.1", "5.2.0") == "–"
    assert rules.by_the_sources("5.1.1 to 5.3.3 by their sources", "5.4.0") == "?"
    assert rules.by_the_sources("none; never a rule of RocketMQ", "5.4.0") == "–"
    assert rules.by_the_sources("5.1.1 to 5.5.1; before, there was none", "5.1.0") == "–"
    assert rules.by_the_sources("5.1.1 to 5.5.1; addBroker did not change", "5.1.0") == "?"


def test_what_a_release_between_or_after_has_not() -> None:
    said = "5.0.0 to 5.1.0 and 5.3.2 to 5.4.0; not in 5.1.1 to 5.3.1, not in 5.5.0; of 5.5.1 no nameserver is published"
    words = {version: rules.by_the_sources(said, version) for version in ("5.1.0", "5.2.0", "5.3.3", "5.5.0", "5.5.1")}
    assert list(words.values()) == ["yes", "–", "yes", "–", "*not published*"]
