"""Which engine searches a model: machine code where it pays and covers the model, else the Python engine.

The compiler of models is imported when it is needed: what is small is over before.
"""

from __future__ import annotations

import atexit
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import field
from time import monotonic
from typing import TYPE_CHECKING

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.records import dataclass
from rmqproof.model.search.control import Control, Tuning
from rmqproof.model.search.kernel import Disagreement
from rmqproof.model.search.result import Result, Stopped
from rmqproof.model.search.workers import available_workers
from rmqproof.model.tla import core
from rmqproof.model.tla.asking import asks_the_search

from .effects import Effects
from .errors import Cancelled, Died, NoCompiler, NotCompilable
from .makers import keep_seconds_without, keep_that_it_pays, pays, seconds_without
from .request import InPython, Request, Say

if TYPE_CHECKING:
    from rmqproof.model.evaluate.values import Value
    from rmqproof.model.search.simulate import Simulation

    from .engine import NativeModel, NativeSearch
    from .room import Met
    from .wanted import Wanted

WORTH = 50_000
"""States of all behaviours together, at most, for which the Python engine is fast enough."""
_LONG = 1.0
"""Seconds of a search in Python after which a program is worth having the next time, and is begun at once then."""
_PATIENCE = 1.5
"""So many times what Python took the last time it has before something is compiled, which was not ready then."""
_BESIDE = 0.3
"""Seconds beside the compiler after which a search in Python without an end in sight leaves the processors to it."""
_GROWING = 0.35
"""The part of the states that is in the queue of such a search, at least; half of it where it has rested before."""
_WRITING = 2.0
"""Seconds that such a search rests at most while the C text is written: both would want the same interpreter."""
_MUCH = 0.2
"""Likewise where there is much to be written, and another processor for that: it takes longer than many a search."""
_SWITCH = 0.0005
"""Seconds after which Python lets another thread go on meanwhile. Whoever writes the text opens hundreds of files, and
after each waits for its turn: with the usual 5 ms that took two seconds, in which the search took a processor."""
_NAP = 0.02


def search(
    model: core.Model,
    system: PythonSystem,
    control: Control,
    request: Request,
    say: Say,
    in_python: InPython,
) -> Result:
    """Search breadth-first. `say` gets a line for each change of plan.

    With `auto` Python starts at once, and the compiled program takes over as soon as it is ready; where it did so the
    last time it searches from the start. A search that is to be saved has one engine from the start. All that lets
    Python take over does so here: the compiled form does not cover the model, or is wrong about it; and only with
    `auto`, there is no compiler, or the process of the program dies.
    """
    asking, narrow = asks_the_search(model), control.tuning.narrow
    effects = Effects(system.runtime)
    waiting: Waiting | None = None
    compiling = Compiling(
        lambda: _for_search(model, system, say, request, asking, narrow, lambda: _met(system, waiting)), apart=True
    )
    with closing(compiling):
        if request.engine == "auto" and request.checkpoint is None and not pays(request.identity):
            waiting = Waiting.on(control, compiling, seconds_without(request.identity))
            waiting.say = say
            with effects.noted(again=False):
                result = in_python(waiting)
            if not waiting.moved:
                _stayed(waiting, compiling, request, system)
                control.stopped = waiting.stopped
                return result
        from .engine import available_workers, unsearched

        begun = False
        try:
            with control.preparing(compiling.native.cancel):
                native = compiling.result()
            begun = True
            python_took = waiting.waited if waiting is not None else 0.0
            result = _compiled_search(native, system, control, request, effects).run()
            if python_took >= Tuning().first_look:
                keep_that_it_pays(request.identity, system.actions)
            return result
        except NoCompiler as error:
            if request.engine == "native":
                remedy = "Without --engine native the Python engine runs."
                return unsearched(str(error), remedy, control, available_workers())
            reason: Exception = error
        except (NotCompilable, Died, Disagreement) as error:
            reason = error
        say(given_up(reason))
        if begun:
            control.on_checkpoint = None
        with effects.noted(again=begun):
            result = in_python(instead=begun)
        if isinstance(reason, Disagreement):
            from .outcome import difference_of

            return result.with_findings(difference_of(reason))
        return result


