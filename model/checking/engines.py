"""The engines that explore a model, each with what it cannot do.

    python      Python code made for the model, compiled with guesses about its values that are checked (`evaluate`);
                covers all that can be checked. `--engine interpreter` is an old name of it.
    native      machine code over packed states (`native`); hands over to python what it does not cover
    spark       either of the two in the workers of Spark, each the owner of a part of the states

An engine is asked what of a search it lacks, and then for the search; with `auto` python begins, and native takes
over where that pays (`native.choice`).
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Protocol

from rmqproof.model.checking.audience import Audience
from rmqproof.model.checking.liveness import Exploring, Graph, Liveness
from rmqproof.model.checking.liveness_watch import LivenessWatch, Pace, RecordedWatch
from rmqproof.model.checking.options import Options, SparkUnavailable
from rmqproof.model.checking.spark_engine import DEFAULT_MEMORY, Explore, as_it_is
from rmqproof.model.checking.subject import SimulationOptions, Subject
from rmqproof.model.native.request import Request as NativeRequest
from rmqproof.model.records import dataclass
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import Checkpoint, CheckpointError, locked
from rmqproof.model.search.control import Control
from rmqproof.model.search.liveness.recorder import Recorder
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.result import Result, Stopped, Verdict
from rmqproof.model.search.system import Observing

ASKING = "formulas that ask where the search is (TLCGet, TLCSet)"


@dataclass(frozen=True, slots=True)
class Search:
    """What an engine is asked for. `live` None: no liveness property is to be judged."""

    subject: Subject
    options: Options
    control: Control
    audience: Audience
    live: Liveness | None = None


class Engine(Protocol):
    """A way to explore a model."""

    def lacks(self, search: Search) -> str:
        """What of this search the engine cannot do, in words; empty where it takes it."""
        ...

    def explored(self, search: Search) -> Result:
        """What the search finds, liveness judged. Raise `Halted` where the model was still being compiled."""
        ...


def engine_for(search: Search) -> Engine:
    """The engine that is asked for, or that does what it lacks.

    Raise `SparkUnavailable`, or `CheckpointError` for the checkpoint of an engine that was not asked for.
    """
    options = search.options
    native = NativeEngine()
    if options.engine == "spark" and options.simulate is None:
        spark = SparkEngine()
        lack = spark.lacks(search)
        if lack:
            raise SparkUnavailable(f"The Spark engine does not cover {lack}.")
        return spark
    python = PythonEngine()
    if options.engine in ("auto", "native"):
        lack = native.lacks(search)
        if not lack:
            return native
        if options.engine == "native":
            asking = f"The native engine does not cover {lack}; the Python engine runs."
            search.audience.warn(asking if lack == ASKING else lack)
    else:
        lack = python.lacks(search)
        if lack:
            raise CheckpointError(lack)
    return python


class PythonEngine:
    """Python code made for the model. See `Engine`."""

    def lacks(self, search: Search) -> str:
        resumed = _resumed(search.options)
        if resumed is not None and _saved_natively(resumed):
            return f"{resumed}: the native engine saved this search. Leave out --engine python."
        return ""

    def explored(self, search: Search) -> Result:
        options = search.options
        if options.simulate is not None:
            from rmqproof.model.search.simulate import Simulation

            return Simulation(
                search.subject.system,
                behaviours=options.simulate,
                depth=options.depth,
                seed=options.seed,
                control=search.control,
                engine=search.subject.engine,
                swarm=options.swarm,
                guided=options.guided,
            ).run()
        recording = search.live.recording() if search.live is not None and not options.resume else None
        with _locked(search):
            result = _breadth_first(search, recording.begin() if recording is not None else None)
            if search.live is None:
                return result
            recorded = recording.graph(result) if recording is not None else None
            exploring = Exploring(search.control, False, options.memory, search.audience.say)
            return _with_liveness(search.live, result, recorded, exploring)


class NativeEngine:
    """Machine code, with python beside it. See `Engine`."""

    def lacks(self, search: Search) -> str:
        resumed = _resumed(search.options)
        if search.options.simulate is not None:
            return ASKING if search.subject.simulation is None else ""
        if search.subject.native is None:
            return ASKING
        if resumed is not None and not _saved_natively(resumed):
            return "The Python engine saved this search: it runs."
        return ""

    def explored(self, search: Search) -> Result:
        subject, options, control, live = search.subject, search.options, search.control, search.live
        tell = search.audience.say
        if options.simulate is not None:
            assert subject.simulation is not None
            wish = SimulationOptions(options.engine, options.simulate, options.depth, options.seed, options.swarm)
            wish = replace(wish, guided=options.guided)
            return subject.simulation(control, wish, tell)
        assert subject.native is not None
        recording = live.recording() if live is not None and not options.resume else None
        exploring = Exploring(control, True, options.memory, tell)
        watch = LivenessWatch(live, exploring, _pace(search)) if live is not None else None
        request = NativeRequest(
            options.engine,
            options.workers,
            options.memory,
            options.fingerprint_bits,
            options.checkpoint,
            options.resume,
            subject.identity,
            subject.description,
            options.keep_going,
            watch,
            subject.judge,
            live.labels() if live is not None else (),
            subject.inputs,
        )

        def in_python(beginning: Control | None = None, instead: bool = False) -> Result:
            recorder = recording.begin() if recording is not None else None
            return _breadth_first(search, recorder, beginning, request if instead else None)

        with _locked(search):
            _refuse_other_checkpoint(options)
            result = subject.native(control, request, tell, in_python)
            if live is None:
                return result
            if watch is not None and watch.judged is not None:
                return watch.judged
            recorded = recording.graph(result) if recording is not None else None
            if options.fingerprint_bits != 64:
                tell("The graph for liveness tells states apart by 64 bits.")
            return _with_liveness(live, result, recorded, exploring)


class SparkEngine:
    """Owner partitions on Spark. See `Engine`."""

    def lacks(self, search: Search) -> str:
        options = search.options
        lacking = (
            (options.keep_going, "--continue"),
            (options.checkpoint is not None, "--checkpoint (its store is one: --store and --resume)"),
            (search.subject.spark is None, ASKING),
        )
        return next((what for given, what in lacking if given), "")

    def explored(self, search: Search) -> Result:
        """Liveness is judged by the states and steps that the search has stored."""
        subject, options, live, control = search.subject, search.options, search.live, search.control
        tell = search.audience.say
        assert subject.spark is not None
        if live is None:
            return subject.spark(options.spark, control, tell, as_it_is)
        memory = options.spark.memory or DEFAULT_MEMORY
        exploring = Exploring(control, memory=memory, say=tell)

        def finish(result: Result, explore: Explore | None) -> Result:
            if explore is None or live.reduced:
                return _with_liveness(live, result, None, exploring)
            return _with_liveness(live, result, lambda: explore(Storage(memory), live.stop(control)), exploring)

        # a store that is resumed has edges or not: where it has none they are derived
        spark = options.spark if options.spark.resume else replace(options.spark, edges=True)
        return subject.spark(spark, control, tell, finish)


def _with_liveness(live: Liveness, result: Result, graph: Graph, exploring: Exploring) -> Result:
    """What liveness adds to a search that found nothing wrong, and how long that took."""
    if result.verdict is not Verdict.SUCCESS or not result.exhaustive:
        return result
    started = monotonic()
    result = live.judge(result, graph, exploring)
    return replace(result, seconds=result.seconds + monotonic() - started)


def _locked(search: Search) -> AbstractContextManager[None]:
    folder = search.options.checkpoint
    return locked(folder, search.subject.description) if folder is not None else nullcontext()


def _resumed(options: Options) -> Path | None:
    """The checkpoint to go on with."""
    return options.checkpoint if options.resume else None


def _saved_natively(folder: Path) -> bool:
    return NativeRequest(checkpoint=folder).folder_exists


def _refuse_other_checkpoint(options: Options) -> None:
    """A search that has not ended is not overwritten."""
    folder = options.checkpoint
    if folder is not None and not options.resume and (_saved_natively(folder) or Checkpoint(folder, "").exists):
        raise CheckpointError(_UNFINISHED.format(folder))


_UNFINISHED = (
    "{}: this folder holds the checkpoint of a search that has not ended. "
    "Continue it with --resume, remove the folder, or name another one."
)


def _breadth_first(
    search: Search,
    recorder: Recorder | None = None,
    beginning: Control | None = None,
    instead: NativeRequest | None = None,
) -> Result:
    """With `beginning` saved nowhere. `instead`: of that search; see `native.choice.InPython`."""
    subject, options, control = search.subject, search.options, beginning or search.control
    checkpoint = None
    resumed = None
    if options.checkpoint is not None and beginning is None:
        checkpoint = Checkpoint(options.checkpoint, subject.identity, subject.description, subject.inputs)
        if instead is not None:
            pass  # from the start
        elif options.resume:
            if subject.impossible is not None:
                raise CheckpointError("What was possible is not saved: with _POSSIBLE a search cannot be resumed.")
            resumed = checkpoint.load()
            subject.check_resumed(resumed)
        elif checkpoint.exists:
            raise CheckpointError(_UNFINISHED.format(options.checkpoint))
    watch = _recorded_watch(search, recorder, control)
    explorer = BreadthFirst(
        subject.system,
        control=control,
        workers=options.workers,
        keep_going=options.keep_going,
        resume=resumed,
        engine=subject.engine,
        recorder=recorder,
        watch=watch.over if watch is not None else None,
    )
    before = explorer.search.seconds
    others = instead.folder if instead is not None else None

    def save(checkpoint: Checkpoint, seconds: float) -> None:
        checkpoint.save(explorer.search, seconds)
        if others is not None:
            others.remove()

    if checkpoint is not None:
        kept = checkpoint
        control.on_checkpoint = lambda: save(kept, before + control.seconds())
    try:
        result = explorer.run()
    except KeyboardInterrupt:
        # the second Ctrl-C: the search is in the middle of a state, so what it has is good for counts only
        control.stopped = Stopped.INTERRUPTED
        result, explorer.whole = explorer.result(), False
    if checkpoint is not None:
        if result.stopped is None:
            checkpoint.remove()
            if others is not None:
                others.remove()
        elif explorer.whole:
            save(checkpoint, result.seconds)
    if watch is not None and watch.violations:
        return watch.live.violated_already(result, watch.violations)
    return result if subject.judge is None else subject.judge.examined(result, explorer)


def _pace(search: Search) -> Pace | None:
    """When liveness is checked in the middle of the search; None: never."""
    options = search.options
    never = options.final_liveness or options.keep_going or options.evaluations  # which are those of one check
    return None if never else Pace.of(search.control)


def _recorded_watch(search: Search, recorder: Recorder | None, control: Control) -> RecordedWatch | None:
    pace, live = _pace(search), search.live
    if pace is None or live is None or recorder is None or isinstance(live.system, Observing):
        return None  # where a state is has a meaning by the level, which is known at the end
    return RecordedWatch(live, recorder, control, pace)
