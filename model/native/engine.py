"""Search a model in machine code, with the Python engine's result.

The Python engine is at hand throughout: it names the steps of a counterexample and looks at failures of evaluation.
Where the two differ the reference evaluator says which is right (`outcome`), and the other one has no part in the
verdict. When the compiled program meets what it cannot do, another engine takes over (`choice`).
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.judge.judge import Judge
from rmqproof.model.search.control import Control, Halted
from rmqproof.model.search.kernel import TooSmall, until_it_fits
from rmqproof.model.search.result import Failure, Result, Verdict
from rmqproof.model.tla.source import TlaError

from .confirmed import examined
from .effects import Effects
from .errors import Died
from .initial import InitialStates
from .native_model import NativeModel, permutations_of
from .outcome import Outcome
from .run import Run, Status
from .saved import Folder

FIRST_SLICE = 0.05
"""Seconds of search before the first look at the clock, so that what is small is told soon."""


class Watch(Protocol):
    """Who looks at the states of a search while they are at hand."""

    def over(self, run: Run) -> bool:
        """Whether the search may end, since the verdict is known. It pauses meanwhile."""
        ...

    def ended(self, run: Run, result: Result) -> None:
        """The search has ended, and its states are about to be forgotten."""
        ...


class NativeSearch:
    """One search. `system` is the Python engine's view of the same model."""

    def __init__(
        self,
        native: NativeModel,
        system: PythonSystem,
        *,
        control: Control | None = None,
        workers: int | None = None,
        memory: int | None = None,
        folder: Folder | None = None,
        resume: bool = False,
        keep_going: bool = False,
        watch: Watch | None = None,
        alone: bool = False,
        judge: Judge | None = None,
        effects: Effects | None = None,
    ) -> None:
        """`memory`: bytes, beyond which states and fingerprints go to files. `folder`: where the search is saved.
        `keep_going`: after a violated invariant or step property (see `BreadthFirst`). `alone`: the Python engine does
        not take over when the process of the compiled program dies. `effects`: of what came before."""
        self.native = native
        self.system = system
        self.control = control if control is not None else Control()
        self.workers = available_workers() if workers is None else workers
        self.memory, self.folder, self.resuming, self.keep_going = memory, folder, resume, keep_going
        self.watch, self.alone, self.judge = watch, alone, judge
        self.initial = InitialStates(system, self.control, effects or Effects(system.runtime))
        self.before = 0.0
        """Seconds that the resumed search had taken."""

    def run(self) -> Result:
        """Explore until the end, a violation, a failure or a stop that `control` asks for.

        Raise `CheckpointError` when what is to be resumed cannot be, `OSError` when it cannot be saved. What makes
        Python take over is raised, too: `Disagreement`, `NotCompilable`, and `Died` unless nothing is to take over.
        """
        self.control.start()
        try:
            return until_it_fits(self._once, self._grow)
        except Died as error:
            if self.alone or error.short_of_memory or self.control.stopped is not None:
                return self._ended(error)
            raise

    def _once(self) -> Result:
        with self._open() as run:
            status = self._searched(run)
            outcome = Outcome(run, self.system, self.control, self.before, self.judge, self.initial.found)
            result = outcome.result(status)
            result = self._examined(run, result)
            self._keep(run, status, result)
            self.native.fitted()
            if self.watch is not None and status is not Status.HALTED:
                self.watch.ended(run, result)
            return result

    def _searched(self, run: Run) -> Status:
        """Raise `TooSmall` where the run has to start over with more room."""
        status = self._search(run)
        if status is Status.OVERFLOWED:
            raise TooSmall(run.numbers().index)
        return status

    def _ended(self, error: Died) -> Result:
        if error.short_of_memory:
            remedy = "Give it a limit with --memory: states beyond it go to files."
        else:
            remedy = "Without --engine native the Python engine takes over."
        return unsearched(said(error), remedy, self.control, self.workers)

    def _examined(self, run: Run, result: Result) -> Result:
        """With some of the states looked at again, where nothing was found to be wrong."""
        if self.judge is None or result.verdict is not Verdict.SUCCESS or not result.exhaustive:
            return result
        return replace(result, judged=examined(run, self.judge, self.control))

    def _grow(self, index: int) -> None:
        if self.folder is not None:
            self.folder.forget()
        with self.control.preparing(self.native.cancel):
            self.native.grow(index if index < 1 << 32 else -1)

    def _open(self) -> Run:
        folder = self.folder
        if folder is None:
            return self._begun(self._run(None))
        folder.prepare()
        saved = None
        if self.resuming:
            saved = folder.load()
            with self.control.preparing(self.native.cancel):
                self.native.widen(saved.growths)
            self.resuming = False
        else:
            folder.forget()
        run = self._run(folder.path)
        if saved is None:
            return self._begun(run)
        try:
            folder.restore(run, saved)
        except BaseException:
            run.close()
            raise
        self.before = saved.seconds
        return run

    def _run(self, path: Path | None) -> Run:
        return Run(self.native, self.workers, self.control.max_states, self.memory, path, self.keep_going)

    def _begun(self, run: Run) -> Run:
        """A search from the start, which is given the initial states where the program does not find them."""
        try:
            if not self.native.program.starts:
                run.give(self.initial.packed(self.native.program.layout))
        except BaseException:
            run.close()
            raise
        return run

    def _search(self, run: Run) -> Status:
        control, folder = self.control, self.folder
        if folder is not None:
            control.on_checkpoint = lambda: folder.save(run, self.before + control.seconds())
        tuning = control.tuning
        status, pause = Status.PAUSED, min(FIRST_SLICE, tuning.slice)
        look = tuning.watched
        while status is Status.PAUSED:
            control.inside[0] = True
            try:
                status = run.go(pause)
            except Halted:
                return Status.HALTED
            finally:
                control.inside[0] = False
            pause = tuning.slice
            if status in (Status.PAUSED, Status.LIMIT):
                n = run.numbers()
                if control.should_stop(n.total, n.distinct, n.distinct - n.expanded, n.depth):
                    return Status.LIMIT
                if self.watch is not None and not self.keep_going and n.distinct >= look:
                    look = int(min(2.0, tuning.growth) * n.distinct)
                    if status is Status.PAUSED and self.watch.over(run):
                        return Status.LIMIT
        return status

    def _keep(self, run: Run, status: Status, result: Result) -> None:
        """A search that was stopped is saved; of one that has ended, or that the watch ended, nothing is left."""
        if self.folder is None:
            return
        if status is Status.HALTED:
            return  # what was saved before is whole
        if status is not Status.LIMIT or self.control.stopped is None:
            self.folder.remove()
        else:
            self.folder.save(run, result.seconds)


def unsearched(message: str, remedy: str, control: Control, workers: int) -> Result:
    """The result of a native search that came to nothing: a system error."""
    error = TlaError(message, None, remedy, "system")
    failure = Failure(error, "successors", ())
    return Result(Verdict.ERROR, 0, 0, 0, control.seconds(), "native", workers, str(error), failure=failure)


def said(error: Died) -> str:
    if error.short_of_memory:
        return f"The search was ended ({error.how}), as the system does with a process when memory is short."
    return (
        f"The process of the compiled program died ({error.how}). That is an error of rmqproof, not of the model: "
        "please report it."
    )


def available_workers() -> int:
    """Threads to use: as many as there are processors, four at most."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(4, available))


__all__ = ["NativeModel", "NativeSearch", "Watch", "available_workers", "permutations_of", "unsearched"]