def _stayed(waiting: Waiting, compiling: Compiling, request: Request, system: PythonSystem) -> None:
    """Python has come to the end by itself: what is compiled is for the next time, where that pays.

    With `labels` it has liveness to check yet: a program has that, too, which counts for what Python took.
    """
    if not waiting.alone:
        return  # there is no program
    whole = compiling.started and waiting.stopped is None
    if whole:
        keep_seconds_without(request.identity, waiting.waited)
    if not whole or not request.labels or not (waiting.waited >= _LONG or compiling.building):
        compiling.cancel()
        if whole and compiling.begun is not None:
            compiling.begun.fitted()  # for all that Python has met, as far as one knows
        return

    def there() -> None:
        compiling.native.fitted()
        keep_that_it_pays(request.identity, system.actions)

    compiling.go_on(there, lambda: keep_seconds_without(request.identity, waiting.waited))


def _compiled_search(
    native: NativeModel, system: PythonSystem, control: Control, request: Request, effects: Effects
) -> NativeSearch:
    from .engine import NativeSearch

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
        effects=effects,
    )


def _met(system: PythonSystem, waiting: Waiting | None) -> list[Sequence[Value]]:
    """Some of the states that Python has met so far."""
    sample = waiting.met if waiting is not None else None
    return [system.values(state) for state in (list(sample.states) if sample is not None else ())]


def _for_search(
    model: core.Model, system: PythonSystem, say: Say, request: Request, levels: bool, narrow: bool, met: Met
) -> NativeModel:
    native = native_model(model, system, say, request.identity, request.labels, levels, True, narrow)
    native.fingerprint_bits, native.met = request.fingerprint_bits, met
    return native


def native_model(
    model: core.Model,
    system: PythonSystem,
    say: Say,
    identity: str = "",
    labels: Sequence[Wanted] = (),
    levels: bool = False,
    backed: bool = False,
    narrow: bool = False,
) -> NativeModel:
    """`levels`: it is for a search, in which a state has a level. `backed`: for one with the Python engine at hand.
    `narrow`: see `Tuning`."""
    from .native_model import NativeModel, permutations_of
    from .representation import first_capacity

    group, capacity = permutations_of(system), first_capacity(narrow)
    native = NativeModel(
        model, system.check_deadlock, say, group=group, labels=labels, identity=identity, capacity=capacity
    )
    native.levels, native.backed = levels, backed
    return native


def given_up(reason: Exception) -> str:
    """Why the Python engine takes over."""
    match reason:
        case NotCompilable():
            return f"The native engine does not cover this model ({reason}); the Python engine runs."
        case NoCompiler():
            return f"{reason} The Python engine runs."
        case Died():
            from .engine import said

            return f"{said(reason)} The Python engine takes over."
    return f"{reason}; the Python engine takes over."


def simulation(
    model: core.Model,
    system: PythonSystem,
    control: Control,
    engine: str,
    behaviours: int,
    depth: int,
    seed: int,
    say: Say,
    swarm: bool = False,
    guided: bool = False,
) -> Simulation:
    """A simulation in machine code, where that is asked for or pays and covers the model; else the Python engine's.

    A guided one is always the Python engine's.
    """
    from rmqproof.model.search.simulate import Simulation

    if guided:
        if engine == "native":
            say("Guided behaviours are not compiled; the Python engine runs.")
        return Simulation(system, behaviours=behaviours, depth=depth, seed=seed, control=control, guided=True)
    if engine == "native" or behaviours * depth > WORTH:
        from .kernel import kernel_of
        from .simulate import NativeSimulation

        native = native_model(model, system, say)
        try:
            with control.preparing(native.cancel):
                native.compile()
        except (NotCompilable, NoCompiler) as error:
            say(given_up(error))
        else:
            kernel = kernel_of(native)
            return NativeSimulation(
                kernel, system, behaviours=behaviours, depth=depth, seed=seed, control=control, swarm=swarm
            )
    return Simulation(system, behaviours=behaviours, depth=depth, seed=seed, control=control, swarm=swarm)


