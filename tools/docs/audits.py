"""`python -m tools.docs.audits`: docs/specification-mutants.md, which slips of the pen in spec/ its own models notice.

A mutant that one model kills is not asked of the next; so each model adds what only it sees. `--seconds` is for each
model; `--known FILE` keeps what came of each, so that the next run goes on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic

from rmqproof.model.audit.audit import MORE, Budget, asked_of
from rmqproof.model.audit.graph import explored
from rmqproof.model.audit.mutation import Mutant, interleaved, mutants_of
from rmqproof.model.audit.pieced import Pieced, divisible
from rmqproof.model.audit.scoring import Fate, Original, tried
from rmqproof.model.audit.searching import Deadline
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.tla.model_files import ModelFiles, find_models

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "specification-mutants.md"
MODELS = (
    "RefinesServingLog", "ControllerOnly", "ControllerOnlyThree", "ControllerOnlyUnclean", "TwoBrokersLostDisk",
    "ThreeBrokersLostDisk", "TwoBrokersInterrupted", "TwoBrokersCleaned", "SettingsTwoOfThreeRanked",
    "ThreeBrokersLearnerCrash", "TwoBrokersMinInSyncCrash", "ThreeBrokersCleaned", "TwoBrokersFlushLoss",
    "ThreeBrokersInterrupted", "ThreeBrokersFineSteps", "TwoBrokersMinInSync", "TwoBrokersConfirmMonotone",
    "TwoBrokersLearnerCrash", "ThreeBrokersFirstElection",
)  # fmt: skip
"""Of spec/models, those that hold and have at most some thousand states, the smallest first."""

HEAD = """# Mutants of the specification

Slips of the pen in the core of spec/, one at a time ([audit](audit.md) has the rules), and what its own models say of
them. A mutant is killed when a property of some model, its deadlock check or the evaluation notices it; it has the same
graph when every model that tried it has the same states and steps. Liveness is not asked. Made by
`make specification-mutants`, from the models {models}.

"""


@dataclass(slots=True)
class Known:
    """What became of a mutant: `by` a property of a `model`, where it was killed; `seen` where its graph is another."""

    where: str
    at: str
    sentence: str
    by: str = ""
    model: str = ""
    tried: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)

    @property
    def fate(self) -> Fate:
        return Fate.KILLED if self.by else Fate.SURVIVED if self.seen else Fate.EQUIVALENT


def key_of(mutant: Mutant) -> str:
    return f"{place_of(mutant)} {mutant.where} {mutant.sentence}"


def place_of(mutant: Mutant) -> str:
    return f"{Path(mutant.at.source.name).stem}:{mutant.at.line}:{mutant.at.column}"


def ask(files: ModelFiles, known: dict[str, Known], seconds: float) -> None:
    """Try the mutants that nothing has killed so far."""
    model = files.load()
    model = replace(model, properties=tuple(each for each in model.properties if not each.liveness))
    system = system_of(model)
    over = Deadline(monotonic() + seconds)
    names = asked_of(model, system)
    pieced = Pieced(model, system) if divisible(model, system) else None
    space = explored(pieced or system, names, Budget().states, over)
    if not space.whole or space.violated:
        return
    all_of = interleaved(mutants_of(model))
    for mutant in all_of:
        known.setdefault(key_of(mutant), Known(mutant.where, place_of(mutant), mutant.sentence))
    left = [m for m in all_of if not known[key_of(m)].by and files.name not in known[key_of(m)].tried]
    original = Original(model, system, space, names, MORE * len(space.states), over, 0, pieced)
    for trial in tried(original, left):
        found = known[key_of(trial.mutant)]
        found.tried.append(files.name)
        if trial.fate is Fate.KILLED:
            found.by, found.model = trial.killers[0], files.name
        elif trial.fate is not Fate.EQUIVALENT:
            found.seen.append(files.name)


def page(known: Mapping[str, Known]) -> Iterator[str]:
    asked = [each for each in known.values() if each.tried]
    fates = [each.fate for each in asked]
    killed, same = fates.count(Fate.KILLED), fates.count(Fate.EQUIVALENT)
    survived = len(fates) - killed - same
    counts = f"{killed:,} killed, {survived:,} survived with another graph, {same:,} have the same graph wherever tried"
    yield f"Of {len(known):,} mutants {len(asked):,} were tried: {counts}.\n"
    yield "| definition | tried | killed | survived | same graph | score | killed by |"
    yield "|---|--:|--:|--:|--:|--:|---|"
    for name in sorted({each.where for each in asked}):
        mine = [each for each in asked if each.where == name]
        dead = [each for each in mine if each.fate is Fate.KILLED]
        alive = sum(each.fate is Fate.SURVIVED for each in mine)
        score = f"{100 * len(dead) / (len(dead) + alive):.0f} %" if dead or alive else "–"
        by = ", ".join(sorted({each.by for each in dead}))
        yield f"| {name} | {len(mine)} | {len(dead)} | {alive} | {len(mine) - len(dead) - alive} | {score} | {by} |"
    yield "\n## Survivors\n"
    yield "With how many models tried it, and those whose graph it changes; another one may still notice it.\n"
    yield "| where | change | tried by | another graph in |"
    yield "|---|---|--:|---|"
    for each in sorted(asked, key=lambda each: (each.where, each.at)):
        if each.fate is Fate.SURVIVED:
            sentence = each.sentence.replace("|", "\\|")
            yield f"| {each.where}, {each.at} | {sentence} | {len(each.tried)} | {', '.join(each.seen)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.docs.audits", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="for each model")
    parser.add_argument("--known", type=Path, help="what is known, and is added to")
    given = parser.parse_args()
    known: dict[str, Known] = {}
    if given.known is not None and given.known.exists():
        known = {key: Known(**row) for key, row in json.loads(given.known.read_text()).items()}
    used = []
    for name in MODELS:
        (files,) = find_models([ROOT / "spec" / "models" / f"{name}.cfg"], [], ())
        deeply(ask, files, known, given.seconds)
        used.append(name)
        if given.known is not None:
            given.known.write_text(json.dumps({key: asdict(each) for key, each in known.items()}))
        PAGE.write_text(HEAD.format(models=", ".join(used)) + "\n".join(page(known)) + "\n", encoding="utf-8")
        print(name, sum(each.fate is Fate.KILLED for each in known.values() if each.tried), "killed", flush=True)


if __name__ == "__main__":
    main()
