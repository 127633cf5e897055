"""`make models`: docs/models.md, a row for every configuration of the protocol, from a run of all of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FIRST = ("spec/models", "spec/protocols")
"""The folders whose models are told first."""

HEAD = """# The models of the protocol

Every configuration in `spec/`, as `make models` ran it last: what it shows, what came out, how many states it has.
A model that is meant to fail says so in its `EXPECT` line, and its failure is the pass. *total* counts generated
states, *depth* the states of the longest shortest path, or of the counterexample. Seconds are those of the search.

"""


def description(config: Path) -> str:
    """The first comment of a configuration."""
    for line in config.read_text(encoding="utf-8").splitlines():
        if line.startswith("\\*"):
            return line.removeprefix("\\*").strip()
    return ""


def row(model: dict[str, Any], root: Path) -> str:
    config = Path(model["config"])
    verdict = model["result"] + (f" `{model['violated']}`" if model["violated"] else "")
    if not model["asExpected"]:
        verdict = f"**not as expected**: {verdict}"
    numbers = (f"{model[key]:,}" for key in ("distinctStates", "totalStates", "stateDepth"))
    cells = (
        f"[`{config.stem}`](../{config.resolve().relative_to(root)})",
        description(config),
        verdict,
        *numbers,
        f"{model['seconds']:.1f}",
        model["engine"],
    )
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Read the JSON of `rmqproof check FOLDER --expect --json -` from standard input, print the page."""
    root = Path.cwd().resolve()
    groups: dict[str, list[dict[str, Any]]] = {}
    for model in json.load(sys.stdin)["models"]:
        groups.setdefault(str(Path(model["config"]).parent), []).append(model)
    sys.stdout.write(HEAD)
    for folder in sorted(groups, key=lambda folder: (folder not in FIRST, folder)):
        print(f"## {folder}/\n")
        print("| model | shows | verdict | distinct | total | depth | s | engine |")
        print("|---|---|---|--:|--:|--:|--:|---|")
        for model in groups[folder]:
            print(row(model, root))
        print()


main()
