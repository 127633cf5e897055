"""`python -m tools.pluscal`: docs/algorithms.md, public algorithms with TLC's translation and with ours.

A model that is in `--known FILE` (rows of JSON, which are added to) is not checked again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic

from tools.fuzz.tlc import Tlc, TlcDied
from tools.fuzz.verdict import Report
from tools.pluscal.collection import Algorithm, Job, algorithms, is_translated, jobs, text_of
from tools.pluscal.translator import (
    BOTH_REFUSE,
    OTHER_ORDER,
    SAME,
    Translator,
    compared,
    with_options,
    without_translation,
)

VARIATIONS = (
    "",
    "-lineWidth 60, wf",
    "-lineWidth 110",
    "labelRoot more_, label, sf",
    "termination",
    "termination, nof",
    "wfNext, noDoneDisjunct",
    "version 1.4, sf",
    "version 1.10",
)
"""Options with which every algorithm is translated."""

MODULES = Path(__file__).parents[2] / "model" / "tla" / "modules"
_OF_PROOFS = re.compile("TLAPS|Theorems|Induction")
_MORE = 3
"""Times the seconds of TLC."""
_OF_TESTS = "those of TLC's tests"

HEAD = """# Public algorithms, with TLC's translation and with ours

Every module of [tlaplus/Examples](https://github.com/tlaplus/Examples) and of TLC's own tests that has an algorithm in
PlusCal, translated by TLC's translator and by `rmqproof translate`; and every model that runs one of them, checked by
TLC with the translation that its translator writes, and by `rmqproof check` without any in the file. Made by

```
make algorithms EXAMPLES=CLONE-OF-tlaplus/Examples TLC=CLONE-OF-tlaplus/tlaplus TLC_CLASSPATH=tla2tools.jar
```

The texts are those of `pcal.trans` 1.11, of the TLC that `make fuzz` fetches; the models were checked by TLC built from
its source of April 2026, whose `pcal.trans` 1.12 names `pc` first in lists of variables, and writes the same otherwise.
In that form, which `rmqproof translate` gives a new translation, 132 of these algorithms have the text and the
checksums that it writes, and five are refused by both.
A depth is that of the graph, or the length of the behaviour that is shown.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a model; `says` is of TLC where it is `same`, else of both."""

    name: str
    same: bool
    says: str
    why: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.pluscal", description=__doc__)
    parser.add_argument("--examples", type=Path, help="a clone of tlaplus/Examples")
    parser.add_argument("--tlc", type=Path, help="a clone of tlaplus/tlaplus")
    parser.add_argument("--translator", help="the classes of TLC's translator, where TLC_CLASSPATH are others")
    parser.add_argument("--seconds", type=float, default=60, help="for each model and checker")
    parser.add_argument("--known", type=Path, help="rows that are known, and are added to")
    parser.add_argument("--only", default="", help="models whose name has this")
    parser.add_argument("--texts", action="store_true", help="translate alone")
    parser.add_argument("--models", action="store_true", help="check alone")
    given = parser.parse_args()
    classpath = os.environ.get("TLC_CLASSPATH")
    if not classpath or not (given.examples or given.tlc):
        parser.error("TLC_CLASSPATH, and --examples or --tlc, have to be given")
    found = _found(given.examples, given.tlc)
    translator = Translator(given.translator or classpath)
    print(HEAD)
    try:
        for line in [] if given.models else _texts(found, translator):
            print(line, flush=True)
        if not given.texts:
            rows = _rows([job for job in jobs(found) if given.only in job.name], translator, given)
            print("\n".join(_table(rows, given.seconds)))
    finally:
        translator.close()


def _found(examples: Path | None, tlc: Path | None) -> list[Algorithm]:
    found: list[Algorithm] = []
    if examples is not None:
        found += algorithms(examples / "specifications")
    if tlc is not None:
        tools = tlc / "tlatools" / "org.lamport.tlatools"
        found += algorithms(tools / "test-model", tools / "test" / "pcal")
    return found


# --- texts ---------------------------------------------------------------------------------------------------


def _texts(found: list[Algorithm], translator: Translator) -> Iterator[str]:
    yield "| options | algorithms | same text and checksums | other order of variables | refused by both | otherwise |"
    yield "|---|--:|--:|--:|--:|---|"
    modules = [(each, without_translation(text_of(each.file))) for each in found]
    refused = ""
    for options in (_OF_TESTS, *VARIATIONS):
        tally: Counter[str] = Counter()
        others: list[str] = []
        both: list[str] = []
        for each, text in modules:
            said = options if options != _OF_TESTS else "" if "PlusCal options" in text else each.options
            outcome = compared(with_options(text, said), translator, each.file.name).outcome
            tally[outcome] += 1
            if outcome == BOTH_REFUSE:
                both.append(f"`{each.name}`")
            if outcome not in (SAME, OTHER_ORDER, BOTH_REFUSE):
                others.append(f"{each.name} ({outcome})")
        name = options if options == _OF_TESTS or not options else f"`{options}`"
        counts = f"{tally[SAME]} | {tally[OTHER_ORDER]} | {tally[BOTH_REFUSE]}"
        yield f"| {name or 'none'} | {len(modules)} | {counts} | {'; '.join(others)} |"
        if not options:
            refused = f"Refused by both as they are: {', '.join(both)}."
    yield f"\n{refused}"


# --- models --------------------------------------------------------------------------------------------------


def _rows(models: list[Job], translator: Translator, given: argparse.Namespace) -> list[Row]:
    known = {}
    if given.known is not None and given.known.exists():
        known = {row["name"]: Row(**row) for row in map(json.loads, given.known.read_text().splitlines())}
    tlc = Tlc(os.environ["TLC_CLASSPATH"], given.seconds)
    try:
        for job in models:
            if job.name not in known:
                known[job.name] = _compared(job, translator, tlc, given.seconds)
                print(known[job.name], file=sys.stderr, flush=True)
                if given.known is not None:
                    with given.known.open("a") as file:
                        file.write(json.dumps(asdict(known[job.name])) + "\n")
    finally:
        tlc.close()
    return [known[job.name] for job in models]


def _compared(job: Job, translator: Translator, tlc: Tlc, seconds: float) -> Row:
    with tempfile.TemporaryDirectory(prefix="pluscal-") as folder:
        theirs, mine = Path(folder) / "theirs", Path(folder) / "mine"
        theirs.mkdir()
        for file in sorted(job.module.parent.iterdir()):
            if file.suffix in (".tla", ".cfg"):
                shutil.copy(file, theirs)
        for file in sorted(theirs.glob("*.tla")):
            if is_translated(text_of(file)):
                file.write_text(with_options(without_translation(text_of(file)), job.options))
        shutil.copytree(theirs, mine)
        for file in MODULES.glob("*.tla"):
            if _OF_PROOFS.search(file.stem) and not (theirs / file.name).exists():
                shutil.copy(file, theirs)  # TLC comes without them
        for file in sorted(theirs.glob("*.tla")):
            if is_translated(text_of(file)):
                arguments = () if job.config is None and file.name == job.module.name else ("-nocfg",)
                wrong = translator.translate(file, *arguments)
                if wrong and file.name == job.module.name:
                    return Row(job.name, True, "not translated", " ".join(wrong.split()))
        config = theirs / (job.config.name if job.config is not None else f"{job.module.stem}.cfg")
        if not config.exists():
            return Row(job.name, True, "not compared", "there is no configuration")
        shutil.copy(config, mine)
        said = _asked(tlc, theirs / job.module.name, config, Path(folder))
        if said is None:
            return Row(job.name, True, "not compared", f"no answer from TLC in {seconds:g} s")
        found = _checked(mine / job.module.name, mine / config.name, seconds)
    if "Parsing or semantic analysis failed" in said.detail:
        return Row(job.name, True, "not compared", "TLC does not find or parse a module")
    if said.verdict == "error":
        same = found["result"] == "error"
        return Row(job.name, same, "error", f"TLC: {_short(said.detail)}")
    if str(found["message"]).startswith("Stopped (limit of seconds)"):
        return Row(job.name, True, "not compared", f"not through here after {_MORE * seconds:g} s")
    its = (said.verdict, said.distinct, said.total, said.depth)
    length = re.search(r"behaviour of (\d+) states", str(found["message"]))
    depth = int(length[1]) if length is not None and said.verdict != "success" else found["stateDepth"]
    here = (found["result"], found["distinctStates"], found["totalStates"], depth)
    same = all(a is None or a == b for a, b in zip(its, here, strict=True))
    return Row(job.name, same, _counts(here), "" if same else f"TLC: {_counts(its)}. {_short(found['message'])}")


def _asked(tlc: Tlc, module: Path, config: Path, folder: Path) -> Report | None:
    """What TLC says; None where it takes longer than it may."""
    for _ in range(2):
        began = monotonic()
        try:
            if tlc.process is None:  # what it takes to start is no part of the time of a model
                trivial = folder / "Trivial.tla"
                trivial.write_text("---- MODULE Trivial ----\n====\n")
                trivial.with_suffix(".cfg").write_text("")
                tlc.ask(trivial)
            return tlc.check(module, 1, "-config", str(config))
        except TlcDied:
            tlc.close()
            if monotonic() - began > tlc.seconds:
                break
    return None


def _checked(module: Path, config: Path, seconds: float) -> dict[str, object]:
    answer = module.with_suffix(".json")
    command = [sys.executable, "-m", "rmqproof", "check", str(module), "--config", str(config), "--json", str(answer)]
    subprocess.run([*command, "--quiet", "--max-seconds", str(_MORE * seconds)], capture_output=True, check=False)
    found: dict[str, object] = json.loads(answer.read_text())
    return found


def _counts(counts: tuple[object, ...]) -> str:
    verdict, distinct, total, depth = counts
    return f"{verdict}: {distinct} distinct, {total} generated, depth {depth}"


def _short(text: object) -> str:
    text = re.sub(r"\S*/(\w+\.\w+)", r"\1", " ".join(str(text).split()))  # no folders
    return re.sub(r" generated at .*?\. ", ". ", text)[:160].replace("|", "\\|")


def _table(rows: list[Row], seconds: float) -> list[str]:
    compared = [row for row in rows if row.says not in ("not compared", "not translated", "error")]
    lines = [
        "",
        f"Of {len(rows)} models {len(compared)} were compared, with {seconds:g} seconds for each in TLC; in "
        f"{sum(row.same for row in compared)} verdict and counts are the same. An error of both is no comparison: most "
        "are constants that no configuration gives a value.",
        "",
        "| model | | |",
        "|---|---|---|",
    ]
    for row in rows:
        lines.append(f"| {row.name} | {'' if row.same else '**differs** '}{row.says} | {row.why} |")
    return lines


if __name__ == "__main__":
    main()
