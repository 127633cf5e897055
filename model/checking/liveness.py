"""Check the liveness properties of a model after the search for everything else."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from rmqproof.model.checking.state_classes import StateClasses
from rmqproof.model.evaluate.memory import left
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.temporal import (
    fairness_conditions,
    fairness_of,
    needing_values,
    temporal_properties,
)
from rmqproof.model.native.errors import Died
from rmqproof.model.native.wanted import Wanted, compilable
from rmqproof.model.records import dataclass
from rmqproof.model.search.control import Control
from rmqproof.model.search.kernel import NotEvaluated, TooSmall
from rmqproof.model.search.liveness.behaviour import steps_of
from rmqproof.model.search.liveness.check import LivenessCheck, TemporalProperty
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.fair_cycle import Lasso
from rmqproof.model.search.liveness.fairness import explain
from rmqproof.model.search.liveness.formula import FALSE, Formula, Predicate, conjunction, predicates_of
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphCode, GraphStopped, Stop, TooLarge
from rmqproof.model.search.liveness.moments import Moments
from rmqproof.model.search.liveness.recorder import Recorder, behaviour_graph
from rmqproof.model.search.liveness.region_check import RegionCheck, behaviour_of, regions_suffice
from rmqproof.model.search.liveness.region_graph import Searched
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.result import (
    Failure,
    Finding,
    FindingKind,
    PropertyKind,
    Result,
    Stopped,
    Verdict,
    Violation,
)
from rmqproof.model.search.system import Observing, State, System
from rmqproof.model.search.trace import TraceError
from rmqproof.model.tla.source import TlaError

if TYPE_CHECKING:
    from rmqproof.model.native.run import Run

Graph = BehaviourGraph | Callable[[], BehaviourGraph] | None
"""A graph that the search has left, or how to get it; None: it is to be explored."""
Compiled = Callable[
    [bool, Sequence[Predicate], bool, bool, Storage, Stop, Callable[[str], None]], BehaviourGraph | None
]
"""A graph by compiled code: of all states or as SYMMETRY and VIEW leave them, the predicates that will be asked for,
whether the compiler is to be quick rather than its program, `Tuning.narrow`, where to keep it, when to stop, who is
told. None where there is no compiled form."""
Explored = Callable[
    ["Run", bool, Sequence[Predicate], Storage, Callable[[], bool], Callable[[str], None]],
    AbstractContextManager[Searched | None],
]
"""What a search in machine code has found, whether it has ended; for these predicates. None where it is not enough."""
_WORTH = 4
"""So many times fewer states must begin a region than there are, for a graph that can as well be stored as a whole."""
_TOGETHER = 32
"""Predicates that are compiled with a search; more of them would take longer than what is searched with them."""
FEW = 200_000
"""Steps of a graph up to which a program for it alone is compiled in haste."""
_WHOLE = 20
"""So many times the states that SYMMETRY or VIEW leave may there be without them, and some more."""
_SOME = 20_000
_NOT_NOW = (
    *(GraphStopped, TooSmall, NotEvaluated, TooLarge, Died),
    *(TlaError, TraceError, OSError, MemoryError, RecursionError, ValueError),
)
"""What a check in the middle of a search comes to nothing by; what has no value is said at the end of the search."""
_STATE, _STEP = 64, 24
"""Bytes of a region for each state, without its words, and for each step."""


@dataclass(frozen=True, slots=True)
class Exploring:
    """How a graph is explored that the search has not left behind. `memory`: bytes, beyond which it lies in files."""

    control: Control
    compiled: bool = True
    memory: int | None = None
    say: Callable[[str], None] = lambda text: None


class Recording:
    """What an exploration in Python was asked to record, the last time that one began."""

    def __init__(self) -> None:
        self._last: Recorder | None = None

    def begin(self) -> Recorder:
        self._last = Recorder()
        return self._last

    def graph(self, result: Result) -> BehaviourGraph | None:
        """The graph, where the whole of the search that led to `result` was recorded."""
        graph = self._last.graph if self._last is not None else None
        whole = graph is not None and len(graph.first) == len(graph) + 1 and len(graph) == result.distinct
        return graph if whole and result.engine == "python" else None


@dataclass(slots=True)
class Liveness:
    """`reduced` names what makes the search identify states that differ: SYMMETRY or VIEW, or nothing."""

    system: System
    inner: PythonSystem
    reduced: str
    compiled: Compiled | None = None
    explored: Explored | None = None
    code: Callable[[int], GraphCode | None] = lambda steps: None
    """Machine code for a graph of so many steps, where that pays."""
    judged: bool = False
    """Whether `judge` came to a verdict."""
    _evaluation: Evaluation | None = None
    """Of the part of a graph that was looked at last, while it was explored."""
    _formulas: tuple[Formula, list[TemporalProperty]] | None = None

    def prepare(self) -> None:
        """Translate the formulas. Raise `TlaError` for one that cannot be checked."""
        self._formulas = (fairness_of(self.inner), temporal_properties(self.inner))

    def recording(self) -> Recording | None:
        """What is to record a search in Python; None when liveness needs an exploration of its own."""
        return None if self.reduced else Recording()

    def stop(self, control: Control) -> Stop:
        return lambda states: _over(control)

    def judge(self, result: Result, given: Graph, exploring: Exploring) -> Result:
        """The result with what the liveness properties add to a search that found nothing wrong."""
        control = exploring.control
        name: Callable[[State], Hashable] = self.inner.values if self.reduced else self.system.fingerprint
        if self.reduced == "VIEW" and isinstance(self.system, Observing):
            name = self.system.fingerprint  # where a state is has a meaning by its level, which the view may tell of
        try:
            if given is None:
                graph = self._explore_whole(name, result, exploring)
            else:
                graph = given if isinstance(given, BehaviourGraph) else given()
            return self._judge(result, graph, name, control)
        except GraphStopped:
            if control.stopped is None and self.reduced == "VIEW":
                return self._through_view(result, exploring)
            return self._stopped(result, control)
        except TlaError as error:  # of a state that the search did not tell from another
            return _failed(result, error, "successors")

    def judge_run(self, run: Run, result: Result, exploring: Exploring) -> Result | None:
        """As `judge`, while the states of a search in machine code are at hand; None: it is left to `judge`."""
        whole = result.verdict is Verdict.SUCCESS and result.exhaustive
        if not whole or self.reduced or result.total < exploring.control.tuning.regions:
            return None
        fairness, properties = self._both()
        if not properties or not regions_suffice(fairness, properties):
            return None
        try:
            with self._searched(run, exploring, True, lambda: _over(exploring.control)) as searched:
                if searched is None:
                    return None
                return self._judge_regions(result, RegionCheck(searched, fairness), exploring.control.tuning.again)
        except GraphStopped:
            return self._stopped(result, exploring.control)
        except (TooSmall, NotEvaluated, TooLarge):
            return None
        except Exception as error:  # whatever a predicate raises is the outcome
            return _failed(result, error)

    def look(self, run: Run, exploring: Exploring, first: int, until: float | None = None) -> list[Violation]:
        """What the states of a search that goes on, from number `first` on, violate by standing still.

        With `until`, a time of `monotonic` when the answer is no more worth waiting for, also what all states that are
        known violate by a cycle near them, where machine code tells where to look for one.
        """
        fairness, properties = self._both()
        if self.reduced or not properties:
            return []

        def stop() -> bool:
            return _over(exploring.control) or (until is not None and monotonic() > until)

        try:
            with self._searched(run, exploring, False, stop) as searched:
                if searched is None:
                    return []
                check = RegionCheck(searched, fairness, _room(run))
                found = check.stands(properties, first)
                if not found and until is not None and check.quick(properties):
                    found = check.violated(properties)
            name = self.system.fingerprint
            return [self._violation(prop, *behaviour_of(behaviour), name) for prop, behaviour in found]
        except _NOT_NOW:
            return []

    def violated_so_far(self, graph: BehaviourGraph, stop: Callable[[], bool]) -> list[Violation]:
        """What the part of a graph that a search has recorded violates, as far as `stop` lets one find out."""
        fairness, properties = self._both()
        try:
            check = self._check(graph, fairness, stop)
            self._evaluation = check.evaluation
            found = check.violated(properties)
            return [self._violation(prop, graph, lasso, self.system.fingerprint) for prop, lasso in found]
        except _NOT_NOW:
            return []

    def violated_already(self, result: Result, violations: Sequence[Violation]) -> Result:
        """The result of a search that ended for these violations."""
        return _violated(result, violations)

    def _both(self) -> tuple[Formula, list[TemporalProperty]]:
        """Fairness and the properties."""
        if self._formulas is None:
            self.prepare()
        assert self._formulas is not None
        return self._formulas

    def _searched(
        self, run: Run, exploring: Exploring, ended: bool, stop: Callable[[], bool]
    ) -> AbstractContextManager[Searched | None]:
        if self.explored is None:
            return nullcontext(None)
        return self.explored(run, ended, self._predicates(), Storage(exploring.memory), stop, exploring.say)

    def _judge_regions(self, result: Result, check: RegionCheck, again: int) -> Result | None:
        properties = self._both()[1]
        small = result.total <= again
        if not check.quick(properties):
            return None
        if small and _WORTH * max(result.initial, check.begun(properties)) > result.distinct:
            return None
        found = check.violated(properties)
        if found and small:
            return None
        violations = []
        for prop, behaviour in found:
            graph, lasso = behaviour_of(behaviour)
            violations.append(self._violation(prop, graph, lasso, self.system.fingerprint))
        some_fair = bool(found) or check.some_fair()
        if not some_fair and small:
            return None
        self.judged = True
        findings = self._findings(result)
        if not some_fair:
            sentence = (
                "It was not found out whether some behaviour satisfies the fairness conditions: if none does, every "
                "liveness property holds for that reason."
            )
            findings.append(Finding(FindingKind.NOTHING_FAIR, "fairness", sentence))
        return _violated(result.with_findings(*findings), violations)

    def _through_view(self, result: Result, exploring: Exploring) -> Result:
        """A violation in the states as the VIEW shows them, where its behaviour is found again; else no verdict."""
        name, control = self.system.fingerprint, exploring.control
        try:
            graph = self._explore(False, name, result, exploring, self.stop(control))
            seen = self._judge(result, graph, name, control)
        except GraphStopped:
            return self._stopped(result, control)
        if seen.verdict is Verdict.LIVENESS:
            return seen
        self.judged = False
        return self._stopped(result, control)

    def _judge(
        self, result: Result, graph: BehaviourGraph, name: Callable[[State], Hashable], control: Control
    ) -> Result:
        fairness, properties = self._both()
        violations: list[Violation] = []
        try:
            check = self._check(graph, fairness, lambda: _over(control))
            asked = conjunction([fairness, *(prop.formula for prop in properties)])
            check.evaluation.prepare(asked)
            by_machine_code = graph.labels is not None  # then they are few that are left to ask
            predicates = predicates_of(asked) if by_machine_code else needing_values(self.inner, asked, graph.states)
            check.evaluation.everywhere(predicates)
            for prop, lasso in check.violated(properties):
                violations.append(self._violation(prop, graph, lasso, name))
            nothing_fair = not violations and check.counterexample(FALSE) is None
        except GraphStopped:
            raise
        except Exception as error:  # whatever a predicate raises is the outcome
            return _failed(result, error)
        self.judged = True
        findings = self._findings(result)
        if self.reduced:
            how = "without" if name == self.inner.values else "on what is left of the states by the"
            sentence = f"Liveness was checked {how} {self.reduced}, on {len(graph):,} states."
            findings.append(Finding(FindingKind.LIVENESS_WHOLE, self.reduced, sentence))
        if nothing_fair and graph.initial:
            sentence = "No behaviour satisfies the fairness conditions: every liveness property holds for that reason."
            findings.append(Finding(FindingKind.NOTHING_FAIR, "fairness", sentence))
        return _violated(result.with_findings(*findings), violations)

    def _check(self, graph: BehaviourGraph, fairness: Formula, stop: Callable[[], bool]) -> LivenessCheck:
        if graph.code is None:
            graph.code = self.code(len(graph.heads))
        moments = Moments(self.system, graph) if isinstance(self.system, Observing) else None
        if moments is None and graph.keys is None:
            graph.keys = StateClasses(graph.states).keys
        check = LivenessCheck(graph, fairness, stop, moments)
        if self._evaluation is not None and self._evaluation.graph.states is graph.states:
            check.evaluation.take_over(self._evaluation)
        self._evaluation = None
        return check

    def _violation(
        self, prop: TemporalProperty, graph: BehaviourGraph, lasso: Lasso, name: Callable[[State], Hashable]
    ) -> Violation:
        steps, loop, back = steps_of(self.system, graph, lasso, name)
        fair: tuple[str, ...] = ()
        if not isinstance(self.system, Observing):  # which are asked at their levels
            fair = explain(fairness_conditions(self.inner), [step.state for step in steps], loop, back)
        return Violation(PropertyKind.LIVENESS, prop.name, prop.sentence, steps, loop, fair)

    def labels(self) -> Sequence[Wanted]:
        """What the program of the search is to have for the check after it, where both are about the same states."""
        if self.reduced or self.compiled is None:
            return ()
        labels = compilable(self._predicates())[1]
        return labels if len(labels) <= _TOGETHER else ()

    def _predicates(self) -> list[Predicate]:
        fairness, properties = self._both()
        return predicates_of(conjunction([fairness, *(prop.formula for prop in properties)]))

    def _explore_whole(self, name: Callable[[State], Any], result: Result, exploring: Exploring) -> BehaviourGraph:
        most = _WHOLE * result.distinct + _SOME

        def stop(states: int) -> bool:
            if self.reduced and states > most:
                return True
            return _over(exploring.control)

        return self._explore(True, name, result, exploring, stop)

    def _explore(
        self, whole: bool, name: Callable[[State], Any], result: Result, exploring: Exploring, stop: Stop
    ) -> BehaviourGraph:
        viewed = name != self.inner.values and self.reduced == "VIEW"
        if exploring.compiled and self.compiled is not None and not viewed:  # whose steps lead to several states
            steps = result.total * (_WHOLE if whole and self.reduced else 1)
            hasty = steps <= FEW and not self.labels()  # or the search's program is the one
            narrow, storage = exploring.control.tuning.narrow, Storage(exploring.memory)
            found = self.compiled(whole, self._predicates(), hasty, narrow, storage, stop, exploring.say)
            if found is not None:
                return found
        return behaviour_graph(self.system, name, stop, self.inner.values if viewed else None)

    def _stopped(self, result: Result, control: Control) -> Result:
        if control.stopped is not None:
            message = f"Stopped ({control.stopped}) before the liveness properties were checked: they are not proved."
        else:
            message = (
                f"Liveness is not checked: it needs the states that {self.reduced} identifies one by one, and without "
                f"it there are more than {_WHOLE} times as many. Take {self.reduced} out of the configuration and "
                "make the model smaller, or leave liveness out with --ignore-liveness."
            )
        return replace(result, verdict=Verdict.ERROR, stopped=control.stopped, message=message, exhaustive=False)

    def _findings(self, result: Result) -> list[Finding]:
        if not result.cut:
            return []
        sentence = (
            f"The constraints cut {result.cut:,} steps off, and fair behaviours that take them were not looked at: "
            "a liveness property may hold for that reason only."
        )
        return [Finding(FindingKind.LIVENESS_CUT, "constraints", sentence)]


def _failed(result: Result, error: Exception, during: str = "a liveness property") -> Result:
    failure = Failure(error, during, ())
    return replace(result, verdict=Verdict.ERROR, failure=failure, message=str(error), exhaustive=False)


def _violated(result: Result, violations: Sequence[Violation]) -> Result:
    """The result of a search in which liveness was checked as well."""
    findings = tuple(finding for finding in result.findings if finding.kind is not FindingKind.NO_PROPERTIES)
    result = replace(result, findings=findings)
    if not violations:
        return result
    return replace(
        result, verdict=Verdict.LIVENESS, violations=(*result.violations, *violations), message=_say(violations[0])
    )


def _over(control: Control) -> bool:
    """Whether to stop: asked to, or out of time."""
    if control.stopped is None and control.max_seconds is not None and control.seconds() >= control.max_seconds:
        control.stopped = Stopped.SECONDS
    return control.stopped is not None


def _room(run: Run) -> int:
    """So many states of a region may there be beside a search that goes on: half of the memory that is left is enough
    for them."""
    numbers, available = run.numbers(), left()
    if available is None:
        return numbers.distinct
    steps = numbers.total / max(1, numbers.distinct)
    return int(available / 2 / (_STATE + 3 * 8 * run.native.program.layout.words + _STEP * steps))


def _say(violation: Violation) -> str:
    assert violation.loop is not None
    length = violation.depth - violation.loop
    if length == 1:
        after = "the initial state" if violation.depth == 1 else f"{violation.depth} states"
        return f"Liveness property {violation.name} is violated: nothing happens after {after}."
    return (
        f"Liveness property {violation.name} is violated by a behaviour of {violation.depth} states, "
        f"of which the last {length} repeat for ever."
    )
