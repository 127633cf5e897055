"""docs/bugs.md is what its generator makes of spec/bugs and traces."""

from __future__ import annotations

from bench.bugs import BUGS, DOCUMENT, bugs, document


def test_the_page_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run `make bugs`"


def test_every_module_has_an_entry_with_a_failure_and_its_fix() -> None:
    entries = bugs()
    assert {bug.module.name for bug in entries} == {path.name for path in BUGS.glob("*.tla")}
    assert len(entries) > 40
    assert not [bug.name for bug in entries if all(config.fails for config in bug.configs)]
