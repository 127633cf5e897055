"""`python -m tools.docs.audits`: docs/specification-mutants.md, which slips of the pen in spec/ its own models notice;
with `--beside` docs/protocol-mutants.md, the same of what stands beside the core.

A mutant that one model kills is not asked of the next; so each model adds what only it sees. `--known FILE` keeps what
came of each, so that the next run goes on.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic, process_time

from rmqproof.model.audit.audit import Budget, asked_of, furthest
from rmqproof.model.audit.compiled import compiled_model
from rmqproof.model.audit.graph import Space, explored
from rmqproof.model.audit.lasting import Lasting
from rmqproof.model.audit.mutation import Mutant, mutants_of
from rmqproof.model.audit.pieced import Changed, Pieced, divisible
from rmqproof.model.audit.scoring import Fate, Original, Trial
from rmqproof.model.audit.searching import Deadline, by_search
from rmqproof.model.audit.team import tried_by
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.search.result import Finding, FindingKind
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles, find_models
from tools.exercised import SPOKEN, UNTAKEN, wanted

ROOT = Path(__file__).parents[2]
REASONS = Path(__file__).with_suffix(".toml")
MODELS = (
    "ChangesThree", "ChangesLateNotices", "ChangesCleaned", "ChangesMinInSync", "ChangesLosses", "ChangesRanked",
    "ControllerChanges", "ControllerChangesUnclean",
    "RefinesServingLog", "ControllerOnly", "TwoBrokersInterrupted", "ThreeBrokersLostDisk", "TwoBrokersCleaned",
    "TwoBrokersMinInSyncCrash", "TwoBrokersFlushLoss", "TwoBrokersLearnerCrash", "SettingsTwoOfThreeRanked",
    "ControllerOnlyUnclean", "ControllerOnlyThree", "Progress", "ThreeBrokersCleaned", "ThreeBrokersFineSteps",
    "ThreeBrokersInterrupted", "ThreeBrokersLearnerCrash", "TwoBrokersLostDisk", "TwoBrokersMinInSync",
    "TwoBrokersConfirmMonotone", "TwoBrokersFirstElection", "TwoBrokersConsumers", "TwoBrokersFineSteps",
)  # fmt: skip
"""Of spec/models, those that hold and are explored in seconds: what costs least first."""
BESIDE = (
    "EmptyUpgrade", "Routes", "Containers", "SlaveActingMasterEscape", "SlaveActingMasterReturn", "UpgradeAsShipped",
    "UpgradeAligned", "QuorumLockPair", "OrderedMessages", "Metadata", "ClientRetries", "PreOnline", "Pop",
    "LogHeadsLastFile", "LogHeads", "InSyncGap", "Upgrade", "QuorumLock", "PopTwoConsumers", "TransactionsChecked",
    "Transactions", "ConsumeQueues", "ReplicatedLog", "Membership", "MembershipExpand", "TwoBrokersLateRequests",
    "HalfMessages", "RegistrationCrash", "ControllerDiscovery", "MasterSlave", "SlaveActingMasterMessages",
    "SlaveActingMaster", "RegistrationProgress", "PopActing", "Registration", "RecordedChanges",
    "SlaveActingMasterTwoSlaves", "ControllerRaft", "AckChanges",
)  # fmt: skip
"""The same of spec/protocols, and of the modules of spec/core that only models of their own explore."""


@dataclass(slots=True)
class Known:
    """What became of a mutant: `by` a property of a `model`, where it was killed; `seen` has the models in which its
    graph is another, with the states that it has more and fewer, and the steps."""

    where: str
    at: str
    sentence: str
    by: str = ""
    model: str = ""
    tried: list[str] = field(default_factory=list)
    seen: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)

    @property
    def fate(self) -> Fate:
        return Fate.KILLED if self.by else Fate.SURVIVED if self.seen else Fate.EQUIVALENT

    @property
    def more(self) -> bool:
        """Whether it reaches what the specification does not."""
        return any(states or steps for states, _, steps, _ in self.seen.values())

    def learn(self, name: str, trial: Trial) -> None:
        self.tried.append(name)
        if trial.fate is Fate.KILLED:
            self.by, self.model = trial.killers[0], name
        elif trial.fate is not Fate.EQUIVALENT:
            self.seen[name] = trial.more_states, trial.fewer_states, trial.more_steps, trial.fewer_steps


Table = dict[str, Known]

HEAD_BESIDE = """# Mutants of the protocols beside the core

