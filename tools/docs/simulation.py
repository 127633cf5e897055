"""`python -m tools.docs.simulation`: docs/simulation.md, how many guided behaviours find each bug of `spec/bugs`.

The page is written after each bug. `--missing` measures only bugs without a row; `--seconds N` leaves a bug without one
that needs more than so many seconds for all seeds.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.result import Verdict
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.search.system import System
from rmqproof.model.tla.model_files import ModelFiles, find_models
from tools.explored import Explored

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "simulation.md"
SEEDS = range(5)
MOST = 20_000
DEPTH = 100
MORE = {"AcksOutliveReignLoss": 100_000, "HeaderEpochRememberedLoss": 100_000}
"""Bugs that take more behaviours: these are taken on the explored graph (`tools.explored`), with the same outcome."""

HEAD = f"""# Random behaviours that find the bugs

`rmqproof check spec/bugs/NAME.cfg --simulate {MOST} --guided --seed S` looks at random behaviours, each of which
goes where those before it have not been: to the successor that the fewest behaviours have met, and nowhere from where
all was seen (`model/search/guide.py`). The same seed gives the same behaviours. Each ends in a state from which all was
seen then, so no more are needed than there are states, where no depth cuts them.

How many behaviours of at most {DEPTH} states it took to find each safety violation of `spec/bugs`, for the seeds
{SEEDS.start} to {SEEDS.stop - 1}, and how many states the violation that came first has. *Not found*: by none of
{MOST:,}, or {", ".join(f"of {most:,} for `{name}`" for name, most in MORE.items())}. Liveness is not simulated.
Made by `make simulation`.

| bug | violated | median | least | most | states of the first | shortest |
|---|---|--:|--:|--:|--:|--:|
"""


def found_by(files: ModelFiles) -> list[tuple[int | None, int]]:
    """By each seed how many behaviours found the violation, None where they did not, and how many states it has."""
    if files.name in MORE:
        explored = Explored(system_of(files.load()))
        return [behaviours_to(explored, seed, MORE[files.name]) for seed in SEEDS]
    return [behaviours_to(system_of(files.load()), seed) for seed in SEEDS]


def behaviours_to(system: System, seed: int, most: int = MOST) -> tuple[int | None, int]:
    result = Simulation(system, behaviours=most, depth=DEPTH, seed=seed, guided=True).run()
    if not result.violations or result.behaviours is None:
        return None, 0
    return result.behaviours + 1, len(result.behaviour)


def measured(page: str) -> dict[str, str]:
    """The rows of a page by the names of their bugs."""
    return {found[1]: line for line in page.split("\n") if (found := re.match(r"\| \[`(\w+)`\]", line))}


def row(files: ModelFiles, shortest: object, violated: str) -> str:
    assert files.config is not None
    found = found_by(files)
    counts = [count for count, _ in found if count is not None]
    name = f"| [`{files.config.stem}`](../spec/bugs/{files.config.name}) | `{violated}` |"
    if len(counts) < len(found):
        return f"{name} not found by {len(found) - len(counts)} seeds | | | | {shortest} |"
    lengths = sorted(length for _, length in found)
    middle = f"{median(counts):,.0f} | {min(counts):,} | {max(counts):,}"
    return f"{name} {middle} | {lengths[0]} to {lengths[-1]} | {shortest} |"


def page_of(rows: Mapping[str, str], bugs: list[str]) -> str:
    """The page with the rows of these bugs, and which of them have none."""
    text = HEAD + "\n".join(rows[name] for name in bugs if name in rows) + "\n"
    left = [f"`{name}`" for name in bugs if name not in rows]
    why = "since the five seeds took longer than they were given, or the run has not come to them"
    return text + (f"\nNot measured, {why}: {', '.join(left)}.\n" if left else "")


class Over(BaseException):
    """The time is over. No `Exception`: an engine that evaluates takes those for what it evaluates."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise `Over` after so many seconds; 0: never."""

    def over(number: int, frame: object) -> None:
        raise Over

    old = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--missing", action="store_true", help="only bugs that have no row")
    parser.add_argument("--seconds", type=int, default=0, help="for a bug, then it is left without a row")
    options = parser.parse_args()
    rows = measured(PAGE.read_text(encoding="utf-8")) if options.missing else {}
    asked = []
    for files in find_models([ROOT / "spec" / "bugs"]):
        assert files.config is not None
        expectation = read_expectation(files.config.read_text(encoding="utf-8"))
        if expectation is not None and expectation.verdict is Verdict.SAFETY:
            asked.append((files, dict(expectation.counts).get("depth", "–"), expectation.name))
    bugs = [files.config.stem for files, _, _ in asked if files.config is not None]
    for (files, shortest, violated), name in zip(asked, bugs, strict=True):
        if name in rows:
            continue
        try:
            with at_most(options.seconds):
                rows[name] = row(files, shortest, violated)
        except Over:
            print(f"{name}: more than {options.seconds} s", file=sys.stderr, flush=True)
            continue
        print(rows[name], file=sys.stderr, flush=True)
        PAGE.write_text(page_of(rows, bugs), encoding="utf-8")


if __name__ == "__main__":
    main()
