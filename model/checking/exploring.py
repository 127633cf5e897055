"""Have an engine explore a model, and say what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rmqproof.model.checking.audience import Audience
from rmqproof.model.checking.engines import Search, engine_for
from rmqproof.model.checking.interrupts import interruptible
from rmqproof.model.checking.liveness import Liveness
from rmqproof.model.checking.options import Options
from rmqproof.model.checking.subject import Subject
from rmqproof.model.search.control import Control, Halted
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.search.trace import TraceError
from rmqproof.model.tla.source import TlaError


def searched(
    subject: Subject,
    options: Options,
    audience: Audience,
    live: Liveness | None,
    made: Callable[..., Control] = Control,
) -> Result:
    """What the search that the options ask for finds, and what liveness adds to it."""
    control = made(
        max_states=options.max_states,
        max_seconds=options.max_seconds,
        checkpoint_seconds=options.checkpoint_seconds,
        tuning=options.tuning,
    )
    search = Search(subject, options, control, audience, live)
    with audience.watching(control, subject.name), interruptible(control):
        try:
            result = engine_for(search).explored(search)
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
