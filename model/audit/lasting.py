"""Liveness of a specification and of its mutants, on the graphs that were explored for everything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rmqproof.model.audit.graph import Space
from rmqproof.model.audit.mutation import Mutant
from rmqproof.model.audit.pieced import Changed, leads_to
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.temporal import fairness_of, temporal_properties
from rmqproof.model.search.liveness.check import LivenessCheck, TemporalProperty
from rmqproof.model.search.liveness.formula import TRUE, Formula
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped, TooLarge
from rmqproof.model.search.liveness.recorder import Recorder
from rmqproof.model.search.system import System
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

Formulas = tuple[Formula, list[TemporalProperty]]


@dataclass(slots=True)
class Lasting:
    """The liveness properties of a model whose states `system` identifies by their values. Raise `TlaError` for one
    that cannot be checked."""

    model: core.Model
    system: PythonSystem
    over: Callable[[], bool]
    fair: bool = True
    """Whether fairness is assumed."""
    _known: tuple[Space, tuple[str, ...]] | None = None

    def of(self, space: Space) -> tuple[str, ...] | None:
        """Those that the specification violates; None where that was not found out."""
        found = self._violated(self.system, space, lambda: _formulas(self.system))
        self._known = (space, found) if found is not None else None
        return found

    def of_mutant(self, mutant: Mutant, system: Changed | PythonSystem, space: Space) -> tuple[str, ...] | None:
        """Those that a mutant violates."""
        if isinstance(system, PythonSystem):
            return self._violated(system, space, lambda: _formulas(system))
        if mutant.host in self._leads():
            return self._violated(self.system, space, lambda: _formulas(system.asking()))
        if self._known is not None and space.steps is self._known[0].steps:
            return self._known[1]
        return self._violated(self.system, space, lambda: _formulas(self.system))

    def _leads(self) -> frozenset[core.Definition]:
        """What fairness and the properties depend on."""
        return leads_to([*self.model.fairness, *(part for prop in self.model.properties for part in prop.liveness)])

    def _violated(self, system: System, space: Space, formulas: Callable[[], Formulas]) -> tuple[str, ...] | None:
        try:
            fairness, properties = formulas()
            fairness = fairness if self.fair else TRUE
            check = LivenessCheck(graph_of(space, system), fairness, self.over)
            return tuple(prop.name for prop, _ in check.violated(properties))
        except (GraphStopped, TooLarge, TlaError, Fault, RecursionError):  # the time is over, or one has no value
            return None


def _formulas(system: PythonSystem) -> Formulas:
    return fairness_of(system), temporal_properties(system)


def graph_of(space: Space, system: System) -> BehaviourGraph:
    """The graph whose states and steps these are; each state may stay as it is."""
    heads: dict[int, list[int]] = {mark: [] for mark in space.states}
    for before, after in space.steps:
        heads[before].append(after)
    recorder = Recorder()
    for mark in space.initial:
        recorder.start(mark, space.states[mark])
    graph = recorder.graph
    done = 0
    while done < len(graph):
        for after in heads[system.fingerprint(graph.states[done])]:
            recorder.step(after, space.states[after])
        recorder.close()
        done += 1
    return graph
