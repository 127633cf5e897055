"""A model searched by both engines."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.encode import Encoder
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.representation import Capacity
from rmqproof.model.native.run import Run
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.liveness.recorder import Recorder
from rmqproof.model.search.result import Result
from rmqproof.model.tla import core

FAST = ("-O0",)
"""Tests compile more than they run."""


@dataclass(frozen=True, slots=True)
class Explored:
    """What a search found, and every state up to where it stopped, in the order of discovery."""

    result: Result
    states: tuple[object, ...]


class Met:
    """Watches a search in machine code for its states."""

    def __init__(self, system: PythonSystem) -> None:
        self.system = system
        self.states: tuple[object, ...] = ()

    def over(self, run: Run) -> bool:
        return False

    def ended(self, run: Run, result: Result) -> None:
        decoder, encoder = run.decoder(), Encoder(run.native.program.layout)
        states = []
        for words, _ in run.packed(0, run.numbers().distinct):
            values = decoder.state(words)
            assert encoder.state(values) == tuple(words)
            states.append(self.system.values(self.system.state(values)))
        self.states = tuple(states)


def native(
    model: core.Model,
    workers: int = 1,
    flags: tuple[str, ...] = FAST,
    *,
    keep_going: bool = False,
    system: PythonSystem | None = None,
    capacity: Capacity | None = None,
) -> Explored:
    """Raise `NotCompilable` where the native engine does not cover the model."""
    system = system or system_of(model)
    capacity = capacity if capacity is not None else Capacity()
    compiled = NativeModel(model, model.check_deadlock, flags=flags, group=permutations_of(system), capacity=capacity)
    compiled.compile()
    met = Met(system)
    result = NativeSearch(compiled, system, workers=workers, keep_going=keep_going, watch=met).run()
    return Explored(result, met.states)


def interpreted(model: core.Model, *, keep_going: bool = False, system: PythonSystem | None = None) -> Explored:
    system, recorder = system or system_of(model), Recorder()
    result = BreadthFirst(system, workers=1, keep_going=keep_going, recorder=recorder).run()
    return Explored(result, tuple(system.values(state) for state in recorder.graph.states))


def outcome(result: Result) -> tuple[object, ...]:
    """Everything that the engines must agree on."""
    return (
        result.verdict,
        result.distinct,
        result.total,
        result.depth,
        result.initial,
        result.cut,
        result.coverage,
        result.violations,
        result.message,
        result.exhaustive,
        result.queue,
    )
