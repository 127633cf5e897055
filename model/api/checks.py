"""Check a model: every reachable state, or random behaviours."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.api.errors import ConfigError, EvaluationError, SystemFailure, typed_errors
from rmqproof.model.api.models import Model, load
from rmqproof.model.api.result import Interrupted, Result
from rmqproof.model.checking.check import check as check_files
from rmqproof.model.checking.options import Options, SparkOptions, SparkUnavailable
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control, Progress
from rmqproof.model.search.result import Stopped


@dataclass(frozen=True, slots=True)
class _Listener:
    """See `Audience`."""

    tell: Callable[[str], None] | None
    progress: Callable[[Progress], None] | None
    every: float

    def say(self, text: str) -> None:
        if self.tell is not None:
            self.tell(text)

    def warn(self, text: str) -> None:
        self.say(text)

    @contextmanager
    def watching(self, control: Control, name: str) -> Iterator[None]:
        if self.progress is not None:
            control.on_progress, control.progress_seconds = self.progress, self.every
        yield


def check(
    model: Model | str | Path,
    *,
    engine: str = "auto",
    workers: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    memory: int | None = None,
    fingerprint_bits: int = 64,
    keep_going: bool = False,
    ignore_liveness: bool = False,
    final_liveness: bool = False,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    spark: SparkOptions | None = None,
    progress: Callable[[Progress], None] | None = None,
    progress_seconds: float = 1.0,
    tell: Callable[[str], None] | None = None,
) -> Result:
    """Explore every reachable state of a model, or of a file or text that `load` takes, and say what holds.

    `engine`: `auto`, `python`, `native` (machine code; needs a C compiler) or `spark`. `memory`: bytes, beyond which
    states go to disk. `fingerprint_bits`: 64, or 128 for machine code. `keep_going`: after a violation, to the first of
    each property. `final_liveness`: liveness is checked when all states are known, and not before. `progress` is called
    every `progress_seconds`, `tell` with a line for each change of plan. The counts do not depend on `workers`.

    What cannot be evaluated is a result with the verdict `error`; see `Result.raise_error`. Raise `ParseError` and
    `ConfigError` for a model that cannot be loaded, `SystemFailure`, and at Ctrl-C `Interrupted`.
    """
    options = Options(
        engine,
        workers,
        checkpoint=Path(checkpoint) if checkpoint is not None else None,
        resume=resume,
        keep_going=keep_going,
        max_states=max_states,
        max_seconds=max_seconds,
        ignore_liveness=ignore_liveness,
        final_liveness=final_liveness,
        memory=memory,
        fingerprint_bits=fingerprint_bits,
        spark=spark if spark is not None else SparkOptions(memory=memory, resume=resume),
    )
    return _checked(model, options, _Listener(tell, progress, progress_seconds))


def simulate(
    model: Model | str | Path,
    behaviours: int = 1000,
    *,
    depth: int = 100,
    seed: int | None = None,
    swarm: bool = False,
    guided: bool = False,
    engine: str = "auto",
    max_seconds: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    progress_seconds: float = 1.0,
    tell: Callable[[str], None] | None = None,
) -> Result:
    """Look at so many random behaviours of at most `depth` states. A success is no proof: `Result.ok` stays False.

    The same `seed` gives the same behaviours; None: one is chosen, see `Result.seed`. In a `swarm` each behaviour
    prefers some actions, others each time; when `guided` it goes where those before it have not been. Raise as
    `check`.
    """
    chosen = secrets.randbits(32) if seed is None else seed
    options = Options(
        engine,
        simulate=behaviours,
        depth=depth,
        seed=chosen,
        swarm=swarm,
        guided=guided,
        max_seconds=max_seconds,
    )
    return _checked(model, options, _Listener(tell, progress, progress_seconds))


def opened(model: Model | str | Path) -> Model:
    return model if isinstance(model, Model) else load(model)


def _checked(model: Model | str | Path, options: Options, listener: _Listener) -> Result:
    model = opened(model)
    with typed_errors():
        try:
            outcome = check_files(model.files, options, listener)
        except CheckpointError as error:
            raise ConfigError(str(error)) from error
        except SparkUnavailable as error:
            raise SystemFailure(str(error)) from error
    result = Result(outcome)
    if outcome.error is not None and not isinstance(result.error, EvaluationError):
        result.raise_error()
    if outcome.result.stopped is Stopped.INTERRUPTED:
        raise Interrupted(result)
    return result