The same as [for the core](specification-mutants.md), for the modules of [spec/protocols](../spec/protocols) and for
`HalfMessages`, `LateAcks`, `LateRequests`, `Membership`, `RecordedRun` and `ReplicatedLog` of spec/core, which only
models of their own explore. Made by `make protocol-mutants`, from the models {models}; what one of them
killed is not asked of the next. Which actions a model has to take says `UNTAKEN` in tools/exercised.py.

Most are killed by one property a module, as `PopChanges` of [Pop](../spec/protocols/Pop.tla), which says a second time
and from outside what a step may change.

"""
HEAD = """# Mutants of the specification

Slips of the pen in the core of spec/, one at a time ([audit](audit.md) has the rules), and what its own models say of
them. A mutant is killed when a property of some model, its deadlock check, liveness, the evaluation, or what the
model has to show (an action that it takes, a property that could fail in it) notices it. It has the same graph when
every model that tried it has the same states, and the same steps but for those that change nothing. Made by
`make specification-mutants`, from the models {models}; what one of them killed is not asked of the next.

Many are killed by [`Changes`](../spec/core/Changes.tla) and [`ControllerChanges`](../spec/core/ControllerChanges.tla)
alone, which say a second time and from outside what a step may change. Each survivor changes the states or the steps of
some model, mostly in their number, so that its `EXPECT` line notices it; why no property does is said below.

"""
LESS = (
    "It reaches nothing that the specification does not: no property of safety can forbid that, and no property of"
    " liveness asks for what is missing, in these models."
)
UNEXPLAINED = "**unexplained**"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of spec/: its page, its models, and the modules whose mutants are asked; None: all that they lead to."""

    page: Path
    head: str
    models: Sequence[str]
    modules: frozenset[str] | None = None
    states: int = Budget().states
    """Of a model that is explored in Python."""


CORE = Part(ROOT / "docs" / "specification-mutants.md", HEAD, MODELS)
OWN = ("HalfMessages", "LateAcks", "LateRequests", "Membership", "RecordedRun", "ReplicatedLog")
OTHERS = Part(
    ROOT / "docs" / "protocol-mutants.md",
    HEAD_BESIDE,
    BESIDE,
    frozenset((*OWN, *(path.stem for path in (ROOT / "spec" / "protocols").glob("*.tla")))),
    30_000,
)


def key_of(mutant: Mutant) -> str:
    return f"{place_of(mutant)} {mutant.where} {mutant.sentence}"


def module_of(mutant: Mutant) -> str:
    return Path(mutant.at.source.name).stem


def place_of(mutant: Mutant) -> str:
    return f"{module_of(mutant)}:{mutant.at.line}:{mutant.at.column}"


@dataclass(slots=True)
class Expected:
    """What a mutant does not do any more that this model is there for: liveness, an action that it takes,
    or a property that could fail in it (`tools/exercised.py`)."""

    lasting: Lasting | None
    system: PythonSystem
    wanted: set[str]
    idle: dict[str, Callable[..., bool]]

    def missed(
        self, mutant: Mutant, model: core.Model, system: Changed | PythonSystem, space: Space
    ) -> tuple[str, ...] | None:
        if self.lasting is not None:
            live = self.lasting.of_mutant(mutant, system, space)
            if live is None or live:
                return live
        return (*self._untaken(space), *self._silent(space))

    def _untaken(self, space: Space) -> Iterator[str]:
        taken = {self.system.actions[number] for number, count in enumerate(space.taken) if count}
        yield from (f"{name} is taken" for name in sorted(self.wanted - taken))

    def _silent(self, space: Space) -> Iterator[str]:
        for name, is_idle in self.idle.items():
            if all(is_idle(state) for state in space.states.values()):
                yield f"{name} could fail"


