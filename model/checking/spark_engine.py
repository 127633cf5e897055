"""`check --engine spark`: which kernel, which session, which folder; what is tried again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmqproof.model.checking.options import SparkOptions, SparkUnavailable
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.judge.judge import Judge
from rmqproof.model.native.choice import given_up
from rmqproof.model.native.errors import NoCompiler, NotCompilable
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control
from rmqproof.model.search.kernel import Disagreement, until_it_fits
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.library import SHIPPED
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import Source
from rmqproof.version import VERSION

if TYPE_CHECKING:
    from rmqproof.model.native.engine import NativeModel
    from rmqproof.model.search.liveness.graph import BehaviourGraph, Stop
    from rmqproof.model.search.liveness.storage import Storage
    from rmqproof.model.search.spark.search import SparkSearch
    from rmqproof.model.search.spark.setting import Measure
    from rmqproof.model.search.spark.spark_runner import SparkRunner

DEFAULT_MEMORY = 3 << 30


Explore = Callable[["Storage", "Stop"], "BehaviourGraph"]
Finish = Callable[[Result, Explore | None], Result]
"""What is to be done with a result while the states are at hand: as a graph, where the search has left one."""


def as_it_is(result: Result, explore: Explore | None) -> Result:
    return result


def search(
    model: Model,
    system: PythonSystem,
    identity: str,
    files: ModelFiles,
    options: SparkOptions,
    control: Control,
    say: Callable[[str], None],
    measured: Callable[[Measure], None] = lambda measure: None,
    finish: Finish = as_it_is,
    judge: Judge | None = None,
) -> Result:
    """Search with owner partitions. `measured` is told what it cost; `judge` looks at states of a success again;
    `finish` has the last word.

    Raise `SparkUnavailable`, or `CheckpointError` for a store that cannot be used.
    """
    try:
        from rmqproof.model.search.spark.session import NoSpark, require_spark

        require_spark()
    except ImportError as error:
        raise SparkUnavailable(str(error)) from None
    except NoSpark as error:
        raise SparkUnavailable(str(error)) from None
    from rmqproof.model.search.spark.java import NoJava
    from rmqproof.model.search.spark.session import is_local
    from rmqproof.model.search.spark.spark_runner import JobFailed
    from rmqproof.model.search.spark.store import StoreError

    if not is_local(options.master) and options.store is None:
        raise SparkUnavailable(
            f"--master {options.master} needs --store: a folder or URI that the driver and all executors can read."
        )
    try:
        with _folder(options) as store:
            return _Search(model, system, identity, files, options, control, say, store, measured, finish, judge).run()
    except (NoJava, JobFailed) as error:
        raise SparkUnavailable(str(error)) from None
    except StoreError as error:
        raise CheckpointError(str(error)) from None


@contextmanager
def _folder(options: SparkOptions) -> Iterator[str]:
    if options.store is not None:
        yield options.store
        return
    with tempfile.TemporaryDirectory(prefix="rmqproof-states-") as folder:
        yield folder


class _Search:
    """A search that starts over when a kernel turns out to be too narrow or wrong."""

    def __init__(
        self,
        model: Model,
        system: PythonSystem,
        identity: str,
        files: ModelFiles,
        options: SparkOptions,
        control: Control,
        say: Callable[[str], None],
        folder: str,
        measured: Callable[[Measure], None],
        finish: Finish,
        judge: Judge | None,
    ) -> None:
        from rmqproof.model.native.engine import NativeModel, permutations_of
        from rmqproof.model.native.representation import first_capacity
        from rmqproof.model.search.spark.store import Store

        self.model, self.system, self.identity, self.files = model, system, identity, files
        self.description = str(files.config) if files.config is not None else ""
        self.options, self.control, self.say, self.measured = options, control, say, measured
        self.finish, self.judge = finish, judge
        self.store = Store(folder)
        self.capacity = first_capacity(control.tuning.narrow)
        self.native: NativeModel | None = NativeModel(
            model,
            system.check_deadlock,
            say,
            group=permutations_of(system),
            travels=True,
            arguments=True,
            capacity=self.capacity,
        )
        self.growths: list[int] = []
        self.runner: SparkRunner | None = None

    def run(self) -> Result:
        from rmqproof.model.native.outcome import difference_of

        if self.options.resume:
            self._as_stored()
        if self.native is not None and not self.growths:
            self._compile(self.native.compile)
        with ExitStack() as stack:
            try:
                return until_it_fits(lambda: self._once(stack), self._widen)
            except Disagreement as error:
                if self.native is None:
                    raise
                self.say(given_up(error))
                self.native = None
                self._start_over()
                return self._once(stack).with_findings(difference_of(error))

    def _widen(self, place: int) -> None:
        self.growths.append(place)
        self._grow(place)
        self._start_over()

    def _compile(self, compile_: Callable[[], None]) -> None:
        try:
            compile_()
        except (NotCompilable, NoCompiler) as error:
            self.say(given_up(error))
            self.native = None

    def _grow(self, index: int) -> None:
        native = self.native
        if native is not None:
            self._compile(lambda: native.grow(index))

    def _as_stored(self) -> None:
        """The kernel that the store was written with."""
        manifest = self.store.load()
        if self.finish is not as_it_is:  # which takes steps from the store, or does without
            self.options = replace(self.options, edges=self.options.edges or manifest.edges)
        if manifest.engine != "native":
            self.native = None
            return
        self.growths = list(manifest.model.get("growths", []))
        if self.growths and self.native is not None:
            self._compile(self.native.compile)
            for index in self.growths:
                self._grow(index)

    def _start_over(self) -> None:
        self.options = replace(self.options, resume=False)
        self.store.clear()

    def _once(self, stack: ExitStack) -> Result:
        from rmqproof.model.checking.spark_kernel import CompiledRecipe, PythonRecipe, packed_decoder
        from rmqproof.model.native.kernel import kernel_of
        from rmqproof.model.search.spark.kernel import Recipe
        from rmqproof.model.search.spark.memory import Memory
        from rmqproof.model.search.spark.search import SparkSearch
        from rmqproof.model.search.spark.session import active_session, is_local, local_cores, spark_session
        from rmqproof.model.search.spark.setting import HAND_OVER, Setting
        from rmqproof.model.search.spark.spark_runner import SparkRunner
        from rmqproof.model.search.spark.system_kernel import decode as unpickled

        options = self.options
        travels = not is_local(options.master)
        recipe: Recipe
        if self.native is not None:
            native = kernel_of(self.native)
            recipe, decode = CompiledRecipe.of(native, travels), packed_decoder(native, self.system)
        else:
            recipe, decode = PythonRecipe.of(self.model, self.identity, travels), unpickled
        kernel: Any = recipe.kernel()
        memory = Memory(options.memory or DEFAULT_MEMORY)
        cores = local_cores(options.master) or 1
        hand_over = options.hand_over
        if hand_over is None:
            hand_over = HAND_OVER if self.native is not None else HAND_OVER // 10
        setting = Setting(
            self.store,
            options.partitions or max(2, cores),
            hand_over=hand_over,
            beside=options.hand_over is None and active_session() is None,
            memory=memory,
            incoming_bytes=options.incoming_bytes,
            edges=options.edges,
            resume=options.resume,
            identity=self.identity,
            description=self.description,
            tool=f"rmqproof {VERSION}",
            engine="native" if self.native is not None else "python",
            model=self._described(recipe),
        )

        def spark() -> SparkRunner:
            # one for all that starts over: a thread does not see the session that another one has made
            if self.runner is None:
                self.runner = SparkRunner(stack.enter_context(spark_session(options.master, heap=memory.heap)))
            if not travels and self.control.stopped is None:
                self.runner.warm(recipe)
            return self.runner

        search = SparkSearch(
            self.system, recipe, kernel, decode, setting, control=self.control, spark=spark, say=self.say
        )
        result = self._examined(search.run(), search, decode)
        self.measured(search.measure)
        return self.finish(result, self._explorer(search) if search.manifest.finished else None)

    def _examined(self, result: Result, search: SparkSearch, decode: Callable[[bytes], State]) -> Result:
        """With some of the states looked at again, where nothing was found to be wrong."""
        import numpy as np

        from rmqproof.model.checking.spark_kernel import CompiledKernel
        from rmqproof.model.search.spark.known_states import KnownStates

        if self.judge is None or result.verdict is not Verdict.SUCCESS or not result.exhaustive:
            return result
        found, native = KnownStates(self.store, search.manifest), None
        if isinstance(search.kernel, CompiledKernel):
            native = search.kernel.native

        def met(values: Sequence[Any]) -> bool:
            try:
                if native is None:
                    return found.knows(self.system.fingerprint(self.system.state(values)))
                words = np.array(native.encode(values), np.uint64)
                return found.knows(int(np.frombuffer(native.fingerprints(words.tobytes()), np.uint64)[0]))
            except (ValueError, KeyError, TypeError):  # there is no room for what was never met
                return False

        judged = self.judge.examine(
            map(decode, found.drawn()),
            (lambda states: [met(values) for values in states]) if found.few else None,
            self.control,
        )
        return replace(result, judged=judged)

    def _explorer(self, search: SparkSearch) -> Explore:
        from rmqproof.model.checking.liveness_graphs import graph_of_store

        return lambda storage, stop: graph_of_store(
            self.store, search.manifest, search.kernel, self.system, self.capacity, storage, stop
        )

    def _described(self, recipe: Any) -> dict[str, object]:
        """What a reader of the store needs: the texts of the specification, and how states are packed."""
        model = self.model
        texts = {name: source.text for name, source in sources_of(model).items() if not _is_shipped(name)}
        return {
            "specification": model.specification.name,
            "config": self.description,
            "texts": texts,
            "config_text": self.files.config_text,
            "overrides": self.files.overrides.text,
            "without": sorted(self.files.overrides.without),
            "check_deadlock": model.check_deadlock,
            "layout": getattr(recipe, "description", None),
            "growths": self.growths,
        }


def _is_shipped(name: str) -> bool:
    """Whether a source comes with rmqproof: those are called by their file's name alone."""
    return Path(name).name == name and (SHIPPED / name).is_file()


def sources_of(model: Model) -> dict[str, Source]:
    """Every text that the model was read from, by the name that messages use."""
    specification = model.specification
    places = [item.at for item in specification.constants] + [item.at for item in specification.variables]
    places += [item.at for item in specification.assumptions]
    places += [item.at for item in specification.definitions.values()]
    return {place.source.name: place.source for place in places}
