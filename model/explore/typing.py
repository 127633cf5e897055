"""The type of an expression: what values it can have, as inference finds it."""

from __future__ import annotations

from rmqproof.model.explore.language import Asked
from rmqproof.model.types.infer import infer_types
from rmqproof.model.types.rendering import render
from rmqproof.model.types.typing import Scope


def type_of(asked: Asked) -> str:
    """As `rmqproof types` writes types."""
    if asked.level > 2:
        return "BOOLEAN"
    return render(infer_types(asked.model).typing().of(asked.node, Scope()))
