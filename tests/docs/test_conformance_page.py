"""docs/conformance.md: what the implementation does of each shipped model."""

from __future__ import annotations

from typing import Any

from tools.docs.conformance import BEGIN, END, PAGE, result, row, table
from tools.engine_runs import ROOT

LARGE = {"AsShippedAckNeverExceedsLog", "AsShippedEpochFileCoversLog"}
"""More states than are performed in minutes."""


def run(**other: Any) -> dict[str, Any]:
    actions = [{"name": name, "edges": n, "performed": n, "refused": 4} for name, n in (("Put", 3), ("Ack", 0))]
    counts = {"distinctStates": 2, "statesExpanded": 2, "edges": 3, "edgesPerformed": 3}
    steps = {"pathSteps": 1, "probeSteps": 4, "stopped": "", "differences": []}
    return {"config": "spec/models/M.cfg", "result": "conforms", "actions": actions, **counts, **steps, **other}


def test_every_shipped_model_has_a_row_and_none_differs() -> None:
    lines = PAGE.read_text("utf-8").split(BEGIN)[1].split(END)[0].splitlines()[2:]
    cells = {line.split("`")[1]: line.rstrip(" |").split(" | ") for line in lines[:-1]}
    assert list(cells) == sorted(path.stem for path in (ROOT / "spec" / "models").glob("AsShipped*.cfg"))
    for name, (_, _, performed, *_, found) in cells.items():
        done, of, asked = performed.partition(" of ")
        assert done == asked and of, name
        assert found == "conforms" or (name in LARGE and found == "stopped after 20,000 states"), name


def test_a_row() -> None:
    assert row(run()) == "| `M` | 2 | 3 of 3 | 8 | 5 | 1 | conforms |\n"


def test_a_difference_is_told() -> None:
    other = run(result="differs", edgesPerformed=2, differences=[{"action": "Put"}])
    assert result(other) == "**differs** in `Put`"
    assert table([run(), other]).endswith("| all | 4 | 5 of 6 | 16 | 10 | 1 | 1 conform, 0 stopped, 1 differ |\n")


def test_a_run_that_was_stopped_is_told() -> None:
    assert result(run(result="stopped", stopped="max-states", statesExpanded=1)) == "stopped after 1 states"
