"""The behaviour graph from the other engines: explored in machine code, or read from a Spark search's store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rmqproof.model.checking.liveness import FEW
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.native.build import HASTY
from rmqproof.model.native.engine import NativeModel, permutations_of
from rmqproof.model.native.errors import Cancelled, NoCompiler, NotCompilable
from rmqproof.model.native.graph_code import graph_code, graph_code_for
from rmqproof.model.native.kernel import Kernel, kernel_of
from rmqproof.model.native.labels import NativeLabels
from rmqproof.model.native.layout import Layout
from rmqproof.model.native.representation import Capacity, first_capacity
from rmqproof.model.native.run import Run
from rmqproof.model.native.state_reader import StateReader
from rmqproof.model.native.wanted import compilable
from rmqproof.model.records import dataclass
from rmqproof.model.search.kernel import NotEvaluated, TooSmall, until_it_fits
from rmqproof.model.search.liveness.formula import Predicate
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphCode, GraphStopped, Stop, TooLarge
from rmqproof.model.search.liveness.packed import packed_graph
from rmqproof.model.search.liveness.region_graph import Searched
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.system import State
from rmqproof.model.tla.asking import asks_the_search
from rmqproof.model.tla.core import Model

if TYPE_CHECKING:
    from rmqproof.model.search.spark.kernel import Kernel as SparkKernel
    from rmqproof.model.search.spark.store import Manifest, Store

Say = Callable[[str], None]


class _Asked(threading.Event):
    """Set as soon as `stop` says so."""

    def __init__(self, stop: Callable[[], bool]) -> None:
        super().__init__()
        self._stop = stop

    def is_set(self) -> bool:
        return self._stop() or super().is_set()


@contextmanager
def stoppable(native: NativeModel, stop: Callable[[], bool]) -> Iterator[None]:
    """What is compiled is left soon after `stop` says so. Raise `GraphStopped` then."""
    native.cancelled = _Asked(stop)
    try:
        yield
    except Cancelled:
        raise GraphStopped from None


def _has_initial_states(native: NativeModel) -> None:
    """Raise `NotCompilable` where the Python engine finds them: a graph has nobody to ask."""
    if not native.program.starts:
        raise NotCompilable(None, "an initial predicate without a form in C")


@dataclass(frozen=True, slots=True)
class CompiledGraphs:
    """Graphs of a model by its compiled form."""

    model: Model
    system: PythonSystem
    predicates: Sequence[Predicate] = ()
    """What is to be compiled besides."""
    identity: str = ""
    """Tells the model's texts from others; given, the program is kept for the next time."""
    hasty: bool = False
    """The compiler is to be quick rather than the program for a graph."""
    narrow: bool = False
    """See `Tuning`: for a graph. What a search has found lies as in its program."""

    def graph(self, whole: bool, storage: Storage, stop: Stop, say: Say) -> BehaviourGraph | None:
        """`whole`: states that SYMMETRY or VIEW identify are different ones. None where there is no compiled form, or
        it cannot evaluate something: the Python engine says what. Raise `GraphStopped` when `stop` says so.
        """
        whole = whole and (self.model.symmetry is not None or self.model.view is not None)
        model = replace(self.model, symmetry=None, view=None) if whole else self.model
        group = None if whole else permutations_of(self.system)
        predicates, labels = compilable(self.predicates)
        try:
            code = graph_code()
            identity = f"{self.identity} whole" if whole and self.identity else self.identity
            native = NativeModel(
                model,
                self.system.check_deadlock,
                say,
                HASTY if self.hasty else (),
                group=group,
                labels=labels,
                identity=identity,
                levels=asks_the_search(model),
                backed=True,
                capacity=first_capacity(self.narrow),
            )
            with stoppable(native, lambda: stop(0)):
                native.compile()
            _has_initial_states(native)

            def widen(place: int) -> None:
                with stoppable(native, lambda: stop(0)):
                    native.grow(place)

            graph = until_it_fits(lambda: self._packed(native, code, predicates, storage, stop), widen)
            native.fitted()
            return graph
        except (NotCompilable, NoCompiler, NotEvaluated, TooLarge):
            return None

    def _packed(
        self, native: NativeModel, code: GraphCode, predicates: Sequence[Predicate], storage: Storage, stop: Stop
    ) -> BehaviourGraph:
        with kernel_of(native) as kernel:
            try:
                read = StateReader(kernel.description.layout, self.system)
                graph = packed_graph(kernel, code, read, spans_of(kernel), storage, stop)
            except TooSmall:
                raise TooSmall(kernel.narrow()) from None
            graph.labels = NativeLabels(native, predicates)
            return graph

    @contextmanager
    def searched(
        self, run: Run, ended: bool, storage: Storage, stop: Callable[[], bool], say: Say
    ) -> Iterator[Searched | None]:
        """What a search of all states has found, while it pauses or when it has `ended`; None where the predicates
        cannot be compiled for its states. Not for a model with SYMMETRY or VIEW."""
        predicates, labels = compilable(self.predicates)
        hasty = ended and not run.native.labels and run.numbers().total <= FEW
        flags = HASTY if hasty else ()  # where the search has labels its program is the one
        native = NativeModel(
            self.model,
            self.system.check_deadlock,
            say,
            flags,
            labels=labels,
            identity=self.identity,
            capacity=run.native.at_first,
        )
        native.levels, native.backed = asks_the_search(self.model), True  # one program with that of the search
        try:
            code = graph_code()
            with stoppable(native, stop):
                native.widen(run.native.growths)
            _has_initial_states(native)
        except (NotCompilable, NoCompiler):
            yield None
            return
        layout, other = native.program.layout, run.native.program.layout
        if (layout.types, layout.spans) != (other.types, other.spans):
            yield None
            return
        if ended:
            run.trim()
        with kernel_of(native) as kernel:
            read = StateReader(layout, self.system)
            covered = [p for p, known in zip(predicates, native.program.labels, strict=True) if known]
            yield Searched(
                RunStates(run, read),
                kernel,
                code,
                NativeLabels(native, predicates, kernel),
                read,
                spans_of(kernel),
                storage,
                stop,
                frozenset(covered),
                not ended,
            )


