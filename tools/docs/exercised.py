"""`make exercised`: docs/exercised.md, in which default models each action of the protocol is taken, and each property
could fail.

What a model has shown is kept in `out/exercised.jsonl`, by a digest of its texts: a run that is stopped goes on there.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model_files import DEFAULT_GROUP, ModelFiles, find_models
from tools.engine_runs import ROOT, size_of, texts_of

PAGE = ROOT / "docs" / "exercised.md"
LOG = ROOT / "out" / "exercised.jsonl"
SIZES = ("TwoBrokers", "ThreeBrokers")
"""What the names of the models begin with."""
HEAD = """# Where each action and each property is exercised

The models of the protocol that `rmqproof check` explores by default, of two and of three brokers: in which of them an
action is taken, and in which a property is not trivial, that is, a state is reached in which it could fail
([`Antecedents.tla`](../spec/core/Antecedents.tla)). Names are without `TwoBrokers` and `ThreeBrokers`. Made by
`make exercised`.

"""

Shown = Mapping[str, Any]
"""Of a model: `model`, `texts`, the actions `taken` and the properties `spoken` that were not trivial."""


@dataclass(frozen=True)
class Exercised:
    """By action or property the models in which it is, of two brokers and of three, smallest first."""

    name: str
    two: tuple[str, ...]
    three: tuple[str, ...]


def default_models() -> list[ModelFiles]:
    """The default models of the protocol with so many brokers, small ones first."""
    models = find_models([ROOT / "spec" / "models"])
    found = [files for files in models if files.group == DEFAULT_GROUP and files.name.startswith(SIZES)]
    sizes = size_of()
    return sorted(found, key=lambda files: sizes.get(files.name, 0))


def shown(files: ModelFiles) -> dict[str, Any]:
    """Explore a model. RuntimeError unless every property holds."""
    outcome = check(files, Options(workers=1))
    if outcome.result.verdict is not Verdict.SUCCESS:
        raise RuntimeError(f"{files.name}: {outcome.result.message}")
    holding = {prop.name: prop.trivial for prop in outcome.properties if prop.kind == "invariant"}
    return {
        "model": files.name,
        "texts": texts_of(files),
        "distinct": outcome.result.distinct,
        "taken": sorted(action.action for action in outcome.result.coverage if action.total),
        "spoken": sorted(name for name, trivial in holding.items() if not trivial and name != "TypeOK"),
        "asked": sorted({action.action for action in outcome.result.coverage} | holding.keys() - {"TypeOK"}),
    }


def exercised(found: Sequence[Shown], kind: str, names: Iterable[str]) -> list[Exercised]:
    """Where each of these names is in `kind`, which is `taken` or `spoken`."""
    ordered = sorted(found, key=lambda each: (each["distinct"], each["model"]))

    def where(name: str, begin: str) -> tuple[str, ...]:
        models = [each["model"] for each in ordered if each["model"].startswith(begin) and name in each[kind]]
        return tuple(model.removeprefix(begin) or model for model in models)

    two, three = SIZES
    return [Exercised(name, where(name, two), where(name, three)) for name in sorted(names)]


def _cell(models: tuple[str, ...]) -> str:
    named = ", ".join(f"`{name}`" for name in models[:3])
    more = f" and {len(models) - 3} more" if len(models) > 3 else ""
    return f"{len(models)}: {named}{more}" if models else "–"


def _table(title: str, rows: Sequence[Exercised]) -> str:
    text = f"| {title} | two brokers | three brokers |\n|---|---|---|\n"
    return text + "".join(f"| `{row.name}` | {_cell(row.two)} | {_cell(row.three)} |\n" for row in rows) + "\n"


def page(found: Sequence[Shown]) -> str:
    names = set().union(*(each["asked"] for each in found))
    properties = set(re.findall(r"^(\w+)IsIdle ==", (ROOT / "spec/core/Antecedents.tla").read_text("utf-8"), re.M))
    actions = exercised(found, "taken", names - properties)
    spoken = exercised(found, "spoken", names & properties)
    text = HEAD + f"{len(found)} models.\n\n" + _table("action", actions) + _table("property", spoken)
    rows = [*actions, *spoken]
    for title, few in (
        ("In no model", [row for row in rows if not row.two and not row.three]),
        ("In one model only", [row for row in rows if len(row.two) + len(row.three) == 1]),
        ("With two brokers only", [row for row in rows if row.two and not row.three]),
        ("With three brokers only", [row for row in rows if row.three and not row.two]),
    ):
        text += f"{title}: {', '.join(f'`{row.name}`' for row in few) or 'nothing'}.\n\n"
    return text.rstrip("\n") + "\n"


def main() -> None:
    LOG.parent.mkdir(exist_ok=True)
    lines = LOG.read_text("utf-8").splitlines() if LOG.exists() else []
    known = {(line["model"], line["texts"]): line for line in map(json.loads, lines)}
    found = []
    with LOG.open("a", encoding="utf-8") as log:
        for files in default_models():
            line = known.get((files.name, texts_of(files))) or shown(files)
            if (files.name, line["texts"]) not in known:
                print(json.dumps(line), file=log, flush=True)
                print(f"{files.name}: {line['distinct']:,} states", file=sys.stderr, flush=True)
            found.append(line)
    Path(PAGE).write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
