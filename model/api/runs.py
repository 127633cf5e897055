"""Hold an implementation, or a recorded run, to a specification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rmqproof.conformance.abstraction import AbstractionError
from rmqproof.conformance.adapter import Adapter
from rmqproof.conformance.exploration import Conformance, Options
from rmqproof.conformance.exploration import conform as compared
from rmqproof.conformance.loading import LoadingError, load_adapter
from rmqproof.conformance.performer import Effort
from rmqproof.conformance.runs.event import RunError
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.validate import Reader, validate_runs
from rmqproof.conformance.runs.validation import Bounds, Validation
from rmqproof.conformance.subject import open_files
from rmqproof.model.api.checks import opened
from rmqproof.model.api.errors import ConfigError, typed_errors
from rmqproof.model.api.models import Model


def conform(
    model: Model | str | Path,
    adapter: Callable[[], Adapter] | str,
    *,
    workers: int | None = 1,
    max_states: int | None = None,
    disabled: bool = True,
    paths: int = 200,
    seed: int = 0,
) -> Conformance:
    """Have an implementation take every step of the model; `Conformance.conforms` says whether it took no other.

    `adapter` makes one, or names its class as `package.module:Class`; see `rmqproof.conformance.adapter`. `disabled`:
    it is asked for what the model does not allow, too. `workers` None: as many processes as there are processors.
    Raise `ConfigError` for an adapter that does not account for every variable, and as `load`.
    """
    model = opened(model)
    options = Options(workers, max_states, Effort(disabled=disabled, seed=seed), paths)
    with typed_errors():
        try:
            make = load_adapter(adapter) if isinstance(adapter, str) else adapter
            return compared(open_files(model.files), make, options)
        except (AbstractionError, LoadingError) as error:
            raise ConfigError(str(error)) from error


def validate(
    runs: str | Path | Iterable[str | Path],
    model: Model | str | Path,
    *,
    mapping: RunMapping | str | Path | None = None,
    reader: Reader | None = None,
    constants: Mapping[str, Any] | None = None,
    hidden_steps: int = 6,
    lost: int = 0,
    max_states: int = 2_000_000,
) -> Validation:
    """Whether recorded runs, files of NDJSON, are a behaviour of the model: `Validation.answer` is yes, no, or unknown.

    `mapping`: what the lines mean, or its file, or the name of a format of logs; None: they are in the words of the
    specification. `reader`: from a file to events. At most `hidden_steps` in a row have no line, `lost` lines are
    missing. Raise `ConfigError` for a run that is empty or cannot be read, and as `load`.
    """
    model = opened(model)
    if model.files.texts.given or model.files.overrides:
        raise ConfigError(
            "a run is validated with a specification and a configuration in files",
            None,
            "Give their paths; constants can be given as `constants`.",
        )
    paths = [Path(run) for run in ([runs] if isinstance(runs, str | Path) else runs)]
    meant = Path(mapping) if isinstance(mapping, str) and mapping.endswith(".toml") else mapping
    bounds = Bounds(hidden=hidden_steps, entries=max_states, lost=lost)
    with typed_errors():
        try:
            spec, config = model.files.spec, model.files.config
            return validate_runs(paths, spec, config, meant, bounds, reader, constants=constants)
        except RunError as error:
            raise ConfigError(str(error)) from error