@dataclass(frozen=True, slots=True)
class RunStates:
    """See `KnownStates`."""

    run: Run
    decode: Callable[[Sequence[int]], State]

    def __len__(self) -> int:
        return self.run.numbers().distinct

    def read(self, first: int, count: int) -> bytearray:
        return self.run.block(first, count)

    def before(self, number: int) -> int:
        return len(self.run.path(number)) - 1

    def path(self, number: int) -> list[State]:
        return [self.decode(words) for words in self.run.path(number)]

    def met(self, states: Any) -> bytearray:
        return self.run.met(bytes(states))


def spans_of(kernel: Kernel) -> list[tuple[int, int]]:
    """Bit and bits of each variable."""
    return list(kernel.description.layout.spans)


def graph_of_store(
    store: Store,
    manifest: Manifest,
    kernel: SparkKernel,
    system: PythonSystem,
    capacity: Capacity,
    storage: Storage,
    stop: Stop,
) -> BehaviourGraph:
    """The graph of a search on Spark that has ended. `capacity`: what its program began with.

    Raise `StoreError`, `GraphStopped` when `stop` says so.
    """
    from rmqproof.model.checking.spark_kernel import CompiledKernel
    from rmqproof.model.search.liveness.stored import Decoding, stored_graph
    from rmqproof.model.search.spark.system_kernel import decode

    decoding = Decoding(None, decode, None)
    if isinstance(kernel, CompiledKernel):
        read = StateReader(kernel.native.description.layout, system)
        decoding = Decoding(read, decode, spans_of(kernel.native))
    graph = stored_graph(store, manifest, kernel, decoding, storage, stop)
    graph.code = graph_code_for()
    if isinstance(kernel, CompiledKernel):
        graph.labels = StoredLabels(system, kernel.native.description.layout, capacity)
    return graph


@dataclass(frozen=True, slots=True)
class StoredLabels:
    """Predicates of a graph that another program has packed, in `layout`: compiled when they are asked for."""

    system: PythonSystem
    layout: Layout
    capacity: Capacity
    """What that program began with."""

    def fill(
        self, graph: BehaviourGraph, wanted: Sequence[tuple[Predicate, Any]], stop: Callable[[], bool]
    ) -> Sequence[Predicate]:
        predicates, labels = compilable([predicate for predicate, _ in wanted])
        native = NativeModel(self.system.model, self.system.check_deadlock, labels=labels, capacity=self.capacity)
        try:
            native.generate()
            found = native.program.layout
            if not predicates or (found.types, found.spans) != (self.layout.types, self.layout.spans):
                return []
            with stoppable(native, stop):
                native.compile()
        except (NotCompilable, NoCompiler):
            return []
        return NativeLabels(native, predicates).fill(graph, wanted, stop)
