"""Which engine searches a model: machine code where it pays and covers the model, else the interpreter."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from rmqproof.model.evaluate.system import InterpretedSystem
from rmqproof.model.judge.judge import Judge
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.liveness.graph import Recorder
from rmqproof.model.search.result import Result, Stopped
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.tla import core

from .build import Cancelled
from .engine import NativeModel, NativeSearch, Watch, available_workers, permutations_of, unsearched
from .errors import NoCompiler, NotCompilable
from .kernel import kernel_of
from .saved import Folder
from .simulate import WORTH, NativeSimulation

FIRST_LOOK = 0.3
"""Seconds that the interpreter gets before a compiler is started beside it: most models of tests are done by then."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a search. `engine`: `auto` or `native`; `memory` in bytes; `identity` and `description` name the
    model in `checkpoint`."""

    engine: str = "auto"
    workers: int | None = None
    memory: int | None = None
    checkpoint: Path | None = None
    resume: bool = False
    identity: str = ""
    description: str = ""
    recorder: Recorder | None = None
    """Of what the interpreter explores, for as long as it does."""
    keep_going: bool = False
    """After a violation."""
    watch: Watch | None = None
    """Of a search in machine code."""
    judge: Judge | None = None
    """Looks at states of a success again, and says which engine is right where two differ."""
    inputs: Callable[[], Mapping[str, str]] = dict
    """The files that the model has read so far: see `Checkpoint`."""

    @property
    def folder_exists(self) -> bool:
        """Whether there is a checkpoint of this engine."""
        return self.folder is not None and self.folder.exists

    @property
    def folder(self) -> Folder | None:
        if self.checkpoint is None:
            return None
        return Folder(self.checkpoint, self.identity, self.description, self.inputs)


def search(
    model: core.Model,
    system: InterpretedSystem,
    control: Control,
    request: Request,
    say: Say,
    interpret: Callable[[], Result],
) -> Result:
    """Search breadth-first. `say` gets a line for each change of plan.

    With `auto` the interpreter starts at once, and the compiled program takes over as soon as it is ready; a search
    that is to be saved has one engine from the start. `interpret` does the whole search where the compiled form does
    not cover the model; where there is no compiler, or the process of the program dies, only with `auto`.
    """
    compiling = Compiling(
        NativeModel(model, system.check_deadlock, say, group=permutations_of(system), identity=request.identity)
    )
    if request.engine == "auto" and request.checkpoint is None:
        waiting = Waiting.on(control, compiling)
        interpreted = BreadthFirst(
            system, control=waiting, workers=1, keep_going=request.keep_going, recorder=request.recorder
        )
        result = interpreted.run()
        if not waiting.moved:
            compiling.cancel()
            control.stopped = waiting.stopped
            return result if request.judge is None else request.judge.examined(result, interpreted)
    try:
        with control.preparing(compiling.native.cancel):
            native = compiling.result()
    except NotCompilable as error:
        say(f"The native engine does not cover this model ({error}); the interpreter runs.")
    except NoCompiler as error:
        if request.engine == "native":
            return _not_compiled(error, control)
        say(f"{error} The interpreter runs.")
    else:
        try:
            return NativeSearch(
                native,
                system,
                control=control,
                workers=request.workers,
                memory=request.memory,
                folder=request.folder,
                resume=request.resume,
                keep_going=request.keep_going,
                watch=request.watch,
                alone=request.engine == "native",
                judge=request.judge,
            ).run()
        except NotCompilable as error:
            # a layout that was widened too often
            say(f"The widened layout cannot be compiled ({str(error).splitlines()[0]}); the interpreter runs.")
        except NoCompiler as error:
            if request.engine == "native":
                return _not_compiled(error, control)
            say(f"{error} The interpreter runs.")
    return interpret()


def _not_compiled(error: NoCompiler, control: Control) -> Result:
    return unsearched(str(error), "Without --engine native the interpreter runs.", control, available_workers())


def simulation(
    model: core.Model,
    system: InterpretedSystem,
    control: Control,
    engine: str,
    behaviours: int,
    depth: int,
    seed: int,
    say: Say,
    swarm: bool = False,
) -> Simulation:
    """A simulation in machine code, where that is asked for or pays and covers the model; else the interpreter's."""
    if engine == "native" or behaviours * depth > WORTH:
        native = NativeModel(model, system.check_deadlock, say, group=permutations_of(system))
        try:
            with control.preparing(native.cancel):
                native.compile()
        except NotCompilable as error:
            say(f"The native engine does not cover this model ({error}); the interpreter runs.")
        except NoCompiler as error:
            say(f"{error} The interpreter runs.")
        else:
            kernel = kernel_of(native)
            return NativeSimulation(
                kernel, system, behaviours=behaviours, depth=depth, seed=seed, control=control, swarm=swarm
            )
    return Simulation(system, behaviours=behaviours, depth=depth, seed=seed, control=control, swarm=swarm)


class Compiling:
    """A model that is compiled, in a thread when `start` is called, and at the latest when the result is asked for."""

    def __init__(self, native: NativeModel) -> None:
        self.native = native
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._compile, name="compile", daemon=True)
        self._thread.start()

    @property
    def started(self) -> bool:
        return self._thread is not None

    @property
    def ended(self) -> bool:
        return self._thread is not None and not self._thread.is_alive()

    def _compile(self) -> None:
        try:
            self.native.compile()
        except Exception as error:  # raised again where the result is asked for
            self._error = error

    def cancel(self) -> None:
        """The result is not wanted any more; the compiler ends."""
        self.native.cancelled.set()
        if self._thread is not None and self.native.building:
            self._thread.join()

    def result(self) -> NativeModel:
        """Raise `NotCompilable` or `NoCompiler`."""
        if self._thread is None:
            self._compile()
        else:
            self._thread.join()
        if self._error is not None and not isinstance(self._error, Cancelled):
            raise self._error
        return self.native


@dataclass(slots=True)
class Waiting(Control):
    """The control of a search that ends when a compiled program is there to do better; else as `outer` says."""

    outer: Control = field(default_factory=Control)
    compiling: Compiling | None = None
    moved: bool = False
    _begun: float = field(default_factory=monotonic)

    @classmethod
    def on(cls, outer: Control, compiling: Compiling) -> Waiting:
        outer.start()
        return cls(
            max_states=outer.max_states,
            max_seconds=outer.max_seconds,
            inside=outer.inside,
            outer=outer,
            compiling=compiling,
        )

    def must_stop(self, distinct: int) -> bool:
        if self.outer.must_stop(distinct):
            self.stopped = self.outer.stopped
            return True
        return self._compiled()

    def should_stop(self, total: int, distinct: int, queue: int, depth: int) -> bool:
        if self.outer.should_stop(total, distinct, queue, depth):
            self.stopped = self.outer.stopped
            return True
        return self._compiled()

    def _compiled(self) -> bool:
        """Whether the compiled program is there; it is compiled when the search has not ended at the first look."""
        assert self.compiling is not None
        if not self.compiling.started:
            if monotonic() - self._begun >= FIRST_LOOK:
                self.compiling.start()
        elif self.compiling.ended:
            self.moved, self.stopped = True, Stopped.SECONDS
            return True
        return False


__all__ = ["Request", "search", "simulation"]
