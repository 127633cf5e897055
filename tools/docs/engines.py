"""`python -m tools.docs.engines LOG`: docs/engines.md, in which engines each configuration of `spec/` was run.

Every model is run by each engine in turn, those with few states first, and what comes out is a line of LOG: a run that
is stopped, or whose `--seconds` are over, goes on where it was. `--page` only writes the page. A line counts as long
as the texts of the model are those of its run. Ends with status 1 where two engines differ.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options, SparkOptions
from rmqproof.model.tla.model_files import ModelFiles, find_models

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "engines.md"
MODELS = ROOT / "docs" / "models.md"
HERE = 10**9
"""States of a level from which on Spark would take over: never."""
ENGINES = {
    "python": Options("python", workers=1),
    "native": Options("native", workers=1),
    "spark": Options("spark", spark=SparkOptions(partitions=2, hand_over=HERE)),
}
COMPARED = ("result", "violated", "distinctStates", "totalStates", "stateDepth", "taken")
SMALL = 20_000
"""Distinct states up to which the Python engine, and the search of Spark, are asked."""

HEAD = """# Every model in every engine

Which engines have explored each configuration of `spec/`. Where two did, they agree on the verdict, the violated
property, distinct states, generated states, depth, and how often each action was taken. Made by
`python -m tools.docs.engines LOG`; a model whose texts have changed since is not counted.

- **python**: the Python engine; models of at most {small:,} distinct states.
- **native**: machine code.
- **spark**: the search of the Spark engine with two owners of states, in one process; models as for python.
  Sessions of Spark are in tests/search/spark.

"""


def size_of() -> dict[str, int]:
    """The distinct states of each configuration, as docs/models.md has them."""
    found = {}
    for line in MODELS.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 8 and cells[0].startswith("[`"):
            found[cells[0].split("`")[1]] = int(cells[3].replace(",", ""))
    return found


def texts_of(files: ModelFiles) -> str:
    """A digest of all that the model is made of: what it extends is told by all modules of `spec/`."""
    assert files.config is not None
    text = files.config.read_bytes() + files.spec.read_bytes()
    for path in sorted((ROOT / "spec" / "core").glob("*.tla")) + sorted((ROOT / "spec" / "protocols").glob("*.tla")):
        text += path.read_bytes()
    return sha256(text).hexdigest()[:16]


def ran(files: ModelFiles, engine: str) -> dict[str, Any]:
    """What came out of a run; `engine` is the one that explored in the end."""
    outcome = check(files, ENGINES[engine])
    found = outcome.json()
    taken = {action.action: action.total for action in outcome.result.coverage if action.total}
    return {key: found[key] for key in COMPARED[:-1]} | {
        "taken": taken,
        "engine": outcome.result.engine,
        "message": outcome.result.message.split("\n")[0] if found["result"] == "error" else "",
    }


def differences(runs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What engines say otherwise than the first of them; a run that another engine took over is none of its own."""
    own = {name: run for name, run in runs.items() if run["engine"] == name}
    found = []
    for name in list(own)[1:]:
        first, other = next(iter(own.items())), own[name]
        found += [
            f"{key}: {first[0]} {first[1][key]}, {name} {other[key]}" for key in COMPARED if first[1][key] != other[key]
        ]
    return found


def logged(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def current(lines: Sequence[Mapping[str, Any]], models: Sequence[ModelFiles]) -> dict[str, dict[str, Any]]:
    """By model and engine the last run of the texts as they are."""
    texts = {files.name: texts_of(files) for files in models}
    found: dict[str, dict[str, Any]] = {files.name: {} for files in models}
    for line in lines:
        if texts.get(line["model"]) == line["texts"]:
            found[line["model"]][line["engine_asked"]] = line
    return {name: {engine: runs[engine] for engine in ENGINES if engine in runs} for name, runs in found.items()}


def page(runs: Mapping[str, Mapping[str, Any]], sizes: Mapping[str, int]) -> str:
    """The page: for each set of engines the models that these, and no others, have explored."""
    groups: dict[tuple[str, ...], list[str]] = {}
    refused = []
    for name, found in sorted(runs.items()):
        own = [engine for engine, run in found.items() if run["engine"] == engine]
        refused += [
            f"- `{name}`, {engine}: {run['engine']} instead." for engine, run in found.items() if engine not in own
        ]
        groups.setdefault(tuple(own), []).append(name)
    text = HEAD.format(small=SMALL)
    text += f"{len(runs)} configurations. How many of them each engine has explored:\n\n"
    text += "| engine | configurations |\n|---|--:|\n"
    for engine in (engine for engine in ENGINES if any(engine in which for which in groups)):
        text += f"| {engine} | {sum(engine in which for which, names in groups.items() for _ in names)} |\n"
    for which, names in sorted(groups.items(), key=lambda group: (-len(group[0]), group[0])):
        large = [name for name in names if sizes.get(name, 0) > SMALL]
        title = ", ".join(which) if which else "none in this run"
        text += f"\n## {title}: {len(names)}\n\n{', '.join(f'`{name}`' for name in names)}.\n"
        if len(which) < len(ENGINES):
            text += "\nThe other engines have not come to these, or they are too large for them, or told of below.\n"
        if large and not {"python", "spark"} & set(which):
            text += f"\nOf these {len(large)} have more than {SMALL:,} states.\n"
    return text + ("\n## What an engine left to another\n\n" + "\n".join(refused) + "\n" if refused else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no model is begun after so many")
    parser.add_argument("--page", action="store_true", help="run nothing, write the page")
    given = parser.parse_args()
    sizes, begin = size_of(), monotonic()
    models = sorted(find_models([ROOT / "spec"]), key=lambda files: (sizes.get(files.name, 0), files.name))
    runs = current(logged(given.log), models)
    with given.log.open("a", encoding="utf-8") as log:
        for files in models if not given.page else ():
            for engine in given.engine or ("python", "native", "spark"):
                large = sizes.get(files.name, 0) > SMALL and engine != "native"
                if engine in runs[files.name] or large or monotonic() - begin > given.seconds:
                    continue
                line = {"model": files.name, "engine_asked": engine, "texts": texts_of(files), **ran(files, engine)}
                runs[files.name][engine] = line
                log.write(json.dumps(line) + "\n")
                log.flush()
    wrong = {name: found for name in runs if (found := differences(runs[name]))}
    for name, found in wrong.items():
        print(f"{name}: {'; '.join(found)}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    PAGE.write_text(page(runs, sizes), encoding="utf-8")


if __name__ == "__main__":
    main()
