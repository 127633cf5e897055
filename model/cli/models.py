"""Which models a command line names: see rmqproof.model.tla.model_files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rmqproof.model.tla import model_files
from rmqproof.model.tla.model_files import DEFAULT_GROUP, ModelFiles, NoModel

__all__ = ["DEFAULT_GROUP", "ModelFiles", "find_models"]


def find_models(paths: Sequence[Path], configs: Sequence[Path] = (), library: Sequence[str] = ()) -> list[ModelFiles]:
    """The models that `paths` name, in a fixed order. Raise `click.UsageError`."""
    try:
        return model_files.find_models(paths, configs, library)
    except NoModel as error:
        raise click.UsageError(str(error)) from None
