"""Load a model from its files."""

from __future__ import annotations

from rmqproof.model.cli.models import ModelFiles
from rmqproof.model.cli.subject import Subject


def open_subject(files: ModelFiles, deadlock: bool = True) -> Subject:
    raise NotImplementedError
