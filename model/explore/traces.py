"""The model that a trace is of: the one that it names."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla.model_files import ModelFiles, NoModel, find_models
from rmqproof.model.tla.source import TlaError


def model_of(behaviour: Behaviour, trace: Path) -> ModelFiles | None:
    """The model's files, looked for here and beside the trace; None where it names none, or they are not there."""
    origin = behaviour.origin
    spec = _found(origin.specification, trace)
    if spec is None:
        return None
    config = _found(origin.config, trace)
    try:
        if config is not None and config != spec:
            (files,) = find_models([spec], [config])
        else:
            (files,) = find_models([spec])
    except NoModel:
        return None
    return files


def needed_model_of(behaviour: Behaviour, trace: Path, remedy: str) -> ModelFiles:
    """The same. Raise `TlaError` where it is not there; `remedy` says how to name it."""
    files = model_of(behaviour, trace)
    if files is None:
        name = behaviour.origin.specification or "none"
        raise TlaError(f"{trace}: the specification that the trace names is not here: {name}", None, remedy, "system")
    return files


def _found(name: str, trace: Path) -> Path | None:
    if not name:
        return None
    path = Path(name)
    places = [path] if path.is_absolute() else [path, *(folder / path for folder in trace.resolve().parents)]
    return next((place for place in places if place.is_file()), None)
