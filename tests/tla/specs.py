"""Specifications written to a folder for one test."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla import core
from rmqproof.model.tla.library import Library
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.resolve import Resolution
from rmqproof.model.tla.source import TlaError


def write(folder: Path, modules: dict[str, str], config: str | None = None) -> Path:
    """Write modules given by name and body; the path of the last one, with `config` beside it."""
    path = folder
    for name, body in modules.items():
        path = folder / f"{name}.tla"
        path.write_text(f"---- MODULE {name} ----\n{body}\n====\n", encoding="utf-8")
    if config is not None:
        path.with_suffix(".cfg").write_text(config, encoding="utf-8")
    return path


def resolve(folder: Path, /, **modules: str) -> core.Specification:
    """The last module is the root."""
    path = write(folder, modules)
    return Resolution(Library([folder]), path).finish()


def refused(folder: Path, /, **modules: str) -> TlaError:
    with pytest.raises(TlaError) as caught:
        resolve(folder, **modules)
    return caught.value


def load(folder: Path, config: str, /, **modules: str) -> core.Model:
    return load_model(write(folder, modules, config))


def config_refused(folder: Path, config: str, /, **modules: str) -> TlaError:
    with pytest.raises(TlaError) as caught:
        load(folder, config, **modules)
    assert caught.value.kind == "config", caught.value
    return caught.value