def expected_of(model: core.Model, name: str, system: PythonSystem, space: Space, over: Deadline) -> Expected:
    lasting = None
    if any(each.liveness for each in model.properties) and system.plain_fingerprint:
        lasting = Lasting(model, system, over)
        assert lasting.of(space) == (), name
    definitions = model.specification.definitions
    idle = {each: system.state_condition(definitions[f"{each}IsIdle"].body) for each in sorted(SPOKEN.get(name, set()))}
    taken = set(system.actions) - set(UNTAKEN[name].split()) if name in UNTAKEN else wanted(name)
    return Expected(lasting, system, taken, idle)


def files_of(name: str) -> ModelFiles:
    (config,) = (ROOT / "spec").glob(f"*/{name}.cfg")
    (files,) = find_models([config], [], ())
    return files


def noted(model: core.Model, known: Table, part: Part) -> list[Mutant]:
    """The mutants of a model that are asked for, each in the table."""
    mutants = [m for m in mutants_of(model) if part.modules is None or module_of(m) in part.modules]
    for mutant in mutants:
        known.setdefault(key_of(mutant), Known(mutant.where, place_of(mutant), mutant.sentence))
    return mutants


def ask(files: ModelFiles, known: Table, part: Part, states: int, seconds: float, workers: int | None) -> None:
    """Try the mutants that nothing has killed so far; in machine code where there are more than so many states."""
    model = files.load()
    mutants = noted(model, known, part)
    left = [m for m in mutants if not known[key_of(m)].by and files.name not in known[key_of(m)].tried]
    if not left:
        return
    over = Deadline(monotonic() + seconds)
    system = system_of(model)
    names = asked_of(model, system)
    pieced = Pieced(model, system) if divisible(model, system) else None
    space = explored(pieced or system, names, states, over)
    assert not space.violated, files.name
    if not space.whole:
        _ask_compiled(files, model, system, left, known, over, workers)
        return
    expected = expected_of(model, files.name, system, space, over)
    original = Original(model, system, space, names, furthest(len(space.states)), over, 0, pieced, expected.missed)
    for trial in tried_by(original, left, workers):
        known[key_of(trial.mutant)].learn(files.name, trial)


def _ask_compiled(
    files: ModelFiles,
    model: core.Model,
    system: PythonSystem,
    left: Sequence[Mutant],
    known: Table,
    over: Deadline,
    workers: int | None,
) -> None:
    """What a model has to show is not asked of these."""
    assert not wanted(files.name) and files.name not in SPOKEN and files.name not in UNTAKEN, files.name
    compiled = compiled_model(model, system, left, over, Budget().largest, furthest, workers, agreed)
    assert compiled is not None, files.name
    with closing(compiled):
        assert compiled.whole and not compiled.violated, files.name
        for trial in compiled.trials(left, lambda alone: by_search(model, files, alone, (), over, agreed)):
            known[key_of(trial.mutant)].learn(files.name, trial)


def agreed(findings: Iterable[Finding]) -> None:
    """Raise `AssertionError` where engines differ."""
    assert not [each.sentence for each in findings if each.kind is FindingKind.ENGINES_DIFFER]


def reason_of(known: Known, reasons: Sequence[Mapping[str, str]]) -> str:
    """Why no property kills a survivor: the first entry that fits its place and the beginning of its sentence."""
    if not known.more:
        return LESS
    for each in reasons:
        if known.where == each["where"] and known.sentence.startswith(each.get("change", "")):
            return each["why"]
    return UNEXPLAINED


