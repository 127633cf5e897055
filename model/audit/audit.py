"""Audit a model: what of it says nothing, and which small changes of it nothing notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import monotonic

from rmqproof.model.audit.compiled import Compiled, compiled_model
from rmqproof.model.audit.graph import DEADLOCK, Space, explored
from rmqproof.model.audit.lasting import Lasting
from rmqproof.model.audit.mutation import Mutant, interleaved, mutants_of
from rmqproof.model.audit.pieced import Changed, Pieced, divisible
from rmqproof.model.audit.scoring import Fate, Liveness, Original, Trial, silent
from rmqproof.model.audit.searching import Deadline, by_search, liveness_of
from rmqproof.model.audit.strengthening import Stronger, stronger_invariants
from rmqproof.model.audit.team import tried_by
from rmqproof.model.audit.vacuity import NOTES, Gap, Kind, covered, explored_gaps, idle_gaps, redundant, textual
from rmqproof.model.evaluate.decided import without_told
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.search.result import Finding, FindingKind
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError

MORE = 4
"""A mutant is explored as far as this many times the states of the specification, or `FEWEST`, but not further than
`NEW` states more than the specification has."""
FEWEST, NEW = 2_000, 5_000
LEAST, ENOUGH = 500, 2_000
"""One that a property has noticed is explored as far as the specification, from `LEAST` to `ENOUGH` states, to see
which others notice it."""


UNCOMPILED = 30_000
"""States that are explored in Python where there is no compiled form."""
_READ = 20_000
"""States of a compiled search that are looked at in Python, for what they tell."""


@dataclass(frozen=True, slots=True)
class Budget:
    """`seconds` for everything, `states` that are explored in Python; beyond them the mutants are compiled with the
    specification, or explored in Python up to `UNCOMPILED` states where that cannot be."""

    seconds: float = 60.0
    states: int = 2_000
    mutants: int | None = None
    workers: int | None = None
    """Processes that try mutants; None: as many as there are processors."""
    largest: int = 5_000_000
    """States of a specification that are explored in machine code; of a larger one no mutant is tried."""


@dataclass(slots=True)
class Audit:
    """`properties` are those that hold and were asked of mutants, `violated` those that do not hold anyway.

    `whole`: the graphs were compared; else verdicts and counts. `mutants` are all there are.
    """

    name: str
    file: str = ""
    properties: tuple[str, ...] = ()
    violated: tuple[str, ...] = ()
    states: int = 0
    steps: int = 0
    whole: bool = True
    compiled: bool = False
    """The states were explored in machine code."""
    gaps: list[Gap] = field(default_factory=list)
    mutants: Sequence[Mutant] = ()
    trials: list[Trial] = field(default_factory=list)
    stronger: list[Stronger] = field(default_factory=list)
    """The ways in which an invariant could say more."""
    seconds: float = 0.0
    interrupted: bool = False
    enough: bool = False
    """No more mutants were asked for."""

    def count(self, fate: Fate) -> int:
        return sum(trial.fate is fate for trial in self.trials)

    def differ(self, findings: Iterable[Finding]) -> None:
        """What engines see differently, once, of what a search has found."""
        for each in findings:
            gap = Gap(Kind.ENGINES, each.subject, each.sentence)
            if each.kind is FindingKind.ENGINES_DIFFER and gap not in self.gaps:
                self.gaps.append(gap)

    @property
    def notes(self) -> frozenset[Kind]:
        """Kinds of findings that need not be mended."""
        return NOTES

    @property
    def vacuous(self) -> list[Gap]:
        """The findings that say that something says nothing."""
        return [gap for gap in self.gaps if gap.kind not in NOTES]

    @property
    def score(self) -> float | None:
        """Killed of those that are another graph; None where there is none."""
        different = sum(trial.fate is not Fate.EQUIVALENT for trial in self.trials)
        return self.count(Fate.KILLED) / different if different else None

    @property
    def survivors(self) -> list[Trial]:
        """The worst first."""
        left = [trial for trial in self.trials if trial.fate in (Fate.SURVIVED, Fate.OPEN)]
        return sorted(left, key=lambda trial: trial.rank)

    def by_definition(self) -> Iterator[tuple[str, int, int, int]]:
        """Of each definition that was changed: killed, survived or open, equivalent."""
        names = dict.fromkeys(trial.mutant.where for trial in self.trials)
        for name in names:
            fates = [trial.fate for trial in self.trials if trial.mutant.where == name]
            killed, same = fates.count(Fate.KILLED), fates.count(Fate.EQUIVALENT)
            yield name, killed, len(fates) - killed - same, same

    def killed_by(self) -> dict[str, int]:
        """How many mutants each property kills."""
        found = dict.fromkeys(self.properties, 0)
        for trial in self.trials:
            for name in trial.killers:
                found[name] = found.get(name, 0) + 1
        return found

    def killed_alone(self) -> dict[str, int]:
        """How many mutants each property kills that no other kills."""
        found: dict[str, int] = {}
        for trial in self.trials:
            if len(trial.killers) == 1:
                found[trial.killers[0]] = found.get(trial.killers[0], 0) + 1
        return found


Tell = Callable[[Audit], None]


def audit(files: ModelFiles, budget: Budget | None = None, tell: Tell = lambda audit: None) -> Audit:
    """Raise `TlaError` where the specification or its configuration is wrong; `KeyboardInterrupt` ends it early, with
    `Audit.interrupted`."""
    return audit_of(files.load(), files, budget or Budget(), tell)


def audit_of(model: core.Model, files: ModelFiles, budget: Budget, tell: Tell = lambda audit: None) -> Audit:
    """The same for this model, which may be another than the one in `files`."""
    began = monotonic()
    model = without_told(model)
    told = Audit(files.name, str(files.config or files.spec))

    over = Deadline(began + budget.seconds)
    try:
        _audit(told, model, files, budget, over, tell)
    except KeyboardInterrupt:
        told.interrupted = True
    told.gaps += redundant(told.trials, told.gaps)
    told.gaps += covered(told.trials)
    told.seconds = monotonic() - began
    return told


def _audit(told: Audit, model: core.Model, files: ModelFiles, budget: Budget, over: Deadline, tell: Tell) -> None:
    told.gaps += textual(model)
    if model.next is None or model.initial is None:
        return
    system = system_of(model, Runtime(output=silent))
    asked = asked_of(model, system)
    pieced = Pieced(model, system) if divisible(model, system) else None
    space = explored(pieced or system, asked, budget.states, over)
    if not space.whole and not space.error:
        told.mutants = interleaved(mutants_of(model))
        compiled = _compiled(told, model, system, budget, over) if pieced is not None else None
        if compiled is not None:
            with closing(compiled):
                _audit_compiled(told, compiled, asked, model, files, budget, over, tell)
            return
        if budget.states < UNCOMPILED and not over():
            pieced = Pieced(model, system) if pieced is not None else None
            space = explored(pieced or system, asked, UNCOMPILED, over)
    if space.error:
        raise TlaError(space.error, None, "Check the model first: rmqproof check.", "evaluation")
    told.states, told.steps, told.whole = len(space.states), len(space.steps), space.whole
    told.violated = tuple(space.violated)
    told.properties = tuple(name for name in asked if name not in space.violated)
    told.mutants = told.mutants or interleaved(mutants_of(model))
    if space.whole:
        told.gaps += explored_gaps(model, system, space)
        told.gaps += _unfair(told, model, system, space, files, over)
        told.stronger += stronger_invariants(model, system, space, over)
    if budget.mutants == 0:
        told.enough = True
        return
    trials = _trials(told, model, system, pieced, space, files, budget, over)
    for trial in trials:
        told.trials.append(trial)
        tell(told)
        if budget.mutants is not None and len(told.trials) >= budget.mutants:
            told.enough = True
            return


def _compiled(told: Audit, model: core.Model, system: PythonSystem, budget: Budget, over: Deadline) -> Compiled | None:
    mutants = told.mutants[: budget.mutants]
    return compiled_model(model, system, mutants, over, budget.largest, furthest, budget.workers, told.differ)


def _audit_compiled(
    told: Audit,
    compiled: Compiled,
    asked: Sequence[str],
    model: core.Model,
    files: ModelFiles,
    budget: Budget,
    over: Deadline,
    tell: Tell,
) -> None:
    """The same by a search in machine code."""
    n = compiled.numbers
    told.states, told.steps, told.compiled = n.distinct, n.total - n.initial, True
    told.violated, told.whole = compiled.violated, compiled.whole
    if not told.whole:
        return
    told.properties = tuple(name for name in (*asked, *compiled.live) if name not in told.violated)
    space = compiled.space(_READ)
    told.gaps += idle_gaps(model, compiled.system, space, compiled.idle(), told.states)
    if space.whole and not space.cut:  # what lies beyond a constraint is not kept
        told.stronger += stronger_invariants(model, compiled.system, space, over)
    mutants = told.mutants[: budget.mutants]
    for trial in compiled.trials(
        mutants, lambda alone: by_search(model, files, alone, told.violated, over, told.differ)
    ):
        told.trials.append(trial)
        tell(told)
    told.enough = budget.mutants is not None and len(told.trials) >= budget.mutants


def asked_of(model: core.Model, system: PythonSystem) -> tuple[str, ...]:
    names = [
        *(each.name for each in system.invariants),
        *(each.name for each in system.initial_properties),
        *(each.name for each in system.step_properties),
        *([DEADLOCK] if model.check_deadlock else []),
    ]
    return tuple(dict.fromkeys(names))


def _trials(
    told: Audit,
    model: core.Model,
    system: PythonSystem,
    pieced: Pieced | None,
    space: Space,
    files: ModelFiles,
    budget: Budget,
    over: Deadline,
) -> Iterator[Trial]:
    if not space.whole:
        return by_search(model, files, told.mutants, told.violated, over, told.differ)
    count = len(space.states)
    enough = max(LEAST, min(count, ENOUGH))
    original = Original(model, system, space, told.properties, furthest(count), over, enough, pieced)
    live = tuple(prop.name for prop in model.properties if prop.liveness)
    if live:
        lasting = Lasting(model, system, over) if system.plain_fingerprint else None
        wrong = lasting.of(space) if lasting is not None else liveness_of(model, files, over)
        told.violated += wrong or ()
        names = tuple(name for name in live if name not in told.violated)
        if wrong is not None and names:
            told.properties += names
            original.liveness = _judged(names, lasting, files, over)
    return tried_by(original, told.mutants[: budget.mutants], budget.workers)


def furthest(count: int) -> int:
    """The states of a mutant that are explored, of a specification with so many."""
    return max(FEWEST, min(MORE * count, count + NEW))


def _judged(names: Sequence[str], lasting: Lasting | None, files: ModelFiles, over: Deadline) -> Liveness:
    """Which of these properties a mutant violates: on its graph where states are what they seem, else by a search."""

    def judged(
        mutant: Mutant, model: core.Model, system: Changed | PythonSystem, space: Space
    ) -> tuple[str, ...] | None:
        found = lasting.of_mutant(mutant, system, space) if lasting is not None else liveness_of(model, files, over)
        return None if found is None else tuple(name for name in found if name in names)

    return judged


def _unfair(
    told: Audit, model: core.Model, system: PythonSystem, space: Space, files: ModelFiles, over: Deadline
) -> Iterator[Gap]:
    """Liveness properties that hold although nothing has to happen."""
    live = [prop for prop in model.properties if prop.liveness]
    trivial = {gap.subject for gap in told.gaps if gap.kind is Kind.TRIVIAL}
    if not live:
        return
    if system.plain_fingerprint:
        wrong = Lasting(model, system, over, fair=False).of(space)
    else:
        wrong = liveness_of(replace(model, fairness=()), files, over, keep_going=True)
    if wrong is None or wrong:
        return
    for prop in live:
        if prop.name not in trivial:
            sentence = f"{prop.name} holds without any fairness{', too' if model.fairness else ''}."
            yield Gap(Kind.UNFAIR, prop.name, sentence, prop.at)
