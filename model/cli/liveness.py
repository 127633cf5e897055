"""Check the liveness properties of a model after the search for everything else."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rmqproof.model.evaluate.system import InterpretedSystem
from rmqproof.model.evaluate.temporal import fairness_conditions, fairness_of, temporal_properties
from rmqproof.model.search.control import Control
from rmqproof.model.search.liveness.behaviour import steps_of
from rmqproof.model.search.liveness.check import LivenessCheck, TemporalProperty
from rmqproof.model.search.liveness.code import GraphCode
from rmqproof.model.search.liveness.fairness import explain
from rmqproof.model.search.liveness.formula import FALSE, Formula, Predicate, conjunction, predicates_of
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped, Recorder, Stop, behaviour_graph
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
from rmqproof.model.search.system import State, System

Graph = BehaviourGraph | Callable[[], BehaviourGraph] | None
"""A graph that the search has left, or how to get it; None: it is to be explored."""
Compiled = Callable[[bool, Sequence[Predicate], Storage, Stop, Callable[[str], None]], BehaviourGraph | None]
"""A graph by compiled code: of all states or as SYMMETRY and VIEW leave them, the predicates that will be asked for,
where to keep it, when to stop, who is told. None where there is no compiled form."""
_LARGE = 20_000
"""Steps of a graph from which on machine code takes over what Python began."""
_WHOLE = 20
"""So many times the states that SYMMETRY or VIEW leave may there be without them, and some more."""
_SOME = 20_000


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
        return graph if whole and result.engine == "interpreter" else None


@dataclass(slots=True)
class Liveness:
    """`reduced` names what makes the search identify states that differ: SYMMETRY or VIEW, or nothing."""

    system: System
    inner: InterpretedSystem
    reduced: str
    compiled: Compiled | None = None
    code: Callable[[], GraphCode | None] = lambda: None
    """Machine code for graphs."""
    judged: bool = False
    """Whether `judge` came to a verdict."""
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
        if self._formulas is None:
            self.prepare()
        assert self._formulas is not None
        control = exploring.control
        name: Callable[[State], Hashable] = self.inner.values if self.reduced else self.system.fingerprint
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

    def _through_view(self, result: Result, exploring: Exploring) -> Result:
        """A violation in the states as the VIEW shows them, where its behaviour is found again; else no verdict."""
        name, control = self.system.fingerprint, exploring.control
        try:
            graph = self._explore(False, name, exploring, self.stop(control))
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
        assert self._formulas is not None
        fairness, properties = self._formulas
        violations: list[Violation] = []
        try:
            if graph.code is None and len(graph.heads) >= _LARGE:
                graph.code = self.code()
            check = LivenessCheck(graph, fairness, lambda: _over(control))
            check.evaluation.prepare(conjunction([fairness, *(prop.formula for prop in properties)]))
            for prop, lasso in check.violated(properties):
                steps, loop = steps_of(self.system, graph, lasso, name)
                fair = explain(fairness_conditions(self.inner), [step.state for step in steps], loop)
                violations.append(Violation(PropertyKind.LIVENESS, prop.name, prop.sentence, steps, loop, fair))
            nothing_fair = not violations and check.counterexample(FALSE) is None
        except GraphStopped:
            raise
        except Exception as error:  # whatever a predicate raises is the outcome
            failure = Failure(error, "a liveness property", ())
            return replace(result, verdict=Verdict.ERROR, failure=failure, message=str(error), exhaustive=False)
        self.judged = True
        result = result.with_findings(*self._findings(result, graph, name, nothing_fair))
        if not violations:
            return result
        return replace(
            result, verdict=Verdict.LIVENESS, violations=(*result.violations, *violations), message=_say(violations[0])
        )

    def _explore_whole(self, name: Callable[[State], Any], result: Result, exploring: Exploring) -> BehaviourGraph:
        most = _WHOLE * result.distinct + _SOME

        def stop(states: int) -> bool:
            if self.reduced and states > most:
                return True
            return _over(exploring.control)

        return self._explore(True, name, exploring, stop)

    def _explore(self, whole: bool, name: Callable[[State], Any], exploring: Exploring, stop: Stop) -> BehaviourGraph:
        if exploring.compiled and self.compiled is not None:
            assert self._formulas is not None
            fairness, properties = self._formulas
            predicates = predicates_of(conjunction([fairness, *(prop.formula for prop in properties)]))
            found = self.compiled(whole, predicates, Storage(exploring.memory), stop, exploring.say)
            if found is not None:
                return found
        return behaviour_graph(self.system, name, stop)

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

    def _findings(
        self, result: Result, graph: BehaviourGraph, name: Callable[[State], Hashable], nothing_fair: bool
    ) -> list[Finding]:
        found = []
        if result.cut:
            sentence = (
                f"The constraints cut {result.cut:,} steps off, and fair behaviours that take them were not looked at: "
                "a liveness property may hold for that reason only."
            )
            found.append(Finding(FindingKind.LIVENESS_CUT, "constraints", sentence))
        if self.reduced:
            how = "without" if name == self.inner.values else "on what is left of the states by the"
            sentence = f"Liveness was checked {how} {self.reduced}, on {len(graph):,} states."
            found.append(Finding(FindingKind.LIVENESS_WHOLE, self.reduced, sentence))
        if nothing_fair and graph.initial:
            sentence = "No behaviour satisfies the fairness conditions: every liveness property holds for that reason."
            found.append(Finding(FindingKind.NOTHING_FAIR, "fairness", sentence))
        return found


def _over(control: Control) -> bool:
    """Whether to stop: asked to, or out of time."""
    if control.stopped is None and control.max_seconds is not None and control.seconds() >= control.max_seconds:
        control.stopped = Stopped.SECONDS
    return control.stopped is not None


def _say(violation: Violation) -> str:
    assert violation.loop is not None
    length = violation.depth - violation.loop
    if length == 1:
        return f"Liveness property {violation.name} is violated: nothing happens after {violation.depth} states."
    return (
        f"Liveness property {violation.name} is violated by a behaviour of {violation.depth} states, "
        f"of which the last {length} repeat for ever."
    )