def page(known: Mapping[str, Known], reasons: Sequence[Mapping[str, str]], left: Sequence[str] = ()) -> Iterator[str]:
    """`left`: the models with mutants that were not tried."""
    asked = [each for each in known.values() if each.tried]
    yield f"Of {len(known):,} mutants {len(asked):,} were tried: {_counted(asked)}.\n"
    if left:
        yield f"Those that only these models lead to were not: {', '.join(left)}.\n"
    survivors = [each for each in asked if each.fate is Fate.SURVIVED]
    unknown = sum(reason_of(each, reasons) == UNEXPLAINED for each in survivors)
    yield (
        f"{sum(not each.more for each in survivors):,} survivors reach nothing that the specification does not;"
        f" of the others {unknown or 'none'} is without a reason below.\n"
    )
    yield "| definition | tried | killed | survived | same graph | score | killed by |"
    yield "|---|--:|--:|--:|--:|--:|---|"
    for name in sorted({each.where for each in asked}):
        mine = [each for each in asked if each.where == name]
        fates = Counter(each.fate for each in mine)
        dead, alive = fates[Fate.KILLED], fates[Fate.SURVIVED]
        score = f"{100 * dead / (dead + alive):.0f} %" if dead or alive else "–"
        by = ", ".join(sorted({each.by for each in mine if each.by}))
        yield f"| {name} | {len(mine)} | {dead} | {alive} | {fates[Fate.EQUIVALENT]} | {score} | {by} |"
    yield "\n## Survivors\n"
    by_reason: dict[str, list[Known]] = {}
    for each in sorted(asked, key=lambda each: (each.where, each.at)):
        if each.fate is Fate.SURVIVED:
            by_reason.setdefault(reason_of(each, reasons), []).append(each)
    for reason, those in sorted(by_reason.items(), key=lambda item: (item[0] == LESS, item[0])):
        yield f"{reason}\n"
        for each in those:
            yield f"- {each.where}, {each.at}: {each.sentence} ({', '.join(each.seen)})"
        yield ""


def _counted(asked: Sequence[Known]) -> str:
    fates = Counter(each.fate for each in asked)
    return (
        f"{fates[Fate.KILLED]:,} killed, {fates[Fate.SURVIVED]:,} survived with another graph,"
        f" {fates[Fate.EQUIVALENT]:,} have the same graph wherever tried"
    )


def write(known: Mapping[str, Known], part: Part, leads: Mapping[str, Sequence[Mutant]]) -> None:
    """`leads`: of each model the mutants that it leads to."""
    models = [name for name in part.models if any(name in each.tried or name == each.model for each in known.values())]
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))["survivor"]
    left = [name for name, those in leads.items() if not all(known[key_of(each)].tried for each in those)]
    text = part.head.format(models=", ".join(models)) + "\n".join(page(known, reasons, left))
    part.page.write_text(text.rstrip() + "\n", encoding="utf-8")


def read(path: Path | None) -> Table:
    if path is None or not path.exists():
        return {}
    return {key: Known(**row) for key, row in json.loads(path.read_text()).items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.docs.audits", description=__doc__)
    parser.add_argument("--seconds", type=float, default=900, help="for each model")
    parser.add_argument("--workers", type=int, help="processes; as many as there are processors")
    parser.add_argument("--known", type=Path, help="what is known, and is added to")
    parser.add_argument("--models", nargs="+")
    parser.add_argument("--beside", action="store_true", help="what stands beside the core")
    parser.add_argument("--states", type=int, help="of a model that is explored in Python")
    given = parser.parse_args(arguments)
    part = OTHERS if given.beside else CORE
    known = read(given.known)
    leads = {name: deeply(noted, files_of(name).load(), known, part) for name in part.models}
    for name in given.models or part.models:
        began = process_time()
        deeply(ask, files_of(name), known, part, given.states or part.states, given.seconds, given.workers)
        if given.known is not None:
            given.known.write_text(json.dumps({key: asdict(each) for key, each in known.items()}))
        fates = [each.fate for each in known.values()]
        write(known, part, leads)
        print(f"{name}: {process_time() - began:.0f} s", *(f"{fates.count(fate)} {fate}" for fate in Fate), flush=True)


if __name__ == "__main__":
    main()
