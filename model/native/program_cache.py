"""Programs that were generated before: a model whose text has not changed is not compiled to C again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rmqproof.model.cache import keep, kept

from .description import Description, DescriptionError, Program, description_of


def kept_program(key: str) -> Program | None:
    """The program that was kept under this key."""
    text = kept(f"{key}.json")
    if text is None:
        return None
    try:
        return program_of(json.loads(text))
    except (ValueError, KeyError, TypeError, DescriptionError):
        return None


def keep_program(key: str, content: dict[str, Any]) -> None:
    """Keep what `content_of` gave."""
    keep(f"{key}.json", json.dumps(content))


def content_of(described: Description, program: Program) -> dict[str, Any]:
    """The program as JSON has it, without `sites`."""
    content = {"description": described.to_json(), "source": program.source, "labels": program.labels}
    return {**content, "starts": program.starts}


def program_of(content: dict[str, Any]) -> Program:
    """The program of which that is the content. Raise `ValueError`, `KeyError`, `TypeError`, `DescriptionError`."""
    described = description_of(content["description"], Path("kept.json"))
    labels = tuple(bool(label) for label in content["labels"])
    starts = bool(content["starts"])
    return Program(content["source"], described.layout, described.actions, (), described.signatures, labels, starts)
