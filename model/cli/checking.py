"""Check one model: search it, save and resume, and say what came of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from rich.console import Console

from rmqproof.model.cli import exit_status
from rmqproof.model.cli.expectation import Expectation
from rmqproof.model.cli.interrupts import interruptible
from rmqproof.model.cli.liveness import Exploring, Graph, Liveness
from rmqproof.model.cli.liveness_watch import LivenessWatch
from rmqproof.model.cli.models import ModelFiles
from rmqproof.model.cli.outcome import Outcome, property_outcomes
from rmqproof.model.cli.progress_line import show_progress
from rmqproof.model.cli.spark_engine import DEFAULT_MEMORY, Explore, SparkOptions, SparkUnavailable, as_it_is
from rmqproof.model.cli.subject import SimulationOptions, Subject
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.judge.judge import REPORT
from rmqproof.model.native.choice import Request as NativeRequest
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import Checkpoint, CheckpointError, locked
from rmqproof.model.search.control import Control, Halted
from rmqproof.model.search.liveness.graph import Recorder
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.result import (
    Finding,
    FindingKind,
    Judged,
    Result,
    Stopped,
    Verdict,
)
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.search.trace import TraceError
from rmqproof.model.tla.source import TlaError


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks of a check. `workers` None: as many as pay. `seed` None: chosen and printed."""

    engine: str = "auto"
    workers: int | None = None
    deadlock: bool = True
    checkpoint: Path | None = None
    checkpoint_seconds: float = 60.0
    resume: bool = False
    simulate: int | None = None
    depth: int = 100
    seed: int = 0
    keep_going: bool = False
    max_states: int | None = None
    max_seconds: float | None = None
    ignore_liveness: bool = False
    quiet: bool = False
    memory: int | None = None
    """Bytes, beyond which the native engine's states go to disk. None: no limit."""
    spark: SparkOptions = field(default_factory=SparkOptions)


def check(
    files: ModelFiles,
    open_subject: Callable[[], Subject],
    options: Options,
    progress: Console,
    expectation: Expectation | None = None,
) -> Outcome:
    """Load and search one model. Errors in the specification become an `Outcome` with the verdict `error`.

    Raise `CheckpointError` when the checkpoint to resume is not to be trusted.
    """
    try:
        subject = deeply(open_subject)
        failed = deeply(_failed_assumption, subject)
        if failed is not None and subject.check_decided is not None:
            subject.check_decided()  # what is wrong with the configuration comes first
        live = subject.liveness if not options.ignore_liveness and options.simulate is None else None
        if live is not None and failed is None:
            live.prepare()
    except (TlaError, RecursionError) as error:
        return _failed(files, error, options, expectation)
    if failed is not None:
        failed = _with_constants_judged(subject, failed)
        return Outcome(files, failed, property_outcomes(subject.properties, failed), expectation=expectation)
    result = _search(subject, options, progress, live)
    if subject.check_decided is not None and _ended_at_once(result):
        try:
            subject.check_decided()
        except TlaError as error:
            said = _failed(files, error, options, expectation)
            return replace(said, result=_with_constants_judged(subject, said.result))
    if live is not None and (live.judged or not result.exhaustive):
        subject = replace(subject, properties=tuple(replace(p, checked=True) for p in subject.properties))
    result = _judge_liveness(subject, result, options)
    if result.failure is None:  # else there is something to be mended first
        result = result.with_findings(*subject.findings)
    result = _judged_by_reference(subject, _with_possible(subject, _with_postcondition(subject, result)))
    behaviour = shown = _behaviour(subject, result)
    if behaviour is not None:
        shown, about_alias = subject.aliased(behaviour, result.behaviour)
        result = result.with_findings(*about_alias)
    return Outcome(files, result, property_outcomes(subject.properties, result), behaviour, shown, expectation)


def _judged_by_reference(subject: Subject, result: Result) -> Result:
    """The result, its counterexamples replayed by the reference evaluator; an error where it does not confirm them."""
    if result.violations and result.violation is not None:
        judged = Judged(left_out=NOT_JUDGED)
        if subject.judge is not None:
            judged = subject.judge.replay(result.violations)
        result = replace(result, judged=judged)
    elif result.verdict is Verdict.SUCCESS and subject.judge is None:
        result = replace(result, judged=Judged(left_out=NOT_JUDGED))
    elif result.verdict is Verdict.SUCCESS and result.engine == "spark":
        result = replace(result, judged=Judged(left_out=NOT_ON_SPARK))
    return _unless_refuted(result)


def _with_constants_judged(subject: Subject, result: Result) -> Result:
    """What is said of a constant that is not TRUE; an error where the reference evaluator finds them all to be."""
    if subject.judge is None:
        return result
    judged = subject.judge.constants(result.message)
    return _unless_refuted(replace(result, judged=replace(judged, replayed=False)))


def _unless_refuted(result: Result) -> Result:
    if not result.judged.refuted:
        return result
    message = f"The result ({result.verdict}) is wrong. {result.judged.refuted}.\n{REPORT}"
    return replace(result, verdict=Verdict.ERROR, message=message, violations=(), failure=None, exhaustive=False)


NOT_ON_SPARK = "Of states on Spark the reference evaluator looks at none again."
NOT_JUDGED = "The reference evaluator was not asked: formulas of the model ask where the search is (TLCGet, TLCSet)."


def _ended_at_once(result: Result) -> bool:
    """Whether it is what comes of a search when a constant says that there is nothing to check.

    Such a constant may take long to evaluate, so the search does it, which can be stopped and may be compiled.
    """
    if result.stopped is not None:
        return False
    return result.distinct <= result.initial or (bool(result.behaviour) and len(result.behaviour) == 1)