class Compiling:
    """A model that is compiled, in a thread when `start` is called, and at the latest when the result is asked for."""

    def __init__(self, make: Callable[[], NativeModel], apart: bool = False) -> None:
        """`make`: what is to be compiled, once that is needed. `apart`: its text is written in a process of its own."""
        self._make = make
        self.apart = apart
        self.parallel = self.much = False
        """The text is written, and then compiled, on another processor than that of the search; there is much of it."""
        self._native: NativeModel | None = None
        self._cancelled = False
        self._then: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None
        self._done = threading.Event()
        self._error: Exception | None = None
        """Why there is no program, once it is done."""

    @property
    def native(self) -> NativeModel:
        if self._native is None:
            self._native = self._make()
        return self._native

    def start(self) -> None:
        self.apart = self.apart and self._has_writer()
        self.parallel = self.apart and available_workers() > 1
        self.much = self.parallel and self.native.much
        self._thread = threading.Thread(target=self._beside, name="compile", daemon=True)
        self._thread.start()

    def _has_writer(self) -> bool:
        from .writer import Writer

        try:
            self.native.writer = Writer.of(self.native)
        except Exception:  # the thread meets it again, and has it raised where the result is asked for
            return False
        return self.native.writer is not None

    @property
    def started(self) -> bool:
        return self._thread is not None

    @property
    def ended(self) -> bool:
        return self._done.is_set()

    @property
    def given_up(self) -> Exception | None:
        """Why there is no program, once it has ended; None where there is one, and where `result` raises an error."""
        self._done.wait()
        error = self._error
        return error if isinstance(error, (NotCompilable, NoCompiler)) else None

    @property
    def begun(self) -> NativeModel | None:
        """The model, where the thread has come to make it."""
        return self._native

    @property
    def building(self) -> bool:
        """The compiler runs."""
        return self._native is not None and self._native.building

    @property
    def large(self) -> bool:
        """The text that the compiler has got takes it long, and there is another processor for that."""
        return self.parallel and self.native.large

    @property
    def writing(self) -> bool:
        """The C text is not there yet: nobody waits for the compiler."""
        return self.started and not self.ended and not self.building

    def wait(self, seconds: float) -> None:
        """Until it has ended, at most so long."""
        self._done.wait(seconds)

    def _beside(self) -> None:
        usual = sys.getswitchinterval()
        # where another search of this process has seen to it, that one puts the usual one back
        if usual <= _SWITCH or self.apart:
            self._compile()
            return
        sys.setswitchinterval(_SWITCH)
        try:
            self._compile()
        finally:
            sys.setswitchinterval(usual)

    def _compile(self) -> None:
        try:
            native = self.native
            if self._cancelled:
                raise Cancelled
            native.compile()
            if self._then is not None:
                self._then()
        except Exception as error:  # raised again where the result is asked for
            self._end_writer()
            self._error = error
            self._done.set()
        else:
            if self._then is not None:
                self._end_writer()
            self._done.set()

    def go_on(self, there: Callable[[], None], unless: Callable[[], None] = lambda: None) -> None:
        """The result is for the next time: `there` is called, if it comes before the process ends, else `unless`."""
        self._then = there
        if self.ended:
            self._end_writer()
        atexit.register(self._leave, unless)

    def _leave(self, unless: Callable[[], None]) -> None:
        if not self.ended:
            unless()
        self.cancel()

    def cancel(self) -> None:
        """The result is not wanted any more; the compiler ends."""
        self._cancelled = True
        if self._native is None:
            return
        self._native.cancelled.set()
        if self._thread is not None and (self._native.building or self.apart):
            self._end_writer()
            self._thread.join()

    def close(self) -> None:
        """The search is over: nothing is written any more, but what is for the next time."""
        if self._then is None:
            self._end_writer()

    def _end_writer(self) -> None:
        if self._native is not None and self.apart and self._native.writer is not None:
            self._native.writer.close()

    def result(self) -> NativeModel:
        """Raise `NotCompilable` or `NoCompiler`."""
        if self._thread is None:
            self._compile()
        self._done.wait()
        if self._error is not None and not isinstance(self._error, Cancelled):
            raise self._error
        return self.native


