"""`python -m tools.engine_runs`: every configuration of `spec/` by every engine, kept in `engine_runs.jsonl`.

Those with few states come first, and what an engine found is a line at once: a run that is stopped, or whose
`--seconds` are over, goes on where it was. A line counts as long as the texts of the model are those of its run.
Of a model that is too large for them Spark's search and the reference evaluator explore the first levels, about `FIRST`
states, and what the Python engine finds there is held against that at once.
Ends with status 1 where two engines differ, or one has found something else than the configuration expects.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from rmqproof.model.checking.check import check
from rmqproof.model.checking.expectation import Expectation, read_expectation
from rmqproof.model.checking.options import Options, SparkOptions
from rmqproof.model.search.result import Stopped, Verdict
from rmqproof.model.tla.lexer import tokens_of_module
from rmqproof.model.tla.model_files import ModelFiles, find_models
from rmqproof.model.tla.source import Source
from tools.fuzz.reference import SO_FAR, NotCovered, searched
from tools.fuzz.verdict import Report

ROOT = Path(__file__).parents[1]
LOG = Path(__file__).with_suffix(".jsonl")
MODELS = ROOT / "docs" / "models.md"
HERE = 10**9
"""States of a level from which on Spark would take over: never."""
ENGINES = {
    "python": Options("python", workers=1),
    "native": Options("native", workers=1),
    "spark": Options("spark", spark=SparkOptions(partitions=2, hand_over=HERE)),
}
REFERENCE = "reference"
NAMES = (*ENGINES, REFERENCE)
MOST = {"python": 4_000_000, "native": 10**9, "spark": 400_000, REFERENCE: 10_000}
"""Distinct states up to which an engine is asked for the whole model."""
BY_LEVELS = {"spark", REFERENCE}
"""Which end between two levels, so that a part of a larger model says something."""
FIRST = 2_500
"""Distinct states at which they do."""
COUNTS = ("distinctStates", "totalStates", "stateDepth")
COMPARED = ("result", "violated", *COUNTS, "taken")

Run = Mapping[str, Any]
"""What an engine found: `COMPARED`; `engine`, the one that explored in the end; `unexpected`, what EXPECT says not."""


def size_of() -> dict[str, int]:
    """The distinct states of each configuration, as docs/models.md has them."""
    found = {}
    for line in MODELS.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 8 and cells[0].startswith("[`"):
            found[cells[0].split("`")[1]] = int(cells[3].replace(",", ""))
    return found


@cache
def bundled_modules() -> dict[str, str]:
    """The texts of the modules of `spec/`, each of which has a name of its own."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "spec").rglob("*.tla"))}


@cache
def _named_in(text: str) -> frozenset[str]:
    names = re.findall(r"\b(?:EXTENDS|INSTANCE)\s+(\w+(?:\s*,\s*\w+)*)", text)
    return frozenset(re.findall(r"\w+", " ".join(names)))


@cache
def _without_comments(text: str) -> str:
    """A module's tokens, each with the column that it begins at, which means something in a list of /\\ or \\/."""
    return "\n".join(f"{token.indent} {token.text}" for token in tokens_of_module(Source("", text)))


def texts_of(files: ModelFiles, modules: Mapping[str, str] | None = None) -> str:
    """A digest of the configuration, and of all modules that the specification reaches, without their comments.

    `modules`: their texts by name; None: those of `spec/`."""
    assert files.config is not None
    modules, config = modules if modules is not None else bundled_modules(), files.config_text
    reached, waiting = {files.spec.stem}, [files.spec.stem]
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting += (_named_in(modules[name]) & modules.keys()) - reached
    return sha256(
        "\0".join([config, *(_without_comments(modules[name]) for name in sorted(reached))]).encode()
    ).hexdigest()[:16]


def ran(files: ModelFiles, engine: str, first: int | None = None) -> dict[str, Any]:
    """What comes of a run; `first`: at how many states one of `BY_LEVELS` ends, None for never.

    Raise `NotCovered` where the reference evaluator judges no such model, and `KeyboardInterrupt` for a run that was
    stopped, of which nothing is known.
    """
    expected = read_expectation(files.config_text)
    if engine == REFERENCE:
        return _ran_by_reference(files, expected, first)
    outcome = check(files, replace(ENGINES[engine], max_states=first), expectation=expected)
    if first is not None and outcome.result.stopped is Stopped.STATES:
        return against_python(files, Report(SO_FAR, outcome.result.distinct, None, outcome.result.depth))
    if outcome.result.stopped is not None:
        raise KeyboardInterrupt
    found = outcome.json()
    taken = {action.action: action.total for action in outcome.result.coverage if action.total}
    return {key: found[key] for key in COMPARED[:-1]} | {
        "taken": sha256(json.dumps(taken, sort_keys=True).encode()).hexdigest()[:12],
        "engine": outcome.result.engine,
        "unexpected": outcome.difference,
        "message": outcome.result.message.split("\n")[0] if found["result"] == "error" else "",
    }