def _failed_assumption(subject: Subject) -> Result | None:
    """As in TLC, an assumption that cannot be evaluated is one that fails."""
    try:
        message = subject.false_assumption() or ""
    except (TlaError, RecursionError) as error:
        if isinstance(error, TlaError) and error.kind != "evaluation":
            raise
        message = f"An assumption cannot be evaluated.\n{_say(error)}"
    return Result(Verdict.ASSUMPTION, 0, 0, 0, 0.0, subject.engine, 1, message) if message else None


def _failed(files: ModelFiles, error: Exception, options: Options, expectation: Expectation | None) -> Outcome:
    status = exit_status.of_error(error) if isinstance(error, TlaError) else exit_status.EVALUATION
    result = Result(Verdict.ERROR, 0, 0, 0, 0.0, options.engine, 1, message=_say(error))
    return Outcome(files, result, expectation=expectation, error_status=status)


def _search(subject: Subject, options: Options, progress: Console, live: Liveness | None) -> Result:
    control = Control(
        max_states=options.max_states, max_seconds=options.max_seconds, checkpoint_seconds=options.checkpoint_seconds
    )
    with show_progress(control, progress, subject.name, options.quiet), interruptible(control):
        try:
            result = _explored(subject, options, control, progress, live)
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
        result = replace(result, message=during + _say(error))
    return result


def _explored(subject: Subject, options: Options, control: Control, progress: Console, live: Liveness | None) -> Result:
    """What the search that is asked for finds. Raise `Halted` where the model was still being compiled."""
    tell = _teller(progress, options.quiet)
    if options.simulate is not None and subject.simulation is not None and options.engine in ("auto", "native"):
        wish = SimulationOptions(options.engine, options.simulate, options.depth, options.seed)
        result = subject.simulation(control, wish, tell)
    elif options.simulate is not None:
        simulation = Simulation(
            subject.system,
            behaviours=options.simulate,
            depth=options.depth,
            seed=options.seed,
            control=control,
            engine=subject.engine,
        )
        result = simulation.run()
    elif options.engine == "spark" and _spark_takes(subject, options):
        result = _on_spark(subject, options, control, live, tell)
    else:
        folder = options.checkpoint
        with locked(folder, subject.description) if folder is not None else nullcontext():
            result = _here(subject, options, control, live, progress, tell)
    return result


def _here(
    subject: Subject,
    options: Options,
    control: Control,
    live: Liveness | None,
    progress: Console,
    tell: Callable[[str], None],
) -> Result:
    """Search with the native engine or the interpreter, and judge liveness by what they explored."""
    recording = live.recording() if live is not None and not options.resume else None
    watch = LivenessWatch(live, Exploring(control, True, options.memory, tell)) if live is not None else None
    natively = subject.native is not None and _native_takes(options, progress)

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


def _native_takes(options: Options, progress: Console) -> bool:
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
            progress.print("The interpreter saved this search: it runs.", style="yellow", markup=False)
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


def _teller(progress: Console, quiet: bool) -> Callable[[str], None]:
    def tell(text: str) -> None:
        if not quiet:
            progress.print(text, style="dim", markup=False, highlight=False)

    return tell


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


def _judge_liveness(subject: Subject, result: Result, options: Options) -> Result:
    """A model with properties that were not checked is not a success, unless the user left them out."""
    unchecked = [prop.name for prop in subject.properties if not prop.checked]
    if not unchecked:
        return result
    said = [
        Finding(FindingKind.NOT_CHECKED, name, f"{name} is a liveness property: it was not checked.")
        for name in unchecked
    ]
    result = result.with_findings(*said)
    if options.ignore_liveness or result.verdict is not Verdict.SUCCESS:
        return result
    names = ", ".join(unchecked)
    message = (
        f"{names}: liveness is not checked, so this is no success; all else holds. "
        "--ignore-liveness leaves such properties out."
    )
    return replace(result, verdict=Verdict.ERROR, message=message)


def _with_postcondition(subject: Subject, result: Result) -> Result:
    """TLC evaluates POSTCONDITION after a search without an error, and files a false one under assumptions.

    It does so too where the specification has ended the search.
    """
    asked = result.verdict is Verdict.ERROR and result.stopped is Stopped.ASKED
    if not asked and (result.verdict is not Verdict.SUCCESS or not result.exhaustive):
        return result
    try:
        false = subject.false_postcondition(result)
        message = f"The postcondition {false} is false." if false is not None else ""
    except TlaError as error:
        message = f"A postcondition cannot be evaluated.\n{error}"
    return replace(result, verdict=Verdict.ASSUMPTION, message=message) if message else result


def _with_possible(subject: Subject, result: Result) -> Result:
    """TLC files what should be possible, and is not, under assumptions too; only a whole search can tell."""
    if subject.impossible is None or result.verdict is not Verdict.SUCCESS or not result.exhaustive:
        return result
    findings = tuple(f for f in result.findings if f.kind is not FindingKind.CONSTRAINT_CUT_NOTHING)
    result = replace(result, findings=findings)
    missed = subject.impossible()
    if not missed:
        return result
    message = (
        f"Not possible, though the configuration says so: no reachable state or step makes {', '.join(missed)} true."
    )
    return replace(result, verdict=Verdict.ASSUMPTION, message=message)


def _behaviour(subject: Subject, result: Result) -> Behaviour | None:
    if not result.behaviour:
        return None
    violation = result.violation
    behaviour = subject.behaviour(
        result.behaviour,
        violation.name if violation is not None else "",
        violation.sentence if violation is not None else "",
        violation.loop if violation is not None else None,
    )
    return behaviour if violation is None else replace(behaviour, fairness=violation.fairness)


def _say(error: Exception) -> str:
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