@dataclass(slots=True)
class Waiting(Control):
    """The control of a search that ends when a compiled program is there to do better; else as `outer` says."""

    outer: Control = field(default_factory=Control)
    compiling: Compiling | None = None
    say: Say = lambda text: None
    """Told why there will be no compiled program."""
    moved: bool = False
    first_look: float = 0.0
    """Seconds after which it is compiled."""
    beside: float = _BESIDE
    """Seconds that Python goes on for in any case while the compiler is at work."""
    writing: float = _WRITING
    """Seconds that it rests at most before that."""
    _begun: float = field(default_factory=monotonic)
    _rested: bool = False
    _since: float = 0.0
    """When the compiler was started, in seconds since the search began."""

    @classmethod
    def on(cls, outer: Control, compiling: Compiling, without: float = 0.0) -> Waiting:
        """`without`: what Python alone took the last time."""
        outer.start()
        first_look = outer.tuning.first_look
        if first_look >= Tuning().first_look:
            first_look = 0.0 if without >= _LONG else max(first_look, _PATIENCE * without)
        return cls(
            max_states=outer.max_states,
            max_seconds=outer.max_seconds,
            inside=outer.inside,
            outer=outer,
            alone=True,
            compiling=compiling,
            first_look=first_look,
        )

    def must_stop(self, distinct: int) -> bool:
        if self.outer.must_stop(distinct):
            self.stopped = self.outer.stopped
            return True
        return self._compiled()

    def should_stop(self, total: int, distinct: int, queue: int, depth: int) -> bool:
        while True:
            if self.outer.should_stop(total, distinct, queue, depth):
                self.stopped = self.outer.stopped
                return True
            if self._compiled():
                return True
            assert self.compiling is not None
            if not self._rests(distinct, queue):
                return False
            self.compiling.wait(_NAP)

    def _rests(self, distinct: int, queue: int) -> bool:
        """Whether the program will be there long before Python has come to an end, as far as one can tell.

        While its text is written it rests at once, but for some time only: there may never be a program. For a large
        text it does not, where there is a processor for it: the compiler takes longer than many a search, and the more
        states were met the fewer bounds are too small.
        """
        assert self.compiling is not None
        if not self.alone or not self.compiling.started:
            return False
        if queue < distinct * (_GROWING / 2 if self._rested else _GROWING):
            return False
        self._rested = True
        if self.compiling.writing:
            return self.waited < self._since + (min(self.writing, _MUCH) if self.compiling.much else self.writing)
        return self.waited >= self._since + self.beside and not self.compiling.large

    @property
    def waited(self) -> float:
        """Since the search began."""
        return monotonic() - self._begun

    def _compiled(self) -> bool:
        """Whether the compiled program is there; it is compiled when the search has not ended at the first look.

        Where it is known that there will be none, the search goes on with all its processors.
        """
        assert self.compiling is not None
        if not self.compiling.started:
            if self.waited >= self.first_look:
                self._since = self.waited
                self.compiling.start()
        elif self.alone and self.compiling.ended:
            reason = self.compiling.given_up
            self.moved = reason is None
            if reason is None:
                self.stopped = Stopped.SECONDS
            else:
                self.alone = False
                self.say(given_up(reason))
        return self.moved


__all__ = ["Request", "search", "simulation"]
