"""`python -m bench.bounded`: `prove --bounded K` beside the explicit search, for every configuration in spec/.

What the explicit search finds is what the configuration's EXPECT line says, which tests hold it to. Both must agree: a
violation within K steps is found where the shortest behaviour that leads to one has no more than K steps, and there is
none where it has more. Prints a table with the depth that each configuration reached in the time.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from rmqproof.model.cli.expectation import Expectation, read_expectation
from rmqproof.model.cli.models import find_models
from rmqproof.model.prove.bounded import Bounded, search_bounded
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.pool import Done, Task, run_all
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.library import PROTOCOL
from rmqproof.model.tla.source import TlaError


@dataclass(frozen=True, slots=True)
class Row:
    """`reached`: all behaviours of so many steps were looked at, or the violation was found. `differs`: how."""

    name: str
    expected: str
    reached: int | None
    found: str
    seconds: float
    differs: str = ""


def compare(spec: Path, config: Path, expected: Expectation | None, steps: int, seconds: float) -> Row:
    start = time.monotonic()
    told: list[int] = []

    def say(text: str) -> None:
        told.append(len(told))
        print(f"  {config.stem}: {text}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)

    name = str(config.relative_to(PROTOCOL).with_suffix(""))
    text = str(expected or "")
    try:
        found = search_bounded(open_module(spec, config), steps, seconds, say)
    except TlaError as error:
        return Row(name, text, None, f"refused: {error.message}", time.monotonic() - start)
    if found.violated:
        told_of = f"{found.violated} after {found.steps} steps"
    else:
        told_of = found.reason or f"none within {found.steps} steps"
    return Row(
        name,
        text,
        found.steps if told or found.violated else None,
        told_of,
        time.monotonic() - start,
        difference(found, expected),
    )


def difference(found: Bounded, expected: Expectation | None) -> str:
    """How the answer contradicts the explicit search; empty where it does not."""
    if expected is None:
        return ""
    safety = expected.verdict == Verdict.SAFETY
    depth = dict(expected.counts).get("depth")
    shortest = depth - 1 if safety and depth is not None else None
    if found.violated:
        if not safety:
            return f"{found.violated} is violated after {found.steps} steps; the search finds {expected.verdict}"
        if expected.name and found.violated != expected.name:
            return f"{found.violated} is violated; the search finds {expected.name}"
        if shortest is not None and found.steps != shortest:
            return f"after {found.steps} steps; the search finds {shortest}"
        return ""
    if shortest is not None and found.steps >= shortest and not found.reason:
        return f"nothing within {found.steps} steps; the search finds {expected.name} after {shortest}"
    return ""


def stopped(done: Done, expected: str, seconds: float) -> Row:
    why = "stopped: the time was over" if done.stopped else f"{type(done.error).__name__}: {done.error}"
    return Row(done.task.name, expected, None, why, seconds, "" if done.stopped else why)


@click.command()
@click.option("--steps", default=30, show_default=True, help="Steps from an initial state, at most.")
@click.option("--seconds", default=60.0, show_default=True, help="For each configuration.")
@click.option("--only", default="", help="Only the configurations whose path contains this.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
def main(steps: int, seconds: float, only: str, workers: int) -> None:
    """Compare, and print a table as Markdown; status 1 when something differs."""
    models = [m for m in find_models([PROTOCOL], []) if m.config is not None and only in str(m.config)]
    expectations = {}
    tasks = []
    for model in models:
        assert model.config is not None
        expected = read_expectation(model.config.read_text(encoding="utf-8"))
        name = str(model.config.relative_to(PROTOCOL).with_suffix(""))
        expectations[name] = str(expected or "")
        run = partial(compare, model.spec, model.config, expected, steps, seconds)
        tasks.append(Task(name, run, 2 * seconds + 60))
    rows = []
    for done in run_all(tasks, workers):
        row = done.result if done.result is not None else stopped(done, expectations[done.task.name], seconds)
        rows.append(row)
        print(
            f"{row.name}: {row.found} ({row.seconds:.0f} s){' DIFFERS: ' + row.differs if row.differs else ''}",
            file=sys.stderr,
            flush=True,
        )
    print("| configuration | explicit search | bounded | steps | s |\n|---|---|---|---|---|")
    for row in sorted(rows, key=lambda row: row.name):
        reached = "-" if row.reached is None else row.reached
        found = f"**{row.differs}**" if row.differs else row.found
        print(f"| {row.name} | {row.expected} | {found} | {reached} | {row.seconds:.0f} |")
    wrong = [row.name for row in rows if row.differs]
    print(f"\n{len(rows)} configurations, {len(wrong)} differ{': ' + ', '.join(wrong) if wrong else ''}.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
