"""`python -m tools.pluscal.drawn`: random algorithms, translated by TLC's translator and by ours.

`--record FILE` keeps what TLC's makes of each: which text, or that it refuses; the tests compare ours with that. The
release whose lists of variables end as ours do is 1.11 (`make fuzz` fetches it).
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from pathlib import Path

import click

from tools.fuzz.tlc import classpath
from tools.pluscal.draw import MODULE, algorithm
from tools.pluscal.translator import Compared, Translator, compared

ITS_OWN = "found anchor has moved to left"
"""What TLC's translator says where an expression of several lines becomes narrower: an error of its own."""
REFUSED = "refused"


def answer(drawn: str, translated: str) -> str:
    """What is recorded: which text it is. A module that is refused stays as it was drawn."""
    return REFUSED if translated == drawn else hashlib.sha256(translated.encode()).hexdigest()[:8]


def _asked(seed: int, translator: Translator) -> Compared:
    found = compared(algorithm(seed), translator, f"{MODULE}.tla")
    if not found.agrees:  # TLC's translator remembers things of an algorithm that it has refused
        translator.close()
        found = compared(algorithm(seed), translator, f"{MODULE}.tla")
    return found


@click.command()
@click.option("--count", default=1000, show_default=True, help="Algorithms.")
@click.option("--seed", default=0, show_default=True, help="Of the first one.")
@click.option("--tlc", default=classpath, required=True, metavar="CLASSPATH", help="Default: $TLC_CLASSPATH.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="A folder for those that differ: what is drawn, both texts."
)
@click.option("--record", type=click.Path(path_type=Path), help="Write TLC's answers here.")
def main(count: int, seed: int, tlc: str, out: Path | None, record: Path | None) -> None:
    """Compare the translations of random algorithms; print those that differ."""
    if not tlc:
        raise click.UsageError("Name TLC's class path: --tlc, or TLC_CLASSPATH.")
    translator = Translator(tlc)
    tally: Counter[str] = Counter()
    different, answers = 0, []
    try:
        for number in range(seed, seed + count):
            found = _asked(number, translator)
            if ITS_OWN in found.outcome:
                tally[f"TLC: {ITS_OWN}"] += 1
                continue
            tally[found.outcome if found.agrees else "differ"] += 1
            answers.append(f"{number} {answer(algorithm(number), found.theirs)}\n")
            if not found.agrees:
                different += 1
                print(f"{number}: {found.outcome}", flush=True)
                if out is not None:
                    out.mkdir(parents=True, exist_ok=True)
                    texts = {"drawn": algorithm(number), "theirs": found.theirs, "mine": found.mine}
                    for name, text in texts.items():
                        (out / f"{number}-{name}.tla").write_text(text)
    finally:
        translator.close()
    if record is not None:
        record.write_text("".join(answers))
    print(f"{count:,} algorithms: " + ", ".join(f"{each:,} {outcome}" for outcome, each in tally.most_common()))
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
