"""What a search found: verdict, counts, the behaviour that shows a violation, coverage, findings."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.lengths import Lengths
from rmqproof.model.search.system import State


class Verdict(StrEnum):
    """The words of the tlaplus/Examples manifest."""

    SUCCESS = "success"
    ASSUMPTION = "assumption failure"
    DEADLOCK = "deadlock failure"
    SAFETY = "safety failure"
    LIVENESS = "liveness failure"
    ERROR = "error"


class PropertyKind(StrEnum):
    """What was violated. TLC files `INITIAL` and `STEP` (parts of a PROPERTY) under liveness failures."""

    INVARIANT = "invariant"
    INITIAL = "initial property"
    STEP = "step property"
    LIVENESS = "liveness property"
    DEADLOCK = "deadlock"

    @property
    def verdict(self) -> Verdict:
        if self is PropertyKind.INVARIANT:
            return Verdict.SAFETY
        return Verdict.DEADLOCK if self is PropertyKind.DEADLOCK else Verdict.LIVENESS


class Stopped(StrEnum):
    """Why a search ended before it had explored everything, other than a violation."""

    INTERRUPTED = "interrupted"
    STATES = "limit of states"
    SECONDS = "limit of seconds"
    ASKED = 'the specification asked for it with TLCSet("exit", TRUE)'


@dataclass(frozen=True, slots=True)
class Step:
    """A state of a behaviour and how it was reached; `action` None for an initial state."""

    action: str | None
    arguments: tuple[Any, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Violation:
    """A property that does not hold and a behaviour, from an initial state, that shows it.

    For a deadlock the last state of the behaviour is the one without successors. For a liveness property `loop` is the
    index of the step to which the last one returns; it is the last one's own where nothing happens any more.
    """

    kind: PropertyKind
    name: str
    sentence: str
    behaviour: tuple[Step, ...]
    loop: int | None = None
    fairness: tuple[str, ...] = ()
    """For a liveness property: each fairness condition and why the behaviour satisfies it."""

    @property
    def depth(self) -> int:
        """The number of states of the behaviour."""
        return len(self.behaviour)


@dataclass(frozen=True, slots=True)
class Failure:
    """The system could not be evaluated: `error` was raised `during` (`successors`, `invariant Inv`, …).

    `behaviour` leads to the state that was being expanded or checked.
    """

    error: Exception
    during: str
    behaviour: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ActionCoverage:
    """How often an action was enabled (states), what it generated, how many of those were new states."""

    action: str
    enabled: int
    total: int
    distinct: int


@dataclass(frozen=True, slots=True)
class Collision:
    """The chance that two states shared a fingerprint, as TLC computes it.

    `optimistic` assumes uniform fingerprints; `observed` is one over the smallest distance between two of them,
    None when it was not worth computing (TLC: optimistic below 1e-10).
    """

    optimistic: float
    observed: float | None = None


class FindingKind(StrEnum):
    ACTION_NEVER_TAKEN = "action never taken"
    CONSTRAINT_CUT_EVERYTHING = "constraint cut everything"
    CONSTRAINT_CUT_NOTHING = "constraint cut nothing"
    NO_STATES = "no states"
    NO_PROPERTIES = "no properties"
    NOT_CHECKED = "property not checked"
    NOT_EVALUATED = "formula not evaluated"
    NO_PICTURE = "no picture"
    LIVENESS_CUT = "constraint with liveness"
    LIVENESS_WHOLE = "liveness without symmetry or view"
    NOTHING_FAIR = "no fair behaviour"
    TRIVIAL = "property trivial here"
    ALIAS_FAILED = "alias without a value"
    ENGINES_DIFFER = "engines differ"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a user should know although no property is violated: the check may prove less than it seems.

    `kind` is a `FindingKind`, or the kind of what was found in the specification's text.
    """

    kind: StrEnum
    subject: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What the reference evaluator says of a result.

    `replayed`: the behaviours of all violations are ones, and end as they are said to. `examined` states of those that
    were met were looked at again, with `steps` steps from them. `left_out`: what was not, and why. `refuted`: what is
    wrong with the result; it is no result then.
    """

    replayed: bool = False
    examined: int = 0
    steps: int = 0
    left_out: str = ""
    refuted: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a search.

    `distinct`, `total` (generated, initial states included) and `depth` are TLC's three counts. `exhaustive` is true
    only when every reachable state inside the constraints was expanded. `violations` holds one entry a property, in
    the order in which they were met (more than one only when the search was told to continue).
    """

    verdict: Verdict
    distinct: int
    total: int
    depth: int
    seconds: float
    engine: str
    workers: int
    message: str = ""
    exhaustive: bool = False
    queue: int = 0
    initial: int = 0
    cut: int = 0
    violations: tuple[Violation, ...] = ()
    failure: Failure | None = None
    stopped: Stopped | None = None
    coverage: tuple[ActionCoverage, ...] = ()
    collision: Collision = Collision(0.0)
    findings: tuple[Finding, ...] = ()
    seed: int | None = None
    behaviours: int | None = None
    lengths: Lengths | None = None
    """Of the behaviours of a simulation."""
    judged: Judged = Judged()

    @property
    def violation(self) -> Violation | None:
        """The first violation."""
        return self.violations[0] if self.violations else None

    @property
    def behaviour(self) -> tuple[Step, ...]:
        """The behaviour of the first violation, or up to the failure; empty when there is neither."""
        if self.violations:
            return self.violations[0].behaviour
        return self.failure.behaviour if self.failure is not None else ()

    def with_findings(self, *more: Finding) -> Result:
        return replace(self, findings=(*self.findings, *more))
