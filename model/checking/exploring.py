"""Search a model with the engine that is asked for, or that fits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from time import monotonic

from rmqproof.model.checking.audience import Audience
from rmqproof.model.checking.interrupts import interruptible
from rmqproof.model.checking.liveness import Exploring, Graph, Liveness
from rmqproof.model.checking.liveness_watch import LivenessWatch
from rmqproof.model.checking.options import Options, SparkUnavailable
from rmqproof.model.checking.spark_engine import DEFAULT_MEMORY, Explore, as_it_is
from rmqproof.model.checking.subject import SimulationOptions, Subject
from rmqproof.model.native.choice import Request as NativeRequest
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import Checkpoint, CheckpointError, locked
from rmqproof.model.search.control import Control, Halted
from rmqproof.model.search.liveness.graph import Recorder
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.result import Result, Stopped, Verdict
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.search.trace import TraceError
from rmqproof.model.tla.source import TlaError


def searched(subject: Subject, options: Options, audience: Audience, live: Liveness | None) -> Result:
    """What the search that the options ask for finds, and what liveness adds to it."""
    control = Control(
        max_states=options.max_states, max_seconds=options.max_seconds, checkpoint_seconds=options.checkpoint_seconds
    )
    with audience.watching(control, subject.name), interruptible(control):
        try:
            result = _explored(subject, options, control, audience, live)
        except Halted:
            message = f"Stopped ({control.stopped}) while the model was compiled: nothing is proved."
            result = Result(
                Verdict.ERROR, 0, 0, 0, control.seconds(), options.engine, 1, message, stopped=control.stopped
            )
    if result.failure is not None:
        error = result.failure.error
        if not isinstance(error, TlaError | RecursionError | MemoryError | ValueError | TraceError):
            raise error
        during = "" if result.failure.during in ("successors", "initial states") else f"In {result.failure.during}:\n"
        result = replace(result, message=during + said(error))
    return result


def _explored(
    subject: Subject, options: Options, control: Control, audience: Audience, live: Liveness | None
) -> Result:
    """What the search that is asked for finds. Raise `Halted` where the model was still being compiled."""
    tell = audience.say
    if options.simulate is not None and subject.simulation is not None and options.engine in ("auto", "native"):
        wish = SimulationOptions(options.engine, options.simulate, options.depth, options.seed, options.swarm)
        result = subject.simulation(control, wish, tell)
    elif options.simulate is not None:
        simulation = Simulation(
            subject.system,
            behaviours=options.simulate,
            depth=options.depth,
            seed=options.seed,
            swarm=options.swarm,
            control=control,
            engine=subject.engine,
        )
        result = simulation.run()
    elif options.engine == "spark" and _spark_takes(subject, options):
        result = _on_spark(subject, options, control, live, tell)
    else:
        folder = options.checkpoint
        with locked(folder, subject.description) if folder is not None else nullcontext():
            result = _here(subject, options, control, live, audience, tell)
    return result


def _here(
    subject: Subject,
    options: Options,
    control: Control,
    live: Liveness | None,
    audience: Audience,
    tell: Callable[[str], None],
) -> Result:
    """Search with the native engine or the interpreter, and judge liveness by what they explored."""
    recording = live.recording() if live is not None and not options.resume else None
    watch = LivenessWatch(live, Exploring(control, True, options.memory, tell)) if live is not None else None
    natively = subject.native is not None and _native_takes(options, audience)

    def interpret() -> Result:
        return _breadth_first(subject, options, control, recording.begin() if recording is not None else None)

    if not natively:
        result = interpret()
    else:
        assert subject.native is not None
        request = NativeRequest(
            options.engine,
            options.workers,
            options.memory,
            options.checkpoint,
            options.resume,
            subject.identity,
            subject.description,
            recording.begin() if recording is not None else None,
            options.keep_going,
            watch,
            subject.judge,
            subject.inputs,
        )
        _refuse_other_checkpoint(options.checkpoint, options.resume)
        result = subject.native(control, request, tell, interpret)
    if live is None:
        return result
    if watch is not None and watch.judged is not None:
        return watch.judged
    recorded = recording.graph(result) if recording is not None else None
    return _judged(live, result, recorded, Exploring(control, natively, options.memory, tell))


def _on_spark(
    subject: Subject, options: Options, control: Control, live: Liveness | None, tell: Callable[[str], None]
) -> Result:
    """Search on Spark, and judge liveness by the states and steps that it has stored."""
    assert subject.spark is not None
    if live is None:
        return subject.spark(options.spark, control, tell, as_it_is)
    memory = options.spark.memory or DEFAULT_MEMORY
    exploring = Exploring(control, memory=memory, say=tell)

    def finish(result: Result, explore: Explore | None) -> Result:
        if explore is None or live.reduced:
            return _judged(live, result, None, exploring)
        return _judged(live, result, lambda: explore(Storage(memory), live.stop(control)), exploring)

    # a store that is resumed has edges or not: where it has none they are derived
    spark = options.spark if options.spark.resume else replace(options.spark, edges=True)
    return subject.spark(spark, control, tell, finish)


def _judged(live: Liveness, result: Result, graph: Graph, exploring: Exploring) -> Result:
    """What liveness adds to a search that found nothing wrong, and how long that took."""
    if result.verdict is not Verdict.SUCCESS or not result.exhaustive:
        return result
    started = monotonic()
    result = live.judge(result, graph, exploring)
    return replace(result, seconds=result.seconds + monotonic() - started)


def _spark_takes(subject: Subject, options: Options) -> bool:
    """Whether the Spark engine can do what is asked. Raise `SparkUnavailable` where it cannot."""
    for given, what in (
        (options.keep_going, "--continue"),
        (options.checkpoint, "--checkpoint (its store is one: --store and --resume)"),
        (subject.spark is None, "formulas that ask where the search is (TLCGet, TLCSet)"),
    ):
        if given:
            raise SparkUnavailable(f"The Spark engine does not cover {what}.")
    return True


def _native_takes(options: Options, audience: Audience) -> bool:
    """Whether the options leave the search to the native engine.

    Raise `CheckpointError` when the checkpoint to resume is of the engine that was not asked for.
    """
    resumed = options.checkpoint if options.resume else None
    natively = resumed is not None and NativeRequest(checkpoint=resumed).folder_exists
    if options.engine == "interpreter":
        if natively:
            raise CheckpointError(f"{resumed}: the native engine saved this search. Leave out --engine interpreter.")
        return False
    if resumed is not None and not natively:
        if options.engine == "native":
            audience.warn("The interpreter saved this search: it runs.")
        return False
    return True


def _refuse_other_checkpoint(folder: Path | None, resume: bool) -> None:
    """A search that has not ended is not overwritten."""
    if (
        folder is not None
        and not resume
        and (NativeRequest(checkpoint=folder).folder_exists or Checkpoint(folder, "").exists)
    ):
        raise CheckpointError(_UNFINISHED.format(folder))


_UNFINISHED = (
    "{}: this folder holds the checkpoint of a search that has not ended. "
    "Continue it with --resume, remove the folder, or name another one."
)


def _breadth_first(subject: Subject, options: Options, control: Control, recorder: Recorder | None = None) -> Result:
    checkpoint = None
    resumed = None
    if options.checkpoint is not None:
        checkpoint = Checkpoint(options.checkpoint, subject.identity, subject.description, subject.inputs)
        if options.resume:
            if subject.impossible is not None:
                raise CheckpointError("What was possible is not saved: with _POSSIBLE a search cannot be resumed.")
            resumed = checkpoint.load()
            subject.check_resumed(resumed)
        elif checkpoint.exists:
            raise CheckpointError(_UNFINISHED.format(options.checkpoint))
    search = BreadthFirst(
        subject.system,
        control=control,
        workers=options.workers,
        keep_going=options.keep_going,
        resume=resumed,
        engine=subject.engine,
        recorder=recorder,
    )
    before = search.search.seconds
    if checkpoint is not None:
        kept = checkpoint
        control.on_checkpoint = lambda: kept.save(search.search, before + control.seconds())
    try:
        result = search.run()
    except KeyboardInterrupt:
        # the second Ctrl-C: the search is in the middle of a state, so what it has is good for counts only
        control.stopped = Stopped.INTERRUPTED
        result, search.whole = search.result(), False
    if checkpoint is not None:
        if result.stopped is None:
            checkpoint.remove()
        elif search.whole:
            checkpoint.save(search.search, result.seconds)
    return result if subject.judge is None else subject.judge.examined(result, search)


def said(error: Exception) -> str:
    """What a message says of an error in the evaluation of a model."""
    if isinstance(error, RecursionError):
        return "The evaluation does not end: an operator or function calls itself too deeply."
    if isinstance(error, MemoryError):
        return "Out of memory."
    if isinstance(error, TraceError):
        return (
            f"Something is violated, but the behaviour cannot be found again: {error}. "
            "The specification does not step the same way twice, or two states share a fingerprint."
        )
    return str(error)
