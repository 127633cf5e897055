"""docs/bugs.md is what its generator makes of spec/bugs and traces."""

from __future__ import annotations

import re

from bench.bugs import BUGS, DOCUMENT, TRACES, bugs, document


def test_the_page_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run `make bugs`"


def test_every_module_has_an_entry_with_a_failure_and_its_fix() -> None:
    entries = bugs()
    assert {bug.module.name for bug in entries} == {path.name for path in BUGS.glob("*.tla")}
    assert len(entries) > 40
    assert not [bug.name for bug in entries if all(config.fails for config in bug.configs)]


def test_steps_are_told_in_words() -> None:
    """For readers who know RocketMQ and no TLA+: no step is the name of an action."""
    assert not re.findall(r"^\d+\. [A-Z]\w+(?:\(.*|\.)$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)


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
