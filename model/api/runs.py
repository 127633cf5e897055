"""Hold an implementation, or a recorded run, to a specification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rmqproof.conformance.abstraction import AbstractionError
from rmqproof.conformance.adapter import Adapter
from rmqproof.conformance.exploration import Conformance, Options, Report
from rmqproof.conformance.exploration import conform as compared
from rmqproof.conformance.guard import STEP_SECONDS
from rmqproof.conformance.loading import LoadingError, load_adapter
from rmqproof.conformance.performer import Effort
from rmqproof.conformance.runs import search
from rmqproof.conformance.runs.event import RunError
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.validate import Reader, validate_runs
from rmqproof.conformance.runs.validation import Bounds, Validation
from rmqproof.conformance.subject import ModelSubject, open_files
from rmqproof.conformance.team import WorkerDied
from rmqproof.model.api.checks import opened
from rmqproof.model.api.errors import AdapterError, ConfigError, RunUnreadable, SystemFailure, typed_errors
from rmqproof.model.api.models import Model
from rmqproof.model.api.spark_graph import OnSpark, StoreUnusable, on_spark
from rmqproof.model.checking.options import SparkUnavailable
from rmqproof.model.search.control import Control


def conform(
    model: Model | ModelSubject | str | Path,
    adapter: Callable[[], Adapter] | str,
    *,
    workers: int | None = 1,
    max_states: int | None = None,
    disabled: bool = True,
    paths: int = 200,
    probe_every: int | None = None,
    probe_steps: int = 3,
    seed: int = 0,
    step_seconds: float = STEP_SECONDS,
    spark: OnSpark | None = None,
    progress: Report = lambda *_: None,
    tell: Callable[[str], None] = lambda _: None,
    control: Control | None = None,
    command: str = "",
) -> Conformance:
    """Have an implementation take every step of the model; `Conformance.conforms` says whether it took no other.

    `adapter` makes one, or names its class as `package.module:Class`; see `rmqproof.conformance.adapter`. `disabled`:
    it is asked for what the model does not allow, too. `paths` whole paths are walked without a restore; after one edge
    in `probe_every` the implementation goes on for `probe_steps` without one. A call of the adapter that takes more
    than `step_seconds` is a difference (0: it may take for ever). `workers` None: as many processes as
    there are processors. `spark`: the states are expanded there, and the adapter is named. `progress(what, done, all,
    edges a second)` and `control` are for who watches and stops it; `command`: how reports say that it was made.

    Raise `AdapterError` for an adapter that does not account for every variable, and as `load`.
    """
    options = Options(
        workers, max_states, Effort(disabled, probe_every, probe_steps, seed, step_seconds=step_seconds), paths=paths
    )
    control = control or Control()
    with typed_errors(), _comparing():
        make = load_adapter(adapter) if isinstance(adapter, str) else adapter
        if isinstance(model, ModelSubject):
            subject, files = model, None
        else:
            files = opened(model).files
            subject = open_files(files, command)
        if spark is None:
            return compared(subject, make, options, control, progress)
        if files is None or not isinstance(adapter, str):
            raise ConfigError("on Spark the model is one of files, and the adapter is named: package.module:Class")
        with on_spark(subject, files, adapter, spark, control, tell) as elsewhere:
            if elsewhere is None:
                raise KeyboardInterrupt
            return compared(subject, make, options, control, progress, elsewhere)


@contextmanager
def _comparing() -> Iterator[None]:
    try:
        yield
    except (AbstractionError, LoadingError, WorkerDied) as error:
        raise AdapterError(str(error)) from error
    except (SparkUnavailable, StoreUnusable) as error:
        raise SystemFailure(str(error)) from error


_BOUNDS = Bounds()


def validate(
    runs: str | Path | Iterable[str | Path],
    model: Model | str | Path,
    *,
    mapping: RunMapping | str | Path | None = None,
    reader: Reader | None = None,
    constants: Mapping[str, Any] | None = None,
    hidden_steps: int = _BOUNDS.hidden,
    lost: int = 0,
    width: int = _BOUNDS.width,
    max_states: int = _BOUNDS.entries,
    thorough: bool = False,
    progress: search.Report = lambda *_: None,
    control: Control | None = None,
    command: str = "",
) -> Validation:
    """Whether recorded runs, files of NDJSON, are a behaviour of the model: `Validation.answer` is yes, no, or unknown.

    `mapping`: what the lines mean, or its file, or the name of a format of logs; None: they are in the words of the
    specification. `reader`: from a file to events. `constants` win over those of the model. At most `hidden_steps` in a
    row have no line, `lost` lines are missing, `width` possible states after an event are followed; `thorough`: every
    order is tried. `progress(done, all, width)` and `control` are for who watches and stops it.

    Raise `RunUnreadable` for a run that is empty or cannot be read, and as `load`.
    """
    paths = [Path(run) for run in ([runs] if isinstance(runs, str | Path) else runs)]
    meant = Path(mapping) if isinstance(mapping, str) and mapping.endswith(".toml") else mapping
    bounds = Bounds(hidden_steps, width, max_states, lost, thorough)
    with typed_errors():
        try:
            files = opened(model).files
            return validate_runs(paths, files, meant, bounds, reader, control, progress, command, constants)
        except RunError as error:
            raise RunUnreadable(str(error)) from error
