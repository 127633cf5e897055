"""`make conform-shipped`: the table in docs/conformance.md of what `rmqproof conform` found in each shipped model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.docs.liveness import with_table

PAGE = Path("docs/conformance.md")
BEGIN, END = "<!-- shipped -->\n", "<!-- end of shipped -->\n"
HEAD = (
    "| model | states | edges performed | refused | steps without a restore | actions taken | result |\n"
    "|---|--:|--:|--:|--:|--:|---|\n"
)

Run = Mapping[str, Any]
"""The JSON of `rmqproof conform`."""


def name_of(run: Run) -> str:
    return Path(run["config"]).stem


def refused(run: Run) -> int:
    """How often an action was asked for that the model does not allow, and was refused."""
    return sum(action["refused"] for action in run["actions"])


def result(run: Run) -> str:
    """Whether it conforms, else in which actions it differs, or where it was stopped."""
    differing = sorted({difference["action"] for difference in run["differences"]})
    if differing:
        return "**differs** in " + ", ".join(f"`{action}`" for action in differing)
    if run["stopped"]:
        return f"stopped after {run['statesExpanded']:,} states"
    return str(run["result"])


def row(run: Run) -> str:
    performed = f"{run['edgesPerformed']:,} of {run['edges']:,}"
    without = run["pathSteps"] + run["probeSteps"]
    taken = sum(1 for action in run["actions"] if action["performed"])
    counts = f"{run['distinctStates']:,} | {performed} | {refused(run):,} | {without:,} | {taken}"
    return f"| `{name_of(run)}` | {counts} | {result(run)} |\n"


def table(runs: Iterable[Run]) -> str:
    """A row for each model, by name, and one for all of them."""
    ordered = sorted(runs, key=name_of)

    def total(name: str) -> int:
        return sum(run[name] for run in ordered)

    performed = f"{total('edgesPerformed'):,} of {total('edges'):,}"
    without = total("pathSteps") + total("probeSteps")
    taken = {action["name"] for run in ordered for action in run["actions"] if action["performed"]}
    counts = f"{total('distinctStates'):,} | {performed} | {sum(map(refused, ordered)):,} | {without:,} | {len(taken)}"
    conform, stopped = (sum(result(run).startswith(word) for run in ordered) for word in ("conforms", "stopped"))
    end = f"{conform} conform, {stopped} stopped, {len(ordered) - conform - stopped} differ"
    return HEAD + "".join(map(row, ordered)) + f"| all | {counts} | {end} |\n"


def main() -> None:
    """Read the files named, write the page; status 1 where one differs."""
    runs = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(page, table(runs), BEGIN, END), encoding="utf-8")
    sys.exit(not all(result(run).startswith(("conforms", "stopped")) for run in runs))


if __name__ == "__main__":
    main()
