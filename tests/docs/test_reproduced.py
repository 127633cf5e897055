"""docs/reproduced.md says of each story what the classes did, and whose the decisive part is."""

from __future__ import annotations

import re
from typing import Any

from tools.docs.bugs import DOCS
from tools.docs.reproduced import OURS, page


def result(name: str, broken: bool, left: str = "", steps: int = 3) -> dict[str, Any]:
    return {
        "name": name,
        "version": "5.5.0",
        "violated": "AckedDurability",
        "steps": [{}] * (steps + 1),
        "broken": broken,
        "left": left,
        "seconds": 1.5,
    }


def test_what_the_classes_did() -> None:
    unfit = {"name": "Liveness", "version": "5.5.0", "unfit": "without end"}
    found = [result("One", True), result("Two", False, "no answer"), result("Three", False), unfit]
    text = page([*found, result("Issue7017", True)])
    assert "| One | `AckedDurability` | reproduced |  |" in text
    assert "| Two | `AckedDurability` | left at step 4 |  |" in text
    assert "| Three | `AckedDurability` | holds |  |" in text
    assert f"| Issue7017 | `AckedDurability` | reproduced | {OURS['Issue7017']} |" in text
    assert "2 of 4 reproduced, of 1 of them the decisive part is ours" in text
    assert "- **Two**, step 4: no answer." in text
    assert "- **Issue6665**, step 1: no step. By a schedule: #6665." in page([result("Issue6665", False, "no step", 0)])
    assert "Liveness" not in text


def test_the_page_has_what_a_release_loses() -> None:
    text = (DOCS / "reproduced.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| InsufficientTruncationLoss |"))
    assert row.split(" | ")[2:5] == ["reproduced", "reproduced", "holds"], "5.5.1, 5.5.0, 5.3.3"
    assert all(f"| {name} |" in text for name in OURS)
    assert "Issue5712 (#5712)" in text.split("have schedules of their own")[1].splitlines()[1]


def test_a_story_takes_a_second_or_less() -> None:
    """As it was measured, with everything else that ran then."""
    text = (DOCS / "reproduced.md").read_text(encoding="utf-8")
    medians = re.findall(r"; median (\d+\.\d) s", text)
    assert len(medians) >= 2 and all(float(each) <= 1.0 for each in medians)
