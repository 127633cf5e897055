"""`python -m tools.docs.engines`: docs/engines.md, in which engines each configuration of `spec/` was run, from the log
of `tools.engine_runs`. Ends with status 1, and writes nothing, where two engines differ."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rmqproof.model.tla.model_files import find_models
from tools.engine_runs import FIRST, LOG, MOST, ROOT, Run, current, differences, logged, size_of
from tools.fuzz.reference import SO_FAR

PAGE = ROOT / "docs" / "engines.md"
HEAD = """# Every model in every engine

Which engines have explored each configuration of `spec/`. Where two did, they agree on the verdict, the violated
property, distinct states, generated states, depth, and, but for the reference evaluator, how often each action was
taken. Made by `make engines`, which runs what has not been run since its texts have changed, those with few states
first; a run of other texts is not counted. An engine may have changed since: it was as it is at the commit of its run.

- **python**: the Python engine; models of at most {python:,} distinct states, of larger ones the first levels.
- **native**: machine code.
- **spark**: the search of the Spark engine with its states in two parts, in one process; models of at most {spark:,}
  distinct states, of larger ones the first levels. Sessions of Spark are in tests/search/spark.
- **reference**: a plain search with the reference evaluator, of at most {reference:,}; of larger models the first
  levels. It says nothing of properties about behaviours for ever.

"""
OTHERS = "The other engines have not come to these, or these are too large for them, or they are told of below."
FIRST_LEVELS = """
## The first levels

Of a model that is too large for them Spark's search and the reference evaluator explore the first levels, about
{first:,} states. The Python engine has as many distinct states on the same levels, and as many that are generated from
them, of which Spark's search does not tell.

"""


def page(runs: Mapping[str, Mapping[str, Run]], sizes: Mapping[str, int]) -> str:
    """The page: for each set of engines the models that these, and no others, have explored."""
    groups: dict[tuple[str, ...], list[str]] = {}
    left, begun = [], []
    for name, found in sorted(runs.items()):
        own = [engine for engine, run in found.items() if run["engine"] == engine]
        begun += [
            f"- `{name}`, {engine}: {run['message']}." for engine, run in found.items() if run["engine"] == SO_FAR
        ]
        left += [_left(name, engine, run) for engine, run in found.items() if run["engine"] not in (engine, SO_FAR)]
        groups.setdefault(tuple(own), []).append(name)
    text = HEAD.format(**MOST)
    text += f"{len(runs)} configurations. How many of them each engine has explored:\n\n"
    text += "| engine | configurations |\n|---|--:|\n"
    for engine in (engine for engine in MOST if any(engine in which for which in groups)):
        text += f"| {engine} | {sum(len(names) for which, names in groups.items() if engine in which)} |\n"
    for which, names in sorted(groups.items(), key=lambda group: (-len(group[0]), group[0])):
        title = ", ".join(which) if which else "none since their texts have changed"
        text += f"\n## {title}: {len(names)}\n\n{', '.join(f'`{name}`' for name in names)}.\n"
        if len(which) < len(MOST):
            text += f"\n{OTHERS}\n"
            large = [name for name in names if sizes.get(name, 0) > MOST["reference"]]
            text += f"\nOf these {len(large)} have more than {MOST['reference']:,} states.\n" if large else ""
    text += FIRST_LEVELS.format(first=FIRST) + "\n".join(begun) + "\n" if begun else ""
    return text + ("\n## What an engine left to another\n\n" + "\n".join(left) + "\n" if left else "")


def _left(name: str, engine: str, run: Run) -> str:
    who = "nobody" if run["engine"] == "none" else run["engine"]
    return f"- `{name}`, {engine}: {who} instead{f' ({message})' if (message := run['message']) else ''}."


def main(log: Path = LOG) -> None:
    runs = current(logged(log), find_models([ROOT / "spec"]))
    wrong = {name: told for name in runs if (told := differences(runs[name]))}
    for name, told in wrong.items():
        print(f"{name}: {'; '.join(told)}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    PAGE.write_text(page(runs, size_of()), encoding="utf-8")


if __name__ == "__main__":
    main()
