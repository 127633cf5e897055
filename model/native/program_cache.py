"""Programs that were generated before: a model whose text has not changed is not compiled to C again."""

from __future__ import annotations

import json
from pathlib import Path

from rmqproof.model.cache import keep, kept

from .description import Description, DescriptionError, Program, description_of


def kept_program(key: str) -> Program | None:
    """The program that was kept under this key."""
    text = kept(f"{key}.json")
    if text is None:
        return None
    try:
        content = json.loads(text)
        described = description_of(content["description"], Path(f"{key}.json"))
        labels = tuple(bool(label) for label in content["labels"])
        starts = bool(content["starts"])
        return Program(content["source"], described.layout, described.actions, (), described.signatures, labels, starts)
    except (ValueError, KeyError, TypeError, DescriptionError):
        return None


def keep_program(key: str, described: Description, program: Program) -> None:
    content = {"description": described.to_json(), "source": program.source, "labels": program.labels}
    keep(f"{key}.json", json.dumps({**content, "starts": program.starts}))
