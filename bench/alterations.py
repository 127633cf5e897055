"""Is a run with one wrong number told from the run: `python -m bench.alterations run.ndjson --every 100`.

In every Nth line that has a number in its state or its arguments one of them, drawn from a seed, is altered by one, and
the whole run is validated with it: no (as it should be), yes (nothing depends on the number, or nothing sees it), open
(undecided after so many processor seconds), or unreadable. `--results FILE` keeps every answer as it comes; what is
decided there already is not done again, so a sweep can be ended with Ctrl-C and goes on with the same command.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from rmqproof import RunUnreadable, validate
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Stopped
from rmqproof.model.tla.library import bundled

_CONFIG = "TwoBrokersLateAcks.cfg"
_LOOKS = 0.2
"""Seconds between two looks at the time."""
ANSWERS = ("no", "yes", "open", "unreadable")
Where = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Alteration:
    """One number in one line; `line` counts from 1."""

    line: int
    node: str
    action: str | None
    field: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Decided:
    """What came of it. `explained`: events; `seconds` of the processor."""

    alteration: Alteration
    answer: str
    explained: int
    places: int
    seconds: float


def numbers(value: Any, path: Where = ()) -> Iterator[Where]:
    """Where numbers stand in a JSON value."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield path
    elif isinstance(value, dict | list):
        for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(inside, (*path, key))


def alterations(lines: Sequence[str], every: int, seed: int) -> Iterator[tuple[Alteration, str]]:
    """In every so manieth line that has a number: what is altered, and the line with it."""
    met = 0
    for place, text in enumerate(lines, 1):
        found = altered(text, place, seed)
        if found is not None:
            met += 1
            if not met % every:
                yield found


def altered(text: str, place: int, seed: int) -> tuple[Alteration, str] | None:
    """The line at a place with one number altered by one; None where it has no number."""
    line = json.loads(text)
    found = [(part, *path) for part in ("state", "arguments") for path in numbers(line.get(part))]
    if not found:
        return None
    random = Random(f"{seed} {place}")
    path = random.choice(found)
    inside = line
    for key in path[:-1]:
        inside = inside[key]
    old = inside[path[-1]]
    inside[path[-1]] = new = old + random.choice((1, -1))
    alteration = Alteration(place, line["node"], line.get("action"), ".".join(map(str, path)), old, new)
    return alteration, json.dumps(line, separators=(",", ":")) + "\n"


def decide(run: Path, alteration: Alteration, seconds: float) -> Decided:
    """Validate a run that has this alteration; give up after so many processor seconds."""
    control, started = Control(progress_seconds=_LOOKS), process_time()

    def look(*_: int) -> None:
        if process_time() - started > seconds:
            control.stopped = Stopped.SECONDS

    try:
        found = validate(run, bundled(_CONFIG), mapping="cluster", progress=look, control=control)
    except RunUnreadable:
        return Decided(alteration, "unreadable", 0, 0, process_time() - started)
    answer = {"yes": "yes", "no": "no"}.get(str(found.answer), "open")
    return Decided(alteration, answer, found.explained, found.tried, process_time() - started)


def sweep(
    lines: Sequence[str], every: int, seed: int, seconds: float, known: Sequence[Decided] = ()
) -> Iterator[Decided]:
    """Decide each alteration that is not among the known ones."""
    before = {each.alteration for each in known}
    with tempfile.TemporaryDirectory(prefix="alterations") as folder:
        run = Path(folder, "run.ndjson")
        for alteration, text in alterations(lines, every, seed):
            if alteration not in before:
                place = alteration.line - 1
                run.write_text("".join([*lines[:place], text, *lines[place + 1 :]]), encoding="utf-8")
                yield decide(run, alteration, seconds)


def read_results(file: Path) -> list[Decided]:
    """What an earlier sweep wrote; a last line that is not whole is none."""
    found = []
    for text in file.read_text(encoding="utf-8").splitlines(True) if file.exists() else ():
        if text.endswith("\n"):
            content = json.loads(text)
            found.append(Decided(**{**content, "alteration": Alteration(**content["alteration"])}))
    return found


def _line(decided: Decided) -> str:
    return json.dumps(asdict(decided)) + "\n"


def table(decided: Sequence[Decided]) -> str:
    """How many of each answer, and the processor seconds that they took."""
    rows = [f"{'':10} {'runs':>6} {'median s':>9} {'most s':>8} {'all s':>9}"]
    for answer in ANSWERS:
        times = [each.seconds for each in decided if each.answer == answer]
        if times:
            rows.append(f"{answer:10} {len(times):6,} {median(times):9.1f} {max(times):8.1f} {sum(times):9.1f}")
    return "\n".join(rows)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.alterations", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="a trace of `rmqproof cluster`, or of `python -m bench.long_run`")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="lines with a number from one to the next")
    parser.add_argument("--seconds", type=float, default=600, metavar="S", help="of the processor, for one run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, metavar="FILE", help="where answers are kept, and found again")
    given = parser.parse_args(arguments)
    lines = given.file.read_text(encoding="utf-8").splitlines(True)
    decided = read_results(given.results) if given.results is not None else []
    if given.results is not None:
        given.results.write_text("".join(map(_line, decided)), encoding="utf-8")
    status = 0
    try:
        for each in sweep(lines, given.every, given.seed, given.seconds, decided):
            decided.append(each)
            of = each.alteration
            print(
                f"line {of.line:,}, {of.node} {of.action}: {of.field} {of.old} -> {of.new}: {each.answer}, "
                f"{each.explained:,} explained, {each.places:,} places, {each.seconds:.1f} s",
                flush=True,
            )
            if given.results is not None:
                with open(given.results, "a", encoding="utf-8") as out:
                    out.write(_line(each))
    except KeyboardInterrupt:
        status = 130
    print(table(decided))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
