"""`python -m tools.docs.simulation`: docs/simulation.md, how many guided behaviours find each bug of `spec/bugs`."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median

from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.result import Verdict
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.tla.model_files import ModelFiles, find_models

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "simulation.md"
SEEDS = range(5)
MOST = 20_000
DEPTH = 100

HEAD = f"""# Random behaviours that find the bugs

`rmqproof check spec/bugs/NAME.cfg --simulate {MOST} --guided --seed S` looks at random behaviours, each of which
goes where those before it have not been: to the successor that the fewest behaviours have met, and nowhere from where
all was seen (`model/search/guide.py`). The same seed gives the same behaviours.

How many behaviours of at most {DEPTH} states it took to find each safety violation of `spec/bugs`, for the seeds
{SEEDS.start} to {SEEDS.stop - 1}, and how many states the violation that came first has. *Not found*: by none of
{MOST:,}. Liveness is not simulated. Made by `python -m tools.docs.simulation`.

| bug | violated | median | least | most | states of the first | shortest |
|---|---|--:|--:|--:|--:|--:|
"""


def behaviours_to(files: ModelFiles, seed: int) -> tuple[int | None, int]:
    """How many behaviours found the violation, None where they did not, and how many states it has."""
    model = files.load()
    result = Simulation(system_of(model), behaviours=MOST, depth=DEPTH, seed=seed, guided=True).run()
    if not result.violations or result.behaviours is None:
        return None, 0
    return result.behaviours + 1, len(result.behaviour)


def row(files: ModelFiles) -> str | None:
    assert files.config is not None
    expectation = read_expectation(files.config.read_text(encoding="utf-8"))
    if expectation is None or expectation.verdict is not Verdict.SAFETY:
        return None
    found = [behaviours_to(files, seed) for seed in SEEDS]
    counts = [count for count, _ in found if count is not None]
    name = f"| [`{files.config.stem}`](../spec/bugs/{files.config.name}) | `{expectation.name}` |"
    shortest = dict(expectation.counts).get("depth", "–")
    if len(counts) < len(found):
        return f"{name} not found by {len(found) - len(counts)} seeds | | | | {shortest} |"
    lengths = sorted(length for _, length in found)
    middle = f"{median(counts):,.0f} | {min(counts):,} | {max(counts):,}"
    return f"{name} {middle} | {lengths[0]} to {lengths[-1]} | {shortest} |"


def main() -> None:
    rows = []
    for files in find_models([ROOT / "spec" / "bugs"]):
        line = row(files)
        if line is not None:
            rows.append(line)
            print(line, file=sys.stderr, flush=True)
    PAGE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
