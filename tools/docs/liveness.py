"""`make models`: the table in docs/liveness.md, a row for every liveness property of every model that checks one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PAGE = Path("docs/liveness.md")
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
HEAD = "| property | model | shows | verdict | prefix | cycle | states |\n|---|---|---|---|--:|--:|--:|\n"


def description(config: Path) -> str:
    """The first comment of a configuration."""
    first = next(line for line in config.read_text(encoding="utf-8").splitlines() if line.startswith("\\*"))
    return first.removeprefix("\\*").strip()


def rows(model: dict[str, Any], root: Path) -> list[tuple[str, str]]:
    """Property and row. `prefix` and `cycle` are states before the cycle and on it; a cycle of 1: nothing happens."""
    config = Path(model["config"]).resolve()
    link = f"[`{config.stem}`](../{config.relative_to(root)})"
    found = []
    for prop in model["properties"]:
        if prop["kind"] != "liveness":
            continue
        violated = prop["name"] == model["violated"]
        if not violated and prop["verdict"] != "holds":
            continue
        length, loop = model["behaviourLength"], model["loop"]
        numbers = (str(loop), str(length - loop)) if violated else ("", "")
        cells = (
            f"`{prop['name']}`",
            link,
            description(config),
            "**violated**" if violated else "holds",
            *numbers,
            f"{model['distinctStates']:,}",
        )
        found.append((prop["name"], "| " + " | ".join(cells) + " |"))
    return found


def table(models: list[dict[str, Any]], root: Path) -> str:
    """The rows of all models, property by property, the models that hold first."""
    all_rows = [row for model in models for row in rows(model, root)]
    ordered = sorted(all_rows, key=lambda row: (row[0], "**violated**" in row[1], row[1]))
    return HEAD + "".join(f"{row}\n" for _, row in ordered)


def with_table(page: str, text: str, begin: str = BEGIN, end: str = END) -> str:
    """The page with this table in the place of its old one, between the two lines."""
    before, rest = page.split(begin)
    return before + begin + text + end + rest.split(end)[1]


def main() -> None:
    """Read the JSON of `rmqproof check FOLDER --expect --json -` from standard input, write the page."""
    models = json.load(sys.stdin)["models"]
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), table(models, Path.cwd().resolve())), encoding="utf-8")


if __name__ == "__main__":
    main()
