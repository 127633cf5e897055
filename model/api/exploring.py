"""Walk through a model, step by step."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.api.errors import typed_errors
from rmqproof.model.api.models import Model, load
from rmqproof.model.explore.session import Session as Walk
from rmqproof.model.explore.space import open_space

__all__ = ["Walk", "explore"]


def explore(model: Model | str | Path) -> Walk:
    """A walk through the model. It stands in its initial state where there is one alone, else `start(number)` chooses.

    Raise `ParseError`, `ConfigError`, `EvaluationError`.
    """
    with typed_errors():
        return Walk(open_space((model if isinstance(model, Model) else load(model)).files))
