"""docs/exercised.md: in which default models each action is taken, and each property could fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.spec.test_exercised import actions
from tools.docs.exercised import PAGE, Shown, default_models, page
from tools.exercised import THREE, TWO

OTHER_RULES = {"ControllerAppliesEvent", "ForgetUnresolvedProposals", "SendQueuedProposal"}
"""What only another rule makes possible: in models of `spec/bugs` that are explored by default, too (`exercised`)."""
ONCE: set[str] = set()
"""In one model only."""


def rows(text: str) -> Iterator[tuple[str, int, int]]:
    """Action or property, and in how many models of two brokers and of three."""
    for name, *cells in re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", text, re.MULTILINE):
        two, three = (int(cell.split(":")[0]) if ":" in cell else 0 for cell in cells)
        yield name, two, three


def test_everything_is_in_several_models_of_both_sizes() -> None:
    found = {name: (two, three) for name, two, three in rows(PAGE.read_text("utf-8"))}
    assert actions() - OTHER_RULES <= found.keys()
    assert {name for name, counts in found.items() if sum(counts) == 0} <= OTHER_RULES
    assert {name for name, counts in found.items() if sum(counts) == 1} == ONCE
    assert {name for name, (_, three) in found.items() if not three} <= OTHER_RULES


def test_the_page_knows_the_models_of_the_table() -> None:
    """`exercised` names one model for each action; the page counts all."""
    text = PAGE.read_text("utf-8")
    models = default_models()
    assert f"\n{len(models)} models.\n" in text
    counts = {name: (two, three) for name, two, three in rows(text)}
    for size, table in enumerate((TWO, THREE)):
        named = " ".join(taken for model, taken in table.items() if model in {files.name for files in models}).split()
        assert [name for name in named if not counts[name][size]] == []


def test_where_something_is_exercised() -> None:
    def model(name: str, distinct: int, taken: list[str], spoken: list[str]) -> Shown:
        asked = ["AppendPut", "DiskIsLost", "LogMatching"]
        return {"model": name, "distinct": distinct, "taken": taken, "spoken": spoken, "asked": asked}

    text = page(
        [
            model("TwoBrokersBig", 9, ["AppendPut"], []),
            model("TwoBrokers", 5, ["AppendPut", "DiskIsLost"], []),
            model("ThreeBrokersA", 7, ["AppendPut"], []),
        ]
    )
    assert "| `AppendPut` | 2: `TwoBrokers`, `Big` | 1: `A` |\n" in text
    assert "| `LogMatching` | – | – |\n" in text
    assert "In no model: `LogMatching`.\n\nIn one model only: `DiskIsLost`.\n" in text
    assert "With two brokers only: `DiskIsLost`.\n\nWith three brokers only: nothing.\n" in text
