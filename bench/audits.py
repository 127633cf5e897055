"""`python -m bench.audits --examples DIR`: how long `rmqproof audit` takes for each public model, and what comes of it.

Each model of the collection (laid out as tlaplus/Examples is) has a process of its own with one worker and an empty
cache, which may use `--limit` seconds of a processor. Median and quartiles count what was stopped, too: it took longer
than all that was not. So does a model for which TLC needs more than `--tlc` seconds by its manifest; it is not tried.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click

from rmqproof.model.suite.collection import PublishedModel, read_collection
from rmqproof.model.suite.process import finished

QUICK = 10
"""Processor seconds that an audit should take."""
SLOWER = 4
"""Seconds by the clock for each of a processor: others may be at work."""


@dataclass(frozen=True, slots=True)
class Row:
    """`processor`, `clock`: seconds. `refused`: why there is no audit; `stopped`: before all mutants were tried."""

    name: str
    processor: float
    refused: str = ""
    stopped: bool = False
    states: int = 0
    mutants: int = 0
    tried: int = 0
    killed: int = 0
    findings: int = 0
    clock: float = 0.0


def measured(model: PublishedModel, limit: int, tlc: float) -> Row:
    """One audit as a user asks for it, of a model that TLC checks in so many seconds."""
    if model.seconds is not None and model.seconds >= tlc:
        return Row(model.name, 0.0, stopped=True)
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "audit.json")
        command = [sys.executable, "-m", "rmqproof", "audit", str(model.spec), "--config", str(model.config)]
        command += ["--seconds", str(SLOWER * limit), "--workers", "1", "--quiet", "--json", str(told)]
        limited = ["sh", "-c", f'ulimit -t {limit} && exec "$@"', "sh", *command]
        environment = {**os.environ, "RMQPROOF_CACHE": str(Path(folder, "cache"))}
        run = finished(limited, model.root, environment, limit=2 * SLOWER * limit)
        if told.exists() and told.stat().st_size:
            (found,) = json.loads(told.read_text(encoding="utf-8"))["models"]
            return replace(row_of(model.name, run.processor, found), clock=run.clock)
        if run.status < 0 or not run.complete:
            return Row(model.name, run.processor, stopped=True, clock=run.clock)
        lines = (run.errors or run.output).strip().splitlines() or [f"status {run.status}"]
        return Row(model.name, run.processor, refused=lines[0], clock=run.clock)


def row_of(name: str, processor: float, found: dict[str, Any]) -> Row:
    """Of the JSON of an audit."""
    killed = sum(each["killed"] for each in found["definitions"].values())
    stopped = found["tried"] < found["mutants"]
    counts = found["distinctStates"], found["mutants"], found["tried"], killed, len(found["findings"])
    return Row(name, processor, "", stopped, *counts)


def summary(rows: Sequence[Row], limit: float) -> str:
    """What is said in docs/audit.md."""
    asked = [row for row in rows if not row.refused]
    whole = [row for row in asked if not row.stopped]
    processor, clock = (
        quartiles(sorted(taken), len(asked), limit)
        for taken in ([row.processor for row in whole], [row.clock for row in whole])
    )
    refused = Counter(row.refused for row in rows if row.refused)
    return (
        f"{len(rows)} models, {len(rows) - len(asked)} refused; of {len(asked)} audits {len(whole)} tried every mutant,"
        f" {sum(row.processor <= QUICK for row in whole)} of them within {QUICK} processor seconds,"
        f" {sum(row.clock <= QUICK for row in whole)} within {QUICK} seconds by the clock\n"
        f"quartiles: {processor} processor seconds, {clock} by the clock\n"
        f"{sum(row.tried for row in asked):,} of {sum(row.mutants for row in asked):,} mutants that were found were"
        f" tried, {sum(row.killed for row in asked):,} killed"
        + "".join(f"\nrefused, {count}: {reason}" for reason, count in refused.most_common())
    )


def quartiles(taken: Sequence[float], of: int, limit: float) -> str:
    """The three quartiles of so many, where what is not among `taken` took longer than `limit`."""
    ranks = (of // 4, of // 2, 3 * of // 4)
    return ", ".join(f"{taken[rank]:.1f}" if rank < len(taken) else f"more than {limit:g}" for rank in ranks)


@click.command()
@click.option("--examples", type=click.Path(exists=True, path_type=Path), required=True, help="A clone of the models.")
@click.option("--limit", default=12, show_default=True, help="Processor seconds for each.")
@click.option("--tlc", default=60.0, show_default=True, help="Seconds that TLC may take, by the manifest.")
@click.option("--only", default="", help="Only models whose name contains this.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="A file for the rows, as JSON lines; what is there is kept."
)
def main(examples: Path, limit: int, tlc: float, only: str, out: Path | None) -> None:
    """Measure, and say what the median is."""
    kept = (
        [Row(**json.loads(line)) for line in out.read_text().splitlines()] if out is not None and out.exists() else []
    )
    known = {row.name: row for row in kept}
    rows = []
    for model in read_collection(examples, only):
        row = known.get(model.name) or measured(model, limit, tlc)
        rows.append(row)
        if out is not None and model.name not in known:
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")
        what = row.refused or f"{row.tried} of {row.mutants} mutants, {row.killed} killed, {row.findings} findings"
        click.echo(f"{row.processor:6.1f} s  {row.name}: {'stopped, ' if row.stopped else ''}{what}")
    click.echo(summary(rows, limit))


if __name__ == "__main__":
    main()
