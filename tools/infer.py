"""`make infer`: look for an inductive invariant of every protocol of tests/infer and print the table of docs/infer.md.

Each is a run of the command `rmqproof infer` without hints, one at a time; what came out is printed as it is.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
TEXTBOOK = ("TwoPhaseCommit", "TokenRing", "Paxos")
"""Of tests/specs."""
STATES = {"ConsensusByVotes": 300_000}
"""All that there are: much that is no invariant holds in the first 20,000."""


def protocols() -> list[Path]:
    """The specifications."""
    return [TESTS / "specs" / f"{name}.tla" for name in TEXTBOOK] + sorted(
        (TESTS / "infer" / "protocols").glob("*.tla")
    )


def run(spec: Path, seconds: float) -> dict[str, Any]:
    """What the command writes as JSON; `error` where it writes none."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rmqproof", "infer", str(spec), "--out", folder]
        command += ["--states", str(STATES[spec.stem])] if spec.stem in STATES else []
        done = subprocess.run(
            [*command, "--seconds", str(seconds), "--json", "-"], capture_output=True, text=True, check=False
        )
    if not done.stdout:
        refused = [line for line in done.stderr.splitlines() if "cannot" in line]
        return {"result": "error", "error": (refused or done.stderr.splitlines() or ["no answer"])[-1]}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(specs: Sequence[Path], seconds: float) -> Iterator[str]:
    """The lines of the table as they come."""
    yield "| protocol | property | invariant | conjuncts | states | candidates | questions | processor s |"
    yield "|---|---|---|--:|--:|--:|--:|--:|"
    for spec in specs:
        found = run(spec, seconds)
        if found["result"] == "error":
            yield f"| {spec.stem} | | {found['error'].partition(' of the type ')[0]} | | | | | |"
            continue
        sizes = ", ".join(f"{name} {size}" for name, size in found["sizes"].items())
        result = found["result"] if found["result"] != "found" else f"proved for {sizes}" if sizes else "proved"
        states = f"{found['reachableStates']:,}{'' if found['allStates'] else '+'}"
        yield (
            f"| {spec.stem} | {', '.join(found['properties'])} | {result} | {len(found['invariant'])} | {states} "
            f"| {found['candidates']:,} | {found['questions']:,} | {found['processorSeconds']:.1f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=1800)
    given = parser.parse_args()
    for line in table(given.specs or protocols(), given.seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
