"""The behaviour graph from the other engines: explored in machine code, or read from a Spark search's store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rmqproof.model.evaluate.system import InterpretedSystem
from rmqproof.model.native.engine import NativeModel, permutations_of
from rmqproof.model.native.errors import NoCompiler, NotCompilable
from rmqproof.model.native.kernel import Kernel, kernel_of
from rmqproof.model.search.liveness.graph import BehaviourGraph, Stop
from rmqproof.model.search.liveness.packed import NotExplored, packed_graph
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import Model

if TYPE_CHECKING:
    from rmqproof.model.search.spark.kernel import Kernel as SparkKernel
    from rmqproof.model.search.spark.store import Manifest, Store

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CompiledGraphs:
    """Graphs of a model by its compiled form."""

    model: Model
    system: InterpretedSystem

    def graph(self, whole: bool, storage: Storage, stop: Stop, say: Say) -> BehaviourGraph | None:
        """`whole`: states that SYMMETRY or VIEW identify are different ones. None where there is no compiled form, or
        it cannot evaluate something: the interpreter says what. Raise `GraphStopped` when `stop` says so.
        """
        model = replace(self.model, symmetry=None, view=None) if whole else self.model
        group = None if whole else permutations_of(self.system)
        try:
            native = NativeModel(model, self.system.check_deadlock, say, group=group)
            native.compile()
            while True:
                with kernel_of(native) as kernel:
                    try:
                        return packed_graph(kernel, _decoder(kernel, self.system), places_of(kernel), storage, stop)
                    except NotExplored as error:
                        if not error.narrow:
                            return None
                        narrow = kernel.narrow()
                native.grow(narrow)
        except (NotCompilable, NoCompiler):
            return None


def places_of(kernel: Kernel) -> list[tuple[int, int]]:
    """Bit and bits of each variable."""
    return list(kernel.description.layout.places)


def _decoder(kernel: Kernel, system: InterpretedSystem) -> Callable[[Sequence[int]], State]:
    return lambda words: system.state(kernel.decode(words))


def graph_of_store(
    store: Store, manifest: Manifest, kernel: SparkKernel, system: InterpretedSystem, storage: Storage, stop: Stop
) -> BehaviourGraph:
    """The graph of a search on Spark that has ended. Raise `StoreError`, `GraphStopped` when `stop` says so."""
    from rmqproof.model.cli.spark_kernel import CompiledKernel
    from rmqproof.model.search.liveness.stored import Decoding, stored_graph
    from rmqproof.model.search.spark.system_kernel import decode

    decoding = Decoding(None, decode, None)
    if isinstance(kernel, CompiledKernel):
        decoding = Decoding(_decoder(kernel.native, system), decode, places_of(kernel.native))
    return stored_graph(store, manifest, kernel, decoding, storage, stop)