def _ran_by_reference(files: ModelFiles, expected: Expectation | None, most: int | None) -> dict[str, Any]:
    report = searched(files, most)
    if report.verdict == SO_FAR:
        return against_python(files, report)
    counts = {"distinct": report.distinct or 0, "total": report.total or 0, "depth": report.depth or 0}
    found: dict[str, Any] = {
        "result": report.verdict,
        "violated": report.violated or None,
        "taken": None,
        "engine": REFERENCE,
    }
    found |= dict(zip(COUNTS, (report.distinct, report.total, report.depth), strict=True))
    told = ""
    if expected is not None and not _beyond_reference({"result": expected.verdict}, found):
        told = expected.difference(Verdict(report.verdict), report.violated, counts)
    return found | {"unexpected": told, "message": report.detail.split("\n")[0]}


def against_python(files: ModelFiles, report: Report) -> dict[str, Any]:
    """What was found on the first levels, held against the Python engine; no total: the last one was not expanded."""
    assert report.depth is not None
    outcome = check(first_levels(files, report.depth), ENGINES["python"])
    if outcome.result.stopped is not None:
        raise KeyboardInterrupt
    found = outcome.json()
    mine = (report.verdict, report.distinct, report.total or found["totalStates"], report.depth)
    its = (SO_FAR if found["result"] == "success" else found["result"], *(found[key] for key in COUNTS))
    told = "" if mine == its else f"first levels: {mine}, python {its}"
    message = f"the first {report.depth} levels, {report.distinct:,} states"
    return dict.fromkeys(COMPARED) | {"engine": SO_FAR, "unexpected": told, "message": message}


def first_levels(files: ModelFiles, levels: int) -> ModelFiles:
    """The model with the states that it reaches in fewer than `levels` steps."""
    name = f"{files.spec.stem}FirstLevels"
    body = f'ReachedEarly == TLCGet("level") <= {levels}'
    text = f"---- MODULE {name} ----\nEXTENDS {files.spec.stem}, TLC\n{body}\n====\n"
    return files.extended(name, text).overridden("CONSTRAINT ReachedEarly")


def differences(runs: Mapping[str, Run]) -> list[str]:
    """What engines say otherwise than the first of them; a run that another engine took over is none of its own.

    The reference evaluator is never that first one, in whatever order they ran: of what it leaves open it says nothing.
    """
    own = {name: runs[name] for name in NAMES if name in runs and runs[name]["engine"] == name}
    found = []
    for name in list(own)[1:]:
        first, other = next(iter(own.items())), own[name]
        if name == REFERENCE and _beyond_reference(first[1], other):
            continue
        found += [
            f"{key}: {first[0]} {first[1][key]}, {name} {other[key]}"
            for key in COMPARED
            if other[key] is not None and first[1][key] != other[key]
        ]
    return found


def _beyond_reference(first: Run, other: Run) -> bool:
    """The reference evaluator has no behaviours for ever, and says of a step of which [][A]_v is false no more."""
    return first["result"] == "liveness failure" and other["result"] in ("success", "liveness failure")


def logged(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def current(lines: Iterable[Run], models: Sequence[ModelFiles]) -> dict[str, dict[str, Run]]:
    """By model and engine the last run of the texts as they are."""
    texts = {files.name: texts_of(files) for files in models}
    found: dict[str, dict[str, Run]] = {files.name: {} for files in models}
    for line in lines:
        if texts.get(line["model"]) == line["texts"]:
            found[line["model"]][line["asked"]] = line
    return {name: {engine: runs[engine] for engine in NAMES if engine in runs} for name, runs in found.items()}


def kept(log: Path, runs: Mapping[str, Mapping[str, Run]]) -> None:
    """Write the log anew: a line for each model and engine, in the order of their names."""
    lines = (json.dumps(line) for _, found in sorted(runs.items()) for _, line in sorted(found.items()))
    log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _run_all(models: Sequence[ModelFiles], engines: Sequence[str], most: int, seconds: float, to: Path) -> None:
    sizes, begin = size_of(), monotonic()
    runs = current(logged(to), models)
    kept(to, runs)
    with to.open("a", encoding="utf-8") as log:
        for files in sorted(models, key=lambda each: (sizes.get(each.name, 0), each.name)):
            for engine in engines:
                size = sizes.get(files.name, 0)
                whole = size <= MOST[engine]
                left = size > most or not (whole or engine in BY_LEVELS)
                if engine in runs[files.name] or left or monotonic() - begin > seconds:
                    continue
                line: dict[str, Any] = {"model": files.name, "asked": engine, "texts": texts_of(files)}
                try:
                    line |= ran(files, engine, None if whole else FIRST)
                except NotCovered as error:
                    line |= dict.fromkeys(COMPARED) | {"engine": "none", "unexpected": "", "message": str(error)}
                runs[files.name][engine] = line
                print(json.dumps(line), file=log, flush=True)
    kept(to, runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=MOST, action="append", help="may be repeated; default: all")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no model is begun after so many")
    parser.add_argument("--log", type=Path, default=LOG, help="default: engine_runs.jsonl, beside this module")
    parser.add_argument("--most", type=int, default=10**9, help="distinct states of a model that is run")
    given = parser.parse_args()
    models = find_models([ROOT / "spec"])
    try:
        _run_all(models, given.engine or list(MOST), given.most, given.seconds, given.log)
    except KeyboardInterrupt:
        sys.exit("Stopped; the next run goes on.")
    runs, wrong = current(logged(given.log), models), False
    for files in models:
        unexpected = [f"{name}: {run['unexpected']}" for name, run in runs[files.name].items() if run["unexpected"]]
        for told in (*differences(runs[files.name]), *unexpected):
            print(f"{files.name}: {told}", file=sys.stderr)
            wrong = True
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
